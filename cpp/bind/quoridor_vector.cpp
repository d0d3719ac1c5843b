// Quoridor's vector environment for Python: check the arrays, release the interpreter lock, call.
// plyground.envs wraps it.
#include "games/quoridor_vector.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <mutex>
#include <optional>
#include <string>

#include "base/error.h"
#include "bind/bind.h"
#include "bind/interpreter_lock.h"
#include "bind/quoridor_state.h"
#include "games/quoridor_text.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace plyground {
namespace {

using namespace quoridor;

template <class T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;
template <class T>
using OptionalArray = std::optional<Array<T>>;
// Planes are float32 or uint8.
using Planes = std::optional<nb::ndarray<nb::c_contig, nb::device::cpu>>;

// The mutex serializes calls. A waiting thread does not hold the interpreter lock.
struct VectorEnv {
    QuoridorVector games;
    nb::object config;
    std::mutex mutex;
};

IllegalPolicy policy_from(const std::string& name) {
    if (name == "lose") return IllegalPolicy::kLose;
    if (name == "raise") return IllegalPolicy::kRaise;
    if (name == "random") return IllegalPolicy::kRandom;
    throw ConfigError("expected illegal to be 'lose', 'raise' or 'random', got '" + name + "'");
}

// Returns an array's memory after checking that it has `each` elements per game.
template <class A>
auto* data_of(const A& array, const char* name, int games, size_t each) {
    if (array.ndim() == 0 || array.shape(0) != static_cast<size_t>(games) ||
        array.size() != static_cast<size_t>(games) * each) {
        std::string shape;
        for (size_t i = 0; i < array.ndim(); ++i)
            shape += (i ? ", " : "") + std::to_string(array.shape(i));
        const std::string message = "expected " + std::string(name) + " for " +
                                    std::to_string(games) + " games with " + std::to_string(each) +
                                    " each, got an array of shape (" + shape + ")";
        throw nb::value_error(message.c_str());
    }
    return array.data();
}

Observations observations_of(const VectorEnv& env, const OptionalArray<uint8_t>& players,
                             const OptionalArray<int8_t>& masks, const Planes& planes,
                             const OptionalArray<float>& scalars) {
    const int games = env.games.size();
    Observations seen;
    if (players) seen.players = data_of(*players, "players", games, 1);
    if (masks) seen.masks = data_of(*masks, "masks", games, env.games.actions());
    if (scalars) seen.scalars = data_of(*scalars, "scalars", games, kScalars);
    if (planes) {
        const size_t values = env.games.plane_values();
        if (planes->dtype() == nb::dtype<float>()) {
            seen.format = PlaneFormat::kFloats;
        } else if (planes->dtype() != nb::dtype<uint8_t>()) {
            throw nb::type_error("expected planes of type float32 or uint8");
        } else {
            seen.format = planes->ndim() == 2 ? PlaneFormat::kBits : PlaneFormat::kBytes;
        }
        const bool bits = seen.format == PlaneFormat::kBits;
        seen.planes = data_of(*planes, "planes", games, bits ? (values + 7) / 8 : values);
    }
    return seen;
}

void init(VectorEnv* self, int games, const QuoridorState& start, const std::string& illegal,
          int threads, uint64_t seed, int history_length) {
    constexpr int kMostGames = 1 << 24;
    if (games < 1 || games > kMostGames) {
        throw ConfigError("expected 1 to " + std::to_string(kMostGames) + " games, got " +
                          std::to_string(games));
    }
    if (threads < 1 || threads > 256)
        throw ConfigError("expected threads from 1 to 256, got " + std::to_string(threads));
    if (history_length < 1 || history_length > History::kCapacity + 1) {
        throw ConfigError("expected history_length from 1 to " +
                          std::to_string(History::kCapacity + 1) + ", got " +
                          std::to_string(history_length));
    }
    if (start.position.is_over()) {
        throw ConfigError("cannot start games at '" + format_position(start.position) +
                          "': the game is over");
    }
    QuoridorVector::Settings settings;
    settings.start = start.position;
    settings.history = start.history;
    settings.frames = history_length;
    settings.draw_reward = nb::cast<float>(start.config.attr("draw_penalty"));
    settings.illegal = policy_from(illegal);
    settings.threads = threads;
    new (self) VectorEnv{{games, settings, seed}, start.config, {}};
}

void reset(VectorEnv& env, const OptionalArray<uint8_t>& players,
           const OptionalArray<int8_t>& masks, const Planes& planes,
           const OptionalArray<float>& scalars) {
    const Observations seen = observations_of(env, players, masks, planes, scalars);
    const InterpreterRelease release;
    const std::lock_guard lock(env.mutex);
    env.games.reset(seen);
}

void step(VectorEnv& env, const Array<const int32_t>& actions, const Array<float>& rewards,
          const Array<bool>& terminated, const Array<uint8_t>& endings,
          const Array<int32_t>& move_counts, const OptionalArray<uint8_t>& players,
          const OptionalArray<int8_t>& masks, const Planes& planes,
          const OptionalArray<float>& scalars) {
    const int games = env.games.size();
    const int32_t* const numbers = data_of(actions, "actions", games, 1);
    const StepResults results{
        data_of(rewards, "rewards", games, 1), data_of(terminated, "terminated", games, 1),
        data_of(endings, "endings", games, 1), data_of(move_counts, "move_counts", games, 1)};
    const Observations seen = observations_of(env, players, masks, planes, scalars);
    const InterpreterRelease release;
    const std::lock_guard lock(env.mutex);
    env.games.step(numbers, results, seen);
}

void random_actions(VectorEnv& env, const Array<int32_t>& actions) {
    int32_t* const numbers = data_of(actions, "actions", env.games.size(), 1);
    const InterpreterRelease release;
    const std::lock_guard lock(env.mutex);
    env.games.random_actions(numbers);
}

void seed(VectorEnv& env, uint64_t value) {
    const InterpreterRelease release;
    const std::lock_guard lock(env.mutex);
    env.games.seed(value);
}

QuoridorState state(VectorEnv& env, int index) {
    if (index < 0 || index >= env.games.size())
        throw nb::index_error(("no game " + std::to_string(index)).c_str());
    QuoridorState found;
    {
        const InterpreterRelease release;
        const std::lock_guard lock(env.mutex);
        found.position = env.games.game(index).position;
        found.history = env.games.game(index).history;
    }
    found.config = env.config;
    return found;
}

}  // namespace

