"""How much a ply of search is worth, and what it costs.

An agent plays a round robin against itself at several depths. The tournament's Elo says what a
depth is worth, the store what it took: positions looked at, which are the same on every machine,
and time, which is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyground.arena.config import ArenaConfig
from plyground.arena.estimate import Estimate, elo_estimate
from plyground.arena.rating import Rating
from plyground.arena.store import Filter
from plyground.arena.tournament import Tournament
from plyground.figures import COLOURS, decorate, load_figure, save_figure
from plyground.study.markdown import format_markdown
from plyground.tune.candidates import with_options

PRESETS = {3: "tiny", 5: "small", 9: "standard"}
"""Boards that have one; others get the walls of the standard board."""


@dataclass(frozen=True)
class DepthRow:
    """What was found about one depth."""

    depth: int
    rating: Rating
    over_previous: Estimate | None
    """Its games against the depth one lower in the table."""
    nodes: float
    """Positions looked at, a move."""
    milliseconds: float
    """Time taken, a move."""


def depth_config(
    agent: str, depths: Sequence[int], board: int, settings: dict[str, Any]
) -> ArenaConfig:
    """The tournament; the settings are those of one."""
    where = {"preset": PRESETS[board]} if board in PRESETS else {"board": board}
    agents = [with_options(agent, {"depth": depth}) for depth in depths]
    return ArenaConfig.of({**settings, **where, "agents": agents})


def depth_rows(tournament: Tournament, depths: Sequence[int]) -> list[DepthRow]:
    """What the games so far say, by depth."""
    agents = tournament.config.agents
    costs = _costs(tournament)
    _, ratings = tournament.scores.standings()
    rows: list[DepthRow] = []
    for index, (agent, depth) in enumerate(zip(agents, depths, strict=True)):
        pairs = tournament.scores.pair_scores(agent, agents[index - 1]) if index else []
        moves, nodes, seconds = costs[agent]
        rows.append(
            DepthRow(
                depth,
                ratings.players[agent],
                elo_estimate(pairs) if index else None,
                nodes / max(moves, 1),
                1000 * seconds / max(moves, 1),
            )
        )
    return rows


def _costs(tournament: Tournament) -> dict[str, tuple[int, int, float]]:
    """Moves, positions looked at and seconds of each agent."""
    totals = dict.fromkeys(tournament.config.agents, (0, 0, 0.0))
    for game in tournament.store.games(Filter(tournament=tournament.number)):
        first = int(game.start.split()[4])  # who is to move in the opening
        for player, agent, nodes, seconds in (
            (1, game.player1, game.nodes1, game.seconds1),
            (2, game.player2, game.nodes2, game.seconds2),
        ):
            if agent in totals:
                moves = (game.plies + (player == first)) // 2
                before = totals[agent]
                totals[agent] = (before[0] + moves, before[1] + nodes, before[2] + seconds)
    return totals


def depth_table(rows: Sequence[DepthRow]) -> str:
    """The rows in Markdown."""
    header = ["depth", "Elo", "95%", "over the depth before, 95%", "nodes a move", "times"]
    lines: list[list[str]] = []
    for index, row in enumerate(rows):
        gain, times = "", ""
        if row.over_previous is not None:
            low, high = row.over_previous.elo_interval
            gain = f"{row.over_previous.elo:+.0f} ({low:+.0f} to {high:+.0f})"
            before = rows[index - 1].nodes
            times = f"{row.nodes / before:.1f}" if before else ""
        lines.append(
            [
                str(row.depth),
                f"{row.rating.elo:+.0f}",
                f"±{row.rating.error:.0f}",
                gain,
                f"{row.nodes:,.0f}",
                times,
                f"{row.milliseconds:.2f}",
            ]
        )
    return format_markdown([*header, "ms a move"], lines)


def write_depth_plot(boards: dict[int, list[DepthRow]], agent: str, path: Path) -> None:
    """Elo and cost by depth, a line for each board."""
    figure = load_figure()(figsize=(9, 3.4), layout="constrained")
    worth, cost = figure.subplots(1, 2)
    for (board, rows), colour in zip(boards.items(), COLOURS, strict=False):
        depths = [row.depth for row in rows]
        name = f"{board}x{board}"
        worth.errorbar(
            depths,
            [row.rating.elo for row in rows],
            yerr=[row.rating.error for row in rows],
            color=colour,
            marker="o",
            capsize=3,
            label=name,
        )
        cost.plot(depths, [row.nodes for row in rows], color=colour, marker="o", label=name)
    cost.set_yscale("log")
    decorate(worth, "Elo, the mean of a board being 0; 95% intervals", f"depth of {agent}")
    decorate(cost, "Nodes a move", f"depth of {agent}")
    for axis in (worth, cost):
        axis.legend(fontsize=8)
        axis.set_xticks(sorted({row.depth for rows in boards.values() for row in rows}))
    save_figure(figure, path)
