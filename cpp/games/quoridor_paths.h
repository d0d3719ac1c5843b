// Shortest paths by flood fill, and the effect of walls on them.
#pragma once

#include <array>
#include <cstdint>

#include "games/quoridor.h"

namespace plyground::quoridor {

// One shortest path of a player, and the walls that would cut it.
//
// A wall that does not cut this path leaves the player's distance unchanged and cannot shut the
// player in. For most walls this saves another flood fill.
struct Route {
    int length = -1;     // steps; -1 when there is no path
    int narrow = 0;      // steps before there is a choice between shortest paths
    uint64_t cut_h = 0;  // slots whose horizontal (vertical) wall would close an edge of the path
    uint64_t cut_v = 0;
    std::array<uint8_t, kCells> cells;   // cells[0] is the pawn's, cells[length] on the goal row
    std::array<Bitboard, kCells> up_to;  // up_to[i] holds cells[0] .. cells[i]

    bool is_cut_by(Action wall) const {
        return ((is_vertical(wall) ? cut_v : cut_h) >> slot_of(wall)) & 1;
    }
};

// Steps from the cell to the goal row, pawns ignored; -1 when there is no path.
int distance(const Walls& walls, int cell, Bitboard goal);
inline int distance(const Position& p, int player) {
    return distance(p.walls, p.pawn[player], p.geometry().goal[player]);
}

void find_route(const Position& position, int player, Route& route);

// The distances of all cells from a pawn and from its goal, as nested sets by distance. They make
// the effect of a wall on the path cheap to find: cells nearer to the pawn than the four cells
// beside the wall keep their distance from the pawn, cells nearer to the goal theirs from the goal,
// and only the gap between the two sets has to be flooded.
class PathField {
  public:
    // For a player whose shortest path is `length` steps long.
    void build(const Position& position, int player, int length);
    // Steps to the goal from a cell that the pawn may move to.
    int distance_from(int cell) const;
    // Steps to the goal with the wall; -1 when it shuts the player in. `walled` already contains
    // the wall, which must cut a shortest path.
    int length_around(const Walls& walled, Action wall) const;
    // The fewest cells that shortest paths have at the same distance between pawn and goal: an
    // upper bound of how many run side by side without a common cell.
    int routes() const;

  private:
    int length_ = 0;
    std::array<Bitboard, kCells + 1> to_goal_;  // [d]: cells at most d steps from the goal
    std::array<Bitboard, kCells> from_pawn_;    // [d]: cells at most d steps from the pawn
};

// The walls of `slots` (all vertical or all horizontal) that leave no path to the goal for the
// player with this route.
uint64_t sealing_walls(const Walls& walls, const Route& route, Bitboard goal, uint64_t slots,
                       bool vertical);

// Textbook A* with the rows left to the goal as heuristic, for study and as a cross-check in tests.
// Returns the steps, or -1.
int astar_distance(const Position& position, int player);

}  // namespace plyground::quoridor
