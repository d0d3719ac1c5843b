"""Time controls: how much time a clock gives to a player, and when it adds more."""

from __future__ import annotations

import re
from dataclasses import dataclass

from plyground.checks import check_range
from plyground.errors import ConfigError

LONGEST_S = 86_400
_MOST_MOVES = 1000
_RESERVE_S = 0.05
"""Seconds of a time per move that are reserved for everything but the search."""
_NUMBER = r"([0-9]{1,9}(?:\.[0-9]{1,3})?)"
_CONTROL = re.compile(rf"(?:([0-9]{{1,4}})/)?{_NUMBER}(?:\+{_NUMBER})?")
_PER_MOVE = re.compile(rf"{_NUMBER}/move")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Seconds for the game of a player, and the increment in seconds for every move.

    With `moves`, the time is for a session of that many moves, and is added again after each
    session. With `per_move`, it is for every single move, and unused time is lost.

    >>> control = TimeControl.parse("40/60+0.6")
    >>> control.moves, control.base_s, control.increment_s
    (40, 60.0, 0.6)
    >>> str(TimeControl(90)), str(TimeControl(300, 5)), str(TimeControl.parse("0.5/move"))
    ('90', '300+5', '0.5/move')
    """

    base_s: float
    increment_s: float = 0.0
    moves: int | None = None
    """Moves in a session; None if the time is for the whole game."""
    per_move: bool = False
    """Whether the time is for every single move."""

    def __post_init__(self) -> None:
        if not 0 < self.base_s <= LONGEST_S or not 0 <= self.increment_s <= LONGEST_S:
            raise ConfigError(
                f"expected a time above 0 and up to {LONGEST_S} seconds, "
                f"got {self.base_s:g}+{self.increment_s:g}"
            )
        if self.moves is not None:
            check_range("the moves of a session", self.moves, 1, _MOST_MOVES)
        if self.per_move and (self.increment_s or self.moves is not None):
            raise ConfigError("a time per move has neither an increment nor sessions")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read `300`, `300+5`, `40/300+5` or `2/move`, in seconds."""
        if match := _PER_MOVE.fullmatch(text):
            return cls(float(match[1]), per_move=True)
        match = _CONTROL.fullmatch(text)
        if not match:
            raise ConfigError(
                "expected a time such as '300', '300+5', '40/300+5' or '2/move' in seconds, "
                f"got {text!r}"
            )
        moves = None if match[1] is None else int(match[1])
        return cls(float(match[2]), float(match[3] or 0), moves)

    def __str__(self) -> str:
        base = f"{self.base_s:g}"
        if self.per_move:
            return f"{base}/move"
        session = "" if self.moves is None else f"{self.moves}/"
        increment = f"+{self.increment_s:g}" if self.increment_s else ""
        return f"{session}{base}{increment}"

    @property
    def move_time_s(self) -> float | None:
        """The time limit of each search; None unless the time is per move.

        >>> TimeControl.parse("1/move").move_time_s
        0.95
        """
        if not self.per_move:
            return None
        return self.base_s - min(_RESERVE_S, self.base_s / 4)

    def moves_to_go(self, played: int) -> int | None:
        """Moves until the next session, after a number of moves; None without sessions.

        >>> TimeControl(60, moves=40).moves_to_go(39), TimeControl(60, moves=40).moves_to_go(40)
        (1, 40)
        """
        return None if self.moves is None else self.moves - played % self.moves

    def after_move(self, left_s: float, played: int) -> float:
        """The time left with what a move adds; `played` counts that move.

        >>> control = TimeControl(60, 0.5, moves=2)
        >>> control.after_move(10.0, 1), control.after_move(10.0, 2)
        (10.5, 70.5)
        """
        if self.per_move:
            return self.base_s
        ends_session = self.moves is not None and played % self.moves == 0
        return left_s + self.increment_s + (self.base_s if ends_session else 0.0)
