// Two caches of the textbook searches of Quoridor: the evaluation and the children of positions.
//
// Threads share a cache. Keys do not contain the draw counters, on which neither cache depends. New
// entries are logged, so that they can be saved between runs; entries that were loaded are checked
// before they are used, because a file may be damaged.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "games/quoridor.h"

namespace plyground::quoridor {

// The moves of a position in the order in which they are tried: five pawn moves and all walls.
struct Children {
    static constexpr int kMost = 5 + 2 * kSlots;
    std::array<Action, kMost> moves;
    uint8_t count = 0;

    void add(int action) { moves[count++] = static_cast<Action>(action); }
};

class TextbookCache {
  public:
    using Distances = std::array<int, 2>;  // steps to the goal, by player

    static constexpr size_t kEvaluations = size_t{1} << 19;  // 8 MB
    static constexpr size_t kChildren = size_t{1} << 15;     // 5 MB

    // Entries made by one search, serialized, and the number of entries it found in the cache.
    struct Log {
        std::vector<uint8_t> evaluations;  // 10 bytes each: key 8, distances 2
        std::vector<uint8_t> children;     // key 8, count 1, moves
        uint64_t children_count = 0;
        uint64_t evaluations_found = 0;
        uint64_t children_found = 0;
    };
    // New entries of one search, in bytes: 16,384 evaluations and about 2,000 children. A search
    // that has made more continues without the cache. Deep searches would otherwise push out all
    // other entries.
    static constexpr size_t kMostNewEvaluations = 10 * 16384;
    static constexpr size_t kMostNewChildren = 140 * 2000;

    // The capacities are rounded up to powers of two.
    explicit TextbookCache(size_t evaluations = kEvaluations, size_t children = kChildren);

    static uint64_t key_of(const Position& position);

    bool find_distances(uint64_t key, Distances& distances) const;
    void store_distances(uint64_t key, const Distances& distances);
    bool find_children(uint64_t key, Children& children) const;
    void store_children(uint64_t key, const Children& children);
    static void log_distances(Log& log, uint64_t key, const Distances& distances);
    static void log_children(Log& log, uint64_t key, const Children& children);

    // Adds the log of a search to the entries that `take_log` returns.
    void append(const Log& log);
    Log take_log();
    // Load serialized entries and return their number. Malformed ones are ignored.
    size_t load_evaluations(std::span<const uint8_t> bytes);
    size_t load_children(std::span<const uint8_t> bytes);

  private:
    // As in tt.h: `check` is the key XORed with the data, so that a torn entry matches no key.
    struct Evaluation {
        std::atomic<uint64_t> check{0};
        std::atomic<uint64_t> data{0};
    };
    struct Listed {
        uint64_t key = 0;
        Children children;
    };
    static constexpr size_t kLocks = 64;
    static constexpr size_t kMostLogged = size_t{32} << 20;  // bytes, if nothing takes the log

    std::mutex& lock_of(uint64_t key) const { return locks_[key % kLocks]; }

    std::vector<Evaluation> evaluations_;
    std::vector<Listed> children_;
    mutable std::array<std::mutex, kLocks> locks_;  // of `children_`
    std::mutex log_lock_;
    Log log_;
};

}  // namespace plyground::quoridor
