// Reversi's vector environment; game_vector.h describes it. The board is not turned: the player to
// move sees its own discs first, and actions have the same numbers for both.
#pragma once

#include <bit>
#include <cstdint>

#include "games/game_vector.h"
#include "games/reversi.h"

namespace plyground::reversi {

class VectorRules {
  public:
    struct Settings : VectorSettings {
        Position start;  // of every game
    };
    struct Game {
        Position position;
        Squares moves = 0;       // where the player to move may play; none means that it must pass
        int32_t move_count = 0;  // since the start, passes included
    };
    static constexpr int kScalars = 2;      // the player (0 or 1), the share of squares with a disc
    static constexpr int kMaskBytes = 9;    // the squares, the pass
    static constexpr int kPlaneBytes = 16;  // own discs, the opponent's

    explicit VectorRules(const Settings& settings);

    const Settings& settings() const { return settings_; }
    int actions() const { return kActions; }
    int plane_values() const { return 2 * kSquares; }

    void restart(Game& game) const { game = {settings_.start, first_moves_, 0}; }
    int mover(const Game& game) const { return game.position.to_move; }
    int move_count(const Game& game) const { return game.move_count; }
    bool is_legal(const Game& game, int32_t number) const {
        return number == kPass ? !game.moves : (game.moves & bit_of(number)) != 0;
    }
    void require_legal(const Game& game, int32_t number) const;
    Played play(Game& game, int32_t number) const;
    int32_t random_action(const Game& game, SplitMix64& rng) const;
    void write_mask(const Game& game, uint8_t* bits) const;
    void write_planes(const Game& game, uint8_t* bits) const;
    void write_scalars(const Game& game, float* scalars) const;

  private:
    Settings settings_;
    Squares first_moves_;  // of the start position
};

using ReversiVector = GameVector<VectorRules>;

}  // namespace plyground::reversi

namespace plyground {
extern template class GameVector<reversi::VectorRules>;
}  // namespace plyground
