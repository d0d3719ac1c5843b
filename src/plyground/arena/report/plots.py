"""The plots of a report: functions of an axis and plain numbers, reusable elsewhere.

`catalogue.py` says which of them a board has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from plyground.arena.crosstable import Crosstable, Standing
from plyground.arena.report.openings import OpeningNode
from plyground.figures import COLOURS, decorate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.colors import Colormap

MOST_ROWS = 40
"""The most agents in a plot with a row for each."""
MOST_CELLS = 16
"""The most agents in a matrix."""
MOST_LINES = 8
"""The most agents in a plot with a line for each: four colours, solid and dashed."""
MOST_BINS = 40
NAME = 24
"""The most characters of a name; the tables have the full name."""
WON, DRAWN, LOST = COLOURS[0], "#999999", COLOURS[1]
RESULTS = {"1-0": "player 1 won", "1/2-1/2": "drawn", "0-1": "player 2 won"}


def short(name: str, most: int = NAME) -> str:
    """A name, shortened in the middle: names differ most at the end.

    >>> short("engine:nodes=200,hash_mb=1,threads=2", 16)
    'engine:no…eads=2'
    """
    if len(name) <= most:
        return name
    return f"{name[: most // 2 + 1]}…{name[-(most - most // 2 - 2) :]}"


def draw_ladder(axis: Axes, crosstable: Crosstable, table: Sequence[Standing]) -> None:
    """Elo with its 95% interval, the best agent at the top."""
    rows = [row for row in table if row.games][:MOST_ROWS]
    for place, row in enumerate(rows):
        low, high = row.rating.low, row.rating.high
        axis.plot([low, high], [place, place], color=COLOURS[0], linewidth=2.5, alpha=0.6)
    elo = [row.rating.elo for row in rows]
    axis.plot(elo, range(len(rows)), "o", color=COLOURS[0], markersize=5)
    label_rows(axis, [f"{n} {crosstable.title(row.agent)}" for n, row in enumerate(rows, 1)])
    decorate(axis, "Elo", "Elo with 95% intervals; the average is 0")


def draw_matrix(axis: Axes, crosstable: Crosstable, order: Sequence[str]) -> None:
    """The share of points of each agent (row) against each other agent (column)."""
    from matplotlib.patches import Rectangle

    names = list(order)[:MOST_CELLS]
    colours = load_colours([LOST, "#dddddd", WON])
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            wins, draws, losses = crosstable.counts(one, other) if one != other else (0, 0, 0)
            games = wins + draws + losses
            if not games:
                continue
            share = (wins + draws / 2) / games
            corner = (column - 0.48, row - 0.48)
            axis.add_patch(Rectangle(corner, 0.96, 0.96, color=colours(share), linewidth=0))
            size = 8 if len(names) <= 8 else 6
            ink = "#ffffff" if share > 0.8 else "#111111"
            text = f"{100 * share:.0f}"
            axis.text(column, row, text, ha="center", va="center", fontsize=size, color=ink)
    numbers = [str(place) for place in range(1, len(names) + 1)]
    label_rows(
        axis, [f"{n} {crosstable.title(name)}" for name, n in zip(names, numbers, strict=True)]
    )
    axis.set_xticks(range(len(names)), numbers, fontsize=8)
    axis.set_xlim(-0.5, len(names) - 0.5)
    decorate(axis, "Score in percent, row against column", "")
    axis.grid(visible=False)
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)


def draw_first_player(axis: Axes, shares: Mapping[str, tuple[float | None, float | None]]) -> None:
    """The score of each agent as player 1 and as player 2."""
    names = list(shares)[:MOST_ROWS]
    for row, name in enumerate(names):
        known = [100 * share for share in shares[name] if share is not None]
        axis.plot(known, [row] * len(known), color=DRAWN, linewidth=1.5, zorder=1)
    for player, (colour, marker) in enumerate([(COLOURS[0], "o"), (COLOURS[1], "D")]):
        points = [
            (100 * share, row)
            for row, name in enumerate(names)
            if (share := shares[name][player]) is not None
        ]
        if points:
            x, y = zip(*points, strict=True)
            label = f"as player {player + 1}"
            axis.plot(x, y, marker, color=colour, markersize=5, label=label)
    axis.set_xlim(-3, 103)
    label_rows(axis, names)
    legend_below(axis, 2)
    decorate(axis, "Score with and without the first move", "score in percent")


def draw_results(axis: Axes, results: Mapping[str, tuple[int, int, int]]) -> None:
    """Shares of games that each agent won, drew and lost."""
    names = list(results)[:MOST_ROWS]
    left = [0.0] * len(names)
    for part, (label, colour) in enumerate([("won", WON), ("drawn", DRAWN), ("lost", LOST)]):
        share = [100 * results[name][part] / (sum(results[name]) or 1) for name in names]
        axis.barh(range(len(names)), share, left=left, color=colour, label=label, height=0.7)
        left = [before + more for before, more in zip(left, share, strict=True)]
    axis.set_xlim(0, 100)
    label_rows(axis, names)
    legend_below(axis, 3)
    decorate(axis, "Won, drawn and lost", "% of games")


def draw_lengths(axis: Axes, lengths: Mapping[str, Mapping[int, int]]) -> None:
    """Games by their number of plies and their result."""
    plies = [ply for counts in lengths.values() for ply in counts]
    low, high = (min(plies), max(plies)) if plies else (0, 0)
    width = -(-(high - low + 1) // MOST_BINS)
    edges = list(range(low, high + width + 1, width))
    colours = {"1-0": WON, "1/2-1/2": DRAWN, "0-1": LOST}
    known = [result for result in colours if lengths.get(result)]
    axis.hist(
        [list(lengths[result]) for result in known],
        bins=[edge - 0.5 for edge in edges],
        weights=[list(lengths[result].values()) for result in known],
        color=[colours[result] for result in known],
        label=[RESULTS[result] for result in known],
        stacked=True,
    )
    use_whole_ticks(axis.yaxis)
    use_whole_ticks(axis.xaxis)
    axis.set_ylabel("games")
    if known:
        axis.legend(fontsize=8, frameon=False)
    decorate(axis, "Length of the games", "plies after the opening")


def draw_by_ply(axis: Axes, lines: Mapping[str, Mapping[int, float]]) -> None:
    """A line for each agent, over the plies of a game."""
    for number, (name, values) in enumerate(list(lines.items())[:MOST_LINES]):
        axis.plot(
            list(values),
            list(values.values()),
            color=COLOURS[number % len(COLOURS)],
            linestyle="-" if number < len(COLOURS) else "--",
            marker="o" if len(values) < 3 else None,
            markersize=3,
            linewidth=1.2,
            label=short(name),
        )
    use_whole_ticks(axis.xaxis)
    legend_below(axis, 2)


def draw_speed(axis: Axes, speeds: Mapping[str, float]) -> None:
    """Nodes per second, on a logarithmic scale."""
    names = list(speeds)[:MOST_ROWS]
    values = [speeds[name] for name in names]
    axis.set_xscale("log")
    axis.plot(values, range(len(names)), "o", color=COLOURS[2], markersize=5)
    for row, value in enumerate(values):
        axis.annotate(
            f" {value:,.0f}", (value, row), fontsize=8, va="bottom", ha="center",
            textcoords="offset points", xytext=(0, 3),
        )  # fmt: skip
    if values:
        low, high = math.log10(min(values)), math.log10(max(values))
        axis.set_xlim(10 ** math.floor(low - 0.2), 10 ** math.ceil(high + 0.2))
    axis.xaxis.set_major_formatter("{x:,.0f}")
    label_rows(axis, names)
    decorate(axis, "Nodes per second", "nodes per second of thinking")


def draw_openings(axis: Axes, root: OpeningNode) -> None:
    """The tree from left to right; a box's height shows its games, its colour player 1's score."""
    from matplotlib.patches import Rectangle

    colours = load_colours([LOST, "#dddddd", WON])
    most, columns = max(1, root.games), 0

    def draw(node: OpeningNode, column: int, top: float) -> None:
        nonlocal columns
        for name, child in node.most_played(len(node.children)):
            height = child.games / most
            if height < 1 / 200:  # too thin to see, as are all that follow
                break
            columns = max(columns, column)
            patch = Rectangle(
                (column - 1, top),
                0.97,
                height,
                facecolor=colours(child.score),
                edgecolor="#888888",
                linewidth=0.4 if height > 1 / 50 else 0,
            )
            axis.add_patch(patch)
            if height > 1 / 28:
                ink = "#ffffff" if child.score > 0.8 else "#111111"
                text = short(name, 9 if column == 1 else 6)
                axis.text(
                    column - 0.515,
                    top + height / 2,
                    text,
                    ha="center",
                    va="center",
                    fontsize=7,
                    color=ink,
                )
            draw(child, column + 1, top)
            top += height

    draw(root, 1, 0.0)
    axis.set_xlim(-0.03, max(1, columns))
    axis.set_ylim(1, 0)
    axis.set_yticks([])
    axis.set_xticks(
        [column + 0.485 for column in range(columns)],
        ["start", *map(str, range(1, columns))][:columns],
    )
    decorate(axis, "Openings", "plies; blue: player 1 scored more, orange: player 2")
    axis.grid(visible=False)
    axis.spines[:].set_visible(False)


def draw_boards(axis: Axes, shares: Mapping[str, tuple[float, float]]) -> None:
    """Player 1's score on each board, with half the width of its 95% interval."""
    names = list(shares)
    for row, name in enumerate(names):
        share, error = shares[name]
        axis.errorbar(
            100 * share, row, xerr=100 * error, fmt="o", color=COLOURS[0], capsize=3, markersize=5
        )
    axis.axvline(50, color=DRAWN, linewidth=1)
    label_rows(axis, names)
    decorate(axis, "The first player's score", "score in percent, with 95% intervals")


def legend_below(axis: Axes, columns: int) -> None:
    """A legend below the plot."""
    figure = axis.get_figure()
    if (handles := axis.get_legend_handles_labels()[0]) and figure is not None:
        figure.legend(
            handles=handles, loc="outside lower center", ncols=columns, fontsize=8, frameon=False
        )


def use_whole_ticks(axis: Axis) -> None:
    """Set matplotlib's usual ticks, at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 2.5, 5, 10]))


def label_rows(axis: Axes, names: Sequence[str]) -> None:
    """Names beside the rows of a plot, the first at the top."""
    axis.set_yticks(range(len(names)), list(map(short, names)), fontsize=8)
    axis.set_ylim(max(1, len(names)) - 0.5, -0.5)


def load_colours(colours: Sequence[str]) -> Colormap:
    """A colour map from 0 to 1 through these colours."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("shares", list(colours))
