#include "search/quoridor_zero.h"

#include <cmath>

#include "games/quoridor_paths.h"

namespace plyground {
namespace quoridor {

std::optional<gumbel::Verdict> Zero::Exact::known(const quoridor::Position& p) {
    const int me = p.to_move;
    switch (p.outcome()) {
        case Outcome::kOngoing:
            break;
        case Outcome::kPlayer1:
        case Outcome::kPlayer2:
            return gumbel::Verdict{p.has_won(me) ? 1 : -1, 0};
        default:
            return gumbel::Verdict{0, 0};
    }
    if (effort_ == gumbel::Effort::kRules) return std::nullopt;
    const int rows_left = me == 0 ? p.rules.size - 1 - row_of(p.pawn[0]) : row_of(p.pawn[1]);
    if (rows_left <= 2 && (p.pawn_moves(me) & p.geometry().goal[me]).any())
        return gumbel::Verdict{1, 1};
    if (p.hand[0] > 0 && p.hand[1] > 0) return std::nullopt;
    // Depth is what the race's solution would save: a race is only solved where that is much.
    constexpr int kSolve = 1000;
    knowledge_.enter_root(p, node_);
    const auto result =
        knowledge_.known_result(node_, effort_ == gumbel::Effort::kAll ? kSolve : 0);
    if (!result) return std::nullopt;
    if (!is_proven(result->score)) return gumbel::Verdict{0, Knowledge::plies_to_draw(p)};
    const bool wins = result->score > 0;
    return gumbel::Verdict{wins ? 1 : -1, wins ? kWin - result->score : kWin + result->score};
}

uint64_t Zero::frames_key(const Position& position) {
    const int moves = std::min<int>(position.history.length, position.frames - 1);
    auto key = static_cast<uint64_t>(moves);
    for (int i = 0; i < moves; ++i)
        key = key << 8 | position.history.undo[i];
    return mix64(key);
}

float Zero::guess(int my_path, int other_path, int my_walls, int other_walls) {
    const auto steps = static_cast<float>(other_path - my_path);
    const auto walls = static_cast<float>(my_walls - other_walls);
    return std::tanh((steps + 0.5F + 0.5F * walls) / 4.0F);
}

float Zero::heuristic(const quoridor::Position& p) {
    const int me = p.to_move;
    return guess(distance(p, me), distance(p, 1 - me), p.hand[me], p.hand[1 - me]);
}

int Zero::opening_move(const quoridor::Position& position, SplitMix64& rng) {
    const quoridor::Position seen = seen_by_mover(position);
    LegalMoves moves = seen.legal_moves();
    constexpr uint32_t kWallsInTen = 4;  // as in the openings of matches
    const bool wall = (moves.h | moves.v) != 0 && rng.below(10) < kWallsInTen;
    if (wall) {
        moves.pawn = {};
    } else {
        moves.h = moves.v = 0;
        const Bitboard goal = seen.geometry().goal[seen.to_move];
        const int now = distance(seen, seen.to_move);
        Bitboard nearer{};
        moves.pawn.for_each([&](int cell) {
            if (distance(seen.walls, cell, goal) < now) nearer |= Bitboard::of(cell);
        });
        if (nearer.any()) moves.pawn = nearer;
    }
    auto skip = static_cast<int>(rng.below(static_cast<uint32_t>(moves.count())));
    int chosen = 0;
    moves.for_each([&](int action) {
        if (skip-- == 0) chosen = action;
    });
    return chosen;
}

void Zero::randomize_start(quoridor::Position& position, SplitMix64& rng) {
    constexpr uint32_t kMostWalls = 20;
    const uint32_t slots = (position.rules.size - 1) * (position.rules.size - 1);
    const auto walls = static_cast<uint8_t>(rng.below(std::min(slots, kMostWalls) + 1));
    position.rules.walls = walls;
    position.hand = {walls, walls};
    position.key = position.computed_key();
}

int Zero::Exact::final_margin(const quoridor::Position& p, const gumbel::Verdict& known) {
    if (known.sign == 0) return distance(p, 1 - p.to_move) - distance(p, p.to_move);
    const int loser = known.sign > 0 ? 1 - p.to_move : p.to_move;
    return known.sign * std::max(1, distance(p, loser) - known.plies / 2);
}

}  // namespace quoridor

namespace gumbel {
template class Tree<quoridor::Zero>;
template void Tree<quoridor::Zero>::expand(size_t, const float*, float);
template void Tree<quoridor::Zero>::expand(size_t, const uint16_t*, float);
}  // namespace gumbel

}  // namespace plyground
