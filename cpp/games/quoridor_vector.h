// Quoridor's vector environment; game_vector.h describes it. Actions, masks and planes are as in
// `encode`: for player 2 the rows are reversed. Actions are dense numbers.
#pragma once

#include <array>
#include <cstdint>

#include "games/game_vector.h"
#include "games/quoridor.h"
#include "games/quoridor_encoding.h"

namespace plyground::quoridor {

class VectorRules {
  public:
    struct Settings : VectorSettings {
        Position start;   // of every game
        History history;  // the moves before it
        int frames = 4;   // in the planes
        float draw_reward = -0.05F;
    };
    struct Game {
        Position position;
        History history;
        LegalMoves legal;
    };
    static constexpr int kScalars = quoridor::kScalars;
    static constexpr int kMaskBytes = 32;  // 209 bits, and room for a whole last word
    static constexpr int kPlaneBytes = kPlanesPerFrame * (History::kCapacity + 1) * kCells / 8 + 8;

    explicit VectorRules(const Settings& settings);

    const Settings& settings() const { return settings_; }
    int actions() const { return action_count(settings_.start.rules.size); }
    int plane_values() const;

    void restart(Game& game) const;
    int mover(const Game& game) const { return game.position.to_move; }
    int move_count(const Game& game) const { return game.position.move_count; }
    bool is_legal(const Game& game, int32_t number) const {
        return game.legal.has(seen_action_[mover(game)][number]);
    }
    void require_legal(const Game& game, int32_t number) const;
    Played play(Game& game, int32_t number) const;
    int32_t random_action(const Game& game, SplitMix64& rng) const;
    void write_mask(const Game& game, uint8_t* bits) const;
    void write_planes(const Game& game, uint8_t* bits) const;
    void write_scalars(const Game& game, float* scalars) const {
        encode_scalars(game.position, scalars);
    }

  private:
    Settings settings_;
    LegalMoves first_moves_;  // of the start position
    // The action of each number, and the number of each action, from each player's point of view.
    std::array<std::array<Action, kActions>, 2> seen_action_{};
    std::array<std::array<uint8_t, kActions>, 2> seen_number_{};
};

using QuoridorVector = GameVector<VectorRules>;

}  // namespace plyground::quoridor

namespace plyground {
extern template class GameVector<quoridor::VectorRules>;
}  // namespace plyground
