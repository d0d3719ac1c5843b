"""The protocol of an external program as data: its commands, and its notation of moves.

The defaults are the protocol of docs/protocol.md. The `adapter` section of an engine's file (see
`engine_file.py`) replaces what differs; docs/arena.md lists the keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from plyground.config import check_keys
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.search.limits import SearchLimits

LIMITS = {
    "time": "movetime {ms}",
    "nodes": "nodes {n}",
    "depth": "depth {n}",
    "sims": "simulations {n}",
    "clock": "time1 {time1_ms} time2 {time2_ms} inc1 {inc1_ms} inc2 {inc2_ms}",
    "movestogo": "movestogo {n}",
}
OPTIONAL = (
    *("hello", "option", "new_game", "ready", "position", "move", "stop", "quit"),
    *("ponder", "ponderhit", "score_unit"),
)
"""Words that a protocol may lack."""
_CHECKED_SIZE = 9
"""Rows and columns of the board that a notation is checked on."""


@dataclass(frozen=True, slots=True)
class MoveNames:
    """The notation of an external program: templates, and the names of columns and rows.

    >>> from plyground.quoridor import State
    >>> names = MoveNames(h_wall="H{column}{row}", wall_rows="23456789")
    >>> names.by_action(State())[101]
    'He4'
    """

    pawn: str = "{column}{row}"
    """A move to a cell, or a disc on a square."""
    h_wall: str = "{column}{row}h"
    v_wall: str = "{column}{row}v"
    pass_turn: str = "pass"
    """A move without a place on the board."""
    columns: str = "abcdefghi"
    rows: str = "123456789"
    wall_columns: str | None = None
    """The columns of walls, for notations that name another corner than the lower left; by default
    as `columns`."""
    wall_rows: str | None = None
    flip_rows: bool = False
    """Whether rows are counted from the other side."""

    def by_action(self, state: State) -> dict[int, str]:
        """The name of every action on this board; by default the game's own notation."""
        game = state.game
        actions = range(game.action_count(state))
        if all(getattr(self, item.name) == item.default for item in fields(self)):
            return {action: state.format_move(action) for action in actions}
        spots = {action: game.spot_of(state, action) for action in actions}
        rows = 1 + max((spot[1][0] for spot in spots.values() if spot is not None), default=0)
        try:
            return {
                action: self.pass_turn if spot is None else self._name(spot[0], *spot[1], rows)
                for action, spot in spots.items()
            }
        except IndexError:
            raise ConfigError(f"the notation has too few columns or rows for {game.name}") from None

    def _name(self, kind: str, row: int, column: int, board_rows: int) -> str:
        columns, rows = self.columns, self.rows
        is_wall = kind in ("h_wall", "v_wall")
        if is_wall:
            columns, rows = self.wall_columns or columns, self.wall_rows or rows
        if self.flip_rows:
            row = (board_rows - 2 if is_wall else board_rows - 1) - row
        template = {"h_wall": self.h_wall, "v_wall": self.v_wall}.get(kind, self.pawn)
        return template.format(column=columns[column], row=rows[row])

    def __post_init__(self) -> None:
        try:
            names = [self.pass_turn.lower()]
            for kind, size in (
                ("move", _CHECKED_SIZE),
                ("h_wall", _CHECKED_SIZE - 1),
                ("v_wall", _CHECKED_SIZE - 1),
            ):
                names += [
                    self._name(kind, row, column, _CHECKED_SIZE).lower()
                    for row in range(size)
                    for column in range(size)
                ]
        except (IndexError, KeyError, ValueError, AttributeError, TypeError) as error:
            raise ConfigError(
                "expected a notation with {column} and {row} in each move, and names for nine "
                f"columns and rows, got {error}"
            ) from None
        if len(set(names)) < len(names):
            raise ConfigError(f"the notation gives two moves the name {_first_duplicate(names)!r}")


