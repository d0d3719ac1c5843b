// One thread of the alpha-beta search: principal variation search with a transposition table,
// ordered moves, reductions and pruning. A template over the game's knowledge
// (quoridor_knowledge.h), so that every game uses this code. The threads are brought together in
// engine.h.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "search/knowledge.h"
#include "search/limits.h"
#include "search/moves.h"
#include "search/options.h"
#include "search/tt.h"

namespace plyground {

using Clock = std::chrono::steady_clock;

// Which moves some thread is looking at just now. A thread that comes to such a move leaves it for
// later and finds the result in the table (Kerrigan's simplification of ABDADA).
class InFlight {
  public:
    static uint64_t hash(uint64_t key, int action, int depth) {
        return mix64(key ^ static_cast<uint64_t>(action) << 32 ^ static_cast<uint64_t>(depth)) | 1;
    }
    bool has(uint64_t hash) const { return at(hash).load(std::memory_order_relaxed) == hash; }
    void begin(uint64_t hash) { at(hash).store(hash, std::memory_order_relaxed); }
    void end(uint64_t hash) {
        if (has(hash)) at(hash).store(0, std::memory_order_relaxed);
    }

  private:
    std::atomic<uint64_t>& at(uint64_t hash) { return slots_[hash >> 48]; }
    const std::atomic<uint64_t>& at(uint64_t hash) const { return slots_[hash >> 48]; }

    std::vector<std::atomic<uint64_t>> slots_ = std::vector<std::atomic<uint64_t>>(1 << 16);
};

// What the threads of one search share.
struct SharedSearch {
    Table& table;
    Limits limits;
    Clock::time_point started;
    std::atomic<bool> stop{false};
    // Called by the first thread every few milliseconds; returns false to stop the search.
    std::function<bool()> poll;
    InFlight* in_flight = nullptr;  // none where one thread searches alone

    double elapsed_s() const {
        return std::chrono::duration<double>(Clock::now() - started).count();
    }
};

template <GameKnowledge Knowledge>
class Searcher {
    using Action = typename Knowledge::Action;
    using Position = typename Knowledge::Position;
    using Node = typename Knowledge::Node;
    using Moves = typename Knowledge::Moves;

  public:
    Searcher(SharedSearch& shared, Knowledge& knowledge, const SearchOptions& options, int thread)
        : shared_(shared),
          knowledge_(knowledge),
          options_(options),
          thread_(thread),
          nodes_(std::make_unique<Node[]>(kMaxPly + 2)),
          keys_(kMaxPly + 2) {
        if constexpr (UsesTable<Knowledge>) knowledge.use(shared.table);
    }

    // Deepens until a limit is met. `past` are the keys of the positions since the last
    // irreversible move, `on_iteration` is told of every finished iteration.
    void run(const Position& root, const std::vector<uint64_t>& past,
             const std::function<void(const SearchReport&)>& on_iteration) {
        past_ = past;
        root_side_ = root.to_move;
        knowledge_.enter_root(root, nodes_[0]);
        generate(nodes_[0], root_moves_, 1);
        knowledge_.add_rest(nodes_[0], root_moves_);
        if (root_moves_.size == 0) return;
        report_.has_move = true;
        report_.best_move = root_moves_.pick(0).action;
        report_.pv = {report_.best_move};
        Score score = 0;
        for (int depth = 1; depth <= shared_.limits.depth; ++depth) {
            iteration_ = depth;
            if constexpr (SolvesRoots<Knowledge>) {
                const double elapsed_s = shared_.elapsed_s();
                if (options_.exact_results &&
                    knowledge_.is_solvable(nodes_[0], shared_.limits, depth, elapsed_s)) {
                    solve_root(score, on_iteration);
                    break;
                }
            }
            score = search_window(depth, score);
            if (stopped()) break;
            report_.score = score;
            report_.depth = depth;
            report_.stats = stats_;
            report_.nodes_by_depth.push_back(stats_.nodes);
            report_.time_s = shared_.elapsed_s();
            on_iteration(report_);
            // With a proof no longer than the search is deep, there is no use in going on.
            if (is_proven(score) && kWin - std::abs(score) <= depth) break;
            if (root_moves_.size == 1 && depth >= 4 && std::isfinite(shared_.limits.time_s)) break;
            if (shared_.elapsed_s() >= shared_.limits.start_s) break;
        }
        report_.stats = stats_;
    }

    const SearchReport& report() const { return report_; }
    uint64_t node_count() const { return published_nodes_.load(std::memory_order_relaxed); }

