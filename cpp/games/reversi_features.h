// The input of a convolutional network, packed into few bytes. Where the network runs,
// `nets/reversi_encoding.py` expands them to planes; the layout below is the format between the
// two.
//
// Everything is from the point of view of the player to move: the board is never flipped, only the
// colours are.
//
//     6 bit planes of 8 bytes, bit i % 8 of byte i / 8 is square i
//         0, 1    my discs, the opponent's
//         2       empty squares
//         3, 4    squares I may play on, and those the opponent could if it were to move
//         5       empty squares in regions of odd size, where the first player to move also moves
//                 last
//     2 bytes
//         empty squares; 1 if there is no move but to pass
//     6 bytes of zeros, so that rows are a multiple of 8 bytes
#pragma once

#include <cstdint>

#include "games/reversi.h"

namespace plyground::reversi {

inline constexpr int kBitPlanes = 6;
inline constexpr int kFeatureBytes = 56;

// The squares of a set that lie in connected regions (in all eight directions) of odd size.
Squares odd_regions(Squares set);

// Writes the kFeatureBytes bytes of a position; returns the legal squares of the side to move.
Squares pack_features(const Position& position, uint8_t* out);

}  // namespace plyground::reversi
