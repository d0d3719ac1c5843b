// One thread of the alpha-beta search: principal variation search with a transposition table,
// ordered moves, reductions and pruning. It is a template over a game's knowledge (knowledge.h) and
// contains nothing about any one game. engine.h runs the threads.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "search/knowledge.h"
#include "search/limits.h"
#include "search/move_ordering.h"
#include "search/moves.h"
#include "search/options.h"
#include "search/shared_search.h"
#include "search/tt.h"

namespace plyground {

template <GameKnowledge Knowledge>
class Searcher {
    using Action = typename Knowledge::Action;
    using Position = typename Knowledge::Position;
    using Node = typename Knowledge::Node;
    using Moves = typename Knowledge::Moves;
    using OnIteration = std::function<void(const SearchReport&)>;

  public:
    Searcher(SharedSearch& shared, Knowledge& knowledge, const SearchOptions& options, int thread)
        : shared_(shared),
          knowledge_(knowledge),
          options_(options),
          thread_(thread),
          nodes_(std::make_unique<Node[]>(kMaxPly + 2)),
          keys_(kMaxPly + 2),
          ordering_(options) {
        if constexpr (UsesTable<Knowledge>) knowledge.use_table(shared.table);
    }

    // Iterative deepening until a limit is reached. `earlier_keys` are the keys of the game's
    // positions since the last irreversible move; `on_iteration` is called after each completed
    // iteration.
    void run(const Position& root, const std::vector<uint64_t>& earlier_keys,
             const OnIteration& on_iteration) {
        earlier_keys_ = earlier_keys;
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
                if (options_.exact_results &&
                    knowledge_.is_solvable(nodes_[0], shared_.limits, depth, shared_.elapsed_s())) {
                    solve_root(score, on_iteration);
                    break;
                }
            }
            score = search_window(depth, score);
            if (stopped()) break;
            report_.score = score;
            report_.depth = searched_depth(depth);
            complete_iteration(on_iteration);
            if (is_last_iteration(depth, score)) break;
        }
        report_.stats = stats_;
    }

    const SearchReport& report() const { return report_; }
    uint64_t node_count() const { return published_nodes_.load(std::memory_order_relaxed); }

  private:
    // Constants of the search. Unless a line says otherwise they are guesses near to what chess
    // engines use; docs/search.md has matches with each technique switched off.

    static constexpr uint64_t kPollNodes = 1024;  // about half a millisecond

    // Aspiration starts at this depth. A window that fails grows by the factor, and is opened
    // entirely once it would exceed the limit, in multiples of its first width.
    static constexpr int kAspirationDepth = 4;
    static constexpr Score kWindowGrowth = 3;
    static constexpr Score kWindowLimit = 5;

    // On a clock, a root with a single move is searched to this depth only, for its score.
    static constexpr int kSingleMoveDepth = 4;

    // Pruning by the static evaluation, in plies of remaining depth. A null move is searched
    // kNullMoveReduction plies shallower, and one more for each kNullMoveStep plies of depth.
    static constexpr int kFutilityDepth = 3;
    static constexpr int kNullMoveDepth = 3;
    static constexpr int kNullMoveReduction = 3;
    static constexpr int kNullMoveStep = 4;

    // Late move reductions: log(depth) * log(index + 1) / kReductionDivisor plies, more for quiet
    // moves, one for late forcing moves. At the root the first moves are never reduced.
    static constexpr int kReductionDepth = 2;
    static constexpr double kReductionDivisor = 2.0;
    static constexpr int kReductionTableSize = 64;
    static constexpr int kQuietReduction = 2;
    static constexpr int kForcingReductionDepth = 3;
    static constexpr int kUnreducedForcingMoves = 4;
    static constexpr int kRootReductionDepth = 3;
    static constexpr int kUnreducedRootMoves = 3;

    static constexpr int kQuiescencePlies = 2;

    // The draw counters are part of a table key when they can expire within the remaining depth
    // and this many plies more, which covers the quiescence search.
    static constexpr int kDrawMargin = 8;

    // Below this depth, deferring moves that other threads search costs more than it saves.
    static constexpr int kDeferDepth = 3;
    static constexpr int kDeferred = -(1 << 28);  // added to the order of a deferred move

    // A node whose moves are being searched.
    struct Visit {
        int ply;
        int depth;
        Score alpha;
        Score beta;
        bool is_pv;
        uint64_t key;  // in the table
        int table_move = kNoAction;
        Score estimate = 0;  // the static evaluation
        bool is_threatened = false;
        Score best = -kInfinite;
        int best_move = kNoAction;
    };

    // The search of one node: its score for the side to move, exact inside (alpha, beta), else a
    // bound. Returns 0 once the search is stopped.
    Score search(int ply, int depth, Score alpha, Score beta, bool is_pv) {
        Node& node = nodes_[ply];
        const Position& position = node.position;
        pv_length_[ply] = 0;
        keys_[ply] = position.key;

        // 1. Limits.
        if (++stats_.nodes >= next_poll_) check_limits();
        if (stats_.nodes >= shared_.limits.nodes) shared_.stop = true;
        if (stopped()) return 0;
        stats_.deepest = std::max(stats_.deepest, ply);

        // 2. Results that need no search.
        if (const auto score = result_without_search(ply, depth, alpha, beta)) return *score;

        // 3. Mate distance pruning: no result here beats a shorter proof found elsewhere.
        alpha = std::max(alpha, -kWin + ply);
        beta = std::min(beta, kWin - ply - 1);
        if (alpha >= beta) return alpha;

        // 4. The horizon.
        if (depth <= 0) {
            return options_.quiescence ? quiesce(ply, alpha, beta, 0) : knowledge_.evaluate(node);
        }

        // 5. The transposition table: a result that is deep enough, or a move to try first.
        Visit visit{ply, depth, alpha, beta, is_pv, table_key(position, depth)};
        const bool uses_table = options_.table && depth >= table_depth();
        if (uses_table) {
            if (const auto score = probe_table(visit, position)) return *score;
        }

        // 6. Pruning by the static evaluation: away from the principal variation and from proofs,
        // and not under a threat that the evaluation does not see.
        visit.estimate = knowledge_.evaluate(node);
        visit.is_threatened = knowledge_.is_threatened(node);
        if (!is_pv && !visit.is_threatened && !is_proven(beta) && !is_proven(alpha)) {
            if (const auto score = prune(visit)) return *score;
        }

        // 7. The moves, most promising first.
        if (const auto score = search_last_ply(visit)) return *score;
        search_moves(visit);
        if (stopped()) return 0;

        // 8. Store the result.
        if (uses_table) store(visit, alpha);
        return visit.best;
    }

    // Stage 2: a finished game, an exact result of the game's knowledge, a repetition, or the
    // longest line that there is room for.
    std::optional<Score> result_without_search(int ply, int depth, Score alpha, Score beta) {
        Node& node = nodes_[ply];
        if (const auto known = known_result(node, depth, alpha, beta)) {
            const Score score =
                known->score == 0 ? draw_score(node.position) : from_root(known->score, ply);
            if (is_decisive(known->bound, score, alpha, beta)) return score;
        }
        if (is_repetition(ply)) return draw_score(node.position);
        if (ply >= kMaxPly) return knowledge_.evaluate(node);
        return std::nullopt;
    }

    // Stage 5: sets the table's move, and returns its score if that settles the node.
    std::optional<Score> probe_table(Visit& visit, const Position& position) {
        TableEntry entry;
        ++stats_.table_probes;
        if (!shared_.table.probe(visit.key, entry)) return std::nullopt;
        ++stats_.table_hits;
        if (entry.has_move) visit.table_move = entry.move;
        // A proof is valid only if it ends before the draw counters of this very position do.
        const bool is_valid = !is_proven(entry.score) ||
                              kWin - std::abs(entry.score) <= Knowledge::plies_to_draw(position);
        const Score score = from_root(entry.score, visit.ply);
        if (visit.is_pv || entry.depth < visit.depth || !is_valid ||
            !is_decisive(entry.bound, score, visit.alpha, visit.beta))
            return std::nullopt;
        return score;
    }

    // Stage 6: a score if the node is expected to fail high or low by a margin.
    std::optional<Score> prune(const Visit& visit) {
        // Reverse futility: close to the leaves, so far above beta that the opponent cannot catch
        // up.
        if (options_.futility && visit.depth <= kFutilityDepth &&
            visit.estimate - Knowledge::kMargins.reverse_futility * visit.depth >= visit.beta) {
            return visit.estimate;
        }
        if (options_.null_move && visit.depth >= kNullMoveDepth && visit.estimate >= visit.beta &&
            !last_was_null_ && knowledge_.allows_null_move(nodes_[visit.ply])) {
            if (const auto score = try_null_move(visit)) return score;
        }
        if constexpr (HasProbCut<Knowledge>) {
            if (options_.probcut) return try_probcut(visit);
        }
        return std::nullopt;
    }

    // Null move: if even passing fails high, a real move does.
    std::optional<Score> try_null_move(const Visit& visit) {
        const int ply = visit.ply;
        const Score beta = visit.beta;
        knowledge_.enter_null(nodes_[ply], nodes_[ply + 1]);
        path_[ply] = kNoAction;
        last_was_null_ = true;
        const int reduced = visit.depth - kNullMoveReduction - visit.depth / kNullMoveStep;
        const Score score = -search(ply + 1, reduced, -beta, -beta + 1, false);
        last_was_null_ = false;
        if (stopped()) return 0;
        if (score >= beta) return is_proven(score) ? beta : score;
        return std::nullopt;
    }

    // ProbCut: if a shallow search misses the window by a margin, a deep one is taken to miss it.
    std::optional<Score> try_probcut(const Visit& visit)
        requires HasProbCut<Knowledge>
    {
        const auto cut = knowledge_.probcut(nodes_[visit.ply], visit.depth);
        if (!cut) return std::nullopt;
        const bool high = visit.estimate >= visit.beta;
        const Score bound = high ? visit.beta + cut->margin : visit.alpha - cut->margin;
        const Score score = search(visit.ply, cut->depth, bound - high, bound + !high, false);
        if (stopped()) return 0;
        if (high && score >= bound) return visit.beta;
        if (!high && score <= bound) return visit.alpha;
        return std::nullopt;
    }

    // Stage 7 for a node one ply before the horizon, if the game searches such nodes itself.
    std::optional<Score> search_last_ply(const Visit& visit) {
        if constexpr (SearchesLastPly<Knowledge>) {
            if (visit.depth == 1 && !visit.is_pv) {
                const bool first_only = is_futile(visit, MoveKind::kOrdinary, 0);
                return knowledge_.search_last_ply(nodes_[visit.ply], visit.beta, first_only,
                                                  stats_.nodes);
            }
        }
        return std::nullopt;
    }

    // Stage 7: searches the moves until one fails high; raises alpha and sets the best move.
    void search_moves(Visit& visit) {
        const int ply = visit.ply;
        Node& node = nodes_[ply];
        Moves& moves = move_lists_[ply];
        GeneratedMoves generated = add_table_move(visit, moves);
        for (int i = 0; has_move(visit, moves, i, generated); ++i) {
            ScoredMove& picked = moves.pick(i);
            // Leave a move for later while another thread searches it.
            const bool shared = shared_.in_flight && i > 0 && visit.depth >= kDeferDepth;
            const uint64_t flight =
                shared ? InFlight::hash(visit.key, picked.action, visit.depth) : 0;
            if (shared && picked.order > kDeferred / 2 && shared_.in_flight->has(flight)) {
                picked.order += kDeferred;
                --i;
                continue;
            }
            const ScoredMove move = picked;
            const int child_depth = visit.depth - 1;
            int reduction = 0;
            if (i > 0 && visit.best > -kProven) {
                if (is_futile(visit, move.kind, move.gain)) continue;
                reduction = reduction_of(visit, move, i);
            }
            knowledge_.enter(node, move.action, nodes_[ply + 1]);
            if (child_depth - reduction >= table_depth())
                shared_.table.prefetch(nodes_[ply + 1].position.key);
            path_[ply] = move.action;
            if (shared) shared_.in_flight->begin(flight);
            const Score score = search_child(ply + 1, child_depth, reduction, visit.alpha,
                                             visit.beta, i == 0, visit.is_pv);
            if (shared) shared_.in_flight->end(flight);
            if (stopped()) return;
            if (score <= visit.best) continue;
            visit.best = score;
            if (score <= visit.alpha) continue;
            visit.best_move = move.action;
            visit.alpha = score;
            if (visit.is_pv) update_pv(ply, move.action);
            if (score >= visit.beta) {
                ++stats_.cutoffs;
                if (i == 0) ++stats_.first_move_cutoffs;
                ordering_.record_cutoff(moves, i, ply, node.position.to_move, path_[ply - 1],
                                        visit.depth);
                return;
            }
        }
    }

    // The table's move is tried before the others are generated: it often fails high.
    enum class GeneratedMoves : uint8_t { kTableMove, kCandidates, kAll };

    GeneratedMoves add_table_move(const Visit& visit, Moves& moves) {
        moves.size = 0;
        if (visit.table_move != kNoAction &&
            knowledge_.is_legal(nodes_[visit.ply], static_cast<Action>(visit.table_move))) {
            moves.add(visit.table_move, MoveKind::kForcing, 0, 0);
        }
        return GeneratedMoves::kTableMove;
    }

    // Whether there is an i-th move; generates more moves when those in the list are used up.
    bool has_move(const Visit& visit, Moves& moves, int i, GeneratedMoves& generated) {
        if (i < moves.size) return true;
        Node& node = nodes_[visit.ply];
        if (generated == GeneratedMoves::kTableMove) {
            generate(node, moves, visit.depth);
            ordering_.add_bonuses(moves, visit.ply, node.position.to_move, path_[visit.ply - 1]);
            if (i == 1) moves.put_first(visit.table_move);
            generated = GeneratedMoves::kCandidates;
        }
        // A position is proven lost only if no legal move at all avoids the loss.
        const bool needs_all = options_.all_moves || visit.best <= -kProven;
        if (i == moves.size && generated == GeneratedMoves::kCandidates && needs_all) {
            knowledge_.add_rest(node, moves);
            generated = GeneratedMoves::kAll;
        }
        return i < moves.size;
    }

    // Futility: close to the leaves, a move whose gain cannot lift the score to alpha.
    bool is_futile(const Visit& visit, MoveKind kind, Score gain) const {
        return options_.futility && !visit.is_pv && !visit.is_threatened &&
               visit.depth <= kFutilityDepth && kind != MoveKind::kForcing &&
               visit.estimate + gain + Knowledge::kMargins.futility * visit.depth <= visit.alpha;
    }

    int reduction_of(const Visit& visit, const ScoredMove& move, int index) const {
        if (!options_.reductions) return 0;
        if (move.kind == MoveKind::kForcing) {
            return visit.depth >= kForcingReductionDepth && index >= kUnreducedForcingMoves ? 1 : 0;
        }
        if (visit.depth < kReductionDepth) return 0;
        const int plies = late_move_reduction(visit.depth, index, move.kind);
        return std::clamp(plies - (visit.is_pv ? 1 : 0), 0, visit.depth - 1);
    }

    static int late_move_reduction(int depth, int index, MoveKind kind) {
        static const auto kTable = [] {
            std::array<std::array<int8_t, kReductionTableSize>, kReductionTableSize> table{};
            for (int d = 1; d < kReductionTableSize; ++d) {
                for (int i = 0; i < kReductionTableSize; ++i) {
                    table[d][i] =
                        static_cast<int8_t>(std::log(d) * std::log(i + 1) / kReductionDivisor);
                }
            }
            return table;
        }();
        constexpr int kLast = kReductionTableSize - 1;
        return kTable[std::min(depth, kLast)][std::min(index, kLast)] +
               (kind == MoveKind::kQuiet ? kQuietReduction : 0);
    }

    // The score of the child at `ply` for its parent. The first move gets the full window; a later
    // one gets a null window, and if it beats alpha, that again without the reduction and then the
    // full window.
    Score search_child(int ply, int depth, int reduction, Score alpha, Score beta, bool is_first,
                       bool is_pv) {
        if (is_first) return -search(ply, depth, -beta, -alpha, is_pv);
        Score score = -search(ply, depth - reduction, -alpha - 1, -alpha, false);
        if (score > alpha && reduction > 0) score = -search(ply, depth, -alpha - 1, -alpha, false);
        if (score > alpha && score < beta) score = -search(ply, depth, -beta, -alpha, is_pv);
        return score;
    }

    // Stage 8.
    void store(const Visit& visit, Score first_alpha) {
        const Bound bound = visit.best >= visit.beta   ? Bound::kLower
                            : visit.best > first_alpha ? Bound::kExact
                                                       : Bound::kUpper;
        const bool has_move = visit.best_move != kNoAction;
        shared_.table.store(visit.key,
                            {static_cast<int16_t>(from_node(visit.best, visit.ply)),
                             static_cast<int8_t>(visit.depth), bound,
                             static_cast<uint8_t>(has_move ? visit.best_move : 0), has_move});
    }

    // Quiescence: only the game's tactical moves, and the side to move may decline them all.
    Score quiesce(int ply, Score alpha, Score beta, int plies) {
        Node& node = nodes_[ply];
        Score best = knowledge_.evaluate(node);
        if (best >= beta || plies >= kQuiescencePlies || ply + 1 >= kMaxPly) return best;
        alpha = std::max(alpha, best);
        Moves& moves = move_lists_[ply];
        knowledge_.generate_tactical(node, moves);
        for (int i = 0; i < moves.size; ++i) {
            const ScoredMove move = moves.pick(i);
            knowledge_.enter(node, move.action, nodes_[ply + 1]);
            ++stats_.nodes;
            const Score score = -quiesce(ply + 1, -beta, -alpha, plies + 1);
            best = std::max(best, score);
            alpha = std::max(alpha, best);
            if (alpha >= beta) break;
        }
        return best;
    }

    // Aspiration: a narrow window around the last score, widened on the side that fails.
    Score search_window(int depth, Score expected) {
        constexpr Score kFirstWidth = Knowledge::kMargins.aspiration;
        Score alpha = -kInfinite;
        Score beta = kInfinite;
        Score width = kFirstWidth;
        if (options_.aspiration && depth >= kAspirationDepth && !is_proven(expected)) {
            alpha = expected - width;
            beta = expected + width;
        }
        while (true) {
            const Score score = search_root(depth, alpha, beta);
            if (stopped() || (score > alpha && score < beta)) return score;
            width *= kWindowGrowth;
            const bool open = width > kWindowLimit * kFirstWidth;
            if (score <= alpha)
                alpha = open ? -kInfinite : score - width;
            else
                beta = open ? kInfinite : score + width;
        }
    }

    Score search_root(int depth, Score alpha, Score beta) {
        Node& node = nodes_[0];
        keys_[0] = node.position.key;
        Score best = -kInfinite;
        for (int i = 0; i < root_moves_.size; ++i) {
            const ScoredMove move = root_moves_.moves[i];
            knowledge_.enter(node, move.action, nodes_[1]);
            path_[0] = move.action;
            const bool reduces = options_.reductions && depth >= kRootReductionDepth &&
                                 i >= kUnreducedRootMoves && move.kind != MoveKind::kForcing;
            const int reduction = reduces ? late_move_reduction(depth, i, move.kind) : 0;
            const Score score = search_child(1, depth - 1, reduction, alpha, beta, i == 0, true);
            if (stopped()) return best;
            if (score <= best) continue;
            best = score;
            if (score > alpha) {
                alpha = score;
                set_best_root_move(i);
            }
            if (score >= beta) break;
        }
        return best;
    }

    // The best move so far leads the next iteration, even if this one is stopped.
    void set_best_root_move(int index) {
        const auto first = root_moves_.moves.begin();
        std::rotate(first, first + index, first + index + 1);
        report_.best_move = root_moves_.moves[0].action;
        update_pv(0, report_.best_move);
        report_.pv.assign(pv_[0], pv_[0] + pv_length_[0]);
    }

    // Searches the root to the end of the game instead of to the next depth. A better move found on
    // the way counts even if the time runs out.
    void solve_root(Score expected, const OnIteration& on_iteration)
        requires SolvesRoots<Knowledge>
    {
        const auto keep_going = [&](uint64_t nodes) {
            published_nodes_.store(stats_.nodes + nodes, std::memory_order_relaxed);
            if (stats_.nodes + nodes >= shared_.limits.nodes) shared_.stop = true;
            if (thread_ == 0 && is_out_of_time()) shared_.stop = true;
            return !shared_.stop.load(std::memory_order_relaxed);
        };
        const auto solved =
            knowledge_.solve(nodes_[0], expected, report_.best_move, thread_, stats_, keep_going);
        if (!solved.pv.empty()) {
            report_.best_move = solved.pv[0];
            report_.pv = solved.pv;
            report_.score = solved.score;
        }
        report_.time_s = shared_.elapsed_s();
        if (!solved.exact) return;
        report_.depth = solved.depth;
        report_.exact = true;
        complete_iteration(on_iteration);
    }

    // Iterations beyond the end of the game search all of it again, with deeper checks before
    // ProbCut cuts.
    int searched_depth(int depth) const {
        if constexpr (KnowsEnd<Knowledge>)
            return std::min(depth, knowledge_.plies_to_end(nodes_[0]));
        else
            return depth;
    }

    void complete_iteration(const OnIteration& on_iteration) {
        report_.stats = stats_;
        report_.nodes_by_depth.push_back(stats_.nodes);
        report_.time_s = shared_.elapsed_s();
        on_iteration(report_);
    }

    bool is_last_iteration(int depth, Score score) const {
        // A deeper search cannot improve a proof that is no longer than this one was deep.
        if (is_proven(score) && kWin - std::abs(score) <= depth) return true;
        const bool single = root_moves_.size == 1 && depth >= kSingleMoveDepth;
        if (single && std::isfinite(shared_.limits.time_s)) return true;
        return shared_.elapsed_s() >= shared_.limits.start_s;
    }

    // The first iteration is always completed: it takes next to no time and yields a move.
    bool stopped() const { return iteration_ > 1 && shared_.stop.load(std::memory_order_relaxed); }

    bool is_out_of_time() {
        return shared_.elapsed_s() >= shared_.limits.time_s || !shared_.poll();
    }

    void check_limits() {
        next_poll_ = stats_.nodes + kPollNodes;
        published_nodes_.store(stats_.nodes, std::memory_order_relaxed);
        if (thread_ == 0 && is_out_of_time()) shared_.stop = true;
    }

    // Call the game's knowledge in the form that it offers (knowledge.h).
    auto known_result(Node& node, int depth, Score alpha, Score beta) {
        if constexpr (KnowsByWindow<Knowledge>)
            return knowledge_.known_result(node, depth, alpha, beta, stats_.nodes);
        else
            return knowledge_.known_result(node, depth);
    }
    static constexpr int table_depth() {
        if constexpr (LimitsTable<Knowledge>)
            return Knowledge::kTableDepth;
        else
            return 1;
    }
    void generate(Node& node, Moves& moves, int depth) {
        if constexpr (GeneratesByDepth<Knowledge>)
            knowledge_.generate(node, moves, depth);
        else
            knowledge_.generate(node, moves);
    }

    // Whether a score with this bound settles a node with this window.
    static bool is_decisive(Bound bound, Score score, Score alpha, Score beta) {
        return bound == Bound::kExact || (bound == Bound::kLower && score >= beta) ||
               (bound == Bound::kUpper && score <= alpha);
    }

    // The draw counters are part of a position only when they can matter to the search below it.
    static uint64_t table_key(const Position& position, int depth) {
        const int left = Knowledge::plies_to_draw(position);
        return left <= depth + kDrawMargin ? position.key ^ mix64(static_cast<uint64_t>(left) + 1)
                                           : position.key;
    }

    // A repetition counts as a draw: a position that occurred before on this line, or twice in the
    // game since the last irreversible move. One occurrence in the game is not enough: the rules do
    // not forbid repetition, and the player who erred the first time may do better now.
    bool is_repetition(int ply) const {
        const uint64_t key = keys_[ply];
        for (int i = ply - 1; i >= 0; --i) {
            if (path_[i] == kNoAction || !Knowledge::is_reversible(static_cast<Action>(path_[i])))
                return false;
            if (keys_[i] == key) return true;
        }
        return std::count(earlier_keys_.begin(), earlier_keys_.end(), key) >= 2;
    }

    // A draw costs both players a little, which a zero-sum score cannot express. The search charges
    // it to the player who searches.
    Score draw_score(const Position& position) const {
        return position.to_move == root_side_ ? options_.draw_score : -options_.draw_score;
    }

    // Proven scores count plies from the node in the table and in the game's knowledge, and from
    // the root in the search.
    static Score from_root(Score score, int ply) {
        return score >= kProven ? score - ply : score <= -kProven ? score + ply : score;
    }
    static Score from_node(Score score, int ply) {
        return score >= kProven ? score + ply : score <= -kProven ? score - ply : score;
    }

    void update_pv(int ply, int action) {
        pv_[ply][0] = action;
        std::copy_n(pv_[ply + 1], pv_length_[ply + 1], pv_[ply] + 1);
        pv_length_[ply] = pv_length_[ply + 1] + 1;
    }

    SharedSearch& shared_;
    Knowledge& knowledge_;
    const SearchOptions& options_;
    const int thread_;
    SearchReport report_;
    SearchStats stats_;
    std::atomic<uint64_t> published_nodes_{0};
    uint64_t next_poll_ = kPollNodes;

    std::unique_ptr<Node[]> nodes_;  // by ply, as are the next two
    std::vector<uint64_t> keys_;
    int path_[kMaxPly + 2] = {};  // the action played, kNoAction for a null move
    std::vector<uint64_t> earlier_keys_;
    std::unique_ptr<Moves[]> move_lists_ = std::make_unique<Moves[]>(kMaxPly + 2);
    Moves root_moves_;
    int root_side_ = 0;
    int iteration_ = 0;
    bool last_was_null_ = false;

    MoveOrdering<Knowledge::kActions> ordering_;
    int pv_[kMaxPly + 2][kMaxPly + 2];
    int pv_length_[kMaxPly + 2] = {};
};

}  // namespace plyground
