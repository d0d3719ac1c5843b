"""A callback that ends a run when it has come far enough, however slow the machine is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from plyground.train import Callback, Training

MOST_S = 600.0
"""The seconds of a run that a callback ends."""


class StopWhen(Callback):
    """Ends a run with the first report for which a condition holds."""

    def __init__(self, condition: Callable[[Training, Mapping[str, float]], bool]) -> None:
        self.condition = condition

    def on_report(self, run: Training, metrics: Mapping[str, float]) -> None:
        run.stop = self.condition(run, metrics)


def after_steps(steps: int) -> StopWhen:
    """Ends a run with a report of this many more steps."""
    return StopWhen(lambda run, metrics: metrics["steps"] >= run.steps_before + steps)
