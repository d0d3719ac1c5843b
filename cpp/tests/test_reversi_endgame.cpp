// Reversi's endgame solver against plain negamax, and the stable discs it uses.
#include "check.h"
#include "games/reversi_text.h"
#include "reversi_random.h"
#include "search/reversi_endgame.h"
#include "search/reversi_last.h"
#include "search/reversi_lookahead.h"
#include "search/reversi_parallel_endgame.h"
#include "search/reversi_patterns.h"
#include "search/reversi_small_board.h"
#include "search/reversi_stability.h"

using namespace plyground;
using namespace plyground::reversi;

namespace {

// Plain negamax to the end of the game.
int brute_force(const Position& position) {
    if (position.is_over()) return position.score();
    int best = -kSquares;
    position.for_each_action(
        [&](Action action) { best = std::max(best, -brute_force(position.after(action))); });
    return best;
}

int sign(int score) { return (score > 0) - (score < 0); }

EndgameReport solve(const Position& position, int widest, const Patterns* patterns = nullptr,
                    int guess = 0) {
    Table table(1);
    EndgameSolver solver(table, patterns);
    return solver.solve(position.own, position.other, -widest, widest, guess);
}

void test_against_brute_force() {
    SplitMix64 rng{test::seed()};
    for (int i = 0; i < 150; ++i) {
        Position position = test::random_position(1 + i % 8, rng);
        const int score = brute_force(position);
        const int guess = static_cast<int>(rng.below(129)) - 64;
        const EndgameReport report = solve(position, kSquares + 1, nullptr, guess);
        CHECK_IN(report.finished && report.score == score, test::describe(position));
        CHECK_IN(solve(position, 1).score * sign(score) >= std::abs(sign(score)),
                 test::describe(position));
        // The line is legal, and ends the game with the reported score.
        const int first = position.to_move;
        for (const int action : report.pv) {
            CHECK_IN(position.is_legal(action), test::describe(position));
            position.play(static_cast<Action>(action));
        }
        CHECK_IN(position.is_over(), test::describe(position));
        CHECK_IN((position.to_move == first ? 1 : -1) * position.score() == score,
                 test::describe(position));
    }
}

Patterns random_patterns(SplitMix64& rng) {
    std::vector<int16_t> values(static_cast<size_t>(kPhases) * folded_size());
    for (int16_t& value : values)
        value = static_cast<int16_t>(static_cast<int>(rng.below(401)) - 200);
    return Patterns(values);
}

// With more empty squares the table, sorting and patterns are used: all variants must agree.
void test_variants_agree() {
    SplitMix64 rng{test::seed()};
    const Patterns patterns = random_patterns(rng);
    for (int i = 0; i < 12; ++i) {
        const Position position = test::random_position(12 + i % 2, rng);
        const int score = solve(position, kSquares + 1).score;
        CHECK_IN(solve(position, kSquares + 1, &patterns, 10).score == score,
                 test::describe(position));
        CHECK_IN(sign(solve(position, 1).score) == sign(score), test::describe(position));
        int best = -kSquares;
        position.for_each_action([&](Action action) {
            best = std::max(best, -solve(position.after(action), kSquares + 1).score);
        });
        CHECK_IN(position.is_over() || best == score, test::describe(position));
    }
}

// Selective passes guess wrong with random patterns, but the score stays exact.
void test_passes_keep_the_score() {
    SplitMix64 rng{test::seed()};
    const Patterns patterns = random_patterns(rng);
    for (int i = 0; i < 4; ++i) {
        const Position position = test::random_position(17, rng);
        Table table(4);
        EndgameSolver solver(table, &patterns);
        solver.guesses_first = true;
        const EndgameReport report = solver.solve(position.own, position.other, -65, 65);
        CHECK_IN(report.finished && report.score == solve(position, kSquares + 1).score,
                 test::describe(position));
    }
}

// Enough empty squares for the threads to share moves.
void test_threads_agree() {
    SplitMix64 rng{test::seed()};
    const Patterns patterns = random_patterns(rng);
    for (int i = 0; i < 6; ++i) {
        const Position position = test::random_position(15, rng);
        const int score = solve(position, kSquares + 1).score;
        Table table(1);
        SearchStats stats;
        const auto always = [](const SearchStats&) { return true; };
        const EndgameReport report =
            solve_with_threads(table, i % 2 ? &patterns : nullptr, 3,
                               {position.own, position.other, -65, 65}, always, stats);
        CHECK_IN(report.finished && report.score == score, test::describe(position));
        CHECK_IN(!report.pv.empty() && stats.nodes > 0, test::describe(position));
    }
    Table table(1);
    SearchStats stats;
    const Position start;
    const EndgameReport stopped = solve_with_threads(
        table, nullptr, 2, {start.own, start.other, -65, 65},
        [](const SearchStats&) { return false; }, stats);
    CHECK(!stopped.finished);
}

// Negamax with the evaluation at the leaves.
Score plain_lookahead(Squares own, Squares other, const Patterns& patterns, int depth) {
    if (depth == 0) return patterns.evaluate(own, other);
    const Squares legal = moves(own, other);
    if (!legal) {
        return moves(other, own) ? -plain_lookahead(other, own, patterns, depth)
                                 : 100 * final_score(own, other);
    }
    Score best = -kInfinite;
    for_each_square(legal, [&](int square) {
        const Squares turned = flips(square, own, other);
        const Squares played = own | turned | bit_of(square);
        best = std::max(best, -plain_lookahead(other & ~turned, played, patterns, depth - 1));
    });
    return best;
}

void test_lookahead() {
    SplitMix64 rng{test::seed()};
    const Patterns patterns = random_patterns(rng);
    const Lookahead lookahead(patterns);
    for (int i = 0; i < 40; ++i) {
        const auto [own, other, to_move, size] = test::random_position(1 + i, rng);
        const int depth = i % 5;
        const Score expected = plain_lookahead(own, other, patterns, depth);
        const PatternView view = PatternView::from(own, other);
        uint64_t nodes = 0;
        const auto search = [&](Score alpha, Score beta) {
            return lookahead.search(own, other, view, depth, alpha, beta, nodes);
        };
        CHECK(search(-kInfinite, kInfinite) == expected);
        const Score middle = static_cast<Score>(rng.below(4001)) - 2000;
        CHECK((search(middle - 1, middle) >= middle) == (expected >= middle));
        CHECK(nodes > 0);
    }
}

void test_stop() {
    SplitMix64 rng{test::seed()};
    const Position position = test::random_position(30, rng);
    Table table(1);
    EndgameSolver solver(table);
    int calls = 0;
    solver.poll = [&](uint64_t) { return ++calls < 3; };
    const EndgameReport report =
        solver.solve(position.own, position.other, -kSquares - 1, kSquares + 1);
    CHECK(!report.finished);
    CHECK(solver.stats().nodes < 10'000);
}

// A stable disc is never flipped, whatever is played.
void test_stable_discs() {
    SplitMix64 rng{test::seed()};
    int found = 0;
    for (int i = 0; i < 300; ++i) {
        Position position = test::random_position(4 + static_cast<int>(rng.below(30)), rng);
        Squares stable[2];
        for (int player = 0; player < 2; ++player) {
            stable[player] = stable_discs(position.discs(player), position.discs(1 - player));
            found += std::popcount(stable[player]);
        }
        while (!position.is_over()) {
            for (int player = 0; player < 2; ++player)
                CHECK_IN(!(stable[player] & ~position.discs(player)), test::describe(position));
            position.play(test::random_action(position, rng));
        }
    }
    CHECK(found > 300);
}

void test_known_stability() {
    CHECK(stable_discs(1, 0) == 1);                   // a corner
    CHECK(stable_discs(2, 0) == 0);                   // a disc beside it
    CHECK(stable_discs(0xff, 0xff00) == 0xff);        // an edge
    CHECK(stable_discs(~0ULL, 0) == ~0ULL);           // everything
    CHECK(stable_discs(0x07, 0) == 0x07);             // from a corner along the edge
    CHECK(stable_discs(0x0103, 0) == 0x0103);         // a corner and both its neighbours
    CHECK(stable_discs(0x010307, 0) == 0x010307);     // and the square between them
    CHECK(stable_discs(0x0000001818000000, 0) == 0);  // the middle of nowhere
    CHECK(final_score(0xff, 0xff00) == 0);            // level with empty squares
    CHECK(final_score(0xff, 0) == 64);
    CHECK(final_score(0xf, 0xff00) == -56);
}

void test_small_boards() {
    SplitMix64 rng{test::seed()};
    for (int i = 0; i < 60; ++i) {
        const int size = i % 2 ? 4 : 6;
        const Position position = test::random_position(7, rng, size);
        if (position.is_over()) continue;
        Table table(1);
        SmallBoardSolver solver(table);
        const EndgameReport report = solver.solve(position, -kSquares, kSquares);
        CHECK_IN(report.score == brute_force(position), format_position(position));
        Position end = position;
        for (const int action : report.pv) {
            CHECK(end.is_legal(action));
            end.play(static_cast<Action>(action));
        }
        CHECK_IN(end.is_over(), format_position(position));
        const EndgameReport won = SmallBoardSolver(table).solve(position, -1, 1);
        CHECK_IN(sign(won.score) == sign(report.score), format_position(position));
        CHECK(won.pv.size() == 1 || won.score == report.score);
    }
}

}  // namespace

int main() {
    test_small_boards();
    test_against_brute_force();
    test_variants_agree();
    test_passes_keep_the_score();
    test_threads_agree();
    test_lookahead();
    test_stop();
    test_stable_discs();
    test_known_stability();
    return test::report();
}
