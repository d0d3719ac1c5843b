#include "search/quoridor_race.h"

#include "base/rng.h"

namespace plyground::quoridor {
namespace {

// The forced wins of one player ("we"), extended ply by ply. Each set holds cells of our pawn and
// is indexed by the opponent's cell, so one operation handles a whole board of positions.
struct Wins {
    std::array<Bitboard, kCells> to_move;   // we are to move and win
    std::array<Bitboard, kCells> to_reply;  // the opponent is to move and cannot stop us
};

// The pawn moves over one layout.
struct PawnMoves {
    Bitboard cells;
    std::array<Bitboard, kCells> steps;  // by cell
    // jumps[cell][i]: cells where a pawn may land that jumps over `cell` in direction i.
    std::array<std::array<Bitboard, 4>, kCells> jumps;
};

constexpr std::array<int, 4> kDirections{Bitboard::kStride, -Bitboard::kStride, 1, -1};

PawnMoves moves_over(const Walls& walls, const Geometry& geometry) {
    PawnMoves moves;
    moves.cells = geometry.cells;
    moves.cells.for_each(
        [&](int cell) { moves.steps[cell] = walls.neighbours(Bitboard::of(cell)); });
    moves.cells.for_each([&](int over) {
        for (int i = 0; i < 4; ++i) {
            const int from = over - kDirections[i];
            const int behind = over + kDirections[i];
            moves.jumps[over][i] = {};
            if (from < 0 || from >= kCells || !moves.steps[over].has(from)) continue;
            const bool open = behind >= 0 && behind < kCells && moves.steps[over].has(behind);
            moves.jumps[over][i] =
                open ? Bitboard::of(behind) : moves.steps[over].without(Bitboard::of(from));
        }
    });
    return moves;
}

// For one cell of the opponent: our cells from which a move leads into `to_reply`.
Bitboard grow_to_move(const PawnMoves& moves, const Walls& walls, const Wins& wins, int opponent) {
    const Bitboard target = wins.to_reply[opponent];
    Bitboard won = walls.neighbours(target);
    for (int i = 0; i < 4; ++i) {
        if ((moves.jumps[opponent][i] & target).any())
            won |= Bitboard::of(opponent - kDirections[i]);
    }
    return won.without(Bitboard::of(opponent));
}

// For one cell of the opponent: our cells for which every reply leads into `to_move`.
Bitboard grow_to_reply(const PawnMoves& moves, const Wins& wins, int opponent) {
    Bitboard won = moves.cells.without(Bitboard::of(opponent));
    const Bitboard steps = moves.steps[opponent];
    // Where the pawns are apart, the opponent has its plain steps ...
    steps.for_each([&](int to) { won = won & (wins.to_move[to] | steps); });
    // ... and where our pawn is next to it, it jumps over ours instead.
    for (int i = 0; i < 4; ++i) {
        const int us = opponent + kDirections[i];
        if (us < 0 || us >= kCells || !steps.has(us)) continue;
        const Bitboard replies = steps.without(Bitboard::of(us)) | moves.jumps[us][i];
        replies.for_each([&](int to) {
            if (!wins.to_move[to].has(us)) won = won.without(Bitboard::of(us));
        });
    }
    return won;
}

}  // namespace

void RaceTable::solve(const Walls& walls, int size) {
    const Geometry& geometry = Geometry::of(size);
    const PawnMoves moves = moves_over(walls, geometry);
    for (auto& side : plies_) {
        for (auto& row : side)
            row.fill(0);
    }
    for (int player = 0; player < 2; ++player) {
        const Bitboard goal = geometry.goal[player];
        const Bitboard lost = geometry.goal[1 - player];  // with the opponent here the game is over
        const auto record = [&](int to_move, Bitboard won, int opponent, int plies) {
            won.for_each([&](int us) {
                plies_[to_move][player == 0 ? us : opponent][player == 0 ? opponent : us] =
                    static_cast<int8_t>(to_move == player ? plies : -plies);
            });
        };
        Wins wins;
        moves.cells.for_each([&](int opponent) {
            wins.to_move[opponent] = {};
            wins.to_reply[opponent] =
                lost.has(opponent) ? Bitboard{} : goal.without(Bitboard::of(opponent));
        });
        // Update only the opponent's cells whose sets can have grown: the same cell for our own
        // move, cells up to a jump away for the opponent's reply.
        const Bitboard playing = moves.cells.without(lost);
        Bitboard changed = playing;
        for (int ply = 1; changed.any(); ++ply) {
            const bool ours = ply % 2 == 1;
            Bitboard affected = changed;
            if (!ours) {
                affected |= walls.neighbours(affected);
                affected |= walls.neighbours(affected);
            }
            changed = {};
            (affected & playing).for_each([&](int opponent) {
                Bitboard& won = ours ? wins.to_move[opponent] : wins.to_reply[opponent];
                const Bitboard grown = ours ? grow_to_move(moves, walls, wins, opponent)
                                            : grow_to_reply(moves, wins, opponent);
                const Bitboard added = grown.without(won | goal);
                if (!added.any()) return;
                changed |= Bitboard::of(opponent);
                won |= added;
                record(ours ? player : 1 - player, added, opponent, ply);
            });
        }
    }
}

size_t RaceCache::index(const Walls& walls) const {
    return mix64(walls.h ^ mix64(walls.v)) % slots_.size();
}

const RaceTable* RaceCache::find(const Walls& walls, int size) const {
    const Slot& slot = slots_[index(walls)];
    return slot.holds(walls, size) ? slot.table.get() : nullptr;
}

const RaceTable& RaceCache::get(const Walls& walls, int size) {
    Slot& slot = slots_[index(walls)];
    if (!slot.holds(walls, size)) {
        if (!slot.table) slot.table = std::make_unique<RaceTable>();
        slot.table->solve(walls, size);
        slot.h = walls.h;
        slot.v = walls.v;
        slot.size = size;
    }
    return *slot.table;
}

}  // namespace plyground::quoridor
