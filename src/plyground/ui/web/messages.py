"""The messages that a page may send: one frozen dataclass each, parsed strictly from JSON.

A message is an object with a `type` and exactly the fields of its class; anything else is rejected
in one line and changes nothing. A position is a `node` of the game's tree, or else a `ply` of the
line on the board. No field names a file or a program: games, agents and records are looked up in
lists that the server made. `payloads.py` builds the messages of the server.
"""

from __future__ import annotations

import json
import types
from dataclasses import MISSING, dataclass, fields
from typing import Any, Union, get_args, get_origin, get_type_hints

from plyground.errors import NotationError

LONGEST = {
    "text": 65_000,
    "query": 100,
    "link": 20_000,
    "comment": 2_000,
    "others": 500,
    "progress": 4_000,
    "moves": 500,
}
"""Most characters of fields that may be long; others have LINE."""
LINE = 200
LARGEST = 10**9
MOST_SETTINGS = 20


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of a connection: which session it belongs to.

    Without one, it gets the first of the `others` that is not open, or else a new one. `others` are
    the sessions of the same browser, separated by spaces; their games are among the saved games.

    `invited` is the id of an invited game to join instead. With a player's `key` the connection
    plays for that player, without one it watches.
    """

    session: str | None = None
    others: str = ""
    invited: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class NewGameMessage:
    """Start another game; the current one stays among the saved games."""

    game: str
    player1: str
    player2: str
    settings: dict[str, str] | None = None
    time: str | None = None
    position: str | None = None


@dataclass(frozen=True, slots=True)
class Rematch:
    """Start the same game again with the sides swapped."""


@dataclass(frozen=True, slots=True)
class Invite:
    """Create a game with another person, who joins by a link.

    `seat` is the player of the one who invites: 1 or 2, or 0 for either at random.
    """

    game: str
    settings: dict[str, str] | None = None
    time: str | None = None
    position: str | None = None
    seat: int = 0
    name: str = ""
    private: bool = False


@dataclass(frozen=True, slots=True)
class SetName:
    """Change one's name in an invited game."""

    name: str


@dataclass(frozen=True, slots=True)
class MakeOffer:
    """Offer the opponent of an invited game a `draw`, a `take_back` or a `rematch`."""

    kind: str


@dataclass(frozen=True, slots=True)
class AnswerOffer:
    """Accept or decline the opponent's offer, or withdraw an own one."""

    accept: bool


@dataclass(frozen=True, slots=True)
class ClaimGame:
    """Win an invited game whose other player has left."""


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Play a move at a position, usually the one on the board; elsewhere it opens a variation."""

    move: str
    ply: int
    node: int | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo up to the last decision of a person."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Redo moves that were undone."""


@dataclass(frozen=True, slots=True)
class GoTo:
    """Put another position on the board and play on from there."""

    ply: int
    node: int | None = None


@dataclass(frozen=True, slots=True)
class Promote:
    """Make the variation that a position is in the main line where it begins."""

    node: int


@dataclass(frozen=True, slots=True)
class DeleteVariation:
    """Delete the variation that a position is in."""

    node: int


@dataclass(frozen=True, slots=True)
class RestoreVariation:
    """Bring back the variation that was deleted last."""


@dataclass(frozen=True, slots=True)
class Annotate:
    """Set the comment of a move, its mark from 1 (`!`) to 6 (`?!`), or both; 0 is no mark."""

    node: int
    comment: str | None = None
    mark: int | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """Resign for a person: the one to move if both players are people."""


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Give a seat to another player from now on."""

    player: int
    who: str


@dataclass(frozen=True, slots=True)
class Hint:
    """Ask for the move of a strong player."""


@dataclass(frozen=True, slots=True)
class Why:
    """Ask why a move is not legal at a position."""

    move: str
    ply: int
    node: int | None = None


@dataclass(frozen=True, slots=True)
class Show:
    """Show another position; the game does not change."""

    ply: int
    node: int | None = None


@dataclass(frozen=True, slots=True)
class Analyse:
    """Analyse a position, or stop."""

    on: bool
    ply: int = 0
    node: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Analyse the whole game, or stop."""

    on: bool


@dataclass(frozen=True, slots=True)
class TryMove:
    """Ask how good a move is at a position; the game does not change."""

    move: str
    ply: int
    node: int | None = None


@dataclass(frozen=True, slots=True)
class ShowLine:
    """Ask for the positions of a line of moves, separated by spaces, from a position."""

    line: str
    ply: int
    node: int | None = None


@dataclass(frozen=True, slots=True)
class Explore:
    """Ask what was played at a position in books and games."""

    ply: int
    node: int | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """Ask for the network's policy at a position."""

    ply: int
    node: int | None = None


@dataclass(frozen=True, slots=True)
class Paste:
    """Open a game or a position from its text."""

    text: str


@dataclass(frozen=True, slots=True)
class OpenLink:
    """Open the game that a share link holds."""

    link: str


@dataclass(frozen=True, slots=True)
class Export:
    """Ask for the game's record, its position's text and its share link."""


