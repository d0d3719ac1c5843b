// `PathNet` for Python: check, convert, call. Its Python interface is nets/evaluator.py.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bind/path_net_evaluator.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

constexpr int kMostThreads = 256;

void new_evaluator(PathNetEvaluator* self, const std::map<std::string, Array<float>>& arrays,
                   int canvas, int feature_bytes, int planes,
                   const std::vector<std::pair<int, int>>& policy, bool has_pass,
                   const std::vector<int>& piece_planes, int threads, bool fast) {
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
    new (self) PathNetEvaluator(std::move(layout), weights, precision,
                                checked_count("threads", threads, 1, kMostThreads));
}

}  // namespace

void bind_path_net(nb::module_& m) {
    nb::class_<PathNetEvaluator>(m, "PathNetEvaluator",
                                 "Evaluates positions with the weights of a PathNet.")
        .def("__init__", &new_evaluator, "weights"_a, "canvas"_a, "feature_bytes"_a, "planes"_a,
             "policy"_a, "has_pass"_a, "piece_planes"_a, "threads"_a = 1, "fast"_a = false,
             nb::sig("def __init__(self, weights: dict[str, numpy.typing.NDArray[numpy.float32]], "
                     "canvas: int, feature_bytes: int, planes: int, "
                     "policy: list[tuple[int, int]], has_pass: bool, piece_planes: list[int], "
                     "threads: int = 1, fast: bool = False) -> None"))
        .def("set_board", &PathNetEvaluator::set_board, "size"_a, "byte"_a, "mask"_a, "clip"_a,
             "scale"_a,
             nb::sig("def set_board(self, size: int, byte: numpy.typing.NDArray[numpy.int64], "
                     "mask: numpy.typing.NDArray[numpy.uint8], "
                     "clip: numpy.typing.NDArray[numpy.uint8], "
                     "scale: numpy.typing.NDArray[numpy.float32]) -> None"),
             "The table that reads the planes of a board of this size.")
        .def("evaluate", &PathNetEvaluator::evaluate, "features"_a, "size"_a,
             nb::sig("def evaluate(self, features: numpy.typing.NDArray[numpy.uint8], size: int) "
                     "-> tuple[numpy.typing.NDArray[numpy.float32], "
                     "numpy.typing.NDArray[numpy.float32]]"),
             "Logits and values of packed positions on boards of one size.");
}

}  // namespace plyground
