// A network with its threads, which `PathNetEvaluator` of Python has and tree searches use.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/workers.h"
#include "bind/arrays.h"
#include "bind/bind.h"
#include "bind/interpreter_lock.h"
#include "nets/path_net.h"
#include "search/gumbel_threads.h"

namespace plyground {

template <class T>
using Array = nanobind::ndarray<const T, nanobind::device::cpu, nanobind::c_contig>;

inline constexpr int kMostBoard = 32;
// Boards that are evaluated at a time: more do not fit the caches.
inline constexpr size_t kTogether = 8;

class PathNetEvaluator {
  public:
    PathNetEvaluator(nets::Layout layout, const nets::Weights& weights, nets::Precision precision,
                     int threads)
        : net_(std::move(layout), weights, precision), workers_(threads), memory_(threads) {}

    void set_board(int size, const Array<int64_t>& byte, const Array<uint8_t>& mask,
                   const Array<uint8_t>& clip, const Array<float>& scale) {
        checked_count("size", size, 1, kMostBoard);
        const nets::Layout& layout = net_.layout();
        const auto count = static_cast<size_t>(size) * size * layout.planes;
        if (size > layout.canvas || byte.size() != count || mask.size() != count ||
            clip.size() != count || scale.size() != count)
            refuse("columns of " + std::to_string(count) + " numbers", "others");
        nets::PlaneTable table;
        for (size_t i = 0; i < count; ++i) {
            table.byte.push_back(checked_count("byte", static_cast<double>(byte.data()[i]), 0,
                                               layout.feature_bytes - 1));
        }
        table.mask.assign(mask.data(), mask.data() + count);
        table.clip.assign(clip.data(), clip.data() + count);
        table.scale.assign(scale.data(), scale.data() + count);
        const std::lock_guard lock(mutex_);  // another thread may evaluate
        net_.set_board(size, std::move(table));
    }

    nanobind::object evaluate(const Array<uint8_t>& features, int size) {
        const nets::Layout& layout = net_.layout();
        const auto width = static_cast<size_t>(layout.feature_bytes);
        if (features.ndim() != 2 || features.shape(1) != width)
            refuse("features of " + std::to_string(width) + " bytes a position", "others");
        require_board(size);
        const size_t boards = features.shape(0);
        const auto actions = static_cast<size_t>(layout.actions());
        nanobind::object logits, values;
        float* const all_logits = new_rows<float>(logits, boards, actions);
        float* const all_values = new_rows<float>(values, boards);
        const uint8_t* const all_features = features.data();
        {
            const InterpreterRelease release;
            const std::lock_guard lock(mutex_);
            const auto threads = static_cast<size_t>(workers_.size());
            // Two chunks for each thread, so that a thread whose core is busy takes fewer.
            const size_t chunk =
                threads == 1 ? kTogether : std::clamp<size_t>(boards / (2 * threads), 1, kTogether);
            workers_.run(boards, chunk, [&](int thread, size_t first, size_t last) {
                net_.evaluate(all_features + first * width, static_cast<int>(last - first), size,
                              all_logits + first * actions, all_values + first, memory_[thread]);
            });
        }
        return nanobind::make_tuple(logits, values);
    }

    // Grows a tree without the interpreter lock, until the plan is done or the deadline has come.
    template <class Game>
    void search(gumbel::Tree<Game>& tree, typename Game::Exact& exact, int size, size_t batch,
                std::chrono::steady_clock::time_point deadline) {
        const std::lock_guard lock(mutex_);
        std::atomic<bool> is_finite{true};
        const auto evaluate = [&](int thread, const uint8_t* features, size_t leaves, float* logits,
                                  float* values) {
            net_.evaluate(features, static_cast<int>(leaves), size, logits, values,
                          memory_[thread]);
            const size_t count = leaves * Game::kActions;
            if (all_finite(logits, count) && all_finite(values, leaves)) return;
            // The tree must not see such numbers; the error follows when all threads have ended.
            is_finite = false;
            std::fill_n(logits, count, 0.0F);
            std::fill_n(values, leaves, 0.0F);
        };
        gumbel::ThreadedSearch(tree, exact, batch, deadline, evaluate).run(workers_);
        if (!is_finite) refuse("finite logits and values from the network", "others");
    }

    const nets::Layout& layout() const { return net_.layout(); }
    void require_board(int size) const {
        if (!net_.knows_board(size)) refuse("a board of a known size", std::to_string(size));
    }

  private:
    static bool all_finite(const float* numbers, size_t count) {
        return std::all_of(numbers, numbers + count, [](float x) { return std::isfinite(x); });
    }

    nets::PathNet net_;
    Workers workers_;
    std::vector<nets::PathNet::Memory> memory_;
    std::mutex mutex_;
};

}  // namespace plyground
