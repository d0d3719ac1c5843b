// Counting move paths: the usual proof of a move generator, and a measure of its speed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "games/quoridor.h"

namespace plyground::quoridor {

// Counts the move paths of exactly this length; a finished game has no moves. `hash_mb` > 0 lets it
// share subtrees through a table of that size. Throws std::overflow_error for a count beyond 64
// bits. `poll` is called every now and then, and ends the count by throwing. Recurses `depth` deep.
uint64_t perft(const Position& position, int depth, int hash_mb = 0,
               const std::function<void()>& poll = {});

struct PathSums {
    uint64_t leaves = 0;
    std::array<uint64_t, 2> lengths{};  // sums of both players' shortest paths over the leaves
};
// Plays every path of exactly this length and measures both shortest paths at its end: what an
// evaluation at the leaves of a search costs at least.
PathSums path_perft(const Position& position, int depth, const std::function<void()>& poll = {});

}  // namespace plyground::quoridor
