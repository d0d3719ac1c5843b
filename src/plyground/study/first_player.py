"""What moving first is worth.

One agent plays both sides, so that both are equally strong, from openings of a few random plies, so
that games differ. The openings are taken as they come: choosing even ones would take away what is
measured. They have an even number of plies, so that player 1 is to move as at the start.

The number is player 1's share of the points: 50% if moving first is worth nothing. It is about
these players and these openings; perfect play from the start itself has one result, which
`plyground solve` finds on small boards.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path

from plyground import __version__
from plyground.agents import make
from plyground.arena.estimate import Estimate, elo_estimate
from plyground.arena.openings import random_opening
from plyground.arena.store import Filter, Store, StoredGame
from plyground.arena.task import Finished, Task
from plyground.arena.tournament import Backend
from plyground.errors import ConfigError
from plyground.figures import COLOURS, decorate, load_figure, save_figure
from plyground.games import registry
from plyground.games.quoridor import State
from plyground.games.quoridor_config import GameConfig
from plyground.study.markdown import format_markdown

MOST_TRIES = 20
"""Openings looked at for each that is wanted, of either kind."""


@dataclass(frozen=True)
class FirstPlayerRow:
    """What was found about one preset; `mean_plies` are those of whole games."""

    preset: str
    wins: int
    draws: int
    losses: int
    """Of player 1."""
    mean_plies: float
    share: Estimate
    """Player 1's share of the points."""

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses


@dataclass
class FirstPlayerStudy:
    """The games of one preset, as a tournament of a store."""

    preset: str
    agent: str
    games: int
    plies: int
    seed: int
    store: Store
    tasks: list[Task] = field(init=False)
    number: int = field(init=False)

    def __post_init__(self) -> None:
        make(self.agent)  # a mistake in the name shows here, not in a worker
        if self.plies % 2:
            raise ConfigError(f"expected an even number of plies, got {self.plies}")
        config = GameConfig.preset(self.preset)
        openings = random_openings(config, self.games, self.plies, random.Random(self.seed))
        self.tasks = [
            Task.of(self.agent, self.agent, "quoridor", opening, label=str(number))
            for number, opening in enumerate(openings, 1)
        ]
        self.number = self.store.tournament(
            {
                "version": __version__,
                "game": "quoridor",
                "settings": registry.get("quoridor").settings(State(config)),
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

    def run(self, backend: Backend) -> Generator[Finished, None, None]:
        """Play what is missing; games come when they are in the store."""
        done = {game.key for game in self.played()}
        missing = [task for task in self.tasks if task.key not in done]
        with closing(backend(missing)) as games:
            for game in games:
                self.store.add(self.number, game)
                yield game

    def row(self) -> FirstPlayerRow:
        """What the games so far say."""
        games = self.played()
        results = [game.result for game in games]
        points = [{"1-0": 2.0, "0-1": 0.0}.get(result, 1.0) for result in results]
        return FirstPlayerRow(
            self.preset,
            results.count("1-0"),
            results.count("1/2-1/2"),
            results.count("0-1"),
            sum(game.plies for game in games) / max(len(games), 1) + self.plies,
            elo_estimate(points),
        )


def random_openings(config: GameConfig, count: int, plies: int, rng: random.Random) -> list[State]:
    """Different positions after so many random plies.

    They mostly run ahead and now and then place a wall, as people do; where there are too few such
    openings, as on 3x3, the rest are any legal moves. There may be fewer than asked for.
    """
    found: dict[str, State] = {}
    for opening in (random_opening, _any_moves):
        for _ in range(MOST_TRIES * count):
            if len(found) == count:
                break
            state = reduce(State.play, opening(config, plies, rng), State(config))
            if not state.game_over:
                found.setdefault(state.text(), state)
    return list(found.values())


def _any_moves(config: GameConfig, plies: int, rng: random.Random) -> list[int]:
    """Legal moves from the start; fewer where the game ends before."""
    state = State(config)
    line: list[int] = []
    while len(line) < plies and not state.game_over:
        line.append(rng.choice(state.legal_actions()))
        state = state.play(line[-1])
    return line


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
        lines.append(
            [
                row.preset,
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
    """Player 1's share by preset, with its interval, beside one half."""
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
    axis.set_yticks(range(len(rows)), [row.preset for row in rows])
    axis.set_ylim(len(rows) - 0.5, -0.5)
    decorate(axis, "Player 1's share of the points, 95% intervals", f"%, {agent}")
    save_figure(figure, path)
