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
// that the sum does not. Everything else is in floats.
//
//     layout of a batch            [board][cell][channel], cell = size * row + column
//     layout of transformed tiles  [number, 0 to 24][board, tile][channel]
//
// Numbers of channels are padded to whole groups (lanes.h); channels that a network lacks are
// zeros.
#pragma once

#include <cstddef>
#include <cstdint>

#include "nets/line_vector.h"

namespace plyground::nets {

inline constexpr int kTile = 3;                  // cells of a tile's side
inline constexpr int kPatch = kTile + 2;         // and with the cells around it
inline constexpr int kPoints = kPatch * kPatch;  // transformed numbers of a tile

// Memory for intermediate results, which grows as needed. Each thread has its own.
struct Scratch {
    LineVector<int16_t> padded_board;
    LineVector<int16_t> tiles;
    LineVector<int32_t> sums;
    LineVector<float> scales;  // of each board
};

class Conv3x3 {
  public:
    // `weight` is [outputs][inputs][3][3].
    Conv3x3(const float* weight, const float* bias, int inputs, int outputs);

    int inputs() const { return inputs_; }    // padded
    int outputs() const { return outputs_; }  // padded

    // out = max(0, convolution + bias + add) for `boards` boards of size x size cells; `add` may be
    // null or `out` itself.
    void run(const float* in, const float* add, float* out, int boards, int size,
             Scratch& scratch) const;

  private:
    void transform_inputs(const float* in, int boards, int size, Scratch& scratch) const;
    void transform_outputs(const float* add, float* out, int boards, int size,
                           const Scratch& scratch) const;

    int inputs_;
    int outputs_;
    LineVector<int16_t> weights_;  // [kPoints][outputs / kLanes][inputs / 2][kLanes][2]
    LineVector<float> scales_;     // [kPoints][outputs]: what one step of a sum is worth
    LineVector<float> bias_;
};

}  // namespace plyground::nets
