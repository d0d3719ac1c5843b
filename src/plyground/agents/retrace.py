"""The moves that lead to a position, for programs that have to be told them one by one."""

from __future__ import annotations

from typing import Any

from plyground.errors import ConfigError
from plyground.games import quoridor, registry, reversi

MOST_TRIES = 200_000
"""Positions tried for an opening's moves before giving up; the books' take a few hundred."""


class MoveTracker:
    """Follows a game by its positions, as an agent is shown them."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._states: list[Any] = []
        self._actions: list[int] = []

    def moves_to(self, state: Any) -> list[int]:
        """Every move from the game's start to this position."""
        if not self._states or not (self._go_back(state) or self._follow(state)):
            start = registry.get(self._game).start(registry.get(self._game).settings(state))
            self._actions = retrace(start, state)
            self._states = [start]
            for action in self._actions:
                self._states.append(self._states[-1].play(action))
        return list(self._actions)

    def play(self, action: int) -> None:
        """The move that was chosen in the last position."""
        self._states.append(self._states[-1].play(action))
        self._actions.append(action)

    def _go_back(self, state: Any) -> bool:
        """To a position met before, where moves were taken back."""
        if state not in self._states:
            return False
        at = self._states.index(state)
        del self._states[at + 1 :], self._actions[at:]
        return True

    def _follow(self, state: Any) -> bool:
        """By one move: from the last position or, if another was played there, the one before."""
        for at in range(len(self._states) - 1, max(len(self._states) - 3, -1), -1):
            last = self._states[at]
            for action in last.legal_actions():
                if last.play(action) == state:
                    del self._states[at + 1 :], self._actions[at:]
                    self.play(action)
                    return True
        return False


def retrace(start: Any, target: Any) -> list[int]:
    """Moves that lead from one position to another; short ones, such as openings, are found soon.

    >>> target = quoridor.State().play("e2").play("e8").play("d5h")
    >>> [quoridor.action_to_notation(action) for action in retrace(quoridor.State(), target)]
    ['e2', 'e8', 'd5h']
    """
    seen: set[str] = set()
    line: list[int] = []

    def search(state: Any) -> bool:
        if state == target:
            return True
        text = state.text()
        if text in seen or len(seen) >= MOST_TRIES:
            return False
        seen.add(text)
        for action in _towards(state, target):
            line.append(action)
            if search(state.play(action)):
                return True
            line.pop()
        return False

    if not search(start):
        raise ConfigError(f"found no moves from {start.text()!r} to {target.text()!r}")
    return line


def _towards(state: Any, target: Any) -> list[int]:
    """Legal moves that may be on the way, the likeliest first."""
    actions: list[int] = state.legal_actions()
    if isinstance(state, reversi.State):
        taken = target.black | target.white
        return [action for action in actions if action == reversi.PASS or taken >> action & 1]
    return _towards_quoridor(state, target, actions)


def _towards_quoridor(state: quoridor.State, target: Any, actions: list[int]) -> list[int]:
    left = target.move_count - state.move_count
    if left <= 0:
        return []
    player, size = state.current_player, state.board_size
    walls = {
        player: state.walls_remaining[player] - target.walls_remaining[player] for player in (1, 2)
    }
    plies = {player: (left + 1) // 2, 3 - player: left // 2}
    for mover, now, goal in (
        (1, state.player1_pos, target.player1_pos),
        (2, state.player2_pos, target.player2_pos),
    ):
        far = abs(now[0] - goal[0]) + abs(now[1] - goal[1])
        steps = plies[mover] - walls[mover]
        if walls[mover] < 0 or steps < (far + 1) // 2:  # a jump goes two cells
            return []
    # The last wall stands at a known ply: no wall comes after it, and nothing else then.
    ply, last_wall = state.move_count, target.move_count - target.moves_since_last_wall - 1
    may_step = ply != last_wall or not walls[player]
    may_wall = walls[player] > 0 and ply <= last_wall
    goal = target.player1_pos if player == 1 else target.player2_pos
    steps_, walls_ = [], []
    for action in actions:
        kind, cell = quoridor.decode_action(action, size)
        if kind == "move" and may_step:
            steps_.append((abs(cell[0] - goal[0]) + abs(cell[1] - goal[1]), action))
        elif may_wall and cell in (target.h_walls if kind == "h_wall" else target.v_walls):
            walls_.append(action)
    ahead = [action for _, action in sorted(steps_)]
    return walls_ + ahead if ply == last_wall else ahead + walls_
