// How gumbel::Tree chooses where a simulation goes; gumbel.h has the steps.
#pragma once

#include "search/gumbel.h"

namespace plyground::gumbel {

template <class Game>
void Tree<Game>::pick_candidates(const float* noise) {
    Node& root = nodes_[0];
    std::array<float, Game::kActions> q;
    const Values values = complete(root, q.data());

    // Gumbel-Top-k (equation 5): the k highest noise + logit are k moves drawn from the policy
    // without replacement. Where the tree has been here before, what it found counts, too.
    struct Scored {
        float score;
        float noise;
        uint32_t child;
    };
    std::array<Scored, Game::kActions> scored;
    int count = 0;
    for (uint32_t i = 0; i < root.child_count; ++i) {
        const bool has_edge = i < root.edge_count;
        if (has_edge && edge(root, i).proven > 0) continue;
        const float g = noise ? noise[action(root, i)] : 0.0F;
        const float value = has_edge ? q[i] : values.mixed;
        scored[count++] = {g + logit(root, i) + values.scale * value, g, i};
    }
    const int considered = std::min(count, settings_.max_considered);
    std::partial_sort(scored.begin(), scored.begin() + considered, scored.begin() + count,
                      [](const Scored& a, const Scored& b) {
                          return a.score != b.score ? a.score > b.score : a.child < b.child;
                      });

    // Candidates without an edge move up behind the children that have one.
    uint32_t* const children = children_.data() + root.children;
    uint32_t place = root.edge_count;
    for (int i = 0; i < considered; ++i) {
        uint32_t child = scored[i].child;
        if (child >= root.edge_count) {
            std::swap(children[child], children[place]);
            for (int j = i + 1; j < considered; ++j) {
                if (scored[j].child == place) scored[j].child = child;
            }
            child = place++;
        }
        candidates_.push_back({child, scored[i].noise, 0});
    }
    root.sorted = root.child_count;  // as far as anyone will ask
    add_edges(0, static_cast<int>(place));
    for (Candidate& candidate : candidates_)
        candidate.visits_before = edge(nodes_[0], candidate.child).visits;
}

// sigma(q) = (c_visit + max N) * c_scale * q, equation 8. With the thousands of visits of play that
// leaves no doubt about any value: a move that disappointed once is never searched again. There it
// grows with the square root, as in PUCT by way of Grill et al., "Monte-Carlo tree search as
// regularized policy optimization" (ICML 2020).
template <class Game>
float Tree<Game>::sigma_scale(uint32_t most_visits) const {
    const float visits = settings_.c_visit + static_cast<float>(most_visits);
    return settings_.c_scale * (settings_.halving ? visits : std::sqrt(visits));
}

// Completed q-values (equation 10): of visited children their mean value, of all others the mixed
// value (equation 33), in which the network's own opinion counts as one visit:
//
//     v_mix = (v + sum_b N(b) * sum_{visited b} pi(b) q(b) / sum_{visited b} pi(b)) / (1 + sum_b
//     N(b))
template <class Game>
typename Tree<Game>::Values Tree<Game>::complete(const Node& node, float* q) const {
    const Edge* const edges = edges_.data() + node.edges;
    const uint32_t* const children = children_.data() + node.children;
    uint32_t finished = 0;
    uint32_t all = 0;
    uint32_t most = 0;
    float weight = 0;
    float visited_weight = 0;
    float weighted_q = 0;
    bool some_waiting = false;
    for (uint32_t i = 0; i < node.edge_count; ++i) {
        const Edge& e = edges[i];
        const float w = quick_exp(child_logit(children[i]) - node.max_logit);
        weight += w;
        all += e.all_visits();
        most = std::max(most, e.all_visits());
        if (e.visits == 0) {
            some_waiting = true;
            continue;
        }
        finished += e.visits;
        q[i] = e.proven != 0 ? (e.proven < 0 ? 1.0F : -1.0F)
                             : e.value_sum / static_cast<float>(e.visits);
        visited_weight += w;
        weighted_q += w * q[i];
    }
    Values values;
    const auto n = static_cast<float>(finished);
    values.mixed =
        finished > 0 ? (node.value + n * weighted_q / visited_weight) / (1.0F + n) : node.value;
    values.scale = sigma_scale(most);
    values.visits = static_cast<float>(all);
    values.weight = weight;
    if (some_waiting) {
        for (uint32_t i = 0; i < node.edge_count; ++i) {
            const Edge& e = edges[i];
            if (e.visits == 0) q[i] = e.proven == 0 ? values.mixed : e.proven < 0 ? 1.0F : -1.0F;
        }
    }
    return values;
}

// Stage 1. Of the candidates that have had as many visits as the schedule says, the one with the
// highest g + logit + sigma(q): as a phase begins, only the better half will have their turn.
template <class Game>
uint32_t Tree<Game>::choose_candidate() const {
    const Node& root = nodes_[0];
    std::array<float, Game::kActions> q;
    const Values values = complete(root, q.data());
    const uint32_t visits = schedule_[next_].visits;
    // A proven loss leaves a gap in the schedule; the move with the fewest visits fills it.
    const Candidate* best = nullptr;
    float best_score = 0;
    uint32_t best_gap = 0;
    for (const Candidate& candidate : candidates_) {
        const Edge& e = edge(root, candidate.child);
        if (e.proven > 0) continue;
        const uint32_t had = e.all_visits() - candidate.visits_before;
        const uint32_t gap = had == visits ? 0 : 1 + had;
        const uint32_t i = candidate.child;
        const float score = candidate.noise + logit(root, i) + values.scale * q[i];
        if (!best || gap < best_gap || (gap == best_gap && score > best_score)) {
            best = &candidate;
            best_score = score;
            best_gap = gap;
        }
    }
    assert(best);
    return best->child;
}

// Stage 2. The move that brings the visits closest to the improved policy (equation 14):
//
//     argmax_a pi'(a) - N(a) / (1 + sum_b N(b)),   pi' = softmax(logits + sigma(completed q))
//
// Unvisited children share the mixed value, so of these only the first can be chosen, and their
// part in the softmax's sum is known from their weights.
template <class Game>
uint32_t Tree<Game>::choose_by_policy(const Node& node) const {
    const uint32_t count = node.edge_count;
    std::array<float, Game::kActions> q;
    const Values values = complete(node, q.data());
    const bool has_rest = count < node.child_count;
    float top = -std::numeric_limits<float>::infinity();
    for (uint32_t i = 0; i < count; ++i) {
        q[i] = logit(node, i) + values.scale * q[i];
        top = std::max(top, q[i]);
    }
    float rest_score = 0;
    if (has_rest) {
        rest_score = logit(node, count) + values.scale * values.mixed;
        top = std::max(top, rest_score);
    }
    float sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        q[i] = quick_exp(q[i] - top);
        sum += q[i];
    }
    float rest_term = 0;
    if (has_rest) {
        rest_term = quick_exp(rest_score - top);
        // The rest's weight in units of its first child's, which bounds what rounding can do.
        const float first = quick_exp(logit(node, count) - node.max_logit);
        const auto others = static_cast<float>(node.child_count - count);
        sum += rest_term * std::clamp((node.weight - values.weight) / first, 1.0F, others);
    }
    const float per_visit = sum / (1.0F + values.visits);
    uint32_t best = has_rest ? count : 0;
    float best_gain = has_rest ? rest_term : -std::numeric_limits<float>::infinity();
    for (uint32_t i = 0; i < count; ++i) {
        const Edge& e = edge(node, i);
        if (e.proven > 0) continue;
        const float gain = q[i] - static_cast<float>(e.all_visits()) * per_visit;
        if (gain > best_gain) {
            best = i;
            best_gain = gain;
        }
    }
    return best;
}

}  // namespace plyground::gumbel
