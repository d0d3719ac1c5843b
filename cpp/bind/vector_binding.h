// What the bindings of the vector environments share: check the arrays, release the interpreter
// lock, call. plyground.envs wraps them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <mutex>
#include <optional>
#include <string>

#include "base/error.h"
#include "bind/interpreter_lock.h"
#include "games/game_vector.h"

namespace plyground {

template <class T>
using VectorArray = nanobind::ndarray<T, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using OptionalVectorArray = std::optional<VectorArray<T>>;
// Planes are float32 or uint8.
using VectorPlanes = std::optional<nanobind::ndarray<nanobind::c_contig, nanobind::device::cpu>>;

// The games, and a mutex that serializes calls. A waiting thread does not hold the interpreter
// lock.
template <class Vector>
struct SharedVector {
    Vector games;
    std::mutex mutex;
};

// Sets what every game's settings have, after checking it and the number of games.
inline void set_common(VectorSettings& settings, int games, const std::string& illegal,
                       int threads) {
    constexpr int kMostGames = 1 << 24;
    if (games < 1 || games > kMostGames) {
        throw ConfigError("expected 1 to " + std::to_string(kMostGames) + " games, got " +
                          std::to_string(games));
    }
    if (threads < 1 || threads > 256)
        throw ConfigError("expected threads from 1 to 256, got " + std::to_string(threads));
    settings.threads = threads;
    if (illegal == "lose") {
        settings.illegal = IllegalPolicy::kLose;
    } else if (illegal == "raise") {
        settings.illegal = IllegalPolicy::kRaise;
    } else if (illegal == "random") {
        settings.illegal = IllegalPolicy::kRandom;
    } else {
        throw ConfigError("expected illegal to be 'lose', 'raise' or 'random', got '" + illegal +
                          "'");
    }
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
        throw nanobind::value_error(message.c_str());
    }
    return array.data();
}

template <class Vector>
Observations observations_of(const Vector& vector, const OptionalVectorArray<uint8_t>& players,
                             const OptionalVectorArray<int8_t>& masks, const VectorPlanes& planes,
                             const OptionalVectorArray<float>& scalars) {
    const int games = vector.size();
    Observations seen;
    if (players) seen.players = data_of(*players, "players", games, 1);
    if (masks) seen.masks = data_of(*masks, "masks", games, vector.actions());
    if (scalars) seen.scalars = data_of(*scalars, "scalars", games, Vector::kScalars);
    if (planes) {
        const size_t values = vector.plane_values();
        if (planes->dtype() == nanobind::dtype<float>()) {
            seen.format = PlaneFormat::kFloats;
        } else if (planes->dtype() != nanobind::dtype<uint8_t>()) {
            throw nanobind::type_error("expected planes of type float32 or uint8");
        } else {
            seen.format = planes->ndim() == 2 ? PlaneFormat::kBits : PlaneFormat::kBytes;
        }
        const bool bits = seen.format == PlaneFormat::kBits;
        seen.planes = data_of(*planes, "planes", games, bits ? (values + 7) / 8 : values);
    }
    return seen;
}

// A copy of one game.
template <class Vector>
auto game_at(SharedVector<Vector>& env, int index) {
    if (index < 0 || index >= env.games.size())
        throw nanobind::index_error(("no game " + std::to_string(index)).c_str());
    const InterpreterRelease release;
    const std::lock_guard lock(env.mutex);
    return env.games.game(index);
}

// The methods that every game's vector has. `Env` extends `SharedVector`.
template <class Env>
void bind_vector_methods(nanobind::class_<Env>& vector) {
    namespace nb = nanobind;
    using namespace nb::literals;
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
    vector
        .def(
            "reset",
            [](Env& env, const OptionalVectorArray<uint8_t>& players,
               const OptionalVectorArray<int8_t>& masks, const VectorPlanes& planes,
               const OptionalVectorArray<float>& scalars) {
                const Observations seen =
                    observations_of(env.games, players, masks, planes, scalars);
                const InterpreterRelease release;
                const std::lock_guard lock(env.mutex);
                env.games.reset(seen);
            },
            optional_out("players"), optional_out("masks"), optional_out("planes"),
            optional_out("scalars"), nb::sig("def reset(self, " PLYGROUND_OBSERVATIONS),
            "Restart every game. Planes are float32 or uint8 [games, planes, n, n], or uint8 "
            "[games, bytes] for bits, the first in the lowest bit of the first byte.")
        .def(
            "step",
            [](Env& env, const VectorArray<const int32_t>& actions,
               const VectorArray<float>& rewards, const VectorArray<bool>& terminated,
               const VectorArray<uint8_t>& endings, const VectorArray<int32_t>& move_counts,
               const OptionalVectorArray<uint8_t>& players,
               const OptionalVectorArray<int8_t>& masks, const VectorPlanes& planes,
               const OptionalVectorArray<float>& scalars) {
                const int games = env.games.size();
                const int32_t* const numbers = data_of(actions, "actions", games, 1);
                const StepResults results{data_of(rewards, "rewards", games, 1),
                                          data_of(terminated, "terminated", games, 1),
                                          data_of(endings, "endings", games, 1),
                                          data_of(move_counts, "move_counts", games, 1)};
                const Observations seen =
                    observations_of(env.games, players, masks, planes, scalars);
                const InterpreterRelease release;
                const std::lock_guard lock(env.mutex);
                env.games.step(numbers, results, seen);
            },
            "actions"_a.noconvert(), out("rewards"), out("terminated"), out("endings"),
            out("move_counts"), optional_out("players"), optional_out("masks"),
            optional_out("planes"), optional_out("scalars"),
            nb::sig("def step(self, actions: numpy.typing.NDArray[numpy.int32], "
                    "rewards: numpy.typing.NDArray[numpy.float32], "
                    "terminated: numpy.typing.NDArray[numpy.bool_], "
                    "endings: numpy.typing.NDArray[numpy.uint8], "
                    "move_counts: numpy.typing.NDArray[numpy.int32], " PLYGROUND_OBSERVATIONS),
            "Play one move in every game; games that end are restarted.")
        .def(
            "random_actions",
            [](Env& env, const VectorArray<int32_t>& actions) {
                int32_t* const numbers = data_of(actions, "actions", env.games.size(), 1);
                const InterpreterRelease release;
                const std::lock_guard lock(env.mutex);
                env.games.random_actions(numbers);
            },
            out("actions"),
            nb::sig("def random_actions(self, actions: numpy.typing.NDArray[numpy.int32]) -> "
                    "None"),
            "Write a legal action for every game, all equally likely.")
        .def(
            "seed",
            [](Env& env, uint64_t value) {
                const InterpreterRelease release;
                const std::lock_guard lock(env.mutex);
                env.games.seed(value);
            },
            "seed"_a, "Seed the random choices of every game.");
#undef PLYGROUND_OBSERVATIONS
}

}  // namespace plyground
