#include "nets/winograd_fast.h"

#include <algorithm>
#include <cmath>

#include "nets/lanes.h"
#include "nets/winograd_avx512.h"

namespace plyground::nets {
namespace {

// Among the points 0, 1, -1, 2 and infinity, 1 and 2.
constexpr bool is_sensitive(int index) { return index == 1 || index == 3; }

double narrow_steps(const double* weights, int inputs) {
    double largest = 0;
    for (int input = 0; input < inputs; ++input)
        largest = std::max(largest, std::abs(weights[input]));
    return largest == 0 ? 0 : avx512::kNarrowLimit / largest;
}

}  // namespace

FastConv3x3::FastConv3x3(const float* weight, const float* bias, int inputs, int outputs,
                         Precision precision)
    : Conv3x3(bias, outputs, padded(inputs), padded(outputs)) {
    size_t narrow = 0;
    size_t wide = 0;
    for (int point = 0; point < kPoints; ++point) {
        is_wide_[point] = precision == Precision::kHigh ||
                          (is_sensitive(point / kPatch) && is_sensitive(point % kPatch));
        size_t& end = is_wide_[point] ? wide : narrow;
        weights_at_[point] = end;
        end += static_cast<size_t>(inputs_) * outputs_;
    }
    narrow_weights_.assign(narrow, 0);
    wide_weights_.assign(wide, 0);
    starts_.assign(static_cast<size_t>(kPoints) * outputs_, 0);
    scales_.assign(static_cast<size_t>(kPoints) * outputs_, 0.0F);
    for (int output = 0; output < outputs; ++output) {
        const std::vector<double> transformed =
            transform_weights(weight + static_cast<size_t>(output) * inputs * 9, inputs);
        const size_t group = static_cast<size_t>(output / kLanes * kLanes) * inputs_;
        const int lane = output % kLanes;
        for (int point = 0; point < kPoints; ++point) {
            const double* row = transformed.data() + static_cast<size_t>(point) * inputs;
            const double steps =
                is_wide_[point] ? most_steps(row, inputs) : narrow_steps(row, inputs);
            if (steps == 0) continue;
            const size_t sum = static_cast<size_t>(point) * outputs_ + output;
            scales_[sum] = static_cast<float>(1 / steps);
            const size_t first = weights_at_[point] + group;
            for (int input = 0; input < inputs; ++input) {
                const long rounded = std::lrint(row[input] * steps);
                if (is_wide_[point]) {
                    wide_weights_[first + kLanes * (input & ~1) + 2 * lane + (input & 1)] =
                        static_cast<int16_t>(rounded);
                } else {
                    narrow_weights_[first + kLanes * (input & ~3) + 4 * lane + (input & 3)] =
                        static_cast<int8_t>(rounded);
                    starts_[sum] -= static_cast<int32_t>(avx512::kNarrowOffset * rounded);
                }
            }
        }
    }
}

#ifdef PLYGROUND_AVX512

bool FastConv3x3::is_possible(int inputs, int outputs) {
    return has_avx512() && avx512::can_transform(inputs) && outputs % avx512::kLanes == 0;
}

// Board by board, so that the intermediate results of one stay in the cache.
void FastConv3x3::run(const float* in, const float* add, float* out, int boards, int size,
                      Scratch& scratch) const {
    const int across = tiles_across(size);
    const int rows = across * across;
    const int width = kTile * across + 2;  // of a board with the cells around it
    const size_t tile_numbers = static_cast<size_t>(rows) * inputs_;
    scratch.padded_board.assign(static_cast<size_t>(width) * width * inputs_, 0);
    scratch.narrow_tiles.resize(kPoints * tile_numbers);
    scratch.tiles.resize(kPoints * tile_numbers);
    scratch.scales.resize(static_cast<size_t>(rows) * avx512::kScales);
    scratch.sums.resize(static_cast<size_t>(kPoints) * rows * outputs_);
    const avx512::Tiles tiles{scratch.narrow_tiles.data(), scratch.tiles.data(),
                              scratch.scales.data(), is_wide_.data()};
    for (int board = 0; board < boards; ++board) {
        const float* cells = in + static_cast<size_t>(board) * size * size * inputs_;
        const float step =
            avx512::quantize(cells, size, inputs_, width, scratch.padded_board.data());
        avx512::transform_tiles(scratch.padded_board.data(), across, inputs_, tiles);
        for (int point = 0; point < kPoints; ++point) {
            int32_t* sums = scratch.sums.data() + static_cast<size_t>(point) * rows * outputs_;
            if (is_wide_[point]) {
                avx512::multiply_wide(tiles.wide + point * tile_numbers,
                                      wide_weights_.data() + weights_at_[point], rows, inputs_,
                                      outputs_, sums);
            } else {
                avx512::multiply_narrow(tiles.narrow + point * tile_numbers,
                                        narrow_weights_.data() + weights_at_[point],
                                        starts_.data() + static_cast<size_t>(point) * outputs_,
                                        rows, inputs_, outputs_, sums);
            }
        }
        const size_t first = static_cast<size_t>(board) * size * size * outputs_;
        avx512::transform_sums(scratch.sums.data(), tiles.scales, scales_.data(), step,
                               bias_.data(), add ? add + first : nullptr, out + first, size,
                               outputs_);
    }
}

#else

bool FastConv3x3::is_possible(int, int) { return false; }

void FastConv3x3::run(const float*, const float*, float*, int, int, Scratch&) const {}

#endif

}  // namespace plyground::nets
