"""Two friends in two browsers: an invitation, a game with offers, a reconnect and a rematch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .conftest import (
    PHONE,
    Site,
    moves,
    type_move,
    wait_for,
    wait_for_moves,
    wait_for_text,
)
from .test_page import KEEP_SOCKETS

if TYPE_CHECKING:
    from playwright.sync_api import Page

OpenPage = Callable[..., "Page"]


def invite(page: Page, **fields: str) -> str:
    """Create a game with the dialog; the link for the friend."""
    page.click("#invite-button")
    for name, value in fields.items():
        field = page.locator(f"#invite-form [name={name}]")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.click("#invite-form button[type=submit]")
    page.wait_for_selector("#shared:not([hidden])")
    return page.input_value("#shared-link")


def play(mover: Page, other: Page, move: str, number: int) -> None:
    """Play a move that both pages show."""
    wait_for(mover, "document.querySelector('#status').textContent.startsWith('Your turn')")
    type_move(mover, move)
    for page in (mover, other):
        wait_for_moves(page, number, exactly=True)


def serious_problems(page: Page) -> list[str]:
    """What axe-core finds."""
    from axe_playwright_python.sync_playwright import Axe

    problems = Axe().run(page).response["violations"]
    return [str(each) for each in problems if each["impact"] in ("serious", "critical")]


def test_a_game_between_two_browsers(site: Site, open_page: OpenPage) -> None:
    ann = open_page(site.address)
    link = invite(ann, Board="5", seat="1", name="Ann", time="600")
    assert "Send the link" in ann.inner_text("#shared-text")
    assert ann.is_hidden("#undo")
    bob = open_page(link, PHONE, KEEP_SOCKETS, has_touch=True)
    assert "#" not in bob.url  # the key is not in the address any more
    assert bob.url == ann.url
    bob.fill("#name-form [name=name]", "Bob")
    bob.press("#name-form [name=name]", "Enter")
    wait_for_text(ann, "#shared-text", "Bob is here.")
    wait_for_text(bob, "#shared-text", "Ann is here.")
    assert bob.evaluate("document.body.classList.contains('flipped')")
    assert ann.inner_text("#player2 .name") == "Bob"
    assert "The clocks start with the first move" in ann.inner_text("#status")

    play(ann, bob, "c2", 1)
    wait_for(ann, "document.querySelector('#player2 .clock').classList.contains('runs')")
    bob.evaluate("sockets.at(-1).close()")  # the line breaks, and the page connects again
    bob.wait_for_selector("body[data-line=lost]")
    bob.wait_for_selector("body[data-line=open]")
    wait_for_text(ann, "#shared-text", "Bob is here.")
    play(bob, ann, "c4", 2)

    ann.click("#offer-draw")
    wait_for_text(bob, "#shared-text", "Ann offers a draw.")
    wait_for_text(ann, "#shared-text", "You offered a draw.")
    assert "Ann offers a draw." in bob.inner_text("#speech")
    bob.click("#offer-decline")
    wait_for_text(ann, "#shared-text", "Bob is here.")
    assert ann.is_disabled("#offer-draw")

    bob.click("#offer-back")
    wait_for_text(ann, "#shared-text", "Bob would like to take the last move back.")
    ann.click("#offer-accept")
    for page in (ann, bob):
        wait_for_moves(page, 1, exactly=True)
    play(bob, ann, "d5", 2)
    assert moves(ann) == moves(bob) == ["c2", "d5"]
    ann.reload()
    ann.wait_for_selector("body[data-line=open]")
    wait_for_moves(ann, 2, exactly=True)

    ann.click("#resign")
    ann.click("#ask-yes")
    wait_for_text(bob, "#status", "You win: resignation.")
    wait_for_text(ann, "#status", "Bob wins: resignation.")
    ann.click("#offer-rematch")
    wait_for_text(bob, "#shared-text", "Ann would like a rematch.")
    bob.click("#offer-accept")
    wait_for(bob, "!document.body.classList.contains('flipped')")  # colours are swapped
    wait_for(ann, "document.body.classList.contains('flipped')")
    play(bob, ann, "c2", 1)


def test_a_watcher_a_private_game_and_a_game_of_ones_own(site: Site, open_page: OpenPage) -> None:
    ann = open_page(site.address)
    for switch in ("#engine", "#network", "#openings"):
        ann.check(switch)  # advice that ends with the game with a friend
    link = invite(ann, seat="2", name="Ann <b>")
    assert serious_problems(ann) == []
    game = ann.url
    bob = open_page(link, PHONE, color_scheme="dark")
    ann.click("#offer-draw")
    wait_for_text(bob, "#shared-text", "Ann <b> offers a draw.")
    assert ann.inner_text("#reason") == ""
    assert serious_problems(bob) == []
    assert bob.evaluate("document.documentElement.scrollWidth <= innerWidth")
    third = open_page(game)
    wait_for_text(third, "#shared-text", "You are watching this game.")
    assert third.is_hidden("#typed-form")
    assert third.is_hidden("#resign")
    play(bob, ann, "e2", 1)
    wait_for_moves(third, 1)
    bob.click("#resign")
    bob.click("#ask-yes")
    wait_for_text(ann, "#status", "You win")
    ann.click("#study")  # the game opens in Ann's own session
    wait_for(ann, "location.pathname === '/play' && !document.body.classList.contains('shared')")
    wait_for_moves(ann, 1, exactly=True)
    ann.go_back()
    wait_for(ann, "document.body.classList.contains('shared')")
    ann.click("nav [data-mode=play]")
    wait_for(ann, "location.pathname === '/play' && !document.body.classList.contains('shared')")
    # The list of games with friends leads back.
    ann.click("#invite-button")
    ann.click("#invite-list button")
    wait_for(ann, f"'{game}' === location.href && document.body.classList.contains('shared')")
    ann.click("#invite-button")
    assert serious_problems(ann) == []
    ann.uncheck("#invite-form [name=watchers]")
    ann.click("#invite-form button[type=submit]")
    wait_for(ann, f"'{game}' !== location.href && document.body.dataset.line === 'open'")
    wait_for_text(ann, "#shared-text", "Send the link")
    assert ann.is_hidden("#shared-watch-field")
    third.click("#share-button")
    third.fill("#paste-text", ann.url)
    third.click("#paste-form button[type=submit]")
    third.wait_for_selector("body[data-line=unknown]")
    assert "There is no such game here." in third.inner_text("#offline-text")
    assert third.is_hidden("#side")
    third.click("#wake")
    third.wait_for_selector("body[data-line=open]")
    third.wait_for_selector("#board .pawn")
