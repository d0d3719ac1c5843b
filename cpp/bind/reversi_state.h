// The value behind Python's ReversiState; included by every binding that takes a state.
#pragma once

#include <string>

#include "base/error.h"
#include "games/reversi.h"

namespace plyground {

// An immutable value: a position.
struct ReversiState {
    reversi::Position position;
};

// The position, for a searcher or network that knows the board of 8x8 only; `what` names it.
inline const reversi::Position& on_full_board(const ReversiState& state, const char* what) {
    const int size = state.position.size;
    if (size != reversi::kSize) {
        const std::string board = std::to_string(size) + "x" + std::to_string(size);
        throw ConfigError(std::string(what) + " on 8x8 only, got a board of " + board);
    }
    return state.position;
}

}  // namespace plyground
