#include "nets/winograd_avx512.h"

#include <immintrin.h>

#include "nets/unroll.h"

namespace plyground::nets::avx512 {
namespace {

constexpr int kTile = 3;
constexpr int kPatch = 5;
constexpr int kPoints = kPatch * kPatch;
constexpr int kShorts = 32;  // 16-bit integers of a register

// Limits and transforms are those of winograd.cpp.
constexpr float kLargest = 32767.0F / 18;
constexpr float kLargestSigned = 32767.0F / 36;

inline void transform_patch(const __m512i* d, int step, __m512i* out, int out_step) {
    const __m512i d1 = d[step], d2 = d[2 * step], d3 = d[3 * step];
    const __m512i back = _mm512_sub_epi16(d3, d1);
    const __m512i ends = _mm512_sub_epi16(d[0], d2);
    const __m512i gap = _mm512_sub_epi16(d1, d2);
    out[0] = _mm512_add_epi16(_mm512_add_epi16(ends, ends), back);
    out[out_step] = _mm512_sub_epi16(back, _mm512_add_epi16(d1, d2));
    out[2 * out_step] = _mm512_add_epi16(_mm512_add_epi16(gap, gap), _mm512_sub_epi16(d3, d2));
    out[3 * out_step] = back;
    out[4 * out_step] =
        _mm512_sub_epi16(_mm512_sub_epi16(d[4 * step], d2), _mm512_add_epi16(back, back));
}

inline void transform_column(const __m512* m, int step, __m512* out, int out_step) {
    const __m512 both = _mm512_add_ps(m[step], m[2 * step]);
    const __m512 third = m[3 * step];
    const __m512 twice = _mm512_add_ps(third, third);
    out[0] = _mm512_add_ps(_mm512_add_ps(m[0], both), third);
    out[out_step] = _mm512_add_ps(_mm512_sub_ps(m[step], m[2 * step]), twice);
    out[2 * out_step] =
        _mm512_add_ps(_mm512_add_ps(_mm512_add_ps(both, twice), twice), m[4 * step]);
}

// The largest of 32 numbers without sign.
inline int32_t largest_of(__m512i numbers) {
    const __m256i half =
        _mm256_max_epu16(_mm512_castsi512_si256(numbers), _mm512_extracti64x4_epi64(numbers, 1));
    const __m128i quarter =
        _mm_max_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    const __m128i inverted = _mm_xor_si128(quarter, _mm_set1_epi16(-1));
    return ~_mm_cvtsi128_si32(_mm_minpos_epu16(inverted)) & 0xffff;
}

template <int Parts>
void transform(const int16_t* board, int across, const Tiles& tiles) {
    constexpr int kChannels = Parts * kShorts;
    const int width = kTile * across + 2;
    const ptrdiff_t point_step = static_cast<ptrdiff_t>(across) * across * kChannels;
    const __m512i offset = _mm512_set1_epi16(kNarrowOffset);
    alignas(64) int16_t patch[kPoints][kChannels];
    alignas(64) int32_t largest[kScales] = {};
    alignas(64) int32_t factors[kScales];
    for (int tile = 0; tile < across * across; ++tile) {
        const int16_t* corner =
            board + (tile / across * kTile * width + tile % across * kTile) * kChannels;
        for (int part = 0; part < Parts; ++part) {
            // Column by column and row by row, so that all numbers stay in registers.
            __m512i half[kPoints];
            PLYGROUND_UNROLL
            for (int col = 0; col < kPatch; ++col) {
                __m512i d[kPatch];
                PLYGROUND_UNROLL
                for (int row = 0; row < kPatch; ++row)
                    d[row] = _mm512_loadu_si512(corner + (row * width + col) * kChannels +
                                                part * kShorts);
                transform_patch(d, 1, half + col, kPatch);
            }
            PLYGROUND_UNROLL
            for (int row = 0; row < kPatch; ++row) {
                __m512i d[kPatch];
                transform_patch(half + row * kPatch, 1, d, 1);
                PLYGROUND_UNROLL
                for (int col = 0; col < kPatch; ++col)
                    _mm512_store_si512(patch[row * kPatch + col] + part * kShorts, d[col]);
            }
        }
        for (int point = 0; point < kPoints; ++point) {
            __m512i most = _mm512_setzero_si512();
            PLYGROUND_UNROLL
            for (int part = 0; part < Parts; ++part)
                most = _mm512_max_epu16(
                    most, _mm512_abs_epi16(_mm512_load_si512(patch[point] + part * kShorts)));
            largest[point] = largest_of(most);
        }
        // A narrow number is the wide one times factor / 2^15. Smaller ones stay as they are.
        float* const scales = tiles.scales + tile * kScales;
        for (int i = 0; i < kScales; i += kLanes) {
            const __m512i most =
                _mm512_max_epi32(_mm512_load_si512(largest + i), _mm512_set1_epi32(kNarrowOffset));
            const __m512i factor = _mm512_cvttps_epi32(
                _mm512_div_ps(_mm512_set1_ps(kNarrowLimit * 32768.0F), _mm512_cvtepi32_ps(most)));
            _mm512_store_si512(factors + i, factor);
            _mm512_storeu_ps(scales + i,
                             _mm512_div_ps(_mm512_set1_ps(32768.0F), _mm512_cvtepi32_ps(factor)));
        }
        for (int point = 0; point < kPoints; ++point) {
            const ptrdiff_t at = point * point_step + tile * kChannels;
            if (tiles.is_wide[point]) {
                scales[point] = 1;
                PLYGROUND_UNROLL
                for (int part = 0; part < Parts; ++part)
                    _mm512_storeu_si512(tiles.wide + at + part * kShorts,
                                        _mm512_load_si512(patch[point] + part * kShorts));
                continue;
            }
            const __m512i factor = _mm512_set1_epi16(static_cast<int16_t>(factors[point]));
            PLYGROUND_UNROLL
            for (int part = 0; part < Parts; ++part) {
                const __m512i scaled =
                    _mm512_mulhrs_epi16(_mm512_load_si512(patch[point] + part * kShorts), factor);
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(tiles.narrow + at + part * kShorts),
                                    _mm512_cvtepi16_epi8(_mm512_add_epi16(scaled, offset)));
            }
        }
    }
}

// The products of numbers of one width: `PerLane` of them at a time add to a 32-bit sum.
struct Narrow {
    using Input = uint8_t;
    using Weight = int8_t;
    static constexpr int kPerLane = 4;
    static __m512i add(__m512i sum, __m512i inputs, __m512i weights) {
        return _mm512_dpbusd_epi32(sum, inputs, weights);
    }
};
struct Wide {
    using Input = int16_t;
    using Weight = int16_t;
    static constexpr int kPerLane = 2;
    static __m512i add(__m512i sum, __m512i inputs, __m512i weights) {
        return _mm512_dpwssd_epi32(sum, inputs, weights);
    }
};

// All sums stay in registers: 9 rows of 3 groups need 27 of 32.
template <class Width, int Rows, int Groups>
void multiply_block(const typename Width::Input* tiles, const typename Width::Weight* weights,
                    const int32_t* start, int inputs, int32_t* sums, int outputs) {
    __m512i total[Rows * Groups];
    PLYGROUND_UNROLL
    for (int i = 0; i < Rows * Groups; ++i)
        total[i] =
            start ? _mm512_loadu_si512(start + kLanes * (i % Groups)) : _mm512_setzero_si512();
    for (int input = 0; input < inputs; input += Width::kPerLane) {
        __m512i weight[Groups];
        PLYGROUND_UNROLL
        for (int group = 0; group < Groups; ++group)
            weight[group] = _mm512_loadu_si512(weights + kLanes * (inputs * group + input));
        PLYGROUND_UNROLL
        for (int row = 0; row < Rows; ++row) {
            int32_t numbers;
            __builtin_memcpy(&numbers, tiles + row * inputs + input, sizeof numbers);
            const __m512i all_lanes = _mm512_set1_epi32(numbers);
            PLYGROUND_UNROLL
            for (int group = 0; group < Groups; ++group)
                total[row * Groups + group] =
                    Width::add(total[row * Groups + group], all_lanes, weight[group]);
        }
    }
    PLYGROUND_UNROLL
    for (int i = 0; i < Rows * Groups; ++i)
        _mm512_storeu_si512(sums + i / Groups * outputs + kLanes * (i % Groups), total[i]);
}

template <class Width, int Groups>
void multiply_groups(const typename Width::Input* tiles, const typename Width::Weight* weights,
                     const int32_t* start, int rows, int inputs, int outputs, int32_t* sums) {
    int row = 0;
    for (; row + 9 <= rows; row += 9)
        multiply_block<Width, 9, Groups>(tiles + row * inputs, weights, start, inputs,
                                         sums + row * outputs, outputs);
    for (; row + 4 <= rows; row += 4)
        multiply_block<Width, 4, Groups>(tiles + row * inputs, weights, start, inputs,
                                         sums + row * outputs, outputs);
    for (; row < rows; ++row)
        multiply_block<Width, 1, Groups>(tiles + row * inputs, weights, start, inputs,
                                         sums + row * outputs, outputs);
}

template <class Width>
void multiply(const typename Width::Input* tiles, const typename Width::Weight* weights,
              const int32_t* start, int rows, int inputs, int outputs, int32_t* sums) {
    constexpr int kGroups = 3;
    int output = 0;
    for (; output + kGroups * kLanes <= outputs; output += kGroups * kLanes)
        multiply_groups<Width, kGroups>(tiles, weights + output * inputs,
                                        start ? start + output : nullptr, rows, inputs, outputs,
                                        sums + output);
    for (; output < outputs; output += kLanes)
        multiply_groups<Width, 1>(tiles, weights + output * inputs,
                                  start ? start + output : nullptr, rows, inputs, outputs,
                                  sums + output);
}

}  // namespace

