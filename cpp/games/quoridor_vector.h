// A vector environment: thousands of games, stepped with one call. An array of actions goes in,
// arrays of rewards and observations come out. A game that ends is reported and restarted at once.
//
// Actions, masks and planes are from the point of view of the player to move, as in `encode`: for
// player 2 the rows are reversed. Actions are dense numbers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "base/workers.h"
#include "games/quoridor.h"
#include "games/quoridor_encoding.h"

namespace plyground::quoridor {

// The consequence of an illegal action.
enum class IllegalPolicy : uint8_t {
    kLose,    // the mover loses
    kRaise,   // the whole step is rejected: nothing is played
    kRandom,  // a random legal move is played instead
};

// How a game ended: the numbers of Outcome (0 while it is ongoing), and one more.
inline constexpr uint8_t kIllegalEnding = static_cast<uint8_t>(Outcome::kNoProgress) + 1;

// The results of a step, one element per game.
struct StepResults {
    float* rewards;        // for the player who moved: 1, -1 (illegal), the draw reward, else 0
    bool* terminated;      // the game ended; the observation is of the next game's start
    uint8_t* endings;      // how it ended
    int32_t* move_counts;  // of the stepped game, including its last move
};

enum class PlaneFormat : uint8_t {
    kBits,    // 8 values per byte, the first in the lowest bit; each game starts a new byte
    kBytes,   // 0 or 1
    kFloats,  // as `encode` writes them
};

// Observations of the players to move, one row per game; null pointers are skipped.
struct Observations {
    uint8_t* players = nullptr;  // 1 or 2
    int8_t* masks = nullptr;     // [action_count]
    void* planes = nullptr;      // [4 * frames, n, n]
    PlaneFormat format = PlaneFormat::kFloats;
    float* scalars = nullptr;  // [kScalars]
};

class QuoridorVector {
  public:
    struct Settings {
        Position start;   // of every game
        History history;  // the moves before it
        int frames = 4;   // in the planes
        float draw_reward = -0.05F;
        IllegalPolicy illegal = IllegalPolicy::kLose;
        int threads = 1;
    };
    struct Game {
        Position position;
        History history;
        LegalMoves legal;
        SplitMix64 rng;  // one per game, so that results do not depend on the threads
    };

    QuoridorVector(int games, const Settings& settings, uint64_t seed);

    int size() const { return static_cast<int>(games_.size()); }
    const Settings& settings() const { return settings_; }
    const Game& game(int index) const { return games_[index]; }
    int actions() const { return action_count(settings_.start.rules.size); }
    int plane_values() const;

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
    void step_game(int index, int32_t action, const StepResults& results);
    void show(int index, const Observations& seen) const;
    void restart(Game& game) const;

    Settings settings_;
    LegalMoves first_moves_;  // of the start position
    // The action of each number, and the number of each action, from each player's point of view.
    std::array<std::array<Action, kActions>, 2> seen_action_{};
    std::array<std::array<uint8_t, kActions>, 2> seen_number_{};
    std::vector<Game> games_;
    Workers workers_;
};

}  // namespace plyground::quoridor
