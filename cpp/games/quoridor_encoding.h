// The network input as float planes, from the point of view of the player to move.
#pragma once

#include "games/quoridor.h"

namespace plyground::quoridor {

// The same move seen from the other end of the board (rows reversed, columns unchanged) or in the
// left-right mirror. Each is its own inverse.
Action flip(Action action, int size);
Action mirror(Action action, int size);

inline constexpr int kPlanesPerFrame = 4;  // my pawn, opponent's pawn, horizontal, vertical walls
inline constexpr int kScalars = 5;

// Fills `planes` [4 * frames, n, n] and `scalars` [5]. Frame 0 is the position, frame k that of k
// moves ago, or zeros if the history is shorter. For player 2 the board is flipped.
void encode(const Position& position, const History& history, int frames, float* planes,
            float* scalars);
// Fills only the scalars.
void encode_scalars(const Position& position, float* scalars);

}  // namespace plyground::quoridor
