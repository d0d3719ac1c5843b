"""The statistics of a report: the games of a store, counted, without any presentation.

Games are counted by board, all tournaments of a board together. If tournaments differ in conditions
that affect strength (limits, clock, version), an agent's string stands for different players, and
the names in the report say which.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from plyground.arena.crosstable import Crosstable, Standing
from plyground.arena.rating import Ratings
from plyground.arena.report.openings import OpeningNode
from plyground.arena.rounds_summary import PlayedRounds
from plyground.arena.store import Filter, Store, StoredGame, TournamentConditions
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.json_types import Json
from plyground.play import Record
from plyground.play.record import points_of

STRENGTH_CONDITIONS = ("limits", "clock", "version")
"""Conditions of a tournament that affect how strong an agent is."""


@dataclass(frozen=True, slots=True, order=True)
class GameVariant:
    """A game and its settings, as records have them."""

    game: str
    settings: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """A headline.

        >>> str(GameVariant("quoridor", (("Board", "5"), ("Walls", "3"))))
        'Quoridor 5x5, Walls 3'
        """
        return registry.get(self.game).describe(dict(self.settings))

    @property
    def slug(self) -> str:
        """A name for files and links.

        >>> GameVariant("quoridor", (("Board", "5"), ("Walls", "3"))).slug
        'quoridor-5x5-walls-3'
        """
        return str(self).lower().replace(", ", "-").replace(" ", "-")


@dataclass(slots=True)
class ByPly:
    """Numbers to average, ply by ply; the first ply after the opening is 1."""

    sums: dict[int, float] = field(default_factory=dict)
    counts: Counter[int] = field(default_factory=Counter)

    def add(self, ply: int, value: float) -> None:
        """Add a number."""
        self.sums[ply] = self.sums.get(ply, 0.0) + value
        self.counts[ply] += 1

    def means(self, least: int = 1) -> dict[int, float]:
        """The averages, in order, of plies with at least `least` numbers."""
        plies = sorted(ply for ply, count in self.counts.items() if count >= least)
        return {ply: self.sums[ply] / self.counts[ply] for ply in plies}

    def total(self) -> float:
        """The sum of all numbers."""
        return sum(self.sums.values())


@dataclass(slots=True)
class AgentDigest:
    """The statistics of one agent."""

    points: dict[int, list[float]] = field(default_factory=lambda: {1: [], 2: []})
    """Points of each game, as player 1 and as player 2."""
    moves: int = 0
    seconds: float = 0.0
    nodes: int = 0
    node_seconds: float = 0.0
    """Time spent in games for which the nodes are known."""
    times: ByPly = field(default_factory=ByPly)
    """Seconds per move, to the millisecond."""
    kinds: dict[str, ByPly] = field(default_factory=dict)
    """Whether moves were of each kind that the game counts, by `Game.counted_moves`."""

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.points[1]) + len(self.points[2])

    def score(self, player: int) -> float | None:
        """The share of points as player 1 or 2."""
        points = self.points[player]
        return sum(points) / len(points) if points else None

    @property
    def seconds_per_move(self) -> float | None:
        """Average time of a move."""
        return self.seconds / self.moves if self.moves else None

    @property
    def nodes_per_second(self) -> float | None:
        """Search speed, if the agent reports nodes."""
        return self.nodes / self.node_seconds if self.node_seconds else None

    def moves_per_game(self, kind: str) -> float | None:
        """Average number of moves of a kind."""
        return self.kinds[kind].total() / self.games if kind in self.kinds else None


@dataclass
class BoardDigest:
    """The statistics of all games of one variant. Add all games before reading any numbers."""

    variant: GameVariant
    titles: dict[str, str] = field(default_factory=dict)
    """The names that programs give themselves, by the agents' names in the report."""
    crosstable: Crosstable = field(init=False)
    agents: dict[str, AgentDigest] = field(default_factory=dict)
    results: Counter[str] = field(default_factory=Counter)
    """Games by result: 1-0, 1/2-1/2 and 0-1."""
    endings: dict[str, Counter[str]] = field(default_factory=dict)
    """Games by termination and result."""
    lengths: dict[str, Counter[int]] = field(default_factory=dict)
    """Games by result and number of plies after the opening."""
    openings: OpeningNode = field(default_factory=OpeningNode)
    tournaments: Counter[int] = field(default_factory=Counter)
    """Games by tournament."""
    rounds: dict[int, PlayedRounds] = field(default_factory=dict)
    """The meetings of each tournament that has rounds."""
    first: str = ""
    last: str = ""
    """When the first and the last game ended."""

    def __post_init__(self) -> None:
        self.crosstable = Crosstable([], self.titles)

    @property
    def games(self) -> int:
        """Number of games."""
        return self.results.total()

    @property
    def plies(self) -> int:
        """Plies of all games."""
        return sum(ply * n for counts in self.lengths.values() for ply, n in counts.items())

    @property
    def move_kinds(self) -> list[str]:
        """The kinds of moves that were counted."""
        found = {kind for agent in self.agents.values() for kind in agent.kinds}
        return [kind for kind in registry.get(self.variant.game).counted_moves if kind in found]

    @cached_property
    def standings(self) -> tuple[list[Standing], Ratings]:
        """The standings, best first, and the fit behind them."""
        return self.crosstable.standings()

    def add(self, game: StoredGame, record: Record, player1: str, player2: str) -> None:
        """Count a game, under the names of its players in the report."""
        self.results[game.result] += 1
        self.endings.setdefault(game.termination, Counter())[game.result] += 1
        self.lengths.setdefault(game.result, Counter())[len(record.moves)] += 1
        self.tournaments[game.tournament] += 1
        self.rounds.setdefault(game.tournament, PlayedRounds()).add_stored(game)
        self.first = min(self.first or game.finished, game.finished)
        self.last = max(self.last, game.finished)
        for player, name, spec in ((1, player1, game.player1), (2, player2, game.player2)):
            if name not in self.agents:
                self.agents[name] = AgentDigest()
                self.crosstable.agents.append(name)
            if title := record.tags.get(f"Program{player}"):
                self.titles.setdefault(name, title + name.removeprefix(spec))
        # Games of two tournaments never make a pair, even from the same opening.
        self.crosstable.add(
            (player1, player2, f"{game.tournament} {game.start}", game.round),
            game.result,
            game.forfeit,
        )
        self.openings.add(record, points_of(game.result, 1))
        for player, name, seconds, nodes in (
            (1, player1, game.seconds1, game.nodes1),
            (2, player2, game.seconds2, game.nodes2),
        ):
            agent = self.agents[name]
            agent.points[player].append(points_of(game.result, player))
            agent.seconds += seconds
            if nodes:
                agent.nodes += nodes
                agent.node_seconds += seconds
        self._add_moves(record, {1: self.agents[player1], 2: self.agents[player2]})

    def _add_moves(self, record: Record, agents: Mapping[int, AgentDigest]) -> None:
        start = record.start_state()
        player = start.current_player
        for ply, move in enumerate(record.moves, 1):
            agent = agents[player]
            agent.moves += 1
            if move.time_s is not None:
                agent.times.add(ply, move.time_s)
            for kind, is_kind in start.game.counted_moves.items():
                agent.kinds.setdefault(kind, ByPly()).add(ply, is_kind(move.text))
            player = 3 - player


