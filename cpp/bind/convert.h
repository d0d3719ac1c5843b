// Shared by the bindings of all games: text and integers from Python, argument checks, Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "bind/interpreter_lock.h"

namespace plyground {

// The UTF-8 bytes of a Python string. Rejects lone surrogates, which have no UTF-8 form.
inline std::string_view text_of(const nanobind::str& text) {
    Py_ssize_t length = 0;
    const char* const data = PyUnicode_AsUTF8AndSize(text.ptr(), &length);
    if (!data) {
        PyErr_Clear();
        throw NotationError("expected plain text, got characters that are not Unicode");
    }
    return {data, static_cast<size_t>(length)};
}

// An integer of Python or NumPy; nullopt if it does not fit in 64 bits. Other types raise a
// TypeError.
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

// Converts a player of the Python API (1 or 2) to one of the core (0 or 1).
inline int player_index(int player) {
    if (player != 1 && player != 2) {
        throw nanobind::value_error(
            ("expected player 1 or 2, got " + std::to_string(player)).c_str());
    }
    return player - 1;
}

// Perft recurses once per move. A depth above 99 would never finish.
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

// Checks for Ctrl-C, and throws the Python exception through the running count. Acquiring the
// interpreter lock can block, so it checks at most 20 times a second.
class SignalCheck {
  public:
    void operator()() {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(50)) return;
        last_ = now;
        if (InterpreterEnd::stops_this_thread()) throw InterpreterEnds();
        const nanobind::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    }

  private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace plyground
