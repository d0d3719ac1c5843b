// How gumbel::Tree grows, and moves on to a child; gumbel.h says what the members do.
#pragma once

#include "search/gumbel.h"

namespace plyground::gumbel {

template <class Game>
void Tree<Game>::reserve(size_t nodes, size_t moves) {
    nodes_.reserve(nodes);
    children_.reserve(nodes * moves + Game::kActions);
    edges_.reserve(4 * nodes + Game::kActions);  // blocks double, and leave the old ones behind
    path_.reserve(64);
}

template <class Game>
void Tree<Game>::reset(const Position& root) {
    root_ = root;
    nodes_.assign(1, Node{});
    nodes_[0].key = Game::key(root);
    table_.clear();
    children_.clear();
    edges_.clear();
    candidates_.clear();
    schedule_.clear();
    kept_visits_.clear();
    planned_ = next_ = 0;
    pending_free_.clear();
    pending_used_ = 0;
}

template <class Game>
void Tree<Game>::begin(int simulations, const float* noise) {
    assert(is_evaluated() && pending() == 0);
    candidates_.clear();
    schedule_.clear();
    planned_ = simulations;
    if (settings_.halving) {
        pick_candidates(noise);
        const int considered = static_cast<int>(candidates_.size());
        plan_visits(considered, considered > 0 ? simulations : 0, schedule_);
        planned_ = static_cast<int>(schedule_.size());
    }
    next_ = 0;
    if (settings_.graph) {  // a parent that is gone may have known more than the root
        refresh(nodes_[0]);
        if (settings_.prove) prove(nodes_[0]);
    }
    end_if_settled();
}

template <class Game>
typename Tree<Game>::Step Tree<Game>::simulate(Exact& exact, uint8_t* features) {
    path_.clear();
    Position position = root_;
    uint32_t leaf = 0;
    bool is_new = pending() == 0;
    if (nodes_[0].state == Node::State::kOpen) {
        uint32_t parent = 0;
        uint32_t choice =
            settings_.halving ? choose_candidate() : choose_by_policy(nodes_[0]);  // 1.
        while (true) {
            if (choice == nodes_[parent].edge_count)
                add_edges(parent, static_cast<int>(choice) + 1);
            const Node& node = nodes_[parent];
            path_.push_back({parent, choice});
            Game::play(position, action(node, choice));
            leaf = edge(node, choice).node;
            is_new = leaf == Edge::kNone;
            if (is_new || nodes_[leaf].state != Node::State::kOpen || nodes_[leaf].proven != 0)
                break;
            if (settings_.graph && ends_at(edge(node, choice), nodes_[leaf])) break;
            parent = leaf;
            choice = choose_by_policy(nodes_[parent]);  // 2.
        }
    }
    if (is_new && !path_.empty()) {
        leaf = settings_.graph && !table_.empty() ? find_node(Game::key(position)) : Edge::kNone;
        is_new = leaf == Edge::kNone;
        if (is_new) leaf = add_node(exact, position);
        edge(nodes_[path_.back().node], path_.back().edge).node = leaf;
    }
    if (nodes_[leaf].state != Node::State::kWaiting) {
        ++next_;
        back_up(path_, leaf, false);  // 5.
        return Step::kDone;
    }
    if (!is_new) return Step::kWaits;
    if (!path_.empty()) ++next_;
    Pending& pending = take_pending();
    pending.node = leaf;
    pending.path.assign(path_.begin(), path_.end());
    for (const PathStep& step : path_)
        ++edge(nodes_[step.node], step.edge).in_flight;
    pending.leaf = Game::pack(position, features);  // 4.
    return Step::kLeaf;
}

template <class Game>
uint32_t Tree<Game>::add_node(Exact& exact, const Position& position) {
    const auto index = static_cast<uint32_t>(nodes_.size());
    Node& node = nodes_.emplace_back();
    if (const auto known = exact.known(position)) {
        settle(node, position, *known);  // 3.
        return index;
    }
    node.key = Game::key(position);
    if (settings_.graph) {
        index_node(index);
    } else {
        share_evaluation(node);
    }
    return index;
}

template <class Game>
size_t Tree<Game>::select(Exact& exact, size_t batch, uint8_t* features) {
    assert(pending() == 0);
    for (int known = 0; pending() < batch && known < kMostKnown;) {
        if (is_evaluated() && (simulations_left() == 0 || must_wait())) break;
        const Step step = simulate(exact, features + pending() * Game::feature_bytes(root_));
        if (step == Step::kWaits) break;
        known = step == Step::kDone ? known + 1 : 0;
    }
    return pending();
}

template <class Game>
void Tree<Game>::probe(Exact& exact) {
    assert(is_evaluated() && settings_.prove && pending() == 0);
    for (uint32_t i = nodes_[0].edge_count; i < nodes_[0].child_count; ++i) {
        Position position = root_;
        Game::play(position, action(nodes_[0], i));
        const auto known = exact.known(position);
        if (!known || known->sign == 0) continue;
        const uint32_t place = nodes_[0].edge_count;
        std::swap(children_[nodes_[0].children + i], children_[nodes_[0].children + place]);
        nodes_[0].sorted = nodes_[0].child_count;
        add_edges(0, static_cast<int>(place) + 1);
        Edge& e = edge(nodes_[0], place);
        e.node = static_cast<uint32_t>(nodes_.size());
        Node& child = nodes_.emplace_back();
        settle(child, position, *known);
        e.proven = child.proven;
    }
    nodes_[0].sorted = nodes_[0].edge_count;  // the swaps have mixed up the rest
    sort_children(nodes_[0], nodes_[0].edge_count + 1);
    prove(nodes_[0]);
}

template <class Game>
template <class Logit>
void Tree<Game>::expand(size_t i, const Logit* logits, float value) {
    assert(i < pending_used_);
    const Pending& pending = pending_[i];
    Node& node = nodes_[pending.node];
    const size_t first = children_.size();
    children_.resize(first + Game::kActions);
    uint32_t* const children = children_.data() + first;
    uint32_t count = 0;
    pending.leaf.moves.for_each([&](int action) {
        children[count++] = pack_child(clean_logit(to_float(logits[action])), action);
    });
    children_.resize(first + count);
    assert(count > 0);

    uint32_t highest = 0;
    for (uint32_t j = 0; j < count; ++j)
        highest = std::max(highest, children[j]);
    node.max_logit = child_logit(highest);
    // In lanes, since sums of floats are not reordered by themselves.
    constexpr uint32_t kLanes = 16;
    std::array<float, kLanes> sums{};
    uint32_t j = 0;
    for (; j + kLanes <= count; j += kLanes) {
        for (uint32_t lane = 0; lane < kLanes; ++lane)
            sums[lane] += quick_exp(child_logit(children[j + lane]) - node.max_logit);
    }
    for (; j < count; ++j)
        sums[0] += quick_exp(child_logit(children[j]) - node.max_logit);
    node.weight = 0;
    for (const float sum : sums)
        node.weight += sum;

    node.children = static_cast<uint32_t>(first);
    node.child_count = static_cast<uint16_t>(count);
    node.value = value >= -1.0F ? std::min(value, 1.0F) : value < -1.0F ? -1.0F : 0.0F;
    node.state = Node::State::kOpen;
    node.mean = node.value;
    node.visits = 1;
    sort_children(node, 1);
    index_node(pending.node);
    back_up(pending.path, pending.node, true);
    free_pending(i);
}

template <class Game>
typename Tree<Game>::Pending& Tree<Game>::take_pending() {
    if (pending_free_.empty()) {
        newest_pending_ = pending_used_++;
        if (newest_pending_ == pending_.size()) pending_.emplace_back();
    } else {
        newest_pending_ = pending_free_.back();
        pending_free_.pop_back();
    }
    return pending_[newest_pending_];
}

template <class Game>
void Tree<Game>::free_pending(size_t i) {
    pending_free_.push_back(i);
    if (pending() > 0) return;
    pending_free_.clear();
    pending_used_ = 0;
}

template <class Game>
bool Tree<Game>::share_evaluation(Node& node) {
    if (table_.empty()) return false;
    const uint32_t index = find_node(node.key);
    if (index == Edge::kNone) return false;
    const Node& twin = nodes_[index];
    const size_t first = children_.size();
    children_.resize(first + twin.child_count);
    std::copy_n(children_.begin() + twin.children, twin.child_count, children_.begin() + first);
    node.children = static_cast<uint32_t>(first);
    node.child_count = twin.child_count;
    node.sorted = twin.sorted;
    node.value = twin.value;
    node.max_logit = twin.max_logit;
    node.weight = twin.weight;
    node.state = Node::State::kOpen;
    return true;
}

template <class Game>
uint32_t& Tree<Game>::find_node(uint64_t key) {
    const size_t mask = table_.size() - 1;
    for (size_t i = key & mask;; i = (i + 1) & mask) {
        uint32_t& entry = table_[i];
        if (entry == Edge::kNone || nodes_[entry].key == key) return entry;
    }
}

template <class Game>
void Tree<Game>::index_node(uint32_t index) {
    if (table_.size() < 2 * nodes_.size()) {
        index_nodes();
        return;
    }
    uint32_t& entry = find_node(nodes_[index].key);
    if (entry == Edge::kNone) entry = index;
}

template <class Game>
void Tree<Game>::index_nodes() {
    constexpr size_t kLeast = 256;
    table_.assign(std::bit_ceil(std::max(kLeast, 4 * nodes_.size())), Edge::kNone);
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
        const Node::State state = nodes_[i].state;
        if (state == Node::State::kKnown) continue;
        if (state == Node::State::kWaiting && !settings_.graph) continue;
        uint32_t& entry = find_node(nodes_[i].key);
        if (entry == Edge::kNone) entry = i;
    }
}

