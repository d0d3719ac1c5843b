// Quoridor's textbook searches: alpha-beta agrees with minimax, and full width means every legal
// move. tests/search/test_textbook.py compares the values with plain Python.
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/rng.h"
#include "check.h"
#include "games/quoridor.h"
#include "games/quoridor_perft.h"
#include "games/quoridor_text.h"
#include "search/quoridor_textbook.h"

namespace plyground::quoridor {
namespace {

constexpr std::array kOrders{WallOrder::kNearest, WallOrder::kCorridor, WallOrder::kCutting};

void never() {}

Position random_position(int size, SplitMix64& rng) {
    const Rules rules{static_cast<uint8_t>(size),
                      static_cast<uint8_t>(rng.below((size - 1) * (size - 1) + 1)), 60, 20};
    while (true) {
        Position position = Position::start(rules);
        for (uint32_t left = rng.below(40); left > 0 && !position.is_over(); --left) {
            std::vector<Action> moves;
            position.legal_moves().for_each([&](Action action) { moves.push_back(action); });
            position.play(moves[rng.below(static_cast<uint32_t>(moves.size()))]);
        }
        if (!position.is_over()) return position;
    }
}

TextbookOptions random_options(SplitMix64& rng) {
    TextbookOptions options;
    options.path_weight = static_cast<double>(rng.below(13));
    options.progress_weight = static_cast<double>(rng.below(4)) / 2 - 0.5;
    options.wall_weight = static_cast<double>(rng.below(3));
    options.wall_order = kOrders[rng.below(kOrders.size())];
    if (rng.below(2)) options.max_wall_moves = static_cast<int>(rng.below(10));
    return options;
}

void test_alphabeta_is_minimax(SplitMix64& rng) {
    for (int size = kMinSize; size <= kMaxSize; ++size) {
        for (int i = 0; i < 30; ++i) {
            const Position position = random_position(size, rng);
            const TextbookOptions options = random_options(rng);
            const bool narrow = size <= 4 || options.max_wall_moves < 10;
            const int depth = 1 + static_cast<int>(rng.below(narrow ? 3 : 2));
            const std::string where = format_position(position) + " depth " + std::to_string(depth);
            const TextbookReport full = minimax(position, depth, options, never);
            const TextbookReport pruned = alphabeta(position, depth, options, never);
            CHECK_IN(pruned.score == full.score, where);
            CHECK_IN(pruned.best_move == full.best_move, where);
            CHECK_IN(pruned.pv == full.pv, where);
            CHECK_IN(pruned.nodes <= full.nodes, where);
            CHECK_IN(pruned.first_move_cutoffs <= pruned.cutoffs, where);
            CHECK_IN(full.cutoffs == 0, where);
            Position line = position;
            for (const int move : full.pv) {
                CHECK_IN(line.is_legal(static_cast<Action>(move)), where);
                line.play(static_cast<Action>(move));
            }
            CHECK_IN(line.is_over() || static_cast<int>(full.pv.size()) == depth, where);
        }
    }
}

// Without a limit of walls, each order tries exactly the legal moves.
void test_full_width_is_perft(SplitMix64& rng) {
    for (int size = kMinSize; size <= kMaxSize; ++size) {
        for (int i = 0; i < 12; ++i) {
            const Position position = random_position(size, rng);
            uint64_t positions = 0;
            for (int depth = 0; depth <= 2; ++depth)
                positions += perft(position, depth);
            for (const WallOrder order : kOrders) {
                TextbookOptions options;
                options.wall_order = order;
                CHECK_IN(minimax(position, 2, options, never).nodes == positions,
                         format_position(position));
            }
        }
    }
}

void test_poll_ends_the_search() {
    const Position start = Position::start({});
    int polls = 0;
    bool ended = false;
    try {
        alphabeta(start, kMaxTextbookDepth, {}, [&] {
            if (++polls == 2) throw std::runtime_error("enough");
        });
    } catch (const std::runtime_error&) {
        ended = true;
    }
    CHECK(ended && polls == 2);
}

}  // namespace
}  // namespace plyground::quoridor

int main() {
    using namespace plyground;
    using namespace plyground::quoridor;
    SplitMix64 rng{test::seed()};
    test_alphabeta_is_minimax(rng);
    test_full_width_is_perft(rng);
    test_poll_ends_the_search();
    return test::report();
}
