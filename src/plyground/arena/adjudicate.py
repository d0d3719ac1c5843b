"""Rules that end a game before its own rules do, when both players agree on the result.

They save time when the rest of a game would add no information. All are off by default. Limits on
scores are in the game's unit (steps in Quoridor, discs in Reversi); a score in another unit, such
as a network's, counts by the chance to win that it stands for. An agent without scores ends no
game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyground.checks import check_range
from plyground.errors import ConfigError
from plyground.games.base import Outcome
from plyground.games.score import Score, Unit


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Which games end early."""

    proven: bool = False
    """Whether a game ends when both players have proven the same winner, one after the other."""
    win_score: float | None = None
    """Lead, in the scores of both players, that wins the game."""
    win_moves: int = 4
    """Moves of each player for which that lead must hold."""
    draw_score: float | None = None
    """Largest distance from 0, in the scores of both players, that draws the game."""
    draw_moves: int = 8
    """Moves of each player for which scores must stay that close."""
    draw_after: int = 40
    """Plies before which no game is drawn by its scores."""
    max_plies: int | None = None
    """Plies after which a game is drawn."""

    def __post_init__(self) -> None:
        if type(self.proven) is not bool:
            raise ConfigError(f"expected proven to be true or false, got {self.proven!r}")
        for name in ("win_moves", "draw_moves", "draw_after"):
            check_range(name, getattr(self, name), 1)
        if self.max_plies is not None:
            check_range("max_plies", self.max_plies, 1)
        for name in ("win_score", "draw_score"):
            if getattr(self, name) is not None:
                check_range(name, getattr(self, name), 0, kind=float)


class Adjudicator:
    """Follows one game and says when it ends early.

    >>> adjudicator = Adjudicator(Adjudication(max_plies=2), Unit("points", 1.0))
    >>> adjudicator.add(None), str(adjudicator.add(None))
    (None, 'draw (adjudication: length)')
    """

    def __init__(self, rules: Adjudication, unit: Unit) -> None:
        self.rules = rules
        self.unit = unit
        self._scores: list[Score | None] = []  # one per ply

    def add(self, score: Score | None) -> Outcome | None:
        """Count a move with its player's score; returns how the game ends, if it ends now."""
        self._scores.append(score)
        rules = self.rules
        if rules.proven and (winner := self._winner(2, _is_proven)):
            return Outcome(winner, "adjudication: proven")
        if (lead := rules.win_score) is not None and (
            winner := self._winner(2 * rules.win_moves, lambda own: own >= self._limit(own, lead))
        ):
            return Outcome(winner, "adjudication: score")
        if (
            (most := rules.draw_score) is not None
            and len(self._scores) >= rules.draw_after
            and self._agree(
                2 * rules.draw_moves,
                lambda own: self._limit(own, -most) <= own <= self._limit(own, most),
            )
        ):
            return Outcome(None, "adjudication: even")
        if rules.max_plies is not None and len(self._scores) >= rules.max_plies:
            return Outcome(None, "adjudication: length")
        return None

    def _limit(self, score: Score, value: float) -> Score:
        """A value in the game's unit as a score to compare with."""
        return Score(value, self.unit, score.player)

    def _winner(self, plies: int, wins: Callable[[Score], bool]) -> int | None:
        """The player who wins by all scores of the last plies, if there is one."""
        for player in (1, 2):

            def wins_for(score: Score, player: int = player) -> bool:
                return wins(score.pov(player))

            if self._agree(plies, wins_for):
                return player
        return None

    def _agree(self, plies: int, holds: Callable[[Score], bool]) -> bool:
        """Whether a condition holds for the scores of all of the last plies."""
        last = self._scores[-plies:]
        return len(last) == plies and all(score is not None and holds(score) for score in last)


def _is_proven(score: Score) -> bool:
    return score.win_in is not None and score.win_in > 0
