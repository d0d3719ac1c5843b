// Gumbel AlphaZero's tree search: I. Danihelka, A. Guez, J. Schrittwieser, D. Silver, "Policy
// improvement by planning with Gumbel" (ICLR 2022). Equation numbers below are that paper's.
//
// The tree never meets the network. A simulation that reaches a position without evaluation leaves
// its features with the caller and waits; `expand` brings logits and value back. One simulation:
//
//     1. at the root, in learning, choose by sequential halving         choose_candidate
//     2. elsewhere follow the deterministic rule to a new position      choose_by_policy
//     3. if its result is known, by the rules or by a proof, take that   simulate
//     4. otherwise ask for an evaluation, and list its moves by logit   simulate, expand;
//        of a position that has been reached in another order of moves   share_evaluation
//        it is there already
//     5. add the value to every edge on the way                          back_up
//
// In play, the tree is a graph: a position that is reached in several orders of moves has one node.
// Edges count their own visits. A node's value is the mean over the network's value and the values
// of its children, weighed by the visits of the edges, and is worked out again on every visit
// (refresh). A simulation ends at a node that has had more visits than the edge it came by: what
// they found is there already, and the edge counts one of them (ends_at). The key has the number of
// moves played, or the game never returns to a position, so that the graph has no cycles.
//
// All values are from the player to move, in [-1, 1]. The game is a type with these members:
//
//     Position, Leaf, Exact                    Leaf: moves (with for_each(action)), heuristic
//     kActions                                 actions are numbered as the mover's logits are
//     kFeatureBytes                            the largest number of bytes that `pack` writes
//     static size_t feature_bytes(const Position&)              the number; one for all of a tree
//     static void play(Position&, int action)
//     static uint64_t key(const Position&)                      equal for what is evaluated equal
//     static Leaf pack(const Position&, uint8_t* features)      for a position that goes on
//     static float heuristic(const Position&)                   a guess without network
//     Exact::known(const Position&) -> std::optional<Verdict>
//
// and self-play asks for a few more: see selfplay.h.
//
// Draws. A draw may be worth the same, say -0.05, to both sides. A backed-up result therefore has
// two parts: one that changes its sign from ply to ply, and one that is shared and does not. Each
// edge sums up what the results are worth to the player who chooses there, so nobody is misled
// about draws found in the tree. Only the network's value is a single number: what it expects of
// draws turns its sign with the rest, an error of at most twice the penalty times their
// probability.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "search/gumbel_math.h"

namespace plyground::gumbel {

struct Settings {
    // Learning wants a better policy from a few simulations: sequential halving at the root, as in
    // the paper. Play wants one good move from many, whenever it is asked: without halving, the
    // root is searched as every other position, and sigma grows more slowly.
    bool halving = true;
    float c_visit = 50.0F;      // see sigma_scale
    float c_scale = 0.25F;      // the paper's 1 is for q in [0, 1], so 0.5 for ours; half worked
    int max_considered = 16;    // candidates at the root, with halving
    float draw_value = -0.05F;  // of a draw, to both sides
    bool draw_by_path = false;  // a draw is worth the heuristic's guess instead
    bool prove = false;         // wins and losses found in the tree propagate
    bool graph = false;         // equal positions share a node, not only an evaluation
};

// How much a game's `Exact` may work out to know a result.
enum class Effort : uint8_t {
    kRules,  // nothing: only what the rules say
    kQuick,  // what costs little beside the features of a leaf
    kAll,    // all that it can
};

// A result that needs no evaluation.
struct Verdict {
    int sign;   // +1 the player to move wins, -1 loses, 0 draw
    int plies;  // to the end of the game
};

// One child's place in the tree, on its parent's side, where choosing needs it.
struct Edge {
    static constexpr uint32_t kNone = ~0U;
    uint32_t node = kNone;
    uint32_t visits = 0;     // finished ones
    float value_sum = 0;     // for the parent's player
    uint16_t in_flight = 0;  // visits that wait for an evaluation
    int16_t proven = 0;      // the child's, see Node

    uint32_t all_visits() const { return visits + in_flight; }
};

// Children are kept as one word each, logit and action (see `pack_child`), the best ones sorted to
// the front as far as they are needed. Below the root all unvisited children share one value, the
// mixed one, so the next to be visited is the one with the highest logit: visited children are the
// first in that order, and edge i belongs to child i.
struct Node {
    enum class State : uint8_t { kWaiting, kKnown, kOpen };

