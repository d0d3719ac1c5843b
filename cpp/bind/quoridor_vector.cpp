// Quoridor's vector environment for Python.
#include "games/quoridor_vector.h"

#include "bind/bind.h"
#include "bind/quoridor_state.h"
#include "bind/vector_binding.h"
#include "games/quoridor_text.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

using namespace quoridor;

struct QuoridorVectorEnv : SharedVector<QuoridorVector> {
    nb::object config;
};

void init(QuoridorVectorEnv* self, int games, const QuoridorState& start,
          const std::string& illegal, int threads, uint64_t seed, int history_length) {
    QuoridorVector::Settings settings;
    set_common(settings, games, illegal, threads);
    if (history_length < 1 || history_length > History::kCapacity + 1) {
        throw ConfigError("expected history_length from 1 to " +
                          std::to_string(History::kCapacity + 1) + ", got " +
                          std::to_string(history_length));
    }
    if (start.position.is_over()) {
        throw ConfigError("cannot start games at '" + format_position(start.position) +
                          "': the game is over");
    }
    settings.start = start.position;
    settings.history = start.history;
    settings.frames = history_length;
    settings.draw_reward = nb::cast<float>(start.config.attr("draw_penalty"));
    new (self) QuoridorVectorEnv{{{games, settings, seed}, {}}, start.config};
}

QuoridorState state(QuoridorVectorEnv& env, int index) {
    const QuoridorVector::Game game = game_at(env, index);
    return {game.position, game.history, env.config};
}

}  // namespace

void bind_quoridor_vector(nb::module_& m) {
    nb::class_<QuoridorVectorEnv> vector(
        m, "QuoridorVector",
        "Many games, stepped with one call on several threads. Output arrays have one row per "
        "game.");
    vector.def("__init__", &init, "games"_a, "start"_a, "illegal"_a = "lose", "threads"_a = 1,
               "seed"_a = 0, "history_length"_a = 4,
               "Every game begins at `start`; planes show `history_length` positions.");
    bind_vector_methods(vector);
    vector.def("state", &state, "index"_a, "The position of one game.");
}

}  // namespace plyground
