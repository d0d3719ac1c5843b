"""A player of a named strength; `Game.levels` defines the levels of each game."""

from __future__ import annotations

import random
from dataclasses import replace
from time import monotonic

from plyground.agents.base import Agent, Progress, legal_actions
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.games.levels import LEVEL_NAMES, Level, Slips, level_name
from plyground.games.score import ScoreScale
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.search.scored_book import choose_from_book

SHORTEST_S = 0.0005
"""Seconds of each of a slipping level's searches when its time is up."""
PROVEN_POINTS = 1e9
"""A proven result in points: more than any misjudged estimate."""


class LevelAgent(Agent):
    """Plays one of the levels, from `beginner` to `master`; a seed makes its slips repeatable.

    Without `book`, it does not play from the opening book of the game's strongest levels.

    >>> from plyground.quoridor import State
    >>> LevelAgent("easy", seed=1).select_action(State()) in State().legal_actions()
    True
    """

    evaluates = True
    kept_limits = ("time_s",)
    default_limits = SearchLimits()  # the agents behind the levels have their own

    def __init__(
        self,
        level: str,
        seed: int | None = None,
        game: AnyGame | str | None = None,
        book: bool = True,
    ) -> None:
        if level_name(level) not in LEVEL_NAMES:
            raise ConfigError(f"expected a level among {', '.join(LEVEL_NAMES)}, got {level!r}")
        self.level = self.name = level_name(level)
        self._rng = random.Random(seed)
        self._book = book
        self._agents: dict[tuple[str, str], Agent] = {}
        if game is not None:
            self._level(registry.find(game))

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """Search as this level does; the score is that of the chosen move."""
        actions = legal_actions(state)
        if self._book and self.level in state.game.book_levels:
            found = choose_from_book(state, self._rng)
            if found is not None:
                return found
        agent, slips = self._agent(state), self._level(state.game).slips
        if slips is None:
            return agent.search(state, agent.limits_within(limits), on_progress)
        return self._slip(agent, slips, state, actions, limits)

    def warm_up(self, state: State) -> None:
        """Build the agent behind the level."""
        self._agent(state).warm_up(state)

    def close_book(self) -> None:
        """Search every position from now on."""
        self._book = False

    def stop(self) -> None:
        """End the running search soon; it returns what it has found. Safe from any thread."""
        for agent in list(self._agents.values()):
            agent.stop()

    def new_game(self) -> None:
        """Forget earlier games."""
        self.close()

    def close(self) -> None:
        """Close the agents behind the level."""
        for agent in self._agents.values():
            agent.close()
        self._agents.clear()

    def cache_scale(self, state: State) -> ScoreScale:
        """That of the agent behind the level."""
        return self._agent(state).cache_scale(state)

    def _level(self, game: AnyGame) -> Level:
        if self.level not in game.levels:
            raise ConfigError(f"{game.name} has no level {self.level!r}")
        return game.levels[self.level]

    def _agent(self, state: State) -> Agent:
        from plyground.agents.spec import make  # circular: spec names this class

        game = state.game
        spec = self._level(game).agent_on(game.board_size(state))
        key = (game.name, spec)
        if key not in self._agents:
            self._agents[key] = make(spec, game)
        return self._agents[key]

    def _slip(
        self,
        agent: Agent,
        slips: Slips,
        state: State,
        actions: list[int],
        limits: SearchLimits | None,
    ) -> SearchResult:
        """The best of the moves noticed after a random error is added to the scores of the top."""
        if agent.evaluates:
            found = _search_each(agent, state, actions, limits)
            points = {action: _points(result) for action, result in found.items()}
        else:
            found = _rank(agent, state)
            points = {action: -float(place) for place, action in enumerate(found)}
        noticed = self._notice(slips, found)
        best = sorted(noticed, key=lambda action: -points[action])[: slips.among]
        chosen = max(best, key=lambda action: points[action] + self._rng.gauss(0, slips.spread))
        nodes = sum(result.nodes_searched for result in found.values())
        return replace(found[chosen], nodes_searched=nodes)

    def _notice(self, slips: Slips, found: dict[int, SearchResult]) -> list[int]:
        """The moves without those overlooked; all of them if all were overlooked."""
        if not slips.overlooks:
            return list(found)
        return [
            action
            for action, result in found.items()
            if _wins_at_once(result) or self._rng.random() >= slips.overlooks
        ] or list(found)


def _wins_at_once(result: SearchResult) -> bool:
    """Whether the move ends the game with a win."""
    score = result.score
    return (
        score is not None
        and result.depth == 1
        and score.value > 0
        and (score.exact or score.win_in == 1)
    )


def _points(result: SearchResult) -> float:
    if result.score is None:
        return 0.0
    if result.win_in is not None:
        return PROVEN_POINTS if result.win_in > 0 else -PROVEN_POINTS
    return result.score.value


def _rank(agent: Agent, state: State) -> dict[int, SearchResult]:
    """The moves of an agent that ranks and does not search, best first."""
    return {
        action: SearchResult(action, score, 1, [action], 1) for action, score in agent.rank(state)
    }


def _search_each(
    agent: Agent, state: State, actions: list[int], limits: SearchLimits | None
) -> dict[int, SearchResult]:
    """The result of every action, for the player who plays it; they share a time limit."""
    time_s = None if limits is None else limits.time_budget()[0]
    end = None if time_s is None else monotonic() + time_s
    found = {}
    for number, action in enumerate(actions):
        share = None
        if end is not None:
            share_s = (end - monotonic()) / (len(actions) - number)
            share = SearchLimits(time_s=max(share_s, SHORTEST_S))
        found[action] = _after(agent, state, action, agent.limits_within(share))
    return found


def _after(agent: Agent, state: State, action: int, limits: SearchLimits | None) -> SearchResult:
    """The result of playing an action, for the player who plays it."""
    after = state.play(action)
    if after.outcome is not None:
        return SearchResult.of_end(state, action)
    return agent.search(after, limits).after(action)
