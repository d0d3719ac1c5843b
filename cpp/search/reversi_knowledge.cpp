#include "search/reversi_knowledge.h"

#include <algorithm>
#include <array>
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

// The cost of a solver: nodes for a typical position with 20 empty squares, and the factor for each
// further square.
struct SolverCost {
    double nodes_at_20;
    double nodes_per_square;
    double nodes_per_second;
    int most_empties;
};
// Guessed from the FFO positions, which are harder than most.
constexpr SolverCost kEndgameCost{8e6, 2.3, 40e6, 30};
// Measured after random moves on 6x6.
constexpr SolverCost kSmallBoardCost{5e6, 1.9, 30e6, 32};
// The last squares are solved faster than they are searched. Guessed.
constexpr int kSolvedInSearch = 10;
// A search of this depth, or of 8 plies less than the empty squares, precedes the solver: it
// guesses the score and the best move.
constexpr int kGuessDepth = 10;
constexpr int kPliesBeforeEnd = 8;

// Move ordering, guessed. Other values changed the nodes to depth 16 by less than 5%.
constexpr int kReplyOrder = 100;   // per reply that a move leaves; a corner counts as three
constexpr int kCornerOrder = 300;  // for a move into a corner
// From this depth on the children are computed before the first is searched, and their pattern
// evaluation is added. Measured: with 3, a search to depth 16 takes 7% longer.
constexpr int kChildrenDepth = 2;
// The order in which the last ply tries its moves: corners, then other squares, then the squares
// beside the corners.
constexpr Squares kBesideCorners = 0x42c300000000c342;
constexpr std::array<Squares, 3> kLastPlyOrder{kCorners, ~(kCorners | kBesideCorners),
                                               kBesideCorners};

// ProbCut (Buro 1995): the standard deviation of the difference between shallow and deep scores, in
// hundredths of a disc. It grows late in the game and with the plies between the depths. `plyground
// tune reversi-probcut` measures 171, 13.0 and 13.2. The smaller constants below were chosen by
// matches (docs/results.md). Futility covers smaller depths.
constexpr int kProbCutDepth = 4;
constexpr double kProbCutMargin = 1.4;  // standard deviations; guessed
constexpr int kDeviation = 175;
constexpr int kDeviationPerSquare = 8;  // for each empty square fewer than kLateEmpties
constexpr int kLateEmpties = 38;
constexpr int kDeviationPerPly = 9;  // for each ply more than kNearPlies between the depths
constexpr int kNearPlies = 3;

}  // namespace

void Knowledge::enter_root(const Position& position, Node& node) {
    size_ = position.size;
    board_ = position.board();
    corners_ = corners_of(size_);
    salt_ = board_salt(size_);
    patterns_ = size_ == kSize ? evaluation_.patterns.get() : nullptr;
    node.position = position;
    node.moves = position.moves();
    node.view = PatternView::from(position.own, position.other);
    node.estimate = kNoEstimate;
    node.ply = 0;
    node.has_children = false;
}

void Knowledge::enter(const Node& parent, Action action, Node& child) const {
    if (parent.has_children && action != kPass) {
        child = children_of(parent)[std::popcount(parent.moves & (bit_of(action) - 1))];
        return;
    }
    child.estimate = kNoEstimate;
    child.ply = parent.ply + 1;
    child.has_children = false;
    const Squares own = parent.position.own;
    const Squares other = parent.position.other;
    Squares turned = 0;
    Squares played = own;
    if (action != kPass) {
        turned = flips(action, own, other);
        played |= turned | bit_of(action);
        if (patterns_) parent.view.after(action, turned, child.view);
    } else if (patterns_) {
        parent.view.passed(child.view);
    }
    child.position.own = other & ~turned;
    child.position.other = played;
    child.position.to_move = parent.position.to_move ^ 1;
    child.position.size = parent.position.size;
    child.position.key = board_key(child.position.own, played) ^ salt_;
    child.moves = reversi::moves(child.position.own, played) & board_;
}

std::optional<Knowledge::Known> Knowledge::known_result(const Node& node, int depth, Score alpha,
                                                        Score beta, uint64_t& nodes) {
    const Position& position = node.position;
    if (!node.moves && !position.other_moves())
        return Known{kDisc * position.score(), Bound::kExact};
    const int empty_count = position.empty_count();
    if (!options_.exact_results || !endgame_ || empty_count > std::min(kSolvedInSearch, depth + 2))
        return std::nullopt;
    const int low = std::max(floor_discs(alpha), -kSquares - 1);
    const int high = std::min(ceil_discs(beta), kSquares + 1);
    const int score = exact_score(position, low, high, nodes);
    const Bound bound = score <= low    ? Bound::kUpper
                        : score >= high ? Bound::kLower
                                        : Bound::kExact;
    return Known{kDisc * score, bound};
}

int Knowledge::exact_score(const Position& position, int alpha, int beta, uint64_t& nodes) {
    if (size_ != kSize) {
        small_board_->reset();
        const int score = small_board_->score(position, alpha, beta);
        nodes += small_board_->stats().nodes;
        return score;
    }
    endgame_->reset();
    const int score = endgame_->score(position.own, position.other, alpha, beta);
    nodes += endgame_->stats().nodes;
    return score;
}

