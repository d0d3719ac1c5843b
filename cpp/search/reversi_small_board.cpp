#include "search/reversi_small_board.h"

#include <algorithm>

#include "games/reversi_features.h"
#include "search/reversi_classic.h"

namespace plyground::reversi {
namespace {

constexpr int kLastEmpties = 6;         // up to here moves are neither sorted nor looked up
constexpr int kTableCutoffEmpties = 9;  // from here on the table is asked about all replies
constexpr int kTurnEmpties = 20;        // from here on mirror images share an entry
constexpr int kVariedEmpties = 12;      // from here on threads have different move orders
constexpr uint64_t kPollNodes = 1 << 10;

// Weights of the ordering, chosen by the nodes of 6x6.
constexpr int kFirstOrder = 1 << 20;
constexpr int kEndOrder = 1000;   // a disc at the end of the game
constexpr int kMost = 1 << 18;    // more than any estimate
constexpr int kReplyOrder = 16;   // a reply that the move leaves
constexpr int kCornerOrder = 32;  // a corner that the move takes, or gives away
constexpr int kOpenOrder = 4;     // an empty square beside the mover's discs
constexpr int kOddOrder = 8;      // a region with an odd number of empty squares
constexpr int kSearchOrder = 4;   // a point of the short search

// Plies of the short search that sorts the moves of a position with this many empty squares.
int ordering_depth(int empty_count) {
    return empty_count >= 18 ? 3 : empty_count >= 14 ? 2 : empty_count >= 11 ? 1 : 0;
}

// The squares of a small board fill the top left corner, so mirrored ones are moved back there.
Squares mirrored(Squares set, int symmetry, int size) {
    const int gap = kSize - size;
    if (symmetry & 1) set = mirror_columns(set) >> gap;
    if (symmetry & 2) set = flip_rows(set) >> kSize * gap;
    return set;
}
Squares turned(Squares set, int symmetry, int size) {
    set = mirrored(set, symmetry, size);
    return symmetry & 4 ? transpose(set) : set;
}
Squares turned_back(Squares set, int symmetry, int size) {
    return mirrored(symmetry & 4 ? transpose(set) : set, symmetry, size);
}

// A position the way round that comes first, with its key.
struct TurnedPosition {
    Squares own, other;
    int symmetry = 0;
    uint64_t key;

