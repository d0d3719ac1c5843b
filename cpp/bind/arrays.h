// Shared by the bindings: NumPy arrays in and out, and range checks of settings.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "base/error.h"

namespace plyground {

// Logits in float32 or float16. `with_logits` checks shape and type, for a clear error message.
using Logits = nanobind::ndarray<nanobind::ro, nanobind::device::cpu, nanobind::c_contig>;
using Values =
    nanobind::ndarray<const float, nanobind::ndim<1>, nanobind::device::cpu, nanobind::c_contig>;
using Features =
    nanobind::ndarray<uint8_t, nanobind::ndim<2>, nanobind::device::cpu, nanobind::c_contig>;

inline constexpr nanobind::dlpack::dtype kHalf{
    static_cast<uint8_t>(nanobind::dlpack::dtype_code::Float), 16, 1};

// Creates an array with `rows` rows of `columns` elements, or a one-dimensional array if `columns`
// is 0. Returns its memory for the caller to fill.
template <class T>
T* new_rows(nanobind::object& array, size_t rows, size_t columns = 0,
            nanobind::dlpack::dtype dtype = nanobind::dtype<T>()) {
    auto data = std::make_unique<T[]>(std::max<size_t>(1, rows * std::max<size_t>(1, columns)));
    T* const first = data.get();
    const nanobind::capsule owner(data.release(),
                                  [](void* p) noexcept { delete[] static_cast<T*>(p); });
    const size_t shape[2] = {rows, columns};
    array = nanobind::cast(nanobind::ndarray<nanobind::numpy>(first, columns > 0 ? 2 : 1, shape,
                                                              owner, nullptr, dtype));
    return first;
}

[[noreturn]] inline void refuse(const std::string& expected, const std::string& got) {
    throw ConfigError("expected " + expected + ", got " + got);
}

inline std::string shape_of(const Logits& array) {
    std::string text = "(";
    for (size_t i = 0; i < array.ndim(); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(array.shape(i));
    return text + ")";
}

// Checks the evaluations of `count` leaves of a game with `actions` actions, and calls f(logits)
// with a pointer of the array's type.
template <class F>
auto with_logits(const Logits& logits, const Values& values, size_t count, size_t actions, F&& f) {
    if (logits.ndim() != 2 || logits.shape(0) != count || logits.shape(1) != actions) {
        refuse("logits of shape (" + std::to_string(count) + ", " + std::to_string(actions) + ")",
               shape_of(logits));
    }
    if (values.shape(0) != count)
        refuse(std::to_string(count) + " values", std::to_string(values.shape(0)));
    if (logits.dtype() == kHalf) return f(static_cast<const uint16_t*>(logits.data()));
    if (logits.dtype() != nanobind::dtype<float>()) {
        refuse("logits of float16 or float32", "another type");
    }
    return f(static_cast<const float*>(logits.data()));
}

// Returns a setting that lies in its range; throws ConfigError otherwise.
inline float checked(const std::string& name, double value, double lowest, double highest) {
    if (!(value >= lowest && value <= highest)) {
        std::string range = std::to_string(lowest) + " to " + std::to_string(highest);
        refuse(name + " from " + range, std::to_string(value));
    }
    return static_cast<float>(value);
}

inline int checked_count(const std::string& name, double value, int lowest, int highest) {
    if (value != std::floor(value)) refuse(name + " as a whole number", std::to_string(value));
    return static_cast<int>(checked(name, value, lowest, highest));
}

}  // namespace plyground
