"""What a page may say to the server: one frozen dataclass a message, read strictly from JSON.

A message is an object with a `type` and exactly the fields of its class; whatever else comes is
refused in a line, and changes nothing. No field names a file or a program: games, agents and
records are looked up in lists that the server made. What the server says is built in `shapes.py`.
"""

from __future__ import annotations

import json
import types
from dataclasses import MISSING, dataclass, fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from plyground.errors import NotationError

LONGEST = {"text": 65_000, "query": 100, "link": 20_000}
"""Characters of fields that may be long; others have a line's worth."""
LINE = 200
LARGEST = 10**9

Game = Literal["quoridor", "reversi"]


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of a connection: which session it belongs to, None for a new one."""

    session: str | None = None


@dataclass(frozen=True, slots=True)
class NewGame:
    """Begin another game; the present one is kept among the saved ones."""

    game: Game
    player1: str
    player2: str
    size: int = 9
    walls: int | None = None
    time: str | None = None
    position: str | None = None


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Play a move at a ply of the game, the last one as a rule; later moves are taken back."""

    move: str
    ply: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back to where a person last had the choice."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Play again what was taken back."""


@dataclass(frozen=True, slots=True)
class GoTo:
    """Take back to a ply, and play on from there."""

    ply: int


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up, for the person who is to move or else the only one."""


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Let somebody else play from now on."""

    player: int
    who: str


@dataclass(frozen=True, slots=True)
class Hint:
    """Ask what a strong player would do."""


@dataclass(frozen=True, slots=True)
class Why:
    """Ask why a move is not legal at a ply."""

    move: str
    ply: int


@dataclass(frozen=True, slots=True)
class Show:
    """Look at an earlier position; the game stays as it is."""

    ply: int


@dataclass(frozen=True, slots=True)
class Analyse:
    """Let the engine look at a position, or stop."""

    on: bool
    ply: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """Go through the whole game, or stop doing so."""

    on: bool


@dataclass(frozen=True, slots=True)
class Policy:
    """Ask what the network would play at a ply."""

    ply: int


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
    """Ask for saved games in which these words occur, all for none."""

    query: str = ""
    most: int = 50


@dataclass(frozen=True, slots=True)
class OpenGame:
    """Open a saved game by what the list calls it."""

    id: str


@dataclass(frozen=True, slots=True)
class Watch:
    """Follow a tournament, by its store and number in the list; without them, ask for the list."""

    store: int | None = None
    tournament: int | None = None


@dataclass(frozen=True, slots=True)
class Unwatch:
    """Follow it no longer."""


@dataclass(frozen=True, slots=True)
class GetPuzzle:
    """Ask for a puzzle."""

    number: int


@dataclass(frozen=True, slots=True)
class SolvePuzzle:
    """Try a move in a puzzle; None gives it up."""

    number: int
    move: str | None


Message = (
    Hello
    | NewGame
    | PlayMove
    | Undo
    | Redo
    | GoTo
    | Resign
    | TakeSeat
    | Hint
    | Why
    | Show
    | Analyse
    | Report
    | Policy
    | Paste
    | OpenLink
    | Export
    | ListGames
    | OpenGame
    | Watch
    | Unwatch
    | GetPuzzle
    | SolvePuzzle
)

TYPES: dict[str, type[Any]] = {
    "".join(f"_{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("_"): kind
    for kind in get_args(Message)
}
"""Messages by the name that JSON has for them: `play_move`, `new_game`."""


def parse_message(text: str) -> Message:
    """Read a message; a NotationError says what is wrong with it.

    >>> parse_message('{"type": "play_move", "move": "e3h", "ply": 4}')
    PlayMove(move='e3h', ply=4)
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
    values = {key: _check(name, key, value, hints[key]) for key, value in found.items()}
    message: Message = kind(**values)
    return message


def _check(name: str, key: str, value: Any, hint: Any) -> Any:
    """The value, if it is of the kind that a field wants."""
    choices = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    for choice in choices:
        if choice is type(None) and value is None:
            return None
        if get_origin(choice) is Literal and value in get_args(choice):
            return value
        if choice is bool and isinstance(value, bool):
            return value
        if choice is int and isinstance(value, int) and not isinstance(value, bool):
            if 0 <= value <= LARGEST:
                return value
        elif choice is str and isinstance(value, str) and len(value) <= LONGEST.get(key, LINE):
            return value
    raise NotationError(f"expected another value of {key!r} in {name!r}, got {_short(value)}")


def _short(value: object) -> str:
    words = repr(value)
    return words if len(words) <= 60 else words[:57] + "..."
