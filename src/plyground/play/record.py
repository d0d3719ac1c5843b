"""Records of games, as they are saved. Their text form is in `record_text.py`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import index
from typing import Literal, SupportsIndex, TypeAlias

from plyground.drawing.game_html import GameOptions, MoveNote, game_fragment, game_page
from plyground.errors import ConfigError, NotationError
from plyground.games import registry
from plyground.games.base import AnyGame, Outcome, State

ActionView: TypeAlias = Literal["board", "mover"]
"""Whose numbers actions have: those of the state, or those of the player to move."""

WINNERS = {"1-0": 1, "0-1": 2, "1/2-1/2": None}
RESULTS = (*WINNERS, "*")
LARGEST = 1e9
"""The largest time or score; both are exact to three decimals up to this."""
LARGEST_MARK = 255
"""The largest numeric annotation glyph of PGN."""
DEEPEST = 50
"""How deep variations may be nested."""


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """A move in a record: its notation, and what its player reported."""

    text: str
    time_s: float | None = None
    """Seconds spent on it, rounded to milliseconds."""
    score: float | None = None
    """The player's score of the position, for itself, rounded to three decimals."""
    depth: int | None = None
    """Plies searched."""
    comment: str = ""
    """Text on one line without '}', which ends a comment in the text form."""
    marks: tuple[int, ...] = ()
    """Numeric annotation glyphs of PGN: 1 is `!`, 2 is `?`, 3 is `!!`, and so on."""
    variations: tuple[tuple[MoveRecord, ...], ...] = ()
    """Lines that could have been played instead of this move, each from the same position."""

    def __post_init__(self) -> None:
        if self.time_s is not None:
            object.__setattr__(self, "time_s", _rounded("time_s", self.time_s, lowest=0))
        if self.score is not None:
            object.__setattr__(self, "score", _rounded("score", self.score, lowest=-LARGEST))
        if self.depth is not None:
            object.__setattr__(self, "depth", _whole("a depth", self.depth))
        if not self.text.isascii():
            raise NotationError(f"expected a move in notation, got {self.text!r}")
        object.__setattr__(self, "comment", check_comment(self.comment))
        for mark in self.marks:
            check_mark(mark)
        if not all(self.variations):
            raise NotationError(f"expected a move in every variation of {self.text!r}")

    @property
    def remarks(self) -> str:
        """What its player reported, and the comment, as one line."""
        facts = (
            None if self.time_s is None else f"{self.time_s:g} s",
            None if self.score is None else f"score {self.score:+.2f}",
            None if self.depth is None else f"depth {self.depth}",
            self.comment,
        )
        return ", ".join(filter(None, facts))


