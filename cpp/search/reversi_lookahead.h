// A search of a few plies with Reversi's pattern evaluation. The endgame solver orders its moves by
// it and guesses results with it.
#pragma once

#include <cstdint>

#include "games/reversi_board.h"
#include "search/limits.h"
#include "search/reversi_patterns.h"

namespace plyground::reversi {

class Lookahead {
  public:
    explicit Lookahead(const Patterns& patterns) : patterns_(patterns) {}

    // The estimate for `own`, the side to move, in hundredths of a disc: inside (alpha, beta) that
    // of a full-width search, else a bound. Adds the positions searched to `nodes`.
    Score search(Squares own, Squares other, const PatternView& view, int depth, Score alpha,
                 Score beta, uint64_t& nodes) const;

  private:
    const Patterns& patterns_;
};

}  // namespace plyground::reversi