  private:
    // What the game knows, asked in the way that the game can answer.
    auto known_result(Node& node, int depth, Score alpha, Score beta) {
        if constexpr (KnowsByWindow<Knowledge>)
            return knowledge_.known_result(node, depth, alpha, beta, stats_.nodes);
        else
            return knowledge_.known_result(node, depth);
    }
    void generate(Node& node, Moves& moves, int depth) {
        if constexpr (GeneratesByDepth<Knowledge>)
            knowledge_.generate(node, moves, depth);
        else
            knowledge_.generate(node, moves);
    }

    // The first iteration is always finished: it takes no time, and there has to be a move.
    bool stopped() const { return iteration_ > 1 && shared_.stop.load(std::memory_order_relaxed); }

    void check_limits() {
        published_nodes_.store(stats_.nodes, std::memory_order_relaxed);
        if (thread_ != 0) return;
        if (shared_.elapsed_s() >= shared_.limits.time_s || !shared_.poll()) shared_.stop = true;
    }

    // Searches the root to the end of the game instead of to the next depth. A better move that is
    // found on the way counts even if there is no time to finish.
    void solve_root(Score expected, const std::function<void(const SearchReport&)>& on_iteration)
        requires SolvesRoots<Knowledge>
    {
        const auto go_on = [&](uint64_t nodes) {
            published_nodes_.store(stats_.nodes + nodes, std::memory_order_relaxed);
            if (stats_.nodes + nodes >= shared_.limits.nodes) shared_.stop = true;
            if (thread_ == 0 && (shared_.elapsed_s() >= shared_.limits.time_s || !shared_.poll()))
                shared_.stop = true;
            return !shared_.stop.load(std::memory_order_relaxed);
        };
        const auto solved =
            knowledge_.solve(nodes_[0], expected, report_.best_move, thread_, stats_, go_on);
        if (!solved.pv.empty()) {
            report_.best_move = solved.pv[0];
            report_.pv = solved.pv;
            report_.score = solved.score;
        }
        report_.time_s = shared_.elapsed_s();
        if (!solved.exact) return;
        report_.depth = solved.depth;
        report_.exact = true;
        report_.stats = stats_;
        report_.nodes_by_depth.push_back(stats_.nodes);
        on_iteration(report_);
    }

    // Aspiration: a narrow window around the last score, widened on the side that fails.
    Score search_window(int depth, Score expected) {
        Score alpha = -kInfinite;
        Score beta = kInfinite;
        Score width = Knowledge::kMargins.aspiration;
        if (options_.aspiration && depth >= 4 && !is_proven(expected)) {
            alpha = expected - width;
            beta = expected + width;
        }
        while (true) {
            const Score score = search_root(depth, alpha, beta);
            if (stopped() || (score > alpha && score < beta)) return score;
            width *= 3;
            if (score <= alpha)
                alpha = width > 5 * Knowledge::kMargins.aspiration ? -kInfinite : score - width;
            else
                beta = width > 5 * Knowledge::kMargins.aspiration ? kInfinite : score + width;
        }
    }

    Score search_root(int depth, Score alpha, Score beta) {
        Node& node = nodes_[0];
        keys_[0] = node.position.key;
        Score best = -kInfinite;
        for (int i = 0; i < root_moves_.size; ++i) {
            ScoredMove& move = root_moves_.moves[i];
            knowledge_.enter(node, move.action, nodes_[1]);
            path_[0] = move.action;
            Score score = 0;
            if (i == 0) {
                score = -search(1, depth - 1, -beta, -alpha, true);
            } else {
                const int less =
                    options_.reductions && depth >= 3 && i >= 3 && move.kind != MoveKind::kForcing
                        ? reduction(depth, i, move.kind)
                        : 0;
                score = -search(1, depth - 1 - less, -alpha - 1, -alpha, false);
                if (score > alpha && less > 0)
                    score = -search(1, depth - 1, -alpha - 1, -alpha, false);
                if (score > alpha && score < beta)
                    score = -search(1, depth - 1, -beta, -alpha, true);
            }
            if (stopped()) return best;
            if (score > best) {
                best = score;
                if (score > alpha) {
                    alpha = score;
                    // The best move so far leads the next iteration, also if this one is cut short.
                    std::rotate(root_moves_.moves.begin(), root_moves_.moves.begin() + i,
                                root_moves_.moves.begin() + i + 1);
                    report_.best_move = root_moves_.moves[0].action;
                    update_pv(0, report_.best_move);
                    report_.pv.assign(pv_[0], pv_[0] + pv_length_[0]);
                }
                if (score >= beta) break;
            }
        }
        return best;
    }

