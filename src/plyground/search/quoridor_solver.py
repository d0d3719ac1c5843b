"""The exact solver for small boards of Quoridor: the winner, the number of plies, and the moves.

The solved game has no draw counters: only repetition is a draw. The winner takes the shortest way
and the loser the longest. Every position is solved, not only the start, so `Solution.value` and
`Solution.best_action` work for the whole game.

3x3 and 4x4 boards take less than a second with any number of walls, 5x5 boards half a minute
(docs/results.md). Late positions of large boards can be solved too: the cost depends on the number
of ways to place the remaining walls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from plyground import _core
from plyground.errors import IllegalMoveError
from plyground.games.quoridor import State
from plyground.games.quoridor_config import GameConfig

MAX_MB = 4608
"""Default size limit of the tables: enough for 5x5 with any number of walls."""


class Solution:
    """A solved game: the value of its start, and of every position that can follow.

    >>> solution = solve(3, 2)
    >>> solution.winner, solution.plies
    (2, 12)
    >>> solution.value(solution.start.play("a1"))
    7
    """

    def __init__(self, start: State, tables: _core.QuoridorSolution, time_s: float) -> None:
        self.start = start
        """The start position, with draw limits that no game reaches."""
        self.time_s = time_s
        """Seconds that solving took."""
        self._tables = tables

    @property
    def winner(self) -> int | None:
        """1 or 2, or None for a draw."""
        value, player = self.value(self.start), self.start.current_player
        return None if value == 0 else player if value > 0 else self.start.get_opponent(player)

    @property
    def plies(self) -> int:
        """Length of the game with perfect play by both sides; 0 for a draw."""
        return abs(self.value(self.start))

    @property
    def line(self) -> list[int]:
        """A perfect game as action numbers; [] for a draw."""
        return self.best_line(self.start)

    @property
    def positions(self) -> int:
        """Number of solved positions, unfinished only, including unreachable ones."""
        return self._tables.positions

    @property
    def memory_bytes(self) -> int:
        """Size of the tables."""
        return self._tables.bytes

    def covers(self, state: State) -> bool:
        """Whether the state's walls extend those of the start, and the game is not won."""
        return self._tables.covers(state)

    def value(self, state: State) -> int:
        """Plies to the end: positive if the player to move wins, negative if it loses, else 0.

        It is also 0 when the game is over.
        """
        return self._tables.value(state)

    def action_values(self, state: State) -> dict[int, int]:
        """The value of each legal action for the player to move, as in `value`."""
        return {action: self._after(state.play(action)) for action in state.legal_actions()}

    def best_action(self, state: State) -> int:
        """The shortest win, else a draw, else the longest loss; the lowest of equal actions."""
        values = self.action_values(state)
        if not values:
            raise IllegalMoveError(f"no move to choose in {state.text()!r}: the game is over")
        return max(values, key=lambda action: _rank(values[action]))

    def best_line(self, state: State) -> list[int]:
        """The rest of the game with perfect play by both sides; [] for a draw.

        Among equal moves it takes the lowest action number.
        """
        line: list[int] = []
        while self.value(state) != 0:
            line.append(self.best_action(state))
            state = state.play(line[-1])
        return line

    def _after(self, state: State) -> int:
        """The value of a state for the player who has just moved."""
        if state.winner is not None:
            return 1
        left = self.value(state)
        return 0 if left == 0 else -left - 1 if left > 0 else 1 - left


def solve(
    game: GameConfig | State | int,
    walls: int | None = None,
    *,
    max_mb: int = MAX_MB,
    progress: Callable[[int, int], object] | None = None,
) -> Solution:
    """Solve the game of a config, of a board size and walls per player, or from a state.

    `progress` is called regularly with the number of solved tables and of all tables; the latter is
    0 while they are counted. An exception that it raises stops the solver, and so does Ctrl-C. A
    game whose tables need more than `max_mb` megabytes raises a ConfigError.
    """
    start = _endless(_start(game, walls))
    started = perf_counter()
    tables = _core.QuoridorSolution(start, max_mb, progress)
    return Solution(start, tables, perf_counter() - started)


def count_reachable(game: GameConfig | State | int, walls: int | None = None) -> int:
    """Count the reachable positions, including the start and finished games.

    A position is the pawns, the walls, the walls left and the player to move. This visits every
    position, so it is practical only on 3x3 boards.

    >>> count_reachable(3, 2)
    6218
    """
    start = _endless(_start(game, walls))
    seen = {_without_counters(start)}
    todo = [start]
    while todo:
        state = todo.pop()
        for action in state.legal_actions():
            following = state.play(action)
            text = _without_counters(following)
            if text not in seen:
                seen.add(text)
                todo.append(State.parse(f"{text} 0 0", start.config))
    return len(seen)


def _start(game: GameConfig | State | int, walls: int | None) -> State:
    if isinstance(game, State):
        return game
    if isinstance(game, GameConfig):
        return State(game)
    config = GameConfig.for_size(game)
    return State(config if walls is None else replace(config, walls_per_player=walls))


def _endless(state: State) -> State:
    """The state with its draw counters at 0 and limits that no perfect game reaches."""
    config = replace(state.config, max_moves=65535, no_progress_limit=65535)
    return State.parse(f"{_without_counters(state)} 0 0", config)


def _without_counters(state: State) -> str:
    return state.text().rsplit(" ", 2)[0]


def _rank(value: int) -> int:
    """A key that is higher for results that are better for the player to move."""
    if value == 0:
        return 0
    return 1000 - value if value > 0 else -1000 - value
