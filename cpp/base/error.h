// The three errors that a user can cause. Python has them under the same names.
#pragma once

#include <stdexcept>

namespace plyground {

struct NotationError : std::invalid_argument {  // text that cannot be read
    using std::invalid_argument::invalid_argument;
};
struct IllegalMoveError : std::invalid_argument {  // a move the rules forbid
    using std::invalid_argument::invalid_argument;
};
struct ConfigError : std::invalid_argument {  // a setting that cannot work
    using std::invalid_argument::invalid_argument;
};

}  // namespace plyground
