// The transposition table: what earlier searches found out about a position.
//
// Threads share it without locks. An entry is two words, and the first is stored XORed with the
// second (Hyatt & Mann 2002), so an entry torn by two writers fits no key and is not found.
#pragma once

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

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

    // At least one bucket, at most `mb` megabytes; forgets everything.
    void resize(size_t mb) {
        const size_t count = std::bit_floor((mb << 20) / sizeof(Bucket));
        bucket_count_ = count ? count : 1;
        buckets_ = allocate(bucket_count_);
        age_ = 0;
    }
    void clear() { resize(bucket_count_ * sizeof(Bucket) >> 20); }
    // Starts a new search: what is older gives way first.
    void next_age() { age_ = (age_ + 1) & kAgeMask; }

    // Asks for the memory that a later `probe` of this key will read.
    void prefetch(uint64_t key) const { __builtin_prefetch(&buckets_[key & (bucket_count_ - 1)]); }

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
                // The same position: keep its move if this search found none, and keep a deeper
                // result of the same search unless the new one is exact.
                const TableEntry known = unpack(old);
                if (entry.bound != Bound::kExact && known.depth > entry.depth + 2 &&
                    age_of(old) == age_)
                    return;
                if (!entry.has_move && known.has_move) {
                    TableEntry merged = entry;
                    merged.move = known.move;
                    merged.has_move = true;
                    data = pack(merged);
                }
                target = &slot;
                break;
            }
            const int worth =
                old ? unpack(old).depth - 8 * ((age_ - age_of(old)) & kAgeMask) : -1000;
            if (!target || worth < lowest) {
                target = &slot;
                lowest = worth;
            }
        }
        target->data.store(data, std::memory_order_relaxed);
        target->check.store(key ^ data, std::memory_order_relaxed);
    }

    // A result with its key, as it can be kept outside the table.
    struct Kept {
        uint64_t key;
        TableEntry entry;
    };
    // The deepest results of this search, at most so many.
    std::vector<Kept> deepest(size_t most) const {
        std::array<size_t, 128> by_depth{};
        const auto each = [&](const auto& use) {
            for (size_t i = 0; i < bucket_count_; ++i) {
                for (const Slot& slot : buckets_[i].slots) {
                    const uint64_t data = slot.data.load(std::memory_order_relaxed);
                    if (!data || age_of(data) != age_) continue;
                    const TableEntry entry = unpack(data);
                    if (entry.depth >= 0)
                        use(slot.check.load(std::memory_order_relaxed) ^ data, entry);
                }
            }
        };
        each([&](uint64_t, const TableEntry& entry) { ++by_depth[entry.depth]; });
        int lowest = 127;
        for (size_t count = by_depth[127]; lowest > 0; --lowest) {
            count += by_depth[lowest - 1];
            if (count > most) break;
        }
        std::vector<Kept> kept;
        each([&](uint64_t key, const TableEntry& entry) {
            if (entry.depth >= lowest && kept.size() < most) kept.push_back({key, entry});
        });
        return kept;
    }

    // How full the table is with results of this search, in thousandths.
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
    static constexpr int kSlots = 4;
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

    struct Free {
        void operator()(Bucket* buckets) const { std::free(buckets); }
    };
    using Buckets = std::unique_ptr<Bucket[], Free>;

    // Zeroed memory on large pages where the system has them: probes are all over the table, and
    // with small pages finding the page costs as much as the probe.
    static Buckets allocate(size_t count) {
        constexpr size_t kPage = size_t{2} << 20;
        const size_t bytes = (count * sizeof(Bucket) + kPage - 1) / kPage * kPage;
        void* const memory = std::aligned_alloc(kPage, bytes);
        if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        std::memset(memory, 0, bytes);
        auto* const buckets = static_cast<Bucket*>(memory);
        std::uninitialized_default_construct_n(buckets, count);
        return Buckets(buckets);
    }

    Buckets buckets_;
    size_t bucket_count_ = 0;
    int age_ = 0;
};

}  // namespace plyground
