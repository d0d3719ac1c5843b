// A vector environment: thousands of games, stepped with one call. An array of actions goes in,
// arrays of rewards and observations come out. A game that ends is reported and restarted at once.
//
// `GameVector` is a template over `VectorRules`, which each game defines: quoridor_vector.h and
// reversi_vector.h. Actions, masks and planes are from the point of view of the player to move.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "base/workers.h"

namespace plyground {

// The consequence of an illegal action.
enum class IllegalPolicy : uint8_t {
    kLose,    // the mover loses
    kRaise,   // the whole step is rejected: nothing is played
    kRandom,  // a random legal move is played instead
};

// How a game ended. Python's `Ending` has the same numbers.
enum class Ending : uint8_t {
    kOngoing,
    kPlayer1,
    kPlayer2,
    kMoveLimit,
    kNoProgress,
    kIllegal,
    kDraw,
};

// The results of a step, one element per game.
struct StepResults {
    float* rewards;    // for the player who moved: 1, -1, the draw reward, 0 while it is ongoing
    bool* terminated;  // the game ended; the observation is of the next game's start
    uint8_t* endings;  // how it ended
    int32_t* move_counts;  // of the stepped game, including its last move
};

enum class PlaneFormat : uint8_t {
    kBits,    // 8 values per byte, the first in the lowest bit; each game starts a new byte
    kBytes,   // 0 or 1
    kFloats,  // 0 or 1
};

// Observations of the players to move, one row per game; null pointers are skipped.
struct Observations {
    uint8_t* players = nullptr;  // 1 or 2
    int8_t* masks = nullptr;     // [actions]
    void* planes = nullptr;      // [plane_values]
    PlaneFormat format = PlaneFormat::kFloats;
    float* scalars = nullptr;  // [kScalars]
};

// Settings of every game; those of one game extend them.
struct VectorSettings {
    IllegalPolicy illegal = IllegalPolicy::kLose;
    int threads = 1;
};

// `VectorRules` has the types `Settings` and `Game`, the constants `kScalars`, `kMaskBytes` and
// `kPlaneBytes` (buffers that the largest mask and planes fit in), a constructor from the settings,
// and as const methods:
//     settings(), actions(), plane_values()
//     restart(game), mover(game), move_count(game)
//     is_legal(game, number), require_legal(game, number)   the latter throws IllegalMoveError
//     play(game, number) -> Played                          of a legal action
//     random_action(game, rng) -> number
//     write_mask(game, bits), write_planes(game, bits)      lowest bit first
//     write_scalars(game, scalars)
template <class VectorRules>
class GameVector {
  public:
    using Settings = typename VectorRules::Settings;
    using Game = typename VectorRules::Game;
    static constexpr int kScalars = VectorRules::kScalars;

    GameVector(int games, const Settings& settings, uint64_t seed);

    int size() const { return static_cast<int>(games_.size()); }
    const Settings& settings() const { return rules_.settings(); }
    const Game& game(int index) const { return games_[index]; }
    int actions() const { return rules_.actions(); }
    int plane_values() const { return rules_.plane_values(); }

    void seed(uint64_t seed);
    // Restarts every game.
    void reset(const Observations& seen);
    // Plays one move in each game. Throws IllegalMoveError, before anything is played, for a number
    // out of range and, under kRaise, for an illegal action.
    void step(const int32_t* actions, const StepResults& results, const Observations& seen);
    // Draws a legal action for each game, all equally likely.
    void random_actions(int32_t* actions);

  private:
    // Calls f(index) for every game, on all threads.
    template <class F>
    void for_each_game(const F& f);
    void check(const int32_t* actions) const;
    void step_game(int index, int32_t number, const StepResults& results);
    void show(int index, const Observations& seen) const;
    void show_planes(int index, const Observations& seen) const;

