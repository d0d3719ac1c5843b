"""What moving first is worth.

One agent plays both sides, so both are equally strong, from openings of a few random plies, so
games differ. The openings are not chosen to be even: that would remove the effect to be measured.
They have an even number of plies, so player 1 is to move as at the start.

The result is player 1's share of the points: 50% if moving first is worth nothing. It depends on
the agent and the openings. Perfect play from the start has a single result, which `plyground solve`
finds on small boards of Quoridor.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from plyground import __version__
from plyground.agents import make
from plyground.arena.estimate import Estimate, elo_estimate
from plyground.arena.forfeits import ForfeitCounts, SingleAgentGuard
from plyground.arena.store import Filter, Store, StoredGame
from plyground.arena.task import GameResult, Task
from plyground.arena.tournament import Backend
from plyground.errors import ConfigError
from plyground.figures import COLOURS, decorate, load_figure, save_figure
from plyground.games.base import Game, State
from plyground.games.lines import play_line
from plyground.play.record import points_of
from plyground.study.markdown import format_markdown

MOST_TRIES = 20
"""Openings tried for each one that is needed, of either kind."""


@dataclass(frozen=True)
class FirstPlayerRow:
    """The results of one board; `mean_plies` includes the openings."""

    board: str
    wins: int
    draws: int
    losses: int
    """Results of player 1."""
    mean_plies: float
    share: Estimate
    """Player 1's share of the points."""
    forfeits: ForfeitCounts = field(default_factory=ForfeitCounts)
    """Games lost by forfeit, by kind."""

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses


@dataclass
class FirstPlayerStudy:
    """The games on one board, as a tournament of a store."""

    board: str
    """The board's name in tables."""
    start: State
    """The usual start there."""
    agent: str
    games: int
    plies: int
    seed: int
    store: Store
    tasks: list[Task] = field(init=False)
    number: int = field(init=False)

    def __post_init__(self) -> None:
        game = self.start.game
        make(self.agent, game)  # so that a wrong name fails here
        if self.plies % 2:
            raise ConfigError(f"expected an even number of plies, got {self.plies}")
        openings = random_openings(self.start, self.games, self.plies, random.Random(self.seed))
        if not openings:
            raise ConfigError(f"every game of {self.board} is over after {self.plies} random plies")
        self.tasks = [
            Task.of(self.agent, self.agent, opening, label=str(number))
            for number, opening in enumerate(openings, 1)
        ]
        self.number = self.store.tournament(
            {
                "version": __version__,
                "game": game.name,
                "settings": {**game.settings(self.start)},
                "openings": f"random, {self.plies} plies",
                "seed": self.seed,
                "study": "first-player",
            }
        )

    def played(self) -> list[StoredGame]:
        """The games of this study that are in the store."""
        wanted = {task.key for task in self.tasks}
        found = self.store.games(Filter(tournament=self.number, player=self.agent))
        return [game for game in found if game.key in wanted]

    def run(
        self, backend: Backend, on_crash: str = "continue"
    ) -> Generator[GameResult, None, None]:
        """Play the missing games; each is yielded when it is in the store.

        An agent that fails to start three times in a row, or fails at all if `on_crash` is "stop",
        ends the study with an AgentFailedError.
        """
        guard = SingleAgentGuard(self.agent, on_crash)
        done = {game.key for game in self.played()}
        missing = [task for task in self.tasks if task.key not in done]
        with closing(backend(missing)) as games:
            for game in games:
                self.store.add(self.number, game)
                yield game
                guard.add(game)

    def row(self) -> FirstPlayerRow:
        """The results of the games so far."""
        games = self.played()
        results = [game.result for game in games]
        return FirstPlayerRow(
            self.board,
            results.count("1-0"),
            results.count("1/2-1/2"),
            results.count("0-1"),
            sum(game.plies for game in games) / max(len(games), 1) + self.plies,
            elo_estimate([2 * points_of(result, 1) for result in results]),
            ForfeitCounts(game.forfeit for game in games if game.forfeit is not None),
        )


def random_openings(start: State, count: int, plies: int, rng: random.Random) -> list[State]:
    """At most `count` different positions after that many random plies.

    They begin as people might, by `Game.random_opening`. If there are too few such openings, as on
    3x3, the rest consists of any legal moves.
    """
    game = start.game
    found: dict[str, State] = {}
    any_legal_moves = partial(Game.random_opening, game)  # the default of the base class
    for random_line in (game.random_opening, any_legal_moves):
        for _ in range(MOST_TRIES * count):
            if len(found) == count:
                break
            state = play_line(start, random_line(start, plies, rng))[-1]
            if state.outcome is None:
                found.setdefault(state.text(), state)
    return list(found.values())


def first_player_table(rows: Sequence[FirstPlayerRow]) -> str:
    """The rows in Markdown."""
    header = [
        "preset",
        "games",
        "won by player 1",
        "drawn",
        "by player 2",
        "share of player 1, 95%",
    ]
    lines: list[list[str]] = []
    for row in rows:
        low, high = row.share.elo_interval
        share = f"{row.share.score:.1%} ({row.share.score_low:.1%} to {row.share.score_high:.1%})"
        share += "*" if row.forfeits else ""
        lines.append(
            [
                row.board,
                f"{row.games:,}",
                f"{row.wins:,}",
                f"{row.draws:,}",
                f"{row.losses:,}",
                share,
                f"{row.share.elo:+.0f} ({low:+.0f} to {high:+.0f})",
                f"{row.mean_plies:.0f}",
            ]
        )
    return format_markdown([*header, "in Elo", "plies"], lines)


def write_first_player_plot(rows: Sequence[FirstPlayerRow], agent: str, path: Path) -> None:
    """Player 1's share on each board, with its interval."""
    figure = load_figure()(figsize=(6, 0.8 + 0.6 * len(rows)), layout="constrained")
    axis = figure.subplots()
    for index, row in enumerate(rows):
        share = row.share
        low, high = share.score - share.score_low, share.score_high - share.score
        axis.errorbar(
            100 * share.score,
            index,
            xerr=[[100 * low], [100 * high]],
            color=COLOURS[0],
            marker="o",
            capsize=4,
        )
    axis.axvline(50, color=COLOURS[1], linewidth=1)
    axis.set_yticks(range(len(rows)), [row.board for row in rows])
    axis.set_ylim(len(rows) - 0.5, -0.5)
    decorate(axis, "Player 1's share of the points, 95% intervals", f"%, {agent}")
    save_figure(figure, path)