    Score search(int ply, int depth, Score alpha, Score beta, bool is_pv) {
        Node& node = nodes_[ply];
        const Position& position = node.position;
        pv_length_[ply] = 0;

        // 1. Limits.
        if ((++stats_.nodes & 1023) == 0) check_limits();
        if (stats_.nodes >= shared_.limits.nodes) shared_.stop = true;
        if (stopped()) return 0;
        stats_.deepest = std::max(stats_.deepest, ply);

        // 2. Results known without search, and repetitions.
        keys_[ply] = position.key;
        if (const auto known = known_result(node, depth, alpha, beta)) {
            const Score score =
                known->score == 0 ? draw_score(position) : at_root(known->score, ply);
            if (known->bound == Bound::kExact || (known->bound == Bound::kLower && score >= beta) ||
                (known->bound == Bound::kUpper && score <= alpha)) {
                return score;
            }
        }
        if (is_repetition(ply)) return draw_score(position);
        if (ply >= kMaxPly) return knowledge_.evaluate(node);

        // 3. No proof can be shorter than what is known already.
        alpha = std::max(alpha, -kWin + ply);
        beta = std::min(beta, kWin - ply - 1);
        if (alpha >= beta) return alpha;

        // 4. The horizon.
        if (depth <= 0) {
            return options_.quiescence ? quiesce(ply, alpha, beta, 0) : knowledge_.evaluate(node);
        }

        // 5. The table.
        const uint64_t key = table_key(position, depth);
        TableEntry entry;
        int table_move = -1;
        if (options_.table) {
            ++stats_.table_probes;
            if (shared_.table.probe(key, entry)) {
                ++stats_.table_hits;
                if (entry.has_move) table_move = entry.move;
                const Score score = at_root(entry.score, ply);
                // A proof holds only if it ends before the draw counters of this very position do.
                const bool usable =
                    !is_proven(entry.score) ||
                    kWin - std::abs(entry.score) <= Knowledge::plies_to_draw(position);
                if (!is_pv && entry.depth >= depth && usable &&
                    (entry.bound == Bound::kExact ||
                     (entry.bound == Bound::kLower && score >= beta) ||
                     (entry.bound == Bound::kUpper && score <= alpha))) {
                    return score;
                }
            }
        }

        // 6. Pruning by the static evaluation: away from the principal variation and from proofs,
        // and not while the opponent is about to arrive.
        const Score estimate = knowledge_.evaluate(node);
        const bool threatened = knowledge_.is_threatened(node);
        if (!is_pv && !threatened && !is_proven(beta) && !is_proven(alpha)) {
            // Far ahead close to the leaves: the opponent will not catch up.
            if (options_.futility && depth <= 3 &&
                estimate - Knowledge::kMargins.reverse_futility * depth >= beta) {
                return estimate;
            }
            // Passing is as bad as a move gets here; if even that is good enough, so is a real
            // move.
            if (options_.null_move && depth >= 3 && estimate >= beta && !last_was_null_ &&
                knowledge_.may_pass(node)) {
                knowledge_.enter_null(node, nodes_[ply + 1]);
                path_[ply] = kNoAction;
                last_was_null_ = true;
                const Score score =
                    -search(ply + 1, depth - 3 - depth / 4, -beta, -beta + 1, false);
                last_was_null_ = false;
                if (stopped()) return 0;
                if (score >= beta) return is_proven(score) ? beta : score;
            }
            // What a shallow search misses the window by, a deep one misses it by, too.
            if constexpr (HasProbCut<Knowledge>) {
                if (const auto cut = knowledge_.probcut(node, depth); cut && options_.probcut) {
                    const bool up = estimate >= beta;
                    const Score bound = up ? beta + cut->margin : alpha - cut->margin;
                    const Score score = search(ply, cut->depth, bound - up, bound + !up, false);
                    if (stopped()) return 0;
                    if (up && score >= bound) return beta;
                    if (!up && score <= bound) return alpha;
                }
            }
        }

        // 7. The moves, the most promising first. The table's is tried before the others are made:
        // it often ends the matter.
        Moves& moves = move_lists_[ply];
        moves.size = 0;
        if (table_move >= 0 && knowledge_.is_legal(node, static_cast<Action>(table_move))) {
            moves.add(table_move, MoveKind::kForcing, 0, 0);
        }
        Stage stage = Stage::kTableMove;

        // 8. Try them.
        const Score first_alpha = alpha;
        Score best = -kInfinite;
        int best_move = -1;
        for (int i = 0;; ++i) {
            if (i == moves.size && stage == Stage::kTableMove) {
                generate(node, moves, depth);
                order_moves(moves, ply, position.to_move);
                if (i == 1) moves.put_first(table_move);
                stage = Stage::kCandidates;
            }
            // A position is proven lost only if no move at all saves it.
            const bool need_rest = options_.all_moves || best <= -kProven;
            if (i == moves.size && stage == Stage::kCandidates && need_rest) {
                knowledge_.add_rest(node, moves);
                stage = Stage::kAll;
            }
            if (i == moves.size) break;
            ScoredMove& picked = moves.pick(i);
            const bool shared = shared_.in_flight && i > 0 && depth >= kSharedDepth;
            const uint64_t flight = shared ? InFlight::hash(key, picked.action, depth) : 0;
            if (shared && picked.order > kDeferred / 2 && shared_.in_flight->has(flight)) {
                picked.order += kDeferred;
                --i;
                continue;
            }
            const ScoredMove move = picked;
            const int new_depth = depth - 1;
            int less = 0;
            if (i > 0 && best > -kProven) {
                // Close to the leaves, moves that cannot lift the score are left out.
                if (options_.futility && !is_pv && !threatened && depth <= 3 &&
                    move.kind != MoveKind::kForcing &&
                    estimate + move.gain + Knowledge::kMargins.futility * depth <= alpha) {
                    continue;
                }
                if (options_.reductions && depth >= 2 && move.kind != MoveKind::kForcing) {
                    less = reduction(depth, i, move.kind) - (is_pv ? 1 : 0);
                    less = std::clamp(less, 0, new_depth);
                } else if (options_.reductions && depth >= 3 && i >= 4) {
                    less = 1;
                }
            }
            knowledge_.enter(node, move.action, nodes_[ply + 1]);
            if (new_depth - less > 0) shared_.table.prefetch(nodes_[ply + 1].position.key);
            path_[ply] = move.action;
            if (shared) shared_.in_flight->begin(flight);
            Score score = 0;
            if (i == 0) {
                score = -search(ply + 1, new_depth, -beta, -alpha, is_pv);
            } else {
                score = -search(ply + 1, new_depth - less, -alpha - 1, -alpha, false);
                if (score > alpha && less > 0)
                    score = -search(ply + 1, new_depth, -alpha - 1, -alpha, false);
                if (score > alpha && score < beta)
                    score = -search(ply + 1, new_depth, -beta, -alpha, is_pv);
            }
            if (shared) shared_.in_flight->end(flight);
            if (stopped()) return 0;
            if (score > best) {
                best = score;
                if (score > alpha) {
                    best_move = move.action;
                    alpha = score;
                    if (is_pv) update_pv(ply, move.action);
                    if (score >= beta) {
                        ++stats_.cutoffs;
                        if (i == 0) ++stats_.first_move_cutoffs;
                        reward(moves, i, ply, position.to_move, depth);
                        break;
                    }
                }
            }
        }

        // 9. Remember.
        if (options_.table) {
            const Bound bound = best >= beta         ? Bound::kLower
                                : best > first_alpha ? Bound::kExact
                                                     : Bound::kUpper;
            entry = {static_cast<int16_t>(from_root(best, ply)), static_cast<int8_t>(depth), bound,
                     static_cast<uint8_t>(best_move < 0 ? 0 : best_move), best_move >= 0};
            shared_.table.store(key, entry);
        }
        return best;
    }

