// What gumbel::Tree has found: the best move, the improved policy, the line.
#pragma once

#include "search/gumbel.h"

namespace plyground::gumbel {

template <class Game>
uint32_t Tree<Game>::best_child() const {
    const Node& root = nodes_[0];
    assert(root.state == Node::State::kOpen);
    std::array<float, Game::kActions> q;
    const Values values = complete(root, q.data());
    // A proven result: the quickest win, or the longest loss.
    if (root.proven != 0) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < root.edge_count; ++i) {
            const int a = edge(root, i).proven;
            const int b = edge(root, best).proven;
            const bool better = root.proven > 0 ? a < 0 && (b >= 0 || a > b) : a > b;
            if (better) best = i;
        }
        return best;
    }
    // Equation 6, among the moves visited most. Visits that were kept do not count: they were meant
    // for a reply, not for this choice, and would outvote what this search found.
    uint32_t best = Edge::kNone;
    uint32_t most = 0;
    float best_score = 0;
    const auto consider = [&](uint32_t i, float noise) {
        const uint32_t kept = i < kept_visits_.size() ? kept_visits_[i] : 0;
        const uint32_t visits = edge(root, i).visits - kept;
        if (visits == 0 || edge(root, i).proven > 0 || visits < most) return;
        const float score = noise + logit(root, i) + values.scale * q[i];
        if (visits > most || score > best_score) {
            best = i;
            most = visits;
            best_score = score;
        }
    };
    if (settings_.halving) {
        for (const Candidate& candidate : candidates_)
            consider(candidate.child, candidate.noise);
    } else {
        for (uint32_t i = 0; i < root.edge_count; ++i)
            consider(i, 0);
    }
    if (best != Edge::kNone) return best;
    // Not searched yet: what looks best so far, and is not lost.
    uint32_t found = 0;
    float found_score = -std::numeric_limits<float>::infinity();
    for (uint32_t i = 0; i < root.child_count; ++i) {
        const bool has_edge = i < root.edge_count;
        if (has_edge && edge(root, i).proven > 0) continue;
        const float score = logit(root, i) + values.scale * (has_edge ? q[i] : values.mixed);
        if (score > found_score) {
            found = i;
            found_score = score;
        }
    }
    return found;
}

template <class Game>
int Tree<Game>::best_action() const {
    return action(nodes_[0], best_child());
}

template <class Game>
float Tree<Game>::best_value() const {
    const Node& root = nodes_[0];
    if (root.proven != 0) return root.proven > 0 ? 1.0F : -1.0F;
    std::array<float, Game::kActions> q;
    const Values values = complete(root, q.data());
    const uint32_t best = best_child();
    return best < root.edge_count ? q[best] : values.mixed;
}

template <class Game>
void Tree<Game>::improved_policy(float* policy) const {
    const Node& root = nodes_[0];
    std::array<float, Game::kActions> q;
    const Values values = complete(root, q.data());
    std::array<float, Game::kActions> score;
    float top = -std::numeric_limits<float>::infinity();
    for (uint32_t i = 0; i < root.child_count; ++i) {
        score[i] = logit(root, i) + values.scale * (i < root.edge_count ? q[i] : values.mixed);
        top = std::max(top, score[i]);
    }
    float sum = 0;
    for (uint32_t i = 0; i < root.child_count; ++i)
        sum += score[i] = quick_exp(score[i] - top);
    std::fill_n(policy, Game::kActions, 0.0F);
    for (uint32_t i = 0; i < root.child_count; ++i)
        policy[action(root, i)] = score[i] / sum;
}

template <class Game>
float Tree<Game>::root_value() const {
    const Node& root = nodes_[0];
    std::array<float, Game::kActions> q;
    std::array<float, Game::kActions> policy;
    const Values values = complete(root, q.data());
    improved_policy(policy.data());
    float value = 0;
    for (uint32_t i = 0; i < root.child_count; ++i)
        value += policy[action(root, i)] * (i < root.edge_count ? q[i] : values.mixed);
    return value;
}

template <class Game>
float Tree<Game>::divergence(const float* policy) const {
    const Node& root = nodes_[0];
    const float log_weight = std::log(root.weight);
    float sum = 0;
    for (uint32_t i = 0; i < root.child_count; ++i) {
        const float share = policy[action(root, i)];
        if (share > 0)
            sum += share * (std::log(share) - logit(root, i) + root.max_logit + log_weight);
    }
    return std::max(sum, 0.0F);
}

template <class Game>
std::vector<typename Tree<Game>::MoveReport> Tree<Game>::moves() const {
    const Node& root = nodes_[0];
    std::array<float, Game::kActions> q;
    const Values values = complete(root, q.data());
    std::vector<MoveReport> report;
    for (uint32_t i = 0; i < root.child_count; ++i) {
        MoveReport move{action(root, i), logit(root, i), 0, values.mixed, 0};
        if (i < root.edge_count) {
            const Edge& e = edge(root, i);
            move.visits = e.visits;
            move.q = q[i];
            if (e.proven != 0) move.proven = e.proven > 0 ? -(e.proven + 1) : 1 - e.proven;
        }
        report.push_back(move);
    }
    return report;
}

template <class Game>
uint64_t Tree<Game>::visits() const {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < nodes_[0].edge_count; ++i)
        sum += edge(nodes_[0], i).visits;
    return sum;
}

// The best move, then what the search believes in: the most visited, or the quickest proof.
template <class Game>
std::vector<int> Tree<Game>::line() const {
    std::vector<int> line;
    if (!is_evaluated()) return line;
    uint32_t child = best_child();
    for (uint32_t index = 0;;) {
        const Node& node = nodes_[index];
        line.push_back(action(node, child));
        if (child >= node.edge_count) return line;
        index = edge(node, child).node;
        if (index == Edge::kNone || nodes_[index].edge_count == 0) return line;
        const Node& next = nodes_[index];
        child = 0;
        for (uint32_t i = 1; i < next.edge_count; ++i) {
            const Edge& a = edge(next, i);
            const Edge& b = edge(next, child);
            const bool wins =
                next.proven > 0 && a.proven < 0 && (b.proven >= 0 || a.proven > b.proven);
            const bool more = next.proven <= 0 && a.visits > b.visits;
            if (wins || more) child = i;
        }
    }
}

}  // namespace plyground::gumbel
