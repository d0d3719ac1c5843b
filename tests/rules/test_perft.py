"""Perft: the number of move paths of a length, against tables counted by other programs."""

from __future__ import annotations

import functools
import json
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from _pytest.mark.structures import ParameterSet

from plyground import quoridor
from plyground.games.reference import quoridor as reference
from plyground.quoridor import GameConfig

if TYPE_CHECKING:
    from tests.conftest import Board, Rules

TABLES = json.loads((Path(__file__).parents[1] / "data" / "quoridor_perft.json").read_text())

# Leaves that a default run may count: about a second natively, and in plain Python.
NATIVE_LEAVES = 300_000_000
REFERENCE_LEAVES = 20_000


def rows(most: int | None = None) -> list[ParameterSet]:
    """(board size, walls, depth, count) of the figures in the tables, the huge ones marked."""
    figures = [
        (table["board_size"], table["walls_per_player"], depth, count)
        for table in TABLES["positions"]
        for depth, count in enumerate(table["perft"], start=1)
        if most is None or count <= most
    ]
    return [
        pytest.param(
            *figure,
            marks=[pytest.mark.slow] if figure[3] > NATIVE_LEAVES else [],
            id=f"{figure[0]}x{figure[0]}-{figure[1]}walls-depth{figure[2]}",
        )
        for figure in figures
    ]


@pytest.mark.parametrize(("size", "walls", "depth", "count"), rows())
def test_native_perft(size: int, walls: int, depth: int, count: int) -> None:
    state = quoridor.State(GameConfig(board_size=size, walls_per_player=walls))
    assert quoridor.perft(state, depth) == count


@pytest.mark.parametrize(("size", "walls", "depth", "count"), rows(NATIVE_LEAVES))
def test_native_perft_with_a_small_table(size: int, walls: int, depth: int, count: int) -> None:
    state = quoridor.State(GameConfig(board_size=size, walls_per_player=walls))
    assert quoridor.perft(state, depth, hash_mb=1) == count


@pytest.mark.parametrize(("size", "walls", "depth", "count"), rows(REFERENCE_LEAVES))
def test_reference_perft(size: int, walls: int, depth: int, count: int) -> None:
    config = GameConfig(board_size=size, walls_per_player=walls)
    assert reference.perft(reference.State.start(config), depth) == count


@pytest.mark.parametrize("depth", [-1, 100, 5000, 2**31 - 1])
def test_depths_that_cannot_be_counted(depth: int) -> None:
    state = quoridor.State(GameConfig(3, 0, max_moves=65535, no_progress_limit=65535))
    for count in (state.perft, state.path_perft):
        with pytest.raises(ValueError, match=f"expected a depth from 0 to 99, got {depth}"):
            count(depth)


def test_more_paths_than_64_bits_hold() -> None:
    """Two pawns on 3x3 have few positions, so a table counts any depth at once."""
    config = GameConfig(3, 0, max_moves=65535, no_progress_limit=65535)
    state = quoridor.State(config)
    longest = max(depth for depth in range(100) if paths(state.text(), depth) < 2**64)
    assert 40 < longest < 99
    for depth in range(longest + 1):
        assert quoridor.perft(state, depth, hash_mb=1) == paths(state.text(), depth)
    with pytest.raises(OverflowError, match="64 bits"):
        quoridor.perft(state, longest + 1, hash_mb=1)


@functools.cache
def paths(text: str, depth: int) -> int:
    """The same count in Python, whose integers do not end; positions without their counters."""
    if depth == 0:
        return 1
    state = quoridor.State.parse(text)
    after = (state.play(action).text() for action in state.legal_actions())
    return sum(paths(f"{text.rsplit(' ', 2)[0]} 0 0", depth - 1) for text in after)


def test_ctrl_c_ends_a_count() -> None:
    """The count runs without the interpreter lock, and still looks for signals."""
    state = quoridor.State()
    for count in (lambda: state.perft(9), lambda: state.perft(9, 1), lambda: state.path_perft(9)):
        timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            count()
        timer.join()


def test_depth_0_counts_the_position_itself(rules: Rules) -> None:
    assert rules.module.perft(rules.start(GameConfig()), 0) == 1


def test_a_finished_game_has_no_paths(rules: Rules, board: Board) -> None:
    won = board("""
        3   1   .   .
        2   .   .   2
        1   .   .   .
            a   b   c
    """)
    assert [rules.module.perft(won, depth) for depth in (0, 1, 2)] == [1, 0, 0]


@pytest.mark.parametrize(
    "limits", [{"max_moves": 3}, {"no_progress_limit": 2}, {"max_moves": 4, "no_progress_limit": 3}]
)
@pytest.mark.parametrize("hash_mb", [0, 1])
def test_draws_end_paths(limits: dict[str, int], hash_mb: int) -> None:
    """Within reach of a limit a table may not mix positions with different counters."""
    config = GameConfig(board_size=3, walls_per_player=2, **limits)
    for depth in range(1, 6):
        expected = reference.perft(reference.State.start(config), depth)
        assert quoridor.perft(quoridor.State(config), depth, hash_mb=hash_mb) == expected
