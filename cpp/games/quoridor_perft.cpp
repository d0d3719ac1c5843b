#include "games/quoridor_perft.h"

#include "base/perft.h"
#include "games/quoridor_paths.h"

namespace plyground::quoridor {
namespace {

// The routes of a child position: the parent's, unless the move cut or changed them.
class ChildRoutes {
  public:
    ChildRoutes(const Position& child, const RoutePair& parent, Action action) : routes_(parent) {
        const int mover = 1 - child.to_move;
        for (int player = 0; player < 2; ++player) {
            if (is_wall(action) ? parent[player]->is_cut_by(action) : player == mover) {
                find_route(child, player, own_[player]);
                routes_[player] = &own_[player];
            }
        }
    }
    const RoutePair& get() const { return routes_; }

  private:
    RoutePair routes_;
    Route own_[2];
};

uint64_t count_paths(const Position& position, const RoutePair& routes, int depth,
                     PerftTable* table, Poller& poll) {
    if (depth == 1) return position.legal_moves(routes).count();
    // The key does not include the draw counters, so it identifies the subtree only if they cannot
    // expire in it.
    const bool shared = table && position.move_count + depth < position.rules.max_moves &&
                        position.moves_since_wall + depth < position.rules.no_progress_limit;
    const uint64_t key = position.key ^ mix64(depth);
    if (shared) {
        if (const uint64_t* count = table->find(key)) return *count;
    }
    poll();
    uint64_t count = 0;
    position.legal_moves(routes).for_each([&](Action action) {
        const Position child = position.after(action);
        if (child.is_over()) return;
        add_paths(count, count_paths(child, ChildRoutes(child, routes, action).get(), depth - 1,
                                     table, poll));
    });
    if (shared) table->store(key, count);
    return count;
}

// Adds the leaves below `position`. A wall that does not cut a player's route leaves that player's
// distance unchanged.
void sum_paths(const Position& position, const RoutePair& routes, int depth, PathSums& sums,
               Poller& poll) {
    poll();
    position.legal_moves(routes).for_each([&](Action action) {
        const Position child = position.after(action);
        if (depth > 1) {
            if (child.is_over()) return;
            sum_paths(child, ChildRoutes(child, routes, action).get(), depth - 1, sums, poll);
            return;
        }
        ++sums.leaves;
        for (int player = 0; player < 2; ++player) {
            const bool changed =
                is_wall(action) ? routes[player]->is_cut_by(action) : player == position.to_move;
            sums.lengths[player] += changed ? distance(child, player) : routes[player]->length;
        }
    });
}

struct BothRoutes {
    Route routes[2];
    explicit BothRoutes(const Position& position) {
        for (int player = 0; player < 2; ++player)
            find_route(position, player, routes[player]);
    }
    RoutePair get() const { return {&routes[0], &routes[1]}; }
};

}  // namespace

uint64_t perft(const Position& position, int depth, int hash_mb,
               const std::function<void()>& poll) {
    if (depth == 0) return 1;
    Poller poller(poll);
    const BothRoutes routes(position);
    if (hash_mb == 0) return count_paths(position, routes.get(), depth, nullptr, poller);
    PerftTable table(hash_mb);
    return count_paths(position, routes.get(), depth, &table, poller);
}

PathSums path_perft(const Position& position, int depth, const std::function<void()>& poll) {
    PathSums sums;
    Poller poller(poll);
    if (depth == 0) {
        sums.leaves = 1;
        for (int player = 0; player < 2; ++player)
            sums.lengths[player] = distance(position, player);
    } else {
        sum_paths(position, BothRoutes(position).get(), depth, sums, poller);
    }
    return sums;
}

}  // namespace plyground::quoridor
