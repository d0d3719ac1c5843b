#include "nets/winograd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "nets/lanes.h"
#include "nets/winograd_fast.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace plyground::nets {
namespace {

// The transformed weights of a kernel are G g G^T.
constexpr std::array<std::array<double, 3>, kPatch> kG{{{1.0 / 2, 0, 0},
                                                        {-1.0 / 2, -1.0 / 2, -1.0 / 2},
                                                        {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                                        {1.0 / 6, 1.0 / 3, 2.0 / 3},
                                                        {0, 0, 1}}};

// One column of B^T d B, or one row. Of numbers from 0 to x it makes numbers from -3x to 3x, of
// numbers from -x to x such from -6x to 6x.
inline void transform_patch(const Shorts* d, int step, Shorts* out, int out_step) {
    const Shorts d0 = d[0], d1 = d[step], d2 = d[2 * step], d3 = d[3 * step], d4 = d[4 * step];
    const Shorts back = d3 - d1;
    const Shorts ends = d0 - d2;
    const Shorts sum = d1 + d2;
    out[0] = ends + ends + back;
    out[out_step] = back - sum;
    out[2 * out_step] = d1 + d1 - d2 - d2 - d2 + d3;
    out[3 * out_step] = back;
    out[4 * out_step] = d4 - d2 - back - back;
}

// One column of A^T m A, or one row: the sums that make 3 cells.
inline void transform_sums(const Floats* m, int step, Floats* out, int out_step) {
    const Floats both = m[step] + m[2 * step];
    const Floats third = m[3 * step];
    const Floats twice = third + third;
    out[0] = m[0] + both + third;
    out[out_step] = m[step] - m[2 * step] + twice;
    out[2 * out_step] = both + twice + twice + m[4 * step];
}

constexpr float kLargest = 32767.0F / 18;        // of inputs that are not negative
constexpr float kLargestSigned = 32767.0F / 36;  // of others
constexpr double kLargestSum = 2147483647.0 / 32767;

// Rows that the product computes at a time, so that all sums stay in registers: with AVX2, four
// take 132 us for four boards of 96 channels, six 275 us (AMD EPYC, g++ 12).
constexpr int kRows = 4;

// sums[row][lane] = sum over pairs of inputs of tiles[row][input] * weights[input][lane].
template <int Rows>
inline void multiply_rows(const int16_t* tiles, const int16_t* weights, int inputs, int32_t* sums,
                          int outputs) {
#ifdef __AVX2__
    __m256i low[Rows], high[Rows];
    for (int row = 0; row < Rows; ++row)
        low[row] = high[row] = _mm256_setzero_si256();
    for (int input = 0; input < inputs; input += 2) {
        const auto* pair = reinterpret_cast<const __m256i*>(weights + kLanes * input);
        const __m256i first = _mm256_loadu_si256(pair);
        const __m256i second = _mm256_loadu_si256(pair + 1);
        for (int row = 0; row < Rows; ++row) {
            int32_t both;
            std::memcpy(&both, tiles + row * inputs + input, sizeof both);
            const __m256i value = _mm256_set1_epi32(both);
            low[row] = _mm256_add_epi32(low[row], _mm256_madd_epi16(value, first));
            high[row] = _mm256_add_epi32(high[row], _mm256_madd_epi16(value, second));
        }
    }
    for (int row = 0; row < Rows; ++row) {
        auto* out = reinterpret_cast<__m256i*>(sums + row * outputs);
        _mm256_storeu_si256(out, low[row]);
        _mm256_storeu_si256(out + 1, high[row]);
    }
#else
    for (int row = 0; row < Rows; ++row) {
        int32_t total[kLanes] = {};
        for (int input = 0; input < inputs; input += 2) {
            const int32_t first = tiles[row * inputs + input];
            const int32_t second = tiles[row * inputs + input + 1];
            for (int lane = 0; lane < kLanes; ++lane) {
                const int16_t* pair = weights + kLanes * input + 2 * lane;
                total[lane] += first * pair[0] + second * pair[1];
            }
        }
        std::copy_n(total, kLanes, sums + row * outputs);
    }
#endif
}

// The smallest and the largest of 0 and some numbers, a multiple of kHalf.
std::pair<float, float> range_of(const float* values, size_t count) {
    Floats lowest = all(0);
    Floats highest = all(0);
    for (size_t i = 0; i < count; i += kHalf) {
        lowest = minimum(lowest, load<Floats>(values + i));
        highest = maximum(highest, load<Floats>(values + i));
    }
    std::array<float, kHalf> low, high;
    store(lowest, low.data());
    store(highest, high.data());
    return {*std::min_element(low.begin(), low.end()), *std::max_element(high.begin(), high.end())};
}

void multiply(const int16_t* tiles, const int16_t* weights, int rows, int inputs, int outputs,
              int32_t* sums) {
    for (int output = 0; output < outputs; output += kLanes) {
        const int16_t* group = weights + static_cast<size_t>(output) * inputs;
        int row = 0;
        for (; row + kRows <= rows; row += kRows)
            multiply_rows<kRows>(tiles + row * inputs, group, inputs, sums + row * outputs + output,
                                 outputs);
        for (; row + 3 <= rows; row += 3)
            multiply_rows<3>(tiles + row * inputs, group, inputs, sums + row * outputs + output,
                             outputs);
        for (; row < rows; ++row)
            multiply_rows<1>(tiles + row * inputs, group, inputs, sums + row * outputs + output,
                             outputs);
    }
}

// Transformed tiles are [point][board, tile][channel].
class PortableConv3x3 final : public Conv3x3 {
  public:
    PortableConv3x3(const float* weight, const float* bias, int inputs, int outputs);
    void run(const float* in, const float* add, float* out, int boards, int size,
             Scratch& scratch) const override;

  private:
    void transform_inputs(const float* in, int boards, int size, Scratch& scratch) const;
    void transform_outputs(const float* add, float* out, int boards, int size,
                           const Scratch& scratch) const;

    LineVector<int16_t> weights_;  // [kPoints][outputs / kLanes][inputs / 2][kLanes][2]
    LineVector<float> scales_;     // [kPoints][outputs]: what one step of a sum is worth
};

PortableConv3x3::PortableConv3x3(const float* weight, const float* bias, int inputs, int outputs)
    : Conv3x3(bias, outputs, padded(inputs), padded(outputs)) {
    weights_.assign(static_cast<size_t>(kPoints) * inputs_ * outputs_, 0);
    scales_.assign(static_cast<size_t>(kPoints) * outputs_, 0.0F);
    for (int output = 0; output < outputs; ++output) {
        const std::vector<double> transformed =
            transform_weights(weight + static_cast<size_t>(output) * inputs * 9, inputs);
        for (int point = 0; point < kPoints; ++point) {
            const double* row = transformed.data() + static_cast<size_t>(point) * inputs;
            const double steps = most_steps(row, inputs);
            if (steps == 0) continue;
            scales_[static_cast<size_t>(point) * outputs_ + output] = static_cast<float>(1 / steps);
            int16_t* group =
                weights_.data() +
                (static_cast<size_t>(point) * outputs_ + output / kLanes * kLanes) * inputs_;
            for (int input = 0; input < inputs; ++input)
                group[kLanes * (input & ~1) + 2 * (output % kLanes) + (input & 1)] =
                    static_cast<int16_t>(std::lrint(row[input] * steps));
        }
    }
}

void PortableConv3x3::run(const float* in, const float* add, float* out, int boards, int size,
                          Scratch& scratch) const {
    const int across = tiles_across(size);
    const int rows = boards * across * across;
    scratch.tiles.resize(static_cast<size_t>(kPoints) * rows * inputs_);
    scratch.sums.resize(static_cast<size_t>(kPoints) * rows * outputs_);
    transform_inputs(in, boards, size, scratch);
    for (int point = 0; point < kPoints; ++point)
        multiply(scratch.tiles.data() + static_cast<size_t>(point) * rows * inputs_,
                 weights_.data() + static_cast<size_t>(point) * inputs_ * outputs_, rows, inputs_,
                 outputs_, scratch.sums.data() + static_cast<size_t>(point) * rows * outputs_);
    transform_outputs(add, out, boards, size, scratch);
}

void PortableConv3x3::transform_inputs(const float* in, int boards, int size,
                                       Scratch& scratch) const {
    const int across = tiles_across(size);
    const int tiles = across * across;
    const int width = kTile * across + 2;  // of a board with the cells around it
    const int cells = size * size;
    const size_t point_step = static_cast<size_t>(boards) * tiles * inputs_;
    scratch.padded_board.assign(static_cast<size_t>(width) * width * inputs_, 0);
    scratch.scales.resize(boards);
    for (int board = 0; board < boards; ++board) {
        const float* source = in + static_cast<size_t>(board) * cells * inputs_;
        const auto [lowest, highest] = range_of(source, static_cast<size_t>(cells) * inputs_);
        const float largest = std::max(highest, -lowest);
        const float limit = lowest < 0 ? kLargestSigned : kLargest;
        scratch.scales[board] = largest / limit;
        const Floats steps = all(largest > 0 ? limit / largest : 0);
        for (int row = 0; row < size; ++row) {
            const float* cell = source + static_cast<size_t>(row) * size * inputs_;
            int16_t* to =
                scratch.padded_board.data() + (static_cast<size_t>(row + 1) * width + 1) * inputs_;
            for (int i = 0; i < size * inputs_; i += kHalf)
                store(to_shorts(add_half(load<Floats>(cell + i) * steps)), to + i);
        }
        for (int tile = 0; tile < tiles; ++tile) {
            const int16_t* corner =
                scratch.padded_board.data() +
                static_cast<size_t>(tile / across * kTile * width + tile % across * kTile) *
                    inputs_;
            int16_t* to =
                scratch.tiles.data() + (static_cast<size_t>(board) * tiles + tile) * inputs_;
            for (int channel = 0; channel < inputs_; channel += kLanes) {
                Shorts patch[kPoints];
                Shorts half[kPoints];
                for (int row = 0; row < kPatch; ++row)
                    for (int col = 0; col < kPatch; ++col)
                        patch[row * kPatch + col] = load<Shorts>(
                            corner + static_cast<size_t>(row * width + col) * inputs_ + channel);
                for (int col = 0; col < kPatch; ++col)
                    transform_patch(patch + col, kPatch, half + col, kPatch);
                for (int row = 0; row < kPatch; ++row)
                    transform_patch(half + row * kPatch, 1, patch + row * kPatch, 1);
                for (int point = 0; point < kPoints; ++point)
                    store(patch[point], to + point * point_step + channel);
            }
        }
    }
}

void PortableConv3x3::transform_outputs(const float* add, float* out, int boards, int size,
                                        const Scratch& scratch) const {
    const int across = tiles_across(size);
    const int tiles = across * across;
    const size_t point_step = static_cast<size_t>(boards) * tiles * outputs_;
    const Floats zero = all(0);
    for (int board = 0; board < boards; ++board) {
        const Floats scale = all(scratch.scales[board]);
        const size_t first_cell = static_cast<size_t>(board) * size * size;
        for (int tile = 0; tile < tiles; ++tile) {
            const int32_t* sums =
                scratch.sums.data() + (static_cast<size_t>(board) * tiles + tile) * outputs_;
            const int top = tile / across * kTile;
            const int left = tile % across * kTile;
            for (int channel = 0; channel < outputs_; channel += kHalf) {
                Floats m[kPoints];
                for (int point = 0; point < kPoints; ++point)
                    m[point] = to_floats(load<Ints>(sums + point * point_step + channel)) *
                               load<Floats>(scales_.data() + point * outputs_ + channel);
                Floats half[kTile * kPatch];
                for (int col = 0; col < kPatch; ++col)
                    transform_sums(m + col, kPatch, half + col, kPatch);
                Floats cells[kTile * kTile];
                for (int row = 0; row < kTile; ++row)
                    transform_sums(half + row * kPatch, 1, cells + row * kTile, 1);
                const Floats bias = load<Floats>(bias_.data() + channel);
                const int rows = std::min(kTile, size - top);
                const int cols = std::min(kTile, size - left);
                for (int row = 0; row < rows; ++row) {
                    for (int col = 0; col < cols; ++col) {
                        const size_t cell = static_cast<size_t>(top + row) * size + left + col;
                        const size_t at = (first_cell + cell) * outputs_ + channel;
                        Floats value = cells[row * kTile + col] * scale + bias;
                        if (add != nullptr) value = value + load<Floats>(add + at);
                        store(maximum(value, zero), out + at);
                    }
                }
            }
        }
    }
}

}  // namespace

Conv3x3::Conv3x3(const float* bias, int outputs, int padded_inputs, int padded_outputs)
    : inputs_(padded_inputs), outputs_(padded_outputs) {
    bias_.assign(outputs_, 0.0F);
    std::copy_n(bias, outputs, bias_.begin());
}

std::unique_ptr<const Conv3x3> make_conv3x3(const float* weight, const float* bias, int inputs,
                                            int outputs, Precision precision) {
    if (FastConv3x3::is_possible(padded(inputs), padded(outputs)))
        return std::make_unique<FastConv3x3>(weight, bias, inputs, outputs, precision);
    return make_portable_conv3x3(weight, bias, inputs, outputs);
}

std::unique_ptr<const Conv3x3> make_portable_conv3x3(const float* weight, const float* bias,
                                                     int inputs, int outputs) {
    return std::make_unique<PortableConv3x3>(weight, bias, inputs, outputs);
}

std::vector<double> transform_weights(const float* weight, int inputs) {
    std::vector<double> transformed(static_cast<size_t>(kPoints) * inputs);
    for (int input = 0; input < inputs; ++input) {
        const float* kernel = weight + static_cast<size_t>(input) * 9;
        for (int row = 0; row < kPatch; ++row) {
            for (int col = 0; col < kPatch; ++col) {
                double total = 0;
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 3; ++j)
                        total += kG[row][i] * kernel[3 * i + j] * kG[col][j];
                transformed[static_cast<size_t>(row * kPatch + col) * inputs + input] = total;
            }
        }
    }
    return transformed;
}

double most_steps(const double* weights, int inputs) {
    double largest = 0;
    double sum = 0;
    for (int input = 0; input < inputs; ++input) {
        largest = std::max(largest, std::abs(weights[input]));
        sum += std::abs(weights[input]);
    }
    // Rounding adds at most half a step for each input.
    return largest == 0 ? 0 : std::min(32767 / largest, (kLargestSum - 0.5 * inputs) / sum);
}

}  // namespace plyground::nets
