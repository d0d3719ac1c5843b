// Reversi's board as bits: legal moves, flipped discs, and symmetries.
//
// A set of squares is one word. Square (row, col) is bit 8 * row + col; a1, the top left corner of
// a printed board, is bit 0, b1 is bit 1, a2 is bit 8 and h8 is bit 63:
//
//          a  b  c  d  e  f  g  h
//     1    0  1  2  3  4  5  6  7      east   +1    south-west +7
//     2    8  9 10 11 12 13 14 15      south  +8    south-east +9
//     .    .  .  .                     and the four opposite directions
//     8   56 57 58 59 60 61 62 63
//
// Smaller boards are the squares of the top left corner, with the same numbers. The squares outside
// are always empty. No disc is flipped across them, and `Position` never plays on them.
//
// Everything here is a function of two such sets: the discs of the side to move (own) and of the
// opponent (other). With AVX2 all directions are processed in parallel; the portable code processes
// them in turn, and tests compare the two. The AVX2 versions are always inlined: a portable build
// compiles the bindings without AVX2, and the linker must not merge the two versions.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace plyground::reversi {

using Squares = uint64_t;

inline constexpr int kSize = 8;
inline constexpr int kSquares = kSize * kSize;

inline constexpr Squares kCorners = 0x8100000000000081;
inline constexpr Squares kEdges = 0xff818181818181ff;
inline constexpr Squares kColumnA = 0x0101010101010101;
inline constexpr Squares kColumnH = kColumnA << 7;

constexpr bool is_board_size(int size) { return size == 4 || size == 6 || size == kSize; }

constexpr Squares bit_of(int square) { return 1ULL << square; }
constexpr int square_at(int row, int col) { return kSize * row + col; }
constexpr int row_of(int square) { return square / kSize; }
constexpr int col_of(int square) { return square % kSize; }
constexpr int first_square(Squares set) { return std::countr_zero(set); }

// The squares of a board of this size.
constexpr Squares board_squares(int size) {
    return ~0ULL >> kSize * (kSize - size) & kColumnA * ((1ULL << size) - 1);
}

// Calls f with the size of a board as a constant, so that small boards cost 8x8 nothing.
template <class F>
constexpr decltype(auto) with_size(int size, F&& f) {
    if (size == 4) return f(std::integral_constant<int, 4>());
    if (size == 6) return f(std::integral_constant<int, 6>());
    return f(std::integral_constant<int, kSize>());
}

// Calls f(square) for every square of the set, in ascending order.
template <class F>
constexpr void for_each_square(Squares set, F&& f) {
    for (; set; set &= set - 1)
        f(std::countr_zero(set));
}

// The squares next to any square of the set, in all eight directions. Squares of the set that touch
// each other are included.
constexpr Squares neighbours(Squares set) {
    const Squares east_west = (set & ~kColumnH) << 1 | (set & ~kColumnA) >> 1;
    const Squares middle = set | east_west;
    return east_west | middle << kSize | middle >> kSize;
}

namespace detail {

// One pair of opposite directions: the distance of neighbours in bits, and the squares on which a
// disc can be flipped in that direction. A disc at the end of a line is never between two others,
// and excluding those squares also keeps lines from wrapping around the board.
struct Axis {
    int step;
    Squares inner;
};
inline constexpr std::array<Axis, 4> kAxes{{
    {1, 0x7e7e7e7e7e7e7e7e},
    {7, 0x007e7e7e7e7e7e00},
    {8, 0x00ffffffffffff00},
    {9, 0x007e7e7e7e7e7e00},
}};

// The squares in line with one square, without itself: by axis, those with higher numbers (ahead)
// and those with lower numbers (behind).
struct alignas(64) Rays {
    std::array<Squares, 4> ahead{};
    std::array<Squares, 4> behind{};
};

constexpr std::array<Rays, kSquares> make_rays() {
    constexpr std::array<int, 4> kRows{0, 1, 1, 1};
    constexpr std::array<int, 4> kCols{1, -1, 0, 1};
    std::array<Rays, kSquares> rays;
    for (int square = 0; square < kSquares; ++square) {
        for (int axis = 0; axis < 4; ++axis) {
            for (int sign : {1, -1}) {
                Squares& ray = (sign > 0 ? rays[square].ahead : rays[square].behind)[axis];
                int row = row_of(square) + sign * kRows[axis];
                int col = col_of(square) + sign * kCols[axis];
                while (row >= 0 && row < kSize && col >= 0 && col < kSize) {
                    ray |= bit_of(square_at(row, col));
                    row += sign * kRows[axis];
                    col += sign * kCols[axis];
                }
            }
        }
    }
    return rays;
}
inline constexpr std::array<Rays, kSquares> kRays = make_rays();

}  // namespace detail

// `moves` and `flips` without AVX2.
namespace portable {

// Parallel prefix: a run of the opponent's discs that starts beside an own disc is followed for 1,
// 2, 4 and 6 steps, on all lines of the board at once; the square behind it is a move.
constexpr Squares moves(Squares own, Squares other) {
    Squares found = 0;
    for (const auto [step, inner] : detail::kAxes) {
        const Squares inside = other & inner;
        Squares ahead = inside & own << step;
        Squares behind = inside & own >> step;
        ahead |= inside & ahead << step;
        behind |= inside & behind >> step;
        const Squares pairs_ahead = inside & inside << step;
        const Squares pairs_behind = pairs_ahead >> step;
        for (int i = 0; i < 2; ++i) {
            ahead |= pairs_ahead & ahead << 2 * step;
            behind |= pairs_behind & behind >> 2 * step;
        }
        found |= ahead << step | behind >> step;
    }
    return found & ~(own | other);
}

// On each ray, the nearest square that is not the opponent's decides: if it is an own disc, all
// squares before it are flipped.
constexpr Squares flips(int square, Squares own, Squares other) {
    const detail::Rays& rays = detail::kRays[square];
    Squares turned = 0;
    for (int axis = 0; axis < 4; ++axis) {
        const Squares stop_ahead = rays.ahead[axis] & ~other;
        const Squares end_ahead = stop_ahead & -stop_ahead;
        if (end_ahead & own) turned |= rays.ahead[axis] & (end_ahead - 1);
        const Squares stop_behind = rays.behind[axis] & ~other;
        const Squares end_behind = std::bit_floor(stop_behind);
        if (end_behind & own) turned |= rays.behind[axis] & -(end_behind << 1);
    }
    return turned;
}

}  // namespace portable

#if defined(__AVX2__)

namespace detail {

inline Squares union_of_lanes(__m256i lanes) {
    const __m128i half =
        _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    return static_cast<Squares>(
        _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))));
}

}  // namespace detail

// The squares where `own` may play: empty, with a run of `other` between them and an own disc.
[[gnu::always_inline]] inline Squares moves(Squares own, Squares other) {
    using namespace detail;
    const __m256i step =
        _mm256_setr_epi64x(kAxes[0].step, kAxes[1].step, kAxes[2].step, kAxes[3].step);
    const __m256i step2 = _mm256_slli_epi64(step, 1);
    const __m256i inner = _mm256_setr_epi64x(
        static_cast<int64_t>(kAxes[0].inner), static_cast<int64_t>(kAxes[1].inner),
        static_cast<int64_t>(kAxes[2].inner), static_cast<int64_t>(kAxes[3].inner));
    const __m256i mine = _mm256_set1_epi64x(static_cast<int64_t>(own));
    const __m256i inside = _mm256_and_si256(_mm256_set1_epi64x(static_cast<int64_t>(other)), inner);

    __m256i ahead = _mm256_and_si256(inside, _mm256_sllv_epi64(mine, step));
    __m256i behind = _mm256_and_si256(inside, _mm256_srlv_epi64(mine, step));
    ahead = _mm256_or_si256(ahead, _mm256_and_si256(inside, _mm256_sllv_epi64(ahead, step)));
    behind = _mm256_or_si256(behind, _mm256_and_si256(inside, _mm256_srlv_epi64(behind, step)));
    const __m256i pairs_ahead = _mm256_and_si256(inside, _mm256_sllv_epi64(inside, step));
    const __m256i pairs_behind = _mm256_srlv_epi64(pairs_ahead, step);
    for (int i = 0; i < 2; ++i) {
        ahead =
            _mm256_or_si256(ahead, _mm256_and_si256(pairs_ahead, _mm256_sllv_epi64(ahead, step2)));
        behind = _mm256_or_si256(behind,
                                 _mm256_and_si256(pairs_behind, _mm256_srlv_epi64(behind, step2)));
    }
    const __m256i found =
        _mm256_or_si256(_mm256_sllv_epi64(ahead, step), _mm256_srlv_epi64(behind, step));
    return union_of_lanes(found) & ~(own | other);
}

// The discs of `other` that are flipped when `own` plays on the empty square; none if that is not a
// legal move.
[[gnu::always_inline]] inline Squares flips(int square, Squares own, Squares other) {
    using namespace detail;
    const Rays& rays = kRays[square];
    const __m256i zero = _mm256_setzero_si256();
    const __m256i mine = _mm256_set1_epi64x(static_cast<int64_t>(own));
    const __m256i theirs = _mm256_set1_epi64x(static_cast<int64_t>(other));

    const __m256i ahead = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.ahead.data()));
    const __m256i stop_ahead = _mm256_andnot_si256(theirs, ahead);
    // The own disc at the first stop, if there is one; the squares below that bit are flipped.
    const __m256i end_ahead =
        _mm256_and_si256(_mm256_and_si256(stop_ahead, _mm256_sub_epi64(zero, stop_ahead)), mine);
    const __m256i below = _mm256_add_epi64(end_ahead, _mm256_cmpeq_epi64(zero, zero));
    const __m256i turned_ahead =
        _mm256_andnot_si256(_mm256_cmpeq_epi64(end_ahead, zero), _mm256_and_si256(ahead, below));

    // Behind, the nearest stop is the highest bit: propagate the stops down the line; the squares
    // that they do not reach lie before the first stop.
    const __m256i step =
        _mm256_setr_epi64x(kAxes[0].step, kAxes[1].step, kAxes[2].step, kAxes[3].step);
    const __m256i behind = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.behind.data()));
    const __m256i stop_behind = _mm256_andnot_si256(theirs, behind);
    __m256i past = stop_behind;
    past = _mm256_or_si256(past, _mm256_srlv_epi64(past, step));
    past = _mm256_or_si256(past, _mm256_srlv_epi64(past, _mm256_slli_epi64(step, 1)));
    past = _mm256_or_si256(past, _mm256_srlv_epi64(past, _mm256_slli_epi64(step, 2)));
    const __m256i end_behind =
        _mm256_and_si256(_mm256_andnot_si256(_mm256_srlv_epi64(past, step), past), mine);
    const __m256i turned_behind = _mm256_andnot_si256(_mm256_cmpeq_epi64(end_behind, zero),
                                                      _mm256_andnot_si256(past, behind));

    return union_of_lanes(_mm256_or_si256(turned_ahead, turned_behind));
}

#else

constexpr Squares moves(Squares own, Squares other) { return portable::moves(own, other); }
constexpr Squares flips(int square, Squares own, Squares other) {
    return portable::flips(square, own, other);
}

#endif

// Discs less the other's at the end of a game; empty squares go to the winner.
constexpr int final_score(Squares own, Squares other, int squares = kSquares) {
    const int mine = std::popcount(own);
    const int theirs = std::popcount(other);
    return mine > theirs ? squares - 2 * theirs : mine < theirs ? 2 * mine - squares : 0;
}

// The symmetries of the board: top to bottom, left to right, and over the diagonal a1-h8.
constexpr Squares flip_rows(Squares set) {
    set = (set >> 8 & 0x00ff00ff00ff00ff) | (set & 0x00ff00ff00ff00ff) << 8;
    set = (set >> 16 & 0x0000ffff0000ffff) | (set & 0x0000ffff0000ffff) << 16;
    return std::rotr(set, 32);
}
constexpr Squares mirror_columns(Squares set) {
    set = (set >> 1 & 0x5555555555555555) | (set & 0x5555555555555555) << 1;
    set = (set >> 2 & 0x3333333333333333) | (set & 0x3333333333333333) << 2;
    return (set >> 4 & 0x0f0f0f0f0f0f0f0f) | (set & 0x0f0f0f0f0f0f0f0f) << 4;
}
constexpr Squares transpose(Squares set) {
    Squares swap = (set ^ set >> 7) & 0x00aa00aa00aa00aa;
    set ^= swap ^ swap << 7;
    swap = (set ^ set >> 14) & 0x0000cccc0000cccc;
    set ^= swap ^ swap << 14;
    swap = (set ^ set >> 28) & 0x00000000f0f0f0f0;
    return set ^ swap ^ swap << 28;
}

inline constexpr int kSymmetries = 8;

// Symmetry 0 is the identity; bit 0 mirrors the columns, then bit 1 flips the rows, then bit 2
// transposes.
constexpr Squares symmetric(Squares set, int symmetry) {
    if (symmetry & 1) set = mirror_columns(set);
    if (symmetry & 2) set = flip_rows(set);
    return symmetry & 4 ? transpose(set) : set;
}
constexpr int symmetric_square(int square, int symmetry) {
    if (symmetry & 1) square ^= 7;
    if (symmetry & 2) square ^= 56;
    return symmetry & 4 ? square % kSize * kSize + square / kSize : square;
}

}  // namespace plyground::reversi
