"""A tournament: a schedule, a backend that plays it, and a store that keeps the games.

    with Store("arena.sqlite") as store:
        tournament = Tournament(ArenaConfig(("engine:nodes=2000", "minimax", "pathfinder")), store)
        for game in tournament.run():
            print(game.task.player1, game.record.result, game.task.player2)

Run again, it continues where it was stopped. Such a program needs `if __name__ == "__main__":`,
since games are played in other processes.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from collections.abc import Set as AbstractSet
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from plyground.agents import Agent, Forfeit, make
from plyground.agents.base import ForfeitKind
from plyground.agents.spec import is_command
from plyground.arena.cluster import RayBackend
from plyground.arena.config import ArenaConfig
from plyground.arena.crosstable import Crosstable, GameKey
from plyground.arena.forfeits import (
    FailedStarts,
    all_lost_sentence,
    out_sentence,
    stop_sentence,
    stops_run,
)
from plyground.arena.game import MakeAgent, PlayerTotals, close_agent, forfeited_game
from plyground.arena.live_board import GamesInFlight, LiveBoard, live_board
from plyground.arena.rounds import Round, count_rounds
from plyground.arena.runner import run_tasks
from plyground.arena.schedule import openings_for, rounds_for, tasks_for
from plyground.arena.store import Filter, Store
from plyground.arena.task import GameResult, Task
from plyground.cluster import Cluster
from plyground.errors import ConfigError
from plyground.games.base import OnFound
from plyground.hints import counted
from plyground.play import Record

if TYPE_CHECKING:
    import pandas

Backend: TypeAlias = Callable[[Iterable[Task]], Generator[GameResult, None, None]]
"""Plays tasks, in any order and anywhere.

The tasks may end and go on after a result, when it decides the next round. A backend with an idle
worker therefore asks for the next task after every result, and ends when nothing is running.
"""


class TaskQueue:
    """The tasks that a backend takes; `extend` adds more, even after the last one was taken."""

    def __init__(self, tasks: Iterable[Task], out: AbstractSet[str]) -> None:
        self._waiting = deque(tasks)
        self._out = out
        self.in_flight: set[GameKey] = set()
        """Games that were taken and have no result yet."""

    def extend(self, tasks: Iterable[Task]) -> None:
        """Add tasks."""
        self._waiting.extend(tasks)

    def __iter__(self) -> TaskQueue:
        return self

    def __next__(self) -> Task:
        """The next task of agents that are not out."""
        self._drop_out()
        if not self._waiting:
            raise StopIteration
        task = self._waiting.popleft()
        self.in_flight.add(task.key)
        return task

    def is_busy(self) -> bool:
        """Whether games are in flight or can still be taken."""
        self._drop_out()
        return bool(self.in_flight or self._waiting)

    def _drop_out(self) -> None:
        """Drop the next tasks as long as they are of agents that are out."""
        while self._waiting and not self._out.isdisjoint(
            (self._waiting[0].player1, self._waiting[0].player2)
        ):
            self._waiting.popleft()


def backend_for(
    config: ArenaConfig,
    make_agent: MakeAgent = make,
    on_move: Callable[[GamesInFlight], object] = lambda games: None,  # noqa: ARG005
) -> Backend:
    """The backend that a tournament's settings name; only the local one calls `on_move`."""
    if config.backend == "ray":
        return RayBackend(Cluster(config.workers or 0, config.address), make_agent)
    workers = 1 if config.workers is None else config.workers
    return partial(run_tasks, workers=workers, make_agent=make_agent, on_move=on_move)


def check_limits(name: str, agent: Agent, config: ArenaConfig) -> None:
    """Raise a ConfigError if an agent rejects the limits, since it would lose every game."""
    limits = config.conditions().limits
    if limits is None:
        return
    try:
        agent.check_limits(config.start_state(), limits)
    except Forfeit:
        return  # it will lose its games, each with the reason
    except ConfigError as error:
        raise ConfigError(f"the agent {name!r} cannot keep to the limits: {error}") from error


