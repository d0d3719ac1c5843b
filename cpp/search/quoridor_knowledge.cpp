#include "search/quoridor_knowledge.h"

#include <algorithm>

namespace plyground::quoridor {
namespace {

// Order of the moves before their gain is added: at equal gain pawn moves come first, then walls
// that cut a path, then walls that join obstacles. Guessed.
constexpr int kPawnOrder = 1000;
constexpr int kCuttingOrder = 900;
constexpr int kJoiningOrder = 100;

// The net gain, in steps, that a wall of the quiescence search needs: with the default cost of a
// wall, 1.8 steps, it has to gain four. Two steps were tried and gained nothing (docs/search.md).
constexpr int kTacticalSteps = 2;

}  // namespace

void Knowledge::enter_root(const Position& position, Node& node) const {
    node.position = position;
    for (int player = 0; player < 2; ++player)
        node.find_own_route(player);
}

void Knowledge::enter(const Node& parent, Action action, Node& child) const {
    const int mover = parent.position.to_move;
    child.position = parent.position;
    child.position.play(action);
    for (int player = 0; player < 2; ++player) {
        child.route[player] = parent.route[player];
        const bool changed =
            is_wall(action) ? parent.route[player]->is_cut_by(action) : player == mover;
        if (changed) child.find_own_route(player);
    }
}

void Knowledge::enter_null(const Node& parent, Node& child) const {
    child.position = parent.position;
    child.position.pass();
    child.route = parent.route;
}

std::optional<Knowledge::Known> Knowledge::known_result(const Node& node, int depth) {
    const Position& p = node.position;
    const int me = p.to_move;
    if (p.has_won(1 - me)) return Known{-kWin, Bound::kExact};
    if (p.has_won(me)) return Known{kWin, Bound::kExact};
    if (plies_to_draw(p) <= 0) return Known{0, Bound::kExact};
    if (!options_.exact_results) return std::nullopt;
    // A jump may cover the last two steps.
    if (node.distance(me) <= 2 && (p.pawn_moves(me) & p.geometry().goal[me]).any()) {
        return Known{kWin - 1, Bound::kExact};
    }
    return race_result(node, depth);
}

// Races: at least one side has no walls left. If only one side has walls, its result is at least
// that of the race without them: it need not place any, and the opponent has no other choices than
// in the race.
std::optional<Knowledge::Known> Knowledge::race_result(const Node& node, int depth) {
    const Position& p = node.position;
    const int me = p.to_move;
    const bool mine = p.hand[me] > 0;
    const bool theirs = p.hand[1 - me] > 0;
    if (mine && theirs) return std::nullopt;
    const int plies_left = plies_to_draw(p);
    const Bound win_bound = mine ? Bound::kLower : Bound::kExact;
    const Bound loss_bound = theirs ? Bound::kUpper : Bound::kExact;
    const int ahead = node.distance(1 - me) - node.distance(me);
    if (!theirs && ahead >= 0 && 2 * node.distance(me) - 1 <= plies_left && runs_free(node, me)) {
        return Known{kWin - (2 * node.distance(me) - 1), win_bound};
    }
    if (!mine && ahead < 0 && 2 * node.distance(1 - me) <= plies_left && runs_free(node, 1 - me)) {
        return Known{-kWin + 2 * node.distance(1 - me), loss_bound};
    }
    // The pawns may block each other or jump: use the table of all races over this layout. Solving
    // one costs as much as a search of about kSolveDepth plies.
    constexpr int kSolveDepth = 7;
    const bool one_sided = mine || theirs;
    if (one_sided && (mine ? ahead < -1 : ahead > 1)) return std::nullopt;
    const RaceTable* table = depth >= kSolveDepth ? &races_.get(p.walls, p.rules.size)
                                                  : races_.find(p.walls, p.rules.size);
    if (!table) return std::nullopt;
    const int plies = table->plies_to_end(p.pawn[0], p.pawn[1], me);
    if (plies > 0 && plies <= plies_left && !theirs) return Known{kWin - plies, win_bound};
    if (plies < 0 && -plies <= plies_left && !mine) return Known{-kWin - plies, loss_bound};
    if (!one_sided) return Known{0, Bound::kExact};
    return std::nullopt;
}

// Whether the runner, on its shortest path, is never next to the other pawn, whatever the opponent
// plays: then no pawn can block or jump. After i steps of the runner the other pawn has made at
// most i moves, one more if it moves first, and would have to be within one step of the runner's
// cell.
bool Knowledge::runs_free(const Node& node, int runner) const {
    const Position& p = node.position;
    const Route& route = *node.route[runner];
    Bitboard near = Bitboard::of(p.pawn[1 - runner]);
    near |= p.walls.neighbours(near);
    if (p.to_move != runner) near |= p.walls.neighbours(near);
    for (int i = 0; i < route.length; ++i) {
        if (near.has(route.cells[i])) return false;
        near |= p.walls.neighbours(near);
    }
    return true;
}

std::array<int, kFeatures> Knowledge::features(const Node& node) const {
    const Position& p = node.position;
    const int me = p.to_move;
    const int other = 1 - me;
    const int rows[2] = {row_of(p.pawn[0]), p.rules.size - 1 - row_of(p.pawn[1])};
    std::array<int, kFeatures> f{};
    f[kPath] = node.distance(other) - node.distance(me);
    f[kWalls] = p.hand[me] - p.hand[other];
    f[kTempo] = 1;
    f[kProgress] = rows[me] - rows[other];
    if (weights_.of[kCuts] != 0) {
        const uint64_t free_h = p.walls.free_h(p.geometry());
        const uint64_t free_v = p.walls.free_v(p.geometry());
        for (int player = 0; player < 2; ++player) {
            const Route& route = *node.route[player];
            const int cuts =
                std::popcount(free_h & route.cut_h) + std::popcount(free_v & route.cut_v);
            f[kCuts] += player == me ? cuts : -cuts;
        }
    }
    f[kNarrow] = node.route[me]->narrow - node.route[other]->narrow;
    if (weights_.of[kCentre] != 0) {
        const auto off = [&](int player) {
            return std::abs(2 * col_of(p.pawn[player]) - p.rules.size + 1) / 2;
        };
        f[kCentre] = off(me) - off(other);
    }
    if (weights_.of[kRoutes] != 0) {
        Fields fields(node);
        f[kRoutes] = fields.of(me).routes() - fields.of(other).routes();
    }
    f[kLead] = f[kPath] * p.hand[f[kPath] < 0 ? me : other];
    return f;
}

Score Knowledge::evaluate(const Node& node) const {
    const auto f = features(node);
    Score score = 0;
    for (int i = 0; i < kFeatures; ++i)
        score += weights_.of[i] * f[i];
    return std::clamp(score, -kMaxEstimate, kMaxEstimate);
}

std::optional<int> Knowledge::wall_gain(const Node& node, Fields& fields, Action wall) const {
    const int me = node.position.to_move;
    int steps = 0;
    Walls walled = node.position.walls;
    walled.place(wall);
    for (int player = 0; player < 2; ++player) {
        if (!node.route[player]->is_cut_by(wall)) continue;
        const int after = fields.of(player).length_around(walled, wall);
        if (after < 0) return std::nullopt;
        const int longer = after - node.distance(player);
        steps += player == me ? -longer : longer;
    }
    return weights_.of[kPath] * steps - weights_.of[kWalls];
}

// The free walls in three classes: those that cut a path, those that only join two obstacles, which
// prepares or hinders a barrier, and the rest.
Knowledge::WallClasses Knowledge::classify_walls(const Node& node) const {
    const Position& p = node.position;
    if (p.hand[p.to_move] == 0) return {};
    const Geometry& geometry = p.geometry();
    const uint64_t free_h = p.walls.free_h(geometry);
    const uint64_t free_v = p.walls.free_v(geometry);
    WallClasses walls;
    walls.cutting.h = free_h & (node.route[0]->cut_h | node.route[1]->cut_h);
    walls.cutting.v = free_v & (node.route[0]->cut_v | node.route[1]->cut_v);
    walls.joining.h = free_h & ~walls.cutting.h & p.walls.joining_h(geometry);
    walls.joining.v = free_v & ~walls.cutting.v & p.walls.joining_v(geometry);
    walls.rest.h = free_h & ~walls.cutting.h & ~walls.joining.h;
    walls.rest.v = free_v & ~walls.cutting.v & ~walls.joining.v;
    return walls;
}

void Knowledge::generate(const Node& node, Moves& moves) const {
    moves.size = 0;
    const Position& p = node.position;
    const int me = p.to_move;
    Fields fields(node);
    p.pawn_moves(me).for_each([&](int cell) {
        const int nearer = node.distance(me) - fields.of(me).distance_from(cell);
        const int gain = weights_.of[kPath] * nearer;
        moves.add(cell, gain >= 0 ? MoveKind::kForcing : MoveKind::kOrdinary, kPawnOrder + gain,
                  gain);
    });
    const WallClasses walls = classify_walls(node);
    walls.cutting.for_each([&](Action wall) {
        if (const auto gain = wall_gain(node, fields, wall)) {
            const MoveKind kind = *gain > 0 ? MoveKind::kForcing : MoveKind::kOrdinary;
            moves.add(wall, kind, kCuttingOrder + *gain, *gain);
        }
    });
    const int cost = -weights_.of[kWalls];
    walls.joining.for_each(
        [&](Action wall) { moves.add(wall, MoveKind::kQuiet, kJoiningOrder + cost, cost); });
}

void Knowledge::add_rest(const Node& node, Moves& moves) const {
    const int cost = -weights_.of[kWalls];
    classify_walls(node).rest.for_each(
        [&](Action wall) { moves.add(wall, MoveKind::kQuiet, cost, cost); });
}

void Knowledge::generate_tactical(const Node& node, Moves& moves) const {
    moves.size = 0;
    const Position& p = node.position;
    const int me = p.to_move;
    if (p.hand[me] == 0) return;
    const Geometry& geometry = p.geometry();
    const Route& theirs = *node.route[1 - me];
    const LegalMoves cutting{
        {}, p.walls.free_h(geometry) & theirs.cut_h, p.walls.free_v(geometry) & theirs.cut_v};
    Fields fields(node);
    cutting.for_each([&](Action wall) {
        const auto gain = wall_gain(node, fields, wall);
        if (gain && *gain >= kTacticalSteps * weights_.of[kPath])
            moves.add(wall, MoveKind::kForcing, *gain, *gain);
    });
}

}  // namespace plyground::quoridor
