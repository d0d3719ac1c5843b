// The endgame solver with several threads: they solve the same position, share the table, and order
// their moves a little differently, so that each finds results the others need (lazy SMP). The
// first to finish stops the others. With one thread the search is that of EndgameSolver.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "search/reversi_endgame.h"

namespace plyground::reversi {

struct EndgameTask {
    Squares own, other;
    int alpha, beta;
    int guess = 0;
};

// `poll` is called by the first thread, with its statistics; it returns false to stop the search.
// `stats` is set to the sums over all threads.
inline EndgameReport solve_with_threads(Table& table, const Patterns* patterns, int threads,
                                        const EndgameTask& task,
                                        const std::function<bool(const SearchStats&)>& poll,
                                        SearchStats& stats) {
    std::atomic<bool> stop = false;
    std::mutex mutex;
    EndgameReport best;
    const auto work = [&](int thread) {
        EndgameSolver solver(table, patterns);
        solver.thread = thread;
        solver.poll = [&](uint64_t) {
            if (stop.load(std::memory_order_relaxed)) return false;
            return thread > 0 || poll(solver.stats());
        };
        EndgameReport report =
            solver.solve(task.own, task.other, task.alpha, task.beta, task.guess);
        stop.store(true, std::memory_order_relaxed);
        const std::lock_guard lock(mutex);
        stats.nodes += solver.stats().nodes;
        stats.cutoffs += solver.stats().cutoffs;
        stats.first_move_cutoffs += solver.stats().first_move_cutoffs;
        stats.table_probes += solver.stats().table_probes;
        stats.table_hits += solver.stats().table_hits;
        // A thread that was stopped may know the score, but not yet the whole variation.
        const bool is_better = report.finished && report.pv.size() > best.pv.size();
        if (is_better || !best.finished) best = std::move(report);
    };
    stats = {};
    std::vector<std::thread> others;
    for (int thread = 1; thread < threads; ++thread)
        others.emplace_back(work, thread);
    work(0);
    for (std::thread& other : others)
        other.join();
    return best;
}

}  // namespace plyground::reversi
