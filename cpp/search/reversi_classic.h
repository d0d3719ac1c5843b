// The classic evaluation of Reversi from textbooks: four parts, each with a weight and a switch,
// and edge stability, which has a weight only. It needs no training and no table; the pattern
// evaluation is far stronger.
#pragma once

#include <array>
#include <bit>
#include <cstddef>

#include "games/reversi.h"

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

using SquareKinds = std::array<SquareKind, 10>;

namespace detail {

// A square has the value of the one at the same distances from the edges; 4x4 has three kinds and
// 6x6 six, and the others are empty.
constexpr SquareKinds make_square_kinds(int size) {
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
    SquareKinds kinds{};
    for (size_t i = 0; i < kinds.size(); ++i) {
        const auto [row, col, value] = kValues[i];
        kinds[i].value = value;
        if (row >= size / 2 || col >= size / 2) continue;
        for (const auto [r, c] : {std::array{row, col}, std::array{col, row}}) {
            for (const int down : {r, size - 1 - r})
                for (const int right : {c, size - 1 - c})
                    kinds[i].squares |= bit_of(square_at(down, right));
        }
    }
    return kinds;
}

inline constexpr std::array<SquareKinds, 3> kKindsBySize{make_square_kinds(4), make_square_kinds(6),
                                                         make_square_kinds(8)};

}  // namespace detail

// From the best kind of square to the worst, on a board of this size.
constexpr const SquareKinds& square_kinds(int size = kSize) {
    return detail::kKindsBySize[size / 2 - 2];
}
constexpr Squares corners_of(int size) { return square_kinds(size)[0].squares; }

// The counts of one side less those of the other.
struct ClassicTerms {
    int material = 0;        // discs
    int mobility = 0;        // squares to play on
    int corners = 0;         // corners taken
    int near_corners = 0;    // discs next to an empty corner, counted once for each such corner
    int positional = 0;      // values of the squares taken
    int edge_stability = 0;  // discs on an edge that can never be flipped; 8x8 only, otherwise 0
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
    double evaluate(Squares own, Squares other, Squares own_moves, int size = kSize) const;
};

ClassicTerms classic_terms(const Position& position);

}  // namespace plyground::reversi