@dataclass(frozen=True)
class Record:
    """One game: its start, moves, result and players.

    A game is a tree: `moves` is the main line, and each move may have variations. The result is
    that of the main line.

    The constructor checks that every move is legal and that the result agrees with the moves. It
    normalises the notation, so that equal games compare equal. `from_moves` is shorter to call.

    >>> record = Record.from_moves(["e2", "e8", "D5H"], tags={"Player1": "Ann", "Player2": "Bob"})
    >>> [move.text for move in record.moves], record.result
    (['e2', 'e8', 'd5h'], '*')
    """

    game: str = field(default_factory=lambda: registry.default().name)
    """The game's name."""
    settings: dict[str, str] = field(default_factory=dict, hash=False)
    """Settings of the game by name, without those that have their usual value."""
    start: str | None = None
    """The start position as text; None for the usual one."""
    tags: dict[str, str] = field(default_factory=dict, hash=False)
    """Event, Date, Player1, Player2 and any other tags, in order."""
    comment: str = ""
    """Text before the first move."""
    moves: tuple[MoveRecord, ...] = ()
    result: str = "*"
    """1-0, 0-1, 1/2-1/2, or * for an unfinished game."""
    termination: str = ""
    """Why it ended: the reason of the rules, or another such as 'resignation' or 'time'."""

    def __post_init__(self) -> None:
        game = registry.get(self.game)
        for name in self.settings:
            if name not in game.setting_names:
                raise NotationError(f"{self.game} has no setting {name!r}")
        check_tags(self.tags, game)
        check_line("Termination", self.termination)

        state: State = game.start(self.settings, self.start)
        usual = game.start(self.settings).text()
        moves, last = _normalised(state, self.moves)
        self._set(
            settings=game.settings(state),
            start=None if state.text() == usual else state.text(),
            tags=dict(self.tags),
            comment=check_comment(self.comment),
            moves=moves,
            termination=self._check_result(last.outcome),
        )

    def _set(self, **values: object) -> None:
        for name, value in values.items():
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
        moves: Iterable[MoveRecord | SupportsIndex | str],
        start: State | None = None,
        tags: Mapping[str, str] | None = None,
        comment: str = "",
        result: str | None = None,
        termination: str = "",
    ) -> Record:
        """A record of moves from a state, by default the start of the default game.

        The result follows from the moves unless it is given, as in `result="0-1",
        termination="resignation"`.
        """
        first: State = registry.default().start() if start is None else start
        played, last = _normalised(first, moves)
        return cls.of_played(
            first,
            played,
            tags=tags,
            comment=comment,
            outcome=last.outcome,
            result=result,
            termination=termination,
        )

    @classmethod
    def of_played(
        cls,
        start: State,
        moves: Sequence[MoveRecord],
        *,
        tags: Mapping[str, str] | None = None,
        comment: str = "",
        outcome: Outcome | None = None,
        result: str | None = None,
        termination: str = "",
    ) -> Record:
        """A record of moves that are known to be legal, normalised and to lead to `outcome`.

        The moves are not replayed, so the cost of saving a live game does not grow with its rules.
        """
        game, position = start.game, start.text()
        settings = game.settings(start)
        check_tags(tags or {}, game)
        check_line("Termination", termination)
        if result is None:
            result = "*" if outcome is None else outcome.result
        record = cls.__new__(cls)
        record._set(
            game=game.name,
            settings=settings,
            start=None if position == game.start(settings).text() else position,
            tags=dict(tags or {}),
            comment=check_comment(comment),
            moves=tuple(moves),
            result=result,
            termination=termination,
        )
        record._set(termination=record._check_result(outcome))
        return record

    def start_state(self) -> State:
        """The start position as a state."""
        state: State = registry.get(self.game).start(self.settings, self.start)
        return state

    def states(self) -> list[State]:
        """Every position of the game, beginning with the start."""
        states = [self.start_state()]
        for move in self.moves:
            states.append(states[-1].play(move.text))
        return states

    def actions(self, view: ActionView) -> list[int]:
        """The moves as action numbers, in the view "board" or "mover".

        "board" numbers them as `State.play` does. "mover" numbers them as the player to move sees
        the board: only these fit `encode_state` and the planes of networks, which flip the board of
        Quoridor for player 2. `plyground.data` pairs positions and actions itself.

        >>> record = Record.from_moves(["e2", "e8"])
        >>> record.actions("board"), record.actions("mover")
        ([13, 67], [13, 13])
        """
        if view not in ("board", "mover"):
            raise ConfigError(f"expected the view 'board' or 'mover', got {view!r}")
        game, actions = registry.get(self.game), list[int]()
        for state, move in zip(self.states(), self.moves, strict=False):
            action = state.parse_move(move.text)
            actions.append(action if view == "board" else game.mover_action(state, action))
        return actions

    def player_name(self, player: int, otherwise: str | None = None) -> str:
        """The name of a player; without a tag, `otherwise` or `player 1`."""
        return self.tags.get(f"Player{player}", otherwise or f"player {player}")

    def points(self, player: int) -> float:
        """A player's points: 1, 0.5 or 0; 0.5 for an unfinished game.

        >>> Record.from_moves(["e2"], result="0-1").points(2)
        1.0
        """
        return points_of(self.result, player)

    @property
    def title(self) -> str:
        """The players and the result: `Ann - Bob, 1-0`."""
        return f"{self.player_name(1)} - {self.player_name(2)}, {self.result}"

    def html(self, *, paths: bool = False, flipped: bool = False, size: int = 400) -> str:
        """The game as a web page with a slider, which needs no network; see `State.svg`."""
        return game_page(self.title, self._fragment(GameOptions(paths, flipped, size)))

    def _repr_html_(self) -> str:
        """The game with a slider, for notebooks."""
        return self._fragment(GameOptions())

    def _fragment(self, options: GameOptions) -> str:
        notes = [MoveNote(move.text, text=move.remarks) for move in self.moves]
        return game_fragment(self.title, self.subtitle, self.states(), notes, options)

    @property
    def subtitle(self) -> str:
        """The game, its settings, and other facts about it."""
        game = registry.get(self.game).describe(self.settings)
        facts = (game, self.tags.get("Event"), self.tags.get("Date"), self.termination)
        return "; ".join(filter(None, [*facts, self.comment]))

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why; None for an unfinished game."""
        if self.result == "*":
            return None
        return Outcome(WINNERS[self.result], self.termination or "not said")


def points_of(result: str, player: int) -> float:
    """The points of a result for a player: 1, 0.5 or 0; 0.5 for an unfinished game."""
    winner = WINNERS.get(result)
    return 0.5 if winner is None else 1.0 if winner == player else 0.0


def check_tags(tags: Mapping[str, str], game: AnyGame) -> None:
    """Reject tags that the text form cannot hold or uses for something else."""
    taken = {name.lower(): name for name in ("Game", "Start", "Result", "Termination")}
    taken |= {name.lower(): name for name in game.setting_names}
    for name, value in tags.items():
        if not (name.isascii() and name.isidentifier()):
            raise NotationError(f"expected a tag named like 'Event', got {name!r}")
        if name.lower() in taken:
            raise NotationError(f"the tag {name!r} cannot be used beside {taken[name.lower()]!r}")
        check_line(name, value)


def check_line(name: str, value: str) -> None:
    """Reject the value of a tag that does not fit on one line."""
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in value):
        raise NotationError(f"expected plain text on one line in the tag {name!r}, got {value!r}")


def check_comment(words: str) -> str:
    """A comment on one line; a NotationError if the text form cannot hold it."""
    words = " ".join(words.split())
    if "}" in words or any(unicodedata.category(c) in ("Cc", "Cs") for c in words):
        raise NotationError(f"expected a comment of plain text without '}}', got {words!r}")
    return words


def check_mark(mark: int) -> None:
    """Reject a number that is not an annotation glyph."""
    if isinstance(mark, bool) or not 0 <= mark <= LARGEST_MARK:
        raise NotationError(f"expected a mark from 0 to {LARGEST_MARK}, got {mark!r}")


def _normalised(
    state: State, moves: Iterable[MoveRecord | SupportsIndex | str], depth: int = 0
) -> tuple[tuple[MoveRecord, ...], State]:
    """The moves from a state in their usual notation, with their variations, and the last state.

    An illegal move raises an IllegalMoveError or NotationError.
    """
    if depth > DEEPEST:
        raise NotationError(f"expected at most {DEEPEST} variations inside one another")
    played = []
    for move in moves:
        if not isinstance(move, MoveRecord):
            move = MoveRecord(move if isinstance(move, str) else state.format_move(index(move)))
        action = state.parse_move(move.text)
        after, text = state.play(action), state.format_move(action)
        variations = tuple(_normalised(state, line, depth + 1)[0] for line in move.variations)
        if (text, variations) != (move.text, move.variations):
            move = replace(move, text=text, variations=variations)
        played.append(move)
        state = after
    return tuple(played), state


def _whole(name: str, value: SupportsIndex) -> int:
    whole = -1 if isinstance(value, bool) or not hasattr(value, "__index__") else index(value)
    if not 0 <= whole <= LARGEST:
        raise NotationError(f"expected {name} from 0 to {LARGEST:.0f}, got {value!r}")
    return whole


def _rounded(name: str, value: float, lowest: float) -> float:
    if not lowest <= value <= LARGEST:
        raise NotationError(f"expected {name} from {lowest:.0f} to {LARGEST:.0f}, got {value}")
    return round(float(value), 3) + 0.0  # -0.0 becomes 0.0