    // Beyond the horizon only walls that turn the race are tried, and standing still is allowed.
    Score quiesce(int ply, Score alpha, Score beta, int level) {
        Node& node = nodes_[ply];
        Score best = knowledge_.evaluate(node);
        if (best >= beta || level >= 2 || ply + 1 >= kMaxPly) return best;
        alpha = std::max(alpha, best);
        Moves& moves = move_lists_[ply];
        knowledge_.generate_unquiet(node, moves);
        for (int i = 0; i < moves.size; ++i) {
            const ScoredMove move = moves.pick(i);
            knowledge_.enter(node, move.action, nodes_[ply + 1]);
            ++stats_.nodes;
            const Score score = -quiesce(ply + 1, -beta, -alpha, level + 1);
            best = std::max(best, score);
            alpha = std::max(alpha, best);
            if (alpha >= beta) break;
        }
        return best;
    }

    // The draw counters are part of a position only when they can matter to the search below it.
    static uint64_t table_key(const Position& position, int depth) {
        const int left = Knowledge::plies_to_draw(position);
        return left <= depth + 8 ? position.key ^ mix64(static_cast<uint64_t>(left) + 1)
                                 : position.key;
    }

    // Going round in circles leads to a draw: a position met before on this line, or twice in the
    // game since the last irreversible move. The rules know no repetition, so once in the game is
    // not enough: whoever went astray then may do better now.
    bool is_repetition(int ply) const {
        const uint64_t key = keys_[ply];
        for (int i = ply - 1; i >= 0; --i) {
            if (path_[i] == kNoAction || !Knowledge::is_reversible(static_cast<Action>(path_[i])))
                return false;
            if (keys_[i] == key) return true;
        }
        return std::count(past_.begin(), past_.end(), key) >= 2;
    }

