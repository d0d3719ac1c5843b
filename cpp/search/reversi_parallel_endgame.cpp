#include "search/reversi_parallel_endgame.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "base/thread_team.h"
#include "search/reversi_last.h"

namespace plyground::reversi {
namespace {

// A waiting first thread looks at the limits this often.
constexpr std::chrono::milliseconds kPollInterval{20};

}  // namespace

bool EndgameSplit::is_below(const EndgameSplit* ancestor) const {
    const EndgameSplit* split = this;
    while (split && split != ancestor)
        split = split->parent;
    return split == ancestor;
}

bool EndgameTeam::is_cancelled(const EndgameSplit* split) const {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    for (; split; split = split->parent) {
        if (split->is_cut.load(std::memory_order_relaxed)) return true;
    }
    return false;
}

void EndgameTeam::open(EndgameSplit& split) {
    {
        const std::lock_guard lock(mutex_);
        open_.push_back(&split);
        ++open_count_;
    }
    changed_.notify_all();
}

void EndgameTeam::close(EndgameSplit& split, EndgameSolver& owner) {
    std::unique_lock lock(mutex_);
    std::erase(open_, &split);
    --open_count_;
    ++idle_;
    while (split.helpers > 0) {
        if (help_one(owner, &split, lock)) continue;
        if (!owner.poll) {
            changed_.wait(lock);
        } else if (changed_.wait_for(lock, kPollInterval) == std::cv_status::timeout) {
            lock.unlock();
            owner.check_limits();
            lock.lock();
        }
    }
    --idle_;
}

bool EndgameTeam::take(EndgameSplit& split, EndgameSolver::Move& move, int& alpha) {
    const std::lock_guard lock(mutex_);
    if (!split.has_work()) return false;
    move = split.moves.pick(split.next++);
    alpha = split.alpha;
    return true;
}

void EndgameTeam::finish(EndgameSplit& split, int square, int score) {
    const std::lock_guard lock(mutex_);
    if (score <= split.best) return;
    split.best = score;
    split.best_move = square;
    split.alpha = std::max(split.alpha, score);
    if (score >= split.beta) split.is_cut = true;
}

// Helps with an open split below `ancestor` (with any if it is null); false if there is none.
bool EndgameTeam::help_one(EndgameSolver& solver, const EndgameSplit* ancestor,
                           std::unique_lock<std::mutex>& lock) {
    const auto found = std::find_if(open_.begin(), open_.end(), [&](const EndgameSplit* split) {
        return split->has_work() && split->is_below(ancestor);
    });
    if (found == open_.end()) return false;
    EndgameSplit& split = **found;
    ++split.helpers;
    --idle_;
    lock.unlock();
    solver.help(split);
    lock.lock();
    ++idle_;
    if (--split.helpers == 0) changed_.notify_all();
    return true;
}

void EndgameTeam::help_others(EndgameSolver& solver) {
    std::unique_lock lock(mutex_);
    ++idle_;
    while (!is_dismissed_) {
        if (!help_one(solver, nullptr, lock)) changed_.wait(lock);
    }
    --idle_;
}

void EndgameTeam::dismiss() {
    {
        const std::lock_guard lock(mutex_);
        is_dismissed_ = true;
    }
    changed_.notify_all();
}

int EndgameSolver::share_moves(Moves& moves, int next, int alpha, int beta, int best,
                               int& best_move) {
    EndgameSplit split{moves, next, alpha, beta, best, best_move, level_, split_};
    team_->open(split);
    split_ = &split;
    work_on(split);
    team_->close(split, *this);
    split_ = split.parent;
    stopped_ = team_->is_cancelled(split_);
    stats_.cutoffs += split.best >= beta;
    best_move = split.best_move;
    return split.best;
}

void EndgameSolver::work_on(EndgameSplit& split) {
    Move move;
    int alpha = 0;
    while (team_->take(split, move, alpha)) {
        const int score = search_move(move, alpha, split.beta, false);
        if (stopped_) return;
        team_->finish(split, move.square, score);
    }
}

// Works on a split of another thread. What this thread does itself, it resumes afterwards.
void EndgameSolver::help(EndgameSplit& split) {
    EndgameSplit* const own_split = split_;
    const int own_level = level_;
    split_ = &split;
    level_ = split.level;
    stopped_ = false;
    work_on(split);
    split_ = own_split;
    level_ = own_level;
    stopped_ = false;  // an owner that waits finds out for itself whether to go on
}

EndgameReport solve_with_threads(Table& table, const Patterns* patterns, int threads,
                                 const EndgameTask& task,
                                 const std::function<bool(const SearchStats&)>& poll,
                                 SearchStats& stats) {
    EndgameTeam team;
    EndgameSolver first(table, patterns);
    first.guesses_first = true;
    first.poll = [&](uint64_t) { return poll(first.stats()); };
    std::vector<std::unique_ptr<EndgameSolver>> helpers;
    ThreadTeam running([&] { team.dismiss(); });
    for (int thread = 1; thread < threads; ++thread) {
        EndgameSolver& helper =
            *helpers.emplace_back(std::make_unique<EndgameSolver>(table, patterns));
        team.add(helper);
        running.start([&team, &helper] { team.help_others(helper); });
    }
    if (threads > 1) team.add(first);
    EndgameReport report = first.solve(task.own, task.other, task.alpha, task.beta, task.guess);
    running.join();
    stats = first.stats();
    for (const auto& helper : helpers)
        stats += helper->stats();
    return report;
}

}  // namespace plyground::reversi
