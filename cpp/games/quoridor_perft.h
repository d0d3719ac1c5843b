// Counting move paths: the usual proof of a move generator, and a measure of its speed.
#pragma once

#include <array>
#include <cstdint>

#include "games/quoridor.h"

namespace plyground::quoridor {

// Counts the move paths of exactly this length; a finished game has no moves. `hash_mb` > 0 lets it
// share subtrees through a table of that size.
uint64_t perft(const Position& position, int depth, int hash_mb = 0);

struct PathSums {
    uint64_t leaves = 0;
    std::array<uint64_t, 2> lengths{};  // sums of both players' shortest paths over the leaves
};
// Plays every path of exactly this length and measures both shortest paths at its end: what an
// evaluation at the leaves of a search costs at least.
PathSums path_perft(const Position& position, int depth);

}  // namespace plyground::quoridor
