"""Compare shapes of `PathNet`: the same games to learn from, and what each costs in play.

    python benchmarks/shapes.py speed 6x96p3 6x96p3pieces 8x128p3
    python benchmarks/shapes.py train checkpoints/quoridor-boards.pt --out runs/shapes \\
        6x96p3 6x96p3pieces 8x128p3
    python benchmarks/shapes.py beside configs/train/boards.yaml --out runs/boards --seconds 1000 \\
        --rate 0:0,20:0.002,600:0.002,1000:0 6x64p3pieces

A shape is blocks x channels, `pN` for N blocks that pool, and `pieces` for pooling that reads the
cells of the pawns.

`speed` counts evaluations of fresh networks per CPU second of one thread, in batches of four as in
play. The shapes take turns, so that other programs slow all of them down.

`train` lets the network of a checkpoint play games, trains each shape on these positions from
scratch for as many steps, and prints the losses on positions of later games. Each network is saved
as a snapshot, which `checkpoint_match.py` plays and from which a run can continue; the positions
are saved in `replay`, where such a run finds them, and so does `train` with the same `--out`.

`beside` trains the shapes on the positions of a run that goes on meanwhile, a step of each for each
step of the run, so that the self-play is paid for once. It starts the run in `--out`, or continues
it, and the shapes with it. They are saved whenever the run is; the rate follows the run's seconds.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground.errors import ConfigError
from plyground.nets.architecture import ARCHITECTURES
from plyground.nets.evaluator import NativeEvaluator
from plyground.nets.export import export_network
from plyground.train import Callback, train
from plyground.train.checkpoint import (
    CHECKPOINT_FILE,
    load_checkpoint,
    playing_weights,
    save_checkpoint,
)
from plyground.train.config import Schedule, TrainConfig, line_value
from plyground.train.learner import Learner
from plyground.train.loop import CHECKPOINT, Training
from plyground.train.losses import LOSSES
from plyground.train.players import LocalSelfPlay
from plyground.train.replay import Batch, ReplayBuffer
from plyground.train.selfplay import play_positions
from plyground.train.shards import Shards

SHAPE = re.compile(r"(\d+)x(\d+)(?:p(\d+))?(pieces)?")
BATCH = 4
"""Positions per evaluation, as in play."""
TURNS, TURN_S = 7, 0.7
HELD_OUT = 1 << 16


def shaped(config: TrainConfig, text: str) -> TrainConfig:
    """The settings of a run with a network of this shape."""
    match = SHAPE.fullmatch(text)
    if match is None:
        raise SystemExit(f"expected a shape like 6x96p3 or 6x96p3pieces, got {text!r}")
    blocks, channels, pooled = (int(number or 0) for number in match.groups()[:3])
    return replace(
        config,
        blocks=blocks,
        channels=channels,
        pooled_blocks=pooled,
        piece_pooling=match[4] is not None,
    )


def build(config: TrainConfig) -> torch.nn.Module:
    """A fresh network of the run's shape."""
    return ARCHITECTURES[config.network].build(config.net_shape, config.encoding)


def measure_speed(base: TrainConfig, shapes: list[str]) -> None:
    """Print the evaluations per CPU second of each shape."""
    positions = play_positions(base, build(shaped(base, "1x8")).state_dict(), BATCH)
    networks = {}
    for text in shapes:
        config = shaped(base, text)
        net = build(config)
        with TemporaryDirectory() as folder:
            path = Path(folder, "net.npz")
            export_network(net, path, config.encoding, config.size)
            networks[text] = (net, path.stat().st_size, NativeEvaluator(path, fast=True))
    speeds: dict[str, list[float]] = {text: [] for text in shapes}
    for _ in range(TURNS):
        for text, (_, _, evaluate) in networks.items():
            speeds[text].append(speed(evaluate, positions))
    print("| shape | parameters | MB | evaluations/s |\n| --- | --- | --- | --- |")
    for text, (net, size, _) in networks.items():
        count = sum(parameter.numel() for parameter in net.parameters())
        print(f"| {text} | {count:,} | {size / 1e6:.1f} | {np.median(speeds[text]):,.0f} |")


