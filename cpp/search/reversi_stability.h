// Stable discs, which can never be flipped again and therefore bound the score.
#pragma once

#include "games/reversi_board.h"

namespace plyground::reversi {

// Discs of `own` that are certainly stable; there may be more.
Squares stable_discs(Squares own, Squares other);

}  // namespace plyground::reversi
