#include "nets/linear.h"

#include <algorithm>

#include "nets/lanes.h"
#include "nets/linear_avx512.h"
#include "nets/unroll.h"

namespace plyground::nets {

Linear::Linear(const float* weight, const float* bias, int inputs, int outputs, Precision precision)
    : inputs_(inputs),
      outputs_(outputs),
      uses_avx512_(precision == Precision::kFast && has_avx512()),
      lanes_(uses_avx512_ ? avx512::kFloats : kHalf),
      groups_((outputs + lanes_ - 1) / lanes_) {
    weight_.assign(static_cast<size_t>(groups_) * inputs * lanes_, 0);
    bias_.assign(static_cast<size_t>(groups_) * lanes_, 0);
    std::copy_n(bias, outputs, bias_.begin());
    for (int output = 0; output < outputs; ++output)
        for (int input = 0; input < inputs; ++input)
            weight_[(static_cast<size_t>(output / lanes_) * inputs + input) * lanes_ +
                    output % lanes_] = weight[static_cast<size_t>(output) * inputs + input];
}

// Each sum adds its products in the order of the inputs, whatever the block.
template <int Rows, int Groups>
void Linear::run_block(const float* in, int in_step, float* out, int first_group) const {
    Floats sums[Rows * Groups];
    PLYGROUND_UNROLL
    for (int i = 0; i < Rows * Groups; ++i)
        sums[i] = load<Floats>(bias_.data() + (first_group + i % Groups) * kHalf);
    const float* first = weight_.data() + static_cast<size_t>(first_group) * inputs_ * kHalf;
    for (int input = 0; input < inputs_; ++input) {
        Floats weight[Groups];
        PLYGROUND_UNROLL
        for (int group = 0; group < Groups; ++group)
            weight[group] =
                load<Floats>(first + (static_cast<size_t>(group) * inputs_ + input) * kHalf);
        PLYGROUND_UNROLL
        for (int row = 0; row < Rows; ++row) {
            const Floats number = all(in[static_cast<size_t>(row) * in_step + input]);
            PLYGROUND_UNROLL
            for (int group = 0; group < Groups; ++group)
                sums[row * Groups + group] = sums[row * Groups + group] + number * weight[group];
        }
    }
    PLYGROUND_UNROLL
    for (int i = 0; i < Rows * Groups; ++i) {
        const int output = (first_group + i % Groups) * kHalf;
        float lanes[kHalf];
        store(sums[i], lanes);
        std::copy_n(lanes, std::min(kHalf, outputs_ - output),
                    out + static_cast<size_t>(i / Groups) * outputs_ + output);
    }
}

template <int Rows, int Groups>
void Linear::run_rows(const float* in, int in_step, float* out) const {
    int group = 0;
    for (; group + Groups <= groups_; group += Groups)
        run_block<Rows, Groups>(in, in_step, out, group);
    for (; group < groups_; ++group)
        run_block<Rows, 1>(in, in_step, out, group);
}

void Linear::run(const float* in, int in_step, float* out, int rows) const {
#ifdef PLYGROUND_AVX512
    if (uses_avx512_) {
        avx512::multiply_floats(in, in_step, weight_.data(), bias_.data(), out, rows, inputs_,
                                outputs_);
        return;
    }
#endif
    // As many sums at a time as registers hold, and enough that none waits for itself.
    constexpr int kRows = 4;
    constexpr int kGroups = 2;
    constexpr int kGroupsOfOneRow = 6;
    int row = 0;
    for (; row + kRows <= rows; row += kRows)
        run_rows<kRows, kGroups>(in + static_cast<size_t>(row) * in_step, in_step,
                                 out + static_cast<size_t>(row) * outputs_);
    for (; row < rows; ++row)
        run_rows<1, kGroupsOfOneRow>(in + static_cast<size_t>(row) * in_step, in_step,
                                     out + static_cast<size_t>(row) * outputs_);
}

}  // namespace plyground::nets
