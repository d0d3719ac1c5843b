// The fit of Reversi's patterns for Python: check, convert, call. plyground.tune uses it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>

#include "base/workers.h"
#include "bind/arrays.h"
#include "bind/bind.h"
#include "bind/interpreter_lock.h"
#include "search/reversi_fit.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

using namespace reversi;

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::device::cpu, nb::c_contig>;
using Rows = nb::ndarray<const uint8_t, nb::ndim<2>, nb::device::cpu, nb::c_contig>;

std::span<const uint8_t> moves_of(const Rows& squares, size_t game) {
    return {squares.data() + game * squares.shape(1), squares.shape(1)};
}

template <class A>
void check_length(const char* name, const A& array, size_t length) {
    if (array.shape(0) != length)
        refuse(std::to_string(length) + " " + name, std::to_string(array.shape(0)));
}

using Labelled = std::vector<std::vector<LabelledPosition>>;  // by game

// One array for each property of the positions: discs of the side to move, of the other, score,
// number of discs, and row of the game.
nb::tuple columns(const Labelled& labelled) {
    size_t total = 0;
    for (const auto& positions : labelled)
        total += positions.size();
    nb::object own, other, score, discs, game;
    auto* owns = new_rows<uint64_t>(own, total);
    auto* others = new_rows<uint64_t>(other, total);
    auto* scores = new_rows<int8_t>(score, total);
    auto* counts = new_rows<uint8_t>(discs, total);
    auto* games = new_rows<uint32_t>(game, total);
    for (size_t i = 0; i < labelled.size(); ++i) {
        for (const LabelledPosition& position : labelled[i]) {
            *owns++ = position.own;
            *others++ = position.other;
            *scores++ = static_cast<int8_t>(position.score);
            *counts++ = static_cast<uint8_t>(std::popcount(position.own | position.other));
            *games++ = static_cast<uint32_t>(i);
        }
    }
    return nb::make_tuple(own, other, score, discs, game);
}

constexpr size_t kGamesAtATime = 8;
constexpr size_t kOwnGamesHashMb = 2;

nb::tuple label_games(const Rows& squares, const Column<int8_t>& played,
                      const Column<int8_t>& theoretical, const Column<uint8_t>& theory_empties,
                      int solve_from, int threads, uint64_t seed) {
    const size_t count = squares.shape(0);
    check_length("final scores", played, count);
    check_length("theoretical scores", theoretical, count);
    check_length("theory depths", theory_empties, count);
    checked_count("solve_from", solve_from, 0, 24);
    checked_count("threads", threads, 1, 256);
    Labelled labelled(count);
    {
        const InterpreterRelease release;
        std::vector<Table> tables(threads);
        Workers(threads).run(count, kGamesAtATime, [&](int thread, size_t first, size_t last) {
            EndgameSolver solver(tables[thread]);
            for (size_t i = first; i < last; ++i) {
                const RecordedGame game{moves_of(squares, i), played(i), theoretical(i),
                                        theory_empties(i)};
                labelled[i] = label_game(game, solve_from, seed + i, solver);
            }
        });
    }
    return columns(labelled);
}

nb::tuple label_own_games(const Rows& openings, const std::shared_ptr<const Patterns>& patterns,
                          int solve_from, int depth, int threads, uint64_t seed) {
    checked_count("solve_from", solve_from, 0, 24);
    checked_count("depth", depth, 2, 20);
    checked_count("threads", threads, 1, 256);
    Labelled labelled(openings.shape(0));
    {
        const InterpreterRelease release;
        std::vector<Table> tables(threads);
        std::vector<std::unique_ptr<Engine<Knowledge>>> engines;
        for (int i = 0; i < threads; ++i)
            engines.push_back(std::make_unique<Engine<Knowledge>>(
                kOwnGamesHashMb, 1, Evaluation{patterns, {}}, SearchOptions{.draw_score = 0}));
        Workers(threads).run(
            labelled.size(), kGamesAtATime, [&](int thread, size_t first, size_t last) {
                EndgameSolver solver(tables[thread], patterns.get());
                for (size_t i = first; i < last; ++i) {
                    // A result must not depend on the games that this thread handled before.
                    engines[thread]->clear();
                    labelled[i] = label_own_game(moves_of(openings, i), {depth, solve_from},
                                                 seed + i, *engines[thread], solver);
                }
            });
    }
    return columns(labelled);
}

