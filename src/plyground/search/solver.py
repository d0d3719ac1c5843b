"""Small boards solved exactly: who wins, in how many plies, and how.

The game solved has no draw counters: repeating moves is the only way to draw. The winner hurries
and the loser lingers. Every position is solved, not just the start, so `Solution.value` and
`Solution.best_action` answer for the whole game.

3x3 and 4x4 boards take no time with any number of walls, 5x5 boards half a minute; figures are in
docs/results.md. Late positions of large boards can be solved, too: what counts is how many ways
there are to place the walls that are left.
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
"""What the tables may take unless told otherwise: enough for 5x5 with any number of walls."""


class Solution:
    """A solved game: the value of its start, and of every position that can come of it.

    >>> solution = solve(3, 2)
    >>> solution.winner, solution.plies
    (2, 12)
    >>> solution.value(solution.start.play("a1"))
    7
    """

    def __init__(self, start: State, tables: _core.QuoridorSolution, time_s: float) -> None:
        self.start = start
        """Where it starts, with draw counters out of reach."""
        self.time_s = time_s
        """Seconds it took."""
        self._tables = tables

    @property
    def winner(self) -> int | None:
        """1 or 2, or None for a draw."""
        value, player = self.value(self.start), self.start.current_player
        return None if value == 0 else player if value > 0 else self.start.get_opponent(player)

    @property
    def plies(self) -> int:
        """Length of the game with both sides playing perfectly; 0 for a draw."""
        return abs(self.value(self.start))

    @property
    def line(self) -> list[int]:
        """Such a game as action numbers; none for a draw."""
        return self.best_line(self.start)

    @property
    def positions(self) -> int:
        """Positions solved, finished ones not counted, whether play can reach them or not."""
        return self._tables.positions

    @property
    def memory_bytes(self) -> int:
        """Size of the tables."""
        return self._tables.bytes

    def covers(self, state: State) -> bool:
        """Whether the walls of the state can come of the start's, and nobody has won yet."""
        return self._tables.covers(state)

    def value(self, state: State) -> int:
        """Plies to the end: positive if the side to move wins, negative if it loses, 0 if drawn.

        Also 0 when the game is over, be it won or drawn by its counters.
        """
        return self._tables.value(state)

    def action_values(self, state: State) -> dict[int, int]:
        """Each legal action with what it brings the side to move: plies to the end, as `value`."""
        return {action: self._after(state.play(action)) for action in state.legal_actions()}

    def best_action(self, state: State) -> int:
        """The shortest win, or else a draw, or else the longest loss; the lowest of equals."""
        values = self.action_values(state)
        if not values:
            raise IllegalMoveError(f"no move to choose in {state.text()!r}: the game is over")
        return max(values, key=lambda action: _rank(values[action]))

    def best_line(self, state: State) -> list[int]:
        """The game from here on with both sides playing perfectly; none if it is a draw.

        Of equally good moves it takes the lowest action number.
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
    """Solve the game of a config, or of a board size and walls for each player, or from a state on.

    `progress` is called now and then with the tables solved and their number, which is 0 while they
    are being counted; whatever it raises ends the work. So does Ctrl-C. A game whose tables would
    take more than `max_mb` megabytes is refused with a ConfigError.
    """
    start = _endless(_start(game, walls))
    started = perf_counter()
    tables = _core.QuoridorSolution(start, max_mb, progress)
    return Solution(start, tables, perf_counter() - started)


def count_reachable(game: GameConfig | State | int, walls: int | None = None) -> int:
    """Count the positions that play can reach, the start and finished ones included.

    A position is the pawns, the walls, both hands and the side to move. This walks through all of
    them, which takes 3x3 boards.

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
    """The state with its counters at zero and their limits where no perfect game gets to."""
    config = replace(state.config, max_moves=65535, no_progress_limit=65535)
    return State.parse(f"{_without_counters(state)} 0 0", config)


def _without_counters(state: State) -> str:
    return state.text().rsplit(" ", 2)[0]


def _rank(value: int) -> int:
    """Higher for what the side to move likes better."""
    if value == 0:
        return 0
    return 1000 - value if value > 0 else -1000 - value
