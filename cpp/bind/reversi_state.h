// The value behind Python's ReversiState; included by every binding that takes a state.
#pragma once

#include "games/reversi.h"

namespace plyground {

// An immutable value: a position.
struct ReversiState {
    reversi::Position position;
};

}  // namespace plyground
