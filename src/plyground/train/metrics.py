"""The metrics of a run: a line of progress and a row of metrics.csv."""

from __future__ import annotations

import csv
import io
import math
import sys
from collections.abc import Mapping
from pathlib import Path

from plyground.files import atomic_write


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

    def __init__(self, folder: Path, resumed_at_s: float | None) -> None:
        self.path = folder / "metrics.csv"
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
        print(progress_line(row), file=sys.stderr, flush=True)


PARTS = {"policy_loss": "policy", "policy_kl": "kl", "value_loss": "value", "margin_loss": "margin"}
"""Parts of the loss that the line of progress shows, where the loss has them."""


def progress_line(row: Mapping[str, float]) -> str:
    """The most important numbers in one line."""
    parts = ", ".join(f"{label} {row[name]:.3f}" for name, label in PARTS.items() if name in row)
    loss = f"{row['loss']:.3f}" + (f" ({parts})" if parts else "")
    load = row.get("gpu_load", math.nan)
    gpu = "" if math.isnan(load) else f"  gpu {load:.0%}"
    return (
        f"{row['elapsed_s']:6.0f} s  {row['games_per_s']:6.1f} games/s"
        f"  {row['evals_per_s'] / 1000:7.1f} k evals/s  {row['positions_per_s']:6.0f} pos/s"
        f"  loss {loss}"
        f"  draws {row['draw_share']:.1%}  first {row['first_player_share']:.1%}"
        f"  plies {row['mean_plies']:.1f}  steps {row['steps']:.0f}"
        f"  sims {row['simulations']:.0f}  grow {row['growing_share']:.0%}"
        f"  wait {row['waiting_share']:.0%}{gpu}"
    )
