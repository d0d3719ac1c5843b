"""Train two networks for the same minutes, and play them at equal simulations and at equal time.

    python benchmarks/equal_minutes.py configs/train/standard.yaml \\
        configs/train/quoridor-net-standard.yaml --minutes 25 --out runs/equal
    python benchmarks/equal_minutes.py configs/train/small.yaml \\
        configs/train/quoridor-net-small.yaml --minutes 4 --together --out runs/equal-small

Both runs have the settings of their files, with all times stretched to the minutes, or with
`--stretch-rate` the learning rate's alone, so that games begin as in a long run. `--together`
trains both at once, which is fair on a CPU that other programs use too; otherwise one trains after
the other, which a GPU needs. The networks are exported to 8 bits and play on one CPU thread. A run
that is complete in the output folder is used as it is, so one machine can train (`--train-only`)
and another one play.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from plyground.agents import ZeroAgent
from plyground.arena import Estimate, elo_estimate, play_game
from plyground.games.base import State
from plyground.nets.evaluator import OnnxEvaluator
from plyground.train.checkpoint import load_checkpoint, save_json
from plyground.train.config import Schedule, TrainConfig
from plyground.train.ladder import play_pairs

BATCH = 4
"""Positions per evaluation, as in play."""
SPEED_S = 3.0


PLYGROUND = [sys.executable, "-m", "plyground"]


@dataclass(frozen=True)
class Contestant:
    """One of the two networks."""

    config: TrainConfig
    folder: Path

    @property
    def name(self) -> str:
        """Kind and size of the network."""
        return f"{self.config.network} {self.config.blocks}x{self.config.channels}"

    @property
    def network(self) -> Path:
        """The exported network."""
        return self.folder / "network.onnx"

    def training(self) -> subprocess.Popen[bytes] | None:
        """Start training; None if the run is complete."""
        path = self.folder / "checkpoint.pt"
        options = ["--resume"] if path.exists() else []
        if options and load_checkpoint(path)["elapsed_s"] >= self.config.seconds:
            return None
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = self.folder / "settings.json"
        save_json(settings, self.config.as_dict())
        return subprocess.Popen(
            [*PLYGROUND, "train", str(settings), "--out", str(self.folder), *options]
        )

    def export(self) -> None:
        """Write the network."""
        command = ["export", str(self.folder / "checkpoint.pt"), "--out", str(self.network)]
        subprocess.run([*PLYGROUND, *command], check=True, stdout=subprocess.DEVNULL)


def stretched(config: TrainConfig, minutes: float, only_rate: bool) -> TrainConfig:
    """The settings with all times in proportion to the length of the run, or the rate's alone."""
    factor = 60 * minutes / config.seconds

    def stretch(schedule: Schedule) -> Schedule:
        return tuple((factor * at, value) for at, value in schedule)

    config = replace(
        config,
        learning_rate=stretch(config.learning_rate),
        seconds=60 * minutes,
        snapshot_s=0,
        ladder_games=0,
    )
    if only_rate:
        return config
    return replace(
        config,
        simulations=stretch(config.simulations),
        heuristic_weight=stretch(config.heuristic_weight),
        draw_by_path_s=factor * config.draw_by_path_s,
    )


def train(contestants: list[Contestant], together: bool) -> None:
    """Train all, at once or one after the other."""
    runs = []
    for contestant in contestants:
        if (run := contestant.training()) is not None:
            runs.append(run)
            if not together:
                run.wait()
    for run in runs:
        if run.wait():
            raise SystemExit(f"training failed with status {run.returncode}")


def speed(contestant: Contestant) -> float:
    """Evaluations per CPU second on one thread."""
    evaluate = OnnxEvaluator(contestant.network)
    start = contestant.config.start
    states = [start.play(action) for action in start.legal_actions()[:BATCH]]
    length = evaluate.encoding.history_length
    features = np.stack([state.game.net_features(state, length) for state in states])
    evaluate(features)
    started, count = time.process_time(), 0
    while time.process_time() - started < SPEED_S:
        evaluate(features)
        count += len(features)
    return count / (time.process_time() - started)


def equal_simulations(
    contestants: list[Contestant], openings: list[State], simulations: int
) -> Estimate:
    """The first network's score with the same simulations a move."""
    one, other = (OnnxEvaluator(contestant.network) for contestant in contestants)
    options = (one.encoding.search_options, other.encoding.search_options)
    return elo_estimate(play_pairs((one, other), openings, (simulations,) * 2, options))


def equal_time(contestants: list[Contestant], openings: list[State], seconds: float) -> Estimate:
    """The first network's score with the same time a move."""
    agents = [ZeroAgent(time=seconds, network=each.network) for each in contestants]
    pairs = []
    for opening in openings:
        points = 0.0
        for first in (0, 1):
            for agent in agents:
                agent.new_game()
            record = play_game(opening, {1: agents[first], 2: agents[1 - first]})
            points += record.points(1 + first)
        pairs.append(points)
    return elo_estimate(pairs)


def print_runs(contestants: list[Contestant]) -> None:
    """What the runs have learned from, and how fast the networks are."""
    print("| network | parameters | games | positions | steps | file, MB | evaluations/s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for contestant in contestants:
        saved = load_checkpoint(contestant.folder / "checkpoint.pt")
        parameters = sum(
            weight.numel() for name, weight in saved["average"].items() if ".running_" not in name
        )
        size = contestant.network.stat().st_size / 1e6
        print(
            f"| {contestant.name} | {parameters:,} | {saved['games']:,} | {saved['positions']:,} "
            f"| {saved['steps']:,} | {size:.1f} | {speed(contestant):,.0f} |",
            flush=True,
        )


def main() -> None:
    """Train, export, and print the two tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("configs", type=Path, nargs=2, help="training settings of the two networks")
    parser.add_argument("--minutes", type=float, required=True, help="of training for each")
    parser.add_argument("--together", action="store_true", help="train both at the same time")
    parser.add_argument("--train-only", action="store_true", help="play no matches")
    parser.add_argument("--stretch-rate", action="store_true", help="stretch no other times")
    parser.add_argument("--out", type=Path, default=Path("runs/equal-minutes"), help="folder")
    parser.add_argument("--games", type=int, default=200, help="at equal simulations")
    parser.add_argument("--sims", type=int, default=64, help="simulations per move")
    parser.add_argument("--timed-games", type=int, default=100, help="at equal time")
    parser.add_argument("--time", type=float, default=0.3, help="seconds per move")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="for both")
    args = parser.parse_args()
    contestants = [
        Contestant(
            stretched(TrainConfig.load(path, args.set), args.minutes, args.stretch_rate),
            args.out / path.stem,
        )
        for path in args.configs
    ]
    train(contestants, args.together)
    if args.train_only:
        return
    for contestant in contestants:
        contestant.export()
    print_runs(contestants)
    start = contestants[0].config.start
    openings = start.game.openings(start, max(args.games, args.timed_games) // 2, random.Random(1))
    print(f"\n| {contestants[0].name} against {contestants[1].name} | games | score |")
    print("| --- | --- | --- |")
    played = equal_simulations(contestants, openings[: args.games // 2], args.sims)
    print(f"| {args.sims} simulations a move | {args.games} | {played} |", flush=True)
    played = equal_time(contestants, openings[: args.timed_games // 2], args.time)
    print(f"| {args.time:g} s a move, one CPU thread | {args.timed_games} | {played} |")


if __name__ == "__main__":
    main()
