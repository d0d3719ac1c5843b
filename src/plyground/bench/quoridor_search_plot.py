"""The measurements of `quoridor_search.py` as a plot (extra `plot`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from plyground.bench.quoridor_search_report import BoardReport
from plyground.errors import ConfigError
from plyground.figures import COLOURS, decorate, load_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SUFFIXES = (".svg", ".png", ".pdf")
MINIMAX, ENGINE = "#999999", "#000000"


def check_plot(path: Path) -> None:
    """Raise a ConfigError if no plot can be written there, before anything is measured."""
    if path.suffix.lower() not in SUFFIXES:
        raise ConfigError(f"expected a plot to end in {', '.join(SUFFIXES)}, got {str(path)!r}")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"cannot write {str(path)!r}: no folder {str(path.parent)!r}")
    load_figure()


def write_plot(boards: list[BoardReport], path: Path) -> None:
    """Nodes by depth for each board; below, time to depth, the engine's switches, and threads."""
    figure = load_figure()(figsize=(13, 8.2), layout="constrained")
    above, below = figure.subfigures(2, 1, squeeze=False, height_ratios=(1, 1.15))[:, 0]
    axes = above.subplots(1, len(boards), squeeze=False)[0]
    for axis, board in zip(axes, boards, strict=True):
        draw_nodes(axis, board)
    axes[0].set_ylabel("nodes, all positions")
    axes[0].legend(fontsize=8)
    times, parts, threads = below.subplots(1, 3)
    draw_times(times, boards)
    draw_switches(parts, boards[-1])
    draw_threads(threads, boards)
    save_figure(figure, path)


def draw_nodes(axis: Axes, board: BoardReport) -> None:
    """Minimax, alpha-beta with each wall order, and the engine."""

    def line(rows: list[tuple[int, int]], label: str, colour: str, marker: str) -> None:
        axis.plot(*zip(*rows, strict=True), label=label, color=colour, marker=marker, markersize=4)

    line([(row.depth, row.nodes) for row in board.minimax], "minimax", MINIMAX, "s")
    for (order, rows), colour in zip(board.alphabeta.items(), COLOURS, strict=False):
        line([(row.depth, row.nodes) for row in rows], f"alpha-beta, {order}", colour, "o")
    everywhere = [(row.depth, row.nodes) for row in board.engine if row.nodes is not None]
    line(everywhere, "engine", ENGINE, "^")
    axis.set_yscale("log")
    decorate(axis, f"{board_name(board)}, {len(board.positions)} positions", "depth")


def draw_times(axis: Axes, boards: list[BoardReport]) -> None:
    """The engine's time to each depth from the start of the game."""
    for board, colour in zip(boards, COLOURS, strict=False):
        times = {
            row.depth: row.start_seconds for row in board.engine if row.start_seconds is not None
        }
        depths, seconds = list(times), list(times.values())
        axis.plot(depths, seconds, label=board_name(board), color=colour, marker="o", markersize=4)
    axis.set_yscale("log")
    axis.set_ylabel("seconds, one thread")
    axis.legend(fontsize=8)
    decorate(axis, "Engine: time to depth from the start", "depth")


def draw_switches(axis: Axes, board: BoardReport) -> None:
    """The cost of changing each switch of the engine, on the largest board."""
    costs = sorted(board.switches, key=lambda cost: cost.nodes_ratio)
    labels = [
        f"{cost.name} {'on' if cost.on else 'off'}{' (at least)' if cost.cut_short else ''}"
        for cost in costs
    ]
    rows = range(len(costs))
    ratios = [cost.nodes_ratio for cost in costs]
    # Bars begin at 1: no difference.
    axis.barh(rows, [ratio - 1 for ratio in ratios], left=1, color=COLOURS[0], label="nodes")
    timed = [(cost.time_ratio, row) for row, cost in enumerate(costs) if cost.time_ratio]
    if timed:
        axis.plot(*zip(*timed, strict=True), "D", color=COLOURS[1], markersize=5, label="time")
    axis.axvline(1, color=ENGINE, linewidth=1)
    axis.set_yticks(rows, labels, fontsize=8)
    axis.set_xscale("log")
    shown = [*ratios, *(ratio for ratio, _ in timed), 1.0]
    low, high = min(shown) / 1.15, max(shown) * 1.15
    axis.set_xticks([x for x in (0.2, 0.5, 1, 2, 3, 5, 10, 20, 50, 100) if low <= x <= high])
    axis.set_xlim(low, high)
    axis.xaxis.set_major_formatter("{x:g}")
    axis.xaxis.set_minor_formatter("")
    axis.legend(fontsize=8, loc="lower right")
    title = f"Engine, {board_name(board)} to depth {board.switch_depth}: one switch changed"
    decorate(axis, title, "cost as a multiple of the default's")


def draw_threads(axis: Axes, boards: list[BoardReport]) -> None:
    """Nodes per second and time to depth, as multiples of one thread's."""
    counts: list[int] = []
    for board, colour in zip(boards, COLOURS, strict=False):
        if not board.threads:
            continue
        counts = [speed.threads for speed in board.threads]
        nodes = [speed.nodes_ratio for speed in board.threads]
        depth = [speed.depth_speedup for speed in board.threads]
        name = board_name(board)
        axis.plot(counts, nodes, color=colour, marker="o", label=f"{name}: nodes per second")
        axis.plot(counts, depth, color=colour, marker="D", ls="--", label=f"{name}: same depth")
    if counts:
        axis.plot(counts, counts, color=MINIMAX, ls=":", label="linear speedup")
        axis.set_xticks(counts)
        axis.set_ylim(bottom=0)
        axis.legend(fontsize=8)
    else:
        axis.text(0.5, 0.5, "all positions are proven at once", ha="center", va="center")
        axis.set_xticks([])
        axis.set_yticks([])
    axis.set_ylabel("speedup over one thread")
    decorate(axis, "Engine: threads", "threads")


def board_name(board: BoardReport) -> str:
    """The board's size, such as 9x9."""
    return f"{board.board_size}x{board.board_size}"
