"""Boards as SVG: what is drawn, what is refused, and that the page draws the same."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from plyground import quoridor, reversi
from plyground.drawing.boards import drawing_of
from plyground.drawing.shapes import STYLES, Shape
from plyground.errors import ConfigError, NotationError
from plyground.games.base import State
from plyground.games.board import Board
from plyground.ui.web.payloads import board_payload
from plyground.ui.web.texts import render
from tests.conformance.connect_four import ConnectFour

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

STATIC = Path(__file__).parents[2] / "src" / "plyground" / "ui" / "web" / "static"
WALLED = ["e2", "e8", "e3", "e7", "e3h", "d6v"]


def walled() -> quoridor.State:
    state = quoridor.State()
    for move in WALLED:
        state = state.play(move)
    return state


def shapes_of(text: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(text).iter())


def of_colour(text: str, style: str) -> list[ElementTree.Element]:
    return [shape for shape in shapes_of(text) if shape.get("fill") == STYLES[style]["fill"]]


def test_quoridor_is_drawn() -> None:
    text = walled().svg()
    assert len(of_colour(text, "cell")) == 63
    assert len(of_colour(text, "wall")) == 2
    assert len(of_colour(text, "pawn1")) == len(of_colour(text, "pawn2")) == 1
    root = shapes_of(text)[0]
    assert (root.get("width"), root.get("height"), root.get("role")) == ("400", "400", "img")
    assert walled().text() in text
    assert "Quoridor 9x9, player 1 to move" in text
    assert walled()._repr_svg_() == text


def test_reversi_is_drawn() -> None:
    text = reversi.State().play("f5").svg(size=300)
    assert (len(of_colour(text, "disc1")), len(of_colour(text, "disc2"))) == (4, 1)
    assert shapes_of(text)[0].get("width") == "300"


def test_a_game_in_plain_python_is_drawn(connect_four: ConnectFour) -> None:
    start: State = connect_four.start()
    state = start.play(start.legal_actions()[3])
    text = state.svg(marks=state.legal_actions())
    root = shapes_of(text)[0]
    assert (root.get("width"), root.get("height")) == ("400", "349")
    assert len(of_colour(text, "disc1")) == 1
    assert len(of_colour(text, "hint")) == 7
    assert state._repr_svg_() == state.svg()


def test_marks_arrows_and_paths() -> None:
    state = walled()
    assert len(of_colour(state.svg(marks=["e4", "f5h", 3]), "hint")) == 3
    assert len(of_colour(state.svg(paths=True), "path1")) > 6
    assert "<path" in state.svg(arrows=[("e3", "f3")])
    heat = of_colour(state.svg(marks={"d3": 0.6, "a1h": 0.15}), "heat")
    assert [shape.get("opacity") for shape in heat] == ["1", "0.57"]
    assert of_colour(reversi.State().svg(marks=["pass"]), "hint") == []


def test_the_board_is_turned() -> None:
    upright, turned = (walled().svg(flipped=flipped) for flipped in (False, True))
    (pawn,), (opposite,) = of_colour(upright, "pawn1")[:1], of_colour(turned, "pawn1")[:1]
    assert float(pawn.get("cy", 0)) + float(opposite.get("cy", 0)) == pytest.approx(98)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"size": 8}, ConfigError, "expected size to be a whole number from 16 to 4096, got 8"),
        ({"size": "400"}, ConfigError, "expected size to be a whole number from 16 to 4096"),
        ({"paths": 1}, ConfigError, "expected paths to be True or False, got 1"),
        ({"marks": "e2"}, ConfigError, "expected marks to be a list, got 'e2'"),
        ({"marks": 5}, ConfigError, "expected marks to be a list, got 5"),
        ({"marks": ["z9"]}, NotationError, "expected a cell such as 'b2' or a wall such as 'b2h' on"
         " this board, or a move, got 'z9'"),
        ({"marks": ["i9h"]}, NotationError, "or a move, got 'i9h'"),
        ({"marks": [None]}, NotationError, "or a move, got None"),
        ({"marks": [500]}, NotationError, "or a move, got 500"),
        ({"marks": {"e2": -1}}, ConfigError, "a share from 0 on for the mark 'e2', got -1"),
        ({"marks": {"e2": "x"}}, ConfigError, "expected a share from 0 on for the mark 'e2'"),
        ({"arrows": ["e2"]}, ConfigError, r"expected an arrow such as \('e2', 'e3'\), got 'e2'"),
        ({"arrows": [("e2", "z9")]}, NotationError, "or a move, got 'z9'"),
        ({"arrows": None}, ConfigError, "expected arrows to be a list, got None"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused(
    options: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        quoridor.State().svg(**options)  # type: ignore[arg-type]


def test_a_game_without_paths_says_so() -> None:
    with pytest.raises(ConfigError, match="reversi has no shortest paths to draw"):
        reversi.State().svg(paths=True)


def test_importing_plyground_loads_no_drawing() -> None:
    code = "import sys, plyground; sys.exit('plyground.drawing' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_colours_are_those_of_the_page() -> None:
    page = "".join((STATIC / name).read_text() for name in ("style.css", "board.css"))
    for name, style in STYLES.items():
        for key in ("fill", "stroke"):
            colour = str(style.get(key, "none"))
            is_known = colour in page or (colour in ("#000", "#fff") and "rgb(" in page)
            assert is_known or colour == "none", f"{name}: {colour} is not a colour of the page"


# The page's own code draws the same board, and both drawings are compared shape by shape.

DRAW = """async ({ board, flipped }) => {
  const { QuoridorRenderer } = await import("/quoridor.js");
  const { GridRenderer } = await import("/grid.js");
  const renderer = board.kind === "grid"
    ? new GridRenderer(board.rows, board.columns) : new QuoridorRenderer(board.size);
  renderer.flipped = flipped;
  const drawn = [];
  const add = (element, move = [0, 0]) => {
    if (element.getAttribute("class") === "dot") return;
    const number = (name) => Number(element.getAttribute(name) ?? 0);
    const [x, y] = element.tagName === "circle" ? ["cx", "cy"] : ["x", "y"];
    const size = element.tagName === "circle" ? [number("r")]
      : element.tagName === "rect" ? [number("width"), number("height"), number("rx")] : [];
    if (element.tagName !== "g") {
      const text = element.tagName === "text" ? element.textContent : "";
      drawn.push([element.tagName, number(x) + move[0], number(y) + move[1], ...size, text]);
    }
    for (const child of element.children) add(child, move);
  };
  add(renderer.drawBackground());
  add(renderer.drawHighlights(board, [], { targets: false, paths: true }));
  for (const { create, transform } of renderer.pieces(board).values()) {
    add(create(), (transform?.match(/-?[\\d.]+(?=px)/g) ?? [0, 0]).map(Number));
  }
  return { drawn, width: renderer.width, height: renderer.height };
}"""


PAGE = """<!doctype html><html lang="{{language}}"><title>Boards</title>
<script type="application/json" id="texts">{{texts}}</script>
<script type="application/json" id="sentences">{{sentences}}</script>"""
"""The texts are what the scripts of the boards need of the page."""


def serve(route: Route) -> None:
    name = route.request.url.rpartition("/")[2]
    if name.endswith(".js"):
        route.fulfill(path=STATIC / name)
    else:
        route.fulfill(body=render(PAGE, "en"), content_type="text/html; charset=utf-8")


def key_of(values: list[object]) -> tuple[object, ...]:
    return tuple(round(value, 2) + 0.0 if isinstance(value, int | float) else value
                 for value in values)  # fmt: skip


def our_key(shape: Shape) -> tuple[object, ...]:
    names = {"circle": ("cx", "cy", "r"), "rect": ("x", "y", "width", "height", "rx")}
    wanted = names.get(shape.tag, ("x", "y"))
    values = [shape.attributes.get(name, 0) for name in wanted]
    return key_of([shape.tag, *values, shape.text])


def boards(connect_four: ConnectFour) -> list[Board]:
    before, state = reversi.State(), reversi.State().play("f5")
    other = connect_four.start().play(3)
    small = quoridor.State(quoridor.GameConfig.preset("small"))
    first = small.play("c2")
    return [
        walled().game.board(walled(), paths=True),
        small.game.board(first, small, first.parse_move("c2"), paths=True),
        state.game.board(state, before, before.parse_move("f5")),
        connect_four.board(other),
    ]


def test_the_page_draws_the_same(browser: Browser, connect_four: ConnectFour) -> None:
    page = browser.new_page()
    page.route("**/*", serve)
    page.goto("http://boards.test/")
    for board in boards(connect_four):
        for flipped in (False, True):
            drawing = drawing_of(board, flipped)
            shapes = [*drawing.ground(), *drawing.highlights(), *drawing.pieces()]
            ours = Counter(our_key(shape) for shape in shapes if shape.style != "dot")
            shown = page.evaluate(DRAW, {"board": board_payload(board), "flipped": flipped})
            theirs = Counter(map(key_of, shown["drawn"]))
            assert ours == theirs, f"{ours - theirs} against {theirs - ours}"
            assert (drawing.width, drawing.height) == (shown["width"], shown["height"])
    page.close()
