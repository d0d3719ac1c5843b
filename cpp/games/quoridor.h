// Quoridor's rules: positions, moves, draws. Paths are in quoridor_paths.h, text in
// quoridor_text.h.
//
// Players are 0 and 1 here (1 and 2 in Python). Player 0 starts on row 0 and runs north.
//
// An action is one byte, numbered as on the 9x9 board whatever the board's size:
//     0-80    pawn to cell 9 * row + col
//     81-144  horizontal wall in slot 8 * row + col
//     145-208 vertical wall in slot 8 * row + col
// On 9x9 these are the dense numbers of the Python API. On smaller boards `to_dense` and
// `from_dense` convert, in the same order.
//
// A slot is an inner crossing of grid lines, the middle of the walls placed there. The horizontal
// wall (r, c) closes the north edges of cells (r, c) and (r, c+1), the vertical one the east edges
// of (r, c) and (r+1, c). Sets of slots fit in one word, with a row stride of 8.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "base/bitboard.h"
#include "base/zobrist.h"

namespace plyground::quoridor {

inline constexpr int kMinSize = 3;
inline constexpr int kMaxSize = 9;
inline constexpr int kCells = 81;
inline constexpr int kSlots = 64;
inline constexpr int kHWall = kCells;             // first horizontal wall
inline constexpr int kVWall = kCells + kSlots;    // first vertical wall
inline constexpr int kActions = kVWall + kSlots;  // 209

using Action = uint8_t;

constexpr int cell_at(int row, int col) { return Bitboard::kStride * row + col; }
constexpr int row_of(int cell) { return cell / Bitboard::kStride; }
constexpr int col_of(int cell) { return cell % Bitboard::kStride; }
constexpr int slot_at(int row, int col) { return 8 * row + col; }
constexpr bool is_wall(int action) { return action >= kHWall; }
constexpr bool is_vertical(int action) { return action >= kVWall; }
constexpr int slot_of(int wall) { return (wall - kHWall) % kSlots; }

// Whether a board of this size has the action.
bool is_on_board(Action action, int size);

// Convert between an action and its number among the n*n + 2*(n-1)*(n-1) actions of a board.
int to_dense(Action action, int size);
Action from_dense(int index, int size);
constexpr int action_count(int size) { return size * size + 2 * (size - 1) * (size - 1); }

// The settings of one game. GameConfig in Python validates them, and adds the draw penalty.
struct Rules {
    uint8_t size = 9;
    uint8_t walls = 10;  // per player
    uint16_t max_moves = 200;
    uint16_t no_progress_limit = 50;

    friend bool operator==(const Rules&, const Rules&) = default;
};

// The board of one size without walls.
struct Geometry {
    Bitboard cells{};
    std::array<Bitboard, 2> goal{};      // by player
    Bitboard open_north{}, open_east{};  // edges inside the board
    uint64_t slots = 0;
    uint64_t rim_west = 0, rim_east = 0, rim_south = 0, rim_north = 0;  // slots beside the rim

    constexpr explicit Geometry(int size);
    static const Geometry& of(int size);
};

constexpr Geometry::Geometry(int size) {
    for (int row = 0; row < size; ++row) {
        for (int col = 0; col < size; ++col) {
            const Bitboard cell = Bitboard::of(cell_at(row, col));
            cells |= cell;
            if (row == size - 1) goal[0] |= cell;
            if (row == 0) goal[1] |= cell;
            if (row < size - 1) open_north |= cell;
            if (col < size - 1) open_east |= cell;
        }
    }
    for (int row = 0; row < size - 1; ++row) {
        for (int col = 0; col < size - 1; ++col) {
            const uint64_t slot = 1ULL << slot_at(row, col);
            slots |= slot;
            if (row == 0) rim_south |= slot;
            if (row == size - 2) rim_north |= slot;
            if (col == 0) rim_west |= slot;
            if (col == size - 2) rim_east |= slot;
        }
    }
}

inline const Geometry& Geometry::of(int size) {
    static constexpr std::array<Geometry, kMaxSize - kMinSize + 1> kGeometries{
        Geometry(3), Geometry(4), Geometry(5), Geometry(6), Geometry(7), Geometry(8), Geometry(9)};
    assert(size >= kMinSize && size <= kMaxSize);
    return kGeometries[size - kMinSize];
}

// The edges that are open, and the walls that close the others.
struct Walls {
    Bitboard open_north{};  // cells from which a step north is open
    Bitboard open_east{};
    uint64_t h = 0;  // slots that hold a horizontal wall
    uint64_t v = 0;

