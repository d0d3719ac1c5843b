"""A game that the package does not know, registered by a test, is played on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from plyground.games import registry

from ..conformance.connect_four import COLUMNS, ROWS, ConnectFour
from .conftest import (
    PHONE,
    Site,
    config_for,
    moves,
    new_game,
    open_menu,
    wait_for,
    wait_for_moves,
    wait_for_text,
)

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page, ViewportSize

OpenPage = Callable[..., "Page"]
RIM = 4.5
PITCH = 10


@pytest.fixture(scope="module")
def site(connect_four: ConnectFour, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that offers the game."""
    assert connect_four in registry.games().values()
    site = Site(config_for(tmp_path_factory.mktemp("web")))
    yield site
    site.stop()


def at(page: Page, cell: str) -> tuple[float, float]:
    """Where a cell is on the screen. The drawing is wider than high, in the middle of a square."""
    box = page.locator("#board").bounding_box()
    assert box is not None
    unit = box["width"] / (COLUMNS * PITCH + 2 * RIM)
    above = (box["height"] - unit * (ROWS * PITCH + 2 * RIM)) / 2
    column, row = "abcdefg".index(cell[0]), int(cell[1:]) - 1
    x = box["x"] + unit * (RIM + PITCH * (column + 0.5))
    y = box["y"] + above + unit * (RIM + PITCH * (row + 0.5))
    return x, y


def discs(page: Page) -> int:
    return page.locator("#board .disc").count()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_game_in_plain_python_is_played_on_the_page(
    site: Site, open_page: OpenPage, connect_four: ConnectFour, colours: str, tmp_path: Path
) -> None:
    page = open_page(site.address, color_scheme=colours)
    page.click("#new-button")
    titles = page.locator("#new-games label").all_inner_texts()
    assert titles == ["Quoridor", "Reversi", connect_four.title]
    page.check(f"#new-form input[value={connect_four.name}]")
    assert page.locator("#new-settings").is_hidden()
    page.keyboard.press("Escape")
    new_game(page, game=connect_four.name, player1="human", player2="normal")
    assert page.locator("#board .target").count() == COLUMNS
    assert not page.locator("#paths").is_visible()
    assert page.locator("#board .square").count() == ROWS * COLUMNS
    page.mouse.move(*at(page, "d6"))
    page.wait_for_selector("#board .preview.legal circle")
    page.mouse.click(*at(page, "d6"))
    wait_for_moves(page, 2)
    wait_for_text(page, "#status", "Your turn.")
    assert moves(page)[0] == "d"
    assert discs(page) == 2
    page.mouse.click(*at(page, "a1"))  # the disc would fall
    wait_for_text(page, "#reason", "No move leads to a1.")
    page.click("#hint")
    page.wait_for_selector("#board .hint", state="attached")
    page.check("#engine")
    page.wait_for_selector("#lines button")
    page.hover("#lines button")
    page.wait_for_selector("#board .layer-line .step.first", state="attached")
    assert page.screenshot(path=tmp_path / f"connect-four-{colours}.png")
    page.reload()
    wait_for_moves(page, 2)


def test_it_is_played_with_keys_and_by_an_agent_to_the_end(
    site: Site, open_page: OpenPage, connect_four: ConnectFour
) -> None:
    page = open_page(site.address)
    new_game(page, game=connect_four.name, player1="human", player2="human")
    page.focus("#board")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    wait_for_text(page, "#speech", "d5, empty")
    page.keyboard.press("Enter")
    wait_for_text(page, "#reason", "No move leads to d5.")
    page.keyboard.press("ArrowDown")
    wait_for_text(page, "#speech", "d6, you can play here")
    page.keyboard.press("Enter")
    wait_for_text(page, "#speech", "Player 1: d.")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    wait_for_moves(page, 2)
    page.keyboard.press("e")  # a letter begins a typed move
    page.keyboard.press("Enter")
    wait_for_moves(page, 3)
    assert moves(page) == ["d", "d", "e"]
    for player in (1, 2):
        page.select_option(f"#player{player} select", "random")
    wait_for(page, "document.querySelector('#hint').disabled")
    page.click("#share-button")
    page.wait_for_selector("#share-dialog[open]")
    link, count = page.input_value("#share-link"), discs(page)
    again = open_page(link)
    wait_for_moves(again, count)
    assert discs(again) == count


def test_a_board_that_is_not_square_fits_a_phone(
    site: Site, open_page: OpenPage, connect_four: ConnectFour
) -> None:
    size: ViewportSize = PHONE
    page = open_page(site.address, size, has_touch=True)
    new_game(page, game=connect_four.name, player1="human", player2="human")
    page.locator("#board").scroll_into_view_if_needed()
    for number, cell in enumerate(("g6", "g5", "a6"), 1):
        page.touchscreen.tap(*at(page, cell))
        wait_for_moves(page, number)
    assert moves(page) == ["g", "g", "a"]
    open_menu(page)
    page.click("#flip")
    box = page.locator("#board .disc.last").bounding_box()
    assert box is not None
    assert box["x"] > size["width"] / 2
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
