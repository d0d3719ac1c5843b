"""Perft: the number of move paths of a length, against tables counted by other programs."""

import json
from pathlib import Path

import pytest

from plyground import quoridor
from plyground.games.reference import quoridor as reference
from plyground.quoridor import GameConfig

TABLES = json.loads((Path(__file__).parents[1] / "data" / "quoridor_perft.json").read_text())

# Leaves that a default run may count: about a second natively, and in plain Python.
NATIVE_LEAVES = 300_000_000
REFERENCE_LEAVES = 20_000


def rows(most=None):
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
def test_native_perft(size, walls, depth, count):
    state = quoridor.State(GameConfig(board_size=size, walls_per_player=walls))
    assert quoridor.perft(state, depth) == count


@pytest.mark.parametrize(("size", "walls", "depth", "count"), rows(NATIVE_LEAVES))
def test_native_perft_with_a_small_table(size, walls, depth, count):
    state = quoridor.State(GameConfig(board_size=size, walls_per_player=walls))
    assert quoridor.perft(state, depth, hash_mb=1) == count


@pytest.mark.parametrize(("size", "walls", "depth", "count"), rows(REFERENCE_LEAVES))
def test_reference_perft(size, walls, depth, count):
    config = GameConfig(board_size=size, walls_per_player=walls)
    assert reference.perft(reference.State.start(config), depth) == count


def test_depth_0_counts_the_position_itself(rules):
    assert rules.module.perft(rules.start(GameConfig()), 0) == 1


def test_a_finished_game_has_no_paths(rules, board):
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
def test_draws_end_paths(limits, hash_mb):
    """Within reach of a limit a table may not mix positions with different counters."""
    config = GameConfig(board_size=3, walls_per_player=2, **limits)
    for depth in range(1, 6):
        expected = reference.perft(reference.State.start(config), depth)
        assert quoridor.perft(quoridor.State(config), depth, hash_mb=hash_mb) == expected
