"""The games of a store, counted: all the numbers of a report, and nothing about how they look.

Games are counted board by board, and on each board all tournaments together. Where these differ in
what makes a player stronger (limits, clock, version), the same string stands for different players,
and their names say so.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from plyground.arena.rating import Ratings
from plyground.arena.report.openings import OpeningNode
from plyground.arena.scores import Scores, Standing
from plyground.arena.store import Filter, Store, StoredGame
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.play import Record

TELLING = ("limits", "clock", "version")
"""Conditions that make another player of an agent."""


@dataclass(frozen=True, slots=True, order=True)
class Board:
    """What is played: a game and its settings, as records have them."""

    game: str
    settings: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """As people say it.

        >>> str(Board("quoridor", (("Board", "5"), ("Walls", "3"))))
        'Quoridor 5x5, Walls 3'
        """
        size = dict(self.settings).get("Board")
        name = self.game.capitalize() + (f" {size}x{size}" if size else "")
        return ", ".join([name, *(f"{k} {v}" for k, v in self.settings if k != "Board")])

    @property
    def slug(self) -> str:
        """For names of files.

        >>> Board("quoridor", (("Board", "5"), ("Walls", "3"))).slug
        'quoridor-5x5-walls-3'
        """
        return str(self).lower().replace(", ", "-").replace(" ", "-")


@dataclass(slots=True)
class ByPly:
    """Numbers to be averaged, ply by ply; the first after the opening is ply 1."""

    sums: Counter[int] = field(default_factory=Counter)
    counts: Counter[int] = field(default_factory=Counter)

    def add(self, ply: int, value: float) -> None:
        """Take in one number."""
        self.sums[ply] += value  # type: ignore[assignment]  # floats are counted just as well
        self.counts[ply] += 1

    def means(self, least: int = 1) -> dict[int, float]:
        """The averages, in order, of plies with at least so many numbers."""
        plies = sorted(ply for ply, count in self.counts.items() if count >= least)
        return {ply: self.sums[ply] / self.counts[ply] for ply in plies}

    def mean(self) -> float | None:
        """The average of all."""
        return self.sums.total() / self.counts.total() if self.counts else None


@dataclass(slots=True)
class AgentDigest:
    """How one agent played."""

    points: dict[int, list[float]] = field(default_factory=lambda: {1: [], 2: []})
    """What each game brought, as player 1 and as player 2."""
    moves: int = 0
    seconds: float = 0.0
    nodes: int = 0
    node_seconds: float = 0.0
    """What the moves took of games in which it told its nodes."""
    times: ByPly = field(default_factory=ByPly)
    """Seconds a move, to the millisecond."""
    walls: ByPly = field(default_factory=ByPly)
    """Whether moves were walls, in games that have any."""

    @property
    def games(self) -> int:
        """As either player."""
        return len(self.points[1]) + len(self.points[2])

    def score(self, player: int) -> float | None:
        """The share of points as player 1 or 2."""
        points = self.points[player]
        return sum(points) / len(points) if points else None

    @property
    def seconds_a_move(self) -> float | None:
        """What a move took."""
        return self.seconds / self.moves if self.moves else None

    @property
    def nodes_a_second(self) -> float | None:
        """How fast it looked at positions, where it tells."""
        return self.nodes / self.node_seconds if self.node_seconds else None

    @property
    def walls_a_game(self) -> float | None:
        """How many walls it placed."""
        return self.walls.sums.total() / self.games if self.walls.counts else None


@dataclass
class BoardDigest:
    """All games on one board. They are all added before anything is asked."""

    board: Board
    scores: Scores = field(default_factory=lambda: Scores([]))
    agents: dict[str, AgentDigest] = field(default_factory=dict)
    results: Counter[str] = field(default_factory=Counter)
    """How many games ended 1-0, 1/2-1/2 and 0-1."""
    endings: dict[str, Counter[str]] = field(default_factory=dict)
    """The same for each reason."""
    lengths: dict[str, Counter[int]] = field(default_factory=dict)
    """How many games of each result had how many plies, not counting the opening."""
    openings: OpeningNode = field(default_factory=OpeningNode)
    tournaments: Counter[int] = field(default_factory=Counter)
    """How many games are of which tournament."""
    first: str = ""
    last: str = ""
    """When its first and last games ended."""

    @property
    def games(self) -> int:
        """How many."""
        return self.results.total()

    @property
    def plies(self) -> int:
        """Of all games."""
        return sum(ply * n for counts in self.lengths.values() for ply, n in counts.items())

    @cached_property
    def standings(self) -> tuple[list[Standing], Ratings]:
        """The table, best first, and the fit that it comes from."""
        return self.scores.standings()

    def add(self, game: StoredGame, record: Record, player1: str, player2: str) -> None:
        """Count a game, under the names its players go by."""
        self.results[game.result] += 1
        self.endings.setdefault(game.termination, Counter())[game.result] += 1
        self.lengths.setdefault(game.result, Counter())[len(record.moves)] += 1
        self.tournaments[game.tournament] += 1
        self.first = min(self.first or game.finished, game.finished)
        self.last = max(self.last, game.finished)
        for name in (player1, player2):
            if name not in self.agents:
                self.agents[name] = AgentDigest()
                self.scores.agents.append(name)
        # Two tournaments may have played the same opening; their games are no pair.
        self.scores.add(
            (player1, player2, f"{game.tournament} {game.start}", game.round), game.result
        )
        points = {"1-0": 1.0, "0-1": 0.0}.get(game.result, 0.5)
        self.openings.add(record, points)
        self._add_player(self.agents[player1], 1, points, game.seconds1, game.nodes1)
        self._add_player(self.agents[player2], 2, 1 - points, game.seconds2, game.nodes2)
        player = record.start_state().current_player
        for ply, move in enumerate(record.moves, 1):
            agent = self.agents[player1 if player == 1 else player2]
            agent.moves += 1
            if move.time_s is not None:
                agent.times.add(ply, move.time_s)
            if record.game == "quoridor":
                agent.walls.add(ply, move.text.endswith(("h", "v")))
            player = 3 - player

    def _add_player(
        self, agent: AgentDigest, player: int, points: float, seconds: float, nodes: int
    ) -> None:
        agent.points[player].append(points)
        agent.seconds += seconds
        if nodes:
            agent.nodes += nodes
            agent.node_seconds += seconds


def digest_store(store: Store, which: Filter | None = None) -> list[BoardDigest]:
    """What a report says about a store, or some of its games; it may be written to meanwhile."""
    which = which or Filter()
    played = {
        number: settings
        for number, settings in store.tournaments().items()
        if which.tournament in (None, number) and store.count(Filter(tournament=number))
    }
    return digest_games(store.games(which), played)


def digest_games(
    games: Iterable[StoredGame], conditions: Mapping[int, Mapping[str, Any]]
) -> list[BoardDigest]:
    """The same for any games, and the conditions of their tournaments by number."""
    words: dict[int, str] = {}
    for same in _by_board(conditions):
        words |= tell_apart(same)
    boards: dict[Board, BoardDigest] = {}
    for game in games:
        try:
            record = game.record()
        except (ConfigError, IllegalMoveError, NotationError) as error:
            raise NotationError(f"game {game.id} of the store cannot be read: {error}") from None
        board = Board(record.game, tuple(record.settings.items()))
        if board not in boards:
            boards[board] = BoardDigest(board)
        more = words.get(game.tournament, "")
        boards[board].add(game, record, game.player1 + more, game.player2 + more)
    return [boards[board] for board in sorted(boards)]


def _by_board(conditions: Mapping[int, Mapping[str, Any]]) -> list[dict[int, Mapping[str, Any]]]:
    """The tournaments of each board."""
    found: dict[str, dict[int, Mapping[str, Any]]] = {}
    for number, settings in conditions.items():
        board = json.dumps([settings.get("game"), settings.get("settings")], sort_keys=True)
        found.setdefault(board, {})[number] = settings
    return list(found.values())


def tell_apart(conditions: Mapping[int, Mapping[str, Any]]) -> dict[int, str]:
    """What to add to the names of a tournament's players, so that no two stand for different ones.

    >>> tell_apart({1: {"limits": {"nodes": 9}, "clock": "5"}, 2: {"clock": "5"}})
    {1: ' [nodes=9]', 2: ' [no limits]'}
    """
    words = dict.fromkeys(conditions, "")
    for name in TELLING:
        values = {number: settings.get(name) or None for number, settings in conditions.items()}
        if len({json.dumps(value, sort_keys=True) for value in values.values()}) > 1:
            for number, value in values.items():
                words[number] += f" [{_word(name, value)}]"
    return words


def _word(name: str, value: Any) -> str:
    if value is None:
        return f"no {name}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={number}" for key, number in value.items())
    return f"{name} {value}"
