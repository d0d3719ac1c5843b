// Discs that can never be turned over again, which bound what is left to win in Reversi.
#pragma once

#include "games/reversi_board.h"

namespace plyground::reversi {

// Discs of `own` that are stable for certain; there may be more.
Squares stable_discs(Squares own, Squares other);

}  // namespace plyground::reversi
