#include "search/reversi_endgame.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/rng.h"
#include "search/reversi_last.h"
#include "search/reversi_lookahead.h"
#include "search/reversi_parallel_endgame.h"
#include "search/reversi_patterns.h"
#include "search/reversi_stability.h"

namespace plyground::reversi {
namespace {

// Up to this many empty squares, neither the table nor sorting pays off. With 7 the nodes of the
// FFO positions rise by a fifth, and the time hardly changes.
constexpr int kShallow = 6;
// With fewer empty squares, results are stored in a small table of the thread's own, which stays in
// the processor's cache: the big table's memory is slower than the search of such a position. From
// 7 to 10, the nodes of the FFO positions 41 to 44 rise by 5% for each square, at the same time.
constexpr int kTableEmpties = 10;
constexpr size_t kRecentSlots = 1 << 11;  // 2^13 and 2^15 were no faster
constexpr Score kDisc = 100;
// From this many empty squares on, all replies are looked up in the table before any is searched
// (enhanced transposition cutoff).
constexpr int kTableCutoffEmpties = 11;
// From this many empty squares on, the pattern evaluation helps to order the moves, after as many
// plies more as kLookaheadEmpties has numbers up to the empty squares. One reply fewer counts as
// much as 2.5 discs. A move that is this many discs worse than alpha is last, and its exact
// estimate does not matter. Measured on the FFO positions 41 to 47: other values changed the nodes
// by less than 5%.
constexpr int kByPatterns = 12;
constexpr std::array kLookaheadEmpties{15, 18, 21, 24};
constexpr Score kReplyInPatterns = 250;
constexpr int kHopeless = 8;
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

// Selective passes (ProbCut, Buro 1995): a search of some plies that misses the window by a margin
// settles a node. The margins by level, in hundredths of a disc; level 0 is exact. After 4 plies,
// the standard deviation from the exact score is 6.5 discs with 14 to 20 empty squares (680
// positions of tournament games in 2024); after 6 plies it is 5.6 discs.
constexpr std::array<Score, 4> kMargins{0, 1300, 900, 550};
constexpr int kMostSelective = kMargins.size() - 1;
// With fewer empty squares nothing is cut, so results there are exact on every level.
constexpr int kSelectiveEmpties = 15;
// A position must have this many to be worth the passes.
constexpr int kPassesEmpties = 17;
// One ply of the search that settles a node for each 2.5 empty squares, with the same parity as the
// empty squares, less 2. Measured: 2 and 3 squares for each ply are within 8% of the nodes.
constexpr int cut_depth(int empty_count) { return 2 * (empty_count / 5) - 2 + (empty_count & 1); }

// With fewer empty squares a thread does not share its moves: the others would wait longer for the
// work than it takes. Guessed.
constexpr int kSplitEmpties = 14;

// In the table, the two high bits of a move hold the level of its result.
constexpr int kLevelShift = 6;
constexpr int level_of(const TableEntry& entry) { return entry.move >> kLevelShift; }
constexpr int move_of(const TableEntry& entry) {
    return entry.has_move ? entry.move & (kSquares - 1) : -1;
}
bool settles(const TableEntry& entry, int alpha, int beta) {
    return entry.bound == Bound::kExact || (entry.bound == Bound::kLower && entry.score >= beta) ||
           (entry.bound == Bound::kUpper && entry.score <= alpha);
}

// The plies of the search that orders the moves; -1 if there is none.
int order_depth(int empty_count) {
    if (empty_count < kByPatterns) return -1;
    int depth = 0;
    for (const int empties : kLookaheadEmpties)
        depth += empty_count >= empties;
    return depth;
}

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

EndgameSolver::EndgameSolver(Table& table, const Patterns* patterns)
    : table_(table), patterns_(patterns), recent_(kRecentSlots) {}

size_t useful_table_mb(int empty_count) {
    // The FFO positions of 22 to 26 empty squares fill a half of this or less.
    constexpr int kSmallEmpties = 18;
    constexpr int kMostDoublings = 10;
    return size_t{4} << std::clamp(empty_count - kSmallEmpties, 0, kMostDoublings);
}

EndgameSolver::Move& EndgameSolver::Moves::pick(int from) {
    int best = from;
    for (int i = from + 1; i < size; ++i) {
        if (of[i].order > of[best].order) best = i;
    }
    std::swap(of[from], of[best]);
    return of[from];
}

// Up to 6 empty squares: moves are ordered by odd quadrants and corners only, without a table.
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

    // 3. The tables.
    const uint64_t key = table_key(own, other);
    const bool is_recent = empty_count < kTableEmpties;
    Recent& recent = recent_[key % kRecentSlots];
    TableEntry entry;
    int table_move = -1;
    ++stats_.table_probes;
    if (is_recent ? recent.finds(own, other, entry) : table_.probe(key, entry)) {
        ++stats_.table_hits;
        if (level_of(entry) <= level_ && settles(entry, alpha, beta)) return entry.score;
        table_move = move_of(entry);
    }

