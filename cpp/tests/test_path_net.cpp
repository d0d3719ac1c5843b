// The layers of networks against plain loops in double precision.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "check.h"
#include "nets/linear.h"
#include "nets/path_net.h"
#include "nets/winograd.h"

using namespace plyground;
using namespace plyground::nets;

namespace {

std::mt19937_64 rng;

std::vector<float> random_numbers(size_t count, float low, float high) {
    std::uniform_real_distribution<float> draw(low, high);
    std::vector<float> numbers(count);
    std::generate(numbers.begin(), numbers.end(), [&] { return draw(rng); });
    return numbers;
}

struct Case {
    int size;
    int boards;
    int inputs;
    int outputs;
};

// The ways to compute a convolution. On processors without AVX-512 all are the same.
enum class Way { kPortable, kHigh, kFast };
constexpr std::array kWays{Way::kPortable, Way::kHigh, Way::kFast};

std::unique_ptr<const Conv3x3> make_conv(Way way, const Case& c, const std::vector<float>& weight,
                                         const std::vector<float>& bias) {
    if (way == Way::kPortable)
        return make_portable_conv3x3(weight.data(), bias.data(), c.inputs, c.outputs);
    return make_conv3x3(weight.data(), bias.data(), c.inputs, c.outputs,
                        way == Way::kHigh ? Precision::kHigh : Precision::kFast);
}

struct Compared {
    double worst;
    double largest;
    LineVector<float> out;
};

// A convolution by Conv3x3 and by plain loops, with channels padded by zeros.
Compared compare_conv(Way way, const Case& c, const std::vector<float>& weight,
                      const std::vector<float>& bias, const std::vector<float>& in,
                      const std::vector<float>* add) {
    const auto made = make_conv(way, c, weight, bias);
    const Conv3x3& conv = *made;
    const int cells = c.size * c.size;
    const auto place = [&](const std::vector<float>& from, int channels, int width) {
        LineVector<float> to(static_cast<size_t>(c.boards) * cells * width, 0.0F);
        for (int cell = 0; cell < c.boards * cells; ++cell)
            std::copy_n(from.data() + cell * channels, channels, to.data() + cell * width);
        return to;
    };
    const LineVector<float> wide_in = place(in, c.inputs, conv.inputs());
    LineVector<float> out(static_cast<size_t>(c.boards) * cells * conv.outputs());
    if (add) out = place(*add, c.outputs, conv.outputs());
    Scratch scratch;
    conv.run(wide_in.data(), add ? out.data() : nullptr, out.data(), c.boards, c.size, scratch);
    Compared found{0, 0, {}};
    for (int board = 0; board < c.boards; ++board) {
        for (int row = 0; row < c.size; ++row) {
            for (int col = 0; col < c.size; ++col) {
                const int cell = board * cells + row * c.size + col;
                for (int output = 0; output < c.outputs; ++output) {
                    double sum = bias[output] + (add ? (*add)[cell * c.outputs + output] : 0.0F);
                    for (int i = -1; i <= 1; ++i) {
                        for (int j = -1; j <= 1; ++j) {
                            if (row + i < 0 || row + i >= c.size || col + j < 0 ||
                                col + j >= c.size)
                                continue;
                            const int from = cell + i * c.size + j;
                            for (int input = 0; input < c.inputs; ++input)
                                sum += double{in[from * c.inputs + input]} *
                                       weight[(output * c.inputs + input) * 9 + 3 * i + j + 4];
                        }
                    }
                    const double expected = std::max(0.0, sum);
                    const double got = out[cell * conv.outputs() + output];
                    found.worst = std::max(found.worst, std::abs(expected - got));
                    found.largest = std::max(found.largest, std::abs(expected));
                }
            }
        }
    }
    found.out = std::move(out);
    return found;
}

void test_convolutions() {
    for (const Case& c :
         {Case{1, 1, 1, 1}, Case{2, 3, 5, 7}, Case{3, 1, 16, 16}, Case{4, 2, 17, 33},
          Case{5, 5, 32, 48}, Case{6, 1, 96, 16}, Case{7, 3, 8, 96}, Case{8, 2, 64, 64},
          Case{9, 4, 96, 96}, Case{9, 1, 128, 80}, Case{10, 1, 20, 20}, Case{13, 1, 32, 48}}) {
        const size_t cells = static_cast<size_t>(c.boards) * c.size * c.size;
        const float scale = 1 / std::sqrt(9.0F * static_cast<float>(c.inputs));
        const auto weight = random_numbers(size_t{9} * c.inputs * c.outputs, -scale, scale);
        const auto bias = random_numbers(c.outputs, 0.5F, 1);
        const auto add = random_numbers(cells * c.outputs, -0.2F, 1);
        for (const float low : {0.0F, -1.0F}) {  // with and without negative inputs
            const auto in = random_numbers(cells * c.inputs, low, 1);
            for (const auto* added : {static_cast<const std::vector<float>*>(nullptr), &add}) {
                const Compared portable = compare_conv(Way::kPortable, c, weight, bias, in, added);
                const Compared high = compare_conv(Way::kHigh, c, weight, bias, in, added);
                const Compared fast = compare_conv(Way::kFast, c, weight, bias, in, added);
                const std::string size = "size " + std::to_string(c.size);
                CHECK_IN(portable.worst < 0.01, size);
                CHECK_IN(high.out == portable.out, size);
                CHECK_IN(fast.worst < 0.1, size);
                CHECK(portable.largest > 0.1);
            }
        }
    }
}

// Inputs and weights for which a transformed number, or a sum, is as large as it can be.
void test_extremes_do_not_overflow(Way way) {
    const Case c{9, 1, 96, 16};
    const size_t cells = 81;
    const double most = way == Way::kFast ? 0.02 : 1e-3;
    for (const float sign : {1.0F, -1.0F}) {
        const std::vector<float> weight(size_t{9} * c.inputs * c.outputs, sign * 1000);
        const std::vector<float> bias(c.outputs, sign < 0 ? 2e9F : 0.0F);
        const std::vector<float> large(cells * c.inputs, 1000);
        const Compared same = compare_conv(way, c, weight, bias, large, nullptr);
        CHECK(same.worst < most * same.largest);
        std::vector<float> checkered(cells * c.inputs);
        for (size_t i = 0; i < checkered.size(); ++i)
            checkered[i] = i / c.inputs % 2 ? 1000.0F : 0.0F;
        const Compared mixed = compare_conv(way, c, weight, bias, checkered, nullptr);
        CHECK(mixed.worst < most * std::max(1.0, mixed.largest));
    }
    const std::vector<float> zeros(cells * c.inputs, 0);
    const std::vector<float> bias(c.outputs, 0.5F);
    const std::vector<float> weight(size_t{9} * c.inputs * c.outputs, 0);
    CHECK(compare_conv(way, c, weight, bias, zeros, nullptr).worst == 0);
}

// What a board gives does not depend on the boards beside it, which have scales of their own.
void test_boards_are_independent(Way way) {
    const Case c{9, 3, 32, 32};
    const auto weight = random_numbers(size_t{9} * c.inputs * c.outputs, -0.1F, 0.1F);
    const auto bias = random_numbers(c.outputs, -1, 1);
    const auto conv = make_conv(way, c, weight, bias);
    auto in = random_numbers(size_t{81} * 3 * c.inputs, 0, 1);
    for (size_t i = size_t{81} * c.inputs; i < in.size(); ++i)
        in[i] *= 1000;
    std::vector<float> together(in.size());
    std::vector<float> alone(size_t{81} * c.outputs);
    Scratch scratch;
    conv->run(in.data(), nullptr, together.data(), 3, 9, scratch);
    conv->run(in.data(), nullptr, alone.data(), 1, 9, scratch);
    CHECK(std::equal(alone.begin(), alone.end(), together.begin()));
}

// The largest error of a layer.
double linear_error(int inputs, int outputs, int rows, Precision precision) {
    const int step = inputs + 3;
    const auto weight = random_numbers(static_cast<size_t>(inputs) * outputs, -1, 1);
    const auto bias = random_numbers(outputs, -1, 1);
    const auto in = random_numbers(static_cast<size_t>(rows) * step, -1, 1);
    std::vector<float> out(static_cast<size_t>(rows) * outputs);
    Linear(weight.data(), bias.data(), inputs, outputs, precision)
        .run(in.data(), step, out.data(), rows);
    double worst = 0;
    for (int row = 0; row < rows; ++row) {
        for (int output = 0; output < outputs; ++output) {
            double sum = bias[output];
            for (int input = 0; input < inputs; ++input)
                sum += double{weight[output * inputs + input]} * in[row * step + input];
            worst = std::max(worst, std::abs(sum - out[row * outputs + output]));
        }
    }
    return worst;
}

void test_linear_layers() {
    for (const Precision precision : {Precision::kHigh, Precision::kFast})
        for (const int inputs : {1, 5, 96})
            for (const int outputs : {1, 9, 40, 64, 112})
                for (const int rows : {1, 4, 11, 13})
                    CHECK(linear_error(inputs, outputs, rows, precision) < 1e-4);
}

Tensor random_tensor(std::vector<int> shape) {
    size_t count = 1;
    for (const int length : shape)
        count *= static_cast<size_t>(length);
    return {std::move(shape), random_numbers(count, -0.2F, 0.2F)};
}

Weights random_weights(int pieces) {
    constexpr int kChannels = 24;
    constexpr int kHead = 8;
    Weights weights;
    const auto add = [&](const std::string& name, std::vector<int> shape) {
        weights[name + ".bias"] = random_tensor({shape[0]});
        weights[name + ".weight"] = random_tensor(std::move(shape));
    };
    add("stem", {kChannels, 6, 3, 3});
    for (const std::string block : {"blocks.0", "blocks.1"}) {
        add(block + ".conv1", {kChannels, kChannels, 3, 3});
        add(block + ".conv2", {kChannels, kChannels, 3, 3});
    }
    add("blocks.1.pool", {kChannels, (2 + pieces) * kChannels});
    add("head", {kHead, kChannels, 1, 1});
    add("policy", {9, kHead});
    add("hidden", {16, (2 + pieces) * kHead});
    add("outcome", {2, 16});
    return weights;
}

Layout layout() { return {5, 10, 6, {{1, 1}, {2, 2}}, true, {1, 2}}; }

void test_networks() {
    PathNet net(layout(), random_weights(2), Precision::kFast);
    for (const int size : {3, 5}) {
        const size_t count = size_t{6} * size * size;
        PlaneTable table;
        for (size_t i = 0; i < count; ++i) {
            table.byte.push_back(static_cast<int>(rng() % 10));
            table.mask.push_back(static_cast<uint8_t>(1U << rng() % 8));
            table.clip.push_back(1);
            table.scale.push_back(1);
        }
        CHECK(!net.knows_board(size));
        net.set_board(size, std::move(table));
        std::vector<uint8_t> features(30);
        for (uint8_t& byte : features)
            byte = static_cast<uint8_t>(rng());
        std::vector<float> logits(3 * static_cast<size_t>(net.layout().actions()), 7);
        std::vector<float> values(3, 7);
        PathNet::Memory memory;
        net.evaluate(features.data(), 3, size, logits.data(), values.data(), memory);
        CHECK(net.layout().actions() == 25 + 32 + 1);
        for (const float value : values)
            CHECK(std::abs(value) <= 1);
        CHECK(logits[57] == 0);                  // a pass
        CHECK((logits[24] == 0) == (size < 5));  // a cell that smaller boards lack
        CHECK(logits[0] != 0);
        std::vector<float> again(net.layout().actions());
        net.evaluate(features.data() + 10, 1, size, again.data(), values.data(), memory);
        CHECK(std::equal(again.begin(), again.end(), logits.begin() + net.layout().actions()));
    }
}

bool is_rejected(const Weights& weights) {
    try {
        const PathNet net(layout(), weights, Precision::kHigh);
    } catch (const ConfigError&) {
        return true;
    }
    return false;
}

void test_weights_that_do_not_fit() {
    CHECK(!is_rejected(random_weights(0)));
    CHECK(!is_rejected(random_weights(2)));
    CHECK(is_rejected(random_weights(1)));
    for (const auto& [name, tensor] : random_weights(2)) {
        Weights weights = random_weights(2);
        weights.erase(name);
        CHECK_IN(is_rejected(weights), name);
        weights = random_weights(2);
        weights[name] = random_tensor({3, 3, 3});
        CHECK_IN(is_rejected(weights), name);
    }
}

}  // namespace

int main() {
    rng.seed(test::seed());
    test_convolutions();
    for (const Way way : kWays) {
        test_extremes_do_not_overflow(way);
        test_boards_are_independent(way);
    }
    test_linear_layers();
    test_networks();
    test_weights_that_do_not_fit();
    return test::report();
}
