// How a network is evaluated.
#pragma once

#include <cstdint>

namespace plyground::nets {

// How much precision to give up for speed.
enum class Precision : uint8_t {
    kHigh,  // 16 bits: the same numbers on every processor
    kFast,  // 8 bits for most products, on processors on which that is faster
};

// Whether this processor and this build have AVX-512 and VNNI.
bool has_avx512();

}  // namespace plyground::nets
