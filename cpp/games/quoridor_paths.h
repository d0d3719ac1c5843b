// Shortest paths by flood fill, and what they tell about walls.
#pragma once

#include <array>
#include <cstdint>

#include "games/quoridor.h"

namespace plyground::quoridor {

// One shortest path of a player, and the walls that would cut it.
//
// A wall that does not cut this path leaves the player's distance unchanged and cannot shut the
// player in, which settles most walls without another flood.
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

// Steps from the cell to the goal row, pawns ignored; -1 when there is no way.
int distance(const Walls& walls, int cell, Bitboard goal);
inline int distance(const Position& p, int player) {
    return distance(p.walls, p.pawn[player], p.geometry().goal[player]);
}

void find_route(const Position& position, int player, Route& route);

// How near every cell is to a pawn and to its goal, as sets that grow step by step. With it, what a
// wall does to the path is found by looking around that wall: cells nearer to the pawn than any of
// the four beside the wall keep their distance from it, cells nearer to the goal theirs, and only
// the gap between the two sets is left to flood.
class PathField {
  public:
    // Of a player whose shortest path is `length` steps long.
    void build(const Position& position, int player, int length);
    // Steps to the goal from a cell that the pawn may move to.
    int distance_from(int cell) const;
    // Steps to the goal once this wall stands, which `walled` holds already; -1 when it shuts the
    // player in. The wall must cut a shortest path.
    int length_around(const Walls& walled, Action wall) const;
    // At most so many shortest paths run side by side without a common cell, ends excepted: the
    // cells of the narrowest place between pawn and goal.
    int routes() const;

  private:
    int length_ = 0;
    std::array<Bitboard, kCells + 1> to_goal_;  // [d]: cells at most d steps from the goal
    std::array<Bitboard, kCells> from_pawn_;    // [d]: cells at most d steps from the pawn
};

// Of the walls in `slots` (all vertical or all horizontal), those that leave no path to the goal
// for the player whose path `route` is.
uint64_t sealing_walls(const Walls& walls, const Route& route, Bitboard goal, uint64_t slots,
                       bool vertical);

// The textbook search, for study and as a second opinion in tests: A* with the rows left to the
// goal as its heuristic. Returns the steps, or -1.
int astar_distance(const Position& position, int player);

}  // namespace plyground::quoridor
