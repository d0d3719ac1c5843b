// The numbers behind the tree search: packed children, half floats, a quick exponential, Gumbel
// noise, and the visits of sequential halving.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/rng.h"

namespace plyground::gumbel {

// Logits beyond this are as good as certain, or as good as never; what is not a number counts as
// never.
inline constexpr float kMaxLogit = 1000.0F;

inline float clean_logit(float logit) {
    if (!(logit > -kMaxLogit)) return -kMaxLogit;
    return logit < kMaxLogit ? logit : kMaxLogit;
}

// A child in one word that sorts by logit, then by action, the better ones being greater:
//
//     31           8 7          0
//     | logit, 24 bits | 255 - action |
//
// The logit is a float without the last 8 bits of its mantissa (15 are left, half floats have 10),
// its bits turned so that they compare as whole numbers: the sign is flipped and for negative ones
// all other bits, too.
inline uint32_t pack_child(float logit, int action) {
    const uint32_t rounded = (std::bit_cast<uint32_t>(logit) + 0x80U) & ~0xffU;
    const uint32_t sign = -(rounded >> 31);
    const uint32_t ordered = rounded ^ (sign | 0x80000000U);
    return (ordered & ~0xffU) | (0xffU - static_cast<uint32_t>(action));
}
inline float child_logit(uint32_t child) {
    const uint32_t negative = (child >> 31) - 1;  // all ones for negative logits
    return std::bit_cast<float>((child ^ (negative | 0x80000000U)) & ~0xffU);
}
inline int child_action(uint32_t child) { return static_cast<int>(0xffU - (child & 0xffU)); }

// IEEE half floats. Infinities become large numbers, which `clean_logit` cuts off.
inline float to_float(uint16_t half) {
    const float magnitude = std::bit_cast<float>((half & 0x7fffU) << 13) * 0x1p112F;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | (half & 0x8000U) << 16);
}
inline float to_float(float value) { return value; }
// Of numbers from 0 to 65504, rounded to nearest even.
inline uint16_t to_half(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value * 0x1p-112F);
    return static_cast<uint16_t>((bits + 0xfffU + (bits >> 13 & 1)) >> 13);
}

// exp(x) to about 2e-7 of its value, in a form that compilers can run on many numbers at once.
// Below -87 it gives next to nothing.
inline float quick_exp(float x) {
    x = std::min(std::max(x, -87.0F), 88.0F);
    const float scaled = x * 1.44269504F;
    constexpr float kRound = 0x1.8p23F;  // adding and subtracting it rounds to a whole number
    const float shifted = scaled + kRound;
    const float whole = shifted - kRound;
    // exp(x) = 2^whole * exp(rest), the logarithm of 2 split in two for accuracy.
    const float rest = (x - whole * 0x1.62e4p-1F) - whole * 1.42860677e-6F;
    float p = 1.0F / 720.0F;
    p = p * rest + 1.0F / 120.0F;
    p = p * rest + 1.0F / 24.0F;
    p = p * rest + 1.0F / 6.0F;
    p = p * rest + 0.5F;
    p = p * rest + 1.0F;
    p = p * rest + 1.0F;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(p) +
                                (std::bit_cast<uint32_t>(shifted) << 23));
}

// A standard Gumbel variable: -log(-log(u)), u uniform in (0, 1).
inline float gumbel_noise(SplitMix64& rng) {
    const double u = (static_cast<double>(rng.next() >> 12) + 0.5) * 0x1p-52;
    return static_cast<float>(-std::log(-std::log(u)));
}

// One simulation of sequential halving: it goes to a candidate that has been visited that often in
// this search. Results of a phase decide who takes part in the next.
struct ScheduledVisit {
    uint32_t visits;
    uint32_t phase;

    friend bool operator==(const ScheduledVisit&, const ScheduledVisit&) = default;
};

// The visits of `simulations` simulations over that many candidates (Karnin, Koren, Somekh 2013,
// and section 3.4 of the paper): each phase gets an equal share and halves the candidates, down to
// two.
void plan_visits(int candidates, int simulations, std::vector<ScheduledVisit>& plan);

}  // namespace plyground::gumbel
