"""Measure how fast a run plays and learns on one core, in evaluations per second of CPU time.

    python benchmarks/training.py configs/train/small.yaml --seconds 20
    python benchmarks/training.py configs/train/small.yaml --seconds 20 --module

With --module the same network is passed to the run as a module of its own, which plays as it is
instead of with its batch norms folded. Other programs on the machine change the numbers less than
they would change numbers per second of wall time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from plyground.nets.architecture import ARCHITECTURES
from plyground.train import Callback, TrainConfig, Training, train

SETTINGS = ("device=cpu", "threads=1", "save_replay=false", "snapshot_s=0", "report_s=0.5")


class CpuTime(Callback):
    """Ends a run after some seconds of CPU time, and counts its evaluations."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.started = self.used = self.evaluations = 0.0
        self.steps = 0

    def on_start(self, run: Training) -> None:  # noqa: ARG002
        """Start the clock."""
        self.started = time.process_time()

    def on_report(self, run: Training, metrics: Mapping[str, float]) -> None:  # noqa: ARG002
        """Stop when the time is over."""
        self.used = time.process_time() - self.started
        self.evaluations, self.steps = run.players.stats()["evaluations"], run.steps
        run.stop = self.used >= self.seconds


def main() -> None:
    """Train, and print the speed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("config", type=Path)
    parser.add_argument("--seconds", type=float, default=20.0, help="of CPU time")
    parser.add_argument("--module", action="store_true", help="pass the network as a module")
    options = parser.parse_args()
    overrides = [*SETTINGS, f"seconds={1000 * options.seconds}", "warmup_positions=500"]
    config = TrainConfig.load(options.config, [*overrides, "batch_size=128"])
    build, watch = ARCHITECTURES[config.network].build, CpuTime(options.seconds)
    network = build(config.net_shape, config.encoding) if options.module else None
    with TemporaryDirectory() as folder:
        train(config, folder, network=network, callbacks=[watch])
    speed = watch.evaluations / watch.used
    print(f"{speed:,.0f} evaluations per CPU second, {watch.steps} steps in {watch.used:.1f} s")


if __name__ == "__main__":
    main()
