// Reversi's state as Python holds it; every binding that takes a state includes this.
#pragma once

#include "games/reversi.h"

namespace plyground {

// An immutable value: nothing but the position.
struct ReversiState {
    reversi::Position position;
};

}  // namespace plyground
