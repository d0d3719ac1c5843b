// A thread pool that divides a range of indices among its threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>

#include "base/thread_team.h"

namespace plyground {

class Workers {
  public:
    // The thread that calls `run` works too, so `threads` = 1 starts no other.
    explicit Workers(int threads) {
        for (int id = 1; id < threads; ++id)
            team_.start([this, id] { work_loop(id); });
    }

    int size() const { return team_.size() + 1; }

    // Calls work(thread, first, last) for chunks of [0, count) and returns when all are done. Only
    // one call of `run` at a time; the work must not throw. A thread that wakes up when no chunk is
    // left is not waited for: on busy cores that may take longer than the work.
    void run(size_t count, size_t chunk, const std::function<void(int, size_t, size_t)>& work) {
        {
            const std::lock_guard lock(mutex_);
            work_ = &work;
            count_ = count;
            chunk_ = chunk;
            next_.store(0, std::memory_order_relaxed);
            ++round_;
        }
        wake_.notify_all();
        take_chunks(0, work);
        std::unique_lock lock(mutex_);
        work_ = nullptr;
        done_.wait(lock, [&] { return busy_ == 0; });
    }

  private:
    void take_chunks(int id, const std::function<void(int, size_t, size_t)>& work) {
        while (true) {
            const size_t first = next_.fetch_add(chunk_, std::memory_order_relaxed);
            if (first >= count_) return;
            work(id, first, std::min(first + chunk_, count_));
        }
    }

    void work_loop(int id) {
        uint64_t last_round = 0;
        while (true) {
            const std::function<void(int, size_t, size_t)>* work = nullptr;
            {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, [&] { return quit_ || round_ != last_round; });
                if (quit_) return;
                last_round = round_;
                if (!work_) continue;
                work = work_;
                ++busy_;
            }
            take_chunks(id, *work);
            const std::lock_guard lock(mutex_);
            if (--busy_ == 0) done_.notify_one();
        }
    }

    void quit() {
        {
            const std::lock_guard lock(mutex_);
            quit_ = true;
        }
        wake_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable done_;
    const std::function<void(int, size_t, size_t)>* work_ = nullptr;  // null once none is left
    std::atomic<size_t> next_{0};
    size_t count_ = 0;
    size_t chunk_ = 1;
    int busy_ = 0;        // threads at work, beside the one that called `run`
    uint64_t round_ = 0;  // number of the current call of `run`
    bool quit_ = false;
    ThreadTeam team_{[this] { quit(); }};  // the last member: its threads use the others
};

}  // namespace plyground
