// The classic evaluation of Reversi from textbooks: four parts, each with a weight and a switch,
// and edge stability, which has a weight only. It needs no training and no table; the pattern
// evaluation is far stronger.
#pragma once

#include <array>
#include <bit>
#include <cstddef>

#include "games/reversi_board.h"

namespace plyground::reversi {

// The value of a square by its place. Under the board's eight symmetries there are ten kinds of
// squares:
//
//      25 -10   5   2 ..        corner, beside it on the edge, third square, centre of the edge
//     -10 -15  -3  -1 ..        beside the corner diagonally, and inwards
//       5  -3   3   1 ..
//       2  -1   1   0 ..
struct SquareKind {
    int value;
    Squares squares;
};

namespace detail {

constexpr std::array<SquareKind, 10> make_square_kinds() {
    constexpr std::array<std::array<int, 3>, 10> kValues{{
        {0, 0, 25},
        {0, 2, 5},
        {2, 2, 3},
        {0, 3, 2},
        {2, 3, 1},  // row, column, value
        {3, 3, 0},
        {1, 3, -1},
        {1, 2, -3},
        {0, 1, -10},
        {1, 1, -15},
    }};
    std::array<SquareKind, 10> kinds{};
    for (size_t i = 0; i < kinds.size(); ++i) {
        const auto [row, col, value] = kValues[i];
        kinds[i].value = value;
        for (int symmetry = 0; symmetry < kSymmetries; ++symmetry)
            kinds[i].squares |= bit_of(symmetric_square(square_at(row, col), symmetry));
    }
    return kinds;
}

}  // namespace detail

// From the best kind of square to the worst.
inline constexpr std::array<SquareKind, 10> kSquareKinds = detail::make_square_kinds();

// The counts of one side less those of the other.
struct ClassicTerms {
    int material = 0;        // discs
    int mobility = 0;        // squares to play on
    int corners = 0;         // corners taken
    int near_corners = 0;    // discs next to an empty corner, counted once for each such corner
    int positional = 0;      // values of the squares taken
    int edge_stability = 0;  // discs on an edge that can never be flipped
};

struct ClassicEvaluator {
    bool material = true;
    bool mobility = true;
    bool corners = true;
    bool positional = true;

    double material_weight = 1;
    double mobility_weight = 3;
    double corner_weight = 25;
    double near_corner_weight = -10;
    double positional_weight = 1;
    double edge_stability_weight = 0;

    // The value for `own`. Swapping the sides negates it, and symmetric positions have the same
    // value. The second form is for callers that have the moves of `own` already.
    double evaluate(Squares own, Squares other) const {
        return evaluate(own, other, mobility ? moves(own, other) : 0);
    }
    double evaluate(Squares own, Squares other, Squares own_moves) const;
};

ClassicTerms classic_terms(Squares own, Squares other);

}  // namespace plyground::reversi
