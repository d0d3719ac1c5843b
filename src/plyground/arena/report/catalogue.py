"""The plots of a board in a report, with their titles and captions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from plyground.arena.report.digest import AgentDigest, BoardDigest, ByPly
from plyground.arena.report.openings import DEPTH
from plyground.arena.report.plots import (
    MOST_CELLS,
    MOST_LINES,
    MOST_ROWS,
    draw_by_ply,
    draw_first_player,
    draw_ladder,
    draw_lengths,
    draw_matrix,
    draw_openings,
    draw_results,
    draw_speed,
)
from plyground.figures import decorate, load_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 4.5
"""Width of a plot in inches, small enough for a phone at a readable text size."""
ALL_AGENTS = sys.maxsize


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot of a board."""

    name: str
    """Part of its files' names."""
    title: str
    about: str
    """The caption."""
    draw: Callable[[Axes, BoardDigest], None]
    most: int
    """The most agents it shows; the strongest come first."""
    rows: Callable[[BoardDigest], int] | None = None
    """The number of rows, if the height depends on it."""
    applies: Callable[[BoardDigest], bool] = lambda _: True
    """Whether the board has data for it."""

    def figure(self, board: BoardDigest) -> Figure:
        """Draw the plot."""
        height = 3.1
        if self.rows is not None:
            height = 1.1 + 0.27 * min(self.most, max(2, self.rows(board)))
        figure = load_figure()(figsize=(WIDTH, height), layout="constrained")
        self.draw(figure.subplots(), board)
        return figure

    def caption(self, board: BoardDigest) -> str:
        """The caption, which says if agents are left out."""
        is_all = len(board.agents) <= self.most
        return self.about if is_all else f"{self.about} These are the {self.most} strongest."


def best_first(board: BoardDigest) -> dict[str, str]:
    """Labels of a board's agents, best first: their place in the standings, and their name."""
    return {
        row.agent: f"{place} {board.crosstable.title(row.agent)}"
        for place, row in enumerate(board.standings[0], 1)
    }


def least(board: BoardDigest) -> int:
    """The fewest moves for an average by ply: few games are very long, and averages would jump."""
    return 1 + board.games // (20 * max(1, len(board.agents)))


def _first_player(axis: Axes, board: BoardDigest) -> None:
    shares = {}
    for name, label in best_first(board).items():
        agent = board.agents[name]
        shares[label] = agent.score(1), agent.score(2)
    draw_first_player(axis, shares)


def _results(axis: Axes, board: BoardDigest) -> None:
    names = best_first(board).items()
    draw_results(axis, {label: board.crosstable.counts(name) for name, label in names})


def lines_of(
    board: BoardDigest, numbers: Callable[[AgentDigest], ByPly], scale: float
) -> dict[str, dict[int, float]]:
    """Averages by ply of all agents that have any, best first."""
    lines = {}
    for name, label in best_first(board).items():
        means = numbers(board.agents[name]).means(least(board))
        if means:
            lines[label] = {ply: scale * value for ply, value in means.items()}
    return lines


def _times(axis: Axes, board: BoardDigest) -> None:
    draw_by_ply(axis, lines_of(board, lambda agent: agent.times, 1000))
    axis.set_yscale("symlog", linthresh=1)
    axis.set_ylim(bottom=0)
    axis.yaxis.set_major_formatter("{x:,g}")
    axis.set_ylabel("milliseconds")
    decorate(axis, "Time of a move", "ply after the opening")


def _kind(kind: str, axis: Axes, board: BoardDigest) -> None:
    draw_by_ply(axis, lines_of(board, lambda agent: agent.kinds.get(kind, ByPly()), 100))
    axis.set_ylim(-3, 103)
    axis.set_ylabel("% of moves")
    decorate(axis, f"Moves that are {kind}", "ply after the opening")


def speeds_of(board: BoardDigest) -> dict[str, float]:
    """Nodes per second of the agents that report nodes, best agent first."""
    names = best_first(board).items()
    speeds = {label: board.agents[name].nodes_per_second for name, label in names}
    return {label: speed for label, speed in speeds.items() if speed}


def plots_of(board: BoardDigest) -> list[Plot]:
    """The plots that a board has data for."""
    kinds = [
        Plot(
            kind,
            f"Use of {kind}",
            f"Share of an agent's moves that were {kind}, ply by ply.",
            partial(_kind, kind),
            MOST_LINES,
        )
        for kind in board.move_kinds
    ]
    plots = [*_BEFORE_KINDS, *kinds, *_AFTER_KINDS]
    return [plot for plot in plots if plot.applies(board)]


_BEFORE_KINDS = (
    Plot(
        "elo", "Elo",
        "Strength of each agent, with 95% intervals.",
        lambda axis, board: draw_ladder(axis, board.crosstable, board.standings[0]),
        MOST_ROWS,
        lambda board: len(board.agents),
    ),
    Plot(
        "matrix", "Who beats whom",
        "Score of the agent in a row against the agent in a column, in percent.",
        lambda axis, board: draw_matrix(axis, board.crosstable, list(best_first(board))),
        MOST_CELLS,
        lambda board: len(board.agents),
    ),
    Plot(
        "first-player", "The first move",
        "Score of each agent as player 1 and as player 2.",
        _first_player,
        MOST_ROWS,
        lambda board: len(board.agents),
    ),
    Plot(
        "results", "Wins and draws",
        "Shares of games that each agent won, drew and lost.",
        _results,
        MOST_ROWS,
        lambda board: len(board.agents),
    ),
    Plot(
        "lengths", "Length of the games",
        "Games by their number of plies.",
        lambda axis, board: draw_lengths(axis, board.lengths),
        ALL_AGENTS,
    ),
    Plot(
        "times", "Time of a move",
        "Average time of a move, ply by ply; records keep times to the millisecond.",
        _times,
        MOST_LINES,
        applies=lambda board: any(agent.times.counts for agent in board.agents.values()),
    ),
)  # fmt: skip
_AFTER_KINDS = (
    Plot(
        "speed", "Nodes per second",
        "Positions searched per second of thinking, for agents that report them.",
        lambda axis, board: draw_speed(axis, speeds_of(board)),
        MOST_ROWS,
        lambda board: len(speeds_of(board)),
        lambda board: bool(speeds_of(board)),
    ),
    Plot(
        "openings", "Openings",
        f"Start positions and the first {DEPTH} plies; the height of a box shows its games.",
        lambda axis, board: draw_openings(axis, board.openings),
        ALL_AGENTS,
    ),
)  # fmt: skip
