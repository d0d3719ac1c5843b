"""Measure the ways to evaluate a network on a CPU: errors against floats, and speed.

    python benchmarks/evaluators.py
    python benchmarks/evaluators.py checkpoints/quoridor-boards.pt --board 7 --onnx eight-bits.onnx

The positions come from quick games of the network against itself. The errors are those of the
values and of the policy's best legal move, against the same network in 32-bit floats. The speeds
are evaluations per second of CPU time on one thread, in batches of four and of one; the evaluators
take turns, so that other programs slow all of them down.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground.nets.evaluator import FileEvaluator, NativeEvaluator, OnnxEvaluator
from plyground.nets.export import export_weights
from plyground.nets.features import Expander
from plyground.nets.network import FoldedNet
from plyground.train.checkpoint import playing_weights
from plyground.train.config import TrainConfig
from plyground.train.selfplay import play_positions

BATCHES = (4, 1)
TURNS, TURN_S = 7, 0.5
CHUNK = 64


def evaluate_in_floats(
    config: TrainConfig, weights: dict[str, Tensor], positions: NDArray[np.uint8]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Logits and values in 32-bit floats, by torch."""
    net = FoldedNet(weights, torch.device("cpu"), torch.float32, config.encoding)
    expander = Expander(config.encoding, config.size)
    with torch.inference_mode():
        parts = [
            net(*expander.inputs(torch.from_numpy(positions[first : first + CHUNK])))
            for first in range(0, len(positions), CHUNK)
        ]
    logits, values = zip(*parts, strict=True)
    return torch.cat(logits).numpy(), torch.cat(values).numpy()


def speed(evaluate: FileEvaluator, positions: NDArray[np.uint8], batch: int) -> float:
    """Evaluations per CPU second during one turn."""
    started, count = time.process_time(), 0
    while (seconds := time.process_time() - started) < TURN_S:
        first = count % (len(positions) - batch)
        evaluate(positions[first : first + batch])
        count += batch
    return count / seconds


def main() -> None:
    """Measure, and print a row for each evaluator."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "checkpoint", type=Path, nargs="?", default=Path("checkpoints/quoridor-boards.pt")
    )
    parser.add_argument("--board", type=int, default=9, help="board size (default: 9)")
    parser.add_argument("--positions", type=int, default=1024, help="positions (default: 1,024)")
    parser.add_argument("--onnx", type=Path, help="an ONNX file of the network, to compare")
    args = parser.parse_args()
    weights, trained = playing_weights(args.checkpoint)
    config = replace(trained, boards=(), board_size=args.board)
    positions = play_positions(config, weights, args.positions)
    exact_logits, exact_values = evaluate_in_floats(config, weights, positions)
    legal = Expander(config.encoding, config.size).legal(torch.from_numpy(positions)).numpy()
    best = np.where(legal, exact_logits, -np.inf).argmax(1)
    with TemporaryDirectory() as folder:
        path = Path(folder, "net.npz")
        export_weights(weights, path, config.encoding)
        evaluators: dict[str, FileEvaluator] = {
            "core": NativeEvaluator(path, fast=True),
            "core, precise": NativeEvaluator(path),
        }
    if args.onnx is not None:
        evaluators[f"onnxruntime, {args.onnx.name}"] = OnnxEvaluator(args.onnx)
    speeds: dict[tuple[str, int], list[float]] = {}
    for _ in range(TURNS):
        for name, evaluate in evaluators.items():
            for batch in BATCHES:
                speeds.setdefault((name, batch), []).append(speed(evaluate, positions, batch))
    print(
        "| evaluated by | mean error of values | largest | same best move | evaluations/s in",
        end="",
    )
    print(" batches of four | of one |\n| --- | --- | --- | --- | --- | --- |")
    for name, evaluate in evaluators.items():
        logits, values = evaluate(positions)
        errors = np.abs(values - exact_values)
        same = (np.where(legal, logits, -np.inf).argmax(1) == best).mean()
        rates = " | ".join(f"{np.median(speeds[name, batch]):,.0f}" for batch in BATCHES)
        print(f"| {name} | {errors.mean():.4f} | {errors.max():.3f} | {same:.1%} | {rates} |")


if __name__ == "__main__":
    main()
