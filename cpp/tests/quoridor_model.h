// A second implementation of Quoridor's rules that shares no code with the core: plain coordinates,
// loops over grids and breadth-first search. Slow on purpose; the tests compare the core with it.
//
// It shares only the numbering of actions on the 9x9 board: 0-80 cells by row, 81-144 horizontal
// walls by row of eight, 145-208 vertical ones.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace plyground::test {

struct Place {
    int row = 0;
    int col = 0;

    friend bool operator==(const Place&, const Place&) = default;
};

enum class Kind { kPawn, kHorizontal, kVertical };

struct Move {
    Kind kind;
    Place at;
};

inline Move move_of(int action) {
    if (action < 81) return {Kind::kPawn, {action / 9, action % 9}};
    const int slot = (action - 81) % 64;
    return {action < 145 ? Kind::kHorizontal : Kind::kVertical, {slot / 8, slot % 8}};
}

inline std::string name_of(Move move) {
    std::string name;
    name += "abcdefghi"[move.at.col];
    name += "123456789"[move.at.row];
    if (move.kind != Kind::kPawn) name += move.kind == Kind::kHorizontal ? 'h' : 'v';
    return name;
}

// A game in progress on an n x n board.
struct Model {
    int size, max_moves, no_progress_limit;
    std::array<Place, 2> pawn;
    std::array<int, 2> hand;
    int to_move = 0;
    int move_count = 0;
    int since_wall = 0;
    std::array<std::array<bool, 8>, 8> horizontal{}, vertical{};

    Model(int board_size, int walls, int move_limit, int progress_limit)
        : size(board_size),
          max_moves(move_limit),
          no_progress_limit(progress_limit),
          pawn{{{0, board_size / 2}, {board_size - 1, board_size / 2}}},
          hand{walls, walls} {}

    int goal_row(int player) const { return player == 0 ? size - 1 : 0; }
    bool has_won(int player) const { return pawn[player].row == goal_row(player); }
    // 0 while the game is ongoing, else the core's numbers: wins, then the move limit, then no
    // progress.
    int outcome() const {
        if (has_won(0)) return 1;
        if (has_won(1)) return 2;
        if (move_count >= max_moves) return 3;
        return since_wall >= no_progress_limit ? 4 : 0;
    }
    bool is_over() const { return outcome() != 0; }

    bool on_board(Place at) const {
        return at.row >= 0 && at.col >= 0 && at.row < size && at.col < size;
    }
    bool on_grid(Place at) const {
        return at.row >= 0 && at.col >= 0 && at.row < size - 1 && at.col < size - 1;
    }
    bool has_wall(Kind kind, Place at) const {
        return on_grid(at) && (kind == Kind::kHorizontal ? horizontal : vertical)[at.row][at.col];
    }
    void set_wall(Kind kind, Place at, bool present) {
        (kind == Kind::kHorizontal ? horizontal : vertical)[at.row][at.col] = present;
    }

    // Whether the edge between two neighbouring cells is open, pawns ignored.
    bool is_open(Place a, Place b) const {
        if (!on_board(a) || !on_board(b)) return false;
        const int row = std::min(a.row, b.row);
        const int col = std::min(a.col, b.col);
        if (a.col == b.col) {
            return !has_wall(Kind::kHorizontal, {row, col}) &&
                   !has_wall(Kind::kHorizontal, {row, col - 1});
        }
        return !has_wall(Kind::kVertical, {row, col}) && !has_wall(Kind::kVertical, {row - 1, col});
    }

    static std::array<Place, 4> around(Place at) {
        return {{{at.row + 1, at.col},
                 {at.row, at.col + 1},
                 {at.row, at.col - 1},
                 {at.row - 1, at.col}}};
    }

    // Steps to the goal row, or -1.
    int steps(int player) const {
        std::array<int, 81> seen{};  // steps plus one
        std::array<Place, 81> queue;
        int first = 0;
        int last = 0;
        queue[last++] = pawn[player];
        seen[9 * pawn[player].row + pawn[player].col] = 1;
        while (first < last) {
            const Place at = queue[first++];
            const int so_far = seen[9 * at.row + at.col];
            if (at.row == goal_row(player)) return so_far - 1;
            for (const Place next : around(at)) {
                if (!is_open(at, next) || seen[9 * next.row + next.col]) continue;
                seen[9 * next.row + next.col] = so_far + 1;
                queue[last++] = next;
            }
        }
        return -1;
    }

