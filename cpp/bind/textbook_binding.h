// Shared by the bindings of the textbook searches: runs a search without the interpreter lock and
// converts its report to a dict.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <string>

#include "base/error.h"
#include "bind/interpreter_lock.h"
#include "search/textbook.h"

namespace plyground {

// Ends the search with a Python exception after Ctrl-C, or with the one that `poll` raises.
inline void check_signals(const nanobind::object& poll) {
    if (InterpreterEnd::stops_this_thread()) throw InterpreterEnds();
    const nanobind::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    if (!poll.is_none()) poll();
}

// `number` converts an action of the core to its number in Python.
template <class Number>
nanobind::dict textbook_dict(const TextbookReport& report, Number&& number) {
    nanobind::list pv;
    for (const int action : report.pv)
        pv.append(number(action));
    nanobind::dict out;
    out["best_move"] = number(report.best_move);
    out["score"] = report.score;
    out["pv"] = pv;
    out["nodes_searched"] = report.nodes;
    out["cutoffs"] = report.cutoffs;
    out["first_move_cutoffs"] = report.first_move_cutoffs;
    return out;
}

// A textbook search of one game, with that game's options.
template <class Position, class Options>
using TextbookFunction = TextbookReport (*)(const Position&, int, const Options&,
                                            std::function<void()>);

template <class Position, class Options>
TextbookReport run_textbook(TextbookFunction<Position, Options> search, Position position,
                            int depth, const Options& options, const nanobind::object& poll) {
    if (position.is_over()) {
        throw IllegalMoveError("cannot search '" + format_position(position) +
                               "': the game is over");
    }
    if (depth < 1 || depth > kMaxTextbookDepth) {
        throw ConfigError("expected a depth from 1 to " + std::to_string(kMaxTextbookDepth) +
                          ", got " + std::to_string(depth));
    }
    const InterpreterRelease release;
    return search(position, depth, options, [&poll] { check_signals(poll); });
}

}  // namespace plyground
