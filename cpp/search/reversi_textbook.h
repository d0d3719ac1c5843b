// Reversi for the textbook searches, with the classic evaluation.
#pragma once

#include <functional>

#include "games/reversi.h"
#include "search/reversi_classic.h"
#include "search/textbook.h"

namespace plyground::reversi {

// Searches a position that is not over, for the side to move, to a depth of 1 or more. A pass is a
// ply. Moves are tried by the kind of their square, corners first, then by number.
TextbookReport minimax(const Position& root, int depth, const ClassicEvaluator& evaluator,
                       std::function<void()> poll);
TextbookReport alphabeta(const Position& root, int depth, const ClassicEvaluator& evaluator,
                         std::function<void()> poll);

}  // namespace plyground::reversi
