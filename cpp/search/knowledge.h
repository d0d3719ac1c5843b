// The interface between the alpha-beta search and a game. The search is a template over it, so hot
// loops make no calls through pointers.
#pragma once

#include <concepts>
#include <functional>
#include <optional>

#include "search/limits.h"
#include "search/tt.h"

namespace plyground {

// Safety margins of the search's pruning, in units of the game's evaluation.
struct SearchMargins {
    Score aspiration = 200;        // half the window around the last iteration's score
    Score reverse_futility = 120;  // per ply, to cut a node far above beta
    Score futility = 150;          // per ply, to skip a move that cannot lift the score
};

// Returns the result of a finished game or of a solved position, as long as finding it costs less
// than searching `depth` plies.
template <class K>
concept KnowsResults = requires(K& knowledge, typename K::Node& node) {
    { knowledge.known_result(node, 1)->score } -> std::convertible_to<Score>;
    { knowledge.known_result(node, 1)->bound } -> std::convertible_to<Bound>;
};
// The same for a game that solves positions by a small search of its own: it takes the window,
// since a bound is cheaper than the exact score, and adds its nodes to the count.
template <class K>
concept KnowsByWindow = requires(K& knowledge, typename K::Node& node, uint64_t& nodes) {
    {
        knowledge.known_result(node, 1, Score{}, Score{}, nodes)->score
    } -> std::convertible_to<Score>;
};

// Generates the candidate moves with their order; all of them are legal.
template <class K>
concept Generates = requires(K& knowledge, typename K::Node& node, typename K::Moves& moves) {
    knowledge.generate(node, moves);
};
// The same for a game that spends more on the order when the remaining depth is large.
template <class K>
concept GeneratesByDepth =
    requires(K& knowledge, typename K::Node& node, typename K::Moves& moves) {
        knowledge.generate(node, moves, 1);
    };

template <class K>
concept GameKnowledge =
    (KnowsResults<K> || KnowsByWindow<K>) && (Generates<K> || GeneratesByDepth<K>) &&
    requires(K& knowledge, const typename K::Position& position, typename K::Node& node,
             typename K::Moves& moves, typename K::Action action) {
        { position.key } -> std::convertible_to<uint64_t>;
        { position.to_move } -> std::convertible_to<int>;
        // A node is a position with data that the game caches beside it. A child node is built from
        // its parent; a null move only changes the side to move.
        knowledge.enter_root(position, node);
        knowledge.enter(node, action, node);
        knowledge.enter_null(node, node);
        { knowledge.evaluate(node) } -> std::same_as<Score>;
        // Appends the legal moves that `generate` left out.
        knowledge.add_rest(node, moves);
        // Generates the moves for the quiescence search: those that may change the evaluation a
        // lot. May generate none.
        knowledge.generate_tactical(node, moves);
        { knowledge.is_legal(node, action) } -> std::same_as<bool>;
        // Whether the opponent threatens to win at once, so that the evaluation cannot be trusted.
        { knowledge.is_threatened(node) } -> std::same_as<bool>;
        // Whether passing would be worse than the best move, as null move pruning assumes.
        { knowledge.allows_null_move(node) } -> std::same_as<bool>;
        // Plies after which the draw counters can end the game.
        { K::plies_to_draw(position) } -> std::same_as<int>;
        // Whether a position before this action can occur again after it.
        { K::is_reversible(action) } -> std::same_as<bool>;
        { K::kActions } -> std::convertible_to<int>;
        { K::kMargins } -> std::convertible_to<SearchMargins>;
    };

// Optional parts. The search tests for them at compile time, and a game without them pays nothing.

// Stores results of its own in the search's table, under keys that the search does not use.
template <class K>
concept UsesTable = requires(K& knowledge, Table& table) { knowledge.use_table(table); };
// Searches a node of less depth than this faster than the table finds its result.
template <class K>
concept LimitsTable = requires {
    { K::kTableDepth } -> std::convertible_to<int>;
};
// Searches a node of depth 1 itself, without making nodes of the positions after its moves.
template <class K>
concept SearchesLastPly = requires(K& knowledge, typename K::Node& node, uint64_t& nodes) {
    {
        knowledge.search_last_ply(node, Score{}, false, nodes)
    } -> std::same_as<std::optional<Score>>;
};
// Knows after how many plies the game ends, passes aside.
template <class K>
concept KnowsEnd = requires(const K& knowledge, const typename K::Node& node) {
    { knowledge.plies_to_end(node) } -> std::convertible_to<int>;
};
// Can solve a root that is close enough to the end of the game.
template <class K>
concept SolvesRoots =
    requires(K& knowledge, typename K::Node& node, const Limits& limits, SearchStats& stats,
             const std::function<bool(uint64_t)>& keep_going) {
        { knowledge.is_solvable(node, limits, 1, 0.0) } -> std::same_as<bool>;
        {
            knowledge.solve(node, Score{}, 1, 0, stats, keep_going).exact
        } -> std::convertible_to<bool>;
    };
// Predicts deep scores from shallow ones: the shallow depth, and the margin of error.
template <class K>
concept HasProbCut = requires(K& knowledge, typename K::Node& node) {
    { knowledge.probcut(node, 1)->depth } -> std::convertible_to<int>;
    { knowledge.probcut(node, 1)->margin } -> std::convertible_to<Score>;
};

}  // namespace plyground
