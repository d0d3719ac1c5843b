#include "nets/linear.h"

#include <algorithm>

#include "nets/lanes.h"

namespace plyground::nets {

Linear::Linear(const float* weight, const float* bias, int inputs, int outputs)
    : inputs_(inputs), outputs_(outputs), groups_((outputs + kHalf - 1) / kHalf) {
    weight_.assign(static_cast<size_t>(groups_) * inputs * kHalf, 0);
    bias_.assign(static_cast<size_t>(groups_) * kHalf, 0);
    std::copy_n(bias, outputs, bias_.begin());
    for (int output = 0; output < outputs; ++output)
        for (int input = 0; input < inputs; ++input)
            weight_[(static_cast<size_t>(output / kHalf) * inputs + input) * kHalf +
                    output % kHalf] = weight[static_cast<size_t>(output) * inputs + input];
}

template <int Rows>
void Linear::run_rows(const float* in, int in_step, float* out) const {
    for (int group = 0; group < groups_; ++group) {
        Floats sums[Rows];
        for (int row = 0; row < Rows; ++row)
            sums[row] = load<Floats>(bias_.data() + group * kHalf);
        const float* weights = weight_.data() + static_cast<size_t>(group) * inputs_ * kHalf;
        for (int input = 0; input < inputs_; ++input) {
            const Floats weight = load<Floats>(weights + static_cast<size_t>(input) * kHalf);
            for (int row = 0; row < Rows; ++row)
                sums[row] =
                    sums[row] + all(in[static_cast<size_t>(row) * in_step + input]) * weight;
        }
        const int count = std::min(kHalf, outputs_ - group * kHalf);
        for (int row = 0; row < Rows; ++row) {
            float lanes[kHalf];
            store(sums[row], lanes);
            std::copy_n(lanes, count, out + static_cast<size_t>(row) * outputs_ + group * kHalf);
        }
    }
}

void Linear::run(const float* in, int in_step, float* out, int rows) const {
    constexpr int kRows = 8;  // rows that share each weight they load
    int row = 0;
    for (; row + kRows <= rows; row += kRows)
        run_rows<kRows>(in + static_cast<size_t>(row) * in_step, in_step,
                        out + static_cast<size_t>(row) * outputs_);
    for (; row < rows; ++row)
        run_rows<1>(in + static_cast<size_t>(row) * in_step, in_step,
                    out + static_cast<size_t>(row) * outputs_);
}

}  // namespace plyground::nets
