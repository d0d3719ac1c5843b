// The loop of `Linear` for processors with AVX-512, on plain pointers; as winograd_avx512.h, its
// source is compiled for these processors alone.
#pragma once

namespace plyground::nets::avx512 {

inline constexpr int kFloats = 16;  // outputs of a group

// out[row][output] = bias[output] + sum over inputs of in[row][input] * weight, where `weight` and
// `bias` are those of a `Linear` with whole groups of kFloats outputs. Rows of `in` are `in_step`
// numbers apart, rows of `out` have no gaps.
void multiply_floats(const float* in, int in_step, const float* weight, const float* bias,
                     float* out, int rows, int inputs, int outputs);

}  // namespace plyground::nets::avx512
