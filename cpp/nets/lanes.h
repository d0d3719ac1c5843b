// Groups of numbers that the compiler computes with at once, with element-wise operators.
//
// GCC and Clang have such types for every processor; for other compilers they are arrays. Only the
// sources of this folder may include this file: the binding is compiled for another processor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace plyground::nets {

inline constexpr int kLanes = 16;         // 16-bit integers of a group
inline constexpr int kHalf = kLanes / 2;  // floats and 32-bit integers of one

// As many channels as whole groups have.
inline int padded(int channels) { return (channels + kLanes - 1) / kLanes * kLanes; }

#ifdef __GNUC__
// GCC notes that programs compiled with and without AVX pass these types in different ways.
#pragma GCC diagnostic ignored "-Wpsabi"

typedef int16_t Shorts __attribute__((vector_size(2 * kLanes)));
typedef int16_t HalfShorts __attribute__((vector_size(kLanes)));
typedef int32_t Ints __attribute__((vector_size(2 * kLanes)));
typedef float Floats __attribute__((vector_size(2 * kLanes)));

inline Floats to_floats(const Ints& ints) { return __builtin_convertvector(ints, Floats); }
// Towards 0.
inline HalfShorts to_shorts(const Floats& floats) {
    return __builtin_convertvector(__builtin_convertvector(floats, Ints), HalfShorts);
}
inline Floats minimum(const Floats& a, const Floats& b) { return a < b ? a : b; }
inline Floats maximum(const Floats& a, const Floats& b) { return a > b ? a : b; }

#else

template <class T, int N>
struct Lanes {
    T lane[N];

    template <class F>
    static Lanes each(F&& f) {
        Lanes result;
        for (int i = 0; i < N; ++i)
            result.lane[i] = static_cast<T>(f(i));
        return result;
    }
    friend Lanes operator+(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return a.lane[i] + b.lane[i]; });
    }
    friend Lanes operator-(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return a.lane[i] - b.lane[i]; });
    }
    friend Lanes operator*(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return a.lane[i] * b.lane[i]; });
    }
};
using Shorts = Lanes<int16_t, kLanes>;
using HalfShorts = Lanes<int16_t, kHalf>;
using Ints = Lanes<int32_t, kHalf>;
using Floats = Lanes<float, kHalf>;

inline Floats to_floats(const Ints& ints) {
    return Floats::each([&](int i) { return ints.lane[i]; });
}
inline HalfShorts to_shorts(const Floats& floats) {
    return HalfShorts::each([&](int i) { return static_cast<int32_t>(floats.lane[i]); });
}
inline Floats minimum(const Floats& a, const Floats& b) {
    return Floats::each([&](int i) { return std::min(a.lane[i], b.lane[i]); });
}
inline Floats maximum(const Floats& a, const Floats& b) {
    return Floats::each([&](int i) { return std::max(a.lane[i], b.lane[i]); });
}

#endif

template <class Group, class T>
inline Group load(const T* from) {
    Group group;
    std::memcpy(&group, from, sizeof group);
    return group;
}
template <class Group, class T>
inline void store(const Group& group, T* to) {
    std::memcpy(to, &group, sizeof group);
}
inline Floats all(float value) {
    float lanes[kHalf];
    std::fill_n(lanes, kHalf, value);
    return load<Floats>(lanes);
}
// Away from 0 by a half, for `to_shorts` to round to the nearest.
inline Floats add_half(const Floats& floats) {
#ifdef __GNUC__
    return floats + (floats < 0.0F ? all(-0.5F) : all(0.5F));
#else
    return Floats::each(
        [&](int i) { return floats.lane[i] + (floats.lane[i] < 0 ? -0.5F : 0.5F); });
#endif
}

}  // namespace plyground::nets
