// Quoridor for the alpha-beta search: evaluation, exact results, candidate moves.
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
    kNarrow,    // steps before the shortest path first branches
    kLead,      // steps ahead, times the walls in hand of the player behind
    kCuts,      // free slots where one wall would cut the shortest path of the node
    kCentre,    // columns away from the middle
    kRoutes,    // width of the narrowest layer of cells that all shortest paths pass through
    kFeatures
};
inline constexpr std::array<const char*, kFeatures> kFeatureNames{
    "path", "walls", "tempo", "progress", "narrow", "lead", "cuts", "centre", "routes"};

// Weights in hundredths of a step, measured in matches (docs/search.md). The last three gained
// nothing; they remain for the tuner, and cost no time while they are 0.
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

    // A position with a shortest path of each player. The path is the parent's if the move left it
    // intact, else the node's own.
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

    // The result of a finished game or of a solved race. `depth` is the search that a result saves.
    struct Known {
        Score score;
        Bound bound;
    };
    std::optional<Known> known_result(const Node& node, int depth);
    Score evaluate(const Node& node) const;
    // The terms of the evaluation. Expensive ones stay 0 if their weight is 0.
    std::array<int, kFeatures> features(const Node& node) const;

    // The candidate moves: pawn moves, and walls that cut a path or join obstacles. `add_rest` adds
    // the other legal walls.
    void generate(const Node& node, Moves& moves) const;
    void add_rest(const Node& node, Moves& moves) const;
    // Walls with a large net gain, for the quiescence search.
    void generate_tactical(const Node& node, Moves& moves) const;
    bool is_legal(const Node& node, Action action) const { return node.position.is_legal(action); }
    // The opponent is one step from its goal.
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
    // The path fields of both players in a node, built on first use.
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
    // The change of the evaluation for the mover: steps that the wall adds to the opponent's path,
    // less those added to the mover's own, less the cost of a wall. Nullopt if the wall is illegal.
    std::optional<int> wall_gain(const Node& node, Fields& fields, Action wall) const;

    Weights weights_;
    SearchOptions options_;
    RaceCache races_;
};

}  // namespace plyground::quoridor
