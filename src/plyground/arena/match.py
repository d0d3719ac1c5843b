"""A match between two agents: every opening is played twice, with the colours swapped."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from plyground.agents import Agent, make
from plyground.arena.estimate import Estimate, elo_estimate
from plyground.games import registry
from plyground.games.base import State
from plyground.play import Move, Record


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

    def estimate(self) -> Estimate:
        """What the finished pairs say about the strength of the two."""
        return elo_estimate([sum(points) for points in self.pairs.values() if len(points) == 2])

    def __str__(self) -> str:
        counts = f"+{self.wins} ={self.draws} -{self.losses}"
        has_pair = any(len(points) == 2 for points in self.pairs.values())
        return f"{counts}  {self.estimate()}" if has_pair else counts


def play_game(
    state: State,
    agents: dict[int, Agent],
    game: str = "quoridor",
    tags: dict[str, str] | None = None,
    limits: Any = None,
) -> Record:
    """Play a game to its end and keep the record.

    An agent whose move is not legal loses the game at once, with the reason in the record.
    """
    rules = registry.get(game)
    start = state
    moves: list[Move] = []
    result: str | None = None
    termination = ""
    while state.outcome is None:
        player = state.current_player
        started = perf_counter()
        action = agents[player].select_action(state, limits)
        spent_s = perf_counter() - started
        if action not in state.legal_actions():
            result, termination = ("0-1", "1-0")[player - 1], f"illegal move {action!r}"
            break
        moves.append(Move(rules.format_action(state, action), time_s=spent_s))
        state = state.play(action)
    return Record.from_moves(moves, start, game, tags=tags, result=result, termination=termination)


def play_match(
    first: str,
    second: str,
    openings: Sequence[State],
    game: str = "quoridor",
    workers: int = 1,
) -> Iterator[GameResult]:
    """Play each opening twice between two agents named by their strings; results as they come.

    Each game has agents of its own, made in the process that plays it, so games do not influence
    each other. Closing the iterator, or Ctrl-C, ends the match after the games in flight.
    """
    rules = registry.get(game)
    for spec in (first, second):
        make(spec, game)  # a mistake in a name shows here, not in a worker
    jobs = [
        (number, player, first, second, game, rules.settings(opening), opening.text())
        for number, opening in enumerate(openings)
        for player in (1, 2)
    ]
    if workers == 1:
        yield from (_play_job(job) for job in jobs)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        yield from _unordered(pool, jobs, workers)


def _unordered(
    pool: ProcessPoolExecutor, jobs: Iterable[tuple[Any, ...]], workers: int
) -> Iterator[GameResult]:
    """Results in the order games end, with only a few games handed out ahead of time."""
    waiting = iter(jobs)
    running: set[Future[GameResult]] = set()
    try:
        while True:
            while len(running) < workers + 1 and (job := next(waiting, None)) is not None:
                running.add(pool.submit(_play_job, job))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        for future in running:
            future.cancel()


def _play_job(job: tuple[int, int, str, str, str, dict[str, str], str]) -> GameResult:
    number, player, first, second, game, settings, text = job
    state = registry.get(game).start(settings, text)
    agents = {player: make(first, game), 3 - player: make(second, game)}
    names = {player: first, 3 - player: second}
    tags = {"Player1": names[1], "Player2": names[2], "Round": f"{number + 1}.{player}"}
    with suppress(KeyboardInterrupt):
        record = play_game(state, agents, game, tags)
        winner = {"1-0": 1, "0-1": 2}.get(record.result)
        points = 0.5 if winner is None else float(winner == player)
        return GameResult(number, player, points, record)
    raise SystemExit(130)
