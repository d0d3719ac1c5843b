#include "search/reversi_endgame.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/rng.h"
#include "search/reversi_last.h"
#include "search/reversi_patterns.h"
#include "search/reversi_stability.h"

namespace plyground::reversi {
namespace {

// Up to this many empty squares, neither the table nor sorting pays off.
constexpr int kShallow = 7;
// From this many empty squares on, all replies are looked up in the table before any is searched
// (enhanced transposition cutoff).
constexpr int kTableCutoffEmpties = 11;
// From this many empty squares on, the pattern evaluation helps to order the moves. One reply fewer
// counts as much as 2.5 discs. Measured on the FFO positions: a grid of 0.5, 1 and 2 discs and of
// 10, 12 and 14 squares on 40 to 42, then 1.5 against 2.5 discs on 40 to 44.
constexpr int kByPatterns = 12;
constexpr Score kReplyInPatterns = 250;
constexpr int kReply = 32;  // one reply, in units of a move's order
// Other parts of a move's order, guessed.
constexpr int kOpenSquare = 4;        // an empty square next to the mover's discs
constexpr int kParityFarFromEnd = 8;  // a move into an odd quadrant
constexpr int kParityNearEnd = 24;
constexpr int kNearEnd = 12;  // fewer empty squares are near the end
constexpr int kWipeOutOrder = 20000;
constexpr int kTableMoveOrder = 30000;
constexpr int kFirstWindowStep = 4;  // doubled at each new window, in discs; guessed
constexpr uint64_t kPollNodes = 1 << 10;

// Differs from the midgame key: midgame results are estimates, these are exact.
uint64_t table_key(Squares own, Squares other) { return ~board_key(own, other); }

// The quadrants with an odd number of empty squares: the player who moves there first also tends to
// move there last.
Squares odd_quadrants(Squares empty) {
    constexpr std::array<Squares, 4> kQuadrants{0x000000000f0f0f0f, 0x00000000f0f0f0f0,
                                                0x0f0f0f0f00000000, 0xf0f0f0f000000000};
    Squares odd = 0;
    for (const Squares quadrant : kQuadrants)
        odd |= std::popcount(empty & quadrant) & 1 ? quadrant : 0;
    return odd;
}

// Counting stable discs costs about as much as generating moves, so it pays only if the bound has a
// chance to be low enough. The threshold is guessed.
bool stability_may_cut(Squares other, int alpha, int empty_count) {
    return alpha >= 2 * empty_count - 6 && 2 * std::popcount(other) >= kSquares - alpha;
}

template <int N>
LastSquares<N> squares_of(Squares set) {
    LastSquares<N> squares;
    for (int i = 0; i < N; ++i, set &= set - 1)
        squares[i] = static_cast<uint8_t>(first_square(set));
    return squares;
}

int solve_last_squares(Squares own, Squares other, int alpha, int beta, uint64_t& nodes) {
    const Squares empty = ~(own | other);
    switch (std::popcount(empty)) {
        case 0:
            ++nodes;
            return final_score(own, other);
        case 1:
            return solve_last<1>(own, other, squares_of<1>(empty), alpha, beta, nodes);
        case 2:
            return solve_last<2>(own, other, squares_of<2>(empty), alpha, beta, nodes);
        case 3:
            return solve_last<3>(own, other, squares_of<3>(empty), alpha, beta, nodes);
        default:
            return solve_last<4>(own, other, squares_of<4>(empty), alpha, beta, nodes);
    }
}

// The value of a square for move ordering: corners best, the squares beside them worst. Guessed.
constexpr std::array<int8_t, kSquares> kSquareValues = [] {
    constexpr int8_t kQuarter[4][4] = {
        {18, 4, 16, 12}, {4, 2, 6, 8}, {16, 6, 14, 10}, {12, 8, 10, 0}};
    std::array<int8_t, kSquares> values{};
    for (int square = 0; square < kSquares; ++square) {
        const int row = std::min(row_of(square), 7 - row_of(square));
        const int col = std::min(col_of(square), 7 - col_of(square));
        values[square] = kQuarter[row][col];
    }
    return values;
}();

}  // namespace

EndgameSolver::Move& EndgameSolver::Moves::pick(int from) {
    int best = from;
    for (int i = from + 1; i < size; ++i) {
        if (of[i].order > of[best].order) best = i;
    }
    std::swap(of[from], of[best]);
    return of[from];
}

// Up to 7 empty squares: moves are ordered by odd quadrants and corners only, without a table.
int EndgameSolver::search_shallow(Squares own, Squares other, int alpha, int beta, bool passed) {
    const Squares empty = ~(own | other);
    const int empty_count = std::popcount(empty);
    if (empty_count <= 4) return solve_last_squares(own, other, alpha, beta, stats_.nodes);
    ++stats_.nodes;
    if (stability_may_cut(other, alpha, empty_count)) {
        const int highest = kSquares - 2 * std::popcount(stable_discs(other, own));
        if (highest <= alpha) return highest;
    }
    const Squares legal = moves(own, other);
    if (!legal) {
        if (passed) return final_score(own, other);
        return -search_shallow(other, own, -beta, -alpha, true);
    }
    const Squares odd = odd_quadrants(empty);
    int best = kNoScore;
    for (const Squares part :
         {odd & kCorners, odd & ~kCorners, ~odd & kCorners, ~odd & ~kCorners}) {
        for (Squares left = legal & part; left; left &= left - 1) {
            const int square = first_square(left);
            const Squares turned = flips(square, own, other);
            const Squares played = own | turned | bit_of(square);
            const Squares rest = other & ~turned;
            const int score =
                empty_count == 5
                    ? -solve_last<4>(rest, played, squares_of<4>(empty & ~bit_of(square)), -beta,
                                     -alpha, stats_.nodes)
                    : -search_shallow(rest, played, -beta, -alpha, false);
            if (score > best) {
                best = score;
                if (score >= beta) return best;
                alpha = std::max(alpha, score);
            }
        }
    }
    return best;
}

int EndgameSolver::search(Squares own, Squares other, int alpha, int beta, bool passed) {
    const Squares empty = ~(own | other);
    const int empty_count = std::popcount(empty);
    if (empty_count <= kShallow) return search_shallow(own, other, alpha, beta, passed);

    // 1. Limits.
    if (++stats_.nodes >= next_poll_) check_limits();
    if (stopped_) return 0;

    // 2. Stable discs: an upper bound of the score.
    if (stability_may_cut(other, alpha, empty_count)) {
        const int highest = kSquares - 2 * std::popcount(stable_discs(other, own));
        if (highest <= alpha) return highest;
        beta = std::min(beta, highest);
    }

    // 3. The table.
    const uint64_t key = table_key(own, other);
    TableEntry entry;
    int table_move = -1;
    ++stats_.table_probes;
    if (table_.probe(key, entry)) {
        ++stats_.table_hits;
        if (entry.bound == Bound::kExact || (entry.bound == Bound::kLower && entry.score >= beta) ||
            (entry.bound == Bound::kUpper && entry.score <= alpha)) {
            return entry.score;
        }
        if (entry.has_move) table_move = entry.move;
    }

    // 4. The moves, sorted so that the opponent gets few.
    const Squares legal = reversi::moves(own, other);
    if (!legal) {
        if (passed) return final_score(own, other);
        return -search(other, own, -beta, -alpha, true);
    }
    Moves moves;
    generate(own, other, legal, table_move, moves);

    // 5. Enhanced transposition cutoff: a child in the table that already fails high.
    if (empty_count >= kTableCutoffEmpties) {
        for (int i = 0; i < moves.size; ++i) {
            const Move& move = moves.of[i];
            if (table_.probe(move.key, entry) && entry.bound != Bound::kLower &&
                -entry.score >= beta) {
                ++stats_.cutoffs;
                return -entry.score;
            }
        }
    }

    // 6. Search them: the first with the full window, the others with a null window first.
    const int first_alpha = alpha;
    int best = kNoScore;
    int best_move = -1;
    for (int i = 0; i < moves.size; ++i) {
        const Move move = moves.pick(i);
        int score = 0;
        if (i == 0) {
            score = -search(move.own, move.other, -beta, -alpha, false);
        } else {
            score = -search(move.own, move.other, -alpha - 1, -alpha, false);
            if (score > alpha && score < beta)
                score = -search(move.own, move.other, -beta, -score, false);
        }
        if (stopped_) return 0;
        if (score > best) {
            best = score;
            best_move = move.square;
            if (score >= beta) {
                ++stats_.cutoffs;
                stats_.first_move_cutoffs += i == 0;
                break;
            }
            alpha = std::max(alpha, score);
        }
    }

    // 7. Store the result.
    const Bound bound = best >= beta         ? Bound::kLower
                        : best > first_alpha ? Bound::kExact
                                             : Bound::kUpper;
    table_.store(key, {static_cast<int16_t>(best), static_cast<int8_t>(empty_count), bound,
                       static_cast<uint8_t>(best_move), true});
    return best;
}

void EndgameSolver::generate(Squares own, Squares other, Squares squares, int table_move,
                             Moves& moves) const {
    const Squares empty = ~(own | other);
    const Squares odd = odd_quadrants(empty);
    const int empty_count = std::popcount(empty);
    for (; squares; squares &= squares - 1) {
        Move& move = moves.of[moves.size++];
        const int square = first_square(squares);
        const Squares turned = flips(square, own, other);
        move.square = static_cast<uint8_t>(square);
        move.own = other & ~turned;
        move.other = own | turned | bit_of(square);
        move.key = 0;
        if (empty_count > kShallow + 1) {
            move.key = table_key(move.own, move.other);
            table_.prefetch(move.key);
        }
        move.order = static_cast<int16_t>(square == table_move ? kTableMoveOrder
                                                               : order_of(move, odd, empty_count));
    }
}

// A move's order; higher is tried first. Fastest first: the fewer replies, the smaller the subtree.
int EndgameSolver::order_of(const Move& move, Squares odd, int empty_count) const {
    if (!move.own) return kWipeOutOrder;  // the opponent has no discs left
    const Squares replies = reversi::moves(move.own, move.other);
    const Squares open = neighbours(move.other) & ~(move.own | move.other);
    const int mobility = std::popcount(replies) + std::popcount(replies & kCorners);
    int order = -kReply * mobility - kOpenSquare * std::popcount(open) + kSquareValues[move.square];
    if (odd & bit_of(move.square))
        order += empty_count < kNearEnd ? kParityNearEnd : kParityFarFromEnd;
    if (thread > 0 && empty_count >= kByPatterns)
        order += static_cast<int>(mix64(move.key + static_cast<uint64_t>(thread)) % kReply);
    if (patterns_ && empty_count >= kByPatterns)
        order -= kReply * patterns_->evaluate(move.own, move.other) / kReplyInPatterns;
    return order;
}

// Sets `best_move` to the best move proven to exceed alpha; leaves it unchanged if there is none.
int EndgameSolver::search_root(Squares own, Squares other, int alpha, int beta, int first,
                               int& best_move) {
    Moves moves;
    generate(own, other, reversi::moves(own, other), first, moves);
    int best = kNoScore;
    for (int i = 0; i < moves.size; ++i) {
        const Move move = moves.pick(i);
        int score = 0;
        if (i == 0) {
            score = -search(move.own, move.other, -beta, -alpha, false);
        } else {
            score = -search(move.own, move.other, -alpha - 1, -alpha, false);
            if (score > alpha && score < beta && !stopped_)
                score = -search(move.own, move.other, -beta, -score, false);
        }
        if (stopped_) return best;
        best = std::max(best, score);
        if (score > alpha) {
            best_move = move.square;
            if (score >= beta) break;
            alpha = score;
        }
    }
    return best;
}

EndgameReport EndgameSolver::solve(Squares own, Squares other, int alpha, int beta, int guess,
                                   int first_move) {
    EndgameReport report;
    if (!moves(own, other)) {
        if (moves(other, own)) {
            report = solve(other, own, -beta, -alpha, -guess);
            report.score = -report.score;
            report.pv.insert(report.pv.begin(), kPass);
        } else {
            report.score = final_score(own, other);
            report.finished = true;
        }
        return report;
    }
    // A narrow window around the guess, moved towards the score when it fails.
    guess = std::clamp(guess, alpha + 1, beta - 1);
    int low = guess - 1;
    int high = guess + 1;
    int best_move = -1;
    for (int step = kFirstWindowStep;; step *= 2) {
        const int score = search_root(own, other, low, high, first_move, best_move);
        if (best_move >= 0) report.pv = {first_move = best_move};
        // A stopped window only counts if it found a better move; else the last one's score stays.
        if (!stopped_ || score > low) report.score = score;
        if (stopped_) return report;
        if (report.score <= low && low > alpha) {
            high = report.score + 1;
            low = std::max(alpha, report.score - step);
        } else if (report.score >= high && high < beta) {
            low = report.score - 1;
            high = std::min(beta, report.score + step);
        } else {
            break;
        }
    }
    report.finished = true;
    if (report.score > alpha && report.score < beta) {
        // If this search is stopped at once the line is empty, but the first move is known.
        std::vector<int> pv = line(own, other, report.score);
        if (!pv.empty()) report.pv = std::move(pv);
    }
    return report;
}

// The principal variation: at each turn the first move that preserves the score. The table makes
// this cheap. Ends early if the search is stopped.
std::vector<int> EndgameSolver::line(Squares own, Squares other, int score) {
    std::vector<int> pv;
    while (true) {
        const Squares legal = moves(own, other);
        if (!legal) {
            if (!moves(other, own)) return pv;
            pv.push_back(kPass);
            std::swap(own, other);
            score = -score;
            continue;
        }
        TableEntry entry;
        const bool has_entry = table_.probe(table_key(own, other), entry) && entry.has_move;
        Moves children;
        generate(own, other, legal, has_entry ? entry.move : -1, children);
        int i = 0;
        while (i < children.size) {
            const Move& move = children.pick(i);
            if (-search(move.own, move.other, -score - 1, -score + 1, false) == score) break;
            if (stopped_) return pv;
            ++i;
        }
        if (i == children.size) return pv;
        const Move& move = children.of[i];
        pv.push_back(move.square);
        own = move.own;
        other = move.other;
        score = -score;
    }
}

void EndgameSolver::check_limits() {
    next_poll_ = stats_.nodes + kPollNodes;
    if (poll && !poll(stats_.nodes)) stopped_ = true;
}

}  // namespace plyground::reversi