@dataclass(frozen=True)
class GivenAgents:
    """Makes agents by name, some of which are objects that the caller has made."""

    agents: Mapping[str, Agent]
    make_agent: MakeAgent = make

    def __call__(self, spec: str, game: str) -> Agent:
        """The object of that name, or the agent that the string names."""
        agent = self.agents.get(spec)
        return self.make_agent(spec, game) if agent is None else agent

    def check(self, config: ArenaConfig) -> None:
        """Raise a ConfigError for an object that cannot play in the tournament's processes."""
        if config.backend == "local" and config.workers == 0:
            return
        for name, agent in self.agents.items():
            try:
                pickle.dumps(agent)
            except Exception as error:  # any class may refuse
                raise ConfigError(
                    f"the agent {name!r} cannot be sent to a worker process ({error}); "
                    "use workers=0, or a string that names its class"
                ) from error


class Tournament:
    """One tournament of a store, as far as it concerns the agents of its config.

    `agents` has objects by the names that they have in the config. They play in this process with
    `workers=0`; otherwise each worker process has a copy, so they must be picklable. `new_game` is
    called before every game of an agent, and `close` after it.

    `on_found` receives the progress of the search for openings, which may take half a minute the
    first time.
    """

    def __init__(
        self,
        config: ArenaConfig,
        store: Store,
        *,
        fresh: bool = False,
        make_agent: MakeAgent = make,
        backend: Backend | None = None,
        on_found: OnFound | None = None,
        agents: Mapping[str, Agent] | None = None,
    ) -> None:
        self._titles: dict[str, str] = {}
        """Names that programs were given or give themselves, by the agents' strings."""
        if agents:
            make_agent = GivenAgents(dict(agents), make_agent)
            make_agent.check(config)
        for name in config.agents:
            agent = make_agent(name, config.game)  # so that a wrong name fails here
            try:
                check_limits(name, agent, config)
                if agent.title:
                    self._titles[name] = agent.title
            finally:
                close_agent(name, agent)
        self.config = config
        self.store = store
        self.backend = backend or backend_for(config, make_agent, self._show)
        self._board: LiveBoard | None = None
        self._starts = FailedStarts()
        self.stopped_by: str | None = None
        """The agent whose failure has ended the tournament, with `on_crash` "stop"."""
        self._openings = openings_for(config, on_found, store)
        self.rounds: list[Round] = []
        """The rounds so far, in a tournament whose pairings depend on results."""
        self.tasks = [] if config.has_rounds else tasks_for(config, self._openings)
        """The games, as far as they are known."""
        self.number = store.tournament(config.identity(), fresh=fresh)
        self._read_store()

    def _read_store(self) -> None:
        """Count the games in the store, whichever process has played them."""
        agents = self.config.agents
        self.crosstable = Crosstable(agents, self._titles)
        self._results: dict[GameKey, str] = {}
        for game in self.store.games(Filter(tournament=self.number)):
            # Games of an earlier, longer schedule of the same agents count as well.
            if game.player1 in agents and game.player2 in agents:
                self.crosstable.add(game.key, game.result, game.forfeit)
                self._results[game.key] = game.result
        self._pair_rounds()
        self._done = self._results.keys() & {task.key for task in self.tasks}
        for agent in filter(is_command, agents):
            if agent not in self._titles:
                for game in self.store.games(Filter(self.number, player=agent, last=1)):
                    with suppress(ValueError):  # a damaged record
                        self._add_titles(game.record())

    def _add_titles(self, record: Record) -> None:
        """Note the names of programs in a game."""
        for player in (1, 2):
            if title := record.tags.get(f"Program{player}"):
                self._titles.setdefault(record.tags.get(f"Player{player}", ""), title)

    def _pair_rounds(self) -> None:
        """Pair the rounds that the results allow."""
        if self.config.has_rounds:
            self.rounds = rounds_for(self.config, self._openings, self._results)
            self.tasks = [task for found in self.rounds for task in found.tasks]

    @property
    def done(self) -> int:
        """Number of scheduled games in the store."""
        return len(self._done)

    @property
    def total(self) -> int:
        """Number of games; more, if meetings of a knockout to come are tied."""
        config, agents = self.config, len(self.config.agents)
        if not config.has_rounds:
            return len(self.tasks)
        if config.format == "knockout":
            known = sum(len(one.meetings) for one in self.rounds) - self._byes()
            return len(self.tasks) + (agents - 1 - known) * config.games
        return count_rounds(config.format, agents, config.rounds) * (agents // 2) * config.games

    def _byes(self) -> int:
        return sum(meeting.other is None for one in self.rounds for meeting in one.meetings)

    def _show(self, games: GamesInFlight) -> None:
        """Publish the running games for other programs."""
        if self._board is not None:
            self._board.show(games)

    def decision(self) -> str | None:
        """The decision of the SPRT, `H0` or `H1`, once there is one."""
        if self.config.sprt is None:
            return None
        return self.config.sprt.decision(self.crosstable.pentanomial(*self.config.agents))

    @property
    def out(self) -> frozenset[str]:
        """The agents that failed to start three times in a row, and play no more games."""
        return frozenset(self._starts.out)

    def to_frame(self) -> pandas.DataFrame:
        """The standings as a pandas table, the best agent first (extra `data`)."""
        return self.crosstable.to_frame()

    def failures(self) -> list[str]:
        """A sentence for every agent that could not play, and for an early end because of one."""
        found: list[str] = []
        for agent in self.config.agents:
            games, lost = sum(self.crosstable.counts(agent)), self.crosstable.forfeits(agent)
            left = sum(agent in (task.player1, task.player2) for task in self._missing())
            if agent in self.out:
                more = "" if self.config.has_rounds else f"; {counted(left, 'game')} not played"
                found.append(f"{out_sentence(agent)}{more}")
            elif games and lost.total() == games and self.stopped_by is None:
                found.append(all_lost_sentence(agent, games, lost))
        if self.stopped_by is not None:
            found.append(stop_sentence(self.stopped_by))
        return found

    def _missing(self) -> list[Task]:
        return [task for task in self.tasks if task.key not in self._done]

    def run(self) -> Generator[GameResult, None, None]:
        """Play the missing games; each is yielded when it is in the store.

        It ends with the schedule, with the SPRT, or with the first failure of an agent if
        `on_crash` is "stop". Closing the iterator stops it at once.
        """
        if self.decision() is not None:
            return
        queue = TaskQueue(self._missing(), self._starts.out)
        with (
            live_board(self.store.path, self.number) as self._board,
            closing(self.backend(queue)) as games,
        ):
            for game in games:
                queue.in_flight.discard(game.task.key)
                self._starts.add(game)
                if self._add(game):
                    yield game
                if stops_run(game, self.config.on_crash):
                    self.stopped_by = game.forfeited_by
                    return
                if self.decision() is not None:
                    return
                yield from self._continue_rounds(queue)

    def _continue_rounds(self, queue: TaskQueue) -> Generator[GameResult, None, None]:
        """Pair the next round after the last game of one; yields games forfeited unplayed."""
        while self.config.has_rounds and not queue.is_busy():
            self._pair_rounds()
            if not (missing := self._missing()):
                return
            queue.extend(missing)
            if not queue.is_busy():
                yield from self._forfeit_unplayed(missing)

    def _add(self, game: GameResult) -> bool:
        """Keep a game and count it; False if another process has added the same game first."""
        if not self.store.add(self.number, game):
            self._read_store()  # the other result counts
            return False
        self._results[game.task.key] = game.record.result
        self._done.add(game.task.key)
        self._add_titles(game.record)
        self.crosstable.add(game.task.key, game.record.result, game.forfeit)
        return True

    def _forfeit_unplayed(self, tasks: Iterable[Task]) -> Generator[GameResult, None, None]:
        """Forfeit the games of agents that are out, since a round needs all of its results."""
        forfeit = Forfeit("out after failed starts", ForfeitKind.NO_START)
        for task in tasks:
            for player, agent in ((1, task.player1), (2, task.player2)):
                if agent in self.out:
                    game = forfeited_game(task, [], PlayerTotals(), player, forfeit)
                    if self._add(game):
                        yield game
                    break