    std::vector<Place> pawn_moves(int player) const {
        std::vector<Place> moves;
        const Place me = pawn[player];
        const Place other = pawn[1 - player];
        for (const Place next : around(me)) {
            if (!is_open(me, next)) continue;
            const Place behind{2 * next.row - me.row, 2 * next.col - me.col};
            if (next != other) {
                moves.push_back(next);
            } else if (is_open(next, behind)) {
                moves.push_back(behind);
            } else {
                for (const Place side : around(next)) {
                    if (side != me && is_open(next, side)) moves.push_back(side);
                }
            }
        }
        return moves;
    }

    // Whether an illegal cell would be a step, or a jump that the rules allow, without walls.
    bool is_walled_off(Place at) const {
        const Place me = pawn[to_move];
        const Place other = pawn[1 - to_move];
        if (at.row >= size || at.col >= size) return false;
        for (const Place next : around(me)) {
            if (next == at) return at != other;
        }
        for (const Place next : around(me)) {
            if (next != other) continue;
            const Place behind{2 * next.row - me.row, 2 * next.col - me.col};
            if (at == behind) return true;
            for (const Place side : around(next)) {
                if (side == at && at != me) return !is_open(next, behind);
            }
        }
        return false;
    }

    // The core's reason why an action is illegal; nullopt when it is legal.
    std::optional<std::string> refusal(int action) {
        const auto [kind, at] = move_of(action);
        if (is_over()) return "the game is over";
        if (kind == Kind::kPawn) {
            for (const Place to : pawn_moves(to_move)) {
                if (to == at) return std::nullopt;
            }
            return is_walled_off(at) ? "a wall is in the way" : "no pawn move leads there";
        }
        if (!on_grid(at)) return "it lies outside the wall grid";
        if (hand[to_move] == 0) return number("player ", to_move + 1) + " has no walls left";
        const bool flat = kind == Kind::kHorizontal;
        for (const int shift : {0, -1, 1}) {
            const Place other{at.row + (flat ? 0 : shift), at.col + (flat ? shift : 0)};
            if (has_wall(kind, other)) return "it overlaps the wall at " + name_of({kind, other});
        }
        const Kind across = flat ? Kind::kVertical : Kind::kHorizontal;
        if (has_wall(across, at)) return "it crosses the wall at " + name_of({across, at});
        std::optional<std::string> cut;
        set_wall(kind, at, true);
        for (int player = 0; player < 2 && !cut; ++player) {
            if (steps(player) < 0)
                cut = number("it cuts player ", player + 1) + " off from the goal";
        }
        set_wall(kind, at, false);
        return cut;
    }

    void play(int action) {
        const auto [kind, at] = move_of(action);
        if (kind == Kind::kPawn) {
            pawn[to_move] = at;
            ++since_wall;
        } else {
            set_wall(kind, at, true);
            --hand[to_move];
            since_wall = 0;
        }
        ++move_count;
        to_move = 1 - to_move;
    }

    std::string text() const {
        std::string walls;
        for (const Kind kind : {Kind::kHorizontal, Kind::kVertical}) {
            for (int row = 0; row < size - 1; ++row) {
                for (int col = 0; col < size - 1; ++col) {
                    if (!has_wall(kind, {row, col})) continue;
                    if (!walls.empty()) walls += ',';
                    walls += name_of({kind, {row, col}});
                }
            }
        }
        std::string line = std::to_string(size);
        line += " " + name_of({Kind::kPawn, pawn[0]}) + "/" + name_of({Kind::kPawn, pawn[1]});
        line += " " + (walls.empty() ? std::string("-") : walls);
        line += number(" ", hand[0]) + number("/", hand[1]) + number(" ", to_move + 1);
        return line + number(" ", move_count) + number(" ", since_wall);
    }

    static std::string number(std::string before, int value) {
        before += std::to_string(value);
        return before;
    }
};

}  // namespace plyground::test
