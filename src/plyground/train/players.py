"""The interface between the training loop and self-play.

`LocalSelfPlay` plays in this process, on this machine's cores and GPU. `RaySelfPlay` (`cluster.py`)
has workers on other machines. The loop uses only the protocol `SelfPlay`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Protocol

from torch import Tensor, nn

from plyground.train.config import TrainConfig
from plyground.train.replay import Rows
from plyground.train.selfplay import HALVES, make_evaluator, make_pool

DRAIN_ROWS = 1 << 18
"""Positions drained at a time: a limit on memory, above the number that ever waits."""


class SelfPlay(Protocol):
    """Plays games with the weights that were loaded last."""

    def step(self) -> None:
        """Play for a moment, or receive games that workers played."""

    def drain(self) -> Rows:
        """Positions of finished games, each returned once."""

    def stats(self) -> dict[str, float]:
        """Counts since the start, which only grow; times are the mean of one worker."""

    def set(self, name: str, value: float) -> None:
        """Change a setting of the self-play pool."""

    def load(self, weights: Mapping[str, Tensor]) -> None:
        """Use these weights from now on."""

    def close(self) -> None:
        """Stop playing; finished games can still be drained."""


class LocalSelfPlay:
    """Games in two halves: one is evaluated while the other's trees grow.

    With a teacher, its weights play until it is dismissed.
    """

    def __init__(
        self,
        config: TrainConfig,
        weights: Mapping[str, Tensor],
        on_gpu: bool,
        seed_offset: int = 0,
        network: nn.Module | None = None,
        teacher: Mapping[str, Tensor] | None = None,
    ) -> None:
        self.own = make_evaluator(config, weights, on_gpu, network)
        self.evaluator = self.own if teacher is None else make_evaluator(config, teacher, on_gpu)
        self.pool = make_pool(config, seed_offset)
        self.steps = 0
        self.growing_s = self.waiting_s = 0.0

    def step(self) -> None:
        """Give evaluations to the trees of a half, grow them, and submit their new leaves."""
        half = self.steps % HALVES
        begun = time.perf_counter()
        logits, values = self.evaluator.wait(half) if self.steps >= HALVES else (None, None)
        waited = time.perf_counter()
        self.pool.step(half, logits, values, self.evaluator.features[half])
        self.growing_s += time.perf_counter() - waited
        self.waiting_s += waited - begun
        self.evaluator.submit(half)
        self.steps += 1

    def drain(self) -> Rows:
        """Positions of finished games."""
        return self.pool.drain(DRAIN_ROWS)

    def stats(self) -> dict[str, float]:
        """The pool's counts, and the seconds it grew trees and waited for evaluations."""
        return {
            **self.pool.stats(),
            "growing_s": self.growing_s,
            "waiting_s": self.waiting_s,
        }

    def set(self, name: str, value: float) -> None:
        """Change a setting of the pool."""
        self.pool.set(name, value)

    def load(self, weights: Mapping[str, Tensor]) -> None:
        """Load new weights after the evaluations under way; a teacher's never change."""
        self.own.load(weights)

    def dismiss_teacher(self) -> None:
        """Let the network in training play from now on."""
        for half in range(min(self.steps, HALVES)):
            self.evaluator.wait(half)
            self.own.features[half][:] = self.evaluator.features[half]
            self.own.submit(half)
        self.evaluator = self.own

    def close(self) -> None:
        """Wait for the evaluations under way."""
        for half in range(min(self.steps, HALVES)):
            self.evaluator.wait(half)
