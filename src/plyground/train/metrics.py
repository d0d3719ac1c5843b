"""The metrics of a run: a line of progress, a row of metrics.csv, and TensorBoard."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Protocol

from plyground.errors import ConfigError
from plyground.files import atomic_write


class ScalarWriter(Protocol):
    """The part of TensorBoard's writer that is used."""

    def add_scalar(self, tag: str, scalar_value: float, global_step: int) -> None:
        """Write one number."""

    def close(self) -> None:
        """Finish the file."""


class Rates:
    """Rates since the last report, from counts that only grow."""

    def __init__(self) -> None:
        self.before: dict[str, float] = {}

    def update(self, counts: Mapping[str, float], seconds: float) -> dict[str, float]:
        """The rates per second and per game."""
        new = {key: value - self.before.get(key, 0) for key, value in counts.items()}
        self.before = dict(counts)
        games = max(1.0, new["games"])
        decided = max(1.0, new["games"] - new["draws"])
        return {
            "games_per_s": new["games"] / seconds,
            "evals_per_s": new["evaluations"] / seconds,
            "positions_per_s": new["positions"] / seconds,
            "samples_per_s": new["samples"] / seconds,
            "draw_share": new["draws"] / games,
            "first_player_share": new["first_player_wins"] / decided,
            "mean_plies": new["plies"] / games,
            "growing_share": new["growing_s"] / seconds,
            "waiting_share": new["waiting_s"] / seconds,
        }


class Metrics:
    """Writes the metrics of a run."""

    def __init__(self, folder: Path, resumed_at_s: float | None, tensorboard: bool) -> None:
        self.path = folder / "metrics.csv"
        self.board = open_board(folder, resumed_at_s or 0) if tensorboard else None
        self.header: list[str] = []
        if resumed_at_s is None:
            self.path.unlink(missing_ok=True)
        else:
            self._drop_after(resumed_at_s)

    def _drop_after(self, seconds: float) -> None:
        """Delete rows that a killed run wrote after its checkpoint; they will be repeated."""
        if not self.path.exists():
            return
        with self.path.open(newline="") as file:
            header, *rows = list(csv.reader(file)) or [[]]
        whole = [row for row in rows if len(row) == len(header)]
        self._replace(header, [row for row in whole if float(row[0]) <= seconds])

    def _replace(self, header: list[str], rows: list[list[str]]) -> None:
        """Rewrite the whole file."""
        text = io.StringIO()
        csv.writer(text).writerows([header, *rows])
        with atomic_write(self.path) as file:
            file.write(text.getvalue().encode())
        self.header = header

    def _change_header(self, header: list[str]) -> None:
        """Continue with other columns than the run began with; missing values become nan."""
        rows: list[list[str]] = []
        if self.header:
            with self.path.open(newline="") as file:
                rows = [[row.get(name, "nan") for name in header] for row in csv.DictReader(file)]
        self._replace(header, rows)

    def write(self, row: Mapping[str, float]) -> None:
        """Add a row; the first key is the time."""
        if self.header != list(row):
            self._change_header(list(row))
        with self.path.open("a", newline="") as file:
            csv.writer(file).writerow(f"{value:.6g}" for value in row.values())
        if self.board is not None:
            for name, value in row.items():
                self.board.add_scalar(name, value, int(row["elapsed_s"]))
        print(progress_line(row), file=sys.stderr, flush=True)

    def close(self) -> None:
        """Finish TensorBoard's file."""
        if self.board is not None:
            self.board.close()


def open_board(folder: Path, resumed_at_s: float) -> ScalarWriter:
    """TensorBoard's writer; it hides what an earlier process wrote after this time."""
    try:
        kind = import_module("torch.utils.tensorboard").SummaryWriter
    except ImportError as error:
        message = "tensorboard: true needs TensorBoard: pip install 'plyground[tensorboard]'"
        raise ConfigError(message) from error
    writer: ScalarWriter = kind(str(folder / "tensorboard"), purge_step=int(resumed_at_s) + 1)
    return writer


def progress_line(row: Mapping[str, float]) -> str:
    """The most important numbers in one line."""
    return (
        f"{row['elapsed_s']:6.0f} s  {row['games_per_s']:6.1f} games/s"
        f"  {row['evals_per_s'] / 1000:7.1f} k evals/s  {row['positions_per_s']:6.0f} pos/s"
        f"  loss {row['loss']:.3f} (policy {row['policy_loss']:.3f}, kl {row['policy_kl']:.3f},"
        f" value {row['value_loss']:.3f}, margin {row['margin_loss']:.3f})"
        f"  draws {row['draw_share']:.1%}  first {row['first_player_share']:.1%}"
        f"  plies {row['mean_plies']:.1f}  steps {row['steps']:.0f}"
        f"  sims {row['simulations']:.0f}  grow {row['growing_share']:.0%}"
        f"  wait {row['waiting_share']:.0%}"
    )
