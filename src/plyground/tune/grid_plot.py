"""A plot of a grid: a heat map for each pair of options, or points for a single option."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from plyground.figures import COLOURS, decorate, load_figure, save_figure
from plyground.tune.grid import ELO_LIMIT, GridConfig, GridRow, mean_elo

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage


def write_grid_plot(config: GridConfig, rows: Sequence[GridRow], path: Path) -> None:
    """Draw the Elo of all configurations above the reference."""
    names = [name for name, values in config.grid.items() if len(values) > 1] or list(config.grid)
    pairs = list(combinations(names, 2))
    figure = load_figure()(figsize=(4.2 * max(1, len(pairs)), 3.6), layout="constrained")
    axes = figure.subplots(1, max(1, len(pairs)), squeeze=False)[0]
    if not pairs:
        _draw_line(axes[0], config, rows, names[0])
    maps = [_means(config, rows, *pair) for pair in pairs]
    top = max((float(np.nanmax(np.abs(found))) for found in maps), default=1.0) or 1.0
    for axis, pair, found in zip(axes, pairs, maps, strict=False):
        image = _draw_map(axis, config, pair, found, top)
    if pairs:
        figure.colorbar(image, ax=list(axes), label="Elo above the reference", shrink=0.9)
    save_figure(figure, path)


def _means(
    config: GridConfig, rows: Sequence[GridRow], across: str, up: str
) -> NDArray[np.float64]:
    return np.array(
        [[mean_elo(rows, {across: x, up: y}) for x in config.grid[across]] for y in config.grid[up]]
    )


def _draw_map(
    axis: Axes, config: GridConfig, pair: tuple[str, str], found: NDArray[np.float64], top: float
) -> AxesImage:
    across, up = pair
    image = axis.imshow(found, origin="lower", cmap="RdBu", vmin=-top, vmax=top, aspect="auto")
    for (y, x), elo in np.ndenumerate(found):
        shade = "white" if abs(elo) > 0.6 * top else "black"
        axis.text(x, y, f"{elo:+.0f}", ha="center", va="center", fontsize=8, color=shade)
    axis.set_xticks(range(len(config.grid[across])), [f"{v:g}" for v in config.grid[across]])
    axis.set_yticks(range(len(config.grid[up])), [f"{v:g}" for v in config.grid[up]])
    others = [name for name in config.grid if name not in pair and len(config.grid[name]) > 1]
    decorate(axis, f"mean over {', '.join(others)}" if others else "Elo", across)
    axis.set_ylabel(up)
    axis.grid(visible=False)
    return image


def _draw_line(axis: Axes, config: GridConfig, rows: Sequence[GridRow], name: str) -> None:
    for row in rows:
        found = row.elo.elo, row.elo.low, row.elo.high
        elo, low, high = (max(-ELO_LIMIT, min(ELO_LIMIT, value)) for value in found)
        axis.errorbar(
            row.options[name],
            elo,
            yerr=[[elo - low], [high - elo]],
            color=COLOURS[0],
            marker="o",
            capsize=3,
        )
    axis.axhline(0, color=COLOURS[1], linewidth=1)
    decorate(axis, f"{config.agent}, 95% intervals", name)
    axis.set_ylabel("Elo above the reference")
