#include "games/quoridor.h"

#include <algorithm>

#include "games/quoridor_paths.h"

namespace plyground::quoridor {
namespace {

constexpr uint64_t kWestSlots = 0x0101010101010101ULL;

// Cells whose north (east) edge a horizontal (vertical) wall closes.
constexpr std::array<Bitboard, kActions> kClosed = [] {
    std::array<Bitboard, kActions> closed{};
    for (int slot = 0; slot < kSlots; ++slot) {
        const int cell = cell_at(slot / 8, slot % 8);
        closed[kHWall + slot] = Bitboard::of(cell) | Bitboard::of(cell + 1);
        closed[kVWall + slot] = Bitboard::of(cell) | Bitboard::of(cell + Bitboard::kStride);
    }
    return closed;
}();

// Keys of pawns (by player and cell), walls (by action), walls in hand and the side to move.
constexpr auto kPawnKeys = zobrist_keys<2 * kCells>(1);
constexpr auto kWallKeys = zobrist_keys<kActions>(2);
constexpr auto kHandKeys = zobrist_keys<2 * (kSlots + 1)>(3);
constexpr uint64_t kSideKey = mix64(4);

uint64_t pawn_key(int player, int cell) { return kPawnKeys[player * kCells + cell]; }
uint64_t hand_key(int player, int walls) { return kHandKeys[player * (kSlots + 1) + walls]; }

}  // namespace

bool is_on_board(Action action, int size) {
    const Geometry& geometry = Geometry::of(size);
    return is_wall(action) ? (geometry.slots >> slot_of(action)) & 1 : geometry.cells.has(action);
}

int to_dense(Action action, int size) {
    if (!is_wall(action)) return row_of(action) * size + col_of(action);
    const int slot = slot_of(action);
    const int slots = (size - 1) * (size - 1);
    return size * size + (is_vertical(action) ? slots : 0) + slot / 8 * (size - 1) + slot % 8;
}

Action from_dense(int index, int size) {
    if (index < size * size) return static_cast<Action>(cell_at(index / size, index % size));
    index -= size * size;
    const int slots = (size - 1) * (size - 1);
    const int first = index < slots ? kHWall : kVWall;
    const int slot = index % slots;
    return static_cast<Action>(first + slot_at(slot / (size - 1), slot % (size - 1)));
}

void Walls::place(Action wall) {
    const uint64_t slot = 1ULL << slot_of(wall);
    if (is_vertical(wall)) {
        v |= slot;
        open_east = open_east.without(kClosed[wall]);
    } else {
        h |= slot;
        open_north = open_north.without(kClosed[wall]);
    }
}

void Walls::remove(Action wall) {
    const uint64_t slot = 1ULL << slot_of(wall);
    if (is_vertical(wall)) {
        v &= ~slot;
        open_east |= kClosed[wall];
    } else {
        h &= ~slot;
        open_north |= kClosed[wall];
    }
}

uint64_t Walls::free_h(const Geometry& geometry) const {
    const uint64_t taken = h | (h & ~(kWestSlots << 7)) << 1 | (h & ~kWestSlots) >> 1 | v;
    return geometry.slots & ~taken;
}

uint64_t Walls::free_v(const Geometry& geometry) const {
    return geometry.slots & ~(v | v << 8 | v >> 8 | h);
}

// Inner posts that a wall touches, numbered like the slots whose middle they are.
uint64_t Walls::touched_posts() const {
    return h | (h & ~(kWestSlots << 7)) << 1 | (h & ~kWestSlots) >> 1 | v | v << 8 | v >> 8;
}

// Posts that the shifts carry over the rim end up only in slots that `rim_*` contains anyway.
uint64_t Walls::joining_h(const Geometry& geometry) const {
    const uint64_t middle = touched_posts();
    const uint64_t west = middle << 1 | geometry.rim_west;
    const uint64_t east = middle >> 1 | geometry.rim_east;
    return (west & middle) | (west & east) | (middle & east);
}

uint64_t Walls::joining_v(const Geometry& geometry) const {
    const uint64_t middle = touched_posts();
    const uint64_t south = middle << 8 | geometry.rim_south;
    const uint64_t north = middle >> 8 | geometry.rim_north;
    return (south & middle) | (south & north) | (middle & north);
}

Position Position::start(const Rules& rules) {
    const Geometry& geometry = Geometry::of(rules.size);
    Position p;
    p.walls.open_north = geometry.open_north;
    p.walls.open_east = geometry.open_east;
    p.pawn = {static_cast<uint8_t>(cell_at(0, rules.size / 2)),
              static_cast<uint8_t>(cell_at(rules.size - 1, rules.size / 2))};
    p.hand = {rules.walls, rules.walls};
    p.rules = rules;
    p.key = p.computed_key();
    return p;
}

Outcome Position::outcome() const {
    if (has_won(0)) return Outcome::kPlayer1;
    if (has_won(1)) return Outcome::kPlayer2;
    if (move_count >= rules.max_moves) return Outcome::kMoveLimit;
    if (moves_since_wall >= rules.no_progress_limit) return Outcome::kNoProgress;
    return Outcome::kOngoing;
}

Bitboard Position::pawn_moves(int player) const {
    const Bitboard me = Bitboard::of(pawn[player]);
    const Bitboard opponent = Bitboard::of(pawn[1 - player]);
    const Bitboard steps = walls.neighbours(me);
    if (!(steps & opponent).any()) return steps;

    // The opponent is adjacent. Find the cell straight behind it, if that edge is open.
    const int direction = pawn[1 - player] - pawn[player];
    Bitboard behind{};
    if (direction == Bitboard::kStride) {
        behind = (opponent & walls.open_north).north();
    } else if (direction == -Bitboard::kStride) {
        behind = opponent.south() & walls.open_north;
    } else if (direction == 1) {
        behind = (opponent & walls.open_east).east();
    } else {
        behind = opponent.west() & walls.open_east;
    }
    const Bitboard jumps = behind.any() ? behind : walls.neighbours(opponent).without(me);
    return steps.without(opponent) | jumps;
}

LegalMoves Position::legal_moves() const {
    Route routes[2];
    if (hand[to_move] > 0) {
        for (int player = 0; player < 2; ++player)
            find_route(*this, player, routes[player]);
    }
    return legal_moves({&routes[0], &routes[1]});
}

LegalMoves Position::legal_moves(const RoutePair& routes) const {
    LegalMoves moves;
    if (is_over()) return moves;
    moves.pawn = pawn_moves(to_move);
    if (hand[to_move] == 0) return moves;
    moves.h = walls.free_h(geometry());
    moves.v = walls.free_v(geometry());
    const uint64_t joining_h = walls.joining_h(geometry());
    const uint64_t joining_v = walls.joining_v(geometry());
    for (int player = 0; player < 2; ++player) {
        const Route& route = *routes[player];
        const Bitboard goal = geometry().goal[player];
        moves.h &= ~sealing_walls(walls, route, goal, moves.h & joining_h, false);
        moves.v &= ~sealing_walls(walls, route, goal, moves.v & joining_v, true);
    }
    return moves;
}

bool Position::is_legal(Action action) const {
    if (is_over()) return false;
    if (!is_wall(action)) return pawn_moves(to_move).has(action);
    const uint64_t slot = 1ULL << slot_of(action);
    const bool vertical = is_vertical(action);
    const uint64_t free = vertical ? walls.free_v(geometry()) : walls.free_h(geometry());
    if (hand[to_move] == 0 || !(free & slot)) return false;
    const uint64_t joining = vertical ? walls.joining_v(geometry()) : walls.joining_h(geometry());
    if (!(joining & slot)) return true;
    Walls walled = walls;
    walled.place(action);
    return distance(walled, pawn[0], geometry().goal[0]) >= 0 &&
           distance(walled, pawn[1], geometry().goal[1]) >= 0;
}

void Position::play(Action action) {
    assert(!is_over());
    if (is_wall(action)) {
        assert(hand[to_move] > 0);
        walls.place(action);
        key ^= kWallKeys[action] ^ hand_key(to_move, hand[to_move]);
        --hand[to_move];
        key ^= hand_key(to_move, hand[to_move]);
        moves_since_wall = 0;
    } else {
        key ^= pawn_key(to_move, pawn[to_move]) ^ pawn_key(to_move, action);
        pawn[to_move] = action;
        ++moves_since_wall;
    }
    key ^= kSideKey;
    ++move_count;
    to_move ^= 1;
}

void Position::pass() {
    key ^= kSideKey;
    ++move_count;
    ++moves_since_wall;
    to_move ^= 1;
}

uint64_t Position::computed_key() const {
    uint64_t computed = to_move ? kSideKey : 0;
    for (int player = 0; player < 2; ++player) {
        computed ^= pawn_key(player, pawn[player]) ^ hand_key(player, hand[player]);
    }
    for (uint64_t w = walls.h; w; w &= w - 1)
        computed ^= kWallKeys[kHWall + std::countr_zero(w)];
    for (uint64_t w = walls.v; w; w &= w - 1)
        computed ^= kWallKeys[kVWall + std::countr_zero(w)];
    return computed;
}

bool operator==(const Position& a, const Position& b) {
    return a.key == b.key && a.walls.h == b.walls.h && a.walls.v == b.walls.v && a.pawn == b.pawn &&
           a.hand == b.hand && a.to_move == b.to_move && a.rules == b.rules &&
           a.move_count == b.move_count && a.moves_since_wall == b.moves_since_wall;
}

void History::push(const Position& before, Action action) {
    std::copy_backward(undo.begin(), undo.end() - 1, undo.end());
    undo[0] = is_wall(action) ? action : before.pawn[before.to_move];
    if (length < kCapacity) ++length;
}

std::vector<uint64_t> History::keys_since_wall(const Position& now) const {
    std::vector<uint64_t> keys;
    Position before = now;
    for (int i = 0; i < length && !is_wall(undo[i]); ++i) {
        before.to_move ^= 1;
        before.pawn[before.to_move] = undo[i];
        keys.push_back(before.computed_key());
    }
    return keys;
}

}  // namespace plyground::quoridor
