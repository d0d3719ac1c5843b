// Convolutions for processors with AVX-512 and VNNI.
//
// With `Precision::kHigh` the numbers are those of winograd.cpp to the last bit. With `kFast` most
// products are in 8 bits: each tile has a scale of its own at each of the 25 points, so that its
// largest number becomes 127, and so have the weights of each sum. Four points keep 16 bits, those
// at 1 or 2 in both directions: there the sums are large, and their errors count several times in
// the result.
//
// Mean errors of the values of the network in the package, in 400 positions on 9x9: 0.019 with 8
// bits at all points, 0.010 with 16 at these four; 16 bits at the other points too change little
// each.
#pragma once

#include <array>

#include "nets/winograd.h"

namespace plyground::nets {

class FastConv3x3 final : public Conv3x3 {
  public:
    // Whether this processor and this build can do it, with padded numbers of channels.
    static bool is_possible(int inputs, int outputs);

    FastConv3x3(const float* weight, const float* bias, int inputs, int outputs,
                Precision precision);
    void run(const float* in, const float* add, float* out, int boards, int size,
             Scratch& scratch) const override;

  private:
    std::array<bool, kPoints> is_wide_{};     // whether a point has 16 bits
    std::array<size_t, kPoints> weights_at_;  // where its weights start
    // [point][outputs / 16][inputs / n][16][n], n = 4 for narrow and 2 for wide weights
    LineVector<int8_t> narrow_weights_;
    LineVector<int16_t> wide_weights_;
    // [kPoints][outputs]: what a sum starts from, since narrow inputs are stored as 128 too high
    LineVector<int32_t> starts_;
    LineVector<float> scales_;  // [kPoints][outputs]: what one step of a weight is worth
};

}  // namespace plyground::nets
