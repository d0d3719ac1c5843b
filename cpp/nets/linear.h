// Layers whose outputs each read all inputs, in floats.
#pragma once

#include "nets/line_vector.h"
#include "nets/precision.h"

namespace plyground::nets {

class Linear {
  public:
    Linear() = default;
    // `weight` is [outputs][inputs].
    Linear(const float* weight, const float* bias, int inputs, int outputs, Precision precision);

    int inputs() const { return inputs_; }
    int outputs() const { return outputs_; }

    // For `rows` rows of inputs, `in_step` numbers apart, and rows of outputs without gaps.
    void run(const float* in, int in_step, float* out, int rows) const;

  private:
    // Some rows of some groups of outputs.
    template <int Rows, int Groups>
    void run_block(const float* in, int in_step, float* out, int first_group) const;
    template <int Rows, int Groups>
    void run_rows(const float* in, int in_step, float* out) const;

    int inputs_ = 0;
    int outputs_ = 0;
    bool uses_avx512_ = false;
    int lanes_ = 0;             // outputs of a group
    int groups_ = 0;            // of outputs
    LineVector<float> weight_;  // [group][input][output of the group]
    LineVector<float> bias_;
};

}  // namespace plyground::nets
