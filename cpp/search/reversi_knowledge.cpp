#include "search/reversi_knowledge.h"

#include <algorithm>
#include <cmath>

#include "search/reversi_last.h"

namespace plyground::reversi {
namespace {

constexpr Score kDisc = 100;
// A point of the classic evaluation in hundredths of a disc. Measured: the slope of final scores
// over it in the middle of tournament games.
constexpr double kClassicPoint = 25;

// Rounds down to whole discs, also below zero.
constexpr int floor_discs(Score score) {
    return score >= 0 ? score / kDisc : -((-score + kDisc - 1) / kDisc);
}
constexpr int ceil_discs(Score score) { return -floor_discs(-score); }

// The cost of the endgame solver: nodes for a typical position with 20 empty squares, and the
// factor for each further square. Guessed from the FFO positions, which are harder than most.
constexpr double kNodesAt20 = 8e6;
constexpr double kNodesPerSquare = 2.3;
constexpr double kNodesPerSecond = 40e6;
constexpr int kMaxSolvedEmpties = 30;
// The last squares are solved faster than they are searched. Guessed.
constexpr int kSolvedInSearch = 10;
// A search of this depth, or of 8 plies less than the empty squares, precedes the solver: it
// guesses the score and the best move.
constexpr int kGuessDepth = 10;
constexpr int kPliesBeforeEnd = 8;

// Move ordering, guessed.
constexpr int kReplyOrder = 100;       // per reply that a move leaves; a corner counts as three
constexpr int kCornerOrder = 300;      // for a move into a corner
constexpr int kPatternOrderDepth = 3;  // from this depth on the pattern evaluation is added

// ProbCut (Buro 1995): the standard deviation of the difference between shallow and deep scores, in
// hundredths of a disc. It grows late in the game and with the plies between the depths. Measured
// by `plyground tune reversi-probcut`. Futility covers smaller depths.
constexpr int kProbCutDepth = 4;
constexpr double kProbCutMargin = 1.4;  // standard deviations; guessed
constexpr int kDeviation = 255;
constexpr int kDeviationPerSquare = 11;  // for each empty square fewer than kLateEmpties
constexpr int kLateEmpties = 38;
constexpr int kDeviationPerPly = 12;  // for each ply more than kNearPlies between the depths
constexpr int kNearPlies = 3;

}  // namespace

void Knowledge::enter_root(const Position& position, Node& node) const {
    node.position = position;
    node.moves = position.moves();
    node.view = PatternView::from(position.own, position.other);
}

void Knowledge::enter(const Node& parent, Action action, Node& child) const {
    const Squares own = parent.position.own;
    const Squares other = parent.position.other;
    Squares turned = 0;
    Squares played = own;
    if (action != kPass) {
        turned = flips(action, own, other);
        played |= turned | bit_of(action);
        if (evaluation_.patterns) parent.view.after(action, turned, child.view);
    } else if (evaluation_.patterns) {
        parent.view.passed(child.view);
    }
    child.position.own = other & ~turned;
    child.position.other = played;
    child.position.to_move = parent.position.to_move ^ 1;
    child.position.key = board_key(child.position.own, played);
    child.moves = child.position.moves();
}

std::optional<Knowledge::Known> Knowledge::known_result(const Node& node, int depth, Score alpha,
                                                        Score beta, uint64_t& nodes) {
    const Position& position = node.position;
    if (!node.moves && !reversi::moves(position.other, position.own))
        return Known{kDisc * final_score(position.own, position.other), Bound::kExact};
    const int empty_count = position.empty_count();
    if (!options_.exact_results || !endgame_ || empty_count > std::min(kSolvedInSearch, depth + 2))
        return std::nullopt;
    const int low = std::max(floor_discs(alpha), -kSquares - 1);
    const int high = std::min(ceil_discs(beta), kSquares + 1);
    endgame_->reset();
    const int score = endgame_->score(position.own, position.other, low, high);
    nodes += endgame_->stats().nodes;
    const Bound bound = score <= low    ? Bound::kUpper
                        : score >= high ? Bound::kLower
                                        : Bound::kExact;
    return Known{kDisc * score, bound};
}

Score Knowledge::evaluate(const Node& node) const {
    if (!evaluation_.patterns) {
        const double points =
            evaluation_.classic.evaluate(node.position.own, node.position.other, node.moves);
        return std::clamp(static_cast<Score>(std::lround(points * kClassicPoint)),
                          -kDisc * kSquares, kDisc * kSquares);
    }
    return evaluation_.patterns->evaluate(node.view, node.position.discs());
}

void Knowledge::generate(const Node& node, Moves& moves, int depth) const {
    moves.size = 0;
    if (!node.moves) {
        moves.add(kPass, MoveKind::kForcing, 0, 0);
        return;
    }
    for_each_square(node.moves, [&](int square) {
        moves.add(square, MoveKind::kOrdinary, order_of(node, square, depth), 0);
    });
}

// Close to the leaves, the fewest replies first; further up also by the pattern evaluation after
// the move.
int Knowledge::order_of(const Node& node, int square, int depth) const {
    const Squares own = node.position.own;
    const Squares other = node.position.other;
    const Squares turned = flips(square, own, other);
    const Squares played = own | turned | bit_of(square);
    const Squares rest = other & ~turned;
    const Squares replies = reversi::moves(rest, played);
    const int mobility = std::popcount(replies) + 2 * std::popcount(replies & kCorners);
    int order = -kReplyOrder * mobility + (kCorners >> square & 1 ? kCornerOrder : 0);
    if (depth >= kPatternOrderDepth && evaluation_.patterns) {
        PatternView view;
        node.view.after(square, turned, view);
        order -= evaluation_.patterns->evaluate(view, node.position.discs() + 1);
    }
    return order;
}

bool Knowledge::is_solvable(const Node& node, const Limits& limits, int depth,
                            double elapsed_s) const {
    const int empty_count = node.position.empty_count();
    if (!endgame_ || empty_count > kMaxSolvedEmpties || limits.depth < empty_count ||
        depth <= std::min(empty_count - kPliesBeforeEnd, kGuessDepth))
        return false;
    const double nodes = kNodesAt20 * std::pow(kNodesPerSquare, empty_count - 20);
    const double time_s = std::min(limits.time_s, 3 * limits.start_s) - elapsed_s;
    return nodes <= static_cast<double>(limits.nodes) && nodes / kNodesPerSecond <= time_s;
}

Knowledge::Solved Knowledge::solve(const Node& node, Score expected, int first_move, int thread,
                                   SearchStats& stats,
                                   const std::function<bool(uint64_t)>& keep_going) {
    endgame_->reset();
    endgame_->poll = keep_going;
    endgame_->thread = thread;
    // Final scores are even: the winner gets the empty squares, and a draw is 0.
    const int guess = 2 * static_cast<int>(std::lround(expected / (2.0 * kDisc)));
    const EndgameReport report = endgame_->solve(node.position.own, node.position.other,
                                                 -kSquares - 1, kSquares + 1, guess, first_move);
    endgame_->poll = nullptr;
    stats += endgame_->stats();
    return {report.finished, kDisc * report.score, node.position.empty_count(), report.pv};
}

std::optional<Knowledge::ProbCut> Knowledge::probcut(const Node& node, int depth) const {
    if (depth < kProbCutDepth) return std::nullopt;
    // Half the depth, or a ply less to have the same parity: odd and even depths differ more.
    const int shallow = depth / 2 - (depth - depth / 2) % 2;
    const int late = std::max(0, kLateEmpties - node.position.empty_count());
    const int deviation =
        kDeviation + kDeviationPerSquare * late + kDeviationPerPly * (depth - shallow - kNearPlies);
    return ProbCut{shallow, static_cast<Score>(kProbCutMargin * deviation)};
}

}  // namespace plyground::reversi
