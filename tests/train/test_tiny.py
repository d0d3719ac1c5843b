"""Training from nothing, on the smallest board, to perfect play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground import _core
from plyground.agents import SolvedAgent
from plyground.games.quoridor import expect_state
from plyground.nets.evaluator import OnnxEvaluator
from plyground.nets.export import export_onnx
from plyground.quoridor import State
from plyground.train.checkpoint import playing_weights
from plyground.train.config import TrainConfig
from plyground.train.loop import train

MOST_SECONDS = 120


def choose(evaluate: OnnxEvaluator, state: State) -> int:
    """Sixteen simulations without proofs and race tables: the network itself must know."""
    history_length = evaluate.encoding.history_length
    tree = _core.QuoridorTree(state, prove=False, races=False, history_length=history_length)
    tree.begin(16)
    while len(features := tree.select(1)):
        tree.expand(*evaluate(features))
    return tree.best_action()


def openings_not_won(config: TrainConfig, evaluate: OnnxEvaluator) -> Iterator[int]:
    """Openings after which player 2, who can always win, does not win against the solver."""
    solver = SolvedAgent()
    for opening in config.start.legal_actions():
        state = expect_state(config.start.play(opening))
        while not state.game_over:
            mine = state.current_player == 2
            state = state.play(choose(evaluate, state) if mine else solver.select_action(state))
        if state.winner != 2:
            yield opening


@pytest.mark.parametrize(("name", "part_s"), [("tiny", 15), ("quoridor-net-tiny", 5)])
def test_two_minutes_of_training_play_three_by_three_perfectly(
    name: str, part_s: int, tmp_path: Path
) -> None:
    overrides = ["save_replay=true", "report_s=15"]
    config = TrainConfig.load(f"configs/train/{name}.yaml", overrides)
    for start in range(0, MOST_SECONDS, part_s):
        train(config, tmp_path, part_s, resume=start > 0)
        weights, _ = playing_weights(tmp_path / "checkpoint.pt")
        export_onnx(weights, tmp_path / "net.onnx", encoding=config.encoding)
        failed = list(openings_not_won(config, OnnxEvaluator(tmp_path / "net.onnx")))
        if not failed:
            return
    raise AssertionError(f"not perfect after {MOST_SECONDS} s: it fails after {failed}")
