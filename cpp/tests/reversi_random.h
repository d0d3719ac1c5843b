// Random Reversi positions for tests.
#pragma once

#include <string>

#include "base/rng.h"
#include "games/reversi.h"

namespace plyground::test {

inline reversi::Action random_action(const reversi::Position& position, SplitMix64& rng) {
    reversi::Squares moves = position.moves();
    if (!moves) return reversi::kPass;
    for (uint32_t skip = rng.below(std::popcount(moves)); skip > 0; --skip)
        moves &= moves - 1;
    return static_cast<reversi::Action>(reversi::first_square(moves));
}

// Plays a random game until it ends or has at most `empty_count` empty squares.
inline reversi::Position random_position(int empty_count, SplitMix64& rng,
                                         int size = reversi::kSize) {
    reversi::Position position = reversi::Position::start(size);
    while (!position.is_over() && std::popcount(position.empty()) > empty_count)
        position.play(random_action(position, rng));
    return position;
}

inline std::string describe(const reversi::Position& position) {
    return "own " + std::to_string(position.own) + " other " + std::to_string(position.other);
}

}  // namespace plyground::test