    uint64_t key = 0;
    uint32_t children = 0;  // where they start in the pool
    uint32_t edges = 0;
    uint16_t child_count = 0;
    uint16_t sorted = 0;  // how many children are in order
    uint16_t edge_count = 0;
    uint16_t edge_capacity = 0;
    float value = 0;      // the network's; of a known result, the part that turns its sign
    float mean = 0;       // in a graph, the value after all visits: the part that turns its sign
    float shared = 0;     // of a known result or of the mean, the part that does not
    uint32_t visits = 0;  // in a graph, by way of all parents
    float max_logit = 0;
    float weight = 0;  // sum over the children of exp(logit - max_logit)
    // Plies to the end of the game plus one: positive if the player to move has a proven win,
    // negative for a proven loss, 0 if nothing is proven.
    int16_t proven = 0;
    State state = State::kWaiting;
};

template <class Game>
class Tree {
  public:
    using Position = typename Game::Position;
    using Exact = typename Game::Exact;
    using Leaf = typename Game::Leaf;
    enum class Step : uint8_t {
        kLeaf,   // an evaluation is needed: features are written, `expand` continues
        kDone,   // the simulation is finished, its leaf was known
        kWaits,  // it ran into a position that waits for its evaluation: expand first
    };

    explicit Tree(const Settings& settings = {}) : settings_(settings) {}

    Settings& settings() { return settings_; }
    const Settings& settings() const { return settings_; }
    // Room for that many nodes without another allocation; moves are what a node usually has.
    void reserve(size_t nodes, size_t moves);

    // Forgets everything and starts from this position, which must not be over.
    void reset(const Position& root);
    // Moves on to a child. `keep` keeps what is known below it; otherwise only its evaluation
    // stays. The child must have been visited and its result not be known.
    void advance(int action, bool keep);
    const Position& root() const { return root_; }
    bool is_evaluated() const { return node(0).state == Node::State::kOpen; }

    // Starts a search of that many simulations from an evaluated root. With halving it picks the
    // candidates with the highest noise + logit (+ sigma(q) where the tree has been here before);
    // `noise` is one Gumbel variable for each action, or null.
    void begin(int simulations, const float* noise);
    int simulations_left() const { return planned_ - next_; }
    // Looks for children of an evaluated root whose result is known, so that no win on the board is
    // missed for its small logit and no candidate wasted on a loss. For `prove` only.
    void probe(Exact& exact);
    // Simulations until `batch` leaves wait for their evaluation or it makes no sense to go on
    // without them; returns how many there are. The features of leaf i are row i. None: the plan is
    // done, or kMostKnown simulations in a row needed no evaluation and the caller may want a say.
    static constexpr int kMostKnown = 10000;
    size_t select(Exact& exact, size_t batch, uint8_t* features);
    // One simulation as far as it goes; the root's evaluation if that is missing. Features are
    // written for kLeaf only.
    Step simulate(Exact& exact, uint8_t* features);
    // Whether the next simulation must wait for those in flight, since their results decide which
    // candidates go on.
    bool must_wait() const {
        return pending() > 0 && next_ < static_cast<int>(schedule_.size()) && next_ > 0 &&
               schedule_[next_].phase != schedule_[next_ - 1].phase;
    }

    // Leaves that wait for their evaluation are numbered as they were handed out, from 0 if none
    // waited before them. Numbers of evaluated leaves are used again.
    size_t pending() const { return pending_used_ - pending_free_.size(); }
    size_t newest_pending() const { return newest_pending_; }
    const Leaf& pending_leaf(size_t i) const { return pending_[i].leaf; }
    // The evaluation of a pending leaf, in any order. Logits are floats or, as uint16_t, half
    // floats.
    template <class Logit>
    void expand(size_t i, const Logit* logits, float value);

    // The move to play: of those visited most since this is the root, the one with the highest
    // noise + logit + sigma(q), equation 6. Among moves whose result is proven, the quickest win or
    // the longest loss.
    int best_action() const;
    // The improved policy softmax(logits + sigma(completed q)), equation 11, by action; illegal
    // actions get 0.
    void improved_policy(float* policy) const;
    // What the position is worth under that policy.
    float root_value() const;
    // The Kullback-Leibler divergence of a policy over the root's moves from the network's own.
    float divergence(const float* policy) const;
    // The value of the best action.
    float best_value() const;
    int proven() const { return node(0).proven; }