    TurnedPosition(Squares own_discs, Squares other_discs, int size, bool may_turn)
        : own(own_discs), other(other_discs) {
        for (int way = 1; may_turn && way < kSymmetries; ++way) {
            const Squares next_own = turned(own_discs, way, size);
            if (next_own > own) continue;
            const Squares next_other = turned(other_discs, way, size);
            if (next_own == own && next_other >= other) continue;
            own = next_own;
            other = next_other;
            symmetry = way;
        }
        // Differs from the midgame key, as that of EndgameSolver does.
        key = ~board_key(own, other) ^ board_salt(size);
    }
};

}  // namespace

EndgameReport SmallBoardSolver::solve(const Position& position, int alpha, int beta) {
    const auto [low, high] = search_windows(position, alpha, beta);
    if (stopped_) return {};
    EndgameReport report;
    if (low == high) {
        report.score = low;
        report.pv = line(position, low);
    } else {
        report.score = low >= beta ? low : high;
        report.pv = {best_action(position, report.score, low >= beta)};
    }
    report.finished = !stopped_;
    return report;
}

int SmallBoardSolver::score(const Position& position, int alpha, int beta) {
    const auto [low, high] = search_windows(position, alpha, beta);
    if (stopped_) return 0;
    return low == high || low >= beta ? low : high;
}

// Null windows move towards the score (Plaat et al. 1996) until it is known or outside the window.
// All scores are even.
SmallBoardSolver::Bounds SmallBoardSolver::search_windows(const Position& position, int alpha,
                                                          int beta) {
    size_ = position.size;
    board_ = position.board();
    corners_ = corners_of(size_);
    Bounds bounds{-size_ * size_, size_ * size_};
    int bound = std::clamp(0, alpha + 1, beta);
    bound += bound & 1;
    while (bounds.low < bounds.high && bounds.low < beta && bounds.high > alpha && !stopped_) {
        const int score = search(position.own, position.other, bound, false);
        if (score >= bound) {
            bounds.low = score;
            bound = score + 2;
        } else {
            bounds.high = bound = score;
        }
    }
    return bounds;
}

int SmallBoardSolver::search(Squares own, Squares other, int beta, bool passed) {
    const Squares empty = board_ & ~(own | other);
    const int empty_count = std::popcount(empty);
    if (empty_count <= kLastEmpties) return search_last(own, other, empty, beta, passed);
    ++stats_.nodes;
    check_limits();
    if (stopped_) return 0;

    const TurnedPosition first(own, other, size_, empty_count >= kTurnEmpties);
    TableEntry entry;
    Squares table_move = 0;
    ++stats_.table_probes;
    if (table_.probe(first.key, entry)) {
        ++stats_.table_hits;
        if (entry.bound == Bound::kLower ? entry.score >= beta : entry.score < beta)
            return entry.score;
        table_move = turned_back(bit_of(entry.move % kSquares), first.symmetry, size_);
    }
    const Squares legal = moves(own, other) & board_;
    if (!legal) {
        if (passed) return final_score(own, other, size_ * size_);
        return -search(other, own, 1 - beta, true);
    }
    Moves moves;
    generate(own, other, legal, table_move, moves);
    if (empty_count >= kTableCutoffEmpties) {
        for (int i = 0; i < moves.size; ++i) {
            const TurnedPosition next(moves.of[i].own, moves.of[i].other, size_,
                                      empty_count > kTurnEmpties);
            if (table_.probe(next.key, entry) && entry.bound == Bound::kUpper &&
                -entry.score >= beta)
                return -entry.score;
        }
    }
    moves.sort();
    int best = -size_ * size_ - 1;
    int best_square = moves.of[0].square;
    for (int i = 0; i < moves.size && best < beta; ++i) {
        const Move& move = moves.of[i];
        const int score = -search(move.own, move.other, 1 - beta, false);
        if (stopped_) return 0;
        if (score <= best) continue;
        best = score;
        best_square = move.square;
        if (best >= beta) {
            ++stats_.cutoffs;
            stats_.first_move_cutoffs += i == 0;
        }
    }
    const Squares best_turned = turned(bit_of(best_square), first.symmetry, size_);
    table_.store(first.key, {static_cast<int16_t>(best), static_cast<int8_t>(empty_count),
                             best >= beta ? Bound::kLower : Bound::kUpper,
                             static_cast<uint8_t>(first_square(best_turned)), true});
    return best;
}

// The last squares in the order of their numbers.
int SmallBoardSolver::search_last(Squares own, Squares other, Squares empty, int beta,
                                  bool passed) {
    ++stats_.nodes;
    int best = -size_ * size_ - 1;
    bool has_move = false;
    for (Squares left = empty; left && best < beta; left &= left - 1) {
        const int square = first_square(left);
        const Squares flipped = flips(square, own, other);
        if (!flipped) continue;
        has_move = true;
        best = std::max(best, -search_last(other & ~flipped, own | flipped | bit_of(square),
                                           empty & ~bit_of(square), 1 - beta, false));
    }
    if (has_move) return best;
    if (passed || !empty) return final_score(own, other, size_ * size_);
    return -search_last(other, own, empty, 1 - beta, true);
}

void SmallBoardSolver::generate(Squares own, Squares other, Squares legal, Squares first,
                                Moves& moves) const {
    const Squares empty = board_ & ~(own | other);
    const Squares odd = odd_regions(empty);
    const int empty_count = std::popcount(empty);
    const int depth = ordering_depth(empty_count);
    for_each_square(legal, [&](int square) {
        const Squares flipped = flips(square, own, other);
        Move& move = moves.of[moves.size++];
        move = {other & ~flipped, own | flipped | bit_of(square), 0, static_cast<uint8_t>(square)};
        move.order = bit_of(square) & first ? kFirstOrder : order_of(move, odd);
        if (move.order == kFirstOrder) return;
        if (depth > 0)
            move.order -= kSearchOrder * estimate(move.own, move.other, depth, -kMost, kMost);
        if (thread > 0 && empty_count >= kVariedEmpties)
            move.order += static_cast<int>(mix64(move.other + thread) % kReplyOrder);
    });
}

// A short search by mobility and corners.
int SmallBoardSolver::estimate(Squares own, Squares other, int depth, int alpha, int beta) const {
    const Squares legal = reversi::moves(own, other) & board_;
    if (depth == 0 || !legal) {
        const Squares replies = reversi::moves(other, own) & board_;
        if (!legal && !replies) return kEndOrder * final_score(own, other, size_ * size_);
        return promise(own, other, legal) - promise(other, own, replies);
    }
    int best = -kMost;
    for (Squares left = legal; left && best < beta; left &= left - 1) {
        const int square = first_square(left);
        const Squares flipped = flips(square, own, other);
        const int score = -estimate(other & ~flipped, own | flipped | bit_of(square), depth - 1,
                                    -beta, -std::max(alpha, best));
        best = std::max(best, score);
    }
    return best;
}

int SmallBoardSolver::promise(Squares own, Squares other, Squares legal) const {
    const Squares open = neighbours(other) & board_ & ~(own | other);
    return kReplyOrder * std::popcount(legal) + kOpenOrder * std::popcount(open) +
           kCornerOrder * (2 * std::popcount(own & corners_) + std::popcount(legal & corners_));
}

int SmallBoardSolver::order_of(const Move& move, Squares odd) const {
    const Squares replies = reversi::moves(move.own, move.other) & board_;
    const Squares open = neighbours(move.other) & board_ & ~(move.own | move.other);
    const Squares square = bit_of(move.square);
    int order = -kReplyOrder * std::popcount(replies) - kOpenOrder * std::popcount(open);
    order -= kCornerOrder * std::popcount(replies & corners_);
    if (square & corners_) order += kCornerOrder;
    if (square & odd) order += kOddOrder;
    return order;
}

void SmallBoardSolver::Moves::sort() {
    std::sort(of.begin(), of.begin() + size,
              [](const Move& a, const Move& b) { return a.order > b.order; });
}

// Best moves to the end of the game.
std::vector<int> SmallBoardSolver::line(Position position, int score) {
    std::vector<int> found;
    while (!position.is_over()) {
        const int action = best_action(position, score, true);
        if (stopped_) break;
        found.push_back(action);
        position.play(static_cast<Action>(action));
        score = -score;
    }
    return found;
}

// An action after which the score is reached. With an upper bound of the score there may be none:
// then it is the most promising one.
int SmallBoardSolver::best_action(const Position& position, int score, bool is_reached) {
    const Squares legal = position.moves();
    if (!legal) return kPass;
    const int empty_count = std::popcount(position.empty());
    const TurnedPosition first(position.own, position.other, size_, empty_count >= kTurnEmpties);
    TableEntry entry;
    Squares table_move = 0;
    if (table_.probe(first.key, entry))
        table_move = turned_back(bit_of(entry.move % kSquares), first.symmetry, size_);
    Moves moves;
    generate(position.own, position.other, legal, table_move, moves);
    moves.sort();
    for (int i = 0; is_reached && i < moves.size; ++i) {
        const Move& move = moves.of[i];
        if (search(move.own, move.other, 2 - score, false) <= -score) return move.square;
        if (stopped_) break;
    }
    return moves.of[0].square;
}

void SmallBoardSolver::check_limits() {
    if (stats_.nodes < next_poll_) return;
    next_poll_ = stats_.nodes + kPollNodes;
    if (poll && !poll(stats_)) stopped_ = true;
}

}  // namespace plyground::reversi
