// Reversi's vector environment for Python.
#include "games/reversi_vector.h"

#include "bind/bind.h"
#include "bind/reversi_state.h"
#include "bind/vector_binding.h"
#include "games/reversi_text.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

using namespace reversi;

struct ReversiVectorEnv : SharedVector<ReversiVector> {};

void init(ReversiVectorEnv* self, int games, const ReversiState& start, const std::string& illegal,
          int threads, uint64_t seed) {
    ReversiVector::Settings settings;
    set_common(settings, games, illegal, threads);
    if (start.position.is_over()) {
        throw ConfigError("cannot start games at '" + format_position(start.position) +
                          "': the game is over");
    }
    settings.start = on_full_board(start, "environments play");
    new (self) ReversiVectorEnv{{{games, settings, seed}, {}}};
}

}  // namespace

void bind_reversi_vector(nb::module_& m) {
    nb::class_<ReversiVectorEnv> vector(
        m, "ReversiVector",
        "Many games, stepped with one call on several threads. Output arrays have one row per "
        "game.");
    vector.def("__init__", &init, "games"_a, "start"_a, "illegal"_a = "lose", "threads"_a = 1,
               "seed"_a = 0, "Every game begins at `start`.");
    bind_vector_methods(vector);
    vector.def(
        "state",
        [](ReversiVectorEnv& env, int index) { return ReversiState{game_at(env, index).position}; },
        "index"_a, "The position of one game.");
}

}  // namespace plyground
