#include "search/quoridor_textbook_cache.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace plyground::quoridor {
namespace {

constexpr size_t kKeyBytes = 8;
constexpr size_t kEvaluationBytes = kKeyBytes + 2;
constexpr uint64_t kUsed = 1ULL << 63;
constexpr auto kSizeKeys = zobrist_keys<kMaxSize + 1>(0x7E87B00C);

void put_key(std::vector<uint8_t>& bytes, uint64_t key) {
    for (size_t i = 0; i < kKeyBytes; ++i)
        bytes.push_back(static_cast<uint8_t>(key >> 8 * i));
}

uint64_t get_key(const uint8_t* bytes) {
    uint64_t key = 0;
    for (size_t i = 0; i < kKeyBytes; ++i)
        key |= static_cast<uint64_t>(bytes[i]) << 8 * i;
    return key;
}

}  // namespace

TextbookCache::TextbookCache(size_t evaluations, size_t children)
    : evaluations_(std::bit_ceil(std::max<size_t>(evaluations, 1))),
      children_(std::bit_ceil(std::max<size_t>(children, 1))) {}

uint64_t TextbookCache::key_of(const Position& position) {
    return position.key ^ kSizeKeys[position.rules.size];
}

bool TextbookCache::find_distances(uint64_t key, Distances& distances) const {
    const Evaluation& entry = evaluations_[key & (evaluations_.size() - 1)];
    const uint64_t data = entry.data.load(std::memory_order_relaxed);
    if (!data || (entry.check.load(std::memory_order_relaxed) ^ data) != key) return false;
    distances = {static_cast<int>(data & 0xFF), static_cast<int>(data >> 8 & 0xFF)};
    return true;
}

void TextbookCache::store_distances(uint64_t key, const Distances& distances) {
    Evaluation& entry = evaluations_[key & (evaluations_.size() - 1)];
    const uint64_t data =
        kUsed | static_cast<uint64_t>(distances[1]) << 8 | static_cast<uint64_t>(distances[0]);
    entry.data.store(data, std::memory_order_relaxed);
    entry.check.store(key ^ data, std::memory_order_relaxed);
}

bool TextbookCache::find_children(uint64_t key, Children& children) const {
    const Listed& entry = children_[key & (children_.size() - 1)];
    const std::lock_guard guard(lock_of(key & (children_.size() - 1)));
    if (entry.key != key || entry.children.count == 0) return false;
    children = entry.children;
    return true;
}

void TextbookCache::store_children(uint64_t key, const Children& children) {
    Listed& entry = children_[key & (children_.size() - 1)];
    const std::lock_guard guard(lock_of(key & (children_.size() - 1)));
    entry.key = key;
    entry.children = children;
}

void TextbookCache::log_distances(Log& log, uint64_t key, const Distances& distances) {
    put_key(log.evaluations, key);
    for (const int steps : distances)
        log.evaluations.push_back(static_cast<uint8_t>(steps));
}

void TextbookCache::log_children(Log& log, uint64_t key, const Children& children) {
    put_key(log.children, key);
    log.children.push_back(children.count);
    ++log.children_count;
    log.children.insert(log.children.end(), children.moves.begin(),
                        children.moves.begin() + children.count);
}

void TextbookCache::append(const Log& log) {
    const std::lock_guard guard(log_lock_);
    log_.evaluations_found += log.evaluations_found;
    log_.children_found += log.children_found;
    if (log_.evaluations.size() + log_.children.size() > kMostLogged) return;
    log_.evaluations.insert(log_.evaluations.end(), log.evaluations.begin(), log.evaluations.end());
    log_.children.insert(log_.children.end(), log.children.begin(), log.children.end());
    log_.children_count += log.children_count;
}

TextbookCache::Log TextbookCache::take_log() {
    const std::lock_guard guard(log_lock_);
    return std::exchange(log_, {});
}

size_t TextbookCache::load_evaluations(std::span<const uint8_t> bytes) {
    size_t loaded = 0;
    for (; bytes.size() >= kEvaluationBytes; bytes = bytes.subspan(kEvaluationBytes)) {
        const Distances distances{bytes[kKeyBytes], bytes[kKeyBytes + 1]};
        if (std::ranges::any_of(distances, [](int steps) { return steps < 1 || steps >= kCells; }))
            continue;
        store_distances(get_key(bytes.data()), distances);
        ++loaded;
    }
    return loaded;
}

size_t TextbookCache::load_children(std::span<const uint8_t> bytes) {
    size_t loaded = 0;
    while (bytes.size() > kKeyBytes) {
        Children children;
        const uint64_t key = get_key(bytes.data());
        children.count = bytes[kKeyBytes];
        bytes = bytes.subspan(kKeyBytes + 1);
        if (children.count > Children::kMost || children.count > bytes.size()) break;
        std::copy_n(bytes.begin(), children.count, children.moves.begin());
        store_children(key, children);
        ++loaded;
        bytes = bytes.subspan(children.count);
    }
    return loaded;
}

}  // namespace plyground::quoridor
