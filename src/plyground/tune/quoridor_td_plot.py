"""A plot of the weights and errors over the games of a TD run."""

from __future__ import annotations

from pathlib import Path

from plyground.figures import COLOURS, decorate, load_figure, save_figure
from plyground.tune.quoridor_td import TdConfig
from plyground.tune.run_folder import LogRow

_STYLES = ("-", "--", ":", "-.")
_MORE_COLOURS = ("#D55E00", "#56B4E9", "#F0E442", "#000000", "#999999")


def write_td_plot(config: TdConfig, log: list[LogRow], path: Path) -> None:
    """Draw each seed's weights and errors."""
    figure = load_figure()(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    for index, seed in enumerate(config.seeds):
        rows = [row for row in log if row["seed"] == seed]
        games = [row["games"] for row in rows]
        style = _STYLES[index % len(_STYLES)]
        for name, colour in zip(config.features, COLOURS + _MORE_COLOURS, strict=False):
            label = name if index == 0 else None
            left.plot(games, [row[name] for row in rows], style, color=colour, label=label, lw=1.2)
        for name, colour in (("outcome_error", COLOURS[0]), ("td_error", COLOURS[1])):
            label = name.replace("_", " ") if index == 0 else None
            right.plot(games, [row[name] for row in rows], style, color=colour, label=label, lw=1)
    seeds = f"{len(config.seeds)} seeds" if len(config.seeds) > 1 else "1 seed"
    size = config.game_config().board_size
    decorate(left, f"Weights on {size}x{size}, {seeds}", "games")
    decorate(right, "Root mean square error of the predictions", "games")
    right.set_ylim(bottom=0)
    for axis in (left, right):
        axis.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=4)
    save_figure(figure, path)
