// The endgame solver with several threads. A thread that has searched the first move of a position
// offers the others to threads without work (young brothers wait: Feldmann 1993). While it waits
// for them to finish, it helps them. With one thread the search is that of EndgameSolver.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

#include "search/reversi_endgame.h"

namespace plyground::reversi {

// A position whose moves several threads search. The team's lock guards what changes.
struct EndgameSplit {
    EndgameSolver::Moves& moves;
    int next;  // index of the next move to search
    int alpha;
    const int beta;
    int best;
    int best_move;
    const int level;
    EndgameSplit* const parent;  // the split that its owner worked for
    int helpers = 0;
    std::atomic<bool> is_cut = false;  // a move reached beta: the others do not matter

    bool has_work() const { return next < moves.size && !is_cut; }
    bool is_below(const EndgameSplit* ancestor) const;
};

class EndgameTeam {
  public:
    // Whether a thread has nothing to do and is not offered any work yet.
    bool wants_work() const {
        return idle_.load(std::memory_order_relaxed) > open_count_.load(std::memory_order_relaxed);
    }
    // Whether the results of this split are no longer needed.
    bool is_cancelled(const EndgameSplit* split) const;
    void stop() { stopped_ = true; }

    void add(EndgameSolver& solver) { solver.team_ = this; }
    // Offers the moves of a split to the other threads.
    void open(EndgameSplit& split);
    // Withdraws the offer and waits for its helpers.
    void close(EndgameSplit& split, EndgameSolver& owner);
    // Takes the next move of a split; false if there is none.
    bool take(EndgameSplit& split, EndgameSolver::Move& move, int& alpha);
    void finish(EndgameSplit& split, int square, int score);

    // Works on the splits of others until `dismiss`.
    void help_others(EndgameSolver& solver);
    void dismiss();

  private:
    bool help_one(EndgameSolver& solver, const EndgameSplit* ancestor,
                  std::unique_lock<std::mutex>& lock);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<EndgameSplit*> open_;
    std::atomic<int> open_count_ = 0;
    std::atomic<int> idle_ = 0;
    std::atomic<bool> stopped_ = false;
    bool is_dismissed_ = false;
};

struct EndgameTask {
    Squares own, other;
    int alpha, beta;
    int guess = 0;
};

// Solves a position, with selective passes first. `poll` is called by the first thread, with its
// statistics; it returns false to stop the search. `stats` is set to the sums over all threads.
EndgameReport solve_with_threads(Table& table, const Patterns* patterns, int threads,
                                 const EndgameTask& task,
                                 const std::function<bool(const SearchStats&)>& poll,
                                 SearchStats& stats);

}  // namespace plyground::reversi
