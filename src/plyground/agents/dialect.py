"""How another program wants to be spoken to: its words, and its names for moves. Data alone.

The defaults are the protocol of docs/protocol.md. An engine's file (see `engine_file.py`) replaces
what is different; docs/arena.md has the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from plyground.config import check_keys
from plyground.errors import ConfigError
from plyground.games import quoridor, reversi

LIMITS = {
    "time": "movetime {ms}",
    "nodes": "nodes {n}",
    "depth": "depth {n}",
    "sims": "simulations {n}",
    "clock": "time{player} {ms} inc{player} {inc_ms}",
}
DISPENSABLE = ("hello", "option", "new_game", "ready", "position", "move", "stop", "quit")
"""What a protocol may have no word for."""
_TRIED = {"n": 1, "ms": 1000, "s": 1.0, "inc_ms": 0, "inc_s": 0.0, "player": 1}
"""Everything that the words for a limit may mention."""


@dataclass(frozen=True, slots=True)
class MoveNames:
    """How moves are written: by templates, and the names of columns and rows.

    >>> names = MoveNames(h_wall="H{column}{row}", wall_rows="23456789")
    >>> names.by_action(quoridor.State())[101]
    'He4'
    """

    pawn: str = "{column}{row}"
    """A pawn's move, or a disc's square."""
    h_wall: str = "{column}{row}h"
    v_wall: str = "{column}{row}v"
    pass_turn: str = "pass"
    """Reversi's pass."""
    columns: str = "abcdefghi"
    rows: str = "123456789"
    wall_columns: str | None = None
    """Where walls are named by another corner than the lower left; by default as `columns`."""
    wall_rows: str | None = None
    flip_rows: bool = False
    """Whether rows are counted from the other side."""

    def by_action(self, state: Any) -> dict[int, str]:
        """Every action's name on this board."""
        if isinstance(state, reversi.State):
            squares = [divmod(action, 8) for action in range(64)]
            names = {8 * r + c: self._name(self.pawn, r, c, 8, False) for r, c in squares}
            return names | {reversi.PASS: self.pass_turn}
        size = state.board_size
        names = {}
        for action in range(quoridor.action_space_size(size)):
            kind, (row, column) = quoridor.decode_action(action, size)
            template = {"move": self.pawn, "h_wall": self.h_wall, "v_wall": self.v_wall}[kind]
            names[action] = self._name(template, row, column, size, kind != "move")
        return names

    def _name(self, template: str, row: int, column: int, size: int, is_wall: bool) -> str:
        columns, rows = self.columns, self.rows
        if is_wall:
            columns, rows = self.wall_columns or columns, self.wall_rows or rows
        if self.flip_rows:
            row = (size - 2 if is_wall else size - 1) - row
        return template.format(column=columns[column], row=rows[row])

    def __post_init__(self) -> None:
        try:
            for state in (quoridor.State(), reversi.State()):
                names = [name.lower() for name in self.by_action(state).values()]
                if len(set(names)) < len(names):
                    raise ConfigError(f"the notation gives two moves the name {_twice(names)!r}")
        except (IndexError, KeyError, ValueError, AttributeError, TypeError) as error:
            if isinstance(error, ConfigError):
                raise
            raise ConfigError(
                "expected a notation with {column} and {row} in each move, and names for nine "
                f"columns and rows, got {error}"
            ) from None


@dataclass(frozen=True, slots=True)
class Dialect:
    """The words of a protocol; None where it has none for that."""

    hello: str | None = "uci"
    """Sent first."""
    hello_answer: str = "uciok"
    """The word that ends its answer."""
    option: str | None = "setoption name {name} value {value}"
    new_game: str | None = "ucinewgame"
    ready: str | None = "isready"
    """Answered when all before it is done: what comes earlier is no answer to what comes later."""
    ready_answer: str = "readyok"
    position: str | None = "position {text}"
    """Sets up the board, with {text} the position, or {moves} all moves from the start."""
    move: str | None = None
    """Instead of `position`: plays a {move} on the engine's own board, one after the other."""
    plays_its_own: bool = True
    """Whether such an engine has then played its answer on that board."""
    go: str = "go"
    limits: Mapping[str, str] = field(default_factory=lambda: dict(LIMITS))
    """What follows `go`: for time, nodes, depth, sims and clock, those that it understands."""
    answer: str = "bestmove"
    """The word before its move."""
    resign: str = "resign"
    """What it says in place of a move to give up."""
    refusals: tuple[str, ...] = ("error", "illegal")
    """First words of lines that mean it cannot go on."""
    info: Mapping[str, str] = field(
        default_factory=lambda: {"depth": "depth", "nodes": "nodes", "score": "score"}
    )
    """The words in its `info` lines before the depth, the nodes and the score."""
    stop: str | None = "stop"
    quit: str | None = "quit"
    notation: MoveNames = field(default_factory=MoveNames)

    def __post_init__(self) -> None:
        if (self.position is None) == (self.move is None):
            raise ConfigError("expected 'position' or 'move' in the adapter, and not both")
        for limit, words in self.limits.items():
            self._try(f"limits.{limit}", words, _TRIED)
        self._try("position", self.position, {"text": "", "moves": ""})
        self._try("move", self.move, {"move": ""})
        self._try("option", self.option, {"name": "", "value": ""})

    @staticmethod
    def _try(name: str, words: str | None, values: Mapping[str, Any]) -> None:
        try:
            (words or "").format(**values)
        except (IndexError, KeyError, ValueError, AttributeError) as error:
            known = ", ".join(f"{{{key}}}" for key in values)
            raise ConfigError(f"expected {known} in 'adapter.{name}', got {words!r}") from error

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Dialect:
        """From the adapter section of an engine's file: what is not said is as we speak."""
        values = check_keys("adapter", settings, [item.name for item in fields(cls)])
        for name, value in values.items():
            _check_type(name, value)
        if values.get("move") is not None:
            values.setdefault("position", None)
        if "limits" in values:
            values["limits"] = check_keys("adapter.limits", values["limits"] or {}, list(LIMITS))
        if "info" in values:
            values["info"] = check_keys(
                "adapter.info", values["info"] or {}, ["depth", "nodes", "score"]
            )
        for section in ("limits", "info"):
            for key, words in values.get(section, {}).items():
                _check_type(f"{section}.{key}", words)
        if "notation" in values:
            known = [item.name for item in fields(MoveNames)]
            names = check_keys("adapter.notation", values["notation"] or {}, known)
            flip = names.pop("flip_rows", False)
            _check_type("flip_rows", flip)
            texts: Any = {name: str(words) for name, words in names.items()}
            values["notation"] = MoveNames(**texts, flip_rows=flip)
        if "refusals" in values:
            values["refusals"] = tuple(map(str, values["refusals"]))
        return cls(**values)


def _check_type(name: str, value: Any) -> None:
    """YAML reads `go: on` as a truth, and `move: 1` as a number; both are mistakes here."""
    kinds: tuple[type, ...] = (str, type(None)) if name in DISPENSABLE else (str,)
    if name in ("limits", "info", "notation"):
        kinds = (dict, type(None))
    elif name == "refusals":
        kinds = (list,)
    elif name in ("plays_its_own", "flip_rows"):
        kinds = (bool,)
    if not isinstance(value, kinds):
        expected = {str: "text", dict: "settings", list: "a list", bool: "true or false"}[kinds[0]]
        raise ConfigError(f"expected 'adapter.{name}' to be {expected}, got {value!r}")


def _twice(names: list[str]) -> str:
    return next(name for name in names if names.count(name) > 1)
