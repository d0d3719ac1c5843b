"""Which plots a report has of a board, and what they are called."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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

WIDTH = 4.5
"""Inches: small enough for a telephone, where text is then as large as on a sheet of paper."""
EVERYBODY = sys.maxsize


@dataclass(frozen=True, slots=True)
class Plot:
    """One of a board's plots."""

    name: str
    """Of its files."""
    title: str
    about: str
    """What there is to see."""
    draw: Callable[[Any, BoardDigest], None]
    most: int
    """How many agents it shows, the strongest ones."""
    rows: Callable[[BoardDigest], int] | None = None
    """How many rows it has, where its height depends on that."""
    is_there: Callable[[BoardDigest], bool] = lambda _: True

    def figure(self, board: BoardDigest) -> Any:
        """Draw it."""
        height = 3.1
        if self.rows is not None:
            height = 1.1 + 0.27 * min(self.most, max(2, self.rows(board)))
        figure = load_figure()(figsize=(WIDTH, height), layout="constrained")
        self.draw(figure.subplots(), board)
        return figure

    def caption(self, board: BoardDigest) -> str:
        """What there is to see, and what is not."""
        is_all = len(board.agents) <= self.most
        return self.about if is_all else f"{self.about} These are the {self.most} strongest."


def best_first(board: BoardDigest) -> dict[str, str]:
    """What the plots call the agents of a board: their place in the table, and their name."""
    return {row.agent: f"{place} {row.agent}" for place, row in enumerate(board.standings[0], 1)}


def least(board: BoardDigest) -> int:
    """Moves that an average needs: where few games are as long, it would jump about."""
    return 1 + board.games // (20 * max(1, len(board.agents)))


def _first_player(axis: Any, board: BoardDigest) -> None:
    shares = {}
    for name, label in best_first(board).items():
        agent = board.agents[name]
        shares[label] = agent.score(1), agent.score(2)
    draw_first_player(axis, shares)


def _results(axis: Any, board: BoardDigest) -> None:
    names = best_first(board).items()
    draw_results(axis, {label: board.scores.counts(name) for name, label in names})


def lines_of(
    board: BoardDigest, numbers: Callable[[AgentDigest], ByPly], scale: float
) -> dict[str, dict[int, float]]:
    """Averages by ply of all agents that have any, the best first."""
    lines = {}
    for name, label in best_first(board).items():
        means = numbers(board.agents[name]).means(least(board))
        if means:
            lines[label] = {ply: scale * value for ply, value in means.items()}
    return lines


def _times(axis: Any, board: BoardDigest) -> None:
    draw_by_ply(axis, lines_of(board, lambda agent: agent.times, 1000))
    axis.set_yscale("symlog", linthresh=1)
    axis.set_ylim(bottom=0)
    axis.yaxis.set_major_formatter("{x:,g}")
    axis.set_ylabel("milliseconds")
    decorate(axis, "Time of a move", "ply after the opening")


def _walls(axis: Any, board: BoardDigest) -> None:
    draw_by_ply(axis, lines_of(board, lambda agent: agent.walls, 100))
    axis.set_ylim(-3, 103)
    axis.set_ylabel("% of moves")
    decorate(axis, "Moves that are walls", "ply after the opening")


def speeds_of(board: BoardDigest) -> dict[str, float]:
    """Nodes a second of the agents that tell, the best agent first."""
    names = best_first(board).items()
    speeds = {label: board.agents[name].nodes_a_second for name, label in names}
    return {label: speed for label, speed in speeds.items() if speed}


PLOTS = (
    Plot(
        "elo", "Elo",
        "How strong each agent is; true strengths lie within the bars in 95% of tournaments.",
        lambda axis, board: draw_ladder(axis, board.standings[0]),
        MOST_ROWS,
        lambda board: len(board.agents),
    ),
    Plot(
        "matrix", "Who beats whom",
        "Points of a hundred that the agent of a row scored against the one of a column.",
        lambda axis, board: draw_matrix(axis, board.scores, list(best_first(board))),
        MOST_CELLS,
        lambda board: len(board.agents),
    ),
    Plot(
        "first-player", "The first move",
        "What each agent scored as player 1 and as player 2.",
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
        "How many games took how many plies.",
        lambda axis, board: draw_lengths(axis, board.lengths),
        EVERYBODY,
    ),
    Plot(
        "times", "Time of a move",
        "What a move took on average, ply by ply; records keep times to the millisecond.",
        _times,
        MOST_LINES,
        is_there=lambda board: any(agent.times.counts for agent in board.agents.values()),
    ),
    Plot(
        "walls", "Use of walls",
        "How many of an agent's moves were walls, ply by ply.",
        _walls,
        MOST_LINES,
        is_there=lambda board: any(agent.walls.counts for agent in board.agents.values()),
    ),
    Plot(
        "speed", "Nodes a second",
        "Positions looked at in a second of thinking, by the agents that tell.",
        lambda axis, board: draw_speed(axis, speeds_of(board)),
        MOST_ROWS,
        lambda board: len(speeds_of(board)),
        lambda board: bool(speeds_of(board)),
    ),
    Plot(
        "openings", "Openings",
        f"Where games started, and their first {DEPTH} plies: the more games, the higher a box.",
        lambda axis, board: draw_openings(axis, board.openings),
        EVERYBODY,
    ),
)  # fmt: skip
