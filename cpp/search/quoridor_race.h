// Races: with no walls in hand, Quoridor is a game on a graph of at most 81 x 81 x 2 positions for
// each layout of walls. Retrograde analysis solves all of them at once.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "games/quoridor.h"

namespace plyground::quoridor {

// The winner of each race over one layout of walls, and the plies it takes, with jumps and
// blocking. A race that neither side can force is drawn. Draw counters are left to the caller.
class RaceTable {
  public:
    RaceTable() = default;
    RaceTable(const Walls& walls, int size) { solve(walls, size); }

    void solve(const Walls& walls, int size);

    // Plies until the game ends with best play: positive when the side to move wins, negative when
    // it loses, 0 for a draw. The winner plays for the shortest game, the loser for the longest.
    int plies_to_end(int pawn1, int pawn2, int to_move) const {
        return plies_[to_move][pawn1][pawn2];
    }

  private:
    // By side to move and the pawns' cells.
    std::array<std::array<std::array<int8_t, kCells>, kCells>, 2> plies_;
};

// A cache of race tables, one slot for each hash of a layout.
class RaceCache {
  public:
    explicit RaceCache(size_t tables = 256) : slots_(tables) {}

    // `get` solves the layout if its table is not in the cache; `find` returns null then.
    const RaceTable& get(const Walls& walls, int size);
    const RaceTable* find(const Walls& walls, int size) const;

  private:
    struct Slot {
        uint64_t h = 0, v = 0;
        int size = 0;  // 0: empty
        std::unique_ptr<RaceTable> table;

        bool holds(const Walls& walls, int board) const {
            return size == board && h == walls.h && v == walls.v;
        }
    };
    size_t index(const Walls& walls) const;

    std::vector<Slot> slots_;
};

}  // namespace plyground::quoridor