float quantize(const float* cells, int size, int channels, int width, int16_t* out) {
    __m512 low = _mm512_setzero_ps();
    __m512 high = low;
    for (int i = 0; i < size * size * channels; i += kLanes) {
        const __m512 values = _mm512_loadu_ps(cells + i);
        low = _mm512_min_ps(low, values);
        high = _mm512_max_ps(high, values);
    }
    const float lowest = _mm512_reduce_min_ps(low);
    const float highest = _mm512_reduce_max_ps(high);
    const float largest = highest > -lowest ? highest : -lowest;
    const float limit = lowest < 0 ? kLargestSigned : kLargest;
    const __m512 steps = _mm512_set1_ps(largest > 0 ? limit / largest : 0);
    const __m512 half = _mm512_set1_ps(0.5F);
    const __m512 sign = _mm512_set1_ps(-0.0F);
    for (int row = 0; row < size; ++row) {
        const float* from = cells + row * size * channels;
        int16_t* to = out + ((row + 1) * width + 1) * channels;
        for (int i = 0; i < size * channels; i += kLanes) {
            const __m512 exact = _mm512_mul_ps(_mm512_loadu_ps(from + i), steps);
            const __m512 away = _mm512_or_ps(half, _mm512_and_ps(exact, sign));
            const __m512i rounded = _mm512_cvttps_epi32(_mm512_add_ps(exact, away));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm512_cvtepi32_epi16(rounded));
        }
    }
    return largest / limit;
}

