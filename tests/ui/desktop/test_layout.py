"""Pixels to cells and walls, and back; parts of the window that stay inside it and apart."""

from __future__ import annotations

import random

import pytest
from pygame import Rect

from plyground.ui.desktop.grid import SquareGrid
from plyground.ui.desktop.layout import SMALLEST, WindowLayout
from plyground.ui.desktop.quoridor_grid import QuoridorGrid

PLACES = [Rect(6, 6, 250, 250), Rect(31, 17, 600, 560), Rect(0, 40, 1999, 2103)]
WINDOWS = [SMALLEST, (960, 680), (500, 900), (1000, 1000), (3840, 2160), (2560, 600)]


@pytest.mark.parametrize("place", PLACES, ids=str)
@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("row_0_below", [False, True])
@pytest.mark.parametrize("size", [3, 5, 9])
def test_every_cell_and_wall_is_found_where_it_is_drawn(
    place: Rect, flipped: bool, row_0_below: bool, size: int
) -> None:
    grid = QuoridorGrid(place, size, flipped, row_0_below)
    assert place.contains(grid.frame)
    for row in range(size):
        for column in range(size):
            cell = row, column
            assert grid.spot_at(grid.cell_rect(cell).center) == ("move", cell)
    for row in range(size - 1):
        for column in range(size - 1):
            for kind in ("h_wall", "v_wall"):
                rect = grid.wall_rect(kind, (row, column))
                along = grid.cell // 2
                for by in (-along, along):
                    x, y = rect.center
                    point = (x + by, y) if kind == "h_wall" else (x, y + by)
                    assert grid.spot_at(point) == (kind, (row, column))


@pytest.mark.parametrize("place", PLACES, ids=str)
@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (6, 7), (3, 20), (15, 2), (1, 1)])
def test_squares_of_any_board(place: Rect, flipped: bool, rows: int, columns: int) -> None:
    grid = SquareGrid(place, rows, columns, flipped)
    assert place.contains(grid.frame)
    for row in range(rows):
        for column in range(columns):
            rect = grid.cell_rect((row, column))
            assert rect.width == rect.height
            assert grid.frame.contains(rect)
            assert grid.spot_at(rect.center) == ("move", (row, column))
    first, last = grid.cell_rect((0, 0)), grid.cell_rect((rows - 1, columns - 1))
    if rows > 1:
        assert (first.top < last.top, first.left < last.left) == (not flipped, not flipped)
    for label in (grid.letter_rect(columns - 1), grid.number_rect(rows - 1)):
        assert place.contains(label)
        assert not label.colliderect(grid.frame)


def test_row_0_can_be_at_the_top_without_turning_the_columns() -> None:
    for flipped in (False, True):
        grid = QuoridorGrid(PLACES[1], 9, flipped, row_0_below=False)
        assert (grid.cell_rect((0, 0)).top < grid.cell_rect((8, 0)).top) != flipped
        assert (grid.cell_rect((0, 0)).left < grid.cell_rect((0, 8)).left) != flipped
        for label, cell in ((grid.top_rect(3), (0, 3)), (grid.right_rect(3), (3, 0))):
            assert not label.colliderect(grid.frame)
            assert label.clip(grid.cell_rect(cell).inflate(2000, 2000)) == label


def test_player_1_looks_from_below_unless_the_board_is_flipped() -> None:
    for flipped in (False, True):
        grid = QuoridorGrid(PLACES[1], 9, flipped)
        assert (grid.cell_rect((0, 0)).top > grid.cell_rect((8, 0)).top) != flipped
        assert (grid.cell_rect((0, 0)).left < grid.cell_rect((0, 8)).left) != flipped


def test_any_point_of_the_board_is_something_near_it(rng: random.Random) -> None:
    grid = QuoridorGrid(PLACES[1], 9)
    for _ in range(2000):
        point = (
            rng.randrange(grid.frame.left, grid.frame.right),
            rng.randrange(grid.frame.top, grid.frame.bottom),
        )
        spot = grid.spot_at(point)
        assert spot is not None
        kind, cell = spot
        rect = grid.cell_rect(cell) if kind == "move" else grid.wall_rect(kind, cell)
        # At most half a wall away: at the rim, the nearest wall is the one that fits.
        assert rect.inflate(2 * grid.pitch, 2 * grid.pitch).collidepoint(point)
    assert grid.spot_at((grid.frame.left - 1, grid.frame.centery)) is None


@pytest.mark.parametrize("window", WINDOWS, ids=str)
def test_parts_of_the_window_are_inside_and_apart(window: tuple[int, int]) -> None:
    layout = WindowLayout.of(*window, button_rows=5)
    parts = [layout.board, layout.upper, layout.lower, layout.moves, layout.buttons, layout.status]
    whole = Rect(0, 0, *window)
    for number, part in enumerate(parts):
        assert part.width > 0
        assert part.height > 0
        assert whole.contains(part), (number, part)
        assert part.collidelist(parts[:number] + parts[number + 1 :]) == -1, (number, part)
    assert layout.moves.height >= 2 * layout.unit
    assert layout.board.width >= 0.4 * min(window)
