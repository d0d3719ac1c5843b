// SplitMix64 (Steele, Lea, Flood 2014): small, seedable, good enough for keys, tests and noise.
#pragma once

#include <cstdint>

namespace plyground {

constexpr uint64_t mix64(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

struct SplitMix64 {
    uint64_t state = 0;

    constexpr uint64_t next() { return mix64(state += 0x9e3779b97f4a7c15ULL); }
    // A number in [0, bound), bound > 0; the bias is below 2^-32 for the small bounds used here.
    constexpr uint32_t below(uint32_t bound) {
        return static_cast<uint32_t>(((next() >> 32) * bound) >> 32);
    }
};

}  // namespace plyground
