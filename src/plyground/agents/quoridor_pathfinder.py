"""A fast heuristic player of Quoridor: shortest path, and a wall when it gains enough."""

from __future__ import annotations

from plyground.agents.base import Agent, legal_actions
from plyground.games import base
from plyground.games.base import Action
from plyground.games.quoridor import State, expect_state
from plyground.games.score import Score
from plyground.search.limits import SearchLimits


class PathfinderAgent(Agent):
    """Plays Quoridor along its shortest path, the same move in the same position every time.

    It runs while it leads the race. When the opponent leads, it finds the wall that costs the
    opponent the most steps on balance, and places it if the gain is at least `min_gain` steps, or
    at least one step if the opponent is about to win.
    """

    name = "pathfinder"
    default_limits = None
    kept_limits = ("time_s",)  # it answers at once

    def __init__(self, min_gain: int = 3) -> None:
        # From 150 random four-move openings on 9x9, both ways round, 3 beat 2 by 196 games to 102
        # and was level with 4; on 5x5 all three are level.
        self.min_gain = min_gain

    def select_action(self, state: base.State, limits: SearchLimits | None = None) -> int:  # noqa: ARG002
        """Choose the best wall if it gains enough, else the pawn move nearest to the goal."""
        return Action.of(state, self._choose(expect_state(state)))

    def rank(self, state: base.State) -> list[tuple[int, Score]]:
        """All moves in the order in which it prefers them, with the lead in steps after each.

        After the wall worth placing come the steps along a shortest path, the walls that gain
        less, all other steps and all other walls.
        """
        here = expect_state(state)
        player, first = here.current_player, self._choose(here)
        moves = [(action, here.play(action)) for action in here.legal_actions()]
        lead, steps = _lead(here, player), here.shortest_path_length(player)

        def preference(move: tuple[int, State]) -> tuple[bool, int, int]:
            action, after = move
            gain = _lead(after, player) - lead
            if action < here.board_size**2:
                kind = 1 if after.shortest_path_length(player) < steps else 3
            else:
                kind = 2 if gain > 0 else 4
            return action != first, kind, -gain

        return [(action, _score(after, player)) for action, after in sorted(moves, key=preference)]

    def _choose(self, state: State) -> int:
        actions = legal_actions(state)
        player = state.current_player
        opponent = state.get_opponent(player)

        def steps_left(action: int) -> int:
            return state.play(action).shortest_path_length(player)

        def lead_after(wall: int) -> int:
            return _lead(state.play(wall), player)

        # max and min take the first of equals, so ties go to the lowest action number.
        lead = _lead(state, player)
        walls = [action for action in actions if action >= state.board_size**2]
        if walls and lead < 0:
            wall = max(walls, key=lead_after)
            worth_it = 1 if state.shortest_path_length(opponent) == 1 else self.min_gain
            if lead_after(wall) - lead >= worth_it:
                return wall
        return min(actions[: len(actions) - len(walls)], key=steps_left)


def _lead(state: State, player: int) -> int:
    """The steps that the opponent has to go less those of the player."""
    opponent = state.get_opponent(player)
    return state.shortest_path_length(opponent) - state.shortest_path_length(player)


def _score(after: State, player: int) -> Score:
    """The lead of the player who has moved; a proven win if that ended the game."""
    if after.outcome is not None:
        return after.game.end_score(after, player)
    return Score(_lead(after, player), after.game.unit, player)
