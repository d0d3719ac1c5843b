// Minimax and alpha-beta as in textbooks: a fixed depth, no table, one evaluation.
//
// Both are templates over a problem, which defines a game's moves and evaluation. Both try moves in
// the problem's order and keep the first of equally good ones, so they agree on score, move and
// line. The problems are in quoridor_textbook.h and reversi_textbook.h; the strong engine is in
// alphabeta.h.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace plyground {

inline constexpr int kMaxTextbookDepth = 100;

enum class Ending : uint8_t { kNone, kWon, kLost, kDrawn };

// A game for the two searches. Values are for one fixed side, "my" side, in the whole tree. A node
// is a position with data that the problem caches, some of it while the node is searched.
// `Candidates` returns the moves to try one by one, best first, then -1.
template <class P>
concept TextbookProblem = requires(const P& problem, const typename P::Position& position,
                                   typename P::Node& node, typename P::Candidates& candidates) {
    problem.enter_root(position, node);
    problem.enter(node, 0, node);  // node, move, child
    requires std::constructible_from<typename P::Candidates, const P&, typename P::Node&>;
    { candidates.next() } -> std::same_as<int>;
    { problem.ending(node) } -> std::same_as<Ending>;
    { problem.is_my_move(node) } -> std::same_as<bool>;
    { problem.evaluate(node) } -> std::same_as<double>;  // for my side, as are the two above
    { problem.draw_score() } -> std::same_as<double>;
};

struct TextbookReport {
    int best_move = -1;
    double score = 0;
    std::vector<int> pv;
    uint64_t nodes = 0;  // positions visited, the root and the leaves among them
    uint64_t cutoffs = 0;
    uint64_t first_move_cutoffs = 0;
};

template <TextbookProblem Problem>
class TextbookSearch {
  public:
    // The value of a win is this plus the remaining depth, so that quicker wins are better.
    static constexpr double kWin = 1'000'000;

    // `poll` is called some dozen times a second, and may throw to end the search.
    TextbookSearch(const Problem& problem, std::function<void()> poll)
        : problem_(problem), poll_(std::move(poll)) {}

    TextbookReport minimax(const typename Problem::Position& root, int depth) {
        start(root, depth);
        return finish(minimax(0, depth));
    }
    TextbookReport alphabeta(const typename Problem::Position& root, int depth) {
        start(root, depth);
        return finish(alphabeta(0, depth, -kInfinity, kInfinity));
    }

  private:
    using Node = typename Problem::Node;
    using Candidates = typename Problem::Candidates;
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();
    static constexpr uint64_t kPollMask = (1 << 18) - 1;

    // Both return the value for the side to move at this ply.
    double minimax(int ply, int depth) {
        Node& node = nodes_[ply];
        if (const auto value = leaf_value(ply, depth)) return *value;
        double best = -kInfinity;
        Candidates candidates(problem_, node);
        for (int move; (move = candidates.next()) >= 0;) {
            problem_.enter(node, move, nodes_[ply + 1]);
            const double value = -minimax(ply + 1, depth - 1);
            if (value > best) {
                best = value;
                update_line(ply, move);
            }
        }
        return best;
    }

    // Exact inside (alpha, beta), else a bound.
    double alphabeta(int ply, int depth, double alpha, double beta) {
        Node& node = nodes_[ply];
        if (const auto value = leaf_value(ply, depth)) return *value;
        double best = -kInfinity;
        bool is_first = true;
        Candidates candidates(problem_, node);
        for (int move; (move = candidates.next()) >= 0; is_first = false) {
            problem_.enter(node, move, nodes_[ply + 1]);
            const double value = -alphabeta(ply + 1, depth - 1, -beta, -std::max(alpha, best));
            if (value > best) {
                best = value;
                update_line(ply, move);
                if (best >= beta) {
                    ++report_.cutoffs;
                    report_.first_move_cutoffs += is_first;
                    break;
                }
            }
        }
        return best;
    }

    // Counts the node. Returns its value for the side to move if it is a leaf.
    std::optional<double> leaf_value(int ply, int depth) {
        if ((++report_.nodes & kPollMask) == 0) poll_();
        lines_[ply].clear();
        const Node& node = nodes_[ply];
        double mine = 0;
        switch (problem_.ending(node)) {
            case Ending::kNone:
                if (depth > 0) return std::nullopt;
                mine = problem_.evaluate(node);
                break;
            case Ending::kWon:
                mine = kWin + depth;
                break;
            case Ending::kLost:
                mine = -kWin - depth;
                break;
            case Ending::kDrawn:
                mine = problem_.draw_score();
                break;
        }
        return problem_.is_my_move(node) ? mine : -mine;
    }

    void update_line(int ply, int move) {
        lines_[ply].assign(1, move);
        lines_[ply].insert(lines_[ply].end(), lines_[ply + 1].begin(), lines_[ply + 1].end());
    }

    void start(const typename Problem::Position& root, int depth) {
        report_ = {};
        nodes_ = std::vector<Node>(depth + 1);
        lines_ = std::vector<std::vector<int>>(depth + 1);
        problem_.enter_root(root, nodes_[0]);
    }

    TextbookReport finish(double score) {
        report_.score = score + 0.0;  // -0.0 becomes 0.0
        report_.pv = lines_[0];
        if (!report_.pv.empty()) report_.best_move = report_.pv[0];
        return report_;
    }

    const Problem& problem_;
    const std::function<void()> poll_;
    std::vector<Node> nodes_;              // by ply
    std::vector<std::vector<int>> lines_;  // the best line from each ply on
    TextbookReport report_;
};

}  // namespace plyground
