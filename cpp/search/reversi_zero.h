// Reversi as the Gumbel tree search and self-play see it.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "base/rng.h"
#include "games/reversi.h"
#include "games/reversi_features.h"
#include "search/gumbel.h"
#include "search/reversi_endgame.h"

namespace plyground::reversi {

struct Zero {
    using Position = reversi::Position;
    static constexpr int kActions = reversi::kActions;
    static constexpr int kFeatureBytes = reversi::kFeatureBytes;
    static size_t feature_bytes(const Position&) { return kFeatureBytes; }
    static constexpr int kUsualMoves = 14;  // more than nearly all positions have

    // The moves of a game that goes on: squares, or the pass where there are none.
    struct Moves {
        Squares squares;

        template <class F>
        void for_each(F&& f) const {
            if (!squares) f(static_cast<int>(kPass));
            for_each_square(squares, f);
        }
        bool has(int action) const {
            return action == kPass ? !squares : (squares & bit_of(action)) != 0;
        }
    };
    struct Leaf {
        Moves moves;
        float heuristic;
    };

    // Results that are known without a network: the end of the game, and what perfect play comes to
    // when few squares are left. The plies to the end are the empty squares; passes are not
    // counted.
    class Exact {
      public:
        explicit Exact(gumbel::Effort effort = gumbel::Effort::kQuick);
        std::optional<gumbel::Verdict> known(const Position& position);
        // By how many discs the mover wins with perfect play; empty squares count for the winner.
        int final_margin(const Position& position, const gumbel::Verdict& known);

      private:
        int empties_;  // solved up to so many
        EndgameSolver solver_;
    };

    // To win, lose or draw with six squares left takes 0.9 microseconds, as much as the tree spends
    // on a leaf; with ten it takes 20, and 100 for the score: less than evaluating a leaf on a CPU.
    static constexpr int kQuickEmpties = 6;
    static constexpr int kMostEmpties = 10;

    static void play(Position& position, int action) { position.play(static_cast<Action>(action)); }
    static uint64_t key(const Position& position) {
        return mix64(position.own ^ mix64(position.other));
    }
    static Leaf pack(const Position& position, uint8_t* features) {
        return {{pack_features(position, features)}, heuristic(position)};
    }
    static Moves legal_moves(const Position& position) { return {position.moves()}; }
    // Any legal move: the openings of tournaments are drawn the same way.
    static int opening_move(const Position& position, SplitMix64& rng);
    // The classic evaluation, squeezed: what untrained networks are helped along with.
    static float heuristic(const Position& position);
    // The start has no variants.
    static void randomize_start(Position&, SplitMix64&) {}
    // Whether the result is sure to be found by `Exact` with `kAll`.
    static bool is_solvable(const Position& position) {
        return std::popcount(position.empty()) <= kMostEmpties;
    }
};

}  // namespace plyground::reversi

namespace plyground::gumbel {
extern template class Tree<reversi::Zero>;
extern template void Tree<reversi::Zero>::expand(size_t, const float*, float);
extern template void Tree<reversi::Zero>::expand(size_t, const uint16_t*, float);
}  // namespace plyground::gumbel
