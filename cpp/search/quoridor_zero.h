// Quoridor as the Gumbel tree search and self-play see it.
#pragma once

#include <cstdint>
#include <optional>

#include "games/quoridor.h"
#include "games/quoridor_encoding.h"
#include "games/quoridor_features.h"
#include "search/gumbel.h"
#include "search/quoridor_knowledge.h"

namespace plyground::quoridor {

// A position as networks see it: with the moves before it, for those that read its history.
struct NetPosition : Position {
    History history{};
    uint8_t frames = 0;  // positions that the network sees, this one included; 0: without history

    NetPosition() = default;
    NetPosition(const Position& position, const History& moves_before = {}, int frames_seen = 0)
        : Position(position), history(moves_before), frames(static_cast<uint8_t>(frames_seen)) {}
};

struct Zero {
    using Position = NetPosition;
    static constexpr int kActions = quoridor::kActions;
    static constexpr int kFeatureBytes = quoridor::kFeatureBytes;
    static size_t feature_bytes(const Position& position) {
        return position.frames > 0 ? history_feature_bytes(position.frames) : kFeatureBytes;
    }
    static constexpr int kUsualMoves = 136;  // more than nearly all positions have

    struct Leaf {
        LegalMoves moves;  // in the mover's view
        float heuristic;
    };

    // Results that are known without a network: the end of the game, a win on the move, and races,
    // that is, one hand or both are empty. Quick are races in which the pawns never meet, and
    // others that are solved already; to solve one takes as long as a hundred simulations. One
    // object a thread: it keeps the races it has solved.
    class Exact {
      public:
        explicit Exact(gumbel::Effort effort = gumbel::Effort::kQuick) : effort_(effort) {}
        std::optional<gumbel::Verdict> known(const quoridor::Position& position);
        // How much shorter the mover's path is than the opponent's at the end of the game. Where
        // one side wins in that many plies both walk on as they can: the winner arrives and the
        // loser makes every other move.
        static int final_margin(const quoridor::Position& position, const gumbel::Verdict& known);

      private:
        gumbel::Effort effort_;
        Knowledge knowledge_{Weights{}, SearchOptions{}};
        Knowledge::Node node_;
    };

    // Plays an action in the mover's view.
    static void play(Position& position, int action) {
        const auto seen = static_cast<Action>(action);
        const Action played = position.to_move == 0 ? seen : flip(seen, position.rules.size);
        if (position.frames > 0) position.history.push(position, played);
        position.play(played);
    }
    // All that the features show: the key, the counters that draws depend on, and the frames.
    static uint64_t key(const Position& position) {
        const uint64_t key = mix64(
            position.key ^ mix64(uint64_t{position.move_count} << 16 | position.moves_since_wall));
        return position.frames > 1 ? mix64(key ^ frames_key(position)) : key;
    }
    static Leaf pack(const Position& position, uint8_t* features) {
        if (position.frames > 0) {
            const LegalMoves legal =
                pack_history_features(position, position.history, position.frames, features);
            return {legal, heuristic(position)};
        }
        const SeenMoves seen = pack_features(seen_by_mover(position), features);
        const quoridor::Position& p = position;
        return {seen.legal,
                guess(seen.path[0], seen.path[1], p.hand[p.to_move], p.hand[1 - p.to_move])};
    }
    static LegalMoves legal_moves(const quoridor::Position& position) {
        return seen_by_mover(position).legal_moves();
    }
    // A random move as openings have them: a step towards the goal, or now and then any wall.
    static int opening_move(const quoridor::Position& position, SplitMix64& rng);
    static float heuristic(const quoridor::Position& position);
    // Gives both players another number of walls: any from 0 to the number of slots, at most 20,
    // which is as far as the network's features count.
    static void randomize_start(quoridor::Position& position, SplitMix64& rng);
    // Whether the result is sure to be found by `Exact` with `kAll`: both hands are empty.
    static bool is_solvable(const quoridor::Position& position) {
        return position.hand[0] == 0 && position.hand[1] == 0;
    }

  private:
    // The moves between the frames.
    static uint64_t frames_key(const Position& position);
    // tanh((opponent's path - mine + half a step for the move + half a step a wall more) / 4): what
    // untrained networks are helped along with, chosen by hand.
    static float guess(int my_path, int other_path, int my_walls, int other_walls);
};

}  // namespace plyground::quoridor

namespace plyground::gumbel {
extern template class Tree<quoridor::Zero>;
extern template void Tree<quoridor::Zero>::expand(size_t, const float*, float);
extern template void Tree<quoridor::Zero>::expand(size_t, const uint16_t*, float);
}  // namespace plyground::gumbel
