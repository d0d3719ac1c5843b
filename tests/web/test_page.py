"""The page in a real browser, as people use it: mouse, finger, keys, and a screen reader's ears."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from .conftest import (
    DESKTOP,
    PHONE,
    Site,
    at,
    moves,
    new_game,
    type_move,
    wait_for,
    wait_for_moves,
    wait_for_text,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

OpenPage = Callable[..., "Page"]
KEEP_SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
    constructor(...more) { super(...more); sockets.push(this); }
};
"""


def play_through(page: Page, touch: bool) -> None:
    """Click or tap a target, again and again, until the game is over.

    In Quoridor it is the one furthest up, which leads to player 1's goal sooner or later.
    """
    for _ in range(200):
        wait_for(
            page,
            "document.querySelector('#board .target') || !document.querySelector('#pass').hidden"
            " || document.querySelector('#resign').disabled",
        )
        if page.locator("#resign").is_disabled():
            return
        before = len(moves(page))
        if page.locator("#pass").is_visible():
            page.click("#pass")
            wait_for_moves(page, before + 1)
            continue
        box = page.evaluate(
            """() => [...document.querySelectorAll('#board .target')]
                .map((dot) => dot.getBoundingClientRect())
                .map(({ x, y, width, height }) => [x + width / 2, y + height / 2])
                .sort((one, other) => one[1] - other[1])[0]"""
        )
        if box is None:  # the other side has just moved
            continue
        (page.touchscreen.tap if touch else page.mouse.click)(*box)
        wait_for_moves(page, before + 1)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("game", ["quoridor", "reversi"])
def test_a_whole_game(site: Site, open_page: OpenPage, game: str, size: ViewportSize) -> None:
    touch = size == PHONE
    page = open_page(site.address, size, has_touch=touch)
    board = {"Board": "5", "Walls": "0"} if game == "quoridor" else {}
    new_game(page, game=game, player1="human", player2="random", **board)
    page.locator("#board").scroll_into_view_if_needed()
    play_through(page, touch)
    status = page.inner_text("#status")
    assert "win" in status or "draw" in status.lower()
    assert status in page.inner_text("#speech")
    # Nothing sticks out to the side.
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# Walls.


def test_a_gap_shows_the_wall_and_a_click_places_it(page: Page) -> None:
    new_game(page, player1="human", player2="human")
    page.mouse.move(*at(page, "c3h"))
    page.wait_for_selector("#board .preview.legal rect")
    page.mouse.click(*at(page, "c3h"))
    page.wait_for_selector("#board .wall")
    page.mouse.click(*at(page, "g6v"))
    wait_for_moves(page, 2)
    assert moves(page) == ["c3h", "g6v"]
    assert "9 walls" in page.inner_text("#player1")
    assert page.locator("#player1 .piece:not(.used)").count() == 9


def test_a_wall_that_is_not_possible_looks_different_and_says_why(page: Page) -> None:
    new_game(page, player1="human", player2="human")
    page.mouse.click(*at(page, "c3h"))
    wait_for_moves(page, 1)
    page.mouse.move(*at(page, "d3h"))
    page.wait_for_selector("#board .preview.illegal .cross")
    wait_for_text(page, "#reason", "overlaps the wall at c3h")
    page.mouse.click(*at(page, "d3h"))
    page.mouse.move(*at(page, "e5"))
    page.wait_for_selector("#board .preview", state="detached")
    assert moves(page) == ["c3h"]
    assert page.inner_text("#reason") == ""


def test_a_finger_sees_a_wall_before_it_is_placed(site: Site, open_page: OpenPage) -> None:
    page = open_page(site.address, PHONE, has_touch=True)
    new_game(page, player1="human", player2="human")
    page.locator("#board").scroll_into_view_if_needed()
    page.touchscreen.tap(*at(page, "c3h"))
    page.wait_for_selector("#board .preview.legal rect")
    wait_for_text(page, "#reason", "Tap again")
    assert moves(page) == []
    page.touchscreen.tap(*at(page, "f6v"))  # elsewhere: another preview
    wait_for_text(page, "#reason", "f6v")
    page.touchscreen.tap(*at(page, "f6v"))
    wait_for_moves(page, 1)
    page.touchscreen.tap(*at(page, "e8"))  # a pawn needs no second tap
    wait_for_moves(page, 2)
    assert moves(page) == ["f6v", "e8"]


