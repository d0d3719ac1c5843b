// Perft, the count of move paths: the usual test of a move generator and of its speed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "games/quoridor.h"

namespace plyground::quoridor {

// Counts the move paths of exactly this length; a finished game has no moves. With `hash_mb` > 0 it
// shares subtree counts through a table of that size. Throws std::overflow_error for a count beyond
// 64 bits. `poll` is called periodically and may throw to end the count. Recurses `depth` deep.
uint64_t perft(const Position& position, int depth, int hash_mb = 0,
               const std::function<void()>& poll = {});

struct PathSums {
    uint64_t leaves = 0;
    std::array<uint64_t, 2> lengths{};  // sums of both players' shortest paths over the leaves
};
// Plays every path of exactly this length and measures both shortest paths at its end: the minimal
// cost of an evaluation at the leaves of a search.
PathSums path_perft(const Position& position, int depth, const std::function<void()>& poll = {});

}  // namespace plyground::quoridor
