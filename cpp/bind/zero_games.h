// What the bindings of the tree search and of self-play ask of a game.
//
// Moves have two numbers. Outside they are a state's own actions. Inside they are the mover's
// logits: in Quoridor on a 9x9 canvas and turned for player 2, in Reversi the same as outside.
#pragma once

#include <string>

#include "base/error.h"
#include "bind/arrays.h"
#include "bind/quoridor_state.h"
#include "bind/reversi_state.h"
#include "games/quoridor_text.h"
#include "games/reversi_text.h"
#include "search/quoridor_zero.h"
#include "search/reversi_zero.h"

namespace plyground {

struct QuoridorZero : quoridor::Zero {
    using Zero = quoridor::Zero;
    using State = QuoridorState;
    static constexpr const char* kName = "Quoridor";
    static constexpr const char* kPrefix = "quoridor";
    static constexpr const char* kFeatureBytesName = "QUORIDOR_FEATURE_BYTES";
    // The tree's option to work out results, named by what it solves.
    static constexpr const char* kExact = "races";

    static constexpr int kMostFrames = quoridor::kMostFrames;

    static Position position_of(const State& state, int frames) {
        return {state.position, state.history, frames};
    }
    static int action_count(const Position& p) { return quoridor::action_count(p.rules.size); }
    static bool is_action(const Position& p, int inside) {
        return quoridor::is_on_board(static_cast<quoridor::Action>(inside), p.rules.size);
    }
    // Of a move that comes `ply` plies after the position.
    static int outside(const Position& p, int inside, int ply = 0) {
        return quoridor::to_dense(turned(p, static_cast<quoridor::Action>(inside), ply),
                                  p.rules.size);
    }
    static int inside(const Position& p, int outside) { return turned(p, on_board(p, outside), 0); }
    static quoridor::Action on_board(const Position& p, int outside) {
        return quoridor::from_dense(outside, p.rules.size);
    }
    static float draw_value(const State& state) {
        return nanobind::cast<float>(state.config.attr("draw_penalty"));
    }

  private:
    static quoridor::Action turned(const Position& p, quoridor::Action action, int ply) {
        return (p.to_move + ply) % 2 == 1 ? quoridor::flip(action, p.rules.size) : action;
    }
};

struct ReversiZero : reversi::Zero {
    using Zero = reversi::Zero;
    using State = ReversiState;
    static constexpr const char* kName = "Reversi";
    static constexpr const char* kPrefix = "reversi";
    static constexpr const char* kFeatureBytesName = "REVERSI_FEATURE_BYTES";
    static constexpr const char* kExact = "endgames";

    static constexpr int kMostFrames = 0;  // no network reads the history

    static Position position_of(const State& state, int) {
        return on_full_board(state, "networks play");
    }
    static int action_count(const Position&) { return reversi::kActions; }
    static bool is_action(const Position&, int) { return true; }
    static int outside(const Position&, int inside, int = 0) { return inside; }
    static int inside(const Position&, int outside) { return outside; }
    static reversi::Action on_board(const Position&, int outside) {
        return static_cast<reversi::Action>(outside);
    }
    static float draw_value(const State&) { return 0; }
};

// The position of a state, as a network sees it that reads `frames` positions.
template <class Game>
typename Game::Position position_seen(const typename Game::State& state, int history_length) {
    checked_count("history_length", history_length, 0, Game::kMostFrames);
    return Game::position_of(state, history_length);
}

template <class Position>
void require_ongoing(const Position& position) {
    if (position.is_over()) {
        throw IllegalMoveError("cannot search '" + format_position(position) +
                               "': the game is over");
    }
}

}  // namespace plyground
