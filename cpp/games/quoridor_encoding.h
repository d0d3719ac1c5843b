// A position as the planes a network reads, always seen by the player to move.
#pragma once

#include "games/quoridor.h"

namespace plyground::quoridor {

// The same move seen from the other end of the board (rows turned, columns kept) or in the
// left-right mirror. Both undo themselves.
Action flip(Action action, int size);
Action mirror(Action action, int size);

inline constexpr int kPlanesPerFrame = 4;  // my pawn, opponent's pawn, horizontal, vertical walls
inline constexpr int kScalars = 5;

// Fills `planes` [4 * frames, n, n] and `scalars` [5]. Frame 0 is now, frame k the position k moves
// ago, zero where history does not reach. For player 2 the board is flipped and the players swap.
void encode(const Position& position, const History& history, int frames, float* planes,
            float* scalars);
// The scalars alone.
void encode_scalars(const Position& position, float* scalars);

}  // namespace plyground::quoridor
