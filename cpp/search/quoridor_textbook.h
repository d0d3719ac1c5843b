// Quoridor for the textbook searches: an evaluation of three terms, and four orders of moves.
#pragma once

#include <cstdint>
#include <functional>

#include "games/quoridor.h"
#include "search/quoridor_textbook_cache.h"
#include "search/textbook.h"

namespace plyground::quoridor {

// The order in which walls are tried; ties go by action number. Only legal walls count.
enum class WallOrder : uint8_t {
    // After the pawn moves, by distance to the opponent's pawn: Manhattan, from the middle of the
    // wall.
    kNearest,
    // The best 16, then the pawn moves, then the rest. Walls are ranked by the length of the
    // opponent's shortest route over an edge they close (steps from the pawn to the edge, over it,
    // and on to the goal row), then by the steps to that edge.
    kCorridor,
    // By the steps that a wall gains: what it adds to the opponent's shortest path less what it
    // adds
    // to the mover's. First walls that gain two or more, then the pawn moves, walls that gain one,
    // and the rest by distance to the opponent's pawn.
    kCutting,
    // Walls on the best quarter of the squares, then the pawn moves, then the other walls. Squares
    // are ranked by their distance from the opponent's goal row, with Dijkstra's algorithm.
    kDijkstra,
};

struct TextbookOptions {
    double path_weight = 12.0;
    double progress_weight = 1.5;
    double wall_weight = 2.0;
    double draw_score = -0.05;
    int max_wall_moves = kActions;
    WallOrder wall_order = WallOrder::kNearest;
    TextbookCache* cache = nullptr;  // optional; only the order kDijkstra caches children
};

// Searches a position that is not over, from the side to move, to a depth of 1 or more.
TextbookReport minimax(const Position& root, int depth, const TextbookOptions& options,
                       std::function<void()> poll);
TextbookReport alphabeta(const Position& root, int depth, const TextbookOptions& options,
                         std::function<void()> poll);

}  // namespace plyground::quoridor
