#include "search/reversi_stability.h"

#include <memory>
#include <vector>

namespace plyground::reversi {
namespace {

// The stable discs of an edge by itself, given as eight bits of each side: those that no sequence
// of moves along the edge flips. Both sides may play anywhere and out of turn, so a disc that is
// stable here is stable on the board.
class EdgeTable {
  public:
    EdgeTable() {
        // Fuller edges first: each is derived from those with one more disc.
        for (int empty_count = 0; empty_count <= 8; ++empty_count) {
            for (int taken = 0; taken < 256; ++taken) {
                if (8 - std::popcount(static_cast<unsigned>(taken)) != empty_count) continue;
                for (int own = taken;; own = (own - 1) & taken) {
                    stable_[own << 8 | (taken ^ own)] = find(own, taken ^ own);
                    if (own == 0) break;
                }
            }
        }
    }

    // The stable discs of either side.
    unsigned operator()(unsigned own, unsigned other) const { return stable_[own << 8 | other]; }

  private:
    uint8_t find(int own, int other) const {
        int stable = own | other;
        for (int square = 0; square < 8; ++square) {
            if ((own | other) >> square & 1) continue;
            for (const bool mine : {true, false}) {
                int mover = mine ? own : other;
                int opponent = mine ? other : own;
                const int turned = flips_on_edge(square, mover, opponent);
                mover |= turned | 1 << square;
                opponent &= ~turned;
                stable &= ~turned & stable_[mine ? mover << 8 | opponent : opponent << 8 | mover];
            }
        }
        return static_cast<uint8_t>(stable);
    }

    static int flips_on_edge(int square, int mover, int opponent) {
        return static_cast<int>(
            portable::flips(square, static_cast<Squares>(mover), static_cast<Squares>(opponent)));
    }

    std::vector<uint8_t> stable_ = std::vector<uint8_t>(1 << 16);
};

// Column a as a row: bit 8 * row goes to bit row.
constexpr unsigned column_a(Squares set) {
    return static_cast<unsigned>((set & kColumnA) * 0x0102040810204080 >> 56);
}
constexpr Squares to_column_a(unsigned row) {
    // Spread to one bit a byte; the copies do not overlap, since a row has eight bits.
    Squares spread = (row | static_cast<Squares>(row) << 28) & 0x0000000f0000000f;
    spread = (spread | spread << 14) & 0x0003000300030003;
    return (spread | spread << 7) & kColumnA;
}

// The squares whose whole line in one direction is taken.
struct FullLines {
    Squares horizontal, vertical, rising, falling;
};

FullLines full_lines(Squares taken) {
    FullLines full;
    Squares rows = taken & taken >> 4;
    rows &= rows >> 2;
    rows &= rows >> 1;
    full.horizontal = (rows & kColumnA) * 0xff;
    Squares columns = taken & std::rotr(taken, 32);
    columns &= std::rotr(columns, 16);
    full.vertical = columns & std::rotr(columns, 8);

    // Along a diagonal an empty square spreads both ways until it leaves the board.
    Squares falling = ~taken;
    Squares rising = ~taken;
    constexpr Squares kNotA = ~kColumnA;
    constexpr Squares kNotH = ~kColumnH;
    constexpr Squares kNotAB = kNotA & kNotA << 1;
    constexpr Squares kNotGH = kNotH & kNotH >> 1;
    constexpr Squares kRight = 0xf0f0f0f0f0f0f0f0;
    falling |= (falling << 9 & kNotA) | (falling >> 9 & kNotH);
    falling |= (falling << 18 & kNotAB) | (falling >> 18 & kNotGH);
    falling |= (falling << 36 & kRight) | (falling >> 36 & ~kRight);
    rising |= (rising << 7 & kNotH) | (rising >> 7 & kNotA);
    rising |= (rising << 14 & kNotGH) | (rising >> 14 & kNotAB);
    rising |= (rising << 28 & ~kRight) | (rising >> 28 & kRight);
    full.falling = ~falling;
    full.rising = ~rising;
    return full;
}

}  // namespace

Squares stable_discs(Squares own, Squares other) {
    static const EdgeTable kEdge;
    const auto top = [](Squares set) { return static_cast<unsigned>(set & 0xff); };
    const auto bottom = [](Squares set) { return static_cast<unsigned>(set >> 56); };
    Squares stable = kEdge(top(own), top(other));
    stable |= static_cast<Squares>(kEdge(bottom(own), bottom(other))) << 56;
    stable |= to_column_a(kEdge(column_a(own), column_a(other)));
    stable |= to_column_a(kEdge(column_a(own >> 7), column_a(other >> 7))) << 7;

    const FullLines full = full_lines(own | other);
    stable |= full.horizontal & full.vertical & full.rising & full.falling;
    stable &= own;
    if (!stable) return 0;

    // A disc is stable if, in each of the four directions, its line is full, it stands on the rim
    // that the line ends at, or a stable disc of its own colour is next to it.
    constexpr Squares kRimColumns = kColumnA | kColumnH;
    constexpr Squares kRimRows = 0xff000000000000ff;
    const Squares horizontal = full.horizontal | kRimColumns;
    const Squares vertical = full.vertical | kRimRows;
    const Squares falling = full.falling | kEdges;
    const Squares rising = full.rising | kEdges;
    const Squares inner = own & ~kEdges;
    while (true) {
        const Squares beside = stable << 1 | stable >> 1;
        const Squares above = stable << 8 | stable >> 8;
        const Squares down = stable << 9 | stable >> 9;
        const Squares up = stable << 7 | stable >> 7;
        // Only inner squares are added, and from those no step wraps round the board.
        const Squares more = inner & (beside | horizontal) & (above | vertical) & (down | falling) &
                             (up | rising) & ~stable;
        if (!more) return stable;
        stable |= more;
    }
}

}  // namespace plyground::reversi
