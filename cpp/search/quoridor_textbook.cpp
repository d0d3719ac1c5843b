#include "search/quoridor_textbook.h"

#include <array>
#include <bit>

#include "games/quoridor_paths.h"

namespace plyground::quoridor {
namespace {

// Slots in rings around a cell, nearest first. Twice the Manhattan distance between a cell and the
// middle of a slot is even and at least 2; ring i holds the slots at 2 * i + 2.
struct Rings {
    static constexpr int kCount = 16;
    std::array<std::array<uint64_t, kCount>, kCells> around{};

    constexpr Rings() {
        const auto twice_apart = [](int cell, int slot) {
            const int apart = 2 * cell - (2 * slot + 1);
            return apart < 0 ? -apart : apart;
        };
        for (int cell = 0; cell < kCells; ++cell) {
            for (int slot = 0; slot < kSlots; ++slot) {
                const int twice =
                    twice_apart(row_of(cell), slot / 8) + twice_apart(col_of(cell), slot % 8);
                around[cell][twice / 2 - 1] |= 1ULL << slot;
            }
        }
    }
};
constexpr Rings kRings;

// A table of factor * i for i from -kReach to kReach. The evaluation looks products up instead of
// multiplying: a compiler could fuse the multiplication with the sum, which would round differently
// from machine to machine.
template <int kReach>
class Products {
  public:
    explicit Products(double factor) {
        for (int i = -kReach; i <= kReach; ++i)
            of_[i + kReach] = factor * i;
    }
    double operator[](int i) const { return of_[i + kReach]; }

  private:
    std::array<double, 2 * kReach + 1> of_;
};

class Problem {
  public:
    using Position = quoridor::Position;
    class Candidates;

    // A position with both distances, and the routes that the parent's move left intact.
    struct Node {
        Position position;
        std::array<int, 2> distance{};
        std::array<const Route*, 2> cached{};  // null: not computed yet
        std::array<Route, 2> own;

        const Route& route(int player) {
            if (!cached[player]) {
                find_route(position, player, own[player]);
                cached[player] = &own[player];
            }
            return *cached[player];
        }
    };

    Problem(const Position& root, const TextbookOptions& options)
        : me_(root.to_move),
          geometry_(root.geometry()),
          options_(options),
          path_(options.path_weight),
          progress_(options.progress_weight),
          walls_(options.wall_weight) {}

    void enter_root(const Position& position, Node& node) const {
        node.position = position;
        for (int player = 0; player < 2; ++player)
            node.distance[player] = node.route(player).length;
    }

    // A wall that does not cut a player's route leaves that player's distance unchanged, and a pawn
    // move the opponent's.
    void enter(Node& parent, int action, Node& child) const {
        child.position = parent.position;
        child.position.play(static_cast<Action>(action));
        std::array<bool, 2> changed;
        for (int player = 0; player < 2; ++player) {
            changed[player] = is_wall(action)
                                  ? parent.route(player).is_cut_by(static_cast<Action>(action))
                                  : player == parent.position.to_move;
            child.cached[player] = changed[player] ? nullptr : parent.cached[player];
            child.distance[player] = parent.distance[player];
        }
        if (!changed[0] && !changed[1]) return;
        if (options_.cache && log_.evaluations.size() < TextbookCache::kMostNewEvaluations) {
            measure_cached(child, changed);
        } else {
            measure(child, changed);
        }
    }

    bool is_my_move(const Node& node) const { return node.position.to_move == me_; }

    Ending ending(const Node& node) const {
        const Position& p = node.position;
        if (node.distance[me_] == 0) return Ending::kWon;
        if (node.distance[1 - me_] == 0) return Ending::kLost;
        const bool drawn =
            p.move_count >= p.rules.max_moves || p.moves_since_wall >= p.rules.no_progress_limit;
        return drawn ? Ending::kDrawn : Ending::kNone;
    }

    double evaluate(const Node& node) const {
        const Position& p = node.position;
        const int you = 1 - me_;
        const std::array<int, 2> rows{row_of(p.pawn[0]), p.rules.size - 1 - row_of(p.pawn[1])};
        return path_[node.distance[you] - node.distance[me_]] + progress_[rows[me_] - rows[you]] +
               walls_[p.hand[me_] - p.hand[you]];
    }

    double draw_score() const { return options_.draw_score; }

    const TextbookCache::Log& log() const { return log_; }

