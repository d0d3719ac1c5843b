// Reversi: moves and flips against a walk over a grid, random games, perft, text.
#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "check.h"
#include "games/reversi.h"
#include "games/reversi_text.h"

namespace plyground::reversi {
namespace {

// The flipped discs, found by walking from the square in each direction.
Squares walked_flips(int square, Squares own, Squares other) {
    Squares turned = 0;
    for (int down = -1; down <= 1; ++down) {
        for (int right = -1; right <= 1; ++right) {
            Squares run = 0;
            int row = row_of(square) + down;
            int col = col_of(square) + right;
            const auto on_board = [&] { return row >= 0 && row < 8 && col >= 0 && col < 8; };
            while ((down || right) && on_board() && other & bit_of(square_at(row, col))) {
                run |= bit_of(square_at(row, col));
                row += down;
                col += right;
            }
            if (on_board() && own & bit_of(square_at(row, col))) turned |= run;
        }
    }
    return turned;
}

void check_board(Squares own, Squares other) {
    const std::string where = format_position({own, other, 0});
    Squares expected = 0;
    for_each_square(~(own | other), [&](int square) {
        const Squares turned = walked_flips(square, own, other);
        if (turned) expected |= bit_of(square);
        CHECK_IN(flips(square, own, other) == turned, where);
        CHECK_IN(portable::flips(square, own, other) == turned, where);
    });
    CHECK_IN(moves(own, other) == expected, where);
    CHECK_IN(portable::moves(own, other) == expected, where);
}

// Boards that no game reaches: every density of discs, full lines among them.
void test_random_boards(SplitMix64& rng) {
    for (int i = 0; i < 4000; ++i) {
        const Squares a = rng.next(), b = rng.next(), c = rng.next();
        const Squares taken = i % 3 == 0 ? a : i % 3 == 1 ? a | b : a & b;
        const Squares colour = i % 2 == 0 ? c : c & rng.next();
        check_board(taken & colour, taken & ~colour);
    }
}

void test_random_games(SplitMix64& rng) {
    int passes = 0;
    for (int game = 0; game < 200; ++game) {
        Position position;
        int plies = 0;
        while (!position.is_over()) {
            check_board(position.own, position.other);
            CHECK(!(position.own & position.other));
            CHECK_IN(parse_position(format_position(position)) == position,
                     format_position(position));
            std::vector<Action> actions;
            position.for_each_action([&](Action action) { actions.push_back(action); });
            for (int action = 0; action <= kActions; ++action) {
                const bool listed =
                    std::find(actions.begin(), actions.end(), action) != actions.end();
                CHECK_IN(position.is_legal(action) == listed, format_position(position));
            }
            const Action action = actions[rng.below(static_cast<uint32_t>(actions.size()))];
            const Position before = position;
            position.play(action);
            CHECK(position.to_move == 1 - before.to_move);
            CHECK(position.key() != before.key());
            passes += action == kPass;
            CHECK(std::popcount(position.empty()) ==
                  std::popcount(before.empty()) - (action == kPass ? 0 : 1));
            ++plies;
        }
        CHECK(position.end_reason() != EndReason::kNone);
        CHECK(plies < 2 * kSquares);
        CHECK(position.score() >= -kSquares && position.score() <= kSquares);
    }
    CHECK(passes > 0);
}

void test_symmetries(SplitMix64& rng) {
    for (int i = 0; i < 200; ++i) {
        const Squares own = rng.next() & rng.next();
        const Squares other = rng.next() & ~own;
        for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
            const Squares turned = symmetric(own, symmetry);
            for_each_square(own, [&](int square) {
                CHECK(turned & bit_of(symmetric_square(square, symmetry)));
            });
            CHECK(std::popcount(turned) == std::popcount(own));
            CHECK(moves(turned, symmetric(other, symmetry)) ==
                  symmetric(moves(own, other), symmetry));
            CHECK(neighbours(turned) == symmetric(neighbours(own), symmetry));
        }
    }
    CHECK(neighbours(bit_of(0)) == (bit_of(1) | bit_of(8) | bit_of(9)));
    CHECK(neighbours(bit_of(63)) == (bit_of(62) | bit_of(55) | bit_of(54)));
}

// Perft by playing every move.
uint64_t played_paths(const Position& position, int depth) {
    if (depth == 0 || position.is_over()) return 1;
    uint64_t count = 0;
    position.for_each_action(
        [&](Action action) { count += played_paths(position.after(action), depth - 1); });
    return count;
}

void test_perft(SplitMix64& rng) {
    const uint64_t expected[] = {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216};
    for (int depth = 0; depth <= 8; ++depth) {
        CHECK(perft({}, depth) == expected[depth]);
        CHECK(perft({}, depth, 1) == expected[depth]);
    }
    for (int i = 0; i < 20; ++i) {  // near the end, where there are passes and finished games
        Position position;
        const int left = 2 + static_cast<int>(rng.below(7));
        while (!position.is_over() && std::popcount(position.empty()) > left) {
            std::vector<Action> actions;
            position.for_each_action([&](Action action) { actions.push_back(action); });
            position.play(actions[rng.below(static_cast<uint32_t>(actions.size()))]);
        }
        for (const int depth : {1, 3, 6}) {
            const uint64_t count = played_paths(position, depth);
            CHECK_IN(perft(position, depth) == count, format_position(position));
            CHECK_IN(perft(position, depth, 1) == count, format_position(position));
        }
    }
}

void test_endings() {
    const auto filled = [](const std::string& squares) {
        return parse_position(squares + std::string(64 - squares.size(), '-') + " X");
    };
    const Position wiped = filled("XXX");
    CHECK(wiped.end_reason() == EndReason::kWipeOut);
    CHECK(wiped.score() == 64);
    const Position stuck = filled("XX-OO");
    CHECK(stuck.end_reason() == EndReason::kNoMoves);
    CHECK(stuck.score() == 0);
    const Position full = parse_position(std::string(40, 'X') + std::string(24, 'O') + " O");
    CHECK(full.end_reason() == EndReason::kFullBoard);
    CHECK(full.score() == -16);
    const Position passing = filled("OX-");  // black has no move, white has c1
    CHECK(passing.is_legal(kPass) && !passing.is_over());
    CHECK(passing.after(kPass).is_legal(2));
}

// The part of a NotationError after the quoted text, or nothing.
std::string refusal(const std::string& text) {
    try {
        parse_position(text);
    } catch (const NotationError& error) {
        const std::string what = error.what();
        return what.substr(what.rfind("': ") + 3);
    }
    return "";
}

void test_text() {
    CHECK(format_position({}) ==
          "---------------------------OX------XO--------------------------- X");
    CHECK(refusal("X") ==
          "expected 64 squares (or 36 or 16) and the side to move, got 1 characters");
    CHECK(refusal(std::string(65, '-')) == "expected 'X' or 'O' to move after the squares");
    CHECK(refusal(std::string(70, 'X')) ==
          "expected 64 squares (or 36 or 16) and the side to move, got 70 characters");
    CHECK(refusal("?") == "expected squares '-', 'X' and 'O', got '?'");
    for (int action = 0; action < kActions; ++action)
        CHECK(parse_action(format_action(static_cast<Action>(action))) == action);
    CHECK(parse_action("F5") == 37 && parse_action("--") == kPass && parse_action("PA") == kPass);
    for (const char* text : {"", "a", "i1", "a9", "a0", "a1 ", "passe"}) {
        bool refused = false;
        try {
            parse_action(text);
        } catch (const NotationError&) {
            refused = true;
        }
        CHECK_IN(refused, text);
    }
}

}  // namespace
}  // namespace plyground::reversi

int main() {
    using namespace plyground;
    using namespace plyground::reversi;
    SplitMix64 rng{test::seed()};
    test_random_boards(rng);
    test_random_games(rng);
    test_symmetries(rng);
    test_perft(rng);
    test_endings();
    test_text();
    return test::report();
}
