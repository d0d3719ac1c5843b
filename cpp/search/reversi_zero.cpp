#include "search/reversi_zero.h"

#include <cmath>

#include "search/reversi_classic.h"

namespace plyground {
namespace reversi {
namespace {

constexpr int kTableMegabytes = 2;

int sign_of(int score) { return (score > 0) - (score < 0); }

// One table for all threads and trees. It holds proven results only, so no result depends on which
// thread came first. Few squares are solved, so a small table is enough.
Table& endgame_table() {
    static Table table(kTableMegabytes);
    return table;
}

}  // namespace

Zero::Exact::Exact(gumbel::Effort effort)
    : empties_(effort == gumbel::Effort::kAll     ? kMostEmpties
               : effort == gumbel::Effort::kQuick ? kQuickEmpties
                                                  : 0),
      solver_(endgame_table()) {}

std::optional<gumbel::Verdict> Zero::Exact::known(const Position& position) {
    if (position.is_over()) return gumbel::Verdict{sign_of(position.score()), 0};
    const int empties = std::popcount(position.empty());
    if (empties > empties_) return std::nullopt;
    return gumbel::Verdict{sign_of(solver_.score(position.own, position.other, -1, 1)), empties};
}

int Zero::Exact::final_margin(const Position& position, const gumbel::Verdict& known) {
    if (known.plies == 0) return position.score();
    return solver_.score(position.own, position.other, -kSquares, kSquares);
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

}  // namespace reversi

namespace gumbel {
template class Tree<reversi::Zero>;
template void Tree<reversi::Zero>::expand(size_t, const float*, float);
template void Tree<reversi::Zero>::expand(size_t, const uint16_t*, float);
}  // namespace gumbel

}  // namespace plyground