template <class Game>
void Tree<Game>::sort_children(Node& node, int count) {
    const int all = node.child_count;
    if (node.sorted >= std::min(count, all)) return;
    // Most nodes are visited a few times only, so the rest stays as it is until someone asks.
    constexpr int kAtFirst = 4;
    const int target = std::min(all, std::max({count, 2 * node.sorted, kAtFirst}));
    uint32_t* const children = children_.data() + node.children;
    std::partial_sort(children + node.sorted, children + target, children + all, std::greater<>());
    node.sorted = static_cast<uint16_t>(target);
}

template <class Game>
void Tree<Game>::add_edges(uint32_t index, int count) {
    Node& node = nodes_[index];
    if (count > node.edge_capacity) {
        const int capacity = std::max({count, 2 * node.edge_capacity, 2});
        const size_t first = edges_.size();
        edges_.resize(first + capacity);
        std::copy_n(edges_.begin() + node.edges, node.edge_count, edges_.begin() + first);
        node.edges = static_cast<uint32_t>(first);
        node.edge_capacity = static_cast<uint16_t>(capacity);
    }
    if (count > node.edge_count) node.edge_count = static_cast<uint16_t>(count);
    sort_children(node, count + 1);  // so that the next one is known, too
}

template <class Game>
void Tree<Game>::advance(int played, bool keep) {
    assert(pending() == 0);
    const Node& root = nodes_[0];
    uint32_t child = Edge::kNone;
    for (uint32_t i = 0; i < root.edge_count; ++i) {
        if (action(root, i) == played) child = edge(root, i).node;
    }
    Position next = root_;
    Game::play(next, played);
    if (child == Edge::kNone || nodes_[child].state != Node::State::kOpen) {
        reset(next);
        return;
    }
    root_ = next;
    candidates_.clear();
    schedule_.clear();
    kept_visits_.clear();
    planned_ = next_ = 0;
    if (keep) {
        keep_subtree(child);
        for (uint32_t i = 0; i < nodes_[0].edge_count; ++i)
            kept_visits_.push_back(edge(nodes_[0], i).visits);
        return;
    }
    Node top = nodes_[child];
    std::copy_n(children_.begin() + top.children, top.child_count, children_.begin());
    children_.resize(top.child_count);
    edges_.clear();
    top.children = top.edges = 0;
    top.edge_count = top.edge_capacity = 0;
    top.proven = 0;
    nodes_.assign(1, top);
    table_.clear();
}

