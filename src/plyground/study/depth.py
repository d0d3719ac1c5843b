"""How much a ply of search is worth, and what it costs.

An agent plays a round robin against itself at several depths. Ratings and win rates show what a
depth is worth. The store shows its cost: positions searched, which do not depend on the machine,
and time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plyground.arena.config import ArenaConfig
from plyground.arena.estimate import Estimate, elo_estimate
from plyground.arena.rating import Rating
from plyground.arena.store import Filter
from plyground.arena.tournament import Tournament
from plyground.config import Settings
from plyground.figures import COLOURS, decorate, load_figure, save_figure
from plyground.study.markdown import format_markdown
from plyground.tune.candidates import with_options


@dataclass(frozen=True)
class DepthRow:
    """The results of one depth."""

    depth: int
    rating: Rating
    win_rate: float
    """The share of its games that it won, against all other depths."""
    over_previous: Estimate | None
    """The match against the previous depth of the table."""
    previous_win_rate: float | None
    """The share of games won in that match."""
    nodes: float
    """Positions searched per move."""
    milliseconds: float
    """Time per move."""
    has_forfeits: bool = False
    """Whether any of its games was lost by forfeit, by either side."""


def depth_config(agent: str, depths: Sequence[int], settings: Settings) -> ArenaConfig:
    """The tournament of an agent's depths, with the other settings of a tournament."""
    agents = [with_options(agent, {"depth": depth}) for depth in depths]
    return ArenaConfig.of({**settings, "agents": agents})


def depth_rows(tournament: Tournament, depths: Sequence[int]) -> list[DepthRow]:
    """The results of the games so far, by depth."""
    agents, crosstable = tournament.config.agents, tournament.crosstable
    costs = _costs(tournament)
    _, ratings = crosstable.standings()
    rows: list[DepthRow] = []
    for index, (agent, depth) in enumerate(zip(agents, depths, strict=True)):
        previous = agents[index - 1] if index else None
        moves, nodes, seconds = costs[agent]
        rows.append(
            DepthRow(
                depth,
                ratings.players[agent],
                _win_rate(crosstable.counts(agent)),
                elo_estimate(crosstable.pair_scores(agent, previous)) if previous else None,
                _win_rate(crosstable.counts(agent, previous)) if previous else None,
                nodes / max(moves, 1),
                1000 * seconds / max(moves, 1),
                crosstable.has_forfeits(agent),
            )
        )
    return rows


def _win_rate(counts: tuple[int, int, int]) -> float:
    """The share of wins among wins, draws and losses; 0 without games."""
    return counts[0] / max(sum(counts), 1)


def _costs(tournament: Tournament) -> dict[str, tuple[int, int, float]]:
    """Moves, positions searched and seconds of each agent."""
    start = tournament.config.start_state()
    game, settings = start.game, start.game.settings(start)

    @cache
    def first_player(opening: str) -> int:
        """The player to move in an opening."""
        return int(game.start(settings, opening).current_player)

    totals = dict.fromkeys(tournament.config.agents, (0, 0, 0.0))
    for played in tournament.store.games(Filter(tournament=tournament.number)):
        for player, agent, nodes, seconds in (
            (1, played.player1, played.nodes1, played.seconds1),
            (2, played.player2, played.nodes2, played.seconds2),
        ):
            if agent in totals:
                moves = (played.plies + (player == first_player(played.start))) // 2
                before = totals[agent]
                totals[agent] = (before[0] + moves, before[1] + nodes, before[2] + seconds)
    return totals


def depth_table(rows: Sequence[DepthRow]) -> str:
    """The rows in Markdown."""
    header = ["depth", "Elo", "95%", "won", "over the previous depth, 95%", "won against it"]
    header += ["nodes per move", "factor", "ms per move"]
    lines: list[list[str]] = []
    for index, row in enumerate(rows):
        gain, won, factor = "", "", ""
        if row.over_previous is not None:
            low, high = row.over_previous.elo_interval
            gain = f"{row.over_previous.elo:+.0f} ({low:+.0f} to {high:+.0f})"
            won = f"{row.previous_win_rate:.0%}"
            before = rows[index - 1].nodes
            factor = f"{row.nodes / before:.1f}" if before else ""
        lines.append(
            [
                str(row.depth),
                f"{row.rating.elo:+.0f}{'*' if row.has_forfeits else ''}",
                f"±{row.rating.error:.0f}",
                f"{row.win_rate:.0%}",
                gain,
                won,
                f"{row.nodes:,.0f}",
                factor,
                f"{row.milliseconds:.2f}",
            ]
        )
    return format_markdown(header, lines)


def write_depth_plot(boards: Mapping[str, Sequence[DepthRow]], agent: str, path: Path) -> None:
    """Elo and cost by depth, with a line for each board."""
    figure = load_figure()(figsize=(9, 3.4), layout="constrained")
    worth, cost = figure.subplots(1, 2)
    for (name, rows), colour in zip(boards.items(), COLOURS, strict=False):
        depths = [row.depth for row in rows]
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
    decorate(worth, "Elo, with a mean of 0 per board; 95% intervals", f"depth of {agent}")
    decorate(cost, "Nodes per move", f"depth of {agent}")
    for axis in (worth, cost):
        axis.legend(fontsize=8)
        axis.set_xticks(sorted({row.depth for rows in boards.values() for row in rows}))
    save_figure(figure, path)
