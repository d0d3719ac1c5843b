// The textbook searches for Python: check, convert, call. The public face is search/textbook.py.
#include "search/textbook.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <map>
#include <optional>
#include <string>

#include "base/error.h"
#include "bind/bind.h"
#include "bind/quoridor_state.h"
#include "bind/reversi_state.h"
#include "games/quoridor_text.h"
#include "games/reversi_text.h"
#include "search/quoridor_textbook.h"
#include "search/reversi_textbook.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

using quoridor::TextbookOptions;
using quoridor::WallOrder;
using reversi::ClassicEvaluator;

const std::map<std::string, WallOrder> kWallOrders{
    {"nearest", WallOrder::kNearest},
    {"corridor", WallOrder::kCorridor},
    {"cutting", WallOrder::kCutting},
};

TextbookOptions options_from(const QuoridorState& state, double path_weight, double progress_weight,
                             double wall_weight, std::optional<int> max_wall_moves,
                             const std::string& wall_order) {
    const auto order = kWallOrders.find(wall_order);
    if (order == kWallOrders.end()) {
        throw ConfigError("expected a wall order 'nearest', 'corridor' or 'cutting', got '" +
                          wall_order + "'");
    }
    return {path_weight,
            progress_weight,
            wall_weight,
            nb::cast<double>(state.config.attr("draw_penalty")),
            max_wall_moves.value_or(quoridor::kActions),
            order->second};
}

// Ctrl-C ends the search as an exception of Python's that passes through it.
void check_signals() {
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// `number` turns the core's actions into those of the public interface.
template <class Number>
nb::dict report_dict(const TextbookReport& report, Number&& number) {
    nb::list pv;
    for (const int action : report.pv)
        pv.append(number(action));
    nb::dict out;
    out["best_move"] = number(report.best_move);
    out["score"] = report.score;
    out["pv"] = pv;
    out["nodes_searched"] = report.nodes;
    out["cutoffs"] = report.cutoffs;
    out["first_move_cutoffs"] = report.first_move_cutoffs;
    return out;
}

// A search of one game, with that game's options.
template <class Position, class Options>
using Search = TextbookReport (*)(const Position&, int, const Options&, std::function<void()>);

template <class Position, class Options>
TextbookReport run(Search<Position, Options> search, Position position, int depth,
                   const Options& options) {
    if (position.is_over()) {
        throw IllegalMoveError("cannot search '" + format_position(position) +
                               "': the game is over");
    }
    if (depth < 1 || depth > kMaxTextbookDepth) {
        throw ConfigError("expected a depth from 1 to " + std::to_string(kMaxTextbookDepth) +
                          ", got " + std::to_string(depth));
    }
    const nb::gil_scoped_release release;
    return search(position, depth, options, check_signals);
}

void bind_quoridor_search(nb::module_& m, const char* name,
                          Search<quoridor::Position, TextbookOptions> search, const char* doc) {
    const std::string signature =
        "def " + std::string(name) +
        "(state: QuoridorState, depth: int, path_weight: float, progress_weight: float, "
        "wall_weight: float, max_wall_moves: int | None = None, wall_order: str = 'nearest') "
        "-> dict[str, typing.Any]";
    m.def(
        name,
        [search](const QuoridorState& state, int depth, double path_weight, double progress_weight,
                 double wall_weight, std::optional<int> max_wall_moves,
                 const std::string& wall_order) {
            const auto report = run(search, state.position, depth,
                                    options_from(state, path_weight, progress_weight, wall_weight,
                                                 max_wall_moves, wall_order));
            return report_dict(report, [&](int action) {
                return quoridor::to_dense(static_cast<quoridor::Action>(action), state.size());
            });
        },
        "state"_a, "depth"_a, "path_weight"_a, "progress_weight"_a, "wall_weight"_a,
        "max_wall_moves"_a = nb::none(), "wall_order"_a = "nearest", nb::sig(signature.c_str()),
        doc);
}

void bind_reversi_search(nb::module_& m, const char* name,
                         Search<reversi::Position, ClassicEvaluator> search, const char* doc) {
    const std::string signature = "def " + std::string(name) +
                                  "(state: ReversiState, depth: int, evaluator: "
                                  "ReversiClassicEvaluator) -> dict[str, typing.Any]";
    m.def(
        name,
        [search](const ReversiState& state, int depth, const ClassicEvaluator& evaluator) {
            const auto report = run(search, state.position, depth, evaluator);
            return report_dict(report, [](int action) { return action; });
        },
        "state"_a, "depth"_a, "evaluator"_a, nb::sig(signature.c_str()), doc);
}

nb::dict classic_terms(const ReversiState& state) {
    const auto terms = reversi::classic_terms(state.position.own, state.position.other);
    nb::dict out;
    out["material"] = terms.material;
    out["mobility"] = terms.mobility;
    out["corners"] = terms.corners;
    out["near_corners"] = terms.near_corners;
    out["positional"] = terms.positional;
    return out;
}

void bind_classic(nb::module_& m) {
    nb::class_<ClassicEvaluator>(m, "ReversiClassicEvaluator", nb::is_final(),
                                 "The classic evaluation of Reversi; see ReversiEvaluator.")
        .def(
            "__init__",
            [](ClassicEvaluator* self, bool material, bool mobility, bool corners, bool positional,
               double material_weight, double mobility_weight, double corner_weight,
               double near_corner_weight, double positional_weight) {
                new (self) ClassicEvaluator{material,      mobility,           corners,
                                            positional,    material_weight,    mobility_weight,
                                            corner_weight, near_corner_weight, positional_weight};
            },
            nb::kw_only(), "material"_a, "mobility"_a, "corners"_a, "positional"_a,
            "material_weight"_a, "mobility_weight"_a, "corner_weight"_a, "near_corner_weight"_a,
            "positional_weight"_a)
        .def(
            "evaluate",
            [](const ClassicEvaluator& evaluator, const ReversiState& state) {
                return evaluator.evaluate(state.position.own, state.position.other) + 0.0;
            },
            "state"_a, "The value for the player to move; a finished game is nothing special.");
    m.def("reversi_classic_terms", &classic_terms, "state"_a,
          nb::sig("def reversi_classic_terms(state: ReversiState) -> dict[str, int]"),
          "The counts that the classic evaluation weighs, for the player to move.");
}

}  // namespace

void bind_textbook(nb::module_& m) {
    bind_quoridor_search(m, "quoridor_minimax", &quoridor::minimax,
                         "Plain minimax for the side to move; returns fields of a SearchResult.");
    bind_quoridor_search(
        m, "quoridor_alphabeta", &quoridor::alphabeta,
        "Plain alpha-beta for the side to move; returns fields of a SearchResult.");
    bind_classic(m);
    bind_reversi_search(m, "reversi_minimax", &reversi::minimax,
                        "Plain minimax for the side to move; returns fields of a SearchResult.");
    bind_reversi_search(m, "reversi_alphabeta", &reversi::alphabeta,
                        "Plain alpha-beta for the side to move; returns fields of a SearchResult.");
}

}  // namespace plyground
