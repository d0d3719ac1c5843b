// Helpers for error messages about text.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace plyground {

// Quotes input for an error message: short, on one line, in plain characters.
inline std::string quoted(std::string_view text) {
    constexpr size_t kLongest = 80;
    std::string out = "'";
    for (const char c : text.substr(0, kLongest))
        out += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    return out + (text.size() > kLongest ? "...'" : "'");
}

}  // namespace plyground
