// Scores, and the limits, statistics and report of a search.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace plyground {

// Scores are for the side to move, in hundredths of the game's unit (Quoridor: a step, Reversi: a
// disc). A win in k plies is kWin - k. Scores from kProven on are proofs, the others estimates.
using Score = int;
inline constexpr Score kWin = 30000;
inline constexpr Score kProven = 29000;
inline constexpr Score kInfinite = 32000;
inline constexpr Score kMaxEstimate = 20000;
inline constexpr int kMaxPly = 120;

constexpr bool is_proven(Score score) { return score >= kProven || score <= -kProven; }

struct Limits {
    double time_s = std::numeric_limits<double>::infinity();   // stop after this
    double start_s = std::numeric_limits<double>::infinity();  // start no new iteration after this
    uint64_t nodes = std::numeric_limits<uint64_t>::max();
    int depth = kMaxPly - 20;
};

struct SearchStats {
    uint64_t nodes = 0;
    uint64_t cutoffs = 0;             // nodes that failed high
    uint64_t first_move_cutoffs = 0;  // of these, on the first move tried
    uint64_t table_probes = 0;
    uint64_t table_hits = 0;
    int deepest = 0;  // the longest line searched, in plies

    SearchStats& operator+=(const SearchStats& other) {
        nodes += other.nodes;
        cutoffs += other.cutoffs;
        first_move_cutoffs += other.first_move_cutoffs;
        table_probes += other.table_probes;
        table_hits += other.table_hits;
        deepest = deepest > other.deepest ? deepest : other.deepest;
        return *this;
    }
};

// The state of a running search; after its end, its result.
struct SearchReport {
    bool has_move = false;
    int best_move = 0;
    Score score = 0;
    int depth = 0;       // of the last completed iteration
    bool exact = false;  // the score is the value of the position, not an estimate
    std::vector<int> pv;
    double time_s = 0;
    SearchStats stats;
    std::vector<uint64_t> nodes_by_depth;  // first thread's total after each iteration
    int table_permille = 0;
};

}  // namespace plyground
