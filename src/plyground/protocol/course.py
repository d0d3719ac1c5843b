"""The messages of the Quoridor course: percepts and actions, to and from states and moves.

    {"size": 9, "rows": 9, "cols": 9, "starting_walls": 10, "pawns": [[0, 4], [8, 4]],
     "goals": [8, 0], "nb_walls": [10, 10], "horiz_walls": [[2, 4]], "verti_walls": []}
    ["P", 1, 4]    ["WH", 2, 4]    ["WV", 3, 3]

Rows and columns have the same indices here and there. The course's player 0 is player 1 here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from reprlib import Repr
from typing import TypedDict, TypeGuard

from plyground.errors import NotationError
from plyground.games.quoridor import (
    Kind,
    State,
    action_to_notation,
    decode_action,
    encode_action,
    position_to_notation,
)
from plyground.games.quoridor_config import GameConfig

NO_LIMIT = 65535
"""Moves until a draw: more than any game lasts, since the course has no draws."""
MOST_WALLS = 64
KINDS: dict[str, Kind] = {"P": "move", "WH": "h_wall", "WV": "v_wall"}
NAMES = {kind: name for name, kind in KINDS.items()}


class Percepts(TypedDict):
    """A position as the course shows it to an agent."""

    size: int
    rows: int
    cols: int
    starting_walls: int
    pawns: list[list[int]]
    goals: list[int]
    nb_walls: list[int]
    horiz_walls: list[list[int]]
    verti_walls: list[list[int]]


def percepts_of(state: State, earlier: Percepts | None = None) -> Percepts:
    """The percepts of a position.

    >>> percepts_of(State().play("e2").play("e3h"))["horiz_walls"]
    [[2, 4]]

    Walls are in the order they were placed, as far as the percepts of an `earlier` position tell.
    """
    size = state.board_size
    return {
        "size": size,
        "rows": size,
        "cols": size,
        "starting_walls": state.config.walls_per_player,
        "pawns": [list(state.player1_pos), list(state.player2_pos)],
        "goals": [size - 1, 0],
        "nb_walls": [state.walls_remaining[1], state.walls_remaining[2]],
        "horiz_walls": _in_order(state.h_walls, earlier["horiz_walls"] if earlier else []),
        "verti_walls": _in_order(state.v_walls, earlier["verti_walls"] if earlier else []),
    }


def _in_order(walls: frozenset[tuple[int, int]], known: list[list[int]]) -> list[list[int]]:
    kept = [wall for wall in known if (wall[0], wall[1]) in walls]
    return kept + [list(wall) for wall in sorted(walls) if list(wall) not in kept]


def state_of(percepts: object, player: object, step: object = None) -> State:
    """The position that percepts describe, with player 0 or 1 to move and no history.

    >>> state_of(percepts_of(State()), 0) == State(course_config())
    True
    """
    if not isinstance(percepts, dict):
        raise NotationError(f"expected percepts by name, got {short_repr(percepts)}")
    if type(player) is not int or player not in (0, 1):
        raise NotationError(f"expected the player 0 or 1, got {short_repr(player)}")
    size = _board_size(percepts)
    pawns = _pairs(percepts, "pawns", size)
    if len(pawns) != 2:
        raise NotationError(f"expected two pawns, got {len(pawns)}")
    in_hand = _entry(percepts, "nb_walls")
    if not _is_listing(in_hand) or len(in_hand) != 2 or not all(map(_is_count, in_hand)):
        raise NotationError(f"expected nb_walls of two players, got {short_repr(in_hand)}")
    at_start = _entry(percepts, "starting_walls", 10)
    walls_each = max(filter(_is_count, (at_start, *in_hand)))
    kinds: dict[str, Kind] = {"horiz_walls": "h_wall", "verti_walls": "v_wall"}
    walls = [
        action_to_notation(encode_action(kind, row, column, size), size)
        for name, kind in kinds.items()
        for row, column in sorted(_pairs(percepts, name, size - 1))
    ]
    made = step - 1 if type(step) is int and 0 < step < NO_LIMIT else player
    text = (
        f"{size} {position_to_notation(*pawns[0])}/{position_to_notation(*pawns[1])} "
        f"{','.join(walls) or '-'} {in_hand[0]}/{in_hand[1]} {player + 1} {made} 0"
    )
    return State.parse(text, course_config(size, min(walls_each, (size - 1) ** 2)))


def course_config(size: int = 9, walls: int = 10) -> GameConfig:
    """Quoridor as the course plays it: without draws."""
    return GameConfig(size, walls, max_moves=NO_LIMIT, no_progress_limit=NO_LIMIT)


def action_message(state: State, action: int) -> list[str | int]:
    """A move as an agent of the course answers it.

    >>> action_message(State(), 101)
    ['WH', 2, 4]
    """
    kind, row, column = decode_action(action, state.board_size)
    return [NAMES[kind], row, column]


def read_action(answer: object, state: State) -> int:
    """The legal move in an agent's answer.

    A value that is not an action raises a NotationError, an illegal action an IllegalMoveError.

    >>> read_action(["P", 1, 4], State())
    13
    """
    if not _is_listing(answer) or len(answer) != 3:
        raise NotationError(f"expected an action [kind, row, column], got {short_repr(answer)}")
    kind, row, column = answer
    if not isinstance(kind, str) or kind not in KINDS:
        raise NotationError(f"expected an action P, WH or WV, got {short_repr(kind)}")
    if type(row) is not int or type(column) is not int:
        raise NotationError(f"expected whole numbers for row and column, got {short_repr(answer)}")
    side = state.board_size - (kind != "P")
    if not (0 <= row < side and 0 <= column < side):
        raise NotationError(f"expected an action on the board, got {short_repr(answer)}")
    action = encode_action(KINDS[kind], row, column, state.board_size)
    if not state.is_legal(action):
        state.play(state.format_move(action))  # raises the error with the reason
    return action


def parse_typed(text: str) -> str:
    """A move as it is typed at the course's console, `P,1,4`, in notation; other text unchanged.

    >>> parse_typed("wh,2,3"), parse_typed("e3h")
    ('d3h', 'e3h')
    """
    kind, *cell = [part.strip() for part in text.upper().split(",")]
    if kind not in KINDS or len(cell) != 2 or not all(part.isdecimal() for part in cell):
        return text
    row, column = (int(part) if len(part) < 3 else 99 for part in cell)
    if row > 8 or column > 8:
        return text
    # Notation does not depend on the size of the board; the largest has every cell.
    return action_to_notation(encode_action(KINDS[kind], row, column, 9), 9)


def _board_size(percepts: Mapping[str, object]) -> int:
    size = _entry(percepts, "size", 9)
    if type(size) is not int or not 3 <= size <= 9:
        raise NotationError(f"expected a board of size 3 to 9, got {short_repr(size)}")
    for name in ("rows", "cols"):
        if _entry(percepts, name, size) != size:
            raise NotationError(f"expected a square board, got {name} {short_repr(percepts[name])}")
    goals = _entry(percepts, "goals", [size - 1, 0])
    if not _is_listing(goals) or list(goals) != [size - 1, 0]:
        raise NotationError(f"expected goals [{size - 1}, 0], got {short_repr(goals)}")
    return size


def _entry(percepts: Mapping[str, object], name: str, default: object = None) -> object:
    if name not in percepts and default is None:
        raise NotationError(
            f"expected {name!r} in the percepts, which have {sorted(percepts)[:12]}"
        )
    return percepts.get(name, default)


def _pairs(percepts: Mapping[str, object], name: str, side: int) -> list[tuple[int, int]]:
    """Cells or walls: each on the board, and none twice."""
    pairs = _entry(percepts, name)
    if not _is_listing(pairs) or len(pairs) > side * side:
        raise NotationError(f"expected a list of places for {name}, got {short_repr(pairs)}")
    found: list[tuple[int, int]] = []
    for pair in pairs:
        place = list(pair) if _is_listing(pair) else []
        numbers = [number for number in place if _is_index(number, side)]
        if len(place) != 2 or len(numbers) != 2:
            raise NotationError(
                f"expected [row, column] on the board in {name}, got {short_repr(pair)}"
            )
        found.append((numbers[0], numbers[1]))
    if len(set(found)) < len(found):
        raise NotationError(f"expected every place of {name} once, got one twice")
    return found


def _is_listing(values: object) -> TypeGuard[Sequence[object]]:
    """Whether a value is a list, as messages have it, or a tuple, as Python programs have it."""
    return isinstance(values, list | tuple)


def _is_index(number: object, side: int) -> TypeGuard[int]:
    return type(number) is int and 0 <= number < side


def _is_count(number: object) -> TypeGuard[int]:
    return type(number) is int and 0 <= number <= MOST_WALLS


_REPR = Repr()
_REPR.maxlevel, _REPR.maxstring, _REPR.maxother = 3, 60, 60


def short_repr(value: object) -> str:
    """A value from outside in at most 60 characters, even if it is deeply nested."""
    text = _REPR.repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
