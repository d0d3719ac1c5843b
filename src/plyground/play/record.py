"""Game records: all that is saved about a game. Their text form is in `record_text.py`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import index
from typing import Any, SupportsIndex

from plyground.errors import IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.base import Game, Outcome, State

WINNERS = {"1-0": 1, "0-1": 2, "1/2-1/2": None}
RESULTS = (*WINNERS, "*")
LARGEST = 1e9  # of a time or score, so that both are exact with three decimals


@dataclass(frozen=True, slots=True)
class Move:
    """A move in notation, and what its player had to say about it."""

    text: str
    time_s: float | None = None
    """Time spent on it, kept to the millisecond."""
    score: float | None = None
    """What the player thought the position was worth to itself, kept to three decimals."""
    depth: int | None = None
    """How far ahead the player looked."""
    comment: str = ""
    """Free words, on one line and without '}', which ends a comment in the text form."""

    def __post_init__(self) -> None:
        if self.time_s is not None:
            object.__setattr__(self, "time_s", _rounded("time_s", self.time_s, lowest=0))
        if self.score is not None:
            object.__setattr__(self, "score", _rounded("score", self.score, lowest=-LARGEST))
        if self.depth is not None:
            object.__setattr__(self, "depth", _whole("a depth", self.depth))
        if not self.text.isascii():
            raise NotationError(f"expected a move in notation, got {self.text!r}")
        object.__setattr__(self, "comment", _comment(self.comment))


@dataclass(frozen=True)
class Record:
    """One game: where it started, the moves, the result, who played.

    Checked when made: every move is legal, and a game that the moves decide has that result.
    Spelling is made uniform, so that equal games compare equal. `from_moves` is the short way.

    >>> record = Record.from_moves(["e2", "e8", "D5H"], tags={"Player1": "Ann", "Player2": "Bob"})
    >>> [move.text for move in record.moves], record.result
    (['e2', 'e8', 'd5h'], '*')
    """

    game: str = "quoridor"
    settings: dict[str, str] = field(default_factory=dict, hash=False)
    """What the game needs to start, by name; what its preset says already is left out."""
    start: str | None = None
    """The position it starts from, as text; None for the usual start."""
    tags: dict[str, str] = field(default_factory=dict, hash=False)
    """Event, Date, Player1, Player2 and whatever else is worth keeping, in order."""
    comment: str = ""
    """Free words before the first move."""
    moves: tuple[Move, ...] = ()
    result: str = "*"
    """1-0, 0-1, 1/2-1/2, or * for a game without an end."""
    termination: str = ""
    """Why it ended: the game's own reason, or another such as 'resignation' or 'time'."""

    def __post_init__(self) -> None:
        game = registry.get(self.game)
        for name in self.settings:
            if name not in game.setting_names:
                raise NotationError(f"{self.game} has no setting {name!r}")
        check_tags(self.tags, game)
        check_line("Termination", self.termination)

        state = game.start(self.settings, self.start)
        usual = game.start(self.settings).text()
        moves = []
        before = state
        for move in self.moves:
            after = before.play(move.text)
            text = game.format_action(before, game.parse_action(before, move.text))
            moves.append(move if text == move.text else replace(move, text=text))
            before = after
        for name, value in {
            "settings": game.settings(state),
            "start": None if state.text() == usual else state.text(),
            "tags": dict(self.tags),
            "comment": _comment(self.comment),
            "moves": tuple(moves),
            "termination": self._check_result(before.outcome),
        }.items():
            object.__setattr__(self, name, value)

    def _check_result(self, outcome: Outcome | None) -> str:
        if self.result not in RESULTS:
            raise NotationError(f"expected a result {', '.join(RESULTS)}, got {self.result!r}")
        if outcome is None:
            return self.termination
        if self.result != outcome.result:
            raise NotationError(
                f"expected the result {outcome.result}, as the moves say ({outcome}), "
                f"got {self.result!r}"
            )
        if self.termination not in ("", outcome.reason):
            raise NotationError(
                f"expected the termination {outcome.reason!r}, as the moves say, "
                f"got {self.termination!r}"
            )
        return outcome.reason

    @classmethod
    def from_moves(
        cls,
        moves: Iterable[Move | SupportsIndex | str],
        start: State | None = None,
        game: str = "quoridor",
        tags: Mapping[str, str] | None = None,
        comment: str = "",
        result: str | None = None,
        termination: str = "",
    ) -> Record:
        """A record of moves in notation or by action number, from a state or the usual start.

        The result is what the moves say, unless it is given: `result="0-1",
        termination="resignation"`.
        """
        rules = registry.get(game)
        state: Any = rules.start({}) if start is None else start
        settings, position = rules.settings(state), state.text()
        played = []
        for move in moves:
            if not isinstance(move, Move):
                move = Move(
                    move if isinstance(move, str) else rules.format_action(state, index(move))
                )
            state = state.play(move.text)
            played.append(move)
        if result is None:
            result = "*" if state.outcome is None else state.outcome.result
        return cls(
            game=game,
            settings=settings,
            start=position,
            tags=dict(tags or {}),
            comment=comment,
            moves=tuple(played),
            result=result,
            termination=termination,
        )

    def with_move(self, move: Move | SupportsIndex | str) -> Record:
        """The record with one more move; it plays them all again, so a long loop had better not."""
        if self.result != "*":
            raise IllegalMoveError(f"no move can follow the result {self.result}: the game is over")
        return Record.from_moves(
            (*self.moves, move), self.start_state(), self.game, self.tags, self.comment
        )

    def start_state(self) -> Any:
        """The position it starts from: a state of its game."""
        return registry.get(self.game).start(self.settings, self.start)

    def states(self) -> list[Any]:
        """Every position of the game, the first before any move."""
        states = [self.start_state()]
        for move in self.moves:
            states.append(states[-1].play(move.text))
        return states

    def actions(self) -> list[int]:
        """The moves as action numbers."""
        game = registry.get(self.game)
        return [
            game.parse_action(state, move.text)
            for state, move in zip(self.states(), self.moves, strict=False)
        ]

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, or None for a game without an end."""
        if self.result == "*":
            return None
        return Outcome(WINNERS[self.result], self.termination or "not said")


def check_tags(tags: Mapping[str, str], game: Game[Any]) -> None:
    """Refuse free tags that could not be written, or would be read back as something else."""
    taken = {name.lower(): name for name in ("Game", "Start", "Result", "Termination")}
    taken |= {name.lower(): name for name in game.setting_names}
    for name, value in tags.items():
        if not (name.isascii() and name.isidentifier()):
            raise NotationError(f"expected a tag named like 'Event', got {name!r}")
        if name.lower() in taken:
            raise NotationError(f"the tag {name!r} cannot be used beside {taken[name.lower()]!r}")
        check_line(name, value)


def check_line(name: str, value: str) -> None:
    """Refuse a tag's value that could not be written on one line."""
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in value):
        raise NotationError(f"expected plain text on one line in the tag {name!r}, got {value!r}")


def _comment(words: str) -> str:
    words = " ".join(words.split())
    if "}" in words or any(unicodedata.category(c) in ("Cc", "Cs") for c in words):
        raise NotationError(f"expected a comment of plain text without '}}', got {words!r}")
    return words


def _whole(name: str, value: SupportsIndex) -> int:
    whole = -1 if isinstance(value, bool) or not hasattr(value, "__index__") else index(value)
    if not 0 <= whole <= LARGEST:
        raise NotationError(f"expected {name} from 0 to {LARGEST:.0f}, got {value!r}")
    return whole


def _rounded(name: str, value: float, lowest: float) -> float:
    if not lowest <= value <= LARGEST:
        raise NotationError(f"expected {name} from {lowest:.0f} to {LARGEST:.0f}, got {value}")
    return round(float(value), 3) + 0.0  # -0.0 becomes 0.0
