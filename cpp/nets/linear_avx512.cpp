#include "nets/linear_avx512.h"

#include <immintrin.h>

#include "nets/unroll.h"

namespace plyground::nets::avx512 {
namespace {

// What a block of rows and groups reads and writes; `outputs` are those from its first group on.
struct Block {
    const float* in;
    int in_step;
    const float* weight;
    const float* bias;
    float* out;
    int out_step;
    int inputs;
    int outputs;
};

template <int Rows, int Groups>
void multiply_block(const Block& block) {
    __m512 sums[Rows * Groups];
    PLYGROUND_UNROLL
    for (int i = 0; i < Rows * Groups; ++i)
        sums[i] = _mm512_loadu_ps(block.bias + i % Groups * kFloats);
    for (int input = 0; input < block.inputs; ++input) {
        __m512 weights[Groups];
        PLYGROUND_UNROLL
        for (int group = 0; group < Groups; ++group)
            weights[group] =
                _mm512_loadu_ps(block.weight + (group * block.inputs + input) * kFloats);
        PLYGROUND_UNROLL
        for (int row = 0; row < Rows; ++row) {
            const __m512 number = _mm512_set1_ps(block.in[row * block.in_step + input]);
            PLYGROUND_UNROLL
            for (int group = 0; group < Groups; ++group)
                sums[row * Groups + group] =
                    _mm512_fmadd_ps(number, weights[group], sums[row * Groups + group]);
        }
    }
    PLYGROUND_UNROLL
    for (int i = 0; i < Rows * Groups; ++i) {
        const int output = i % Groups * kFloats;
        const int left = block.outputs - output;
        const auto lanes = static_cast<__mmask16>(left < kFloats ? (1 << left) - 1 : 0xffff);
        _mm512_mask_storeu_ps(block.out + i / Groups * block.out_step + output, lanes, sums[i]);
    }
}

template <int Rows>
void multiply_groups(Block block) {
    constexpr int kGroups = 4;
    while (block.outputs > 0) {
        const int groups = (block.outputs + kFloats - 1) / kFloats;
        if (groups >= kGroups) {
            multiply_block<Rows, kGroups>(block);
        } else if (groups >= 2) {
            multiply_block<Rows, 2>(block);
        } else {
            multiply_block<Rows, 1>(block);
        }
        const int done = groups >= kGroups ? kGroups : groups >= 2 ? 2 : 1;
        block.weight += done * kFloats * block.inputs;
        block.bias += done * kFloats;
        block.out += done * kFloats;
        block.outputs -= done * kFloats;
    }
}

}  // namespace

void multiply_floats(const float* in, int in_step, const float* weight, const float* bias,
                     float* out, int rows, int inputs, int outputs) {
    constexpr int kRows = 6;
    Block block{in, in_step, weight, bias, out, outputs, inputs, outputs};
    for (int row = 0; row < rows;) {
        const int left = rows - row;
        const int done = left >= kRows ? kRows : left >= 3 ? 3 : 1;
        if (done == kRows) {
            multiply_groups<kRows>(block);
        } else if (done == 3) {
            multiply_groups<3>(block);
        } else {
            multiply_groups<1>(block);
        }
        row += done;
        block.in += done * in_step;
        block.out += done * outputs;
    }
}

}  // namespace plyground::nets::avx512