void bind_quoridor_vector(nb::module_& m) {
    const auto out = [](const char* name) { return nb::arg(name).noconvert(); };
    const auto optional_out = [](const char* name) {
        return nb::arg(name).noconvert().none() = nb::none();
    };
#define PLYGROUND_OBSERVATIONS                                   \
    "players: numpy.typing.NDArray[numpy.uint8] | None = None, " \
    "masks: numpy.typing.NDArray[numpy.int8] | None = None, "    \
    "planes: numpy.typing.NDArray[numpy.float32] | "             \
    "numpy.typing.NDArray[numpy.uint8] | None = None, "          \
    "scalars: numpy.typing.NDArray[numpy.float32] | None = None) -> None"
    nb::class_<VectorEnv>(m, "QuoridorVector",
                          "Many games, stepped with one call on several threads. Output arrays "
                          "have one row per game.")
        .def("__init__", &init, "games"_a, "start"_a, "illegal"_a = "lose", "threads"_a = 1,
             "seed"_a = 0, "history_length"_a = 4,
             "Every game begins at `start`; planes show `history_length` positions.")
        .def("reset", &reset, optional_out("players"), optional_out("masks"),
             optional_out("planes"), optional_out("scalars"),
             nb::sig("def reset(self, " PLYGROUND_OBSERVATIONS),
             "Restart every game. Planes are float32 or uint8 [games, planes, n, n], or uint8 "
             "[games, bytes] for bits, the first in the lowest bit of the first byte.")
        .def("step", &step, "actions"_a.noconvert(), out("rewards"), out("terminated"),
             out("endings"), out("move_counts"), optional_out("players"), optional_out("masks"),
             optional_out("planes"), optional_out("scalars"),
             nb::sig("def step(self, actions: numpy.typing.NDArray[numpy.int32], "
                     "rewards: numpy.typing.NDArray[numpy.float32], "
                     "terminated: numpy.typing.NDArray[numpy.bool_], "
                     "endings: numpy.typing.NDArray[numpy.uint8], "
                     "move_counts: numpy.typing.NDArray[numpy.int32], " PLYGROUND_OBSERVATIONS),
             "Play one move in every game; games that end are restarted.")
        .def("random_actions", &random_actions, out("actions"),
             nb::sig("def random_actions(self, actions: numpy.typing.NDArray[numpy.int32]) -> "
                     "None"),
             "Write a legal action for every game, all equally likely.")
        .def("seed", &seed, "seed"_a, "Seed the random choices of every game.")
        .def("state", &state, "index"_a, "The position of one game.");
#undef PLYGROUND_OBSERVATIONS
}

}  // namespace plyground
