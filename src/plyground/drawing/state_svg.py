"""A position as an SVG picture: `state.svg()`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from html import escape
from operator import index
from typing import TYPE_CHECKING, TypeAlias

from plyground.checks import check_range
from plyground.drawing.boards import BoardSvg, drawing_of
from plyground.drawing.shapes import FONT, Shape, group
from plyground.errors import ConfigError, NotationError
from plyground.games.board import Board, Spot

if TYPE_CHECKING:
    from plyground.games.base import State

Place: TypeAlias = str | int
"""A cell or wall by its name, or a move."""
Arrow: TypeAlias = tuple[Place, Place]
"""The places where an arrow begins and ends."""
Marks: TypeAlias = Iterable[Place] | Mapping[Place, float] | Mapping[str, float]
"""Places to mark, or shares by place, which are drawn as a heat map."""

DEFAULT_SIZE = 400
LARGEST_SIZE = 4096


def svg(
    state: State,
    *,
    arrows: Iterable[Arrow] = (),
    marks: Marks = (),
    paths: bool = False,
    flipped: bool = False,
    size: int = DEFAULT_SIZE,
    title: str | None = None,
) -> str:
    """The board of a state as an SVG picture; `State.svg` explains the arguments.

    `title` is what screen readers say instead of the game and the player to move.
    """
    check_options(state, paths, flipped, size)
    drawing = drawing_of(state.game.board(state, paths=paths), flipped)
    heat, hints = _marks(state, drawing, marks)
    lines = _arrows(state, drawing, arrows)
    shapes = [*drawing.ground(), *drawing.highlights(), *heat, *drawing.pieces(), *lines, *hints]
    return frame(state, drawing, size, group(shapes, FONT), title)


def check_options(state: State, paths: bool, flipped: bool, size: int) -> None:
    """Raise a ConfigError for options with which the board cannot be drawn."""
    check_range("size", size, 16, LARGEST_SIZE)
    for name, value in (("paths", paths), ("flipped", flipped)):
        if not isinstance(value, bool):
            raise ConfigError(f"expected {name} to be True or False, got {value!r}")
    if paths and not state.game.has_paths:
        raise ConfigError(f"{state.game.name} has no shortest paths to draw")


def frame(
    state: State, drawing: BoardSvg, size: int, content: str, title: str | None = None
) -> str:
    """The SVG element around the content of a drawing, with a title for screen readers."""
    game = state.game
    title = title or f"{game.describe(game.settings(state))}, {status(state)}"
    height = round(size * drawing.height / drawing.width)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{height}" '
        f'viewBox="0 0 {drawing.width:g} {drawing.height:g}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(state.text())}</desc>{content}</svg>"
    )


def status(state: State) -> str:
    """Who is to move, or how the game ended."""
    outcome = state.outcome
    return f"player {state.current_player} to move" if outcome is None else str(outcome)


def board_layers(board: Board, flipped: bool) -> str:
    """What changes from position to position: the highlights and the pieces."""
    drawing = drawing_of(board, flipped)
    return "".join(map(str, [*drawing.highlights(), *drawing.pieces()]))


def _marks(state: State, drawing: BoardSvg, marks: Marks) -> tuple[list[Shape], list[Shape]]:
    """The heat map, if there are shares, and the plain marks."""
    if not isinstance(marks, Mapping):
        spots = [_spot(state, drawing, place) for place in _many("marks", marks)]
        return [], [drawing.marker("hint", spot) for spot in spots if spot is not None]
    for place, share in marks.items():
        if isinstance(share, bool) or not _is_share(share):
            raise ConfigError(f"expected a share from 0 on for the mark {place!r}, got {share!r}")
    largest = max(marks.values(), default=0.0) or 1.0
    heat = []
    for place, share in marks.items():
        if (spot := _spot(state, drawing, place)) is None:
            continue
        marker = drawing.marker("heat", spot)
        opacity = 0.15 + 0.85 * math.sqrt(share / largest)
        heat.append(Shape(marker.tag, "heat", {**marker.attributes, "opacity": opacity}))
    return heat, []


def _is_share(value: object) -> bool:
    try:
        return 0 <= float(value) < math.inf  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False


def _many(name: str, values: object) -> Iterable[Place | Arrow]:
    """The values of an argument that takes several; a single text is a likely mistake."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ConfigError(f"expected {name} to be a list, got {values!r}")
    return values


def _arrows(state: State, drawing: BoardSvg, arrows: Iterable[Arrow]) -> list[Shape]:
    shapes: list[Shape] = []
    for arrow in _many("arrows", arrows):
        if not isinstance(arrow, tuple | list) or len(arrow) != 2:
            raise ConfigError(f"expected an arrow such as ('e2', 'e3'), got {arrow!r}")
        spots = [_spot(state, drawing, place) for place in arrow]
        if None not in spots:
            ends = [drawing.center(spot) for spot in spots if spot is not None]
            shapes.append(_arrow(f"arrow{state.current_player}", ends[0], ends[1]))
    return shapes


def _arrow(style: str, start: tuple[float, float], end: tuple[float, float]) -> Shape:
    length = math.dist(start, end) or 1.0
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    tip = (end[0] - 1.2 * ux, end[1] - 1.2 * uy)
    neck = (tip[0] - 2.2 * ux, tip[1] - 2.2 * uy)
    points = [
        ("M", start), ("L", neck), ("M", tip),
        ("L", (neck[0] - 1.5 * uy, neck[1] + 1.5 * ux)),
        ("L", (neck[0] + 1.5 * uy, neck[1] - 1.5 * ux)),
    ]  # fmt: skip
    path = "".join(f"{letter}{x:.2f} {y:.2f}" for letter, (x, y) in points)
    return Shape("path", style, {"d": f"{path}Z"})


def _spot(state: State, drawing: BoardSvg, place: Place | Arrow) -> Spot | None:
    """Where a place or move is; None for a move without a place, such as a pass."""
    if isinstance(place, str) and (spot := drawing.find_spot(place)) is not None:
        return spot
    try:
        if isinstance(place, tuple):
            raise TypeError("a pair is not a place")
        action = state.parse_move(place) if isinstance(place, str) else index(place)
        state.format_move(action)  # checks its range
        return state.game.spot_of(state, action)
    except (LookupError, TypeError, ValueError):
        raise NotationError(
            f"expected {drawing.example} on this board, or a move, got {place!r}"
        ) from None
