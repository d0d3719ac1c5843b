// 3x3 convolutions over small boards, for networks that run on a CPU.
//
// A board is cut into tiles of 3x3 cells. Winograd's method (Lavin, Gray: "Fast algorithms for
// convolutional neural networks", 2015), here F(3x3, 3x3) at the points 0, 1, -1, 2 and infinity,
// turns the 5x5 cells around a tile into 25 numbers, multiplies each with a transformed weight, and
// turns the sums over all channels into the 3x3 cells of the result: 25 products for each tile and
// pair of channels instead of 81.
//
// The products are 16-bit integers with 32-bit sums, twice as many at a time as floats. Each
// board's input is scaled so that no transformed number overflows, and the weights of each sum so
// that the sum does not. Everything else is in floats. winograd_fast.h has the same in 8 bits.
//
//     layout of a batch            [board][cell][channel], cell = size * row + column
//
// Numbers of channels are padded to whole groups (lanes.h); channels that a network lacks are
// zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "nets/line_vector.h"
#include "nets/precision.h"

namespace plyground::nets {

inline constexpr int kTile = 3;                  // cells of a tile's side
inline constexpr int kPatch = kTile + 2;         // and with the cells around it
inline constexpr int kPoints = kPatch * kPatch;  // transformed numbers of a tile

inline constexpr int tiles_across(int size) { return (size + kTile - 1) / kTile; }

// Memory for intermediate results, which grows as needed. Each thread has its own.
struct Scratch {
    LineVector<int16_t> padded_board;
    LineVector<int16_t> tiles;
    LineVector<uint8_t> narrow_tiles;
    LineVector<int32_t> sums;
    LineVector<float> scales;
};

class Conv3x3 {
  public:
    virtual ~Conv3x3() = default;
    Conv3x3(const Conv3x3&) = delete;
    Conv3x3& operator=(const Conv3x3&) = delete;

    int inputs() const { return inputs_; }    // padded
    int outputs() const { return outputs_; }  // padded

    // out = max(0, convolution + bias + add) for `boards` boards of size x size cells; `add` may be
    // null or `out` itself.
    virtual void run(const float* in, const float* add, float* out, int boards, int size,
                     Scratch& scratch) const = 0;

  protected:
    // The numbers are padded.
    Conv3x3(const float* bias, int outputs, int padded_inputs, int padded_outputs);

    int inputs_;
    int outputs_;
    LineVector<float> bias_;
};

// The fastest for this processor. `weight` is [outputs][inputs][3][3].
std::unique_ptr<const Conv3x3> make_conv3x3(const float* weight, const float* bias, int inputs,
                                            int outputs, Precision precision);
// In 16 bits, for any processor.
std::unique_ptr<const Conv3x3> make_portable_conv3x3(const float* weight, const float* bias,
                                                     int inputs, int outputs);

// The transformed weights of one output, [kPoints][inputs], from [inputs][3][3].
std::vector<double> transform_weights(const float* weight, int inputs);

// The most steps of a 16-bit weight by which no 32-bit sum over these weights overflows.
double most_steps(const double* weights, int inputs);

}  // namespace plyground::nets
