// Thousands of games side by side, stepped with one call: an array of actions in, arrays of rewards
// and observations out. A game that ends starts again at once, and its end is reported.
//
// Actions, masks and planes are all seen by the player to move, as `encode` shows the board: for
// player 2 the rows are turned. Actions are dense numbers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "base/workers.h"
#include "games/quoridor.h"
#include "games/quoridor_encoding.h"

namespace plyground::quoridor {

// What an action that is not legal does to its game.
enum class IllegalPolicy : uint8_t {
    kLose,    // the mover loses
    kRaise,   // the whole step is refused: nothing is played
    kRandom,  // a random legal move is played instead
};

// How a game ended: the rules' outcomes by their numbers (0 while it goes on), and one more.
inline constexpr uint8_t kIllegalEnding = static_cast<uint8_t>(Outcome::kNoProgress) + 1;

// What a step did, an element a game.
struct StepResults {
    float* rewards;        // for the player who moved: 1, -1 (illegal), the draw's value, else 0
    bool* terminated;      // the game ended; the position shown is the next one's start
    uint8_t* endings;      // how
    int32_t* move_counts;  // of the game that was stepped, its last move included
};

enum class PlaneFormat : uint8_t {
    kBits,    // 8 values a byte, the first in the lowest bit; a game starts on a whole byte
    kBytes,   // 0 or 1
    kFloats,  // as `encode` writes them
};

// What the players to move are shown, a row a game; null pointers are left out.
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
        Position start;  // of every game, with the moves before it
        History history;
        int frames = 4;  // that planes show
        float draw_reward = -0.05F;
        IllegalPolicy illegal = IllegalPolicy::kLose;
        int threads = 1;
    };
    struct Game {
        Position position;
        History history;
        LegalMoves legal;
        SplitMix64 rng;  // its own, so that threads do not change what is drawn
    };

    QuoridorVector(int games, const Settings& settings, uint64_t seed);

    int size() const { return static_cast<int>(games_.size()); }
    const Settings& settings() const { return settings_; }
    const Game& game(int index) const { return games_[index]; }
    int actions() const { return action_count(settings_.start.rules.size); }
    int plane_values() const;

    void seed(uint64_t seed);
    // Every game from the start.
    void reset(const Observations& seen);
    // Plays one move in each game. Throws IllegalMoveError, before anything is played, for an
    // action that is no number of an action and, under kRaise, for one that is not legal.
    void step(const int32_t* actions, const StepResults& results, const Observations& seen);
    // A legal action for each game, all equally likely.
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
    // The action behind each number, and the number of each action, as either player sees them.
    std::array<std::array<Action, kActions>, 2> seen_action_{};
    std::array<std::array<uint8_t, kActions>, 2> seen_number_{};
    std::vector<Game> games_;
    Workers workers_;
};

}  // namespace plyground::quoridor