Score Knowledge::evaluate(Node& node) const {
    if (!patterns_) {
        const double points =
            evaluation_.classic.evaluate(node.position.own, node.position.other, node.moves, size_);
        return std::clamp(static_cast<Score>(std::lround(points * kClassicPoint)),
                          -kDisc * kSquares, kDisc * kSquares);
    }
    if (node.estimate == kNoEstimate)
        node.estimate = patterns_->evaluate(node.view, node.position.discs());
    return node.estimate;
}

// Makes no nodes, and computes no order: that would cost as much as evaluating a child.
std::optional<Score> Knowledge::search_last_ply(const Node& node, Score beta, bool first_only,
                                                uint64_t& nodes) const {
    if (!patterns_ || !node.moves) return std::nullopt;
    const Squares own = node.position.own;
    const Squares other = node.position.other;
    const int discs = node.position.discs() + 1;
    Score best = -kInfinite;
    for (const Squares part : kLastPlyOrder) {
        for (Squares left = node.moves & part; left; left &= left - 1) {
            const int square = first_square(left);
            const Squares turned = flips(square, own, other);
            const Squares played = own | turned | bit_of(square);
            const Squares rest = other & ~turned;
            ++nodes;
            if (!reversi::moves(rest, played) && !reversi::moves(played, rest)) {
                best = std::max(best, kDisc * final_score(played, rest));
            } else {
                PatternView view;
                node.view.after(square, turned, view);
                best = std::max(best, -patterns_->evaluate(view, discs));
            }
            if (best >= beta || first_only) return best;
        }
    }
    return best;
}

// The children stay valid while the search visits the node, so ProbCut's search computes them for
// the deep search too.
void Knowledge::add_children(Node& node, int depth) const {
    Node* child = children_of(node);
    for_each_square(node.moves, [&](int square) {
        enter(node, static_cast<Action>(square), *child);
        if (depth > kTableDepth) table_->prefetch(child->position.key);
        evaluate(*child);
        ++child;
    });
    node.has_children = true;
}

// Close to the leaves, the fewest replies first; further up also by the pattern evaluation after
// the move.
void Knowledge::generate(Node& node, Moves& moves, int depth) const {
    moves.size = 0;
    if (!node.moves) {
        moves.add(kPass, MoveKind::kForcing, 0, 0);
        return;
    }
    if (!node.has_children && depth >= kChildrenDepth && patterns_ && children_ &&
        std::popcount(node.moves) <= kMaxChildren)
        add_children(node, depth);
    const Node* child = node.has_children ? children_of(node) : nullptr;
    for_each_square(node.moves, [&](int square) {
        const int order = child ? order_of(square, child->moves) - child->estimate
                                : order_of(square, replies_to(node, square));
        moves.add(square, MoveKind::kOrdinary, order, 0);
        if (child) ++child;
    });
}

Squares Knowledge::replies_to(const Node& node, int square) const {
    const Squares turned = flips(square, node.position.own, node.position.other);
    const Squares played = node.position.own | turned | bit_of(square);
    return reversi::moves(node.position.other & ~turned, played) & board_;
}

int Knowledge::order_of(int square, Squares replies) const {
    const int mobility = std::popcount(replies) + 2 * std::popcount(replies & corners_);
    return -kReplyOrder * mobility + (corners_ >> square & 1 ? kCornerOrder : 0);
}

bool Knowledge::is_solvable(const Node& node, const Limits& limits, int depth,
                            double elapsed_s) const {
    const int empty_count = node.position.empty_count();
    const SolverCost& cost = size_ == kSize ? kEndgameCost : kSmallBoardCost;
    if (!endgame_ || empty_count > cost.most_empties || limits.depth < empty_count ||
        depth <= std::min(empty_count - kPliesBeforeEnd, kGuessDepth))
        return false;
    const double nodes = cost.nodes_at_20 * std::pow(cost.nodes_per_square, empty_count - 20);
    const double time_s = std::min(limits.time_s, 3 * limits.start_s) - elapsed_s;
    return nodes <= static_cast<double>(limits.nodes) && nodes / cost.nodes_per_second <= time_s;
}

Knowledge::Solved Knowledge::solve(const Node& node, Score expected, int first_move, int thread,
                                   SearchStats& stats,
                                   const std::function<bool(uint64_t)>& keep_going) {
    if (size_ != kSize) return solve_small_board(node.position, thread, stats, keep_going);
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

Knowledge::Solved Knowledge::solve_small_board(const Position& position, int thread,
                                               SearchStats& stats,
                                               const std::function<bool(uint64_t)>& keep_going) {
    small_board_->reset();
    small_board_->poll = [&](const SearchStats& so_far) { return keep_going(so_far.nodes); };
    small_board_->thread = thread;
    const EndgameReport report = small_board_->solve(position, -kSquares - 1, kSquares + 1);
    small_board_->poll = nullptr;
    stats += small_board_->stats();
    return {report.finished, kDisc * report.score, position.empty_count(), report.pv};
}

std::optional<Knowledge::ProbCut> Knowledge::probcut(const Node& node, int depth) const {
    // The deviations are those of 8x8.
    if (depth < kProbCutDepth || size_ != kSize) return std::nullopt;
    // Half the depth, or a ply less to have the same parity: odd and even depths differ more.
    const int shallow = depth / 2 - (depth - depth / 2) % 2;
    const int late = std::max(0, kLateEmpties - node.position.empty_count());
    const int deviation =
        kDeviation + kDeviationPerSquare * late + kDeviationPerPly * (depth - shallow - kNearPlies);
    return ProbCut{shallow, static_cast<Score>(kProbCutMargin * deviation)};
}

}  // namespace plyground::reversi
