"""The page of a report: self-contained HTML from the statistics of `digest.py`.

All text that comes from a store goes through `escape`. The page's security policy allows only the
script in `page.js`, by its hash, and no external resources.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from plyground import __version__
from plyground.arena.estimate import Z95
from plyground.arena.report.digest import BoardDigest
from plyground.arena.report.openings import OpeningNode
from plyground.arena.rounds_summary import PlayedRounds
from plyground.arena.store import TournamentConditions
from plyground.arena.summary import format_forfeits
from plyground.hints import counted
from plyground.play.record import points_of

MOST_REASONS = 12
"""Terminations in the table; 'illegal move' alone has many."""
MOST_STARTS = 40
MOST_MOVES = 8
"""Start positions, and moves after each position, in the tree of openings."""


@dataclass(frozen=True, slots=True)
class PagePlot:
    """A plot on the page."""

    title: str
    about: str
    svg: str


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table: its text, and the value that it is sorted by."""

    text: str
    value: float | str | None = None
    is_name: bool = False

    def html(self) -> str:
        """The cell's HTML; an unknown number sorts last."""
        value = "" if self.value is None else str(self.value)
        if not self.is_name:
            return f'<td data-value="{escape(value)}">{escape(self.text)}</td>'
        text = escape(self.text).replace(",", ",<wbr>")  # lets a long name wrap
        return f'<td class="name" data-value="{escape(value)}">{text}</td>'


def number(value: float | None, form: str = "{:,.0f}", scale: float = 1) -> TableCell:
    """A cell with a number, or with a dash if it is unknown."""
    return TableCell("-" if value is None else form.format(value * scale), value)


def name_cell(name: str) -> TableCell:
    """A cell with a name."""
    return TableCell(name, name, is_name=True)


def page(
    title: str,
    boards: Sequence[BoardDigest],
    plots: Mapping[str, Sequence[PagePlot]],
    overview: PagePlot | None,
    conditions: Mapping[int, TournamentConditions],
    written: str,
) -> str:
    """The whole page; `plots` has those of each board by its slug."""
    here = files("plyground.arena.report")
    style = here.joinpath("page.css").read_text(encoding="utf-8")
    script = here.joinpath("page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    parts = [header(title, boards, written), "<main>"]
    if not boards:
        parts.append("<p>There are no games yet.</p>")
    if len(boards) > 1:
        parts.append(overview_html(boards, overview))
    parts += [board_html(board, plots[board.variant.slug], conditions) for board in boards]
    parts.append("</main>")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + f"\n<script>{script}</script>\n</body>\n</html>\n"
    )


def header(title: str, boards: Sequence[BoardDigest], written: str) -> str:
    """The title, and links to the boards."""
    games = sum(board.games for board in boards)
    text = (
        f"<header>\n<h1>{escape(title)}</h1>\n"
        f'<p class="soft">{counted(games, "game")}, read on {escape(written)} '
        f"by plyground {escape(__version__)}</p>\n"
    )
    if len(boards) > 1:
        links = "".join(
            f'<li><a href="#{escape(board.variant.slug)}">{escape(str(board.variant))}</a></li>'
            for board in boards
        )
        text += f"<nav><ul>{links}</ul></nav>\n"
    return text + "</header>"


def first_player_share(board: BoardDigest) -> tuple[float, float]:
    """Player 1's share of the points, and half the width of its 95% interval."""
    games = board.games or 1
    points = [(points_of(result, 1), count) for result, count in board.results.items()]
    mean = sum(share * count for share, count in points) / games
    spread = sum((share - mean) ** 2 * count for share, count in points)
    return mean, Z95 * (spread / games / games) ** 0.5


def overview_html(boards: Sequence[BoardDigest], plot: PagePlot | None) -> str:
    """All boards in one table."""
    rows = []
    for board in boards:
        share, error = first_player_share(board)
        rows.append(
            [
                name_cell(str(board.variant)),
                number(board.games),
                number(len(board.agents)),
                TableCell(f"{share:.1%} ±{error:.1%}", share),
                number(board.results["1/2-1/2"] / board.games, "{:.1%}"),
                number(board.plies / board.games, "{:.1f}"),
            ]
        )
    heads = ["board", "games", "agents", "player 1 scored", "draws", "plies"]
    shown = "" if plot is None else f'<div class="plots">{plot_html(plot)}</div>'
    return f"<section>\n<h2>All boards</h2>\n{table_html(heads, rows)}\n{shown}\n</section>"


