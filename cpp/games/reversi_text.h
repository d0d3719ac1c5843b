// Reversi in text: notation of moves, the one-line position, the drawn board, and why a move is not
// legal. Columns are a-h from the left, rows 1-8 from the top; X is black, O is white.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "games/reversi.h"

namespace plyground::reversi {

std::string format_action(Action action);
// Reads a square of a board like "f5" or a pass ("pass", "pa", "ps", "--", "@@"); case does not
// matter. Throws NotationError.
Action parse_action(std::string_view text, int size = kSize);

// One line, 64 squares from a1 to h8 and the side to move, as game files have it:
// "---------------------------OX------XO--------------------------- X". Parsing takes any white
// space between the squares, "-" or "." for an empty one, "X" or "*" for black, "O" for white, in
// either case. Boards of 6x6 and 4x4 have 36 and 16 squares.
std::string format_position(const Position& position);
Position parse_position(std::string_view text);

// Several lines, row 1 at the top, with coordinates, whose turn it is and the discs.
std::string draw(const Position& position);

// The rule that forbids the action, as the end of a sentence; nothing when it is legal.
std::optional<std::string> why_illegal(const Position& position, Action action);
// Throw the IllegalMoveError that quotes the move and the position.
void require_legal(const Position& position, Action action);

}  // namespace plyground::reversi
