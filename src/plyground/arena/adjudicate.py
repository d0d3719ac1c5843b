"""Rules that end a game before its own rules do, where both players would agree.

They save time where the rest of a game says nothing new. All are off unless they are set. Scores
are as records have them: in steps of Quoridor or discs of Reversi, or from -1 to 1 where an agent
counts so. An agent that tells none ends no game by them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from plyground.errors import ConfigError
from plyground.games.base import Outcome


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Which games end early."""

    proven: bool = False
    """A win that both players have proven, one after the other."""
    win_score: float | None = None
    """A lead, in the scores that both tell, ..."""
    win_moves: int = 4
    """... held for so many moves of each."""
    draw_score: float | None = None
    """Scores this close to 0, ..."""
    draw_moves: int = 8
    """... for so many moves of each, ..."""
    draw_after: int = 40
    """... in games of at least so many plies, are a draw."""
    max_plies: int | None = None
    """A game this long is a draw."""

    def __post_init__(self) -> None:
        if type(self.proven) is not bool:
            raise ConfigError(f"expected proven to be true or false, got {self.proven!r}")
        for name in ("win_moves", "draw_moves", "draw_after", "max_plies"):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < 1):
                raise ConfigError(f"expected {name} to be a whole number above 0, got {value!r}")
        for name in ("win_score", "draw_score"):
            value = getattr(self, name)
            if value is not None and (type(value) not in (int, float) or not value >= 0):
                raise ConfigError(f"expected {name} to be a number of at least 0, got {value!r}")


class Adjudicator:
    """Watches one game.

    >>> watching = Adjudicator(Adjudication(max_plies=2))
    >>> watching.add(1, None), str(watching.add(2, None))
    (None, 'draw (adjudication: length)')
    """

    def __init__(self, rules: Adjudication) -> None:
        self.rules = rules
        self._leads: list[float | None] = []  # of player 1, by ply; infinite where proven

    def add(self, player: int, score: float | None, win_in: int | None = None) -> Outcome | None:
        """Take note of a move by what its player thinks; how the game ends, if it does now.

        The score is the player's own, as its record has it; `win_in` is as in `SearchResult`.
        """
        if win_in is not None:
            score = math.copysign(math.inf, win_in)
        self._leads.append(score if score is None or player == 1 else -score)
        rules = self.rules
        if rules.proven and (winner := self._ahead(math.inf, 2)):
            return Outcome(winner, "adjudication: proven")
        if rules.win_score is not None and (
            winner := self._ahead(rules.win_score, 2 * rules.win_moves)
        ):
            return Outcome(winner, "adjudication: score")
        if rules.draw_score is not None and len(self._leads) >= rules.draw_after:
            last = self._leads[-2 * rules.draw_moves :]
            close = [lead is not None and abs(lead) <= rules.draw_score for lead in last]
            if len(last) == 2 * rules.draw_moves and all(close):
                return Outcome(None, "adjudication: even")
        if rules.max_plies is not None and len(self._leads) >= rules.max_plies:
            return Outcome(None, "adjudication: length")
        return None

    def _ahead(self, lead: float, plies: int) -> int | None:
        """Who was ahead by this much for so many plies, None for nobody."""
        last = self._leads[-plies:]
        if len(last) < plies:
            return None
        if all(found is not None and found >= lead for found in last):
            return 1
        if all(found is not None and found <= -lead for found in last):
            return 2
        return None
