// What the alpha-beta search knows about Quoridor: evaluation, exact results, candidate moves.
#pragma once

#include <array>
#include <optional>

#include "games/quoridor.h"
#include "games/quoridor_paths.h"
#include "search/knowledge.h"
#include "search/limits.h"
#include "search/moves.h"
#include "search/options.h"
#include "search/quoridor_race.h"
#include "search/tt.h"

namespace plyground::quoridor {

// The evaluation's terms, each counted for the side to move minus for the other.
enum Feature : int {
    kPath,      // steps of the opponent's shortest path, less mine
    kWalls,     // walls in hand
    kTempo,     // 1: it is my move
    kProgress,  // rows advanced
    kNarrow,    // steps before the shortest path first branches: few walls can turn it
    kLead,      // steps ahead, times the walls in hand of whoever is behind
    kCuts,      // free slots where one wall would cut the known shortest path
    kCentre,    // columns away from the middle
    kRoutes,    // shortest paths side by side: cells in the narrowest place that all go through
    kFeatures
};
inline constexpr std::array<const char*, kFeatures> kFeatureNames{
    "path", "walls", "tempo", "progress", "narrow", "lead", "cuts", "centre", "routes"};

// Weights in hundredths of a step, found by matches (docs/search.md). The last three did not pay;
// they are there for the tuner, and cost nothing at 0.
struct Weights {
    std::array<int, kFeatures> of{100, 180, 50, 15, 8, 5, 0, 0, 0};
};

class Knowledge {
  public:
    using Action = quoridor::Action;
    using Position = quoridor::Position;
    using Weights = quoridor::Weights;
    using Moves = MoveList<quoridor::kActions>;
    static constexpr int kActions = quoridor::kActions;
    static constexpr SearchMargins kMargins{200, 120, 150};

    // A position in the search with a shortest path of each player: the parent's, where the move
    // left it intact, or its own.
    struct Node {
        Position position;
        RoutePair route;
        std::array<Route, 2> own;

        int distance(int player) const { return route[player]->length; }
        void find_own_route(int player) {
            find_route(position, player, own[player]);
            route[player] = &own[player];
        }
    };

    Knowledge(const Weights& weights, const SearchOptions& options)
        : weights_(weights), options_(options) {}

    void clear() { races_ = RaceCache(); }

    void enter_root(const Position& position, Node& node) const;
    void enter(const Node& parent, Action action, Node& child) const;
    // The same position with the other side to move.
    void enter_null(const Node& parent, Node& child) const;

    // An end of the game, or a race that is solved; `depth` is what searching on would cost.
    struct Known {
        Score score;
        Bound bound;
    };
    std::optional<Known> known_result(const Node& node, int depth);
    Score evaluate(const Node& node) const;
    // The terms; those with no weight are left at 0.
    std::array<int, kFeatures> features(const Node& node) const;

    // The legal moves that are worth a try; `add_rest` adds the others.
    void generate(const Node& node, Moves& moves) const;
    void add_rest(const Node& node, Moves& moves) const;
    // Moves that may turn the evaluation, for the quiescence search.
    void generate_tactical(const Node& node, Moves& moves) const;
    bool is_legal(const Node& node, Action action) const { return node.position.is_legal(action); }
    // The other side is about to arrive.
    bool is_threatened(const Node& node) const {
        return node.distance(1 - node.position.to_move) <= 1;
    }
    bool allows_null_move(const Node& node) const {
        return node.position.hand[node.position.to_move] > 0;
    }

    // Plies after which the draw counters can end the game.
    static int plies_to_draw(const Position& position) {
        return std::min(position.rules.max_moves - position.move_count,
                        position.rules.no_progress_limit - position.moves_since_wall);
    }
    static bool is_reversible(Action action) { return !is_wall(action); }

  private:
    struct WallClasses {
        LegalMoves cutting, joining, rest;
    };
    WallClasses classify_walls(const Node& node) const;
    std::optional<Known> race_result(const Node& node, int depth);
    bool runs_free(const Node& node, int runner) const;
    // Both players' fields in a node, made when they are first asked for.
    class Fields {
      public:
        explicit Fields(const Node& node) : node_(node) {}
        const PathField& of(int player) {
            if (!made_[player]) {
                fields_[player].build(node_.position, player, node_.distance(player));
                made_[player] = true;
            }
            return fields_[player];
        }

      private:
        const Node& node_;
        std::array<bool, 2> made_{};
        std::array<PathField, 2> fields_;
    };
    // How much a wall lengthens the opponent's path less how much it lengthens the mover's own, in
    // the evaluation's units; nothing if it shuts someone in.
    std::optional<int> wall_gain(const Node& node, Fields& fields, Action wall) const;

    Weights weights_;
    SearchOptions options_;
    RaceCache races_;
};

}  // namespace plyground::quoridor
