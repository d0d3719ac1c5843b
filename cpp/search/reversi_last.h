// Reversi's last four squares, where an endgame search spends most of its time. The templates let
// the compiler unroll everything for each number of empty squares.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "games/reversi_board.h"

namespace plyground::reversi {

inline constexpr int kNoScore = -128;  // lower than any score

namespace detail {

// The number of discs flipped on a line of eight, by the place played and the mover's discs, when
// all other places hold the opponent's discs.
constexpr auto kLineFlips = [] {
    std::array<std::array<uint8_t, 256>, 8> counts{};
    for (int place = 0; place < 8; ++place) {
        for (int mine = 0; mine < 256; ++mine) {
            int count = 0;
            for (const int step : {1, -1}) {
                int at = place + step;
                while (at >= 0 && at < 8 && !(mine >> at & 1))
                    at += step;
                if (at >= 0 && at < 8) count += (at - place) * step - 1;
            }
            counts[place][mine] = static_cast<uint8_t>(count);
        }
    }
    return counts;
}();

// The diagonals through each square. Multiplying one by column a collects its bits in one row.
struct Diagonals {
    Squares falling, rising;
};
constexpr auto kDiagonals = [] {
    std::array<Diagonals, kSquares> diagonals{};
    for (int square = 0; square < kSquares; ++square) {
        const Rays& rays = kRays[square];
        diagonals[square].rising = rays.ahead[1] | rays.behind[1];
        diagonals[square].falling = rays.ahead[3] | rays.behind[3];
    }
    return diagonals;
}();

// The number of discs flipped by the last move. A diagonal may be shorter than the table's line of
// eight; the mover has no discs on the missing places, so no flips are counted there.
inline int count_last_flips(int square, Squares mine) {
    const int row = row_of(square);
    const int col = col_of(square);
    const Diagonals& diagonals = kDiagonals[square];
    return kLineFlips[col][mine >> (row * 8) & 0xff] +
           kLineFlips[row][(mine >> col & kColumnA) * 0x0102040810204080 >> 56] +
           kLineFlips[col][(mine & diagonals.falling) * kColumnA >> 56] +
           kLineFlips[col][(mine & diagonals.rising) * kColumnA >> 56];
}

constexpr auto kNeighbours = [] {
    std::array<Squares, kSquares> sets{};
    for (int square = 0; square < kSquares; ++square)
        sets[square] = neighbours(bit_of(square));
    return sets;
}();

constexpr int quadrant_of(int square) { return (square >> 2 & 1) | (square >> 4 & 2); }

}  // namespace detail

template <int N>
using LastSquares = std::array<uint8_t, N>;

// Orders the empty squares by parity: first those in quadrants with an odd number of them, where
// the player who moves first also moves last.
inline void sort_by_parity(LastSquares<3>& at) {
    using detail::quadrant_of;
    const int a = quadrant_of(at[0]);
    const int b = quadrant_of(at[1]);
    const int c = quadrant_of(at[2]);
    if (a == b && b != c)
        std::swap(at[0], at[2]);
    else if (a == c && b != c)
        std::swap(at[0], at[1]);
}
inline void sort_by_parity(LastSquares<4>& at) {
    int count[4] = {};
    for (const int square : at)
        ++count[detail::quadrant_of(square)];
    const int alone = (count[0] & 1) + (count[1] & 1) + (count[2] & 1) + (count[3] & 1);
    if (alone == 0 || alone == 4) return;
    LastSquares<4> sorted;
    int first = 0;
    int last = 4;
    for (int i = 0; i < 4; ++i) {
        if (count[detail::quadrant_of(at[i])] & 1) sorted[first++] = at[i];
    }
    for (int i = 3; i >= 0; --i) {
        if (!(count[detail::quadrant_of(at[i])] & 1)) sorted[--last] = at[i];
    }
    at = sorted;
}

// The score with N squares left, for `own` to move: exact inside (alpha, beta), else a bound.
template <int N>
int solve_last(Squares own, Squares other, LastSquares<N> at, int alpha, int beta,
               uint64_t& nodes) {
    ++nodes;
    if constexpr (N == 1) {
        // With 63 discs the difference is odd, so the score is never level before the last move.
        const int square = at[0];
        const int difference = 2 * std::popcount(own) - (kSquares - 1);
        if (const int mine = detail::count_last_flips(square, own))
            return difference + 2 * mine + 1;
        if (const int theirs = detail::count_last_flips(square, other))
            return difference - 2 * theirs - 1;
        return difference + (difference > 0 ? 1 : -1);
    } else {
        if constexpr (N >= 3) sort_by_parity(at);
        // Try the side to move; if it has no move, the other side, with the window negated.
        for (const bool passed : {false, true}) {
            int best = kNoScore;
            for (int i = 0; i < N; ++i) {
                const int square = at[i];
                if (!(detail::kNeighbours[square] & other)) continue;
                const Squares turned = flips(square, own, other);
                if (!turned) continue;
                LastSquares<N - 1> rest;
                for (int j = 0, k = 0; j < N; ++j) {
                    if (j != i) rest[k++] = at[j];
                }
                const Squares played = own | turned | bit_of(square);
                const int score =
                    -solve_last<N - 1>(other & ~turned, played, rest, -beta, -alpha, nodes);
                if (score > best) {
                    best = score;
                    if (score >= beta) return passed ? -best : best;
                    alpha = std::max(alpha, score);
                }
            }
            if (best > kNoScore) return passed ? -best : best;
            std::swap(own, other);
            const int negated_beta = -beta;
            beta = -alpha;
            alpha = negated_beta;
        }
        return final_score(own, other);
    }
}

}  // namespace plyground::reversi