def board_html(
    board: BoardDigest,
    plots: Sequence[PagePlot],
    conditions: Mapping[int, TournamentConditions],
) -> str:
    """The section of a board."""
    figures = "\n".join(map(plot_html, plots))
    return "\n".join(
        [
            f'<section id="{escape(board.variant.slug)}">',
            f"<h2>{escape(str(board.variant))}</h2>",
            facts_html(board),
            standings_html(board),
            f'<div class="plots">\n{figures}\n</div>',
            '<div class="plots">',
            card("Who beats whom, in games", pairs_html(board)),
            card("Why games ended", endings_html(board)),
            card("Tree of openings", openings_html(board.openings)),
            card("Tournaments", tournaments_html(board, conditions)),
            "</div>",
            "</section>",
        ]
    )


def facts_html(board: BoardDigest) -> str:
    """The key figures of a board."""
    _, ratings = board.standings
    share, error = first_player_share(board)
    first = ratings.first_player
    draws = board.results["1/2-1/2"]
    facts = [
        ("games", f"{board.games:,}", f"{len(board.agents)} agents"),
        ("player 1 scored", f"{share:.1%}", f"±{error:.1%}"),
        ("the first move is worth", f"{round(first.elo):+} Elo", f"±{first.error:.0f}"),
        ("draws", f"{draws / board.games:.1%}", counted(draws, "game")),
        ("plies a game", f"{board.plies / board.games:.1f}", f"{board.plies:,} in all"),
    ]
    items = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)} <small>{escape(more)}</small></dd></div>"
        for name, value, more in facts
    )
    return f'<dl class="facts">{items}</dl>'


def standings_html(board: BoardDigest) -> str:
    """The agents' figures, the strongest agent first."""
    table, ratings = board.standings
    kinds = board.move_kinds
    heads = ["#", "agent", "Elo ±95%", "score", "games", "won", "drawn", "lost", "forfeits"]
    heads += ["better"]
    heads += ["as player 1", "as player 2", "ms/move", "nodes/s"]
    heads += [f"{kind}/game" for kind in kinds]
    rows = []
    for place, row in enumerate(table, 1):
        agent = board.agents[row.agent]
        mark = "*" if row.has_forfeits else ""
        elo = f"{round(row.rating.elo):+}{mark} ±{row.rating.error:.0f}"
        rows.append(
            [
                number(place),
                name_cell(board.crosstable.title(row.agent)),
                TableCell(elo, row.rating.elo),
                number(row.score, "{:.1%}"),
                *(number(count) for count in (row.games, row.wins, row.draws, row.losses)),
                number(row.forfeits.total()),
                number(row.better_than_next, "{:.1%}"),
                number(agent.score(1), "{:.1%}"),
                number(agent.score(2), "{:.1%}"),
                number(agent.seconds_per_move, "{:,.2f}", 1000),
                number(agent.nodes_per_second),
                *(number(agent.moves_per_game(kind), "{:.1f}") for kind in kinds),
            ]
        )
    note = ""
    if len(ratings.groups) > 1:
        note = "<p>Some agents are not connected by games: their Elo ratings do not compare.</p>"
    if forfeits := format_forfeits(board.crosstable):
        note += f"<p>{escape(forfeits)}</p>"
    return (
        table_html(heads, rows)
        + note
        + (
            '<p class="soft">Elo is fitted to all games at once, with an average of 0. '
            "<em>Better</em> is the probability that an agent is stronger than the next one. "
            "Click a column to sort by it.</p>"
        )
    )


def pairs_html(board: BoardDigest) -> str:
    """Wins, draws and losses of each pairing, for the stronger agent."""
    order = [row.agent for row in board.standings[0]]
    rows = []
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            counts = board.crosstable.counts(one, other)
            if games := sum(counts):
                share = (counts[0] + counts[1] / 2) / games
                rows.append(
                    [
                        name_cell(board.crosstable.title(one)),
                        name_cell(board.crosstable.title(other)),
                        *map(number, counts),
                        number(share, "{:.1%}"),
                    ]
                )
    return table_html(["agent", "against", "won", "drawn", "lost", "score"], rows)