def digest_store(store: Store, which: Filter | None = None) -> list[BoardDigest]:
    """The statistics of a store, or of some of its games. Other programs may write to it."""
    which = which or Filter()
    played = {
        number: settings
        for number, settings in store.tournaments().items()
        if which.tournament in (None, number) and store.count(Filter(tournament=number))
    }
    return digest_games(store.games(which), played)


def digest_games(
    games: Iterable[StoredGame], conditions: Mapping[int, TournamentConditions]
) -> list[BoardDigest]:
    """The statistics of games, with the conditions of their tournaments by number."""
    suffixes: dict[int, str] = {}
    for same in _by_board(conditions):
        suffixes |= name_suffixes(same)
    boards: dict[GameVariant, BoardDigest] = {}
    for game in games:
        try:
            record = game.record()
        except (ConfigError, IllegalMoveError, NotationError) as error:
            raise NotationError(f"game {game.id} of the store cannot be read: {error}") from None
        variant = GameVariant(record.game, tuple(record.settings.items()))
        if variant not in boards:
            boards[variant] = BoardDigest(variant)
        suffix = suffixes.get(game.tournament, "")
        boards[variant].add(game, record, game.player1 + suffix, game.player2 + suffix)
    return [boards[variant] for variant in sorted(boards)]


def _by_board(
    conditions: Mapping[int, TournamentConditions],
) -> list[dict[int, TournamentConditions]]:
    """The tournaments of each board."""
    found: dict[str, dict[int, TournamentConditions]] = {}
    for number, settings in conditions.items():
        board = json.dumps([settings.get("game"), settings.get("settings")], sort_keys=True)
        found.setdefault(board, {})[number] = settings
    return list(found.values())


def name_suffixes(conditions: Mapping[int, TournamentConditions]) -> dict[int, str]:
    """What to append to the names of each tournament's agents to tell different players apart.

    >>> name_suffixes({1: {"limits": {"nodes": 9}, "clock": "5"}, 2: {"clock": "5"}})
    {1: ' [nodes=9]', 2: ' [no limits]'}
    """
    suffixes = dict.fromkeys(conditions, "")
    for name in STRENGTH_CONDITIONS:
        values = {number: settings.get(name) or None for number, settings in conditions.items()}
        if len({json.dumps(value, sort_keys=True) for value in values.values()}) > 1:
            for number, value in values.items():
                suffixes[number] += f" [{_format_condition(name, value)}]"
    return suffixes


def _format_condition(name: str, value: Json) -> str:
    if value is None:
        return f"no {name}"
    if isinstance(value, dict):
        return ", ".join(f"{key}={number}" for key, number in value.items())
    return f"{name} {value}"