    // A draw costs both players a little. The search is a two-sided sum, so only one of the two
    // penalties can be in it: the one of the player who searches.
    Score draw_score(const Position& position) const {
        return position.to_move == root_side_ ? options_.draw_score : -options_.draw_score;
    }

    static Score at_root(Score score, int ply) {
        return score >= kProven ? score - ply : score <= -kProven ? score + ply : score;
    }
    static Score from_root(Score score, int ply) {
        return score >= kProven ? score + ply : score <= -kProven ? score - ply : score;
    }

    // Plies less for the index-th move of a node.
    static int reduction(int depth, int index, MoveKind kind) {
        static const auto kTable = [] {
            std::array<std::array<int8_t, 64>, 64> table{};
            for (int d = 1; d < 64; ++d) {
                for (int i = 0; i < 64; ++i) {
                    table[d][i] = static_cast<int8_t>(std::log(d) * std::log(i + 1) / 2.0);
                }
            }
            return table;
        }();
        return kTable[std::min(depth, 63)][std::min(index, 63)] +
               (kind == MoveKind::kQuiet ? 2 : 0);
    }

    void order_moves(Moves& moves, int ply, int side) {
        const int counter = ply > 0 && path_[ply - 1] != kNoAction
                                ? counter_moves_[side][path_[ply - 1]]
                                : kNoAction;
        for (int i = 0; i < moves.size; ++i) {
            ScoredMove& move = moves.moves[i];
            if (options_.history) move.order += history_[side][move.action] / 20;
            if (options_.killers &&
                (killers_[ply][0] == move.action || killers_[ply][1] == move.action)) {
                move.order += 50;
                if (move.kind == MoveKind::kQuiet) move.kind = MoveKind::kOrdinary;
            }
            if (options_.counter_moves && counter == move.action) move.order += 20;
        }
    }

    // The move that failed high did well; those tried before it did not.
    void reward(const Moves& moves, int index, int ply, int side, int depth) {
        const int action = moves.moves[index].action;
        if (killers_[ply][0] != action) {
            killers_[ply][1] = killers_[ply][0];
            killers_[ply][0] = action;
        }
        if (ply > 0 && path_[ply - 1] != kNoAction) counter_moves_[side][path_[ply - 1]] = action;
        const int bonus = std::min(depth * depth, 64);
        const auto update = [&](int move, int by) {
            int& value = history_[side][move];
            value += by - value * std::abs(by) / 1024;
        };
        update(action, bonus * 4);
        for (int i = 0; i < index; ++i)
            update(moves.moves[i].action, -bonus * 2);
    }

    void update_pv(int ply, int action) {
        pv_[ply][0] = action;
        std::copy_n(pv_[ply + 1], pv_length_[ply + 1], pv_[ply] + 1);
        pv_length_[ply] = pv_length_[ply + 1] + 1;
    }

    // Which moves of a node have been made.
    enum class Stage : uint8_t { kTableMove, kCandidates, kAll };

    static constexpr int kNoAction = -1;
    static constexpr int kSharedDepth =
        3;  // below this, sharing out moves costs more than it saves
    static constexpr int kDeferred = -(1 << 28);  // added to the order of a move left for later

    SharedSearch& shared_;
    Knowledge& knowledge_;
    const SearchOptions& options_;
    const int thread_;
    SearchReport report_;
    SearchStats stats_;
    std::atomic<uint64_t> published_nodes_{0};

    std::unique_ptr<Node[]> nodes_;
    std::vector<uint64_t> keys_;
    std::vector<uint64_t> past_;
    int path_[kMaxPly + 2] = {};
    std::unique_ptr<Moves[]> move_lists_ = std::make_unique<Moves[]>(kMaxPly + 2);
    Moves root_moves_;
    int root_side_ = 0;
    int iteration_ = 0;
    bool last_was_null_ = false;

    int killers_[kMaxPly + 2][2] = {};
    int history_[2][Knowledge::kActions] = {};
    int counter_moves_[2][Knowledge::kActions] = {};
    int pv_[kMaxPly + 2][kMaxPly + 2];
    int pv_length_[kMaxPly + 2] = {};
};

}  // namespace plyground