std::vector<LabelledPosition> positions_from(const Column<uint64_t>& own,
                                             const Column<uint64_t>& other,
                                             const Column<int8_t>& score) {
    check_length("boards", other, own.shape(0));
    check_length("scores", score, own.shape(0));
    std::vector<LabelledPosition> positions(own.shape(0));
    for (size_t i = 0; i < positions.size(); ++i)
        positions[i] = {own(i), other(i), score(i)};
    return positions;
}

void new_fit(PatternFit* self, const Column<uint64_t>& own, const Column<uint64_t>& other,
             const Column<int8_t>& score, const Column<float>& weight, double ridge,
             double smoothing) {
    checked("ridge", ridge, 0, 1e6);
    checked("smoothing", smoothing, 0, 1e6);
    auto positions = positions_from(own, other, score);
    check_length("weights", weight, positions.size());
    for (size_t i = 0; i < positions.size(); ++i)
        positions[i].weight = weight(i);
    const InterpreterRelease release;
    new (self) PatternFit(positions, {ridge, smoothing});
}

double error_on(const PatternFit& fit, const Column<uint64_t>& own, const Column<uint64_t>& other,
                const Column<int8_t>& score) {
    const auto positions = positions_from(own, other, score);
    const InterpreterRelease release;
    return fit.error(positions);
}

nb::object fitted_values(const PatternFit& fit) {
    nb::object array;
    std::copy(fit.values().begin(), fit.values().end(),
              new_rows<float>(array, fit.values().size()));
    return array;
}

}  // namespace

void bind_reversi_tune(nb::module_& m) {
    m.def("reversi_label_games", &label_games, "squares"_a, "played"_a, "theoretical"_a,
          "theory_empties"_a, "solve_from"_a, "threads"_a, "seed"_a,
          nb::sig("def reversi_label_games(squares: numpy.typing.NDArray[numpy.uint8], "
                  "played: numpy.typing.NDArray[numpy.int8], "
                  "theoretical: numpy.typing.NDArray[numpy.int8], "
                  "theory_empties: numpy.typing.NDArray[numpy.uint8], "
                  "solve_from: int, threads: int, seed: int) -> "
                  "tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64], "
                  "numpy.typing.NDArray[numpy.int8], numpy.typing.NDArray[numpy.uint8], "
                  "numpy.typing.NDArray[numpy.uint32]]"),
          "Positions of games, each with its score for the side to move. Returns discs of the side "
          "to move, discs of the opponent, scores, number of discs, and row of the game.");
    m.def("reversi_label_own_games", &label_own_games, "openings"_a, "patterns"_a, "solve_from"_a,
          "depth"_a, "threads"_a, "seed"_a,
          nb::sig("def reversi_label_own_games(openings: numpy.typing.NDArray[numpy.uint8], "
                  "patterns: ReversiPatterns, solve_from: int, depth: int, threads: int, "
                  "seed: int) -> "
                  "tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64], "
                  "numpy.typing.NDArray[numpy.int8], numpy.typing.NDArray[numpy.uint8], "
                  "numpy.typing.NDArray[numpy.uint32]]"),
          "Positions of games of the engine against itself, one from each opening; in the same "
          "form.");
    nb::class_<PatternFit>(m, "ReversiPatternFit", nb::is_final(),
                           "The least squares fit of the pattern values of all phases.")
        .def("__init__", &new_fit, "own"_a, "other"_a, "score"_a, "weight"_a, "ridge"_a,
             "smoothing"_a,
             nb::sig("def __init__(self, own: numpy.typing.NDArray[numpy.uint64], "
                     "other: numpy.typing.NDArray[numpy.uint64], "
                     "score: numpy.typing.NDArray[numpy.int8], "
                     "weight: numpy.typing.NDArray[numpy.float32], ridge: float, "
                     "smoothing: float) -> None"))
        .def("step", &PatternFit::step, nb::call_guard<InterpreterRelease>(),
             "Take one more step; returns the root mean square error before it, in discs.")
        .def("error", &error_on, "own"_a, "other"_a, "score"_a,
             nb::sig("def error(self, own: numpy.typing.NDArray[numpy.uint64], "
                     "other: numpy.typing.NDArray[numpy.uint64], "
                     "score: numpy.typing.NDArray[numpy.int8]) -> float"),
             "The root mean square error on other positions, in discs; NaN if there are none.")
        .def("values", &fitted_values,
             nb::sig("def values(self) -> numpy.typing.NDArray[numpy.float32]"),
             "The values so far, in discs, one phase after the other.");
}

}  // namespace plyground
