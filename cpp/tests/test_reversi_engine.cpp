// The alpha-beta engine on Reversi: full width against plain negamax, exact endgames, limits, stop,
// threads. Also built with the thread sanitizer.
#include <thread>

#include "check.h"
#include "reversi_random.h"
#include "search/engine.h"
#include "search/reversi_knowledge.h"

using namespace plyground;
using namespace plyground::reversi;

namespace {

using ReversiEngine = Engine<Knowledge>;

const auto kIgnoreProgress = [](const SearchReport&) { return true; };

Evaluation random_patterns(SplitMix64& rng) {
    std::vector<int16_t> values(static_cast<size_t>(kPhases) * folded_size());
    for (int16_t& value : values)
        value = static_cast<int16_t>(static_cast<int>(rng.below(101)) - 50);
    return {std::make_shared<Patterns>(values), {}};
}

SearchReport search(const Position& position, const Limits& limits, const Evaluation& evaluation,
                    int threads = 1, SearchOptions options = {}) {
    options.draw_score = 0;
    ReversiEngine engine(2, threads, evaluation, options);
    return engine.search(Knowledge::Position(position), {}, limits, kIgnoreProgress);
}

Limits to_depth(int depth) {
    Limits limits;
    limits.depth = depth;
    return limits;
}

// Plain negamax with the rules and the evaluation only.
Score negamax(const Position& position, int depth, const Evaluation& evaluation) {
    if (position.is_over()) return 100 * position.score();
    if (depth == 0) {
        Knowledge knowledge(evaluation, {});
        Knowledge::Node node;
        knowledge.enter_root(Knowledge::Position(position), node);
        return knowledge.evaluate(node);
    }
    Score best = -kInfinite;
    position.for_each_action([&](Action action) {
        best = std::max(best, -negamax(position.after(action), depth - 1, evaluation));
    });
    return best;
}

// With all unsound techniques switched off, table, ordering and threads change no score.
void test_exact_at_full_width() {
    SplitMix64 rng{test::seed()};
    SearchOptions plain;
    plain.reductions = plain.futility = plain.probcut = plain.exact_results = false;
    const Evaluation patterns = random_patterns(rng);
    const auto check = [&](const Position& position, const Evaluation& evaluation) {
        if (position.is_over()) return;
        const Score expected = negamax(position, 3, evaluation);
        for (const int threads : {1, 2}) {
            const SearchReport report = search(position, to_depth(3), evaluation, threads, plain);
            CHECK_IN(report.score == expected, test::describe(position));
            CHECK_IN(position.is_legal(report.best_move), test::describe(position));
        }
    };
    for (int i = 0; i < 24; ++i)
        check(test::random_position(2 + 2 * i, rng), i % 3 ? patterns : Evaluation{});
    // The game ends within the depth searched.
    for (int i = 0; i < 24; ++i)
        check(test::random_position(2 + i % 2, rng), patterns);
}

// Positions with few empty squares are solved, by one thread and by two.
void test_exact_endings() {
    SplitMix64 rng{test::seed()};
    const Evaluation patterns = random_patterns(rng);
    for (int i = 0; i < 10; ++i) {
        Position position = test::random_position(8 + i % 5, rng);
        if (position.is_over()) continue;
        Table table(1);
        EndgameSolver solver(table);
        const int score =
            solver.solve(position.own, position.other, -kSquares - 1, kSquares + 1).score;
        for (const int threads : {1, 2}) {
            const SearchReport report = search(position, Limits{}, patterns, threads);
            CHECK_IN(report.exact && report.score == 100 * score, test::describe(position));
        }
        // Playing the best moves leads to the reported score.
        const int first = position.to_move;
        while (!position.is_over()) {
            const SearchReport report = search(position, Limits{}, patterns);
            CHECK_IN(position.is_legal(report.best_move), test::describe(position));
            position.play(static_cast<Action>(report.best_move));
        }
        CHECK_IN((position.to_move == first ? 1 : -1) * position.score() == score,
                 test::describe(position));
    }
}

void test_limits() {
    SplitMix64 rng{test::seed()};
    const Evaluation patterns = random_patterns(rng);
    Limits limits;
    limits.nodes = 12345;
    for (const int empty_count : {50, 30, 22}) {
        const Position position = test::random_position(empty_count, rng);
        const uint64_t nodes = search(position, limits, patterns).stats.nodes;
        CHECK_IN(nodes >= 12345 && nodes < 12345 + 3000, test::describe(position));
        CHECK(search(position, to_depth(5), patterns).depth == 5);
        CHECK(search(position, to_depth(6), patterns).stats.nodes ==
              search(position, to_depth(6), patterns).stats.nodes);
    }
}

// `stop` ends a midgame search and the solution of an endgame.
void test_stop() {
    SplitMix64 rng{test::seed()};
    const Evaluation patterns = random_patterns(rng);
    for (const int empty_count : {50, 30}) {
        const Position position = test::random_position(empty_count, rng);
        ReversiEngine engine(2, 2, patterns, {});
        std::atomic<bool> done{false};
        std::thread stopper([&] {
            while (!done) {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                engine.stop();
            }
        });
        const SearchReport report =
            engine.search(Knowledge::Position(position), {}, Limits{}, kIgnoreProgress);
        done = true;
        stopper.join();
        CHECK(!report.exact);
        CHECK_IN(position.is_legal(report.best_move), test::describe(position));
        CHECK(!report.pv.empty() && report.pv[0] == report.best_move);
    }
}

// Small boards: full width is exact, late positions are solved, and one engine plays all boards.
void test_small_boards() {
    SplitMix64 rng{test::seed()};
    const Evaluation patterns = random_patterns(rng);
    SearchOptions plain;
    plain.reductions = plain.futility = plain.probcut = plain.exact_results = false;
    ReversiEngine all_boards(2, 1, patterns, {});
    for (int i = 0; i < 24; ++i) {
        const int size = i % 2 ? 4 : 6;
        const Position position = test::random_position(3 + i / 2 % (size * size - 7), rng, size);
        if (position.is_over()) continue;
        const Score expected = negamax(position, 3, patterns);
        CHECK_IN(search(position, to_depth(3), patterns, 1, plain).score == expected,
                 test::describe(position));
        const Position late = test::random_position(8, rng, size);
        if (late.is_over()) continue;
        const Score exact = negamax(late, kMaxPly, patterns);
        for (const int threads : {1, 2}) {
            const SearchReport report = search(late, Limits{}, patterns, threads);
            CHECK_IN(report.exact && report.score == exact, test::describe(late));
        }
        CHECK(all_boards.search(Knowledge::Position(late), {}, Limits{}, kIgnoreProgress).score ==
              exact);
        CHECK(all_boards.search(Knowledge::Position(Position{}), {}, to_depth(6), kIgnoreProgress)
                  .depth == 6);
    }
    Limits limits;
    limits.nodes = 12345;
    const uint64_t nodes = search(Position::start(6), limits, patterns).stats.nodes;
    CHECK(nodes >= 12345 && nodes < 12345 + 3000);
}

// The side to move has b1 and no move; the opponent then captures it from a1.
void test_forced_pass() {
    Position position;
    position.own = bit_of(1);
    position.other = bit_of(0);
    const SearchReport report = search(position, to_depth(6), Evaluation{});
    CHECK(report.best_move == kPass);
    CHECK(report.score == -100 * kSquares);
}

}  // namespace

int main() {
    test_exact_at_full_width();
    test_exact_endings();
    test_limits();
    test_stop();
    test_forced_pass();
    test_small_boards();
    return test::report();
}
