// Quoridor's solver for Python: check, convert, call. plyground.search wraps it.
#include "search/quoridor_solver.h"

#include <nanobind/nanobind.h>

#include <string>

#include "base/error.h"
#include "bind/bind.h"
#include "bind/interpreter_lock.h"
#include "bind/quoridor_state.h"
#include "games/quoridor_text.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

using namespace quoridor;

// Solves without the interpreter lock, which the watcher acquires briefly to check for Ctrl-C.
void solve(Solution* self, const QuoridorState& root, int max_mb, const nb::object& progress) {
    if (max_mb < 1) {
        throw ConfigError("expected 1 MB or more for the solver, got " + std::to_string(max_mb));
    }
    const Position position = root.position;
    if (position.is_over()) {
        throw IllegalMoveError("nothing to solve in '" + format_position(position) +
                               "': the game is over");
    }
    const auto watcher = [&](const Solution::Progress& now) {
        if (InterpreterEnd::stops_this_thread()) throw InterpreterEnds();
        const nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!progress.is_none()) progress(now.done, now.tables);
    };
    const InterpreterRelease release;
    new (self) Solution(position, static_cast<uint64_t>(max_mb) << 20, watcher);
}

int value(const Solution& solution, const QuoridorState& state) {
    const Position& position = state.position;
    if (position.is_over()) return 0;
    if (!solution.covers(position)) {
        throw ConfigError("'" + format_position(position) +
                          "' does not belong to the game that was solved");
    }
    return solution.plies_to_end(position);
}

}  // namespace

void bind_quoridor_solver(nb::module_& m) {
    nb::class_<Solution>(m, "QuoridorSolution", nb::is_final(),
                         "The exact values of all positions that can arise from a root.")
        .def("__init__", &solve, "root"_a, "max_mb"_a, "progress"_a.none() = nb::none(),
             nb::sig("def __init__(self, root: QuoridorState, max_mb: int, progress: "
                     "typing.Callable[[int, int], object] | None = None) -> None"),
             "Solve; `progress` is called with the tables solved and their total (0 while "
             "counting).")
        .def(
            "covers",
            [](const Solution& s, const QuoridorState& state) { return s.covers(state.position); },
            "state"_a, "Whether the state belongs to this game and is not won yet.")
        .def("value", &value, "state"_a,
             "Plies to the end, positive when the side to move wins, negative when it loses; 0 for "
             "a draw and for a finished game.")
        .def_prop_ro("positions", &Solution::positions, "The number of positions covered.")
        .def_prop_ro("bytes", &Solution::bytes, "Size of the tables in bytes.");
}

}  // namespace plyground