// Copies what is below `top` to new pools, level by level, so that `top` becomes node 0.
template <class Game>
void Tree<Game>::keep_subtree(uint32_t top) {
    std::vector<Node> nodes{nodes_[top]};
    std::vector<uint32_t> children;
    std::vector<Edge> edges;
    std::vector<uint32_t> moved(nodes_.size(), Edge::kNone);  // where a node is now
    for (size_t i = 0; i < nodes.size(); ++i) {
        Node& node = nodes[i];
        const size_t first_child = children.size();
        const size_t first_edge = edges.size();
        children.insert(children.end(), children_.begin() + node.children,
                        children_.begin() + node.children + node.child_count);
        edges.insert(edges.end(), edges_.begin() + node.edges,
                     edges_.begin() + node.edges + node.edge_count);
        node.children = static_cast<uint32_t>(first_child);
        node.edges = static_cast<uint32_t>(first_edge);
        node.edge_capacity = node.edge_count;
        for (size_t j = first_edge; j < edges.size(); ++j) {
            if (edges[j].node == Edge::kNone) continue;
            uint32_t& place = moved[edges[j].node];
            if (place == Edge::kNone) {
                place = static_cast<uint32_t>(nodes.size());
                nodes.push_back(nodes_[edges[j].node]);  // `node` may dangle from here on
            }
            edges[j].node = place;
        }
    }
    nodes_ = std::move(nodes);
    children_ = std::move(children);
    edges_ = std::move(edges);
    index_nodes();
}

}  // namespace plyground::gumbel
