"""A plot of the parameters over the iterations of an SPSA run."""

from __future__ import annotations

from pathlib import Path

from plyground.figures import COLOURS, decorate, load_figure, save_figure
from plyground.tune.run_folder import LogRow
from plyground.tune.spsa_run import SpsaConfig

COLUMNS = 3


def write_spsa_plot(config: SpsaConfig, log: list[LogRow], path: Path) -> None:
    """Draw a panel for each parameter, with its initial value."""
    rows = -(-len(config.parameters) // COLUMNS)
    figure = load_figure()(figsize=(9, 0.6 + 1.9 * rows), layout="constrained")
    axes = figure.subplots(rows, COLUMNS, squeeze=False, sharex=True).ravel()
    iterations = [row["iterations"] for row in log]
    for axis, parameter in zip(axes, config.parameters, strict=False):
        axis.axhline(parameter.start, color=COLOURS[1], linewidth=1)
        axis.plot(iterations, [row[parameter.name] for row in log], color=COLOURS[0], linewidth=1.2)
        decorate(axis, parameter.name, "iterations")
    for axis in axes[len(config.parameters) :]:
        axis.set_visible(False)
    save_figure(figure, path)
