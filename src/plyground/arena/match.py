"""A match between two agents in one call, for programs and notebooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from plyground.agents import Agent, make
from plyground.arena.config import ArenaConfig
from plyground.arena.crosstable import Crosstable
from plyground.arena.store import Store
from plyground.arena.task import GameResult
from plyground.arena.tournament import Tournament


def play_match(
    first: str | Agent,
    second: str | Agent,
    *,
    on_game: Callable[[GameResult], object] = lambda _: None,
    **settings: object,
) -> Crosstable:
    """Play a match, with colours swapped after each game, and return its result.

    Agents are strings or objects; two of the same name are numbered. `settings` are those of
    ArenaConfig and of the game. Games are played in this process, one by one, unless `workers` says
    otherwise; then objects must be picklable. `on_game` receives every game when it ends.

    >>> result = play_match("pathfinder", "random:seed=1", games=4, board=3, walls=1)
    >>> sum(result.counts("pathfinder"))
    4
    """
    agents = {_name(agent): agent for agent in (first, second)}
    if len(agents) < 2:
        agents = {_numbered(agent, number): agent for number, agent in ((1, first), (2, second))}
    objects = {name: agent for name, agent in agents.items() if isinstance(agent, Agent)}
    specs = {name: agent for name, agent in agents.items() if isinstance(agent, str)}
    config = ArenaConfig.of({"workers": 0, **settings, "agents": tuple(agents)})
    with Store(":memory:") as store:
        tournament = Tournament(config, store, agents=objects, make_agent=_NamedAgents(specs))
        for game in tournament.run():
            on_game(game)
        return tournament.crosstable


@dataclass(frozen=True)
class _NamedAgents:
    """Makes the agents of strings that have other names in the match; workers have a copy."""

    specs: Mapping[str, str]

    def __call__(self, name: str, game: str) -> Agent:
        return make(self.specs.get(name, name), game)


def _numbered(agent: str | Agent, number: int) -> str:
    """A name for one of two equal agents; a string keeps its options, which may have a clock.

    >>> _numbered("random:seed=1", 2)
    'random (2):seed=1'
    """
    name, colon, options = _name(agent).partition(":")
    return f"{name} ({number}){colon}{options}"


def _name(agent: str | Agent) -> str:
    return agent if isinstance(agent, str) else agent.name or type(agent).__name__
