// What the bindings of all games need: text and whole numbers from Python, and Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace plyground {

// The characters of a Python string; a lone surrogate has no place in any text of ours.
inline std::string_view text_of(const nanobind::str& text) {
    Py_ssize_t length = 0;
    const char* const data = PyUnicode_AsUTF8AndSize(text.ptr(), &length);
    if (!data) {
        PyErr_Clear();
        throw NotationError("expected plain text, got characters that are not Unicode");
    }
    return {data, static_cast<size_t>(length)};
}

// Any integer of Python's, numpy's too, or nothing if it needs more than 64 bits. What is no
// integer becomes the usual TypeError.
inline std::optional<int64_t> integer_from(nanobind::handle number) {
    if (!PyLong_Check(number.ptr())) {
        if (!PyIndex_Check(number.ptr())) throw nanobind::next_overload();
        const nanobind::object index = nanobind::steal(PyNumber_Index(number.ptr()));
        if (!index.is_valid()) throw nanobind::python_error();
        return integer_from(index);
    }
    int overflow = 0;
    const int64_t value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    return overflow ? std::nullopt : std::optional(value);
}

inline std::string format_integer(std::optional<int64_t> value) {
    return value ? std::to_string(*value) : "a number beyond 64 bits";
}

// Players are 1 and 2 outside, 0 and 1 inside.
inline int player_index(int player) {
    if (player != 1 && player != 2) {
        throw nanobind::value_error(
            ("expected player 1 or 2, got " + std::to_string(player)).c_str());
    }
    return player - 1;
}

// Counts of move paths recurse once a move; 99 moves are more than anyone can wait for.
inline void check_perft(int depth, int hash_mb) {
    if (depth < 0 || depth > 99) {
        throw nanobind::value_error(
            ("expected a depth from 0 to 99, got " + std::to_string(depth)).c_str());
    }
    if (hash_mb < 0 || hash_mb > 1 << 20) {
        throw nanobind::value_error(
            ("expected a table of 0 to 1048576 MB, got " + std::to_string(hash_mb)).c_str());
    }
}

// Looks for Ctrl-C, which ends a count as an exception of Python's that passes through it. Taking
// the interpreter lock can mean a wait, so it looks only a few times a second.
class SignalCheck {
  public:
    void operator()() {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(50)) return;
        last_ = now;
        const nanobind::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    }

  private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace plyground
