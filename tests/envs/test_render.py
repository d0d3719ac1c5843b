"""Pictures of the board: what is where, by the colour of pixels."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from plyground.envs import picture as drawing
from plyground.envs import quoridor_picture as render
from plyground.envs.picture import Picture
from plyground.quoridor import GameConfig, State

POSITION = "5 c2/b4 a2h,d3v 3/5 2 9 1"
#   5   .   .   .   .   .
#   4   .   2   .   . | .
#                     |
#   3   .   .   .   . | .
#       -----
#   2   .   .   1   .   .
#   1   .   .   .   .   .
#       a   b   c   d   e


def pixel(picture: Picture, x: int, y: int) -> tuple[int, ...]:
    return tuple(picture[y, x].tolist())


def middle(row: int, col: int, n: int = 5) -> tuple[int, int]:
    return (
        render.MARGIN + col * render.PITCH + render.CELL // 2,
        render.MARGIN + (n - 1 - row) * render.PITCH + render.CELL // 2,
    )


def edges(picture: Picture, n: int = 5) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The cells with a wall on their north edge, and those with one on their east edge."""
    step = render.CELL // 2 + render.GAP // 2
    north, east = set(), set()
    for row in range(n):
        for col in range(n):
            x, y = middle(row, col, n)
            if pixel(picture, x, y - step) == render.WALL:
                north.add((row, col))
            if pixel(picture, x + step, y) == render.WALL:
                east.add((row, col))
    return north, east


def test_pawns_and_walls_are_where_they_should_be() -> None:
    picture = render.draw(State.parse(POSITION))
    assert (picture.dtype.name, picture.ndim, picture.shape[2]) == ("uint8", 3, 3)
    for row in range(5):
        for col in range(5):
            expected = {(1, 2): render.PLAYERS[1], (3, 1): render.PLAYERS[2]}
            colour = expected.get((row, col), render.SQUARE)
            assert pixel(picture, *middle(row, col)) == colour, (row, col)
    assert edges(picture) == ({(1, 0), (1, 1)}, {(2, 3), (3, 3)})


def test_the_player_to_move_has_a_ring() -> None:
    for player in (1, 2):
        picture = render.draw(State.parse(POSITION.replace(" 2 9 1", f" {player} 9 1")))
        x, y = middle(*((1, 2) if player == 1 else (3, 1)))
        assert pixel(picture, x, y - 14 if player == 1 else y - 16) == drawing.RIM
    assert not (render.draw(State.parse("5 c5/b4 - 3/5 2 9 1")) == drawing.RIM).all(axis=2).any()


def walls_left(picture: Picture) -> tuple[int, int]:
    """The stacks beside the board, counted by their upper edges, in the two halves of it."""
    column = (picture[:, -render.MARGIN // 2 + 4] == render.WALL).all(axis=1)
    starts = np.flatnonzero(column[1:] & ~column[:-1])
    upper = int((starts < len(picture) // 2).sum())
    return len(starts) - upper, upper


def test_walls_left_are_stacked_beside_the_board() -> None:
    assert walls_left(render.draw(State.parse(POSITION))) == (3, 5)
    assert walls_left(render.draw(State())) == (10, 10)
    assert walls_left(render.draw(State(GameConfig(board_size=5, walls_per_player=0)))) == (0, 0)
    assert walls_left(render.draw(State(GameConfig(walls_per_player=64)))) == (64, 64)


@pytest.mark.parametrize("size", range(3, 10))
def test_every_size_with_its_coordinates(size: int) -> None:
    picture = render.draw(State(GameConfig(board_size=size, walls_per_player=4)))
    assert picture.shape == (2 * render.MARGIN + size * render.PITCH - render.GAP,) * 2 + (3,)
    left, below = picture[:, : render.MARGIN - render.GAP], picture[-(render.MARGIN - render.GAP) :]
    for strip, count in ((left, size), (below.swapaxes(0, 1), size)):
        ink = (strip == drawing.INK).all(axis=2).any(axis=1)
        assert int((ink[1:] & ~ink[:-1]).sum()) >= count


def test_glyphs_are_five_by_seven() -> None:
    assert sorted(drawing.GLYPHS) == sorted("123456789abcdefghi")
    for glyph in drawing.GLYPHS.values():
        assert [len(line) for line in glyph.split()] == [5] * 7


def test_modes(capsys: pytest.CaptureFixture[str]) -> None:
    name = "plyground.envs:Quoridor-v0"
    env = gymnasium.make(name, render_mode="ansi", preset="small", opponent="self")
    env.reset()
    assert env.render() == str(State(GameConfig.preset("small")))
    env = gymnasium.make(name, render_mode="rgb_array", preset="small", opponent="self")
    env.reset()
    np.testing.assert_array_equal(env.render(), render.draw(State(GameConfig.preset("small"))))
    assert capsys.readouterr().out == ""
    env = gymnasium.make(name, render_mode="human", preset="small", opponent="self")
    env.reset()
    assert capsys.readouterr().out == f"{State(GameConfig.preset('small'))}\n"
    env.step(7)
    assert "player 2 to move" in capsys.readouterr().out
