"""Matches between a run's snapshots: every game ends, colours swap, ratings follow the results."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground.arena.quoridor_openings import balanced_openings
from plyground.errors import ConfigError
from plyground.games.quoridor_config import GameConfig
from plyground.nets.network import PathNet
from plyground.nets.quoridor_encoding import QUORIDOR
from plyground.quoridor import State
from plyground.train.checkpoint import save_checkpoint
from plyground.train.config import TrainConfig
from plyground.train.ladder import Ladder, LadderGame, NetPlayer, play_pairs, rate

CPU = torch.device("cpu")
TINY = GameConfig.preset("tiny")


def weights(seed: int) -> dict[str, Tensor]:
    torch.manual_seed(seed)
    state = PathNet(QUORIDOR, blocks=1, channels=8, pooled_blocks=0).state_dict()
    return {name: value for name, value in state.items() if value.is_floating_point()}


def openings(count: int) -> list[State]:
    return balanced_openings(State(TINY), count, random.Random(1), plies=(1, 3), lead=lambda _: 0)


def unknowing(features: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The same logit for every move, and no opinion."""
    return np.zeros((len(features), 209), np.float32), np.zeros(len(features), np.float32)


def test_a_network_against_itself_splits_every_pair() -> None:
    player = NetPlayer(TrainConfig(), weights(1), CPU)
    assert play_pairs((player, player), openings(6), simulations=(4, 4)) == [1.0] * 6


def test_points_go_to_the_network_that_won() -> None:
    """A position that the player to move wins: the mover's network gets the point."""
    start = State(GameConfig(board_size=3, walls_per_player=0)).play("b2")
    for first in (0, 1):
        game = LadderGame(start, first, simulations=(16, 16))
        winner = game.mover  # player 2 jumps over the pawn, onto its goal row
        while not game.is_over:
            if (features := game.leaves()) is not None:
                game.tree.expand(*unknowing(features))
        assert game.winner == winner == 1 - first


def test_evaluations_do_not_depend_on_what_else_is_in_the_batch() -> None:
    player = NetPlayer(TrainConfig(), weights(1), CPU)
    rows = np.concatenate([LadderGame(state, 0, (1, 1)).leaves() for state in openings(5)])
    logits, values = player(rows)
    alone = player(rows[3:4])
    np.testing.assert_allclose(logits[3], alone[0][0], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(values[3], alone[1][0], rtol=1e-4, atol=1e-5)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for seconds in (10, 20, 30):
        config = TrainConfig(blocks=1, channels=8, pooled_blocks=0)
        content = {"config": config.as_dict(), "average": weights(seconds)}
        save_checkpoint(tmp_path / f"snapshot-{seconds:06d}.pt", content)
    return tmp_path


def test_a_snapshot_meets_those_before_it_and_results_are_kept(folder: Path) -> None:
    config = TrainConfig(ladder_games=8, ladder_opponents=2, ladder_simulations=4)
    ladder = Ladder(folder, config, CPU)
    assert ladder.play(folder / "snapshot-000010.pt") == 0.0
    assert ladder.matches == []
    ladder.play(folder / "snapshot-000020.pt")
    elo = ladder.play(folder / "snapshot-000030.pt")
    met = [(match.first[-5:-3], match.second[-5:-3]) for match in ladder.matches]
    assert met == [("20", "10"), ("30", "10"), ("30", "20")]
    assert all(match.games == 8 and 0 <= match.points <= 8 for match in ladder.matches)

    again = Ladder(folder, config, CPU)
    assert again.matches == ladder.matches
    saved = json.loads((folder / "ladder.json").read_text())["elo"]
    assert saved["snapshot-000010.pt"] == 0
    assert saved["snapshot-000030.pt"] == elo == rate(again.matches)["snapshot-000030.pt"]


@pytest.mark.parametrize("text", ["{ broken", "[]", '{"matches": [{"first": "a"}]}'])
def test_a_damaged_ladder_is_one_line(folder: Path, text: str) -> None:
    (folder / "ladder.json").write_text(text)
    with pytest.raises(ConfigError, match=r"expected the matches of snapshots in .*ladder\.json"):
        Ladder(folder, TrainConfig(), CPU)
