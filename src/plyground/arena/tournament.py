"""A tournament: a schedule, somebody to play it, and a store that remembers what was played.

    with Store("arena.sqlite") as store:
        tournament = Tournament(ArenaConfig(("engine:nodes=2000", "minimax", "pathfinder")), store)
        for game in tournament.run():
            print(game.record.tags["Player1"], game.record.result)

Run again, it goes on where it was stopped. Programs that do so need `if __name__ == "__main__":`,
since games are played in other processes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import replace
from functools import partial

from plyground.agents import Agent, make
from plyground.agents.base import Forfeit, Thinker
from plyground.arena.cluster import RayBackend
from plyground.arena.config import ArenaConfig
from plyground.arena.game import Make
from plyground.arena.live_board import InFlight, LiveBoard, live_board
from plyground.arena.openings import Found
from plyground.arena.runner import run_tasks
from plyground.arena.schedule import openings_for, tasks_for
from plyground.arena.scores import Scores
from plyground.arena.store import Filter, Store
from plyground.arena.task import Finished, Task
from plyground.cluster import Cluster
from plyground.errors import ConfigError

Backend = Callable[[Iterable[Task]], Generator[Finished, None, None]]
"""Plays tasks, in any order, anywhere."""
GLANCE_S = 0.001
"""How long an agent looks at the board to show that it knows what its limits mean."""


def backend_for(
    config: ArenaConfig,
    make_agent: Make = make,
    on_move: Callable[[InFlight], object] = lambda games: None,  # noqa: ARG005
) -> Backend:
    """Whoever plays the games, as a tournament's settings say; only here can they be watched."""
    if config.backend == "ray":
        return RayBackend(Cluster(config.workers or 0, config.address), make_agent)
    workers = 1 if config.workers is None else config.workers
    return partial(run_tasks, workers=workers, make_agent=make_agent, on_move=on_move)


def check_limits(name: str, agent: Agent, config: ArenaConfig) -> None:
    """Raise a ConfigError if an agent cannot keep to the limits, which would lose it every game."""
    limits = config.conditions().limits
    if limits is None or not isinstance(agent, Thinker):
        return
    try:
        agent.search(config.start_state(), replace(limits, time_s=GLANCE_S))
    except Forfeit:
        return  # it will lose its games, and that is told
    except ConfigError as error:
        raise ConfigError(f"the agent {name!r} cannot keep to the limits: {error}") from error


class Tournament:
    """One tournament of a store, as far as the agents of its config are concerned.

    `on_found` hears of openings that are looked for, which may take half a minute the first time.
    """

    def __init__(
        self,
        config: ArenaConfig,
        store: Store,
        *,
        fresh: bool = False,
        make_agent: Make = make,
        backend: Backend | None = None,
        on_found: Found | None = None,
    ) -> None:
        for agent in config.agents:
            made = make_agent(agent, config.game)  # a mistake in a name shows here, not in a worker
            check_limits(agent, made, config)
        self.config = config
        self.store = store
        self.backend = backend or backend_for(config, make_agent, self._show)
        self._board: LiveBoard | None = None
        self.tasks = tasks_for(config, openings_for(config, on_found, store))
        self.number = store.tournament(config.identity(), fresh=fresh)
        self._read_store()

    def _read_store(self) -> None:
        """Count what was played so far, here or by another process."""
        agents, wanted = self.config.agents, {task.key for task in self.tasks}
        self.scores = Scores(agents)
        self._done = set()
        for game in self.store.games(Filter(tournament=self.number)):
            # Games of an earlier, longer schedule of the same two count as well.
            if game.player1 in agents and game.player2 in agents:
                self.scores.add(game.key, game.result)
                if game.key in wanted:
                    self._done.add(game.key)

    @property
    def done(self) -> int:
        """How many games of the schedule are in the store."""
        return len(self._done)

    def _show(self, games: InFlight) -> None:
        """Let others watch."""
        if self._board is not None:
            self._board.show(games)

    def decision(self) -> str | None:
        """What the SPRT says, once it does: `H0` or `H1`."""
        if self.config.sprt is None:
            return None
        return self.config.sprt.decision(self.scores.pentanomial(*self.config.agents))

    def run(self) -> Generator[Finished, None, None]:
        """Play what is missing; games come when they are in the store.

        It ends with the schedule or the SPRT. Closing the iterator stops it at once.
        """
        if self.decision() is not None:
            return
        missing = [task for task in self.tasks if task.key not in self._done]
        with (
            live_board(self.store.path, self.number) as self._board,
            closing(self.backend(missing)) as games,
        ):
            for game in games:
                if self.store.add(self.number, game):
                    self._done.add(game.task.key)
                    self.scores.add(game.task.key, game.record.result)
                    yield game
                else:  # somebody else was quicker, and theirs is the one that counts
                    self._read_store()
                if self.decision() is not None:
                    return
