"""The moves that lead to a position, for programs that take a list of moves, not a position."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.games.lines import play_line

MAX_POSITIONS = 200_000
"""Positions that `find_moves` tries before it gives up; openings of books take a few hundred."""


class MoveTracker:
    """Keeps the move list of one game, given its positions one at a time."""

    def __init__(self) -> None:
        self._states: list[State] = []
        self._actions: list[int] = []
        self._game: tuple[State, list[int]] | None = None

    def follow_game(self, start: State, actions: Sequence[int]) -> None:
        """Receive the moves of the game so far, in case its positions do not tell them."""
        self._game = (start, list(actions))

    def moves_to(self, state: State) -> list[int]:
        """Every move from the start of the game to this position."""
        if not self._states or not (self._go_back(state) or self._follow(state)):
            start: State = state.game.start(state.game.settings(state))
            self._actions = self._find(start, state)
            self._states = play_line(start, self._actions)
        return list(self._actions)

    def _find(self, start: State, state: State) -> list[int]:
        """The moves from the usual start: those of the game, after those to its own start."""
        if self._game is not None:
            begin, actions = self._game
            if play_line(begin, actions)[-1] == state:
                return [*find_moves(start, begin), *actions]
        return find_moves(start, state)

    def play(self, action: int) -> None:
        """Append the move that was chosen in the last position."""
        self._states.append(self._states[-1].play(action))
        self._actions.append(action)

    def _go_back(self, state: State) -> bool:
        """Return to an earlier position, after moves were taken back."""
        if state not in self._states:
            return False
        at = self._states.index(state)
        del self._states[at + 1 :], self._actions[at:]
        return True

    def _follow(self, state: State) -> bool:
        """Add one move: after the last position or, if another was played there, the one before."""
        for at in range(len(self._states) - 1, max(len(self._states) - 3, -1), -1):
            last = self._states[at]
            for action in last.legal_actions():
                if last.play(action) == state:
                    del self._states[at + 1 :], self._actions[at:]
                    self.play(action)
                    return True
        return False


def find_moves(start: State, target: State) -> list[int]:
    """Moves that lead from one position to another; short lines, such as openings, are quick.

    >>> from plyground.quoridor import State
    >>> target = State().play("e2").play("e8").play("d5h")
    >>> [target.format_move(action) for action in find_moves(State(), target)]
    ['e2', 'e8', 'd5h']
    """
    seen: set[str] = set()
    line: list[int] = []

    def search(state: State) -> bool:
        if state == target:
            return True
        text = state.text()
        if text in seen or len(seen) >= MAX_POSITIONS:
            return False
        seen.add(text)
        for action in state.game.moves_towards(state, target):
            line.append(action)
            if search(state.play(action)):
                return True
            line.pop()
        return False

    if not search(start):
        raise ConfigError(f"found no moves from {start.text()!r} to {target.text()!r}")
    return line
