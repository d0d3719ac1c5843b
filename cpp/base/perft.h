// Helpers for perft, the count of move paths, in any game: a table of subtree counts, and polling.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

namespace plyground {

// Subtree counts by key. A key has to identify both the position and the depth. Direct-mapped: a
// newer entry replaces an older one.
class PerftTable {
  public:
    explicit PerftTable(size_t mb) : entries_(std::bit_floor((mb << 20) / sizeof(Entry))) {}

    const uint64_t* find(uint64_t key) const {
        const Entry& entry = entries_[key & (entries_.size() - 1)];
        return entry.key == key ? &entry.count : nullptr;
    }
    void store(uint64_t key, uint64_t count) {
        entries_[key & (entries_.size() - 1)] = {key, count};
    }

  private:
    struct Entry {
        uint64_t key = 0;
        uint64_t count = 0;
    };
    std::vector<Entry> entries_;
};

// Calls `poll` at every 1024th call. Innermost loops should not call it: they finish quickly.
class Poller {
  public:
    explicit Poller(const std::function<void()>& poll) : poll_(poll) {}
    void operator()() {
        if (++calls_ % 1024 == 0 && poll_) poll_();
    }

  private:
    const std::function<void()>& poll_;
    uint32_t calls_ = 0;
};

// Adds to a count; throws if it overflows.
inline void add_paths(uint64_t& count, uint64_t more) {
    count += more;
    if (count < more) {
        throw std::overflow_error("there are more paths than 64 bits can count");
    }
}

}  // namespace plyground