  private:
    void measure(Node& node, const std::array<bool, 2>& changed) const {
        for (int player = 0; player < 2; ++player) {
            if (changed[player])
                node.distance[player] = distance_of(node.position.walls, node, player);
        }
    }

    // The same with the cache, except for a pawn that has arrived.
    void measure_cached(Node& node, const std::array<bool, 2>& changed) const {
        const int mover = 1 - node.position.to_move;
        if (node.position.has_won(mover)) {
            node.distance[mover] = 0;
            return;
        }
        const uint64_t key = TextbookCache::key_of(node.position);
        if (options_.cache->find_distances(key, node.distance)) {
            ++log_.evaluations_found;
            return;
        }
        measure(node, changed);
        options_.cache->store_distances(key, node.distance);
        TextbookCache::log_distances(log_, key, node.distance);
    }

    // Steps to the goal with these walls; -1 when there is no path.
    int distance_of(const Walls& walls, const Node& node, int player) const {
        return distance(walls, node.position.pawn[player], geometry_.goal[player]);
    }

    int me_;
    const Geometry& geometry_;
    TextbookOptions options_;
    Products<kCells> path_;
    Products<kMaxSize> progress_;
    Products<kSlots> walls_;
    mutable TextbookCache::Log log_;  // statistics and results, which change no value
};

// The moves of a node in order: some walls, the pawn moves, the other walls. Walls come from a
// ranked list and then, by distance, from a set. In the Dijkstra order all moves are in one list.
// Legality is checked only when a wall is returned.
class Problem::Candidates {
  public:
    Candidates(const Problem& problem, Node& node) : problem_(problem), node_(node) {
        const WallOrder order = problem.options_.wall_order;
        if (order == WallOrder::kDijkstra) {
            begin_list();
        } else {
            add_pawn_moves();
            if (order != WallOrder::kNearest) begin_walls();
        }
    }

    int next() {
        if (problem_.options_.wall_order == WallOrder::kDijkstra) return next_listed();
        if (walls_first_ > 0) {
            --walls_first_;
            if (const int wall = next_wall(); wall >= 0) return wall;
        }
        if (pawn_next_ < pawn_count_) return pawn_moves_[pawn_next_++];
        return next_wall();
    }

  private:
    static constexpr int kBestWalls = 16;  // tried before the pawn moves in the corridor order
    static constexpr int kFar = kCells;    // more steps than any path has
    static constexpr int kRankStep = 256;

    using Steps = std::array<int, kCells>;

    int me() const { return node_.position.to_move; }
    int you() const { return 1 - node_.position.to_move; }

    // Sorted by distance to the goal row, by a flood from it, then by action number.
    void add_pawn_moves() {
        const Walls& walls = node_.position.walls;
        Bitboard left = node_.position.pawn_moves(me());
        for (Bitboard near = problem_.geometry_.goal[me()]; left.any();
             near |= walls.neighbours(near)) {
            (left & near).for_each([&](int cell) { pawn_moves_[pawn_count_++] = cell; });
            left = left.without(near);
        }
    }

    void begin_walls() {
        has_walls_ = true;
        if (node_.position.hand[me()] == 0) return;
        find_free_walls();
        if (problem_.options_.wall_order == WallOrder::kCorridor) rank_by_corridor();
        if (problem_.options_.wall_order == WallOrder::kCutting) rank_by_cut();
    }

    // None if the mover has no walls left.
    void find_free_walls() {
        if (node_.position.hand[me()] == 0) return;
        const Walls& walls = node_.position.walls;
        const Geometry& geometry = problem_.geometry_;
        walls_left_ = problem_.options_.max_wall_moves;
        rest_h_ = walls.free_h(geometry);
        rest_v_ = walls.free_v(geometry);
        joining_h_ = walls.joining_h(geometry);
        joining_v_ = walls.joining_v(geometry);
    }

    int next_wall() {
        if (!has_walls_) begin_walls();
        while (walls_left_ > 0) {
            const int wall = next_free_wall();
            if (wall < 0) {
                walls_left_ = 0;
            } else if (is_legal(static_cast<Action>(wall))) {
                --walls_left_;
                return wall;
            }
        }
        return -1;
    }

