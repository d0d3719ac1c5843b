// Reversi's endgame solver: the score with perfect play, and the moves that lead to it.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "games/reversi.h"
#include "search/limits.h"
#include "search/tt.h"

namespace plyground::reversi {

// The table key of a position; the same for either colour to move.
inline uint64_t board_key(Squares own, Squares other) {
    const uint64_t mixed = (own ^ 0x9e3779b97f4a7c15ULL) * 0xff51afd7ed558ccdULL;
    const uint64_t both = (mixed ^ mixed >> 32 ^ other) * 0xc4ceb9fe1a85ec53ULL;
    return both ^ both >> 29;
}

// Keeps positions of boards of different sizes apart: the key of a position is XORed with it.
constexpr uint64_t board_salt(int size) {
    return size == kSize ? 0 : mix64(static_cast<uint64_t>(size));
}

class Patterns;
class EndgameTeam;
struct EndgameSplit;

struct EndgameReport {
    int score = 0;        // discs, for the side to move
    std::vector<int> pv;  // to the end of the game; one move if the score is a bound
    bool finished = false;
};

// The size of table that a position with this number of empty squares makes use of.
size_t useful_table_mb(int empty_count);

class EndgameSolver {
  public:
    // Results are stored in the table, under keys that differ from the midgame's. The patterns, if
    // any, help to order the moves when many squares are empty.
    explicit EndgameSolver(Table& table, const Patterns* patterns = nullptr);

    const Patterns* patterns() const { return patterns_; }

    // Called with the node count about every thousand nodes; returns false to stop the search.
    std::function<bool(uint64_t)> poll;
    // Varies the move order, so that threads that solve the same position do different work.
    int thread = 0;
    // Before the exact search, selective ones guess the score and the best moves. Needs patterns.
    bool guesses_first = false;

    // The score of a position for `own`, the side to move: exact inside (alpha, beta), else a
    // bound. The window (-1, 1) tells win, draw or loss only. Good guesses of the score and the
    // best move shorten the search; bad ones cost time but do not change the result. If the search
    // is stopped, it reports a move only if it proved one to be better than the guess.
    EndgameReport solve(Squares own, Squares other, int alpha, int beta, int guess = 0,
                        int first_move = -1);
    // The same for use inside another search: the score only, or 0 if it was stopped.
    int score(Squares own, Squares other, int alpha, int beta) {
        return search(own, other, alpha, beta, false);
    }

    const SearchStats& stats() const { return stats_; }
    void reset() {
        stats_ = {};
        stopped_ = false;
        next_poll_ = 0;
    }

    struct Move {
        Squares own, other;  // after the move, for the side to move then
        uint64_t key;        // 0 if the table is not probed
        int16_t order;
        uint8_t square;
    };
    struct Moves {
        std::array<Move, kSquares> of;
        int size = 0;

        // Moves the best of the moves from this index on to it.
        Move& pick(int from);
    };

  private:
    friend class EndgameTeam;

    // The last result with its key in a slot.
    struct Recent {
        Squares own = 0, other = 0;
        TableEntry entry;

        bool finds(Squares own_discs, Squares other_discs, TableEntry& found) const {
            if (own != own_discs || other != other_discs) return false;
            found = entry;
            return true;
        }
    };

    int search(Squares own, Squares other, int alpha, int beta, bool passed);
    int search_shallow(Squares own, Squares other, int alpha, int beta, bool passed);
    void generate(Squares own, Squares other, Squares squares, int table_move, int alpha,
                  Moves& moves);
    int order_of(const Move& move, Squares odd, int empty_count) const;
    std::optional<int> likely_bound(Squares own, Squares other, int alpha);
    int search_moves(Moves& moves, int alpha, int beta, int empty_count, int& best_move);
    int search_move(const Move& move, int alpha, int beta, bool is_first);
    int search_root(Squares own, Squares other, int alpha, int beta, int first, int& best_move);
    void search_windows(Squares own, Squares other, int alpha, int beta, int guess, int first_move,
                        EndgameReport& report);
    std::vector<int> line(Squares own, Squares other, int score);
    void check_limits();

    // With other threads (reversi_parallel_endgame.cpp).
    int share_moves(Moves& moves, int next, int alpha, int beta, int best, int& best_move);
    void work_on(EndgameSplit& split);
    void help(EndgameSplit& split);

    Table& table_;
    const Patterns* patterns_;
    std::vector<Recent> recent_;
    SearchStats stats_;
    uint64_t next_poll_ = 0;
    bool stopped_ = false;
    int level_ = 0;  // of selectivity; 0 is exact
    EndgameTeam* team_ = nullptr;
    EndgameSplit* split_ = nullptr;  // the innermost one that this thread works for
};

}  // namespace plyground::reversi
