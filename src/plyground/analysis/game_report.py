"""A game gone through with a strong player: what each move was worth, and where it turned.

Scores become chances to win. A network's are expected results, which say just that; those in steps
or discs mean much in a close game and little in one that is decided, and so become
1 / (1 + exp(-score / SCALE)). A move loses the difference between the chance
before it and after it, both for its player, and its accuracy is exp(-loss / TOLERANCE).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from plyground.errors import ConfigError
from plyground.games import registry
from plyground.play.record import Move, Record
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

SCALE = {"quoridor": 1.5, "reversi": 6.0}
"""Points that are worth 73% to win; guessed from how games between strong agents ended."""
TOLERANCE = 0.25
"""A move that gives away this much of the chance to win has an accuracy of 37%."""
MISTAKE, BLUNDER = 0.1, 0.25
"""Losses that get a `?` and a `??`."""
TURNING_POINTS = 5


@dataclass(frozen=True, slots=True)
class PlyReport:
    """One move of a game, as the adviser sees it."""

    number: int
    """Counted from 1, both players' moves."""
    player: int
    move: str
    best: SearchResult
    """What the adviser would have played instead, or also."""
    best_line: str
    chance: float
    """Of the player to win, before the move."""
    loss: float
    """What the move gave away of it."""

    @property
    def accuracy(self) -> float:
        """From 0 to 1."""
        return math.exp(-self.loss / TOLERANCE)

    @property
    def mark(self) -> str:
        """How bad it was, as records mark moves."""
        return "??" if self.loss >= BLUNDER else "?" if self.loss >= MISTAKE else ""


@dataclass(frozen=True)
class GameReport:
    """A whole game, or its first moves if the analysis was stopped."""

    record: Record
    plies: tuple[PlyReport, ...]
    chances: tuple[float, ...]
    """Player 1's, in every position that was looked at."""

    @property
    def is_complete(self) -> bool:
        """Whether every move was looked at."""
        return len(self.plies) == len(self.record.moves)

    def accuracy(self, player: int) -> float | None:
        """The mean over a player's moves, from 0 to 1; None without any."""
        values = [ply.accuracy for ply in self.plies if ply.player == player]
        return sum(values) / len(values) if values else None

    def turning_points(self) -> list[PlyReport]:
        """The moves that gave most away, in the order they were played."""
        worst = sorted(self.plies, key=lambda ply: ply.loss, reverse=True)[:TURNING_POINTS]
        return sorted((ply for ply in worst if ply.mark), key=lambda ply: ply.number)

    def annotated(self) -> Record:
        """The record with the adviser's scores, and its words on what went wrong."""
        moves = list(self.record.moves)
        for ply in self.plies:
            moves[ply.number - 1] = _annotated(moves[ply.number - 1], ply)
        return replace(self.record, moves=tuple(moves))


def analyse_game(
    record: Record,
    adviser: Seat,
    limits: SearchLimits,
    on_progress: Callable[[int, int], object] = lambda done, of: None,  # noqa: ARG005
) -> GameReport:
    """Go through a game; Ctrl-C ends it early, with a report on what was looked at.

    With an adviser that remembers, the same analysis again goes on where it was stopped.
    """
    rules = registry.get(record.game)
    states = record.states()
    found: list[SearchResult | None] = []
    chances: list[float] = []
    try:
        for done, state in enumerate(states):
            on_progress(done, len(states))
            result = None if state.outcome is not None else _search(adviser, state, limits)
            found.append(result)
            chances.append(chance(adviser, record.game, state, result))
    except KeyboardInterrupt:
        pass
    plies = []
    for number, (before, after) in enumerate(pairwise(chances), 1):
        state, best = states[number - 1], found[number - 1]
        if best is None:
            raise ConfigError("a move cannot follow the end of a game")
        own = before if state.current_player == 1 else 1 - before
        now = after if state.current_player == 1 else 1 - after
        move = record.moves[number - 1].text
        # The best move loses nothing, whatever the next search says of it.
        is_best = rules.format_action(state, best.best_move) == move
        plies.append(
            PlyReport(
                number,
                state.current_player,
                move,
                best,
                _line(rules, state, best.pv[:6]),
                own,
                0.0 if is_best else max(0.0, own - now),
            )
        )
    return GameReport(record, tuple(plies), tuple(chances))


def _search(adviser: Seat, state: Any, limits: SearchLimits) -> SearchResult:
    _, result = adviser.think(state, adviser.fitting(limits), lambda result: None)  # noqa: ARG005
    if result is None:
        raise ConfigError(f"{adviser.name!r} does not tell what it thinks")
    return result


def chance(adviser: Seat, game: str, state: Any, result: SearchResult | None) -> float:
    """Player 1's chance to win: what an adviser's result says or, without one, how it ended."""
    if result is None:
        return {1: 1.0, 2: 0.0, None: 0.5}[state.outcome.winner]
    if result.win_in is not None:
        own = 1.0 if result.win_in > 0 else 0.0
    elif adviser.counts_points(state):
        own = 1 / (1 + math.exp(-adviser.score(state, result) / SCALE[game]))
    else:
        own = (1 + adviser.score(state, result)) / 2
    return own if state.current_player == 1 else 1 - own


def _line(rules: Any, state: Any, actions: list[int]) -> str:
    words = []
    for action in actions:
        words.append(rules.format_action(state, action))
        state = state.play(action)
    return " ".join(words)


def _annotated(move: Move, ply: PlyReport) -> Move:
    if not ply.mark:
        return move
    words = f"{ply.mark} {ply.chance:.0%} to {ply.chance - ply.loss:.0%}; better {ply.best_line}"
    comment = f"{move.comment}; {words}" if move.comment else words
    return replace(move, comment=comment)
