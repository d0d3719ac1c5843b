#include "search/reversi_zero.h"

#include <cmath>

#include "search/reversi_classic.h"

namespace plyground {
namespace reversi {
namespace {

constexpr int kWorst = -kSquares;

int sign_of(int score) { return (score > 0) - (score < 0); }

int solve_moves(Squares own, Squares other, int alpha, int beta, bool passed) {
    const Squares squares = moves(own, other);
    if (!squares) {
        if (passed) return Position{own, other}.score();
        return -solve_moves(other, own, -beta, -alpha, true);
    }
    int best = kWorst;
    for (Squares left : {squares & kCorners, squares & ~kCorners}) {
        for (; left && best < beta; left &= left - 1) {
            const int square = first_square(left);
            const Squares turned = flips(square, own, other);
            const Squares mine = own | turned | bit_of(square);
            best = std::max(
                best, -solve_moves(other & ~turned, mine, -beta, -std::max(alpha, best), false));
        }
    }
    return best;
}

}  // namespace

int solve_small(Squares own, Squares other, int alpha, int beta) {
    return solve_moves(own, other, alpha, beta, false);
}

std::optional<gumbel::Verdict> Zero::Exact::known(const Position& position) const {
    const int empties = std::popcount(position.empty());
    if (position.is_over()) return gumbel::Verdict{sign_of(position.score()), 0};
    if (empties > empties_) return std::nullopt;
    return gumbel::Verdict{sign_of(solve_small(position.own, position.other, -1, 1)), empties};
}

float Zero::heuristic(const Position& position) {
    constexpr double kScale = 50;  // two corners' worth; chosen by hand
    static constexpr ClassicEvaluator kClassic;
    return static_cast<float>(std::tanh(kClassic.evaluate(position.own, position.other) / kScale));
}

int Zero::opening_move(const Position& position, SplitMix64& rng) {
    Squares squares = position.moves();
    if (!squares) return kPass;
    for (uint32_t skip = rng.below(static_cast<uint32_t>(std::popcount(squares))); skip > 0; --skip)
        squares &= squares - 1;
    return first_square(squares);
}

int Zero::final_margin(const Position& position, const gumbel::Verdict& known) {
    if (known.plies == 0) return position.score();
    return solve_small(position.own, position.other, kWorst, kSquares);
}

}  // namespace reversi

namespace gumbel {
template class Tree<reversi::Zero>;
template void Tree<reversi::Zero>::expand(size_t, const float*, float);
template void Tree<reversi::Zero>::expand(size_t, const uint16_t*, float);
}  // namespace gumbel

}  // namespace plyground
