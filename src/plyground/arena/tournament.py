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
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from plyground.agents import Agent, Forfeit, make
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
from plyground.arena.game import MakeAgent
from plyground.arena.live_board import GamesInFlight, LiveBoard, live_board
from plyground.arena.runner import run_tasks
from plyground.arena.schedule import openings_for, tasks_for
from plyground.arena.store import Filter, Store
from plyground.arena.task import GameResult, Task
from plyground.cluster import Cluster
from plyground.errors import ConfigError
from plyground.games.base import OnFound
from plyground.hints import counted
from plyground.play import Record

Backend: TypeAlias = Callable[[Iterable[Task]], Generator[GameResult, None, None]]
"""Plays tasks, in any order and anywhere."""


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
        """The object of that name, ready for another game, or the agent that the string names."""
        agent = self.agents.get(spec)
        if agent is None:
            return self.make_agent(spec, game)
        agent.new_game()
        return agent

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
    called before every game of an object, and `close` after it.

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
                agent.close()
        self.config = config
        self.store = store
        self.backend = backend or backend_for(config, make_agent, self._show)
        self._board: LiveBoard | None = None
        self._starts = FailedStarts()
        self.stopped_by: str | None = None
        """The agent whose failure has ended the tournament, with `on_crash` "stop"."""
        self.tasks = tasks_for(config, openings_for(config, on_found, store))
        self.number = store.tournament(config.identity(), fresh=fresh)
        self._read_store()

    def _read_store(self) -> None:
        """Count the games in the store, whichever process has played them."""
        agents, wanted = self.config.agents, {task.key for task in self.tasks}
        self.crosstable = Crosstable(agents, self._titles)
        self._done: set[GameKey] = set()
        for game in self.store.games(Filter(tournament=self.number)):
            # Games of an earlier, longer schedule of the same agents count as well.
            if game.player1 in agents and game.player2 in agents:
                self.crosstable.add(game.key, game.result, game.forfeit)
                if game.key in wanted:
                    self._done.add(game.key)
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

    @property
    def done(self) -> int:
        """Number of scheduled games in the store."""
        return len(self._done)

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

    def failures(self) -> list[str]:
        """A sentence for every agent that could not play, and for an early end because of one."""
        found: list[str] = []
        for agent in self.config.agents:
            games, lost = sum(self.crosstable.counts(agent)), self.crosstable.forfeits(agent)
            left = sum(agent in (task.player1, task.player2) for task in self._missing())
            if agent in self.out:
                found.append(f"{out_sentence(agent)}; {counted(left, 'game')} not played")
            elif games and lost.total() == games and self.stopped_by is None:
                found.append(all_lost_sentence(agent, games, lost))
        if self.stopped_by is not None:
            found.append(stop_sentence(self.stopped_by))
        return found

    def _missing(self) -> list[Task]:
        return [task for task in self.tasks if task.key not in self._done]

    def _playable(self) -> Iterator[Task]:
        """The missing games of agents that are not out, as of when the backend takes them."""
        for task in self._missing():
            if not self._starts.out & {task.player1, task.player2}:
                yield task

    def run(self) -> Generator[GameResult, None, None]:
        """Play the missing games; each is yielded when it is in the store.

        It ends with the schedule, with the SPRT, or with the first failure of an agent if
        `on_crash` is "stop". Closing the iterator stops it at once.
        """
        if self.decision() is not None:
            return
        with (
            live_board(self.store.path, self.number) as self._board,
            closing(self.backend(self._playable())) as games,
        ):
            for game in games:
                self._starts.add(game)
                if self.store.add(self.number, game):
                    self._done.add(game.task.key)
                    self._add_titles(game.record)
                    self.crosstable.add(game.task.key, game.record.result, game.forfeit)
                    yield game
                else:  # another process added this game first, and its result counts
                    self._read_store()
                if stops_run(game, self.config.on_crash):
                    self.stopped_by = game.forfeited_by
                    return
                if self.decision() is not None:
                    return
