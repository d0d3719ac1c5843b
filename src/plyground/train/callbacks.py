"""Functions of your own that a training run calls, and TensorBoard, which is one of them.

A callback derives from `Callback` and overrides what it needs. The run that it is given has
`config`, `folder`, `elapsed` (seconds of training), `steps` and `network` (the averaged weights);
`run.stop = True` ends it after saving.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from plyground.errors import ConfigError

if TYPE_CHECKING:
    from plyground.train.loop import Training


class Callback:
    """Called while a run goes on; every method does nothing by default."""

    def on_start(self, run: Training) -> None:
        """The run is about to play its first games, or to continue."""

    def on_step(self, run: Training) -> None:
        """A training step was made; on a GPU it was queued. Keep it short."""

    def on_report(self, run: Training, metrics: Mapping[str, float]) -> None:
        """A row of metrics.csv was written, every `report_s` seconds."""

    def on_snapshot(self, run: Training, path: Path) -> None:
        """A snapshot of the playing weights was written, every `snapshot_s` seconds."""

    def on_end(self, run: Training) -> None:
        """The run is over and saved."""


class ScalarWriter(Protocol):
    """The part of TensorBoard's writer that is used."""

    def add_scalar(self, tag: str, scalar_value: float, global_step: int) -> None:
        """Write one number."""

    def close(self) -> None:
        """Finish the file."""


class TensorBoard(Callback):
    """Writes the metrics of a run for TensorBoard, into the run's folder.

    The setting `tensorboard: true` adds it.
    """

    def __init__(self) -> None:
        try:
            self._open = import_module("torch.utils.tensorboard").SummaryWriter
        except ImportError as error:
            message = "tensorboard: true needs TensorBoard: pip install 'plyground[tensorboard]'"
            raise ConfigError(message) from error
        self._writer: ScalarWriter | None = None

    def on_start(self, run: Training) -> None:
        """Open the file; what an earlier process wrote after the checkpoint is hidden."""
        folder = str(run.folder / "tensorboard")
        self._writer = self._open(folder, purge_step=int(run.elapsed_before) + 1)

    def on_report(self, run: Training, metrics: Mapping[str, float]) -> None:  # noqa: ARG002
        """Write every number of the row."""
        assert self._writer is not None
        for name, value in metrics.items():
            self._writer.add_scalar(name, value, int(metrics["elapsed_s"]))

    def on_end(self, run: Training) -> None:  # noqa: ARG002
        """Finish the file."""
        assert self._writer is not None
        self._writer.close()
