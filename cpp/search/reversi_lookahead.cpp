#include "search/reversi_lookahead.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plyground::reversi {
namespace {

// From this depth on the moves are sorted. Guessed.
constexpr int kSortDepth = 2;
// No position known has more moves than this.
constexpr int kMaxMoves = 34;

struct Candidate {
    Squares turned = 0;
    int8_t square = 0;
    int8_t replies = 0;
};

}  // namespace

Score Lookahead::search(Squares own, Squares other, const PatternView& view, int depth, Score alpha,
                        Score beta, uint64_t& nodes) const {
    ++nodes;
    if (depth == 0) return patterns_.evaluate(view, std::popcount(own | other));
    const Squares legal = moves(own, other);
    if (!legal) {
        if (!moves(other, own)) return 100 * final_score(own, other);
        PatternView passed;
        view.passed(passed);
        return -search(other, own, passed, depth, -beta, -alpha, nodes);
    }
    std::array<Candidate, kMaxMoves> candidates;
    int count = 0;
    for_each_square(legal, [&](int square) {
        Candidate& candidate = candidates[count++];
        candidate.square = static_cast<int8_t>(square);
        candidate.turned = flips(square, own, other);
        if (depth < kSortDepth) return;
        const Squares played = own | candidate.turned | bit_of(square);
        const Squares replies = moves(other & ~candidate.turned, played);
        candidate.replies =
            static_cast<int8_t>(2 * std::popcount(replies) + 4 * std::popcount(replies & kCorners) -
                                (kCorners >> square & 1));
    });
    Score best = -kInfinite;
    for (int i = 0; i < count; ++i) {
        if (depth >= kSortDepth) {
            int first = i;
            for (int j = i + 1; j < count; ++j) {
                if (candidates[j].replies < candidates[first].replies) first = j;
            }
            std::swap(candidates[i], candidates[first]);
        }
        const auto [turned, square, replies] = candidates[i];
        PatternView next;
        view.after(square, turned, next);
        const Score score = -search(other & ~turned, own | turned | bit_of(square), next, depth - 1,
                                    -beta, -alpha, nodes);
        best = std::max(best, score);
        if (best >= beta) return best;
        alpha = std::max(alpha, best);
    }
    return best;
}

}  // namespace plyground::reversi