    int next_free_wall() {
        if (ranked_count_ > 0) {
            std::pop_heap(ranked_.begin(), ranked_.begin() + ranked_count_, std::greater<>());
            return ranked_[--ranked_count_] % kRankStep;
        }
        while (!(ring_h_ | ring_v_)) {
            if (ring_ == Rings::kCount) return -1;
            const uint64_t slots = kRings.around[node_.position.pawn[you()]][ring_++];
            ring_h_ = rest_h_ & slots;
            ring_v_ = rest_v_ & slots;
        }
        uint64_t& ring = ring_h_ ? ring_h_ : ring_v_;
        const int slot = std::countr_zero(ring);
        const int wall = (ring_h_ ? kHWall : kVWall) + slot;
        ring &= ring - 1;
        return wall;
    }

    // Only a wall that joins obstacles and cuts a route can shut its player in.
    bool is_legal(Action wall) {
        const bool vertical = is_vertical(wall);
        const uint64_t slot = 1ULL << slot_of(wall);
        if (!((vertical ? joining_v_ : joining_h_) & slot)) return true;
        for (int player = 0; player < 2; ++player) {
            const Route& route = node_.route(player);
            if (route.is_cut_by(wall) &&
                sealing_walls(node_.position.walls, route, problem_.geometry_.goal[player], slot,
                              vertical)) {
                return false;
            }
        }
        return true;
    }

    void rank_by_corridor() {
        const Walls& walls = node_.position.walls;
        const Steps from_pawn = flood(walls, Bitboard::of(node_.position.pawn[you()]));
        const Steps to_goal = flood(walls, problem_.geometry_.goal[you()]);
        LegalMoves{{}, rest_h_, rest_v_}.for_each([&](Action wall) {
            const int south_west = cell_at(slot_of(wall) / 8, slot_of(wall) % 8);
            const int over = is_vertical(wall) ? 1 : Bitboard::kStride;
            const int along = Bitboard::kStride + 1 - over;
            int rank = std::numeric_limits<int>::max();
            for (const int a : {south_west, south_west + along}) {
                const int b = a + over;
                rank = std::min({rank, kFar * (from_pawn[a] + to_goal[b]) + from_pawn[a],
                                 kFar * (from_pawn[b] + to_goal[a]) + from_pawn[b]});
            }
            add_ranked(rank, wall);
        });
        rest_h_ = rest_v_ = 0;
        make_ranked_heap();
        walls_first_ = kBestWalls;
    }

    // A pawn step gains one step for free, so only walls that gain more come before it.
    void rank_by_cut() {
        const Route& theirs = node_.route(you());
        LegalMoves{{}, rest_h_ & theirs.cut_h, rest_v_ & theirs.cut_v}.for_each([&](Action wall) {
            const int gain = gain_of(wall);
            if (gain <= 0) return;
            add_ranked(kFar - gain, wall);
            walls_first_ += gain > 1;
            (is_vertical(wall) ? rest_v_ : rest_h_) &= ~(1ULL << slot_of(wall));
        });
        make_ranked_heap();
    }

    // Steps that the wall adds to the opponent's path less those added to the mover's; -kFar if it
    // is illegal.
    int gain_of(Action wall) {
        Walls walled = node_.position.walls;
        walled.place(wall);
        int gain = 0;
        for (const int player : {you(), me()}) {
            if (!node_.route(player).is_cut_by(wall)) continue;
            const int after = problem_.distance_of(walled, node_, player);
            if (after < 0) return -kFar;
            gain += (player == me() ? -1 : 1) * (after - node_.distance[player]);
        }
        return gain;
    }

    void begin_list() {
        find_free_walls();
        TextbookCache* const cache = problem_.options_.cache;
        const size_t logged = problem_.log_.children.size();
        if (!cache || logged >= TextbookCache::kMostNewChildren) return add_list();
        const uint64_t key = TextbookCache::key_of(node_.position);
        if (cache->find_children(key, listed_) && is_plausible_list()) {
            ++problem_.log_.children_found;
            return;
        }
        listed_.count = 0;
        add_list();
        remove_illegal();
        cache->store_children(key, listed_);
        TextbookCache::log_children(problem_.log_, key, listed_);
    }

    // All steps have length one, so Dijkstra's algorithm reaches the squares in the order of a
    // flood fill. A square is the one that the notation of its walls names.
    void add_list() {
        add_pawn_moves();
        const Walls& walls = node_.position.walls;
        const Geometry& geometry = problem_.geometry_;
        squares_left_ = std::popcount(geometry.slots) / 4;
        Bitboard reached{};
        for (Bitboard layer = geometry.goal[you()]; layer.any();
             layer = walls.neighbours(layer).without(reached)) {
            reached |= layer;
            layer.for_each([&](int cell) { add_square(cell); });
        }
        geometry.cells.without(reached).for_each([&](int cell) { add_square(cell); });
    }