    const Squares legal = reversi::moves(own, other);
    if (!legal) {
        if (passed) return final_score(own, other);
        return -search(other, own, -beta, -alpha, true);
    }

    // 4. In a selective pass, a search of some plies may settle the node.
    const bool is_selective = level_ > 0 && empty_count >= kSelectiveEmpties;
    if (is_selective && beta == alpha + 1) {
        if (const std::optional<int> likely = likely_bound(own, other, alpha)) return *likely;
    }

    // 5. The moves, sorted so that the opponent gets few.
    Moves moves;
    generate(own, other, legal, table_move, alpha, moves);

    // 6. Enhanced transposition cutoff: a child in the table that already fails high.
    if (empty_count >= kTableCutoffEmpties) {
        for (int i = 0; i < moves.size; ++i) {
            const Move& move = moves.of[i];
            if (table_.probe(move.key, entry) && level_of(entry) <= level_ &&
                entry.bound != Bound::kLower && -entry.score >= beta) {
                ++stats_.cutoffs;
                return -entry.score;
            }
        }
    }

    // 7. Search them.
    int best_move = -1;
    const int best = search_moves(moves, alpha, beta, empty_count, best_move);
    if (stopped_) return 0;

    // 8. Store the result.
    const Bound bound = best >= beta ? Bound::kLower : best > alpha ? Bound::kExact : Bound::kUpper;
    const int level = is_selective ? level_ : 0;
    entry = {static_cast<int16_t>(best), static_cast<int8_t>(empty_count), bound,
             static_cast<uint8_t>(best_move | level << kLevelShift), true};
    if (is_recent)
        recent = {own, other, entry};
    else
        table_.store(key, entry);
    return best;
}

// The first move is searched with the full window, the others with a null window first. If the
// search is stopped, the result covers the moves that were finished.
int EndgameSolver::search_moves(Moves& moves, int alpha, int beta, int empty_count,
                                int& best_move) {
    int best = kNoScore;
    for (int i = 0; i < moves.size; ++i) {
        if (i > 0 && team_ && empty_count >= kSplitEmpties && team_->wants_work())
            return share_moves(moves, i, alpha, beta, best, best_move);
        const Move move = moves.pick(i);
        const int score = search_move(move, alpha, beta, i == 0);
        if (stopped_) return best;
        if (score > best) {
            best = score;
            best_move = move.square;
            if (score >= beta) {
                ++stats_.cutoffs;
                stats_.first_move_cutoffs += i == 0;
                return best;
            }
            alpha = std::max(alpha, score);
        }
    }
    return best;
}

int EndgameSolver::search_move(const Move& move, int alpha, int beta, bool is_first) {
    if (is_first) return -search(move.own, move.other, -beta, -alpha, false);
    const int score = -search(move.own, move.other, -alpha - 1, -alpha, false);
    if (score <= alpha || score >= beta || stopped_) return score;
    return -search(move.own, move.other, -beta, -score, false);
}

// The bound of a null window that a search of some plies makes likely, if any.
std::optional<int> EndgameSolver::likely_bound(Squares own, Squares other, int alpha) {
    const int empty_count = kSquares - std::popcount(own | other);
    const Lookahead lookahead(*patterns_);
    const PatternView view = PatternView::from(own, other);
    const int depth = cut_depth(empty_count);
    const Score margin = kMargins[level_];
    const Score low = kDisc * alpha - margin;
    const Score high = kDisc * (alpha + 1) + margin;
    // The search is worth its time if the evaluation is half the margin outside the window.
    const Score now = patterns_->evaluate(view, kSquares - empty_count);
    if (now > high - margin / 2 && high < kDisc * kSquares &&
        lookahead.search(own, other, view, depth, high - 1, high, stats_.nodes) >= high)
        return alpha + 1;
    if (now < low + margin / 2 && low > -kDisc * kSquares &&
        lookahead.search(own, other, view, depth, low, low + 1, stats_.nodes) <= low)
        return alpha;
    return std::nullopt;
}

void EndgameSolver::generate(Squares own, Squares other, Squares squares, int table_move, int alpha,
                             Moves& moves) {
    const Squares empty = ~(own | other);
    const Squares odd = odd_quadrants(empty);
    const int empty_count = std::popcount(empty);
    const int depth = patterns_ ? order_depth(empty_count) : -1;
    PatternView view;
    if (depth >= 0) view = PatternView::from(own, other);
    const Score best_reply = -kDisc * (alpha - kHopeless);
    for (; squares; squares &= squares - 1) {
        Move& move = moves.of[moves.size++];
        const int square = first_square(squares);
        const Squares turned = flips(square, own, other);
        move.square = static_cast<uint8_t>(square);
        move.own = other & ~turned;
        move.other = own | turned | bit_of(square);
        move.key = 0;
        if (empty_count > kTableEmpties) {
            move.key = table_key(move.own, move.other);
            table_.prefetch(move.key);
        }
        int order = square == table_move ? kTableMoveOrder
                    : !move.own          ? kWipeOutOrder  // the opponent has no discs left
                                         : order_of(move, odd, empty_count);
        if (depth >= 0 && order < kWipeOutOrder) {
            PatternView next;
            view.after(square, turned, next);
            const Score reply = Lookahead(*patterns_)
                                    .search(move.own, move.other, next, depth, -kInfinite,
                                            best_reply, stats_.nodes);
            order -= kReply * reply / kReplyInPatterns;
        }
        move.order = static_cast<int16_t>(order);
    }
}

// A move's order; higher is tried first. Fastest first: the fewer replies, the smaller the subtree.
int EndgameSolver::order_of(const Move& move, Squares odd, int empty_count) const {
    const Squares replies = reversi::moves(move.own, move.other);
    const Squares open = neighbours(move.other) & ~(move.own | move.other);
    const int mobility = std::popcount(replies) + std::popcount(replies & kCorners);
    int order = -kReply * mobility - kOpenSquare * std::popcount(open) + kSquareValues[move.square];
    if (odd & bit_of(move.square))
        order += empty_count < kNearEnd ? kParityNearEnd : kParityFarFromEnd;
    if (thread > 0 && empty_count >= kByPatterns)
        order += static_cast<int>(mix64(move.key + static_cast<uint64_t>(thread)) % kReply);
    return order;
}

// Sets `best_move` to the best move proven to exceed alpha; leaves it unchanged if there is none.
int EndgameSolver::search_root(Squares own, Squares other, int alpha, int beta, int first,
                               int& best_move) {
    Moves moves;
    generate(own, other, reversi::moves(own, other), first, alpha, moves);
    int move = -1;
    const int empty_count = kSquares - std::popcount(own | other);
    const int best = search_moves(moves, alpha, beta, empty_count, move);
    if (best > alpha) best_move = move;
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
    // Ever less selective passes, each from the score and with the best moves of the one before.
    const bool has_passes =
        guesses_first && patterns_ && std::popcount(own | other) <= kSquares - kPassesEmpties;
    for (level_ = has_passes ? kMostSelective : 0;; --level_) {
        search_windows(own, other, alpha, beta, guess, first_move, report);
        if (stopped_) {
            level_ = 0;
            return report;
        }
        if (level_ == 0) break;
        guess = report.score;
        if (!report.pv.empty()) first_move = report.pv[0];
    }
    report.finished = true;
    if (report.score > alpha && report.score < beta) {
        // If this search is stopped at once the line is empty, but the first move is known.
        std::vector<int> pv = line(own, other, report.score);
        if (!pv.empty()) report.pv = std::move(pv);
    }
    return report;
}

// A narrow window around the guess, moved towards the score when it fails.
void EndgameSolver::search_windows(Squares own, Squares other, int alpha, int beta, int guess,
                                   int first_move, EndgameReport& report) {
    alpha = std::max(alpha, -kSquares - 1);
    beta = std::min(beta, kSquares + 1);
    guess = std::clamp(guess, alpha + 1, beta - 1);
    int low = guess - 1;
    int high = guess + 1;
    int lower = alpha;
    int upper = beta;
    int best_move = -1;
    for (int step = kFirstWindowStep;; step *= 2) {
        const int score = search_root(own, other, low, high, first_move, best_move);
        if (best_move >= 0) report.pv = {first_move = best_move};
        // A stopped window only counts if it found a better move; else the last one's score stays.
        if (!stopped_ || score > low) report.score = score;
        if (stopped_) return;
        if (score <= low) upper = score;
        if (score >= high) lower = score;
        // Selective passes may contradict themselves; then the last word is guess enough.
        if (level_ > 0 && lower >= upper) return;
        if (score <= low && low > alpha && score > -kSquares) {
            high = score + 1;
            low = std::max(alpha, score - step);
        } else if (score >= high && high < beta && score < kSquares) {
            low = score - 1;
            high = std::min(beta, score + step);
        } else {
            return;
        }
    }
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
        const bool has_entry = table_.probe(table_key(own, other), entry);
        Moves children;
        generate(own, other, legal, has_entry ? move_of(entry) : -1, score, children);
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
    if (poll && !poll(stats_.nodes)) {
        stopped_ = true;
        if (team_) team_->stop();
    } else if (team_ && team_->is_cancelled(split_)) {
        stopped_ = true;
    }
}

}  // namespace plyground::reversi
