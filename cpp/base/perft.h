// What counting move paths needs in any game: a table of subtrees, and a way to be interrupted.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

namespace plyground {

// Counts by key, which must tell positions and depths apart. Direct-mapped: a newer entry replaces
// an older one.
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

// Calls `poll` once in a while; leave the innermost loops out, they take no time.
class Poller {
  public:
    explicit Poller(const std::function<void()>& poll) : poll_(poll) {}
    void operator()() {
        if (++nodes_ % 1024 == 0 && poll_) poll_();
    }

  private:
    const std::function<void()>& poll_;
    uint32_t nodes_ = 0;
};

inline void add_paths(uint64_t& count, uint64_t more) {
    if (__builtin_add_overflow(count, more, &count)) {
        throw std::overflow_error("there are more paths than 64 bits can count");
    }
}

}  // namespace plyground
