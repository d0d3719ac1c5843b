"""A run's metrics as a picture, `plots.png` in its folder (extra `plot`)."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from plyground.errors import ConfigError
from plyground.figures import COLOURS, decorate, load_figure, save_figure
from plyground.hints import reason_of
from plyground.train.config import TrainConfig
from plyground.train.ladder import rate, read_matches

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Columns = dict[str, NDArray[np.float64]]

NEEDED = (
    *("elapsed_s", "steps", "games", "positions", "policy_loss", "value_loss", "margin_loss"),
    *("policy_kl", "draw_share", "first_player_share", "mean_plies"),
    *("evals_per_s", "samples_per_s", "positions_per_s", "games_per_s"),
)
MOST_POINTS = 150
"""Points of a line: single reports are noisy, so in a long run several become one."""


def write_plots(folder: Path) -> Path:
    """Draw what the folder's metrics.csv holds; returns the picture's path."""
    columns = read_metrics(folder / "metrics.csv")
    figure = load_figure()(figsize=(13, 7.6), layout="constrained")
    losses, distance, shares, speed, length, elo = figure.subplots(2, 3).flat
    draw_lines(
        losses,
        learning(columns),
        {"policy_loss": "policy", "value_loss": "value", "margin_loss": "path margin"},
    )
    draw_lines(distance, learning(columns), {"policy_kl": "KL divergence"})
    draw_lines(
        shares, columns, {"draw_share": "draws", "first_player_share": "first player, of the rest"}
    )
    shares.set_ylim(-0.02, 1.02)
    draw_speed(speed, columns)
    draw_lines(length, columns, {"mean_plies": "plies"})
    draw_elo(elo, folder, columns)
    titles = {
        losses: "Losses",
        distance: "Policy: from the network to the search",
        shares: "Results of the games",
        speed: "Speed, per second",
        length: "Length of the games",
        elo: "Elo of the snapshots",
    }
    for axis, title in titles.items():
        decorate(axis, title, f"training, {time_unit(columns)[0]}")
    figure.suptitle(heading(folder, columns))
    path = folder / "plots.png"
    save_figure(figure, path)
    return path


def read_metrics(path: Path) -> Columns:
    """The columns of a metrics.csv by name; a last row that a kill cut short is left out."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            header, *rows = list(csv.reader(file)) or [[]]
        table = np.array([row for row in rows if len(row) == len(header)], dtype=np.float64)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {reason_of(error)}") from error
    except ValueError as error:
        raise ConfigError(f"expected numbers below the header of {path}: {error}") from error
    if not len(table):
        raise ConfigError(f"no rows to draw in {path} yet")
    for name in NEEDED:
        if name not in header:
            raise ConfigError(f"expected the columns of a run in {path}, found no {name}")
    return dict(zip(header, table.T, strict=True))


def learning(columns: Columns) -> Columns:
    """The reports in which there was learning: in others, losses are zero and mean nothing."""
    learned = columns["policy_loss"] > 0
    return {name: column[learned] for name, column in columns.items()}


def draw_lines(axis: Axes, columns: Columns, labels: Mapping[str, str]) -> None:
    """Columns over time, with names where there are several."""
    _, seconds = time_unit(columns)
    for (name, label), colour in zip(labels.items(), COLOURS, strict=False):
        time, values = thinned(columns["elapsed_s"] / seconds), thinned(columns[name])
        marker = "o" if len(values) < 30 else None
        axis.plot(time, values, label=label, color=colour, marker=marker, markersize=3)
    if len(labels) > 1:
        axis.legend(fontsize=8)


def draw_speed(axis: Axes, columns: Columns) -> None:
    """Speeds on a logarithmic axis, since they differ widely; zeros are left out."""
    labels = {
        "evals_per_s": "evaluations",
        "samples_per_s": "positions learned from",
        "positions_per_s": "positions played",
        "games_per_s": "games",
    }
    done = {name: np.where(columns[name] > 0, columns[name], np.nan) for name in labels}
    axis.set_yscale("log")
    draw_lines(axis, columns | done, labels)
    low, high = axis.get_ylim()
    axis.set_ylim(low, high * (high / low) ** 0.25)  # room for the names
    axis.legend(fontsize=8, loc="upper center", ncols=2)


def draw_elo(axis: Axes, folder: Path, columns: Columns) -> None:
    """Elo of the run's snapshots, if they played matches."""
    ratings = rate(read_matches(folder / "ladder.json"))
    if ratings:
        seconds = {name: int(Path(name).stem.split("-")[-1]) for name in ratings}
        times, elo = np.array(sorted((seconds[name], ratings[name]) for name in ratings)).T
        axis.plot(times / time_unit(columns)[1], elo, color=COLOURS[0], marker="o", markersize=3)
    else:
        axis.text(0.5, 0.5, "no matches were played", ha="center", va="center")
        axis.set_xticks([])
        axis.set_yticks([])


def thinned(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Means of neighbours, so that few enough points are left.

    >>> len(thinned(np.zeros(1000)))
    143
    """
    together = -(-len(values) // MOST_POINTS) or 1
    starts = np.arange(0, len(values), together)
    if not len(starts):
        return values
    ends = np.append(starts[1:], len(values))
    means: NDArray[np.float64] = np.add.reduceat(values, starts) / (ends - starts)
    return means


def time_unit(columns: Columns) -> tuple[str, float]:
    """The unit that suits a run, and its seconds."""
    end = columns["elapsed_s"][-1] if len(columns["elapsed_s"]) else 0
    return ("seconds", 1) if end < 600 else ("minutes", 60) if end < 4 * 3600 else ("hours", 3600)


def heading(folder: Path, columns: Columns) -> str:
    """What was trained, and how much."""
    saved = folder / "config.json"
    parts = [folder.resolve().name]
    if saved.exists():
        config = TrainConfig.load(saved)
        start = config.start
        parts.append(start.game.describe(start.game.settings(start)))
        parts.append(f"{config.blocks} blocks of {config.channels} channels")
    last = {name: f"{columns[name][-1]:,.0f}" for name in ("games", "positions", "steps")}
    parts += [f"{number} {name}" for name, number in last.items()]
    return "   ·   ".join(parts)
