"""The analysis of many games, in worker processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from multiprocessing.connection import Connection, wait
from typing import TypeAlias

from plyground.agents.spec import plays
from plyground.analysis.adviser import adviser_for
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.game_facts import FactsFile, GameFacts, facts_of
from plyground.analysis.game_report import analyse_game
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.machine import available_cores
from plyground.play.record import Record
from plyground.play.record_text import format_record
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits

_SPAWN = multiprocessing.get_context("spawn")  # forking is unsafe with threads, such as onnx's


@dataclass(frozen=True)
class AnalysisSettings:
    """Which agent analyses, and how long."""

    limits: SearchLimits
    """Limits of the search of each position."""
    agent: str | None = None
    """Agent that analyses; by default the strongest for the game and board."""
    use_cache: bool = True
    """Whether to read and write the analysis cache."""

    def agent_for(self, game: AnyGame) -> str | None:
        """The agent to ask for; with a depth the engine, since networks have none."""
        if self.agent is None and self.limits.depth is not None and plays("engine", game):
            return "engine"
        return self.agent

    def key(self, record: Record) -> str:
        """A text that stands for the analysis of this game under these settings."""
        text = f"{self.agent}\n{self.limits}\n{format_record(record)}"
        return sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class AnalysedGame:
    """A game with its analysis."""

    number: int
    record: Record
    facts: GameFacts


NumberedRecord: TypeAlias = tuple[int, Record]


def analyse_games(
    games: Iterable[NumberedRecord],
    settings: AnalysisSettings,
    workers: int | None = None,
    results: FactsFile | None = None,
) -> Iterator[AnalysedGame]:
    """Analyse games in parallel; they come back in their order.

    Games whose analysis is in `results` are not analysed again, and each new analysis is added to
    it at once. `workers` is the number of processes, by default one for each core; with 0 the games
    are analysed in this process. Closing the iterator ends the work.
    """
    waiting: dict[int, Record] = {}  # those begun and not yet returned, in their order
    found: dict[int, GameFacts] = {}

    def new_games() -> Iterator[NumberedRecord]:
        for number, record in games:
            waiting[number] = record
            known = None if results is None else results.get(settings.key(record))
            if known is None:
                yield number, record
            else:
                found[number] = known

    def finished() -> Iterator[AnalysedGame]:
        while waiting and (number := next(iter(waiting))) in found:
            yield AnalysedGame(number, waiting.pop(number), found.pop(number))

    run = _in_processes(new_games(), settings, available_cores() if workers is None else workers)
    if workers == 0:
        run = _in_this_process(new_games(), settings)
    try:
        for number, facts in run:
            found[number] = facts
            if results is not None:
                results.add(settings.key(waiting[number]), number, facts)
            yield from finished()
        yield from finished()
    finally:
        run.close()


FoundFacts: TypeAlias = Generator[tuple[int, GameFacts], None, None]


def _in_this_process(games: Iterable[NumberedRecord], settings: AnalysisSettings) -> FoundFacts:
    with _Analyst(settings) as analyst:
        for number, record in games:
            yield number, analyst.analyse(record)


def _in_processes(
    games: Iterable[NumberedRecord], settings: AnalysisSettings, workers: int
) -> FoundFacts:
    waiting = iter(games)
    pool: list[_Worker] = []
    try:
        while True:
            for worker in pool:
                if worker.number is None and (game := next(waiting, None)) is not None:
                    worker.begin(*game)
            while len(pool) < workers and (game := next(waiting, None)) is not None:
                pool.append(_Worker(settings))
                pool[-1].begin(*game)
            busy = {worker.connection: worker for worker in pool if worker.number is not None}
            if not busy:
                return
            for ready in wait([*busy]):
                if isinstance(ready, Connection):
                    yield busy[ready].take()
    finally:
        for worker in pool:
            worker.kill()


class _Worker:
    """A process that analyses one game at a time."""

    def __init__(self, settings: AnalysisSettings) -> None:
        self.number: int | None = None
        self.connection, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_serve, args=(theirs, settings), daemon=True)
        self._process.start()
        theirs.close()

    def begin(self, number: int, record: Record) -> None:
        """Send it a game."""
        self.number = number
        with suppress(OSError):  # the process has ended: `take` tells
            # The game comes first, so that it is registered there before it is needed.
            self.connection.send((registry.get(record.game), record))

    def take(self) -> tuple[int, GameFacts]:
        """The number of its game, and the analysis that it has sent."""
        number = self.number
        try:
            answer: GameFacts | ValueError = self.connection.recv()
        except (EOFError, OSError):
            self._process.join()
            code = self._process.exitcode
            answer = ConfigError(f"the process that analysed it ended with exit code {code}")
        if number is None or isinstance(answer, ValueError):
            raise ConfigError(f"game {number}: {answer}")
        self.number = None
        return number, answer

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.join()
        self.connection.close()


def _serve(connection: Connection, settings: AnalysisSettings) -> None:
    """Analyse the games that the parent sends, until it closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError), _Analyst(settings) as analyst:
        while True:
            _, record = connection.recv()
            try:
                connection.send(analyst.analyse(record))
            except ValueError as error:
                connection.send(ConfigError(str(error)))


def _end_with_parent() -> None:
    """End this process with its parent, even during a long search."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


class _Analyst:
    """Analyses games with one adviser for each game and board."""

    def __init__(self, settings: AnalysisSettings) -> None:
        self._settings = settings
        self._advisers: dict[tuple[str, int], Seat] = {}
        self._cache = AnalysisCache() if settings.use_cache else None

    def __enter__(self) -> _Analyst:
        return self

    def __exit__(self, *_: object) -> None:
        if self._cache is not None:
            self._cache.close()
        for seat in self._advisers.values():
            if seat.agent is not None:
                seat.agent.close()

    def analyse(self, record: Record) -> GameFacts:
        """Analyse a game; KeyboardInterrupt if it was interrupted."""
        adviser = self._adviser(record.start_state())
        if adviser.agent is not None:
            adviser.agent.new_game()
        report = analyse_game(record, adviser, self._settings.limits)
        if not report.is_complete:
            raise KeyboardInterrupt
        return facts_of(report, adviser.name)

    def _adviser(self, start: State) -> Seat:
        game = start.game
        key = game.name, game.board_size(start)
        if key not in self._advisers:
            spec = self._settings.agent_for(game)
            self._advisers[key] = adviser_for(start, self._cache, spec)
        return self._advisers[key]
