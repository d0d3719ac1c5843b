// Quoridor's rules: perft, outcomes, action numbers, keys. Each single rule has a test with a drawn
// board in tests/rules; random positions are in
// test_quoridor_stress.cpp.
#include <array>
#include <string>
#include <vector>

#include "base/rng.h"
#include "check.h"
#include "games/quoridor.h"
#include "games/quoridor_paths.h"
#include "games/quoridor_perft.h"
#include "games/quoridor_text.h"

namespace plyground::quoridor {
namespace {

Rules rules_for(int size, int walls, int max_moves = 200, int no_progress_limit = 50) {
    return {static_cast<uint8_t>(size), static_cast<uint8_t>(walls),
            static_cast<uint16_t>(max_moves), static_cast<uint16_t>(no_progress_limit)};
}

// Move paths by length. The origin of the counts is in tests/data/quoridor_perft.json.
struct PerftTable {
    int size, walls;
    std::vector<uint64_t> counts;
};
const std::array<PerftTable, 4> kPerftTables{{
    {3, 2, {11, 77, 380, 1528, 5378, 16392, 46130, 124234}},
    {5, 5, {35, 1109, 31540, 794442, 17469556}},
    {7, 8, {75, 5357, 363872, 23458826}},
    {9, 10, {131, 16677, 2062264, 247569030}},
}};

// The same counts and sums the slow way: paths are computed anew in every position.
PathSums plain_sums(const Position& position, int depth) {
    if (depth == 0) {
        PathSums leaf{1, {}};
        for (int player = 0; player < 2; ++player)
            leaf.lengths[player] = distance(position, player);
        return leaf;
    }
    PathSums sums;
    position.legal_moves().for_each([&](Action action) {
        const PathSums below = plain_sums(position.after(action), depth - 1);
        sums.leaves += below.leaves;
        for (int player = 0; player < 2; ++player)
            sums.lengths[player] += below.lengths[player];
    });
    return sums;
}

void check_against_plain(const Position& position, int depth) {
    const std::string where = format_position(position) + " depth " + std::to_string(depth);
    const PathSums plain = plain_sums(position, depth);
    const PathSums sums = path_perft(position, depth);
    CHECK_IN(perft(position, depth) == plain.leaves, where);
    CHECK_IN(perft(position, depth, 1) == plain.leaves, where);
    CHECK_IN(sums.leaves == plain.leaves, where);
    CHECK_IN(sums.lengths == plain.lengths, where);
}

void test_perft_tables() {
    for (const auto& [size, walls, counts] : kPerftTables) {
        const Position start = Position::start(rules_for(size, walls));
        CHECK(perft(start, 0) == 1);
        for (size_t depth = 1; depth <= counts.size(); ++depth) {
            const std::string where = std::to_string(size) + "x" + std::to_string(size) +
                                      " depth " + std::to_string(depth);
            const int plies = static_cast<int>(depth);
            CHECK_IN(perft(start, plies) == counts[depth - 1], where);
            CHECK_IN(perft(start, plies, 1) == counts[depth - 1], where);   // replaces its entries
            CHECK_IN(perft(start, plies, 16) == counts[depth - 1], where);  // keeps them
        }
    }
}

// Positions from random games, where walls join and cut paths.
void test_against_plain_counting(SplitMix64& rng) {
    for (int size = kMinSize; size <= kMaxSize; ++size) {
        const int slots = (size - 1) * (size - 1);
        for (int game = 0; game < 6; ++game) {
            Position position =
                Position::start(rules_for(size, static_cast<int>(rng.below(slots + 1))));
            for (uint32_t left = rng.below(40); left > 0 && !position.is_over(); --left) {
                std::vector<Action> moves;
                position.legal_moves().for_each([&](Action action) { moves.push_back(action); });
                position.play(moves[rng.below(static_cast<uint32_t>(moves.size()))]);
            }
            check_against_plain(position, size <= 4 ? 3 : 2);
        }
    }
}

// A table may share subtrees only if the draw counters cannot expire in them. Tests every pair of
// small limits, also from a start with counters above 0.
void test_perft_near_the_draws() {
    for (int max_moves = 1; max_moves <= 7; ++max_moves) {
        for (int limit = 1; limit <= 7; ++limit) {
            check_against_plain(Position::start(rules_for(3, 1, max_moves, limit)), 5);
            const Rules rules = rules_for(4, 1, max_moves + 20, limit + 10);
            check_against_plain(parse_position("4 b2/c3 b1h 1/0 1 20 10", rules), 4);
        }
    }
}

void test_perft_of_a_finished_game() {
    for (const char* text : {"5 c5/a3 - 5/5 2 9 9", "5 a3/c1 - 5/5 1 9 9", "5 c2/c3 - 5/5 1 100 9",
                             "5 c2/c3 - 5/5 1 40 30"}) {
        const Position over = parse_position(text, rules_for(5, 5, 100, 30));
        CHECK_IN(over.is_over(), text);
        CHECK_IN(perft(over, 0) == 1, text);
        for (int depth = 1; depth <= 3; ++depth) {
            CHECK_IN(perft(over, depth) == 0 && perft(over, depth, 1) == 0, text);
            CHECK_IN(path_perft(over, depth).leaves == 0, text);
        }
    }
}

// A win comes before a draw, the move limit before the no-progress limit.
void test_outcomes() {
    const Rules rules = rules_for(3, 2, 8, 6);
    const auto outcome = [&](const char* text) { return parse_position(text, rules).outcome(); };
    CHECK(outcome("3 b1/b3 - 2/2 1 0 0") == Outcome::kOngoing);
    CHECK(outcome("3 a2/c2 - 2/2 2 7 5") == Outcome::kOngoing);
    CHECK(outcome("3 a2/c2 - 2/2 1 8 5") == Outcome::kMoveLimit);
    CHECK(outcome("3 a2/c2 - 2/2 2 7 6") == Outcome::kNoProgress);
    CHECK(outcome("3 a2/c2 - 2/2 1 8 6") == Outcome::kMoveLimit);
    CHECK(outcome("3 a3/c2 - 2/2 1 8 6") == Outcome::kPlayer1);
    CHECK(outcome("3 a2/c1 - 2/2 1 8 6") == Outcome::kPlayer2);

    // The same by playing: the last move before the limit wins, draws, or resets one counter.
    const Position last = parse_position("3 a2/c2 - 2/2 1 5 5", rules);
    CHECK(last.after(parse_action("a3", 3)).outcome() == Outcome::kPlayer1);
    CHECK(last.after(parse_action("a1", 3)).outcome() == Outcome::kNoProgress);
    const Position walled = last.after(parse_action("a1h", 3));
    CHECK(walled.outcome() == Outcome::kOngoing);
    CHECK(walled.moves_since_wall == 0 && walled.move_count == 6 && walled.hand[0] == 1);
    const Position long_game = parse_position("3 a2/c2 - 2/2 1 7 0", rules);
    CHECK(long_game.after(parse_action("a1h", 3)).outcome() == Outcome::kMoveLimit);
    CHECK(long_game.after(parse_action("a3", 3)).outcome() == Outcome::kPlayer1);
}

void test_largest_limits() {
    const Rules rules = rules_for(9, 64, 65535, 65535);
    const Position last = parse_position("9 e2/e8 - 64/64 1 65534 65534", rules);
    CHECK(last.after(parse_action("e3", 9)).outcome() == Outcome::kMoveLimit);
    CHECK(last.after(parse_action("e3h", 9)).moves_since_wall == 0);
    CHECK(last.after(parse_action("e3h", 9)).hand[0] == 63);
    CHECK(Position::start(rules).legal_moves().count() == 131);
}

// The dense numbers: cells by row, then horizontal walls by row, then vertical ones.
void test_action_numbers() {
    for (int size = kMinSize; size <= kMaxSize; ++size) {
        int index = 0;
        int previous = -1;
        const auto check_next = [&](int action) {
            const std::string where = std::to_string(action) + " on size " + std::to_string(size);
            CHECK_IN(is_on_board(static_cast<Action>(action), size), where);
            CHECK_IN(to_dense(static_cast<Action>(action), size) == index, where);
            CHECK_IN(from_dense(index, size) == action, where);
            CHECK_IN(action > previous, where);  // so that lists stay ascending
            previous = action;
            ++index;
        };
        for (int row = 0; row < size; ++row) {
            for (int col = 0; col < size; ++col)
                check_next(9 * row + col);
        }
        for (const int first : {81, 145}) {
            for (int row = 0; row < size - 1; ++row) {
                for (int col = 0; col < size - 1; ++col)
                    check_next(first + 8 * row + col);
            }
        }
        CHECK(index == action_count(size));
        int on_board = 0;
        for (int action = 0; action < kActions; ++action) {
            on_board += is_on_board(static_cast<Action>(action), size);
        }
        CHECK(on_board == index);
    }
    CHECK(action_count(3) == 17 && action_count(5) == 57);
    CHECK(action_count(7) == 121 && action_count(9) == 209);
    for (int action = 0; action < kActions; ++action) {
        CHECK(to_dense(static_cast<Action>(action), 9) == action);
    }
}

void test_start() {
    for (int size = kMinSize; size <= kMaxSize; ++size) {
        const int slots = (size - 1) * (size - 1);
        for (const int walls : {0, 1, slots}) {
            const Position start = Position::start(rules_for(size, walls));
            CHECK(start.pawn[0] == cell_at(0, size / 2) &&
                  start.pawn[1] == cell_at(size - 1, size / 2));
            CHECK(start.hand[0] == walls && start.hand[1] == walls && start.to_move == 0);
            CHECK(start.geometry().cells.count() == size * size);
            CHECK(std::popcount(start.geometry().slots) == slots);
            CHECK(start.key == start.computed_key());
            // A single wall cannot shut a player in; the pawn has three steps.
            CHECK(start.legal_moves().count() == 3 + (walls > 0 ? 2 * slots : 0));
            for (int player = 0; player < 2; ++player)
                CHECK(distance(start, player) == size - 1);
        }
    }
}

// Positions that differ in more than the counters have different keys; the order of walls does not
// matter.
void test_keys() {
    const Rules rules = rules_for(9, 10);
    const auto key = [&](const char* text) { return parse_position(text, rules).key; };
    const uint64_t base = key("9 e4/e6 c3h,e3h,d7v 8/9 2 9 1");
    for (const char* other : {"9 e5/e6 c3h,e3h,d7v 8/9 2 9 1", "9 e4/e7 c3h,e3h,d7v 8/9 2 9 1",
                              "9 e6/e4 c3h,e3h,d7v 8/9 2 9 1", "9 e4/e6 c3h,e3h,d7h 8/9 2 9 1",
                              "9 e4/e6 c3h,d7v 8/9 2 9 1", "9 e4/e6 c3h,e3h,d7v 9/8 2 9 1",
                              "9 e4/e6 c3h,e3h,d7v 8/8 2 9 1", "9 e4/e6 c3h,e3h,d7v 8/9 1 9 1"}) {
        CHECK_IN(key(other) != base, other);
    }
    CHECK(key("9 e4/e6 c3h,e3h,d7v 8/9 2 20 4") == base);
    CHECK(key("9 e4/e6 d7v,e3h,c3h 8/9 2 9 1") == base);
}

}  // namespace
}  // namespace plyground::quoridor

int main() {
    using namespace plyground;
    using namespace plyground::quoridor;
    SplitMix64 rng{test::seed()};
    test_action_numbers();
    test_start();
    test_outcomes();
    test_largest_limits();
    test_keys();
    test_perft_of_a_finished_game();
    test_perft_near_the_draws();
    test_against_plain_counting(rng);
    test_perft_tables();
    return test::report();
}
