// What gumbel::Tree does with the value of a leaf: sums, means in a graph, and proofs.
#pragma once

#include "search/gumbel.h"

namespace plyground::gumbel {

template <class Game>
bool Tree<Game>::ends_at(const Edge& edge, Node& node) {
    refresh(node);
    return (settings_.prove && prove(node)) || edge.all_visits() < node.visits;
}

// The network's value counts as one visit. A move that is proven to lose will not be played and
// does not count.
template <class Game>
void Tree<Game>::refresh(Node& node) {
    float turning = node.value;
    float shared = 0;
    uint32_t counted = 1;
    node.visits = 1;
    for (uint32_t i = 0; i < node.edge_count; ++i) {
        Edge& e = edge(node, i);
        if (e.node == Edge::kNone) continue;
        const Node& child = nodes_[e.node];
        const bool is_open = child.state == Node::State::kOpen;
        if (settings_.prove) e.proven = child.proven;
        const float child_turning = e.proven != 0 ? (e.proven > 0 ? 1.0F : -1.0F)
                                    : is_open     ? child.mean
                                                  : child.value;
        const float child_shared = e.proven != 0 ? 0.0F : child.shared;
        const auto visits = static_cast<float>(e.visits);
        e.value_sum = visits * (child_shared - child_turning);
        node.visits += e.visits;
        if (e.proven > 0) continue;
        counted += e.visits;
        turning -= visits * child_turning;
        shared += visits * child_shared;
    }
    node.mean = turning / static_cast<float>(counted);
    node.shared = shared / static_cast<float>(counted);
}

template <class Game>
void Tree<Game>::settle(Node& node, const Position& position, const Verdict& known) {
    node.state = Node::State::kKnown;
    node.value = static_cast<float>(known.sign);
    if (known.sign != 0) {
        node.proven = static_cast<int16_t>(known.sign * (known.plies + 1));
    } else if (settings_.draw_by_path) {
        node.value = Game::heuristic(position);
    } else {
        node.shared = settings_.draw_value;
    }
}

// Stage 5.
template <class Game>
void Tree<Game>::back_up(const std::vector<PathStep>& path, uint32_t leaf, bool was_in_flight) {
    if (settings_.graph) {
        back_up_graph(path, was_in_flight);
        return;
    }
    const Node& end = nodes_[leaf];
    bool proving = settings_.prove && end.proven != 0;
    float value = proving ? (end.proven > 0 ? 1.0F : -1.0F) : end.value;
    float shared = end.state == Node::State::kKnown ? end.shared : 0.0F;
    for (size_t i = path.size(); i-- > 0;) {
        Node& parent = nodes_[path[i].node];
        Edge& e = edge(parent, path[i].edge);
        value = -value;
        e.value_sum += value + shared;
        ++e.visits;
        e.in_flight -= was_in_flight;
        if (!proving) continue;
        e.proven = nodes_[e.node].proven;
        proving = prove(parent);
        if (proving) {
            value = parent.proven > 0 ? 1.0F : -1.0F;
            shared = 0;
        }
    }
    if (settings_.prove) end_if_settled();
}

template <class Game>
void Tree<Game>::back_up_graph(const std::vector<PathStep>& path, bool was_in_flight) {
    for (size_t i = path.size(); i-- > 0;) {
        Node& parent = nodes_[path[i].node];
        Edge& e = edge(parent, path[i].edge);
        ++e.visits;
        e.in_flight -= was_in_flight;
        refresh(parent);
        if (settings_.prove) prove(parent);
    }
    if (settings_.prove) end_if_settled();
}

// One move that wins is enough to win; to lose, all moves must lose.
template <class Game>
bool Tree<Game>::prove(Node& node) const {
    int quickest = 0;
    int longest = 0;
    bool all_lose = node.edge_count == node.child_count;
    for (uint32_t i = 0; i < node.edge_count; ++i) {
        const int child = edge(node, i).proven;
        if (child < 0 && (quickest == 0 || -child < quickest)) quickest = -child;
        all_lose = all_lose && child > 0;
        longest = std::max(longest, child);
    }
    if (quickest > 0) {
        node.proven = static_cast<int16_t>(quickest + 1);
    } else if (all_lose) {
        node.proven = static_cast<int16_t>(-(longest + 1));
    }
    return node.proven != 0;
}

// Nothing is left to choose once the root or all its candidates are proven.
template <class Game>
void Tree<Game>::end_if_settled() {
    const Node& root = nodes_[0];
    const auto is_lost = [&](const Candidate& c) { return edge(root, c.child).proven > 0; };
    const bool all_lost =
        settings_.halving && std::all_of(candidates_.begin(), candidates_.end(), is_lost);
    if (root.proven != 0 || all_lost) next_ = planned_;
}

}  // namespace plyground::gumbel
