"""The planes that PathNet reads: against the rules, and in the mirror."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground import _core, quoridor
from plyground.nets.features import Expander
from plyground.nets.quoridor_encoding import QUORIDOR
from plyground.quoridor import GameConfig, State

SIZES = (3, 5, 7, 9)  # odd: on even boards the start has no mirror image


def random_game(config: GameConfig, rng: random.Random) -> Iterator[tuple[State, State]]:
    """The unfinished states of a random game, each with its left-right mirror."""
    state = mirror = State(config)
    while not state.game_over:
        yield state, mirror
        action = rng.choice(state.legal_actions())
        state = state.play(action)
        mirror = mirror.play(quoridor.mirror_action(action, config.board_size))


def packed(states: Sequence[State]) -> Tensor:
    return torch.from_numpy(np.stack([_core.quoridor_net_features(state) for state in states]))


def to_canvas(action: int, size: int) -> int:
    """A policy entry of a small board in the numbering of 9x9."""
    return quoridor.encode_action(*quoridor.decode_action(action, size), QUORIDOR.canvas)


def games(size: int, rng: random.Random, count: int = 3) -> Iterator[tuple[State, State]]:
    for _ in range(count):
        yield from random_game(GameConfig.for_size(size), rng)


def test_sizes_agree_with_the_core() -> None:
    assert QUORIDOR.feature_bytes == _core.QUORIDOR_FEATURE_BYTES
    assert quoridor.action_space_size(9) == QUORIDOR.actions
    assert QUORIDOR.planes % 8 == 0, "tensor cores want multiples of 8"


@pytest.mark.parametrize("size", SIZES)
def test_planes_show_the_position(size: int, rng: random.Random) -> None:
    states = [state for state, _ in games(size, rng)]
    planes = Expander(QUORIDOR, size).planes(packed(states)).numpy()
    assert planes.shape == (len(states), QUORIDOR.planes, size, size)
    for state, seen in zip(states, planes, strict=True):
        me, other = state.current_player, state.get_opponent(state.current_player)
        pawns = {1: state.player1_pos, 2: state.player2_pos}

        def view(cell: tuple[int, int], height: int = size, me: int = me) -> tuple[int, int]:
            row, col = cell
            return (row, col) if me == 1 else (height - 1 - row, col)

        def cells(plane: int, seen: NDArray[np.float32] = seen) -> set[tuple[int, int]]:
            return {(int(row), int(col)) for row, col in np.argwhere(seen[plane] == 1)}

        assert (seen[0] == 1).all()
        assert cells(1) == {view(pawns[me])}
        assert cells(2) == {view(pawns[other])}
        assert cells(7) == {view(wall, size - 1) for wall in state.h_walls}
        assert cells(8) == {view(wall, size - 1) for wall in state.v_walls}
        assert cells(11) == {view(cell) for cell in quoridor.get_legal_pawn_moves(state)}
        path = quoridor.shortest_path_length(state, me)
        assert seen[14][view(pawns[me])] == min(path, 32) / 16
        assert seen[16][view(pawns[me])] == 0
        assert {view(cell) for cell in quoridor.shortest_path(state, me)} <= cells(12)
        assert {view(cell) for cell in quoridor.shortest_path(state, other)} <= cells(13)
        hand = state.walls_remaining
        scalars = seen[20:24, 0, 0]
        expected = [hand[me] / 10, hand[other] / 10, path / 16]
        assert scalars[:3] == pytest.approx(expected)
        assert (seen[20:] == seen[20:, :1, :1]).all(), "scalars are the same everywhere"
    assert planes.min() >= 0
    assert planes.max() <= 2


@pytest.mark.parametrize("size", SIZES)
def test_legal_moves_are_those_of_the_rules(size: int, rng: random.Random) -> None:
    states = [state for state, _ in games(size, rng)]
    legal = Expander(QUORIDOR, size).legal(packed(states)).numpy()
    for state, row in zip(states, legal, strict=True):
        mask = quoridor.get_action_mask(state, flipped=True)
        assert sorted(np.flatnonzero(row)) == sorted(
            to_canvas(int(action), size) for action in np.flatnonzero(mask)
        )


@pytest.mark.parametrize("size", SIZES)
def test_mirrored_planes_are_the_planes_of_the_mirrored_position(
    size: int, rng: random.Random
) -> None:
    states, mirrors = zip(*games(size, rng), strict=True)
    plain, mirrored = Expander(QUORIDOR, size), Expander(QUORIDOR, size, symmetry=1)
    assert torch.equal(mirrored.planes(packed(states)), plain.planes(packed(mirrors)))
    assert torch.equal(mirrored.planes(packed(mirrors)), plain.planes(packed(states)))
    source = torch.from_numpy(QUORIDOR.turn_policy(size, 1))
    assert torch.equal(plain.legal(packed(states))[:, source], plain.legal(packed(mirrors)))


@pytest.mark.parametrize("size", SIZES)
def test_policies_are_mirrored_as_actions_are(size: int) -> None:
    source = QUORIDOR.turn_policy(size, 1)
    assert (source[source] == np.arange(QUORIDOR.actions)).all()
    moved = {
        to_canvas(action, size): to_canvas(quoridor.mirror_action(action, size), size)
        for action in range(quoridor.action_space_size(size))
    }
    assert all(source[entry] == moved.get(entry, entry) for entry in range(QUORIDOR.actions))
