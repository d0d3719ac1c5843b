"""Random games on every board size: the native core against the plain-Python reference.

Every position of every game is compared in all that both can tell. Games differ in how many walls
there are, how eagerly they are placed, whether the pawns seek each other, and how soon they are
drawn.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from plyground import quoridor
from plyground.errors import IllegalMoveError
from plyground.games.reference import quoridor as reference
from plyground.quoridor import GameConfig, State

# Positions compared, by board size; the reference is slow on large boards. 3,500 in all.
POSITIONS = {3: 700, 4: 600, 5: 550, 6: 450, 7: 400, 8: 400, 9: 400}

# (walls as a share of the slots or a number, chance of a wall, chance of a pawn move that nears
# the opponent, max_moves, no_progress_limit). Games take these in turn.
Style = tuple[int | float, float, float, int, int]
STYLES: list[Style] = [
    (0.25, 0.5, 0.6, 200, 50),
    (0, 0.0, 0.7, 40, 30),
    (1.0, 0.8, 0.5, 200, 50),
    (1, 0.2, 0.8, 30, 12),
    (3, 0.4, 0.8, 200, 9),
    (0.4, 0.9, 0.3, 25, 20),
]


# What the games on each board have to show, or they would prove little: play goes on until they do.
WANTED = ["jump", "side step", "cut off", "player 1 won", "player 2 won", "draw", "many walls"]


@pytest.mark.parametrize("size", POSITIONS)
def test_native_and_reference_agree_move_by_move(size: int, rng: random.Random) -> None:
    seen: Counter[str] = Counter()
    for style in itertools.cycle(STYLES):
        native, plain = start(size, style)
        moves = compare(native, plain, seen)
        while moves:
            action = choose(plain, moves, style, rng)
            native, plain = native.play(action), plain.play(action)
            moves = compare(native, plain, seen)
        missing = [what for what in WANTED if not seen[what]]
        if seen["position"] >= POSITIONS[size] and not missing:
            break
        assert seen["position"] < 10 * POSITIONS[size], f"never seen: {missing}"


def start(size: int, style: Style) -> tuple[State, reference.State]:
    walls, _, _, max_moves, no_progress_limit = style
    slots = (size - 1) ** 2
    config = GameConfig(
        board_size=size,
        walls_per_player=round(walls * slots) if isinstance(walls, float) else walls,
        max_moves=max_moves,
        no_progress_limit=no_progress_limit,
    )
    return State(config), reference.State.start(config)


def choose(
    state: reference.State, moves: list[reference.Action], style: Style, rng: random.Random
) -> int:
    """A legal action in the style of the game."""
    _, wall_chance, nearing_chance, _, _ = style
    walls = [move for move in moves if move[0] != "move"]
    pawn_moves = [move for move in moves if move[0] == "move"]
    if walls and rng.random() < wall_chance:
        move = rng.choice(walls)
    elif rng.random() < nearing_chance:
        r, c = state.pawns[2 - state.current_player]
        move = min(pawn_moves, key=lambda move: abs(move[1][0] - r) + abs(move[1][1] - c))
    elif rng.random() < 0.6:
        goal = state.goal_row(state.current_player)
        move = min(pawn_moves, key=lambda move: abs(move[1][0] - goal))
    else:
        move = rng.choice(pawn_moves)
    return reference.encode_action(move, state.config.board_size)


def compare(native: State, plain: reference.State, seen: Counter[str]) -> list[reference.Action]:
    """Compare all there is to compare; returns the legal moves, which are none at the end."""
    size = plain.config.board_size
    # What the position is.
    assert native.text() == plain.text()
    assert (native.player1_pos, native.player2_pos) == plain.pawns
    assert (native.h_walls, native.v_walls) == (plain.h_walls, plain.v_walls)
    assert native.walls_remaining == dict(enumerate(plain.walls_left, start=1))
    assert native.current_player == plain.current_player
    assert native.move_count == plain.move_count
    assert native.moves_since_last_wall == plain.moves_since_last_wall
    assert (native.game_over, native.winner) == (plain.game_over, plain.winner)
    assert (native.outcome is None) == (not plain.game_over)

    # Read back, it is the same position.
    again = State.parse(native.text(), native.config)
    assert again == native
    assert hash(again) == hash(native)

    # What can be played, and why the rest cannot.
    where = native.text()
    actions = [reference.decode_action(i, size) for i in range(quoridor.action_space_size(size))]
    reasons = [plain.refusal(*action) for action in actions]
    legal = [index for index, reason in enumerate(reasons) if reason is None]
    moves = [actions[index] for index in legal]
    assert native.get_legal_moves() == moves, where
    assert native.legal_actions() == legal, where
    assert again.legal_actions() == legal, where
    assert [native.is_legal(index) for index in range(len(actions))] == [
        reason is None for reason in reasons
    ], where
    assert np.flatnonzero(quoridor.get_action_mask(native)).tolist() == legal, where
    for player in (1, 2):
        cells = quoridor.get_legal_pawn_moves(native, player)
        assert cells == reference.get_legal_pawn_moves(plain, player), where
        assert cells or plain.game_over, where
    for index, reason in enumerate(reasons):
        name = reference.action_to_notation(actions[index])
        expected = reason and f"illegal move '{name}' in '{where}': {reason}"
        assert refusal(native, index) == expected

    # How far it is.
    for player in (1, 2):
        length = reference.shortest_path_length(plain, player)
        assert quoridor.shortest_path_length(native, player) == length, where
        pawn = native.player1_pos if player == 1 else native.player2_pos
        goal_row = plain.goal_row(player)
        assert quoridor.astar_can_reach_goal(native, pawn, goal_row), where
        check_path(plain, quoridor.shortest_path(native, player), player, length)

    # What a network sees of it.
    frames = 1 + size % 5
    for ours, theirs in zip(
        quoridor.encode_state(native, frames), reference.encode_state(plain, frames), strict=True
    ):
        assert ours.dtype == theirs.dtype == np.float32
        np.testing.assert_array_equal(ours, theirs)

    count(plain, moves, reasons, seen)
    return moves


def refusal(state: State, action: int) -> str | None:
    try:
        state.play(action)
    except IllegalMoveError as error:
        return str(error)
    return None


def check_path(
    state: reference.State, path: list[reference.Cell], player: int, length: int
) -> None:
    """A path is open steps from the pawn to the goal row; no step is wasted."""
    assert path[0] == state.pawns[player - 1]
    assert path[-1][0] == state.goal_row(player)
    assert len(path) == length + 1
    for here, there in itertools.pairwise(path):
        assert there in list(state.neighbours(here))


def count(
    state: reference.State,
    moves: list[reference.Action],
    reasons: list[str | None],
    seen: Counter[str],
) -> None:
    """Keep the score of what the games have shown."""
    seen["position"] += 1
    if state.game_over:
        seen[f"player {state.winner} won" if state.winner else "draw"] += 1
    r, c = state.pawns[state.current_player - 1]
    for row, col in [cell for kind, cell in moves if kind == "move"]:
        seen["jump"] += abs(row - r) == 2 or abs(col - c) == 2
        seen["side step"] += row != r and col != c
    seen["many walls"] += len(state.h_walls) + len(state.v_walls) >= state.config.board_size
    seen["cut off"] += any("cuts" in (reason or "") for reason in reasons)