@dataclass(frozen=True, slots=True)
class ListGames:
    """Ask for the saved games in which all words of the query occur.

    `game` is the name of a game and `source` a kind of `library.SOURCES`; empty, they allow all.
    """

    query: str = ""
    most: int = 50
    game: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class OpenGame:
    """Open a saved game by its id in the list."""

    id: str


@dataclass(frozen=True, slots=True)
class DeleteGame:
    """Delete an earlier game of the browser, by its id in the list."""

    id: str


@dataclass(frozen=True, slots=True)
class Watch:
    """Follow a tournament, by its store and number in the list, or the show match of a game.

    Without any of them, ask for the list of tournaments.
    """

    store: int | None = None
    tournament: int | None = None
    show: str | None = None


@dataclass(frozen=True, slots=True)
class Unwatch:
    """Stop following the tournament or match."""


@dataclass(frozen=True, slots=True)
class GetPuzzle:
    """Ask for the puzzle of a number; 0 is the puzzle of the day."""

    number: int
    progress: str = ""


@dataclass(frozen=True, slots=True)
class NextPuzzle:
    """Ask for a puzzle that suits the solver, but not for the one just shown (`without`)."""

    progress: str = ""
    without: int = 0
    game: str | None = None
    board: int | None = None
    theme: str | None = None
    level: str | None = None


@dataclass(frozen=True, slots=True)
class SolvePuzzle:
    """Try a move after the moves so far; None gives up."""

    number: int
    move: str | None
    moves: str = ""


@dataclass(frozen=True, slots=True)
class HintPuzzle:
    """Ask for a hint after the moves so far."""

    number: int
    moves: str = ""


@dataclass(frozen=True, slots=True)
class RecordPuzzle:
    """Ask for the solver's progress after a puzzle."""

    number: int
    is_solved: bool
    used_hint: bool
    progress: str = ""


@dataclass(frozen=True, slots=True)
class GetLesson:
    """Ask for a lesson by its number, from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class AnswerLesson:
    """Answer a step of a lesson with a move; steps are numbered from 0."""

    number: int
    step: int
    move: str


Message = (
    Hello
    | NewGameMessage
    | Rematch
    | Invite
    | SetName
    | MakeOffer
    | AnswerOffer
    | ClaimGame
    | PlayMove
    | Undo
    | Redo
    | GoTo
    | Promote
    | DeleteVariation
    | RestoreVariation
    | Annotate
    | Resign
    | TakeSeat
    | Hint
    | Why
    | Show
    | Analyse
    | Report
    | TryMove
    | ShowLine
    | Explore
    | Policy
    | Paste
    | OpenLink
    | Export
    | ListGames
    | OpenGame
    | DeleteGame
    | Watch
    | Unwatch
    | GetPuzzle
    | NextPuzzle
    | SolvePuzzle
    | GetLesson
    | AnswerLesson
    | HintPuzzle
    | RecordPuzzle
)


def _snake_case(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


TYPES: dict[str, type[Message]] = {
    _snake_case(kind.__name__.removesuffix("Message")): kind for kind in get_args(Message)
}
"""Messages by the name that JSON has for them: `play_move`, `new_game`."""


def parse_message(text: str) -> Message:
    """Read a message; a NotationError says what is wrong with it.

    >>> parse_message('{"type": "play_move", "move": "e3h", "ply": 4}')
    PlayMove(move='e3h', ply=4, node=None)
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise NotationError(f"expected a message in JSON, got {_short(text)}") from None
    if not isinstance(found, dict):
        raise NotationError(f"expected a message like {{'type': ...}}, got {_short(text)}")
    name = found.pop("type", None)
    if not isinstance(name, str) or name not in TYPES:
        raise NotationError(f"unknown message {_short(name)}")
    kind = TYPES[name]
    hints = get_type_hints(kind)
    known = {field.name: field for field in fields(kind)}
    for key in found:
        if key not in known:
            raise NotationError(f"unknown field {_short(key)} in the message {name!r}")
    for key, field in known.items():
        if key not in found and field.default is MISSING:
            raise NotationError(f"expected the field {key!r} in the message {name!r}")
    values: dict[str, Any] = {  # checked against the fields of the class
        key: _check(name, key, value, hints[key]) for key, value in found.items()
    }
    message: Message = kind(**values)
    return message


def _check(name: str, key: str, value: object, hint: object) -> object:
    """The value, if it has the type of the field."""
    choices = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    for choice in choices:
        if choice is type(None) and value is None:
            return None
        if get_origin(choice) is dict and _is_settings(value):
            return value
        if choice is bool and isinstance(value, bool):
            return value
        if choice is int and isinstance(value, int) and not isinstance(value, bool):
            if 0 <= value <= LARGEST:
                return value
        elif choice is str and isinstance(value, str) and len(value) <= LONGEST.get(key, LINE):
            return value
    raise NotationError(f"expected another value of {key!r} in {name!r}, got {_short(value)}")


def _is_settings(value: object) -> bool:
    """Whether a value is an object of a few short texts."""
    return (
        isinstance(value, dict)
        and len(value) <= MOST_SETTINGS
        and all(isinstance(text, str) and len(name + text) <= LINE for name, text in value.items())
    )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
