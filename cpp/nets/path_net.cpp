#include "nets/path_net.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "nets/lanes.h"

namespace plyground::nets {
namespace {

const Tensor& find(const Weights& weights, const std::string& name, size_t dimensions) {
    const auto found = weights.find(name);
    if (found == weights.end())
        throw ConfigError("expected the weights of a path_net, found no '" + name + "' in them");
    if (found->second.shape.size() != dimensions)
        throw ConfigError("expected " + std::to_string(dimensions) + " dimensions of '" + name +
                          "', got " + std::to_string(found->second.shape.size()));
    return found->second;
}

void require(bool fits, const std::string& name) {
    if (!fits) throw ConfigError("the weights '" + name + "' do not fit the other weights");
}

std::unique_ptr<const Conv3x3> make_conv(const Weights& weights, const std::string& name,
                                         int inputs, int outputs, Precision precision) {
    const Tensor& weight = find(weights, name + ".weight", 4);
    const Tensor& bias = find(weights, name + ".bias", 1);
    require(weight.shape == std::vector{outputs, inputs, 3, 3} && bias.shape[0] == outputs, name);
    return make_conv3x3(weight.values.data(), bias.values.data(), inputs, outputs, precision);
}

Linear make_linear(const Weights& weights, const std::string& name, Precision precision,
                   size_t dimensions = 2) {
    const Tensor& weight = find(weights, name + ".weight", dimensions);
    const Tensor& bias = find(weights, name + ".bias", 1);
    const bool is_flat = dimensions == 2 || (weight.shape[2] == 1 && weight.shape[3] == 1);
    require(is_flat && weight.shape[0] == bias.shape[0], name);
    return {weight.values.data(), bias.values.data(), weight.shape[1], weight.shape[0], precision};
}

int stem_outputs(const Weights& weights) { return find(weights, "stem.weight", 4).shape[0]; }

void set_floor(LineVector<float>& values, size_t count) {
    for (size_t i = 0; i < count; ++i)
        values[i] = std::max(values[i], 0.0F);
}

}  // namespace

int Layout::actions() const {
    int count = has_pass;
    for (const PolicyPart& part : policy)
        count += part.maps * (canvas - part.kernel + 1) * (canvas - part.kernel + 1);
    return count;
}

int Layout::policy_maps() const {
    int count = 0;
    for (const PolicyPart& part : policy)
        count += part.maps * part.kernel * part.kernel;
    return count;
}

PathNet::PathNet(Layout layout, const Weights& weights, Precision precision)
    : layout_(std::move(layout)),
      stem_(make_conv(weights, "stem", layout_.planes, stem_outputs(weights), Precision::kHigh)),
      channels_(stem_outputs(weights)),
      head_(make_linear(weights, "head", precision, 4)),
      policy_(make_linear(weights, "policy", precision)),
      hidden_(make_linear(weights, "hidden", precision)),
      outcome_(make_linear(weights, "outcome", precision)) {
    const int head_channels = head_.outputs();
    require(head_.inputs() == channels_, "head");
    require(policy_.inputs() == head_channels && policy_.outputs() == layout_.policy_maps(),
            "policy");
    require(outcome_.inputs() == hidden_.outputs() && outcome_.outputs() >= 1, "outcome");
    pooled_parts_ = hidden_.inputs() / std::max(1, head_channels);
    const int pieces = static_cast<int>(layout_.piece_planes.size());
    require((pooled_parts_ == 2 || pooled_parts_ == 2 + pieces) &&
                hidden_.inputs() == pooled_parts_ * head_channels,
            "hidden");
    size_t used = 10;  // a weight and a bias of the stem and of four linear layers
    for (int index = 0;; ++index) {
        const std::string name = "blocks." + std::to_string(index);
        if (!weights.contains(name + ".conv1.weight")) break;
        const bool pools = weights.contains(name + ".pool.weight");
        blocks_.push_back({make_conv(weights, name + ".conv1", channels_, channels_, precision),
                           make_conv(weights, name + ".conv2", channels_, channels_, precision),
                           pools,
                           pools ? make_linear(weights, name + ".pool", precision) : Linear{}});
        const Linear& pool = blocks_.back().pool;
        require(
            !pools || (pool.inputs() == pooled_parts_ * channels_ && pool.outputs() == channels_),
            name + ".pool");
        used += pools ? 6 : 4;
    }
    if (weights.size() != used)
        throw ConfigError("expected the weights of " + std::to_string(blocks_.size()) +
                          " blocks, found others, too");
}

void PathNet::set_board(int size, PlaneTable table) { tables_[size] = std::move(table); }

void PathNet::evaluate(const uint8_t* features, int boards, int size, float* logits, float* values,
                       Memory& memory) const {
    const size_t cells = static_cast<size_t>(boards) * size * size;
    const int width = padded(channels_);
    memory.planes.assign(cells * stem_->inputs(), 0);
    memory.trunk.resize(cells * width);
    memory.inner.resize(cells * width);
    expand(features, boards, size, memory.planes.data());
    const float* planes = memory.planes.data();
    float* trunk = memory.trunk.data();
    float* inner = memory.inner.data();
    stem_->run(planes, nullptr, trunk, boards, size, memory.scratch);
    for (const Block& block : blocks_) {
        block.first->run(trunk, nullptr, inner, boards, size, memory.scratch);
        if (block.pools) {
            pool(inner, channels_, width, planes, boards, size, memory.pooled);
            memory.hidden.resize(static_cast<size_t>(boards) * channels_);
            block.pool.run(memory.pooled.data(), block.pool.inputs(), memory.hidden.data(), boards);
            for (size_t cell = 0; cell < cells; ++cell) {
                const float* more = memory.hidden.data() + cell / (size * size) * channels_;
                for (int channel = 0; channel < channels_; ++channel)
                    inner[cell * width + channel] += more[channel];
            }
        }
        block.second->run(inner, trunk, trunk, boards, size, memory.scratch);
    }
    const int head_channels = head_.outputs();
    memory.head.resize(cells * head_channels);
    memory.maps.resize(cells * policy_.outputs());
    head_.run(trunk, width, memory.head.data(), static_cast<int>(cells));
    set_floor(memory.head, cells * head_channels);
    policy_.run(memory.head.data(), head_channels, memory.maps.data(), static_cast<int>(cells));
    write_policy(memory.maps.data(), boards, size, logits);
    pool(memory.head.data(), head_channels, head_channels, planes, boards, size, memory.pooled);
    memory.hidden.resize(static_cast<size_t>(boards) * hidden_.outputs());
    hidden_.run(memory.pooled.data(), hidden_.inputs(), memory.hidden.data(), boards);
    set_floor(memory.hidden, memory.hidden.size());
    memory.maps.resize(static_cast<size_t>(boards) * outcome_.outputs());
    outcome_.run(memory.hidden.data(), outcome_.inputs(), memory.maps.data(), boards);
    for (int board = 0; board < boards; ++board)
        values[board] = std::tanh(memory.maps[static_cast<size_t>(board) * outcome_.outputs()]);
}

void PathNet::expand(const uint8_t* features, int boards, int size, float* planes) const {
    const PlaneTable& table = tables_.at(size);
    const int cells = size * size;
    for (int board = 0; board < boards; ++board) {
        const uint8_t* packed = features + static_cast<size_t>(board) * layout_.feature_bytes;
        for (int cell = 0; cell < cells; ++cell) {
            float* to = planes + (static_cast<size_t>(board) * cells + cell) * stem_->inputs();
            for (int plane = 0; plane < layout_.planes; ++plane) {
                const size_t at = static_cast<size_t>(cell) * layout_.planes + plane;
                const auto bits = static_cast<uint8_t>(packed[table.byte[at]] & table.mask[at]);
                to[plane] = static_cast<float>(std::min(bits, table.clip[at])) * table.scale[at];
            }
        }
    }
}

// Mean and maximum over each board, then the sums over the cells of each kind of piece.
void PathNet::pool(const float* cells, int channels, int width, const float* planes, int boards,
                   int size, LineVector<float>& pooled) const {
    const int count = size * size;
    pooled.assign(static_cast<size_t>(boards) * pooled_parts_ * channels, 0);
    for (int board = 0; board < boards; ++board) {
        float* mean = pooled.data() + static_cast<size_t>(board) * pooled_parts_ * channels;
        float* maximum = mean + channels;
        for (int cell = 0; cell < count; ++cell) {
            const size_t index = static_cast<size_t>(board) * count + cell;
            const float* values = cells + index * width;
            for (int channel = 0; channel < channels; ++channel) {
                mean[channel] += values[channel];
                maximum[channel] = std::max(maximum[channel], values[channel]);
            }
            for (int part = 2; part < pooled_parts_; ++part) {
                const float piece =
                    planes[index * stem_->inputs() + layout_.piece_planes[part - 2]];
                if (piece == 0) continue;
                for (int channel = 0; channel < channels; ++channel)
                    mean[part * channels + channel] += piece * values[channel];
            }
        }
        for (int channel = 0; channel < channels; ++channel)
            mean[channel] /= static_cast<float>(count);
    }
}

void PathNet::write_policy(const float* maps, int boards, int size, float* logits) const {
    const int per_cell = policy_.outputs();
    const int actions = layout_.actions();
    std::fill_n(logits, static_cast<size_t>(boards) * actions, 0.0F);
    for (int board = 0; board < boards; ++board) {
        const float* cells = maps + static_cast<size_t>(board) * size * size * per_cell;
        float* out = logits + static_cast<size_t>(board) * actions;
        int first = 0;
        for (const PolicyPart& part : layout_.policy) {
            const int across = layout_.canvas - part.kernel + 1;
            const int used = size - part.kernel + 1;
            for (int map = 0; map < part.maps; ++map) {
                for (int row = 0; row < used; ++row) {
                    for (int col = 0; col < used; ++col) {
                        float sum = 0;
                        for (int i = 0; i < part.kernel; ++i)
                            for (int j = 0; j < part.kernel; ++j)
                                sum += cells[((row + i) * size + col + j) * per_cell + first +
                                             (i * part.kernel + j) * part.maps + map];
                        out[row * across + col] = sum;
                    }
                }
                out += across * across;
            }
            first += part.maps * part.kernel * part.kernel;
        }
    }
}

}  // namespace plyground::nets
