// The exact end of a game of Reversi: the score with perfect play, and how to get it.
#pragma once

#include <functional>
#include <vector>

#include "games/reversi.h"
#include "search/limits.h"
#include "search/tt.h"

namespace plyground::reversi {

// Names a position in a table, whichever colour is to move.
inline uint64_t board_key(Squares own, Squares other) {
    const uint64_t mixed = (own ^ 0x9e3779b97f4a7c15ULL) * 0xff51afd7ed558ccdULL;
    const uint64_t both = (mixed ^ mixed >> 32 ^ other) * 0xc4ceb9fe1a85ec53ULL;
    return both ^ both >> 29;
}

class Patterns;

struct EndgameReport {
    int score = 0;        // discs, for the side to move
    std::vector<int> pv;  // to the end of the game; one move if the score is a bound
    bool finished = false;
};

class EndgameSolver {
  public:
    // Results are kept in the table, under keys of their own: midgame entries do not meet them. The
    // patterns, where there are any, order the moves far from the end.
    explicit EndgameSolver(Table& table, const Patterns* patterns = nullptr)
        : table_(table), patterns_(patterns) {}

    // Called with the nodes so far every thousand of them or so; false ends the search.
    std::function<bool(uint64_t)> poll;
    // Threads that solve the same position on one table help each other if they differ a little.
    int thread = 0;

    // The score of a position for `own`, who is to move: exact inside (alpha, beta), else a bound
    // on the side it fell out at. (-1, 1) asks for no more than win, draw or loss. Guesses of the
    // score and the move make the search shorter when they are good, and no wrong when they are
    // not. If it is stopped, it reports a move if it has proven one to be better than the guess.
    EndgameReport solve(Squares own, Squares other, int alpha, int beta, int guess = 0,
                        int first_move = -1);
    // The same inside another search: the score alone. 0 if it was stopped.
    int score(Squares own, Squares other, int alpha, int beta) {
        return search(own, other, alpha, beta, false);
    }

    const SearchStats& stats() const { return stats_; }
    void reset() {
        stats_ = {};
        stopped_ = false;
        next_poll_ = 0;
    }

  private:
    struct Move {
        Squares own, other;  // after the move, for the side to move then
        uint64_t key;        // 0 where the table is not asked
        int16_t order;
        uint8_t square;
    };
    struct Moves {
        std::array<Move, kSquares> of;
        int size = 0;

        Move& pick(int from);
    };

    int search(Squares own, Squares other, int alpha, int beta, bool passed);
    int search_shallow(Squares own, Squares other, int alpha, int beta, bool passed);
    void generate(Squares own, Squares other, Squares squares, int table_move, Moves& moves) const;
    int order_of(const Move& move, Squares odd, int empty_count) const;
    int search_root(Squares own, Squares other, int alpha, int beta, int first, int& best_move);
    std::vector<int> line(Squares own, Squares other, int score);
    void check_limits();

    Table& table_;
    const Patterns* patterns_;
    SearchStats stats_;
    uint64_t next_poll_ = 0;
    bool stopped_ = false;
};

}  // namespace plyground::reversi
