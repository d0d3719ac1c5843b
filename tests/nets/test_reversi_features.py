"""What networks see of Reversi: against the rules, and under all eight symmetries."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TypeVar

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground import _core
from plyground.nets.features import Expander
from plyground.nets.reversi_encoding import REVERSI
from plyground.reversi import PASS, State

T = TypeVar("T", bound=np.generic)

SYMMETRIES = range(8)
MUST_PASS = State.parse("OX" + "-" * 62 + " X")


def random_games(rng: random.Random, count: int = 4) -> list[State]:
    """The unfinished positions of some random games, and one in which the mover must pass."""
    states = [MUST_PASS]
    for _ in range(count):
        state = State()
        while not state.game_over:
            states.append(state)
            state = state.play(rng.choice(state.legal_actions()))
    return states


def packed(states: list[State]) -> Tensor:
    return torch.from_numpy(np.stack([_core.reversi_net_features(state) for state in states]))


def turn_board(board: NDArray[T], symmetry: int) -> NDArray[T]:
    """An 8x8 array: columns mirrored, then rows flipped, then transposed, as the bits say."""
    if symmetry & 1:
        board = np.fliplr(board)
    if symmetry & 2:
        board = np.flipud(board)
    return board.T if symmetry & 4 else board


def turned(state: State, symmetry: int) -> State:
    squares, side = state.text().split()
    board = np.array(list(squares)).reshape(8, 8)
    return State.parse("".join(turn_board(board, symmetry).ravel()) + f" {side}")


def grid(squares: int) -> NDArray[np.int64]:
    """A set of squares, given as bits, as an array."""
    return np.array([squares >> square & 1 for square in range(64)]).reshape(8, 8)


def regions(empty: NDArray[np.bool_]) -> Iterator[set[tuple[int, int]]]:
    """The groups of empty squares that touch, found square by square."""
    left = {(int(row), int(col)) for row, col in np.argwhere(empty)}
    while left:
        group, queue = set(), [left.pop()]
        while queue:
            row, col = queue.pop()
            group.add((row, col))
            near = {(row + i, col + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} & left
            left -= near
            queue += near
        yield group


def test_sizes_agree_with_the_core() -> None:
    assert REVERSI.feature_bytes == _core.REVERSI_FEATURE_BYTES
    assert REVERSI.actions == 65
    assert REVERSI.planes % 8 == 0, "tensor cores want multiples of 8"


def test_planes_show_the_position(rng: random.Random) -> None:
    states = random_games(rng)
    planes = Expander(REVERSI).planes(packed(states)).numpy()
    assert planes.shape == (len(states), 8, 8, 8)
    for state, seen in zip(states, planes, strict=True):
        black, white = grid(state.black), grid(state.white)
        mine, other = (black, white) if state.current_player == 1 else (white, black)
        empty = 1 - mine - other
        np.testing.assert_array_equal(seen[0], mine)
        np.testing.assert_array_equal(seen[1], other)
        np.testing.assert_array_equal(seen[2], empty)
        moves = {action for action in state.legal_actions() if action != PASS}
        assert set(np.flatnonzero(seen[3])) == moves
    assert planes.min() >= 0
    assert planes.max() <= 1


def test_the_last_planes(rng: random.Random) -> None:
    states = random_games(rng, 2)
    planes = Expander(REVERSI).planes(packed(states)).numpy()
    for state, seen in zip(states, planes, strict=True):
        squares, side = state.text().split()
        answer = State.parse(f"{squares} {'O' if side == 'X' else 'X'}")
        moves = {action for action in answer.legal_actions() if action != PASS}
        assert set(np.flatnonzero(seen[4])) == moves
        odd = {cell for group in regions(seen[2]) if len(group) % 2 for cell in group}
        assert {(int(row), int(col)) for row, col in np.argwhere(seen[5])} == odd
        empty = squares.count("-")
        assert seen[6] == pytest.approx(np.full((8, 8), min(empty, 60) / 60))
        np.testing.assert_array_equal(seen[7], np.full((8, 8), empty % 2))


def test_legal_moves_are_those_of_the_rules(rng: random.Random) -> None:
    states = random_games(rng)
    legal = Expander(REVERSI).legal(packed(states)).numpy()
    for state, row in zip(states, legal, strict=True):
        assert np.flatnonzero(row).tolist() == state.legal_actions()
    assert np.flatnonzero(legal[0]).tolist() == [PASS]


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_turned_planes_are_the_planes_of_the_turned_position(
    symmetry: int, rng: random.Random
) -> None:
    states = random_games(rng, 2)
    turned_states = [turned(state, symmetry) for state in states]
    plain, view = Expander(REVERSI), Expander(REVERSI, symmetry=symmetry)
    assert torch.equal(view.planes(packed(states)), plain.planes(packed(turned_states)))
    source = torch.from_numpy(REVERSI.turn_policy(8, symmetry))
    assert torch.equal(plain.legal(packed(states))[:, source], plain.legal(packed(turned_states)))


def test_the_symmetries_are_all_different_and_policies_turn_as_boards_do() -> None:
    sources = [REVERSI.turn_policy(8, symmetry) for symmetry in SYMMETRIES]
    assert len({tuple(source.tolist()) for source in sources}) == 8
    for symmetry, source in enumerate(sources):
        squares = turn_board(np.arange(64).reshape(8, 8), symmetry)
        np.testing.assert_array_equal(source, [*squares.ravel(), PASS])


def test_players_see_the_same_with_colours_swapped(rng: random.Random) -> None:
    for state in random_games(rng, 1):
        other = State.parse(state.text().translate(str.maketrans("XO", "OX")))
        assert torch.equal(packed([state]), packed([other]))
