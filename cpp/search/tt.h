// The transposition table: results of earlier searches by position.
//
// Threads share it without locks. An entry is two words, and the first is stored XORed with the
// second (Hyatt & Mann 2002), so an entry torn by two writers matches no key.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/compiler.h"
#include "base/zeroed_memory.h"

namespace plyground {

enum class Bound : uint8_t { kNone, kUpper, kLower, kExact };

struct TableEntry {
    int16_t score = 0;  // proven scores count plies from this position, not from the root
    int8_t depth = 0;
    Bound bound = Bound::kNone;
    uint8_t move = 0;
    bool has_move = false;
};

class Table {
  public:
    explicit Table(size_t mb = 16) { resize(mb); }

    // Allocates at least one bucket and at most `mb` megabytes; deletes all entries.
    void resize(size_t mb) {
        const size_t count = std::bit_floor((mb << 20) / sizeof(Bucket));
        bucket_count_ = count ? count : 1;
        buckets_ = allocate_zeroed<Bucket>(bucket_count_);
        age_ = 0;
    }
    void clear() { resize(bucket_count_ * sizeof(Bucket) >> 20); }
    // Starts a new search. Entries of earlier searches are replaced first.
    void next_age() { age_ = (age_ + 1) & kAgeMask; }

    // Prefetches the memory that a later `probe` of this key reads.
    void prefetch(uint64_t key) const { plyground::prefetch(&buckets_[key & (bucket_count_ - 1)]); }

    bool probe(uint64_t key, TableEntry& entry) const {
        const Bucket& bucket = buckets_[key & (bucket_count_ - 1)];
        for (const Slot& slot : bucket.slots) {
            const uint64_t data = slot.data.load(std::memory_order_relaxed);
            if (data && (slot.check.load(std::memory_order_relaxed) ^ data) == key) {
                entry = unpack(data);
                return true;
            }
        }
        return false;
    }

    void store(uint64_t key, const TableEntry& entry) {
        Bucket& bucket = buckets_[key & (bucket_count_ - 1)];
        Slot* target = nullptr;
        int lowest = 0;
        uint64_t data = pack(entry);
        for (Slot& slot : bucket.slots) {
            const uint64_t old = slot.data.load(std::memory_order_relaxed);
            if (old && (slot.check.load(std::memory_order_relaxed) ^ old) == key) {
                // The same position: keep a much deeper result of the same search unless the new
                // one is exact, and keep the old move if the new result has none.
                const TableEntry stored = unpack(old);
                if (entry.bound != Bound::kExact && stored.depth > entry.depth + kKeptPlies &&
                    age_of(old) == age_)
                    return;
                if (!entry.has_move && stored.has_move) {
                    TableEntry merged = entry;
                    merged.move = stored.move;
                    merged.has_move = true;
                    data = pack(merged);
                }
                target = &slot;
                break;
            }
            const int worth =
                old ? unpack(old).depth - kPliesPerAge * ((age_ - age_of(old)) & kAgeMask)
                    : kEmptyWorth;
            if (!target || worth < lowest) {
                target = &slot;
                lowest = worth;
            }
        }
        target->data.store(data, std::memory_order_relaxed);
        target->check.store(key ^ data, std::memory_order_relaxed);
    }

    // An entry with its key, to be saved outside the table.
    struct SavedEntry {
        uint64_t key;
        TableEntry entry;
    };
    // The deepest entries of this search, at most `most`.
    std::vector<SavedEntry> deepest(size_t most) const {
        std::array<size_t, 128> by_depth{};
        const auto for_each_entry = [&](const auto& f) {
            for (size_t i = 0; i < bucket_count_; ++i) {
                for (const Slot& slot : buckets_[i].slots) {
                    const uint64_t data = slot.data.load(std::memory_order_relaxed);
                    if (!data || age_of(data) != age_) continue;
                    const TableEntry entry = unpack(data);
                    if (entry.depth >= 0)
                        f(slot.check.load(std::memory_order_relaxed) ^ data, entry);
                }
            }
        };
        for_each_entry([&](uint64_t, const TableEntry& entry) { ++by_depth[entry.depth]; });
        int lowest = 127;
        for (size_t count = by_depth[127]; lowest > 0; --lowest) {
            count += by_depth[lowest - 1];
            if (count > most) break;
        }
        std::vector<SavedEntry> saved;
        for_each_entry([&](uint64_t key, const TableEntry& entry) {
            if (entry.depth >= lowest && saved.size() < most) saved.push_back({key, entry});
        });
        return saved;
    }

    // The share of slots with entries of this search, in thousandths, from a sample.
    int permille_used() const {
        const size_t sample = bucket_count_ < 250 ? bucket_count_ : 250;
        size_t used = 0;
        for (size_t i = 0; i < sample; ++i) {
            for (const Slot& slot : buckets_[i].slots) {
                const uint64_t data = slot.data.load(std::memory_order_relaxed);
                used += data && age_of(data) == age_;
            }
        }
        return static_cast<int>(used * 1000 / (sample * kSlots));
    }

  private:
    // Replacement, guessed: a result of the same position is kept while it is more than kKeptPlies
    // deeper; in a bucket, an entry loses kPliesPerAge plies of worth for each search since.
    static constexpr int kKeptPlies = 2;
    static constexpr int kPliesPerAge = 8;
    static constexpr int kEmptyWorth = -1000;  // lower than any entry's worth
    static constexpr int kSlots = 4;           // in a cache line
    static constexpr int kAgeMask = 63;
    struct Slot {
        std::atomic<uint64_t> check{0};
        std::atomic<uint64_t> data{0};
    };
    struct alignas(64) Bucket {
        Slot slots[kSlots];
    };

    // From the low bits: score 16, depth 8, move 8, has_move 1, bound 2, age 6; bit 63 marks use.
    uint64_t pack(const TableEntry& entry) const {
        return static_cast<uint64_t>(static_cast<uint16_t>(entry.score)) |
               static_cast<uint64_t>(static_cast<uint8_t>(entry.depth)) << 16 |
               static_cast<uint64_t>(entry.move) << 24 |
               static_cast<uint64_t>(entry.has_move) << 32 |
               static_cast<uint64_t>(entry.bound) << 33 | static_cast<uint64_t>(age_) << 35 |
               1ULL << 63;
    }
    static TableEntry unpack(uint64_t data) {
        return {static_cast<int16_t>(data), static_cast<int8_t>(data >> 16),
                static_cast<Bound>(data >> 33 & 3), static_cast<uint8_t>(data >> 24),
                (data >> 32 & 1) != 0};
    }
    static int age_of(uint64_t data) { return static_cast<int>(data >> 35 & kAgeMask); }

    // On huge pages where the system has them: probes are spread over the table, and with small
    // pages the address translation costs as much as the probe. Zeros are empty slots.
    ZeroedArray<Bucket> buckets_;
    size_t bucket_count_ = 0;
    int age_ = 0;
};

}  // namespace plyground
