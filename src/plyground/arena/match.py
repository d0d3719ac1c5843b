"""A match between two agents: every opening is played twice, with the colours swapped."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from plyground.agents import make
from plyground.arena.estimate import Estimate, elo_estimate, pentanomial
from plyground.arena.game import Make
from plyground.arena.runner import run_tasks
from plyground.arena.task import Conditions, Task
from plyground.games.base import State
from plyground.play import Record


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game of a match, from the first agent's side."""

    opening: int
    """The number of its opening."""
    first_is_player: int
    """Which player the match's first agent was, 1 or 2."""
    points: float
    """For the first agent: 1, 0.5 or 0."""
    record: Record


@dataclass
class MatchScore:
    """The running score of a match, for its first agent."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: dict[int, list[float]] = field(default_factory=dict)
    """Points of the games finished so far, by opening."""

    @property
    def games(self) -> int:
        """Games finished."""
        return self.wins + self.draws + self.losses

    def add(self, game: GameResult) -> None:
        """Count a finished game."""
        self.wins += game.points == 1
        self.draws += game.points == 0.5
        self.losses += game.points == 0
        self.pairs.setdefault(game.opening, []).append(game.points)

    def pair_scores(self) -> list[float]:
        """Points of the pairs that are complete."""
        return [sum(points) for points in self.pairs.values() if len(points) == 2]

    def pentanomial(self) -> list[int]:
        """The complete pairs, counted by their points."""
        return pentanomial(self.pair_scores())

    def estimate(self) -> Estimate:
        """What the finished pairs say about the strength of the two."""
        return elo_estimate(self.pair_scores())

    def __str__(self) -> str:
        counts = f"+{self.wins} ={self.draws} -{self.losses}"
        return f"{counts}  {self.estimate()}" if self.pair_scores() else counts


def play_match(
    first: str,
    second: str,
    openings: Sequence[State],
    game: str = "quoridor",
    workers: int = 0,
    conditions: Conditions | None = None,
    make_agent: Make = make,
) -> Generator[GameResult, None, None]:
    """Play each opening twice between two agents named by their strings; results as they come.

    With workers, games are played in processes, so many at a time; without, here, one by one. Each
    game has agents of its own, so games do not influence each other. Closing the iterator ends the
    match. Whole tournaments, which are kept and can be continued, are in `tournament.py`.
    """
    for spec in (first, second):
        make_agent(spec, game)  # a mistake in a name shows here, not in a worker
    conditions = conditions or Conditions()
    tasks = (
        Task.of(
            *((first, second) if player == 1 else (second, first)),
            game,
            opening,
            label=f"{number + 1}.{player}",
            conditions=conditions,
        )
        for number, opening in enumerate(openings)
        for player in (1, 2)
    )
    with closing(run_tasks(tasks, workers, make_agent)) as games:
        for played in games:
            number, player = map(int, played.task.label.split("."))
            points = {"1-0": 1.0, "0-1": 0.0}.get(played.record.result, 0.5)
            points = points if player == 1 else 1 - points
            yield GameResult(number - 1, player, points, played.record)