    void add_square(int cell) {
        const int last = node_.position.rules.size - 1;
        if (row_of(cell) == last || col_of(cell) == last) return;
        if (squares_left_-- == 0) {
            for (int i = 0; i < pawn_count_; ++i)
                listed_.add(pawn_moves_[i]);
        }
        const int slot = slot_at(row_of(cell), col_of(cell));
        if (rest_h_ >> slot & 1) listed_.add(kHWall + slot);
        if (rest_v_ >> slot & 1) listed_.add(kVWall + slot);
    }

    void remove_illegal() {
        uint8_t kept = 0;
        for (int i = 0; i < listed_.count; ++i) {
            const Action move = listed_.moves[i];
            if (!is_wall(move) || is_legal(move)) listed_.moves[kept++] = move;
        }
        listed_.count = kept;
    }

    // Whether a cached list has every pawn move, free walls only, and nothing twice.
    bool is_plausible_list() const {
        LegalMoves found;
        for (int i = 0; i < listed_.count; ++i) {
            const Action move = listed_.moves[i];
            if (move >= kActions || found.has(move)) return false;
            if (is_wall(move)) {
                (is_vertical(move) ? found.v : found.h) |= 1ULL << slot_of(move);
            } else {
                found.pawn |= Bitboard::of(move);
            }
        }
        return found.pawn == node_.position.pawn_moves(me()) && !(found.h & ~rest_h_) &&
               !(found.v & ~rest_v_);
    }

    int next_listed() {
        while (listed_next_ < listed_.count) {
            const Action move = listed_.moves[listed_next_++];
            if (!is_wall(move)) return move;
            if (walls_left_ > 0 && is_legal(move)) {
                --walls_left_;
                return move;
            }
        }
        return -1;
    }

    // Ranked walls form a heap with the lowest rank on top, since few of them are used.
    void add_ranked(int rank, Action wall) { ranked_[ranked_count_++] = rank * kRankStep + wall; }
    void make_ranked_heap() {
        std::make_heap(ranked_.begin(), ranked_.begin() + ranked_count_, std::greater<>());
    }

    // Steps from the set to every cell.
    static Steps flood(const Walls& walls, Bitboard reached) {
        Steps steps;
        steps.fill(kFar);
        Bitboard layer = reached;
        for (int step = 0; layer.any(); ++step) {
            layer.for_each([&](int cell) { steps[cell] = step; });
            layer = walls.neighbours(layer).without(reached);
            reached |= layer;
        }
        return steps;
    }

    const Problem& problem_;
    Node& node_;
    std::array<int, 5> pawn_moves_;  // three steps and two side steps past the opponent at most
    int pawn_count_ = 0;
    int pawn_next_ = 0;

    bool has_walls_ = false;
    int walls_first_ = 0;  // walls still to come before the pawn moves
    int walls_left_ = 0;
    std::array<int, 2 * kSlots> ranked_;  // rank * kRankStep + wall
    int ranked_count_ = 0;
    uint64_t rest_h_ = 0, rest_v_ = 0;  // free walls that are not ranked, tried ring by ring
    uint64_t ring_h_ = 0, ring_v_ = 0;  // walls left in the current ring
    int ring_ = 0;
    uint64_t joining_h_ = 0, joining_v_ = 0;

    Children listed_;  // in the Dijkstra order
    int listed_next_ = 0;
    int squares_left_ = 0;  // squares before the pawn moves
};

// Runs a search and passes its new entries to the cache.
template <class Search>
TextbookReport search(const Position& root, const TextbookOptions& options, Search&& run) {
    const Problem problem(root, options);
    const TextbookReport report = run(problem);
    if (options.cache) options.cache->append(problem.log());
    return report;
}

}  // namespace

TextbookReport minimax(const Position& root, int depth, const TextbookOptions& options,
                       std::function<void()> poll) {
    return search(root, options, [&](const Problem& problem) {
        return TextbookSearch(problem, std::move(poll)).minimax(root, depth);
    });
}

TextbookReport alphabeta(const Position& root, int depth, const TextbookOptions& options,
                         std::function<void()> poll) {
    return search(root, options, [&](const Problem& problem) {
        return TextbookSearch(problem, std::move(poll)).alphabeta(root, depth);
    });
}

}  // namespace plyground::quoridor
