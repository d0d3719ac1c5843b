// Quoridor in text: notation of cells and moves, the one-line position, the drawn board, and why a
// move is not legal. Columns are a.. from the west, rows 1.. from player 1's side.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "games/quoridor.h"

namespace plyground::quoridor {

std::string format_cell(int cell);
std::string format_action(Action action);
// Read a cell like "e2" or an action like "e2", "e3h", "d4v"; case does not matter. What lies off a
// board of this size cannot be read. Throw NotationError.
int parse_cell(std::string_view text, int size);
Action parse_action(std::string_view text, int size);

// One line, "<n> <p1>/<p2> <walls or -> <left1>/<left2> <to move> <move_count> <since_wall>", which
// reads back exactly. Parsing takes any white space between the fields, and the limits from
// `rules`, whose size must be the text's.
std::string format_position(const Position& position);
Position parse_position(std::string_view text, const Rules& rules);
// The board size that a position's text begins with, so that the caller can choose its rules.
int parse_position_size(std::string_view text);

// Several lines, north at the top, with coordinates and whose turn it is.
std::string draw(const Position& position);

// The rule that forbids the action, as the end of a sentence; nothing when it is legal.
std::optional<std::string> why_illegal(const Position& position, Action action);
// The same for a move that is not on the board at all.
std::string why_off_board(const Position& position, bool wall);
// Throws the IllegalMoveError that quotes the move and the position.
[[noreturn]] void illegal_move(const Position& position, std::string_view move,
                               std::string_view reason);
void require_legal(const Position& position, Action action);
// Reads a move in this position, legal or not. Throws NotationError for text that is not a move,
// and IllegalMoveError for a move off this board.
Action parse_move(std::string_view text, const Position& position);

}  // namespace plyground::quoridor
