// One tree search on several threads that evaluate the leaves themselves.
//
// A lock guards the tree. A thread takes a few leaves, evaluates them without the lock, and adds
// the evaluations to the tree. A thread that runs into a leaf under evaluation sleeps until some
// leaf has been evaluated, as a single thread with a batch of leaves would end its batch there: any
// other move would be a worse choice (docs/experiments.md).
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/workers.h"
#include "search/gumbel.h"

namespace plyground::gumbel {

// Runs the simulations that `begin` planned, until the deadline at most. No leaf is pending then.
//
//     evaluate(thread, features, leaves, logits, values)
//
// writes a row of logits and a value for each leaf. Up to `batch` leaves are under evaluation,
// fewer in a small tree, and each thread evaluates its share of them together.
template <class Game, class Evaluate>
class ThreadedSearch {
  public:
    using Clock = std::chrono::steady_clock;

    ThreadedSearch(Tree<Game>& tree, typename Game::Exact& exact, size_t batch,
                   Clock::time_point deadline, const Evaluate& evaluate)
        : tree_(tree), exact_(exact), batch_(batch), deadline_(deadline), evaluate_(evaluate) {}

    void run(Workers& workers) {
        assert(tree_.is_evaluated() && tree_.pending() == 0);
        const auto threads = static_cast<size_t>(workers.size());
        batch_ = std::max(batch_, threads);
        share_ = batch_ / threads;
        workers.run(threads, 1, [&](int thread, size_t, size_t) { work(thread); });
    }

  private:
    void work(int thread) {
        std::vector<uint8_t> features(share_ * Game::feature_bytes(tree_.root()));
        std::vector<float> logits(share_ * Game::kActions);
        std::vector<float> values(share_);
        std::vector<size_t> leaves;
        std::unique_lock lock(mutex_);
        while (!is_over()) {
            take_leaves(features.data(), leaves);
            if (leaves.empty()) {
                wait_for_evaluation(lock);
                continue;
            }
            lock.unlock();
            evaluate_(thread, features.data(), leaves.size(), logits.data(), values.data());
            lock.lock();
            for (size_t i = 0; i < leaves.size(); ++i)
                tree_.expand(leaves[i], logits.data() + i * Game::kActions, values[i]);
            ++evaluations_;
            evaluated_.notify_all();
        }
    }

    bool is_over() const { return tree_.simulations_left() == 0 || Clock::now() >= deadline_; }

    // Leaves for one thread; none if it has to wait for another.
    void take_leaves(uint8_t* features, std::vector<size_t>& leaves) {
        using Step = typename Tree<Game>::Step;
        constexpr uint64_t kVisitsPerLeaf = 16;
        const size_t most = std::min(batch_, 1 + tree_.visits() / kVisitsPerLeaf);
        leaves.clear();
        for (int known = 0;
             leaves.size() < share_ && tree_.pending() < most && known < Tree<Game>::kMostKnown;) {
            if (tree_.simulations_left() == 0 || tree_.must_wait()) return;
            const size_t row = leaves.size() * Game::feature_bytes(tree_.root());
            const Step step = tree_.simulate(exact_, features + row);
            if (step == Step::kWaits) return;
            if (step == Step::kLeaf) leaves.push_back(tree_.newest_pending());
            known = step == Step::kDone ? known + 1 : 0;
        }
    }

    void wait_for_evaluation(std::unique_lock<std::mutex>& lock) {
        const uint64_t before = evaluations_;
        evaluated_.wait(lock, [&] { return tree_.pending() == 0 || evaluations_ != before; });
    }

    Tree<Game>& tree_;
    typename Game::Exact& exact_;
    size_t batch_;
    const Clock::time_point deadline_;
    const Evaluate& evaluate_;
    size_t share_ = 1;  // of the batch, for each thread
    std::mutex mutex_;
    std::condition_variable evaluated_;
    uint64_t evaluations_ = 0;
};

}  // namespace plyground::gumbel
