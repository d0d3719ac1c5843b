// State that the threads of one alpha-beta search share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/rng.h"
#include "search/limits.h"
#include "search/tt.h"

namespace plyground {

using Clock = std::chrono::steady_clock;

// The moves that some thread is searching at this moment. A thread that reaches such a move defers
// it, and later finds the result in the table (Kerrigan's simplification of ABDADA).
class InFlight {
  public:
    static uint64_t hash(uint64_t key, int action, int depth) {
        return mix64(key ^ static_cast<uint64_t>(action) << 32 ^ static_cast<uint64_t>(depth)) | 1;
    }
    bool has(uint64_t hash) const { return at(hash).load(std::memory_order_relaxed) == hash; }
    void begin(uint64_t hash) { at(hash).store(hash, std::memory_order_relaxed); }
    void end(uint64_t hash) {
        if (has(hash)) at(hash).store(0, std::memory_order_relaxed);
    }

  private:
    std::atomic<uint64_t>& at(uint64_t hash) { return slots_[hash >> 48]; }
    const std::atomic<uint64_t>& at(uint64_t hash) const { return slots_[hash >> 48]; }

    std::vector<std::atomic<uint64_t>> slots_ = std::vector<std::atomic<uint64_t>>(1 << 16);
};

struct SharedSearch {
    Table& table;
    Limits limits;
    Clock::time_point started;
    std::atomic<bool> stop{false};
    // Called by the first thread every few milliseconds; returns false to stop the search.
    std::function<bool()> poll;
    InFlight* in_flight = nullptr;  // null when a single thread searches

    double elapsed_s() const {
        return std::chrono::duration<double>(Clock::now() - started).count();
    }
};

}  // namespace plyground
