// `PathNet` to play with, on a CPU: nets/network.py describes the network, nets/encoding.py what it
// reads. Weights are those of `fold`, with the batch norms taken into the convolutions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "nets/linear.h"
#include "nets/winograd.h"

namespace plyground::nets {

struct Tensor {
    std::vector<int> shape;
    std::vector<float> values;
};
using Weights = std::map<std::string, Tensor>;

// Moves that lie on the board, as `PolicyPart` in nets/encoding.py.
struct PolicyPart {
    int kernel;
    int maps;
};

// What a network reads and writes, as `Encoding`.
struct Layout {
    int canvas;
    int feature_bytes;
    int planes;
    std::vector<PolicyPart> policy;
    bool has_pass;
    std::vector<int> piece_planes;

    int actions() const;
    int policy_maps() const;
};

// How to read the planes of a board from packed features, as `Table`: [cell][plane].
struct PlaneTable {
    std::vector<int> byte;
    std::vector<uint8_t> mask;
    std::vector<uint8_t> clip;
    std::vector<float> scale;
};

class PathNet {
  public:
    // Throws ConfigError unless the weights are those of a PathNet with this layout.
    PathNet(Layout layout, const Weights& weights, Precision precision);

    const Layout& layout() const { return layout_; }
    void set_board(int size, PlaneTable table);
    bool knows_board(int size) const { return tables_.contains(size); }

    // Memory of one thread.
    struct Memory {
        Scratch scratch;
        LineVector<float> planes;
        LineVector<float> trunk;
        LineVector<float> inner;
        LineVector<float> head;
        LineVector<float> maps;
        LineVector<float> pooled;
        LineVector<float> hidden;
    };

    // Logits [board][action] and values [board] of boards of one size, for the players to move.
    void evaluate(const uint8_t* features, int boards, int size, float* logits, float* values,
                  Memory& memory) const;

  private:
    struct Block {
        std::unique_ptr<const Conv3x3> first;
        std::unique_ptr<const Conv3x3> second;
        bool pools;
        Linear pool;
    };

    void expand(const uint8_t* features, int boards, int size, float* planes) const;
    void pool(const float* cells, int channels, int width, const float* planes, int boards,
              int size, LineVector<float>& pooled) const;
    void write_policy(const float* maps, int boards, int size, float* logits) const;

    Layout layout_;
    std::map<int, PlaneTable> tables_;
    std::unique_ptr<const Conv3x3> stem_;
    std::vector<Block> blocks_;
    int channels_;
    Linear head_;
    Linear policy_;
    Linear hidden_;
    Linear outcome_;
    int pooled_parts_;
};

}  // namespace plyground::nets
