// Reversi's rules: positions, moves, passes, the end and the score. The bit tricks are in
// reversi_board.h, text is in reversi_text.h.
//
// Players are 0 (black, who begins) and 1 (white) here, 1 and 2 in Python. An action is one byte:
//     0-63  a disc on that square
//     64    pass, the only move of a player who has no other while the opponent has one
// The board has 8x8 squares; 6x6 and 4x4 are for learning and for exact solutions.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "games/reversi_board.h"

namespace plyground::reversi {

using Action = uint8_t;

inline constexpr Action kPass = kSquares;
inline constexpr int kActions = kSquares + 1;  // 65

enum class EndReason : uint8_t {
    kNone,
    kFullBoard,
    kWipeOut,  // a player has no disc left
    kNoMoves,  // neither player can move, with empty squares left
};

struct Position {
    // White on d4 and e5, black on e4 and d5.
    Squares own = bit_of(square_at(3, 4)) | bit_of(square_at(4, 3));
    Squares other = bit_of(square_at(3, 3)) | bit_of(square_at(4, 4));
    uint8_t to_move = 0;
    uint8_t size = kSize;  // rows and columns

    // The start on a board of 4x4, 6x6 or 8x8: the discs are in the centre.
    static Position start(int size);

    Squares board() const { return board_squares(size); }
    Squares discs(int player) const { return player == to_move ? own : other; }
    Squares empty() const { return board() & ~(own | other); }

    // Squares the side to move may play on. If there are none it passes, unless the game is over.
    Squares moves() const { return reversi::moves(own, other) & board(); }
    // Squares the opponent could play on if it were its turn.
    Squares other_moves() const { return reversi::moves(other, own) & board(); }
    bool is_over() const { return !moves() && !other_moves(); }
    EndReason end_reason() const;
    bool is_legal(int action) const;
    // Calls f(action) for every legal action, in ascending order.
    template <class F>
    void for_each_action(F&& f) const {
        const Squares squares = moves();
        for_each_square(squares, [&](int square) { f(static_cast<Action>(square)); });
        if (!squares && other_moves()) f(kPass);
    }

    // Plays a legal action.
    void play(Action action);
    Position after(Action action) const {
        Position next = *this;
        next.play(action);
        return next;
    }

    // Discs of the side to move less the opponent's; empty squares count for the winner.
    int score() const { return final_score(own, other, size * size); }
    uint64_t key() const;

    friend bool operator==(const Position&, const Position&) = default;
};

// Counts the move paths of this length. A pass is a move, and a game that ends sooner counts as one
// path, as in published counts. With `hash_mb` > 0 it shares subtree counts through a table of that
// size. Throws std::overflow_error for a count beyond 64 bits. `poll` is called periodically and
// may throw to end the count.
uint64_t perft(const Position& position, int depth, int hash_mb = 0,
               const std::function<void()>& poll = {});

}  // namespace plyground::reversi
