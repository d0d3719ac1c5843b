// The exact solver for boards of 4x4 and 6x6: the score with perfect play, from any position.
//
// EndgameSolver knows 8x8 only: its stable edges, its last squares and its patterns are tables of
// that board. This one is plain alpha-beta with null windows and a transposition table in which
// mirror images are one position. It orders moves by the replies that they leave.
#pragma once

#include <array>
#include <functional>

#include "search/reversi_endgame.h"

namespace plyground::reversi {

class SmallBoardSolver {
  public:
    // Results are stored in the table, under keys that differ from those of other searches.
    explicit SmallBoardSolver(Table& table) : table_(table) {}

    // Called now and then; returns false to stop the search.
    std::function<bool(const SearchStats&)> poll;
    // Varies the move order, so that threads that solve the same position do different work.
    int thread = 0;

    // The score of a position for the side to move: exact inside (alpha, beta), else a bound.
    EndgameReport solve(const Position& position, int alpha, int beta);
    // The same for use inside another search: the score only, or 0 if it was stopped.
    int score(const Position& position, int alpha, int beta);

    const SearchStats& stats() const { return stats_; }
    void reset() {
        stats_ = {};
        stopped_ = false;
        next_poll_ = 0;
    }

  private:
    struct Move {
        Squares own, other;  // after the move, for the side to move then
        int order;           // higher is tried first
        uint8_t square;
    };
    struct Moves {
        std::array<Move, 32> of;
        int size = 0;

        void sort();
    };

    struct Bounds {
        int low, high;
    };

    Bounds search_windows(const Position& position, int alpha, int beta);
    // Whether the score reaches beta: a lower bound if it does, otherwise an upper bound.
    int search(Squares own, Squares other, int beta, bool passed);
    int search_last(Squares own, Squares other, Squares empty, int beta, bool passed);
    void generate(Squares own, Squares other, Squares legal, Squares first, Moves& moves) const;
    int estimate(Squares own, Squares other, int depth, int alpha, int beta) const;
    // What one side's moves and corners are worth for the ordering.
    int promise(Squares own, Squares other, Squares legal) const;
    int order_of(const Move& move, Squares odd) const;
    std::vector<int> line(Position position, int score);
    int best_action(const Position& position, int score, bool is_reached);
    void check_limits();

    Table& table_;
    int size_ = 0;
    Squares board_ = 0;
    Squares corners_ = 0;
    SearchStats stats_;
    uint64_t next_poll_ = 0;
    bool stopped_ = false;
};

}  // namespace plyground::reversi
