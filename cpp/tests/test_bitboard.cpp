// Bitboard: single cells, the border between the two words (rows 6 and 7), and shifts at the rim.
#include <set>

#include "base/bitboard.h"
#include "base/rng.h"
#include "check.h"

namespace plyground {
namespace {

constexpr int kCells = 81;

constexpr int cell_at(int row, int col) { return 9 * row + col; }

Bitboard board_of(const std::set<int>& cells) {
    Bitboard board{};
    for (const int cell : cells)
        board |= Bitboard::of(cell);
    return board;
}

std::set<int> cells_of(Bitboard board) {
    std::set<int> cells;
    board.for_each([&](int cell) { cells.insert(cell); });
    return cells;
}

// The layout that the header draws.
void test_layout() {
    CHECK((Bitboard::of(cell_at(0, 0)) == Bitboard{1ULL << 1, 0}));
    CHECK((Bitboard::of(cell_at(0, 8)) == Bitboard{1ULL << 9, 0}));
    CHECK((Bitboard::of(cell_at(1, 0)) == Bitboard{1ULL << 10, 0}));
    CHECK((Bitboard::of(cell_at(6, 0)) == Bitboard{1ULL << 55, 0}));
    CHECK((Bitboard::of(cell_at(6, 8)) == Bitboard{1ULL << 63, 0}));
    CHECK((Bitboard::of(cell_at(7, 0)) == Bitboard{0, 1ULL << 0}));
    CHECK((Bitboard::of(cell_at(8, 0)) == Bitboard{0, 1ULL << 9}));
    CHECK((Bitboard::of(cell_at(8, 8)) == Bitboard{0, 1ULL << 17}));
}

void test_single_cells() {
    CHECK(!Bitboard{}.any());
    CHECK(Bitboard{}.count() == 0);
    for (int cell = 0; cell < kCells; ++cell) {
        const std::string where = "cell " + std::to_string(cell);
        const Bitboard one = Bitboard::of(cell);
        CHECK_IN(one.any(), where);
        CHECK_IN(one.count() == 1, where);
        CHECK_IN(one.first() == cell, where);
        CHECK_IN((one.lo != 0) == (cell < 63) && (one.hi != 0) == (cell >= 63), where);
        for (int other = 0; other < kCells; ++other) {
            CHECK_IN(one.has(other) == (other == cell), where);
            CHECK_IN((one == Bitboard::of(other)) == (other == cell), where);
        }
        CHECK_IN(cells_of(one) == std::set<int>{cell}, where);
        CHECK_IN(!one.without(one).any(), where);
    }
}

// `for_each` visits both words in ascending order, starting at `first`.
void test_iteration() {
    Bitboard all{};
    for (int cell = kCells - 1; cell >= 0; --cell) {
        all |= Bitboard::of(cell);
        CHECK(all.first() == cell);
        CHECK(all.count() == kCells - cell);
    }
    int expected = 0;
    all.for_each([&](int cell) { CHECK(cell == expected++); });
    CHECK(expected == kCells);
    Bitboard{}.for_each([](int) { CHECK_IN(false, "an empty set has no cells"); });

    SplitMix64 rng{1};
    for (int i = 0; i < 1000; ++i) {
        std::set<int> cells;
        for (uint32_t left = rng.below(kCells); left > 0; --left) {
            cells.insert(static_cast<int>(rng.below(kCells)));
        }
        const Bitboard board = board_of(cells);
        CHECK(cells_of(board) == cells);
        CHECK(board.count() == static_cast<int>(cells.size()));
        CHECK(board.any() != cells.empty());
        if (board.any()) CHECK(board.first() == *cells.begin());
    }
}

void test_set_operations() {
    SplitMix64 rng{2};
    for (int i = 0; i < 1000; ++i) {
        std::set<int> a, b, both, either, only_a;
        for (int cell = 0; cell < kCells; ++cell) {
            const uint32_t in = rng.below(4);
            if (in & 1) a.insert(cell);
            if (in & 2) b.insert(cell);
            if (in == 3) both.insert(cell);
            if (in != 0) either.insert(cell);
            if (in == 1) only_a.insert(cell);
        }
        CHECK((board_of(a) & board_of(b)) == board_of(both));
        CHECK((board_of(a) | board_of(b)) == board_of(either));
        CHECK(board_of(a).without(board_of(b)) == board_of(only_a));
        Bitboard joined = board_of(a);
        joined |= board_of(b);
        CHECK(joined == board_of(either));
    }
}

// A step inside the board moves a cell by one row or column, also over the border of the words.
void test_shifts_inside() {
    for (int row = 0; row < 9; ++row) {
        for (int col = 0; col < 9; ++col) {
            const Bitboard one = Bitboard::of(cell_at(row, col));
            const std::string where = "cell " + std::to_string(cell_at(row, col));
            if (row < 8) CHECK_IN(one.north() == Bitboard::of(cell_at(row + 1, col)), where);
            if (row > 0) CHECK_IN(one.south() == Bitboard::of(cell_at(row - 1, col)), where);
            if (col < 8) CHECK_IN(one.east() == Bitboard::of(cell_at(row, col + 1)), where);
            if (col > 0) CHECK_IN(one.west() == Bitboard::of(cell_at(row, col - 1)), where);
        }
    }
}

// Whole rows on both sides of the border at once.
void test_shifts_at_the_border() {
    Bitboard row5{}, row6{}, row7{}, row8{};
    for (int col = 0; col < 9; ++col) {
        row5 |= Bitboard::of(cell_at(5, col));
        row6 |= Bitboard::of(cell_at(6, col));
        row7 |= Bitboard::of(cell_at(7, col));
        row8 |= Bitboard::of(cell_at(8, col));
    }
    CHECK(row6.hi == 0 && row7.lo == 0);
    CHECK(row6.north() == row7);
    CHECK(row7.south() == row6);
    CHECK((row6 | row7).north() == (row7 | row8));
    CHECK((row6 | row7).south() == (row5 | row6));
    CHECK((row5 | row6 | row7).north().south() == (row5 | row6 | row7));
}

// A shift over the rim may move a cell into the next row or into an unused bit, where the callers'
// masks drop it, but never across the border of the words.
void test_shifts_at_the_rim() {
    Bitboard cells{};
    for (int cell = 0; cell < kCells; ++cell)
        cells |= Bitboard::of(cell);
    for (int row = 0; row < 9; ++row) {
        const Bitboard east = Bitboard::of(cell_at(row, 8)).east();
        const Bitboard west = Bitboard::of(cell_at(row, 0)).west();
        if (row == 6 || row == 8) {
            CHECK(!(east & cells).any());
        } else {
            CHECK(east == Bitboard::of(cell_at(row + 1, 0)));
        }
        if (row == 0 || row == 7) {
            CHECK(!(west & cells).any());
        } else {
            CHECK(west == Bitboard::of(cell_at(row - 1, 8)));
        }
    }
    for (int col = 0; col < 9; ++col) {
        CHECK(!(Bitboard::of(cell_at(0, col)).south() & cells).any());
        CHECK(!(Bitboard::of(cell_at(8, col)).north() & cells).any());
    }
}

}  // namespace
}  // namespace plyground

int main() {
    using namespace plyground;
    test_layout();
    test_single_cells();
    test_iteration();
    test_set_operations();
    test_shifts_inside();
    test_shifts_at_the_border();
    test_shifts_at_the_rim();
    return test::report();
}
