// The input of a convolutional network, packed into few bytes. Where the network runs,
// `nets/features.py` expands them to planes; the layout below is the format between the two.
//
// Everything is seen by the player to move, who always runs north: for player 2 the rows are
// flipped. The canvas is 9x9 for every board size; a smaller board lies in its corner at row 0,
// column 0 of that view. Planes are indexed by cell 9 * row + col.
//
//     14 bit planes of 11 bytes, bit i % 8 of byte i / 8 is cell i
//         0       on the board
//         1, 2    my pawn, the opponent's
//         3-6     edge closed, by wall or rim, to the north, south, east, west
//         7, 8    horizontal, vertical walls; slot (r, c) at cell (r, c)
//         9, 10   horizontal, vertical walls I may place
//         11      cells my pawn may move to
//         12, 13  cells on some shortest path of mine, of the opponent's
//     4 byte planes of 81 bytes, pawns ignored; 255: out of reach or off the board
//         14, 15  steps to my goal, to the opponent's
//         16, 17  steps from my pawn, from the opponent's
//     8 bytes
//         my walls left, the opponent's; my path's length, the opponent's; plies until the draw by
//         the move limit and by no progress, at most 255; board size; walls at the start
//     2 bytes of zeros, so that rows are a multiple of 8 bytes
//
// A network that reads the history of the game has another layout, for 1 to 8 frames. Frame 0 is
// the position, frame k that of k moves ago, as `encode` (quoridor_encoding.h) shows them:
//
//     4 bit planes for each frame, zeros if the history is shorter
//         my pawn, the opponent's; horizontal, vertical walls, each at both cells that it spans
//     3 bit planes
//         horizontal, vertical walls I may place; cells my pawn may move to
//     5 scalars as fractions: numerator and denominator, 2 bytes each, the low byte first
//     1 byte: board size
//     zeros, so that rows are a multiple of 8 bytes
#pragma once

#include <array>
#include <cstdint>

#include "games/quoridor.h"

namespace plyground::quoridor {

inline constexpr int kBitPlanes = 14;
inline constexpr int kBitPlaneBytes = 11;
inline constexpr int kBytePlanes = 4;
inline constexpr int kFeatureScalars = 8;
inline constexpr int kFeatureBytes = 488;
static_assert(kBitPlanes * kBitPlaneBytes + kBytePlanes * kCells + kFeatureScalars + 2 ==
              kFeatureBytes);

inline constexpr int kMostFrames = 8;
inline constexpr int kPlanesOfFrame = 4;
inline constexpr int kFractions = 5;
constexpr int history_feature_bytes(int frames) {
    const int planes = kPlanesOfFrame * frames + 3;
    return (planes * kBitPlaneBytes + 4 * kFractions + 1 + 7) / 8 * 8;
}
static_assert(history_feature_bytes(kMostFrames) <= kFeatureBytes);

// The position flipped if needed, so that the player to move is player 0. Its key is not updated,
// so it must not be searched.
Position seen_by_mover(const Position& position);

// Results of `pack_features` that the tree search needs too.
struct SeenMoves {
    LegalMoves legal;             // in the mover's view
    std::array<uint8_t, 2> path;  // lengths: mine, the opponent's
};

// Writes the kFeatureBytes bytes of a position that `seen_by_mover` returned.
SeenMoves pack_features(const Position& seen, uint8_t* out);

// Writes the history_feature_bytes(frames) bytes of a position with the moves before it, and
// returns the legal moves in the mover's view.
LegalMoves pack_history_features(const Position& position, const History& history, int frames,
                                 uint8_t* out);

}  // namespace plyground::quoridor