@dataclass(frozen=True, slots=True)
class EngineAdapter:
    """The commands and answers of a program's protocol; None for a command that it lacks."""

    hello: str | None = "uci"
    """The first command."""
    hello_answer: str = "uciok"
    """The first word of the line that ends the answer to `hello`."""
    option: str | None = "setoption name {name} value {value}"
    new_game: str | None = "ucinewgame"
    ready: str | None = "isready"
    """Answered once all earlier commands are done, so that old answers can be told from new."""
    ready_answer: str = "readyok"
    position: str | None = "position {text}"
    """Sets up the board from {text}, the position, or from {moves}, all moves from the start."""
    move: str | None = None
    """Used instead of `position`: plays one {move} on the program's own board."""
    plays_its_own: bool = True
    """Whether a program with its own board has played its answer there."""
    go: str = "go"
    limits: Mapping[str, str] = field(default_factory=lambda: dict(LIMITS))
    """What follows `go` for each limit that the program supports."""
    answer: str = "bestmove"
    """The word before the program's move."""
    resign: str = "resign"
    """The word in place of a move that resigns."""
    refusals: tuple[str, ...] = ("error", "illegal")
    """First words of lines that mean that the program cannot go on."""
    info: Mapping[str, str] = field(
        default_factory=lambda: {"depth": "depth", "nodes": "nodes", "score": "score"}
    )
    """The words before the depth, the nodes and the score in `info` lines."""
    score_unit: str | None = None
    """The unit of scores that are sent without one; without it, such scores are dropped."""
    ponder: str | None = "ponder"
    """The word after `go` for a search during the opponent's turn."""
    ponderhit: str | None = "ponderhit"
    """Sent when the opponent has played the expected move."""
    stop: str | None = "stop"
    quit: str | None = "quit"
    notation: MoveNames = field(default_factory=MoveNames)

    def __post_init__(self) -> None:
        if (self.position is None) == (self.move is None):
            raise ConfigError("expected 'position' or 'move' in the adapter, and not both")
        for limit, template in self.limits.items():
            _check_template(f"limits.{limit}", template, limit_values(1, SearchLimits(), 1))
        _check_template("position", self.position, {"text": "", "moves": ""})
        _check_template("move", self.move, {"move": ""})
        _check_template("option", self.option, {"name": "", "value": ""})

    @property
    def needs_moves(self) -> bool:
        """Whether the program is sent moves instead of a position."""
        return self.move is not None or "{moves}" in (self.position or "")

    @classmethod
    def of(cls, settings: object) -> EngineAdapter:
        """The adapter in the section of an engine's file; keys left out keep their defaults."""
        values = check_keys("adapter", settings, [item.name for item in fields(cls)])
        for name, value in values.items():
            _check_type(name, value)
        if values.get("move") is not None:
            values.setdefault("position", None)
        for section, known in (("limits", list(LIMITS)), ("info", ["depth", "nodes", "score"])):
            if section in values:
                values[section] = _read_templates(section, values[section], known)
        if "notation" in values:
            values["notation"] = _read_notation(values["notation"])
        if "refusals" in values:
            values["refusals"] = tuple(map(str, values["refusals"]))
        return cls(**values)


def limit_values(value: float, limits: SearchLimits, player: int) -> dict[str, str | float]:
    """The values of the placeholders in a limit's template.

    {n}, {s} and {ms} are the limit itself; the rest are the clocks. An opponent without a clock
    has as much time as the player, since programs expect both.

    >>> limit_values(9.5, SearchLimits(clock_s=9.5, increment_s=0.1), player=2)["time1_ms"]
    9500
    """
    own = limits.clock_s or 0.0, limits.increment_s
    other = own
    if limits.opponent_clock_s is not None:
        other = limits.opponent_clock_s, limits.opponent_increment_s
    values: dict[str, str | float] = {
        "n": value, "s": f"{value:.3f}", "ms": round(value * 1000), "player": player,
        "inc_s": f"{own[1]:.3f}", "inc_ms": round(own[1] * 1000),
    }  # fmt: skip
    for number, (clock_s, increment_s) in ((player, own), (3 - player, other)):
        values |= {
            f"time{number}_s": f"{clock_s:.3f}",
            f"time{number}_ms": round(clock_s * 1000),
            f"inc{number}_s": f"{increment_s:.3f}",
            f"inc{number}_ms": round(increment_s * 1000),
        }
    return values


def _read_templates(section: str, settings: object, known: list[str]) -> dict[str, str]:
    templates = check_keys(f"adapter.{section}", settings or {}, known)
    for key, template in templates.items():
        _check_type(f"{section}.{key}", template)
    return templates


def _read_notation(settings: object) -> MoveNames:
    names = check_keys(
        "adapter.notation", settings or {}, [item.name for item in fields(MoveNames)]
    )
    flip_rows = names.pop("flip_rows", False)
    _check_type("flip_rows", flip_rows)
    return MoveNames(**{name: str(text) for name, text in names.items()}, flip_rows=flip_rows)


def _check_template(name: str, template: str | None, values: Mapping[str, object]) -> None:
    try:
        (template or "").format(**values)
    except (IndexError, KeyError, ValueError, AttributeError) as error:
        known = ", ".join(f"{{{key}}}" for key in values)
        raise ConfigError(f"expected {known} in 'adapter.{name}', got {template!r}") from error


def _check_type(name: str, value: object) -> None:
    """Reject values that YAML reads as another type: `go: on` is a boolean, `move: 1` a number."""
    kinds: tuple[type, ...] = (str, type(None)) if name in OPTIONAL else (str,)
    if name in ("limits", "info", "notation"):
        kinds = (dict, type(None))
    elif name == "refusals":
        kinds = (list,)
    elif name in ("plays_its_own", "flip_rows"):
        kinds = (bool,)
    if not isinstance(value, kinds):
        expected = {str: "text", dict: "settings", list: "a list", bool: "true or false"}[kinds[0]]
        raise ConfigError(f"expected 'adapter.{name}' to be {expected}, got {value!r}")


def _first_duplicate(names: list[str]) -> str:
    return next(name for name in names if names.count(name) > 1)