    // What the root knows about its moves, in no particular order.
    struct MoveReport {
        int action;
        float logit;
        uint32_t visits;
        float q;
        int proven;  // for the root's player, as Node::proven for its own
    };
    std::vector<MoveReport> moves() const;
    std::vector<int> line() const;
    size_t size() const { return nodes_.size(); }
    uint64_t visits() const;

  private:
    struct PathStep {
        uint32_t node;
        uint32_t edge;
    };
    struct Pending {
        uint32_t node = 0;
        Leaf leaf{};
        std::vector<PathStep> path;
    };
    struct Candidate {
        uint32_t child;
        float noise;
        uint32_t visits_before;
    };
    // What choosing at a node needs: completed q-values and their scale.
    struct Values {
        float mixed;   // of every unvisited child, equation 33 (appendix D)
        float scale;   // sigma(q) = scale * q
        float visits;  // of all children, those in flight included
        float weight;  // of the children with edges, relative to the highest logit
    };

    const Node& node(uint32_t i) const { return nodes_[i]; }
    const Edge& edge(const Node& node, uint32_t i) const { return edges_[node.edges + i]; }
    Edge& edge(const Node& node, uint32_t i) { return edges_[node.edges + i]; }
    float logit(const Node& node, uint32_t i) const {
        return child_logit(children_[node.children + i]);
    }
    int action(const Node& node, uint32_t i) const {
        return child_action(children_[node.children + i]);
    }

    float sigma_scale(uint32_t most_visits) const;
    Values complete(const Node& node, float* q) const;
    void pick_candidates(const float* noise);
    uint32_t choose_candidate() const;
    uint32_t choose_by_policy(const Node& node) const;
    // Takes over the evaluation of a node with the same position; false if there is none.
    bool share_evaluation(Node& node);
    // Adds a node for a position: with its result if that is known, otherwise with an evaluation
    // of the same position, or waiting for one.
    uint32_t add_node(Exact& exact, const Position& position);
    // In a graph: whether a simulation that came by an edge to an open node ends there.
    bool ends_at(const Edge& edge, Node& node);
    // In a graph: works out the values of a node and its edges from its children.
    void refresh(Node& node);
    void back_up_graph(const std::vector<PathStep>& path, bool was_in_flight);
    // The table's entry for a key: the node with that key, or Edge::kNone.
    uint32_t& find_node(uint64_t key);
    // Adds a node to the table, or all of them anew.
    void index_node(uint32_t index);
    void index_nodes();
    void sort_children(Node& node, int count);
    void add_edges(uint32_t node, int count);
    void keep_subtree(uint32_t top);
    void back_up(const std::vector<PathStep>& path, uint32_t leaf, bool was_in_flight);
    void settle(Node& node, const Position& position, const Verdict& known);
    bool prove(Node& node) const;
    void end_if_settled();
    uint32_t best_child() const;
    Pending& take_pending();
    void free_pending(size_t i);

    Settings settings_;
    Position root_{};
    std::vector<Node> nodes_;
    std::vector<uint32_t> children_;
    std::vector<Edge> edges_;
    // Evaluated nodes by key, in a graph also those that wait for their evaluation: open
    // addressing, a power of two in size, at most half full.
    std::vector<uint32_t> table_;
    std::vector<Candidate> candidates_;
    std::vector<ScheduledVisit> schedule_;
    std::vector<uint32_t> kept_visits_;  // by the root's edges, those from before it was the root
    int planned_ = 0;                    // simulations of this search
    int next_ = 0;                       // those that were started
    std::vector<Pending> pending_;  // the first `pending_used_` are in use, but for the free ones
    std::vector<size_t> pending_free_;
    size_t pending_used_ = 0;
    size_t newest_pending_ = 0;
    std::vector<PathStep> path_;
};

}  // namespace plyground::gumbel

#include "search/gumbel_backup.h"
#include "search/gumbel_choice.h"
#include "search/gumbel_report.h"
#include "search/gumbel_tree.h"