def endings_html(board: BoardDigest) -> str:
    """Games by termination and result."""
    ordered = sorted(board.endings.items(), key=lambda item: (-item[1].total(), item[0]))
    rows = [
        [
            name_cell(reason),
            number(counts.total()),
            number(counts.total() / board.games, "{:.1%}"),
            *(number(counts[result]) for result in ("1-0", "1/2-1/2", "0-1")),
        ]
        for reason, counts in ordered[:MOST_REASONS]
    ]
    heads = ["reason", "games", "share", "1-0", "1/2", "0-1"]
    rest = sum(counts.total() for _, counts in ordered[MOST_REASONS:])
    more = f'<p class="soft">and {counted(rest, "game")} for other reasons</p>' if rest else ""
    return table_html(heads, rows) + more


def openings_html(root: OpeningNode) -> str:
    """The tree of openings, folded."""
    return (
        '<p class="soft">Games, and player 1\'s score in them.</p>'
        f'<div class="tree">{"".join(branches(root, MOST_STARTS))}</div>'
    )


def branches(node: OpeningNode, most: int = MOST_MOVES) -> Iterable[str]:
    """The most frequent continuations, each with its own below it."""
    for name, child in node.most_played(most):
        text = (
            f"<code>{escape(name)}</code> {counted(child.games, 'game')}"
            f'<span class="bar" style="--share:{100 * child.score:.0f}%"></span>{child.score:.0%}'
        )
        if child.children:
            inside = "".join(branches(child))
            yield f"<details><summary>{text}</summary>{inside}</details>"
        else:
            yield f"<p>{text}</p>"
    if len(node.children) > most:
        yield f'<p class="soft">and {len(node.children) - most:,} more</p>'


def tournaments_html(board: BoardDigest, conditions: Mapping[int, TournamentConditions]) -> str:
    """The tournaments that the games come from, with their conditions."""
    rows = []
    for tournament, games in sorted(board.tournaments.items()):
        found = conditions.get(tournament, {})
        parts = [
            f"{key}: {found[key]}"
            for key in ("format", "openings", "seed", "clock")
            if found.get(key)
        ]
        if isinstance(limits := found.get("limits"), dict):
            parts += [f"{key}={value}" for key, value in limits.items()]
        parts += [f"plyground {found['version']}"] if "version" in found else []
        rows.append([number(tournament), number(games), name_cell(", ".join(parts))])
    rounds = "".join(meetings_html(*tournament) for tournament in sorted(board.rounds.items()))
    between = f'<p class="soft">from {escape(board.first)} to {escape(board.last)}</p>'
    return table_html(["tournament", "games", "conditions"], rows) + between + rounds


def meetings_html(tournament: int, rounds: PlayedRounds) -> str:
    """The meetings of a Swiss or knockout tournament, by round; nothing for other formats."""
    rows = [[number(one), name_cell(meeting)] for one, meeting in rounds.lines()]
    if not rows:
        return ""
    return f"<h4>Rounds of tournament {tournament}</h4>{table_html(['round', 'meeting'], rows)}"


def card(title: str, content: str) -> str:
    """A box with a heading."""
    return f'<div class="card"><h3>{escape(title)}</h3>{content}</div>'


def plot_html(plot: PagePlot) -> str:
    """A plot with its heading; matplotlib has escaped the text in `svg`."""
    return (
        f'<figure class="card"><h3>{escape(plot.title)}</h3>'
        f"<figcaption>{escape(plot.about)}</figcaption>\n{plot.svg}</figure>"
    )


def table_html(heads: Sequence[str], rows: Sequence[Sequence[TableCell]]) -> str:
    """A sortable table."""
    kinds = [cell.is_name for cell in rows[0]] if rows else [False] * len(heads)
    head = "".join(
        f'<th scope="col"{" class=name" if is_name else ""}>{escape(name)}</th>'
        for name, is_name in zip(heads, kinds, strict=True)
    )
    body = "\n".join(f"<tr>{''.join(cell.html() for cell in row)}</tr>" for row in rows)
    return (
        f'<div class="wide"><table class="sortable"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )
