"""Pixels to cells and walls, and back; parts of the window that stay inside it and apart."""

from __future__ import annotations

import random

import pytest
from pygame import Rect

from plyground.ui.desktop.layout import SMALLEST, QuoridorGrid, ReversiGrid, WindowLayout

PLACES = [Rect(6, 6, 250, 250), Rect(31, 17, 600, 560), Rect(0, 40, 1999, 2103)]
WINDOWS = [SMALLEST, (960, 680), (500, 900), (1000, 1000), (3840, 2160), (2560, 600)]


@pytest.mark.parametrize("place", PLACES, ids=str)
@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("size", [3, 5, 9])
def test_every_cell_and_wall_is_found_where_it_is_drawn(
    place: Rect, flipped: bool, size: int
) -> None:
    grid = QuoridorGrid(place, size, flipped)
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


@pytest.mark.parametrize("flipped", [False, True])
def test_squares_of_reversi(flipped: bool) -> None:
    grid = ReversiGrid(PLACES[1], 8, flipped)
    for row in range(8):
        for column in range(8):
            assert grid.spot_at(grid.cell_rect((row, column)).center) == ("move", (row, column))
    first = grid.cell_rect((0, 0))
    assert (first.left < grid.frame.centerx, first.top < grid.frame.centery) == (
        not flipped,
        not flipped,
    )


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
        # Not further away than half a wall: at the rim, the nearest wall is the one that fits.
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