    // Adds the wall; it must be free.
    void place(Action wall);
    void remove(Action wall);
    // Cells one open step away from any cell of the set.
    Bitboard neighbours(Bitboard set) const {
        return (set & open_north).north() | (set.south() & open_north) | (set & open_east).east() |
               (set.west() & open_east);
    }
    // Slots where a horizontal (vertical) wall would neither overlap nor cross another.
    uint64_t free_h(const Geometry& geometry) const;
    uint64_t free_v(const Geometry& geometry) const;
    // Slots where such a wall would join two obstacles (walls or the rim): at least two of its
    // three posts, both ends and the middle, are touched. No other wall can shut a player in, since
    // that takes a closed barrier.
    uint64_t joining_h(const Geometry& geometry) const;
    uint64_t joining_v(const Geometry& geometry) const;

  private:
    uint64_t touched_posts() const;
};

enum class Outcome : uint8_t { kOngoing, kPlayer1, kPlayer2, kMoveLimit, kNoProgress };

// The moves of one position as sets, in the order of the action numbers.
struct LegalMoves {
    Bitboard pawn{};
    uint64_t h = 0;
    uint64_t v = 0;

    int count() const { return pawn.count() + std::popcount(h) + std::popcount(v); }
    bool has(Action action) const {
        if (!is_wall(action)) return pawn.has(action);
        return ((is_vertical(action) ? v : h) >> slot_of(action)) & 1;
    }
    // Calls f(action) for every move, in ascending order.
    template <class F>
    void for_each(F&& f) const {
        pawn.for_each([&](int cell) { f(static_cast<Action>(cell)); });
        for (uint64_t w = h; w; w &= w - 1)
            f(static_cast<Action>(kHWall + std::countr_zero(w)));
        for (uint64_t w = v; w; w &= w - 1)
            f(static_cast<Action>(kVWall + std::countr_zero(w)));
    }
};

struct Route;                                   // quoridor_paths.h
using RoutePair = std::array<const Route*, 2>;  // by player

struct Position {
    Walls walls;
    uint64_t key = 0;               // pawns, walls, hands and the side to move; not the counters
    std::array<uint8_t, 2> pawn{};  // cells
    std::array<uint8_t, 2> hand{};  // walls left
    uint8_t to_move = 0;
    Rules rules;
    uint16_t move_count = 0;
    uint16_t moves_since_wall = 0;

    static Position start(const Rules& rules);

    const Geometry& geometry() const { return Geometry::of(rules.size); }
    bool has_won(int player) const { return geometry().goal[player].has(pawn[player]); }
    // A win comes before a draw on the same move, the move limit before the no-progress limit.
    Outcome outcome() const;
    bool is_over() const { return outcome() != Outcome::kOngoing; }

    // Cells the player's pawn may move to: steps, jumps, and side steps where the jump is closed.
    Bitboard pawn_moves(int player) const;
    // All moves of the side to move; none when the game is over. `routes` are paths of this
    // position.
    LegalMoves legal_moves() const;
    LegalMoves legal_moves(const RoutePair& routes) const;
    bool is_legal(Action action) const;
    // Plays a legal move.
    void play(Action action);
    // Passes the turn; only for the null moves of a search.
    void pass();
    Position after(Action action) const {
        Position next = *this;
        next.play(action);
        return next;
    }
    // The key computed from scratch; always equal to `key`.
    uint64_t computed_key() const;
};

// Compares all that the position's text contains, and the rules.
bool operator==(const Position& a, const Position& b);

// Undo data of the last moves, newest first: the cell a pawn came from, or the wall that was
// placed. Long enough to show a network the frames before this one.
struct History {
    static constexpr int kCapacity = 15;
    std::array<Action, kCapacity> undo{};
    uint8_t length = 0;

    void push(const Position& before, Action action);
    // Keys of the positions since the last wall, as far back as the history goes, newest first.
    std::vector<uint64_t> keys_since_wall(const Position& now) const;
};

}  // namespace plyground::quoridor
