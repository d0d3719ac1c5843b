"""A player of a named strength. What the levels are is data, in `levels.py`."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, cast

from plyground.agents.base import Progress, Thinker, legal_actions
from plyground.agents.levels import LEVEL_NAMES, LEVELS, Slips
from plyground.errors import ConfigError
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

WON = 1e9
"""More than any search says of a position that it has not seen end."""


class LevelAgent:
    """Plays `easy`, `normal`, `hard`, `expert` or `master`; a seed fixes its slips.

    >>> from plyground.quoridor import State
    >>> LevelAgent("easy", seed=1).select_action(State()) in State().legal_actions()
    True
    """

    def __init__(self, level: str, game: str = "quoridor", seed: int | None = None) -> None:
        if level not in LEVEL_NAMES:
            raise ConfigError(f"expected a level among {', '.join(LEVEL_NAMES)}, got {level!r}")
        self.level = level
        self.game = game
        self._level = LEVELS[game][level]
        self._rng = random.Random(seed)
        self._agents: dict[str, Thinker] = {}

    def select_action(self, state: Any, limits: SearchLimits | None = None) -> int:
        """Choose a move as this level would."""
        return self.search(state, limits).best_move

    def search(
        self,
        state: Any,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """Look ahead as this level does; the score is that of the move it takes."""
        actions = legal_actions(state)
        agent = self._agent(state)
        if self._level.slips is None:
            return agent.search(state, self._merged(agent, limits), on_progress)
        return self._slip(agent, self._level.slips, state, actions)

    def points(self, state: Any) -> float | None:
        """Scores are those of the agent behind the level."""
        return self._agent(state).points(state)

    def stop(self) -> None:
        """End the running search soon, with what it has found. Safe from any thread."""
        for agent in self._agents.values():
            if (stop := getattr(agent, "stop", None)) is not None:
                stop()

    def new_game(self) -> None:
        """Forget earlier games."""
        self._agents.clear()

    def _agent(self, state: Any) -> Thinker:
        from plyground.agents.spec import make  # which names this class

        spec = self._level.agent_on(state.board_size)
        if spec not in self._agents:
            self._agents[spec] = cast(Thinker, make(spec, self.game))
        return self._agents[spec]

    @staticmethod
    def _merged(agent: Thinker, limits: SearchLimits | None) -> SearchLimits | None:
        """A clock may shorten what a level thinks; nothing makes it think longer."""
        own: SearchLimits | None = getattr(agent, "limits", None)
        if limits is None or own is None:
            return None
        times = [time_s for time_s in (own.time_s, limits.time_s) if time_s is not None]
        return SearchLimits(
            min(times, default=None),
            nodes=own.nodes,
            depth=own.depth,
            simulations=own.simulations,
            clock_s=limits.clock_s,
            increment_s=limits.increment_s,
        )

    def _slip(self, agent: Thinker, slips: Slips, state: Any, actions: list[int]) -> SearchResult:
        """The move it likes best, of those that look best, after misjudging each a little."""
        found = {action: _after(agent, state, action) for action in actions}
        best = sorted(actions, key=lambda action: -found[action].score)[: slips.among]
        spread = slips.spread * (agent.points(state) or 1.0)
        liked = max(best, key=lambda action: found[action].score + self._rng.gauss(0, spread))
        nodes = sum(result.nodes_searched for result in found.values())
        return replace(found[liked], nodes_searched=nodes)


def _after(agent: Thinker, state: Any, action: int) -> SearchResult:
    """What playing an action is worth to whoever plays it."""
    after = state.play(action)
    if after.outcome is not None:
        worth = {state.current_player: WON, None: 0.0}.get(after.outcome.winner, -WON)
        win_in = {WON: 1, -WON: -1}.get(worth)
        return SearchResult(action, worth, 1, [action], 1, 0.0, win_in)
    return agent.search(after).after(action)
