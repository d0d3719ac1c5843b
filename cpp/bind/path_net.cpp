// `PathNet` for Python: check, convert, call. Its Python interface is nets/evaluator.py.
#include "nets/path_net.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/workers.h"
#include "bind/arrays.h"
#include "bind/bind.h"
#include "bind/interpreter_lock.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

template <class T>
using Array = nb::ndarray<const T, nb::device::cpu, nb::c_contig>;

constexpr int kMostBoard = 32;
constexpr int kMostThreads = 256;
constexpr size_t kTogether = 8;  // boards that are evaluated at a time: more do not fit the caches

// A network with its threads and their memory.
class Evaluator {
  public:
    Evaluator(nets::Layout layout, const nets::Weights& weights, nets::Precision precision,
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

    nb::object evaluate(const Array<uint8_t>& features, int size) {
        const nets::Layout& layout = net_.layout();
        const auto width = static_cast<size_t>(layout.feature_bytes);
        if (features.ndim() != 2 || features.shape(1) != width)
            refuse("features of " + std::to_string(width) + " bytes a position", "others");
        if (!net_.knows_board(size)) refuse("a board of a known size", std::to_string(size));
        const size_t boards = features.shape(0);
        const auto actions = static_cast<size_t>(layout.actions());
        nb::object logits, values;
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
        return nb::make_tuple(logits, values);
    }

  private:
    nets::PathNet net_;
    Workers workers_;
    std::vector<nets::PathNet::Memory> memory_;
    std::mutex mutex_;
};

void new_evaluator(Evaluator* self, const std::map<std::string, Array<float>>& arrays, int canvas,
                   int feature_bytes, int planes, const std::vector<std::pair<int, int>>& policy,
                   bool has_pass, const std::vector<int>& piece_planes, int threads, bool fast) {
    nets::Layout layout{checked_count("canvas", canvas, 1, kMostBoard),
                        checked_count("feature_bytes", feature_bytes, 1, 1 << 16),
                        checked_count("planes", planes, 1, 1 << 10),
                        {},
                        has_pass,
                        {}};
    for (const auto& [kernel, maps] : policy)
        layout.policy.push_back({checked_count("kernel", kernel, 1, layout.canvas),
                                 checked_count("maps", maps, 1, 1 << 10)});
    for (const int plane : piece_planes)
        layout.piece_planes.push_back(checked_count("piece_planes", plane, 0, planes - 1));
    nets::Weights weights;
    for (const auto& [name, array] : arrays) {
        nets::Tensor& tensor = weights[name];
        for (size_t i = 0; i < array.ndim(); ++i)
            tensor.shape.push_back(
                checked_count(name, static_cast<double>(array.shape(i)), 1, 1 << 20));
        tensor.values.assign(array.data(), array.data() + array.size());
        if (!std::all_of(tensor.values.begin(), tensor.values.end(),
                         [](float value) { return std::isfinite(value); }))
            refuse("finite weights in '" + name + "'", "others");
    }
    const auto precision = fast ? nets::Precision::kFast : nets::Precision::kHigh;
    new (self) Evaluator(std::move(layout), weights, precision,
                         checked_count("threads", threads, 1, kMostThreads));
}

}  // namespace

void bind_path_net(nb::module_& m) {
    nb::class_<Evaluator>(m, "PathNetEvaluator",
                          "Evaluates positions with the weights of a PathNet.")
        .def("__init__", &new_evaluator, "weights"_a, "canvas"_a, "feature_bytes"_a, "planes"_a,
             "policy"_a, "has_pass"_a, "piece_planes"_a, "threads"_a = 1, "fast"_a = false,
             nb::sig("def __init__(self, weights: dict[str, numpy.typing.NDArray[numpy.float32]], "
                     "canvas: int, feature_bytes: int, planes: int, "
                     "policy: list[tuple[int, int]], has_pass: bool, piece_planes: list[int], "
                     "threads: int = 1, fast: bool = False) -> None"))
        .def("set_board", &Evaluator::set_board, "size"_a, "byte"_a, "mask"_a, "clip"_a, "scale"_a,
             nb::sig("def set_board(self, size: int, byte: numpy.typing.NDArray[numpy.int64], "
                     "mask: numpy.typing.NDArray[numpy.uint8], "
                     "clip: numpy.typing.NDArray[numpy.uint8], "
                     "scale: numpy.typing.NDArray[numpy.float32]) -> None"),
             "The table that reads the planes of a board of this size.")
        .def("evaluate", &Evaluator::evaluate, "features"_a, "size"_a,
             nb::sig("def evaluate(self, features: numpy.typing.NDArray[numpy.uint8], size: int) "
                     "-> tuple[numpy.typing.NDArray[numpy.float32], "
                     "numpy.typing.NDArray[numpy.float32]]"),
             "Logits and values of packed positions on boards of one size.");
}

}  // namespace plyground
