// Constant tables of random 64-bit keys for incremental hashing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/rng.h"

namespace plyground {

template <size_t N>
constexpr std::array<uint64_t, N> zobrist_keys(uint64_t seed) {
    std::array<uint64_t, N> keys{};
    SplitMix64 rng{seed};
    for (auto& key : keys)
        key = rng.next();
    return keys;
}

}  // namespace plyground
