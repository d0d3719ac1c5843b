// A set of board cells, stored in two 64-bit words.
//
// Boards are at most 9x9 and always use a row stride of 9, whatever their size. Cell (row, col) is
// bit 9 * row + col + 1 of the 128-bit number hi:lo, so that row 6 ends exactly at bit 63:
//
//     hi:  .. | row 8: bits 9-17  | row 7: bits 0-8
//     lo:       row 6: bits 55-63 | ... | row 1: bits 10-18 | row 0: bits 1-9 | bit 0: unused
//
// No row straddles the two words, so a step east or west never carries between them, and a step
// north from row 6 shifts its cells out of the low word. Within a row, column a (west) is the
// lowest bit. North is towards higher rows, the side player 1 runs to.
#pragma once

#include <bit>
#include <cstdint>

namespace plyground {

struct Bitboard {
    static constexpr int kStride = 9;
    static constexpr int kLowCells = 63;    // cells in `lo`: rows 0-6
    static constexpr int kLastLowRow = 55;  // where row 6 starts in `lo`

    // Uninitialized by default, since hot loops use arrays of these as scratch space. `Bitboard{}`
    // is the empty set.
    uint64_t lo;
    uint64_t hi;

    // Branch-free: cells are close to random, so a branch would often be mispredicted.
    static constexpr Bitboard of(int cell) {
        const int bit = cell + 1;
        const uint64_t one = 1ULL << (bit & 63);
        const uint64_t in_hi = -static_cast<uint64_t>(bit >> 6);
        return {one & ~in_hi, one & in_hi};
    }

    friend constexpr bool operator==(const Bitboard&, const Bitboard&) = default;
    friend constexpr Bitboard operator&(Bitboard a, Bitboard b) {
        return {a.lo & b.lo, a.hi & b.hi};
    }
    friend constexpr Bitboard operator|(Bitboard a, Bitboard b) {
        return {a.lo | b.lo, a.hi | b.hi};
    }
    constexpr Bitboard& operator|=(Bitboard b) { return *this = *this | b; }
    constexpr Bitboard without(Bitboard b) const { return {lo & ~b.lo, hi & ~b.hi}; }

    constexpr bool any() const { return (lo | hi) != 0; }
    constexpr bool has(int cell) const {
        const int bit = cell + 1;
        return ((bit >> 6 ? hi : lo) >> (bit & 63)) & 1;
    }
    constexpr int count() const { return std::popcount(lo) + std::popcount(hi); }

    // The lowest cell; the set must not be empty.
    constexpr int first() const {
        return lo ? std::countr_zero(lo) - 1 : kLowCells + std::countr_zero(hi);
    }
    // Calls f(cell) for every cell, in ascending order.
    template <class F>
    constexpr void for_each(F&& f) const {
        for (uint64_t w = lo; w; w &= w - 1)
            f(std::countr_zero(w) - 1);
        for (uint64_t w = hi; w; w &= w - 1)
            f(kLowCells + std::countr_zero(w));
    }

    // Shifts by one cell. North and east need a set that stays on the board; south and west may
    // push cells over the rim into unused bits or the next row, so mask what they return. The masks
    // of open edges in `quoridor::Walls` do both.
    constexpr Bitboard north() const { return {lo << kStride, hi << kStride | lo >> kLastLowRow}; }
    constexpr Bitboard south() const { return {lo >> kStride | hi << kLastLowRow, hi >> kStride}; }
    constexpr Bitboard east() const { return {lo << 1, hi << 1}; }
    constexpr Bitboard west() const { return {lo >> 1, hi >> 1}; }
};

}  // namespace plyground
