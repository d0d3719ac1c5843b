// The members of gumbel::Tree; gumbel.h says what they do.
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
// leaves no doubt about any value: nobody looks again at a move that disappointed once. There it
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