    VectorRules rules_;
    std::vector<Game> games_;
    std::vector<SplitMix64> rngs_;  // one per game, so that results do not depend on the threads
    Workers workers_;
};

// A move's consequence: how the game ended, and the reward of the player who moved.
struct Played {
    Ending ending = Ending::kOngoing;
    float reward = 0.0F;
};

namespace detail {

// The eight bits of each byte as values of type T.
template <class T>
inline constexpr std::array<std::array<T, 8>, 256> kUnpacked = [] {
    std::array<std::array<T, 8>, 256> values{};
    for (int byte = 0; byte < 256; ++byte) {
        for (int bit = 0; bit < 8; ++bit)
            values[byte][bit] = static_cast<T>(byte >> bit & 1);
    }
    return values;
}();

template <class T>
void unpack(const uint8_t* bits, int count, T* out) {
    for (; count >= 8; count -= 8, out += 8)
        std::memcpy(out, kUnpacked<T>[*bits++].data(), sizeof kUnpacked<T>[0]);
    if (count > 0) std::memcpy(out, kUnpacked<T>[*bits].data(), count * sizeof(T));
}

}  // namespace detail

template <class VectorRules>
GameVector<VectorRules>::GameVector(int games, const Settings& settings, uint64_t seed)
    : rules_(settings), games_(games), rngs_(games), workers_(settings.threads) {
    this->seed(seed);
    reset({});
}

template <class VectorRules>
template <class F>
void GameVector<VectorRules>::for_each_game(const F& f) {
    // Games per chunk of work: enough to hide the cost of taking one, few enough to balance the
    // threads.
    constexpr int kChunk = 64;
    if (size() <= kChunk) {  // too few to wake the other threads
        for (int i = 0; i < size(); ++i)
            f(i);
        return;
    }
    workers_.run(games_.size(), kChunk, [&](int, size_t first, size_t last) {
        for (size_t i = first; i < last; ++i)
            f(static_cast<int>(i));
    });
}

template <class VectorRules>
void GameVector<VectorRules>::seed(uint64_t seed) {
    SplitMix64 seeds{seed};
    for (SplitMix64& rng : rngs_)
        rng.state = seeds.next();
}

template <class VectorRules>
void GameVector<VectorRules>::reset(const Observations& seen) {
    for_each_game([&](int i) {
        rules_.restart(games_[i]);
        show(i, seen);
    });
}

template <class VectorRules>
void GameVector<VectorRules>::check(const int32_t* actions) const {
    for (int i = 0; i < size(); ++i) {
        if (actions[i] < 0 || actions[i] >= this->actions()) {
            throw IllegalMoveError("expected actions from 0 to " +
                                   std::to_string(this->actions() - 1) + ", got " +
                                   std::to_string(actions[i]) + " for game " + std::to_string(i));
        }
        if (settings().illegal != IllegalPolicy::kRaise) continue;
        if (rules_.is_legal(games_[i], actions[i])) continue;
        try {
            rules_.require_legal(games_[i], actions[i]);
        } catch (const IllegalMoveError& error) {
            throw IllegalMoveError("game " + std::to_string(i) + ": " + error.what());
        }
    }
}

template <class VectorRules>
void GameVector<VectorRules>::step(const int32_t* actions, const StepResults& results,
                                   const Observations& seen) {
    check(actions);
    for_each_game([&](int i) {
        step_game(i, actions[i], results);
        show(i, seen);
    });
}

template <class VectorRules>
void GameVector<VectorRules>::step_game(int index, int32_t number, const StepResults& results) {
    Game& game = games_[index];
    bool legal = rules_.is_legal(game, number);
    if (!legal && settings().illegal == IllegalPolicy::kRandom) {
        number = rules_.random_action(game, rngs_[index]);
        legal = true;
    }
    const Played played = legal ? rules_.play(game, number) : Played{Ending::kIllegal, -1.0F};
    const bool over = played.ending != Ending::kOngoing;
    results.rewards[index] = played.reward;
    results.terminated[index] = over;
    results.endings[index] = static_cast<uint8_t>(played.ending);
    results.move_counts[index] = rules_.move_count(game);
    if (over) rules_.restart(game);
}

template <class VectorRules>
void GameVector<VectorRules>::show(int index, const Observations& seen) const {
    const Game& game = games_[index];
    const size_t row = static_cast<size_t>(index);
    if (seen.players) seen.players[index] = static_cast<uint8_t>(rules_.mover(game) + 1);
    if (seen.masks) {
        std::array<uint8_t, VectorRules::kMaskBytes> bits;
        rules_.write_mask(game, bits.data());
        detail::unpack(bits.data(), actions(), seen.masks + row * actions());
    }
    if (seen.planes) show_planes(index, seen);
    if (seen.scalars) rules_.write_scalars(game, seen.scalars + row * kScalars);
}

template <class VectorRules>
void GameVector<VectorRules>::show_planes(int index, const Observations& seen) const {
    std::array<uint8_t, VectorRules::kPlaneBytes> bits;
    rules_.write_planes(games_[index], bits.data());
    const size_t row = static_cast<size_t>(index);
    const int values = plane_values();
    if (seen.format == PlaneFormat::kBits) {
        const size_t bytes = (values + 7) / 8;
        std::memcpy(static_cast<uint8_t*>(seen.planes) + row * bytes, bits.data(), bytes);
    } else if (seen.format == PlaneFormat::kBytes) {
        detail::unpack(bits.data(), values, static_cast<uint8_t*>(seen.planes) + row * values);
    } else {
        detail::unpack(bits.data(), values, static_cast<float*>(seen.planes) + row * values);
    }
}

template <class VectorRules>
void GameVector<VectorRules>::random_actions(int32_t* actions) {
    for_each_game([&](int i) { actions[i] = rules_.random_action(games_[i], rngs_[i]); });
}

}  // namespace plyground
