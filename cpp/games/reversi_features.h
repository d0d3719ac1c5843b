// A position packed for a network of convolutions: few bytes, expanded to planes where the network
// runs. `nets/reversi_encoding.py` does that, and the layout below is what both agree on.
//
// Everything is seen by the player to move. The board needs no turning for that: only whose discs
// are whose depends on the player.
//
//     6 bit planes of 8 bytes, bit i % 8 of byte i / 8 is square i
//         0, 1    my discs, the opponent's
//         2       empty squares
//         3, 4    squares I may play on, and those the opponent could if it were to move
//         5       empty squares in regions of an odd number, which the player who begins there ends
//     2 bytes
//         empty squares; 1 if there is no move but to pass
//     6 bytes of zeros, so that rows are a multiple of 8 bytes
#pragma once

#include <cstdint>

#include "games/reversi.h"

namespace plyground::reversi {

inline constexpr int kBitPlanes = 6;
inline constexpr int kFeatureBytes = 56;

// The squares of a set that touch each other, in all eight directions, in groups of an odd number.
Squares odd_regions(Squares set);

// Writes the kFeatureBytes bytes of a position, and returns the squares its mover may play on.
Squares pack_features(const Position& position, uint8_t* out);

}  // namespace plyground::reversi