class Finger:
    """A finger that slides, as the screen of a phone reports it."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._screen = page.context.new_cdp_session(page)
        self._at: list[dict[str, float]] = []

    def slide(self, *points: tuple[float, float]) -> None:
        for number, (x, y) in enumerate(points):
            self._at = [{"x": x, "y": y}]
            self._send("touchMove" if number else "touchStart", self._at)

    def lift(self) -> None:
        """Rest, then lift: after a fling, the browser ignores the next tap."""
        self._page.wait_for_timeout(100)
        self._send("touchMove", self._at)
        self._send("touchEnd", [])

    def _send(self, kind: str, fingers: list[dict[str, float]]) -> None:
        self._screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})


def test_a_finger_slides_a_wall_turns_and_places_it(site: Site, open_page: OpenPage) -> None:
    page = open_page(site.address, PHONE, has_touch=True)
    new_game(page, player1="human", player2="human")
    scrolled = page.evaluate("scrollY")
    (x, y), end = at(page, "d4"), at(page, "d2")
    finger = Finger(page)
    finger.slide((x, y), (x, y - 20), end)
    wait_for(  # the finger does not hide the wall
        page,
        """y => {
            const ghost = document.querySelector("#board .preview .ghost")?.getBoundingClientRect();
            return ghost && ghost.bottom < y - 30 && ghost.top > y - 90;
        }""",
        end[1],
    )
    finger.lift()
    assert page.evaluate("scrollY") == scrolled
    wait_for_text(page, "#reason", "Tap again to place d3h")
    assert moves(page) == []
    page.tap("#wall-turn")
    wait_for_text(page, "#reason", "Tap again to place d3v")
    page.tap("#wall-place")
    wait_for_moves(page, 1)
    assert page.locator("#wall-tools").is_hidden()
    # An illegal wall cannot be placed; cancel takes it away.
    finger.slide((x, y), (x, y - 20), end)
    finger.lift()
    wait_for_text(page, "#reason", "crosses")
    assert page.locator("#wall-place").is_disabled()
    page.tap("#wall-cancel")
    page.wait_for_selector("#board .preview", state="detached")
    # A tap on the ghost places it, and one on a cell still moves the pawn.
    finger.slide((x, y), (x, y - 20), at(page, "d6"))
    finger.lift()
    wait_for_text(page, "#reason", "Tap again")
    box = page.locator("#board .preview .ghost").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    wait_for_moves(page, 2)
    page.touchscreen.tap(*at(page, "e2"))
    wait_for_moves(page, 3)


def test_a_mouse_turns_walls_and_drags_them_from_the_stock(page: Page) -> None:
    new_game(page, player1="human", player2="human")
    page.mouse.move(*at(page, "c3h"))
    page.mouse.click(*at(page, "c3h"), button="right")
    assert moves(page) == []
    page.mouse.click(*at(page, "c3h"))
    wait_for_moves(page, 1)
    assert moves(page) == ["c3v"]
    page.mouse.move(*at(page, "e5"))  # a cell: the next wall lies as its gap does
    page.mouse.move(*at(page, "g6h"))
    page.keyboard.press("r")
    page.keyboard.press("r")
    page.mouse.click(*at(page, "g6h"))
    wait_for_moves(page, 2)
    assert moves(page) == ["c3v", "g6h"]
    page.hover("#player1 .left")
    page.mouse.down()
    page.mouse.move(*at(page, "e5"), steps=4)
    page.wait_for_selector("#board .preview.legal")
    page.mouse.move(*at(page, "e5h"), steps=4)
    page.keyboard.press("r")
    page.mouse.up()
    wait_for_moves(page, 3)
    assert moves(page)[2] == "e5v"
    page.hover("#player2 .left")  # let go beside the board, it is not placed
    page.mouse.down()
    page.mouse.move(*at(page, "e7h"), steps=4)
    page.hover("#player2 .left", force=True)
    page.mouse.up()
    page.hover("#status")
    assert page.locator("#board .preview").count() == 0
    assert len(moves(page)) == 3


# Sounds and looks.

FAKE_AUDIO = """
window.tones = [];
window.AudioContext = class {
    currentTime = 0;
    destination = {};
    resume() { return Promise.resolve(); }
    createOscillator() {
        const node = this.createGain();
        const start = () => tones.push(node.value);
        return { ...node, frequency: node.gain, start, stop() {} };
    }
    createGain() {
        const node = { connect: (next) => next, gain: {
            setValueAtTime: (value) => { node.value = value; },
            exponentialRampToValueAtTime() {},
        } };
        return node;
    }
};
"""


def test_sounds_of_a_game_and_their_switch(site: Site, open_page: OpenPage) -> None:
    page = open_page(site.address, script=FAKE_AUDIO)

    def heard() -> list[int]:
        tones: list[int] = page.evaluate("tones.splice(0)")
        return tones

    page.evaluate(
        "document.querySelector('#new-form [name=time]').append(new Option('10.3', '10.3'))"
    )
    new_game(page, player1="human", player2="human", Board=3, Walls=2, time="10.3")
    page.mouse.click(*at(page, "b2", 3))
    wait_for_moves(page, 1)
    assert heard() == [500]
    wait_for(page, "tones.length === 2")
    assert heard() == [880, 880]  # the time is low
    page.mouse.click(*at(page, "a1h", 3))
    wait_for_moves(page, 2)
    assert heard() == [210, 900]
    assert page.locator("#board .wall.last").count() == 1
    page.click("#sound")
    assert heard() == []
    page.reload()
    page.wait_for_selector("body[data-line=open]")
    wait_for_moves(page, 2)
    assert page.get_attribute("#sound", "aria-pressed") == "false"
    page.click("#sound")
    new_game(page, game="reversi", player1="human", player2="human")
    heard()
    type_move(page, "f5")
    wait_for_moves(page, 1)
    assert heard() == [760, 620]
    page.click("#resign")
    page.click("#ask-yes")
    wait_for_text(page, "#status", "resignation")
    assert heard() == [523, 659, 784]


def test_colours_and_boards_are_chosen_and_kept(page: Page) -> None:
    cell = "getComputedStyle(document.querySelector('#board .cell:not(.goal1, .goal2)')).fill"
    before = page.evaluate(cell)
    page.click("#theme")
    page.check("#look-form [value=sea]")
    sea = page.evaluate(cell)
    page.check("#look-form [value=stone]")
    assert len({before, sea, page.evaluate(cell)}) == 3
    page.check("#look-form [value=dark]")
    dark = page.evaluate(cell)
    page.reload()
    page.wait_for_selector("#board .cell")
    assert page.evaluate(cell) == dark
    page.click("#theme")
    assert page.is_checked("#look-form [value=stone]")
    assert page.is_checked("#look-form [value=dark]")


# Undo, hints, seats, looking back.


def test_undo_redo_hint_resign_and_flip(page: Page) -> None:
    new_game(page, player1="human", player2="random")
    type_move(page, "e2")
    wait_for_moves(page, 2)
    page.click("#undo")
    wait_for_moves(page, 0, exactly=True)
    page.click("#redo")
    wait_for_moves(page, 2)
    page.click("#hint")
    page.wait_for_selector("#board .hint", state="attached")
    assert page.inner_text("#reason").startswith("Hint: ")
    wait_for(page, "document.querySelector('#speech').textContent.includes('Hint')")
    assert len(moves(page)) == 2
    below = page.locator("#board .pawn.player1").bounding_box()
    page.click("#flip")
    above = page.locator("#board .pawn.player1").bounding_box()
    assert below is not None
    assert above is not None
    assert above["y"] < below["y"]
    page.click("#resign")
    page.click("#ask-dialog [data-closes]")
    page.wait_for_selector("#ask-dialog", state="hidden")
    assert page.locator("#resign").is_enabled()
    page.click("#back")  # while it looks back, the page goes to the end
    page.click("#resign")
    page.click("#ask-yes")
    wait_for_text(page, "#status", "Random wins: resignation.")
    assert page.locator("#board .hint").count() == 0
    assert page.inner_text("#reason") == ""
    assert page.locator("#board .target").count() == 0


def test_the_board_faces_player_2_after_a_reload(page: Page) -> None:
    page.click("#new-button")
    page.select_option("#new-form [name=player1]", "random")
    page.select_option("#new-form [name=player2]", "human")
    page.click("#new-form button[type=submit]")
    wait_for_moves(page, 1)
    for _ in range(2):
        boxes = [page.locator(f"#board .pawn.player{n}").bounding_box() for n in (1, 2)]
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert boxes[0]["y"] < boxes[1]["y"]
        page.reload()
        page.wait_for_selector("#board .pawn.player2")


def test_looking_back_leaves_the_game_and_playing_on_does_not(page: Page) -> None:
    new_game(page, player1="human", player2="human")
    for number, move in enumerate(["e2", "e8", "e3", "e7"], 1):
        type_move(page, move)
        wait_for_moves(page, number)
    page.click("#moves button:has-text('e8')")
    wait_for_text(page, "#status", "After move 2 of 4.")
    assert moves(page) == ["e2", "e8", "e3", "e7"]
    page.click("#back")
    wait_for_text(page, "#status", "After move 1 of 4.")
    page.keyboard.press("End")
    wait_for_text(page, "#status", "Player 1 to move.")
    page.click("#first")
    wait_for_text(page, "#status", "After move 0 of 4.")
    page.mouse.click(*at(page, "d1"))
    wait_for_moves(page, 1, exactly=True)
    assert moves(page) == ["d1"]
    wait_for_text(page, "#status", "Player 2 to move.")  # the new move is on the board
    page.click("#undo")
    page.click("#redo")
    wait_for_moves(page, 1)


def test_the_newest_move_stands_clear_of_the_lists_edge(page: Page) -> None:
    new_game(page, player1="human", player2="human")
    for number, move in enumerate(["e2", "e8", "e1", "e9"] * 4, 1):
        type_move(page, move)
        wait_for_moves(page, number)
    free = """() => {
        const edge = (selector) => document.querySelector(selector).getBoundingClientRect();
        return edge("#move-box").bottom - edge("#moves .current").bottom;
    }"""
    assert page.evaluate("document.querySelector('#move-box').scrollTop") > 0
    assert page.evaluate(free) >= 4


@pytest.mark.parametrize("size", [(360, 740), (740, 360), (820, 1180), (1280, 800), (3840, 2160)])
def test_the_board_is_as_large_as_the_screen_allows(
    site: Site, open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page(site.address, {"width": size[0], "height": size[1]})
    box = page.locator("#board").bounding_box()
    assert box is not None
    assert box["width"] == box["height"] >= 0.7 * min(size)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert box["y"] + box["height"] <= size[1]


FITS = """() => {
    const page = document.documentElement;
    return page.scrollHeight <= innerHeight && page.scrollWidth <= innerWidth;
}"""


def check_is_on_screen(page: Page, element: str, size: ViewportSize) -> None:
    box = page.locator(element).bounding_box()
    assert box is not None, element
    assert min(box["x"], box["y"]) >= 0, (element, size)
    assert box["x"] + box["width"] <= size["width"], (element, size)
    assert box["y"] + box["height"] <= size["height"], (element, size)
    if "button" in element:
        assert min(box["width"], box["height"]) >= 33, element  # pixels for a finger


def test_all_of_play_is_on_one_screen_of_a_phone(site: Site, open_page: OpenPage) -> None:
    sizes: list[ViewportSize] = [
        {"width": width, "height": height}
        for width, height in ((820, 1180), (844, 390), (360, 740), (390, 844))
    ]
    page = open_page(site.address, sizes[-1], has_touch=True, locale="fr")
    new_game(page, spoken="Nouvelle", player1="human", player2="human", time="180+2")
    page.touchscreen.tap(*at(page, "e2"))
    wait_for_moves(page, 1)
    names = ("back", "forward", "undo", "hint", "more", "wall-turn", "wall-cancel", "wall-place")
    for size in sizes:
        page.set_viewport_size(size)
        page.touchscreen.tap(*at(page, "c3h"))
        page.wait_for_selector("#wall-place")
        for element in ("#board", "#player1 .clock", "#player2 .clock", "#status"):
            check_is_on_screen(page, element, size)
        for name in names:
            check_is_on_screen(page, f"button#{name}", size)
        assert page.evaluate(FITS), f"something is below the fold of {size}"
        page.tap("#wall-cancel" if size != sizes[-1] else "#wall-place")
    wait_for_moves(page, 2)
    page.tap("#back")
    wait_for_text(page, "#status", "1 sur 2")
    page.tap("#forward")
    wait_for_text(page, "#status", "joueur 1")
    assert page.evaluate(FITS)
    page.tap("#more")
    for element in ("#redo", "#flip", "#resign", "#share-button", "#new-button", "#typed"):
        page.wait_for_selector(element)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.tap("#flip")
    page.wait_for_selector("#new-button", state="hidden")
    assert page.evaluate(FITS)
    for move in ("e3", "e8", "e4", "e7", "e5", "a1h", "c1h", "a8h"):
        type_move(page, move)
        wait_for_text(page, "#moves .current", move)
    page.tap("#more")  # closed, it shows the row of moves with the last one in view
    page.wait_for_selector("#new-button", state="hidden")
    check_is_on_screen(page, "#moves .current", sizes[-1])
    page.tap("#more")
    page.tap("#resign")
    page.tap("#ask-yes")
    page.wait_for_selector("#new-button", state="hidden")
    for size in sizes:
        page.set_viewport_size(size)
        check_is_on_screen(page, "#end-card", size)
        assert page.evaluate(FITS), f"something is below the fold of {size} at the end"


def test_help_begins_at_its_beginning_on_a_phone(site: Site, open_page: OpenPage) -> None:
    page = open_page(site.address, PHONE)
    page.click("[data-opens=help-dialog]")
    assert page.evaluate("document.querySelector('#help-dialog').scrollTop") == 0


def test_play_on_from_here_takes_back(page: Page) -> None:
    new_game(page, player1="human", player2="human")
    for number, move in enumerate(["e2", "e8", "e3"], 1):
        type_move(page, move)
        wait_for_moves(page, number)
    page.click("#moves button:has-text('e2')")
    page.click("#play-on")
    wait_for_moves(page, 1, exactly=True)
    wait_for_text(page, "#status", "Player 2 to move.")


def test_an_agent_can_take_a_seat_in_the_middle_of_a_game(page: Page) -> None:
    new_game(page, player1="human", player2="human")
    type_move(page, "e2")
    wait_for_moves(page, 1)
    page.select_option("#player2 select", "random")
    wait_for_moves(page, 2)
    wait_for_text(page, "#status", "Your turn.")


def test_two_agents_play_by_themselves(page: Page) -> None:
    page.click("#new-button")
    for name in ("player1", "player2"):
        page.select_option(f"#new-form [name={name}]", "random")
    page.select_option("#new-form [name=Board]", "3")
    page.click("#new-form button[type=submit]")
    wait_for_moves(page, 3)
    wait_for(page, "document.querySelector('#hint').disabled")


def test_clocks_are_shown_and_run(page: Page) -> None:
    new_game(page, player1="human", player2="human", time="60")
    wait_for_text(page, "#status", "Player 1 to move. The clocks start with the first move.")
    page.mouse.click(*at(page, "e2"))
    wait_for(page, "document.querySelector('#player2 .clock').textContent !== '1:00'")
    assert page.inner_text("#player1 .clock") == "1:00"
    wait_for_text(page, "#status", "Player 2 to move.")
    assert page.title().startswith("Player 2 to move")


# Keys and ears.


def test_a_game_can_be_played_with_keys_alone(page: Page) -> None:
    """From the top of the page: a new game, a pawn move, a wall, a typed move."""

    def tab_to(name: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.id") == name:
                return
        raise AssertionError(f"Tab does not lead to {name}")

    tab_to("new-button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#new-dialog[open]")
    page.select_option("#new-form [name=player2]", "human")
    page.keyboard.press("Enter")
    page.wait_for_selector("#new-dialog", state="hidden")
    page.focus("#theme")
    tab_to("board")
    page.keyboard.press("ArrowUp")  # the frame appears at the pawn
    page.keyboard.press("ArrowUp")
    wait_for_text(page, "#speech", "e2, you can move here")
    page.keyboard.press("Enter")
    wait_for_text(page, "#speech", "Player 1: e2.")
    page.keyboard.press("w")
    wait_for_text(page, "#speech", "horizontal wall e2, legal")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("r")
    wait_for_text(page, "#speech", "vertical wall f2, legal")
    page.keyboard.press("Enter")
    wait_for_text(page, "#speech", "Player 2: vertical wall at f2.")
    page.keyboard.press("r")
    wait_for_text(page, "#speech", "horizontal wall f2, illegal")
    page.keyboard.press("Enter")
    wait_for_text(page, "#reason", "crosses the wall at f2v")
    page.keyboard.press("e")  # a letter begins a typed move
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    wait_for_moves(page, 3)
    assert moves(page) == ["e2", "f2v", "e3"]


def test_shortcuts_work_after_a_click_on_the_board(page: Page) -> None:
    new_game(page, player1="human", player2="human")
    for number, move in enumerate(["e2", "e8"], 1):
        page.mouse.click(*at(page, move))
        wait_for_moves(page, number)
    page.keyboard.press("ArrowLeft")
    wait_for_text(page, "#status", "After move 1 of 2.")
    page.mouse.wheel(0, 100)
    wait_for_text(page, "#status", "Player 1 to move.")
    page.keyboard.press("u")
    wait_for_moves(page, 1, exactly=True)
    page.keyboard.press("h")
    page.wait_for_selector("#board .hint", state="attached")
    assert page.input_value("#typed") == ""
    page.check("#paths")  # a switch takes no letters either
    page.keyboard.press("y")
    wait_for_moves(page, 2)


def test_the_move_box_keeps_the_focus_while_an_agent_thinks(page: Page) -> None:
    new_game(page, player1="human", player2="engine:time=1")
    page.focus("#typed")
    page.keyboard.type("a1h")
    page.keyboard.press("Enter")
    wait_for_text(page, "#status", "is thinking")
    page.keyboard.type("c1h")
    page.keyboard.press("Enter")
    wait_for_text(page, "#reason", "It is not your turn.")
    wait_for_text(page, "#status", "Your turn.")
    assert page.evaluate("document.activeElement.id") == "typed"
    page.keyboard.press("Enter")
    wait_for_moves(page, 3)
    assert moves(page)[2] == "c1h"
    page.select_option("#player1 select", "normal")
    wait_for(page, "document.querySelector('#typed').disabled")


def test_a_message_goes_with_its_position(page: Page) -> None:
    new_game(page, player1="human", player2="human")
    type_move(page, "e2")
    wait_for_moves(page, 1)
    reason = "e5 is not possible: no pawn move leads there"
    for leave in ("#undo", "#back", "#new-button"):
        type_move(page, "e5")
        wait_for_text(page, "#reason", reason)
        if leave == "#new-button":
            new_game(page, player1="human", player2="human")
        else:
            page.click(leave)
        wait_for(page, "document.querySelector('#reason').textContent === ''")
        page.click("#last") if leave == "#back" else None
        page.click("#redo") if leave == "#undo" else None
        wait_for(page, "!document.querySelector('#typed').disabled")


def test_every_mode_has_an_address_and_back_works(site: Site, open_page: OpenPage) -> None:
    page = open_page(site.address + "puzzles/3")
    wait_for_text(page, "#puzzle-title", "Puzzle 3 of")
    page.click("[data-mode=play]")
    assert page.url == site.address + "play"
    page.click("[data-mode=watch]")
    assert page.url == site.address + "watch"
    page.go_back()
    page.wait_for_selector("body[data-shows=play]")
    page.go_back()
    page.wait_for_selector("body[data-shows=puzzles]")
    page.reload()
    wait_for_text(page, "#puzzle-title", "Puzzle 3 of")
    page.click("#puzzle-next")
    wait_for(page, "!document.querySelector('#puzzle-title').textContent.includes('Puzzle 3 of')")
    assert page.url.startswith(site.address + "puzzles/")
    page.go_back()
    wait_for_text(page, "#puzzle-title", "Puzzle 3 of")
    assert page.url == site.address + "puzzles/3"


def test_the_form_for_a_new_game_shows_the_numbers(page: Page) -> None:
    page.click("#new-button")
    walls = page.locator("#new-form [name=Walls]")
    for board, number in (("9", "10"), ("4", "3"), ("3", "2")):
        page.select_option("#new-form [name=Board]", board)
        assert walls.get_attribute("placeholder") == number
    assert not page.locator("#new-form [name=MaxMoves]").is_visible()
    page.click("#new-more summary")
    assert page.get_attribute("#new-form [name=MaxMoves]", "placeholder") == "50"


def test_the_position_can_be_read_and_moves_are_heard(page: Page) -> None:
    new_game(page, game="quoridor", player1="human", player2="random", Board=5)
    wait_for_text(page, "#speech", "You are player 1: reach row 5 to win.")
    type_move(page, "c2h")
    wait_for_text(page, "#speech", "Your turn.")
    assert "You: horizontal wall at c2." in page.inner_text("#speech") or moves(page)[0] == "c2h"
    words = page.inner_text("#position-text")
    assert "Player 1 on c1, 4 walls left" in words
    assert "c2h" in words
    label = page.get_attribute("#moves button", "aria-label")
    assert label == "1, player 1: horizontal wall at c2"


def test_a_typed_move_that_is_wrong_says_why(page: Page) -> None:
    new_game(page, player1="human", player2="human")
    type_move(page, "e5")
    wait_for_text(page, "#reason", "no pawn move leads there")
    type_move(page, "zz")
    wait_for_text(page, "#reason", "expected a cell from a1 to i9")
    assert moves(page) == []


# Connections.


def test_a_lost_connection_comes_back_into_the_same_game(site: Site, open_page: OpenPage) -> None:
    page = open_page(site.address, script=KEEP_SOCKETS)
    new_game(page, player1="human", player2="human")
    type_move(page, "e2")
    wait_for_moves(page, 1)
    page.evaluate("sockets[0].close()")
    page.wait_for_selector("body[data-line=lost]")
    page.wait_for_selector("body[data-line=open]")
    type_move(page, "e8")
    wait_for_moves(page, 2)
    assert moves(page) == ["e2", "e8"]
    page.reload()
    wait_for_moves(page, 2)


def test_a_restart_of_the_server_is_a_pause(
    start: Callable[..., Site], open_page: OpenPage
) -> None:
    first = start()
    page = open_page(first.address)
    new_game(page, player1="human", player2="human", Board=7)
    type_move(page, "d2")
    wait_for_moves(page, 1)
    first.stop()
    page.wait_for_selector("body[data-line=lost]")
    assert page.locator("#offline").is_visible()
    type_move(page, "d6")
    wait_for_text(page, "#notice", "Not sent")
    start(port=first.port)
    page.wait_for_selector("body[data-line=open]")
    assert page.input_value("#typed") == "d6"
    page.press("#typed", "Enter")
    wait_for_moves(page, 2)
    assert moves(page) == ["d2", "d6"]


def test_a_game_at_rest_is_woken_by_a_click(
    start: Callable[..., Site], open_page: OpenPage
) -> None:
    site = start(unwatched_s=0.2)
    page = open_page(site.address)
    type_move(page, "e2")
    wait_for_moves(page, 1)
    object.__setattr__(site.config, "idle_s", 1.0)  # not before the page had time to play
    page.wait_for_selector("body[data-line=suspended]")
    page.click("#wake")
    page.wait_for_selector("body[data-line=open]")
    assert moves(page)[0] == "e2"
