#include "games/quoridor_paths.h"

#include <algorithm>

namespace plyground::quoridor {
namespace {

// Slots whose horizontal wall closes the north edge of a cell, and whose vertical wall its east
// edge.
struct EdgeCuts {
    std::array<uint64_t, kCells> north{}, east{};

    constexpr EdgeCuts() {
        for (int row = 0; row < 9; ++row) {
            for (int col = 0; col < 9; ++col) {
                const int cell = cell_at(row, col);
                for (int back = 0; back < 2; ++back) {
                    if (row < 8 && col - back >= 0 && col - back < 8)
                        north[cell] |= 1ULL << slot_at(row, col - back);
                    if (col < 8 && row - back >= 0 && row - back < 8)
                        east[cell] |= 1ULL << slot_at(row - back, col);
                }
            }
        }
    }
};
constexpr EdgeCuts kEdgeCuts;

// The four cells around the middle of a slot; a wall there separates two of them from the others.
struct SlotCells {
    std::array<Bitboard, kSlots> at{};

    constexpr SlotCells() {
        for (int row = 0; row < 8; ++row) {
            for (int col = 0; col < 8; ++col) {
                for (int corner = 0; corner < 4; ++corner) {
                    at[slot_at(row, col)] |=
                        Bitboard::of(cell_at(row + corner / 2, col + corner % 2));
                }
            }
        }
    }
};
constexpr SlotCells kSlotCells;

// Whether a flood fill from `from` over open edges reaches `target`.
bool connects(const Walls& walls, Bitboard from, Bitboard target) {
    while (!(from & target).any()) {
        const Bitboard grown = from | walls.neighbours(from);
        if (grown == from) return false;
        from = grown;
    }
    return true;
}

// Whether the wall leaves no path to the goal. It splits the route into the part before the first
// closed edge and the part after the last. If the parts still connect, the goal can be reached;
// they usually do within a few steps around the wall's end. The second part may be shut in now, so
// reaching any goal cell counts as well.
bool seals(const Walls& walls, const Route& route, Bitboard goal, Action wall) {
    const uint64_t slot = 1ULL << slot_of(wall);
    int first = -1;
    int last = -1;
    for (int i = 0; i < route.length; ++i) {
        const int step = route.cells[i + 1] - route.cells[i];
        const bool crosses_row = step == Bitboard::kStride || step == -Bitboard::kStride;
        if (crosses_row == is_vertical(wall)) continue;
        const int cell = std::min(route.cells[i], route.cells[i + 1]);
        if ((crosses_row ? kEdgeCuts.north : kEdgeCuts.east)[cell] & slot) {
            if (first < 0) first = i;
            last = i;
        }
    }
    assert(first >= 0);
    Walls walled = walls;
    walled.place(wall);
    const Bitboard rest = route.up_to[route.length].without(route.up_to[last]);
    return !connects(walled, route.up_to[first], rest | goal);
}

}  // namespace

int distance(const Walls& walls, int cell, Bitboard goal) {
    Bitboard reached = Bitboard::of(cell);
    for (int steps = 0;; ++steps) {
        if ((reached & goal).any()) return steps;
        const Bitboard grown = reached | walls.neighbours(reached);
        if (grown == reached) return -1;
        reached = grown;
    }
}

void find_route(const Position& position, int player, Route& route) {
    // Flood from the goal row until the pawn is reached, storing the layers ...
    const Walls& walls = position.walls;
    const Bitboard pawn = Bitboard::of(position.pawn[player]);
    std::array<Bitboard, kCells> within;  // within[d]: cells at most d steps from the goal
    within[0] = position.geometry().goal[player];
    route.length = 0;
    route.narrow = 0;
    route.cut_h = route.cut_v = 0;
    while (!(within[route.length] & pawn).any()) {
        const Bitboard layer = within[route.length];
        const Bitboard grown = layer | walls.neighbours(layer);
        if (grown == layer) {
            route.length = -1;
            return;
        }
        within[++route.length] = grown;
    }
    // ... then walk back through them from the pawn.
    Bitboard cell = pawn;
    route.cells[0] = position.pawn[player];
    route.up_to[0] = pawn;
    for (int i = 1; i <= route.length; ++i) {
        const int from = route.cells[i - 1];
        const Bitboard nearer = walls.neighbours(cell) & within[route.length - i];
        const int to = nearer.first();
        if (route.narrow == i - 1 && nearer == Bitboard::of(to)) route.narrow = i;
        const int lower = std::min(from, to);
        if (to - from == 1 || from - to == 1) {
            route.cut_v |= kEdgeCuts.east[lower];
        } else {
            route.cut_h |= kEdgeCuts.north[lower];
        }
        cell = Bitboard::of(to);
        route.cells[i] = static_cast<uint8_t>(to);
        route.up_to[i] = route.up_to[i - 1] | cell;
    }
}

void PathField::build(const Position& position, int player, int length) {
    length_ = length;
    const Walls& walls = position.walls;
    from_pawn_[0] = Bitboard::of(position.pawn[player]);
    for (int d = 1; d < length; ++d)
        from_pawn_[d] = from_pawn_[d - 1] | walls.neighbours(from_pawn_[d - 1]);
    to_goal_[0] = position.geometry().goal[player];
    for (int d = 1; d <= length + 1; ++d)
        to_goal_[d] = to_goal_[d - 1] | walls.neighbours(to_goal_[d - 1]);
}

int PathField::distance_from(int cell) const {
    int d = std::max(0, length_ - 2);  // one move is two steps at most: a jump
    while (d < length_ + 2 && !to_goal_[d].has(cell))
        ++d;
    return d;
}

int PathField::length_around(const Walls& walled, Action wall) const {
    const Bitboard beside = kSlotCells.at[slot_of(wall)];
    int start = 0;
    while (!(from_pawn_[start] & beside).any())
        ++start;
    int end = 0;
    while (!(to_goal_[end] & beside).any())
        ++end;
    Bitboard reached = from_pawn_[start];
    for (int steps = start + end;; ++steps) {
        if ((reached & to_goal_[end]).any()) return steps;
        const Bitboard grown = reached | walled.neighbours(reached);
        if (grown == reached) return -1;
        reached = grown;
    }
}

int PathField::routes() const {
    int narrowest = kCells;
    for (int d = 1; d < length_; ++d) {
        const Bitboard layer = from_pawn_[d].without(from_pawn_[d - 1]) & to_goal_[length_ - d];
        narrowest = std::min(narrowest, layer.count());
    }
    return length_ <= 1 ? 1 : narrowest;
}

uint64_t sealing_walls(const Walls& walls, const Route& route, Bitboard goal, uint64_t slots,
                       bool vertical) {
    uint64_t sealing = 0;
    for (uint64_t left = slots & (vertical ? route.cut_v : route.cut_h); left; left &= left - 1) {
        const int slot = std::countr_zero(left);
        if (seals(walls, route, goal, static_cast<Action>((vertical ? kVWall : kHWall) + slot))) {
            sealing |= 1ULL << slot;
        }
    }
    return sealing;
}

int astar_distance(const Position& position, int player) {
    const int goal_row = player == 0 ? position.rules.size - 1 : 0;
    const auto rows_left = [&](int cell) {
        const int rows = goal_row - row_of(cell);
        return rows < 0 ? -rows : rows;
    };
    std::array<int, kCells> steps;
    steps.fill(-1);
    // The open list by estimate. Estimates are small integers, so an array of buckets is the heap.
    std::array<Bitboard, 2 * kCells> open{};
    Bitboard closed{};
    const int start = position.pawn[player];
    steps[start] = 0;
    open[rows_left(start)] |= Bitboard::of(start);
    for (size_t estimate = 0; estimate < open.size();) {
        const Bitboard ready = open[estimate].without(closed);
        if (!ready.any()) {
            ++estimate;
            continue;
        }
        const int cell = ready.first();
        if (row_of(cell) == goal_row) return steps[cell];
        closed |= Bitboard::of(cell);
        const Bitboard next = position.walls.neighbours(Bitboard::of(cell)).without(closed);
        next.for_each([&](int to) {
            if (steps[to] >= 0 && steps[to] <= steps[cell] + 1) return;
            steps[to] = steps[cell] + 1;
            open[steps[to] + rows_left(to)] |= Bitboard::of(to);
        });
    }
    return -1;
}

}  // namespace plyground::quoridor