def speed(evaluate: NativeEvaluator, positions: NDArray[np.uint8]) -> float:
    """Evaluations per CPU second during one turn."""
    evaluate(positions)
    started, count = time.process_time(), 0
    while time.process_time() - started < TURN_S:
        evaluate(positions)
        count += len(positions)
    return count / (time.process_time() - started)


def play(
    config: TrainConfig, weights: dict[str, Tensor], replay: ReplayBuffer, folder: Path
) -> ReplayBuffer:
    """Fill a replay with games of a network, and return positions of the games after them."""
    folder.mkdir(parents=True, exist_ok=True)
    shards = Shards(config.encoding, folder, replay.capacity)
    shards.load(replay)
    held_out = ReplayBuffer(config.encoding, HELD_OUT, 1.0, replay.device)
    players = LocalSelfPlay(config, weights, replay.device.type == "cuda", replay.added)
    players.set("simulations", config.simulations[-1][1])
    while held_out.added < HELD_OUT:
        players.step()
        rows = players.drain()
        if not len(rows["outcome"]):
            continue
        if replay.added < replay.capacity:
            replay.add(rows)
            shards.add(rows)
        else:
            held_out.add(rows)
    players.close()
    shards.flush()
    shards.close()
    return held_out


def learn(
    config: TrainConfig, replay: ReplayBuffer, steps: int, rate: float, snapshot: Path | None
) -> Learner:
    """Train a fresh network, or that of a snapshot; the learning rate rises, then falls to 0."""
    torch.manual_seed(config.seed)
    learner = Learner(config, replay)
    if snapshot is not None:
        learner.load_state(load_checkpoint(snapshot, "average"))
    rates = ((0, 0.0), (steps // 20, rate), (steps, 0.0))
    for step in range(steps):
        learner.step(line_value(rates, step))
    return learner


@torch.no_grad()
def test(learner: Learner, held_out: ReplayBuffer) -> dict[str, float]:
    """The losses of the averaged weights on positions that were not learned from."""
    rows = learner.config.batch_size
    sums = torch.zeros(len(LOSSES), device=held_out.device)
    batches = range(0, len(held_out) - rows + 1, rows)
    for first in batches:
        batch = Batch(*(part[first : first + rows] for part in held_out.ring))
        sums += torch.stack([*learner.losses(batch, averaged=True).values()])
    return dict(zip(LOSSES, (sums / len(batches)).tolist(), strict=True))


def train_shapes(args: argparse.Namespace) -> None:
    """Play, train each shape, and print a row for each."""
    torch.set_num_threads(1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cudnn.benchmark = device.type == "cuda"
    weights, base = playing_weights(args.checkpoint)
    base = replace(
        base,
        games=args.pool,
        threads=0,
        simulations=((0, args.pool_sims),),
        batch_size=args.batch,
        average_decay=0.995,
        surprise_weight=0.0,
        root_value_share=args.root_value_share,
    )
    replay = ReplayBuffer(base.encoding, args.positions, 1.0, device)
    started = time.perf_counter()
    floats = {name: weight.float().to(device) for name, weight in weights.items()}
    held_out = play(base, floats, replay, args.out / "replay")
    print(f"{replay.added:,} positions in {time.perf_counter() - started:.0f} s", flush=True)
    teacher = Learner(replace(base, compile=False), replay)
    teacher.average.load_state_dict(floats, strict=False)
    print("| shape | parameters | policy loss | KL | value loss | margin loss | seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    print_row("teacher", teacher, test(teacher, held_out), 0.0)
    for text in args.shapes:
        config = shaped(base, text)
        started = time.perf_counter()
        learner = learn(config, replay, args.steps, args.rate, args.continued)
        losses = test(learner, held_out)
        print_row(text, learner, losses, time.perf_counter() - started)
        content = {"config": config.as_dict(), "elapsed_s": 0.0}
        save_checkpoint(args.out / f"{text}.pt", content | {"average": learner.playing_weights()})


class Students(Callback):
    """Networks of other shapes that learn from the positions of a run."""

    def __init__(self, shapes: list[str], rates: Schedule) -> None:
        self.shapes = shapes
        self.rates = rates
        self.learners: dict[str, Learner] = {}

    def on_start(self, run: Training) -> None:
        """Make the networks; those of a run that continues do so too."""
        for text in self.shapes:
            self.learners[text] = Learner(shaped(run.config, text), run.replay)
            path = run.folder / f"{text}.pt"
            if run.elapsed_before > 0 and path.exists():
                self.learners[text].load_state(load_checkpoint(path, *CHECKPOINT))

    def on_step(self, run: Training) -> None:
        """A step of each."""
        for learner in self.learners.values():
            learner.step(line_value(self.rates, run.elapsed))

    def on_report(self, run: Training, metrics: Mapping[str, float]) -> None:  # noqa: ARG002
        """Print the losses, and save: a row comes about as often as a checkpoint."""
        for text, learner in self.learners.items():
            losses = "  ".join(f"{name} {loss:.3f}" for name, loss in learner.mean_losses().items())
            print(f"{text}  steps {learner.steps}  {losses}", flush=True)
        self.on_end(run)

    def on_end(self, run: Training) -> None:
        """Save the networks."""
        for text, learner in self.learners.items():
            counts = {"elapsed_s": run.elapsed, "positions": 0, "games": 0}
            content = {"config": learner.config.as_dict(), **counts, **learner.state()}
            save_checkpoint(run.folder / f"{text}.pt", content)


def train_beside(args: argparse.Namespace) -> None:
    """Run, and train each shape beside it."""
    config = TrainConfig.load(args.settings, args.set)
    for text in args.shapes:
        shaped(config, text)  # wrong ones are told before the run begins
    rates = TrainConfig.load(args.settings, [f"learning_rate={args.rate}"]).learning_rate
    resume = (args.out / CHECKPOINT_FILE).exists()
    students = Students(args.shapes, rates)
    train(config, args.out, args.seconds, resume, callbacks=[students])


def print_row(name: str, learner: Learner, losses: dict[str, float], seconds: float) -> None:
    """A row of the table."""
    count = sum(parameter.numel() for parameter in learner.average.parameters())
    parts = " | ".join(f"{losses[part]:.4f}" for part in LOSSES[1:])
    print(f"| {name} | {count:,} | {parts} | {seconds:.0f} |", flush=True)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    timing = commands.add_parser("speed", help="evaluations per second of fresh networks")
    timing.add_argument("shapes", nargs="+")
    training = commands.add_parser("train", help="train each shape on the same positions")
    training.add_argument("checkpoint", type=Path, help="network that plays the games")
    training.add_argument("shapes", nargs="+")
    training.add_argument("--out", type=Path, required=True, help="folder for the networks")
    training.add_argument("--positions", type=int, default=4_000_000, help="to train on")
    training.add_argument("--steps", type=int, default=2500)
    training.add_argument("--rate", type=float, default=2e-3, help="largest learning rate")
    training.add_argument(
        "--continued", type=Path, metavar="FILE", help="snapshot to continue from, of this shape"
    )
    training.add_argument("--batch", type=int, default=4096)
    training.add_argument(
        "--root-value-share",
        type=float,
        default=0.25,
        help="share of the search's value in the targets of values",
    )
    training.add_argument("--pool", type=int, default=8192, help="games played in parallel")
    training.add_argument("--pool-sims", type=int, default=64, help="simulations per move")
    beside = commands.add_parser("beside", help="train each shape on the positions of a run")
    beside.add_argument("settings", help="of the run, as for `plyground train`")
    beside.add_argument("shapes", nargs="+")
    beside.add_argument("--out", type=Path, required=True, help="folder of the run")
    beside.add_argument("--seconds", type=float, help="to train now")
    beside.add_argument(
        "--rate", default="0:0,20:0.002", help="learning rate of the shapes by the run's seconds"
    )
    beside.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    if args.command == "speed":
        measure_speed(TrainConfig(board_size=9, walls_per_player=10), args.shapes)
    elif args.command == "beside":
        train_beside(args)
    else:
        train_shapes(args)


if __name__ == "__main__":
    try:
        main()
    except ConfigError as error:
        sys.exit(str(error))
