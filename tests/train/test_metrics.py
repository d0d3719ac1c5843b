"""What a run writes down about itself: the rows of a file."""

from __future__ import annotations

import csv
import math
from pathlib import Path

from plyground.train.losses import LOSSES
from plyground.train.metrics import Metrics, Rates, progress_line

COUNTS = ("games", "draws", "first_player_wins", "plies", "evaluations", "positions", "samples")


def row(elapsed_s: float, **values: float) -> dict[str, float]:
    """A row as the loop makes it, with these values and zeros."""
    counts = dict.fromkeys((*COUNTS, "growing_s", "waiting_s"), 0.0)
    zeros = Rates().update(counts, 1.0) | dict.fromkeys((*LOSSES, "steps", "simulations"), 0.0)
    return {"elapsed_s": elapsed_s} | zeros | values


def write(folder: Path, resumed_at_s: float | None, *rows: dict[str, float]) -> None:
    metrics = Metrics(folder, resumed_at_s)
    for each in rows:
        metrics.write(each)


def test_a_resumed_run_replaces_what_a_kill_left_behind(tmp_path: Path) -> None:
    write(tmp_path, None, row(10.2, loss=3), row(20.4, loss=2), row(30.6, loss=9))
    write(tmp_path, 25.0, row(30.1, loss=1), row(40.3, loss=0.5))
    with (tmp_path / "metrics.csv").open(newline="") as file:
        assert [float(each["loss"]) for each in csv.DictReader(file)] == [3, 2, 1, 0.5]


def test_a_run_that_an_earlier_version_began_gets_new_columns(tmp_path: Path) -> None:
    (tmp_path / "metrics.csv").write_text("elapsed_s,old,loss\n1,7,3\n2,8,2\n3,9,1\n")
    metrics = Metrics(tmp_path, 2.5)
    for second in (3.0, 4.0):
        metrics.write(row(second, loss=0.5, elo=50.0))
    with (tmp_path / "metrics.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(row(0, elo=0))
    assert [(each["elapsed_s"], each["loss"], each["elo"]) for each in rows] == [
        ("1", "3", "nan"),
        ("2", "2", "nan"),
        ("3", "0.5", "50"),
        ("4", "0.5", "50"),
    ]


def test_rates_are_of_the_time_since_the_last_report() -> None:
    rates = Rates()
    first = {"games": 10, "draws": 4, "first_player_wins": 3, "plies": 90, "evaluations": 500}
    more = {"positions": 80, "samples": 320, "growing_s": 0.5, "waiting_s": 1.0}
    before = rates.update(first | more, 2.0)
    assert (before["games_per_s"], before["draw_share"], before["mean_plies"]) == (5, 0.4, 9)
    assert (before["first_player_share"], before["waiting_share"]) == (0.5, 0.5)
    after = rates.update(first | more | {"games": 20, "plies": 170, "evaluations": 900}, 4.0)
    assert (after["games_per_s"], after["evals_per_s"], after["mean_plies"]) == (2.5, 100, 8)
    assert after["draw_share"] == after["first_player_share"] == 0


def test_the_line_of_progress_shows_the_load_of_a_gpu_alone() -> None:
    assert progress_line(row(1.0, gpu_load=0.97)).endswith("  gpu 97%")
    assert "gpu" not in progress_line(row(1.0, gpu_load=math.nan))
