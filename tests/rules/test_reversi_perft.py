"""Reversi's perft against published counts; a pass is a ply, a game that ends sooner counts 1."""

from __future__ import annotations

import json
import signal
import threading
from pathlib import Path

import pytest

from plyground import reversi
from plyground.games.reference import reversi as reference
from plyground.reversi import State

TABLE = json.loads((Path(__file__).parents[1] / "data" / "reversi_perft.json").read_text())
COUNTS = {int(depth): count for depth, count in TABLE["perft"].items()}

# Depths that a default run counts: a fraction of a second natively, and in plain Python.
NATIVE_DEPTH = 10
REFERENCE_DEPTH = 5


@pytest.mark.parametrize(
    "depth",
    [
        pytest.param(depth, marks=[pytest.mark.slow] if depth > NATIVE_DEPTH else [])
        for depth in COUNTS
    ],
)
@pytest.mark.parametrize("hash_mb", [0, 16])
def test_native_perft(depth: int, hash_mb: int) -> None:
    assert reversi.perft(State(), depth, hash_mb) == COUNTS[depth]


@pytest.mark.parametrize("depth", range(1, REFERENCE_DEPTH + 1))
def test_reference_perft(depth: int) -> None:
    assert reference.perft(reference.State(), depth) == COUNTS[depth]


def test_depth_0_counts_the_position_itself() -> None:
    assert State().perft(0) == reference.perft(reference.State(), 0) == 1


def test_a_finished_game_and_a_pass_count_as_one() -> None:
    over = "X" * 10 + "-" * 54 + " O"
    passing = "OX" + "-" * 62 + " X"
    for text, depth in ((over, 1), (over, 3), (passing, 1), (passing, 2), (passing, 5)):
        assert State.parse(text).perft(depth) == 1
        assert reference.perft(reference.State.parse(text), depth) == 1


@pytest.mark.parametrize("depth", [-1, 100, 2**31 - 1])
def test_depths_that_cannot_be_counted(depth: int) -> None:
    with pytest.raises(ValueError, match=f"expected a depth from 0 to 99, got {depth}"):
        State().perft(depth)


def test_ctrl_c_ends_a_count() -> None:
    for hash_mb in (0, 1):
        timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            State().perft(30, hash_mb)
        timer.join()
