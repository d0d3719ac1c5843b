// What the alpha-beta search asks of a game. It is a template over this, so that no hot loop calls
// anything through a pointer.
#pragma once

#include <concepts>
#include <functional>

#include "search/limits.h"
#include "search/tt.h"

namespace plyground {

// The end of the game or a solved position, where that costs less than `depth` plies of search.
template <class K>
concept KnowsResults = requires(K& knowledge, typename K::Node& node) {
    { knowledge.known_result(node, 1)->score } -> std::convertible_to<Score>;
    { knowledge.known_result(node, 1)->bound } -> std::convertible_to<Bound>;
};
// The same where it depends on the window, since proving that it is missed costs less than the
// exact score, and takes a small search of its own, whose nodes are counted.
template <class K>
concept KnowsByWindow = requires(K& knowledge, typename K::Node& node, uint64_t& nodes) {
    {
        knowledge.known_result(node, 1, Score{}, Score{}, nodes)->score
    } -> std::convertible_to<Score>;
};

// The legal moves that are worth a try, with their order.
template <class K>
concept Generates = requires(K& knowledge, typename K::Node& node, typename K::Moves& moves) {
    knowledge.generate(node, moves);
};
// The same, with more care for the order where the search below is deep.
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
        // A node is a position with whatever the game keeps beside it; a child is made from its
        // parent.
        knowledge.enter_root(position, node);
        knowledge.enter(node, action, node);
        knowledge.enter_null(node, node);
        { knowledge.evaluate(node) } -> std::same_as<Score>;
        // The legal moves that were left out, and those that may upset the evaluation.
        knowledge.add_rest(node, moves);
        knowledge.generate_unquiet(node, moves);
        { knowledge.is_legal(node, action) } -> std::same_as<bool>;
        { knowledge.is_threatened(node) } -> std::same_as<bool>;
        { knowledge.may_pass(node) } -> std::same_as<bool>;
        { K::plies_to_draw(position) } -> std::same_as<int>;
        { K::is_reversible(action) } -> std::same_as<bool>;
        { K::kActions } -> std::convertible_to<int>;
        { K::kMargins } -> std::convertible_to<SearchMargins>;
    };

// What only some games bring; the search asks at compile time, and the others pay nothing.

// Results of the game's own, kept in the search's table under keys of their own.
template <class K>
concept UsesTable = requires(K& knowledge, Table& table) { knowledge.use(table); };
// A root near enough to the end to be searched to it.
template <class K>
concept SolvesRoots = requires(K& knowledge, typename K::Node& node, const Limits& limits,
                               SearchStats& stats, const std::function<bool(uint64_t)>& go_on) {
    { knowledge.is_solvable(node, limits, 1, 0.0) } -> std::same_as<bool>;
    { knowledge.solve(node, Score{}, 1, 0, stats, go_on).exact } -> std::convertible_to<bool>;
};
// Deep results foretold by shallow ones: how shallow, and how far off they may be.
template <class K>
concept HasProbCut = requires(K& knowledge, typename K::Node& node) {
    { knowledge.probcut(node, 1)->depth } -> std::convertible_to<int>;
    { knowledge.probcut(node, 1)->margin } -> std::convertible_to<Score>;
};

}  // namespace plyground
