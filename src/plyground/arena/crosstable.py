"""The crosstable of a tournament: the results of every pairing, and the ratings that follow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

from plyground.agents.base import ForfeitKind
from plyground.arena.estimate import pentanomial
from plyground.arena.forfeits import ForfeitCounts
from plyground.arena.rating import Rating, Ratings, Tally, fit_ratings
from plyground.frames import make_frame
from plyground.play.record import points_of

if TYPE_CHECKING:
    import pandas

GameKey: TypeAlias = tuple[str, str, str, int]
"""Player 1, player 2, opening and round; see `Task.key`."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One agent's line in the standings."""

    agent: str
    rating: Rating
    wins: int
    draws: int
    losses: int
    better_than_next: float | None
    """Probability that the agent is stronger than the next one in the standings."""
    forfeits: ForfeitCounts = field(default_factory=ForfeitCounts)
    """Games that it lost by forfeit, by kind; they count as losses."""
    has_forfeits: bool = False
    """Whether it or an opponent lost a game between them by forfeit, which its rating includes."""

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of points; one half before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5


class Crosstable:
    """Results, counted as they come in.

    >>> crosstable = Crosstable(["a", "b"])
    >>> crosstable.add(("a", "b", "opening", 1), "1-0")
    >>> crosstable.add(("b", "a", "opening", 1), "1/2-1/2")
    >>> crosstable.pentanomial("a", "b")
    [0, 0, 0, 1, 0]
    """

    def __init__(self, agents: Sequence[str], titles: Mapping[str, str] | None = None) -> None:
        self.agents = list(agents)
        self._titles = {} if titles is None else titles
        self.games = 0
        self._counts: dict[tuple[str, str], dict[str, int]] = {}  # by (player 1, player 2)
        self._half_pairs: dict[GameKey, float] = {}  # pairs with one game missing
        self._pairs: dict[tuple[str, str], list[float]] = {}
        self._forfeits: dict[tuple[str, str], ForfeitCounts] = {}  # by (loser, winner)

    def add(self, key: GameKey, result: str, forfeit: ForfeitKind | None = None) -> None:
        """Count a game; `forfeit` is how its loser forfeited it, if so."""
        player1, player2, start, number = key
        counts = self._counts.setdefault((player1, player2), {"1-0": 0, "1/2-1/2": 0, "0-1": 0})
        counts[result] += 1
        self.games += 1
        if forfeit is not None:
            both = (player2, player1) if result == "1-0" else (player1, player2)
            self._forfeits.setdefault(both, ForfeitCounts())[forfeit] += 1
        points = points_of(result, 1)
        # The same opening with colours swapped completes a pair, which is scored for both players.
        other = self._half_pairs.pop((player2, player1, start, number), None)
        if other is None:
            self._half_pairs[key] = points
            return
        self._pairs.setdefault((player1, player2), []).append(points + 1 - other)
        self._pairs.setdefault((player2, player1), []).append(1 - points + other)

    def title(self, agent: str) -> str:
        """The name that tables show: the program's own if no other agent has it.

        >>> crosstable = Crosstable(["engine:./a", "engine:./b"], {"engine:./a": "Alpha 2"})
        >>> crosstable.title("engine:./a"), crosstable.title("engine:./b")
        ('Alpha 2', 'engine:./b')
        """
        title = self._titles.get(agent, agent)
        others = (other for other in self.agents if other != agent)
        is_unique = all(title not in (other, self._titles.get(other)) for other in others)
        return title if is_unique else agent

    def tallies(self) -> list[Tally]:
        """Counts for a fit; the first of two players is player 1."""
        return [
            Tally(player1, player2, counts["1-0"], counts["1/2-1/2"], counts["0-1"])
            for (player1, player2), counts in self._counts.items()
        ]

    def pair_scores(self, one: str, other: str) -> list[float]:
        """Points of the first agent in each complete pair of games with the other, 0 to 2."""
        return self._pairs.get((one, other), [])

    def pentanomial(self, one: str, other: str) -> list[int]:
        """Complete pairs, counted by the points of the first agent."""
        return pentanomial(self.pair_scores(one, other))

    def counts(self, agent: str, other: str | None = None) -> tuple[int, int, int]:
        """Wins, draws and losses of an agent, against another one or all."""
        if other is None:
            as_first = [counts for (first, _), counts in self._counts.items() if first == agent]
            as_second = [counts for (_, second), counts in self._counts.items() if second == agent]
        else:
            as_first = [self._counts.get((agent, other), {})]
            as_second = [self._counts.get((other, agent), {})]
        return (
            _sum(as_first, "1-0") + _sum(as_second, "0-1"),
            _sum(as_first, "1/2-1/2") + _sum(as_second, "1/2-1/2"),
            _sum(as_first, "0-1") + _sum(as_second, "1-0"),
        )

    def forfeits(self, agent: str, other: str | None = None) -> ForfeitCounts:
        """Games that an agent lost by forfeit, by kind, against another one or all."""
        found = ForfeitCounts()
        for (loser, winner), counts in self._forfeits.items():
            if loser == agent and other in (None, winner):
                found.update(counts)
        return found

    def has_forfeits(self, agent: str) -> bool:
        """Whether any game of the agent was forfeited, by either side."""
        return any(agent in both for both in self._forfeits)

    def standings(self) -> tuple[list[Standing], Ratings]:
        """The agents, best first and those without games last, and the fit behind it."""
        ratings = fit_ratings(self.tallies())
        rated = [agent for agent in self.agents if agent in ratings.players]
        rated.sort(key=lambda agent: -ratings.players[agent].elo)
        unrated = Rating(0.0, float("-inf"), float("inf"))
        table = [
            Standing(
                agent,
                ratings.players[agent],
                *self.counts(agent),
                ratings.superiority(agent, after) if after else None,
                self.forfeits(agent),
                self.has_forfeits(agent),
            )
            for agent, after in zip_longest(rated, rated[1:])
        ]
        table += [
            Standing(agent, unrated, 0, 0, 0, None) for agent in self.agents if agent not in rated
        ]
        return table, ratings

    def to_frame(self) -> pandas.DataFrame:
        """The standings as a pandas table, the best agent first (extra `data`)."""
        table, _ = self.standings()
        return make_frame(
            {
                "agent": row.agent,
                "name": self.title(row.agent),
                "elo": row.rating.elo if row.games else math.nan,
                "low": row.rating.low,
                "high": row.rating.high,
                "score": row.score if row.games else math.nan,
                "games": row.games,
                "wins": row.wins,
                "draws": row.draws,
                "losses": row.losses,
                "forfeits": row.forfeits.total(),
                "better_than_next": row.better_than_next,
            }
            for row in table
        )


def _sum(counts: Iterable[Mapping[str, int]], result: str) -> int:
    return sum(count.get(result, 0) for count in counts)