void transform_tiles(const int16_t* board, int across, int channels, const Tiles& tiles) {
    switch (channels / kShorts) {
        case 1:
            return transform<1>(board, across, tiles);
        case 2:
            return transform<2>(board, across, tiles);
        case 3:
            return transform<3>(board, across, tiles);
        default:
            return transform<4>(board, across, tiles);
    }
}

void multiply_narrow(const uint8_t* tiles, const int8_t* weights, const int32_t* start, int rows,
                     int inputs, int outputs, int32_t* sums) {
    multiply<Narrow>(tiles, weights, start, rows, inputs, outputs, sums);
}

void multiply_wide(const int16_t* tiles, const int16_t* weights, int rows, int inputs, int outputs,
                   int32_t* sums) {
    multiply<Wide>(tiles, weights, nullptr, rows, inputs, outputs, sums);
}

void transform_sums(const int32_t* sums, const float* tile_scales, const float* weight_scales,
                    float step, const float* bias, const float* add, float* out, int size,
                    int outputs) {
    const int across = (size + kTile - 1) / kTile;
    const ptrdiff_t point_step = static_cast<ptrdiff_t>(across) * across * outputs;
    const __m512 steps = _mm512_set1_ps(step);
    const __m512 zero = _mm512_setzero_ps();
    for (int tile = 0; tile < across * across; ++tile) {
        const float* scales = tile_scales + tile * kScales;
        const int top = tile / across * kTile;
        const int left = tile % across * kTile;
        const int height = size - top < kTile ? size - top : kTile;
        const int length = size - left < kTile ? size - left : kTile;
        for (int channel = 0; channel < outputs; channel += kLanes) {
            const int32_t* from = sums + tile * outputs + channel;
            __m512 half[kTile * kPatch], cells[kTile * kTile];
            PLYGROUND_UNROLL
            for (int col = 0; col < kPatch; ++col) {
                __m512 m[kPatch];
                PLYGROUND_UNROLL
                for (int row = 0; row < kPatch; ++row) {
                    const int point = row * kPatch + col;
                    const __m512 scale =
                        _mm512_mul_ps(_mm512_loadu_ps(weight_scales + point * outputs + channel),
                                      _mm512_set1_ps(scales[point]));
                    m[row] = _mm512_mul_ps(
                        _mm512_cvtepi32_ps(_mm512_loadu_si512(from + point * point_step)), scale);
                }
                transform_column(m, 1, half + col, kPatch);
            }
            PLYGROUND_UNROLL
            for (int row = 0; row < kTile; ++row)
                transform_column(half + row * kPatch, 1, cells + row * kTile, 1);
            const __m512 base = _mm512_loadu_ps(bias + channel);
            for (int row = 0; row < height; ++row) {
                for (int col = 0; col < length; ++col) {
                    const int at = ((top + row) * size + left + col) * outputs + channel;
                    __m512 value =
                        _mm512_add_ps(_mm512_mul_ps(cells[row * kTile + col], steps), base);
                    if (add != nullptr) value = _mm512_add_ps(value, _mm512_loadu_ps(add + at));
                    _mm512_storeu_ps(out + at, _mm512_max_ps(value, zero));
                }
            }
        }
    }
}

}  // namespace plyground::nets::avx512
