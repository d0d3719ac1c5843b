// The loops of `FastConv3x3` for one board, on plain pointers.
//
// Their source is compiled for processors with AVX-512 and VNNI alone. It may use no inline
// function that other sources use too: the linker keeps one of the copies, which then must run
// anywhere.
#pragma once

#include <cstddef>
#include <cstdint>

namespace plyground::nets::avx512 {

inline constexpr int kLanes = 16;          // outputs of a group
inline constexpr int kNarrowLimit = 127;   // the largest 8-bit number in use
inline constexpr int kNarrowOffset = 128;  // added to narrow numbers, since they have no sign
inline constexpr int kScales = 32;         // places for the scales of a tile's points

// Whether `transform_tiles` knows this number of channels.
constexpr bool can_transform(int channels) { return channels % 32 == 0 && channels <= 128; }

// A board as 16-bit integers, [width][width][channels] with the cells around it, from
// [size][size][channels]; returns what one step is worth. `out` has zeros around the board.
float quantize(const float* cells, int size, int channels, int width, int16_t* out);

// The tiles of a board at each point.
struct Tiles {
    uint8_t* narrow;  // [point][tile][channel], kNarrowOffset too high
    int16_t* wide;    // the same for wide points
    float* scales;    // [tile][kScales]: what one step of a number is worth in steps of the board
    const bool* is_wide;  // [point]
};
void transform_tiles(const int16_t* board, int across, int channels, const Tiles& tiles);

// sums[row][output] = start[output] + sum over inputs of tiles[row][input] * weights, with weights
// as `FastConv3x3` has them. Wide sums start with 0.
void multiply_narrow(const uint8_t* tiles, const int8_t* weights, const int32_t* start, int rows,
                     int inputs, int outputs, int32_t* sums);
void multiply_wide(const int16_t* tiles, const int16_t* weights, int rows, int inputs, int outputs,
                   int32_t* sums);

// out = max(0, the cells that sums [point][tile][output] make + bias + add). `add` may be null.
void transform_sums(const int32_t* sums, const float* tile_scales, const float* weight_scales,
                    float step, const float* bias, const float* add, float* out, int size,
                    int outputs);

}  // namespace plyground::nets::avx512
