// Reversi's engine, pattern values and endgame solver for Python: check, convert, call.
// plyground.search wraps them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>

#include "bind/bind.h"
#include "bind/engine_binding.h"
#include "bind/reversi_state.h"
#include "games/reversi_text.h"
#include "search/reversi_knowledge.h"
#include "search/reversi_last.h"
#include "search/reversi_parallel_endgame.h"
#include "search/reversi_small_board.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

using namespace reversi;
using ReversiEngine = Engine<Knowledge>;
using SharedPatterns = std::shared_ptr<const Patterns>;

const Switches kSwitches{
    {"table", &SearchOptions::table},           {"killers", &SearchOptions::killers},
    {"history", &SearchOptions::history},       {"counter_moves", &SearchOptions::counter_moves},
    {"reductions", &SearchOptions::reductions}, {"futility", &SearchOptions::futility},
    {"aspiration", &SearchOptions::aspiration}, {"exact_results", &SearchOptions::exact_results},
    {"probcut", &SearchOptions::probcut},
};

void require_ongoing(const Position& position) {
    if (position.is_over()) {
        throw IllegalMoveError("cannot search '" + format_position(position) +
                               "': the game is over");
    }
}

nb::dict discs_dict(const SearchReport& report) {
    return report_dict(
        report, [](int action) { return action; },
        [](const SearchReport& scored) { return scored.score / 100.0; });
}

nb::dict search(ReversiEngine& engine, const ReversiState& state, std::optional<double> time_s,
                std::optional<double> start_s, std::optional<uint64_t> nodes,
                std::optional<int> depth, const nb::object& progress) {
    require_ongoing(state.position);
    const Limits limits = limits_from(time_s, start_s, nodes, depth);
    const Knowledge::Position position(state.position);
    return run_search([&](const auto& poll) { return engine.search(position, {}, limits, poll); },
                      &discs_dict, progress);
}

// Solves a position without limits: win, draw or loss only, or the score in discs.
nb::dict solve(const ReversiState& state, const SharedPatterns& patterns, bool win_only,
               int hash_mb, int threads) {
    const Position& position = state.position;
    require_ongoing(position);
    check_engine_size(hash_mb, threads);
    const auto search = [&](const auto& poll) {
        const int empty_count = std::popcount(position.empty());
        Table table(std::min(static_cast<size_t>(hash_mb), useful_table_mb(empty_count)));
        SearchReport report;
        const auto started = Clock::now();
        double last_poll = 0;
        const auto update = [&](const SearchStats& stats) {
            report.stats = stats;
            report.time_s = std::chrono::duration<double>(Clock::now() - started).count();
        };
        const auto check = [&](const SearchStats& stats) {
            update(stats);
            if (report.time_s - last_poll < 0.02) return true;
            last_poll = report.time_s;
            return poll(report);
        };
        const int widest = win_only ? 1 : kSquares + 1;
        SearchStats stats;
        EndgameReport solved;
        if (position.size == kSize) {
            const int guess = patterns && !win_only
                                  ? patterns->evaluate(position.own, position.other) / 200 * 2
                                  : 0;
            solved = solve_with_threads(table, patterns.get(), threads,
                                        {position.own, position.other, -widest, widest, guess},
                                        check, stats);
        } else {
            SmallBoardSolver solver(table);
            solver.poll = check;
            solved = solver.solve(position, -widest, widest);
            stats = solver.stats();
        }
        update(stats);
        const int score = win_only ? (solved.score > 0) - (solved.score < 0) : solved.score;
        report.has_move = !solved.pv.empty();
        report.best_move = report.has_move ? solved.pv[0] : 0;
        report.pv = solved.pv;
        report.score = 100 * score;
        report.depth = empty_count;
        report.exact = solved.finished;
        return report;
    };
    return run_search(search, &discs_dict, nb::none());
}

void new_patterns(
    Patterns* self,
    const nb::ndarray<const int16_t, nb::ndim<1>, nb::device::cpu, nb::c_contig>& values) {
    new (self) Patterns({values.data(), values.shape(0)});
}

void bind_patterns(nb::module_& m) {
    nb::class_<Patterns>(m, "ReversiPatterns", nb::is_final(),
                         "Fitted values of Reversi's patterns, in hundredths of a disc.")
        .def("__init__", &new_patterns, "values"_a,
             nb::sig("def __init__(self, values: numpy.typing.NDArray[numpy.int16]) -> None"),
             "All values of the first phase, then of the second, and so on.")
        .def(
            "evaluate",
            [](const Patterns& patterns, const ReversiState& state) {
                const Position& position = on_full_board(state, "patterns are");
                return patterns.evaluate(position.own, position.other) / 100.0;
            },
            "state"_a, "Discs the side to move is likely to win by.");
    m.attr("REVERSI_PATTERN_PHASES") = kPhases;
    m.attr("REVERSI_DISCS_PER_PHASE") = kDiscsPerPhase;
    m.attr("REVERSI_PATTERN_VALUES") = folded_size();
}

}  // namespace

void bind_reversi_engine(nb::module_& m) {
    bind_patterns(m);
    nb::class_<ReversiEngine> engine(
        m, "ReversiEngine", "The alpha-beta search for Reversi, with its table and threads.");
    engine
        .def(
            "__init__",
            [](ReversiEngine* self, int hash_mb, int threads, const SharedPatterns& patterns,
               const std::map<std::string, bool>& switches) {
                check_engine_size(hash_mb, threads);
                new (self)
                    ReversiEngine(static_cast<size_t>(hash_mb), threads, Evaluation{patterns, {}},
                                  options_from(kSwitches, switches, 0));
            },
            "hash_mb"_a = 64, "threads"_a = 1, "patterns"_a.none() = nb::none(),
            "switches"_a = std::map<std::string, bool>{},
            "Without patterns, the evaluation is the classic one.")
        .def("search", &search, "state"_a, "time_s"_a = nb::none(), "start_s"_a = nb::none(),
             "nodes"_a = nb::none(), "depth"_a = nb::none(), "progress"_a = nb::none(),
             nb::sig("def search(self, state: ReversiState, time_s: float | None = None, start_s: "
                     "float | None = None, nodes: int | None = None, depth: int | None = None, "
                     "progress: collections.abc.Callable[[dict[str, typing.Any]], object] | None = "
                     "None) -> dict[str, typing.Any]"),
             "Search until a limit is reached; `progress` is called with intermediate results.");
    bind_engine_methods(engine);
    m.def(
        "reversi_switches", [] { return default_switches(kSwitches); },
        "The switches of the search with their defaults.");
    m.def("reversi_solve", &solve, "state"_a, "patterns"_a.none() = nb::none(),
          "win_only"_a = false, "hash_mb"_a = 64, "threads"_a = 1,
          nb::sig("def reversi_solve(state: ReversiState, patterns: ReversiPatterns | None = None, "
                  "win_only: bool = False, hash_mb: int = 64, threads: int = 1) -> "
                  "dict[str, typing.Any]"),
          "Search a position to the end of the game; with `win_only` the score is 1, 0 or -1.");
}

}  // namespace plyground
