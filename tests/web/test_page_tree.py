"""The page in a real browser: variations in the list of moves, and one game per tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .conftest import (
    Site,
    moves,
    new_game,
    type_move,
    wait_for,
    wait_for_moves,
    wait_for_text,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

STUDY = "1. e2 e8 2. e3 $2 {too slow} (2. d3h e7 (2... f8 3. e3) 3. e3) (2. d2) 2... e7 *"


def paste(page: Page, text: str) -> None:
    page.click("#share-button")
    page.fill("#paste-text", text)
    page.click("#paste-form button[type=submit]")
    page.wait_for_selector("#share-dialog", state="hidden")


def listed(page: Page) -> list[str]:
    """All moves of the list, with variations."""
    return page.locator("#moves button").all_inner_texts()


def current(page: Page) -> str:
    return page.locator("#moves .current").inner_text()


def test_a_finished_game_survives_a_click_at_an_earlier_position(page: Page) -> None:
    new_game(page, player1="human", player2="human", Board="3")
    for number, move in enumerate(["b2", "b1"], 1):
        type_move(page, move)
        wait_for_moves(page, number)
    wait_for_text(page, "#status", "Player 2 wins: goal.")
    page.click("#moves button:has-text('b2')")
    wait_for_text(page, "#status", "After move 1 of 2.")
    type_move(page, "a3")
    wait_for_text(page, "#status", "Player 1 to move.")
    assert [move.rstrip("?") for move in moves(page)] == ["b2", "a3"]
    assert [move.rstrip("?") for move in listed(page)] == ["b2", "b1", "a3"]
    page.click("#games-button")
    wait_for_text(page, "#games-list", "on the board")
    assert "0-1" in page.locator("#games-list .row").first.inner_text()
    page.keyboard.press("Escape")
    page.click("#to-game")
    wait_for_text(page, "#status", "Player 2 wins: goal.")
    assert [move.rstrip("?") for move in moves(page)] == ["b2", "b1"]  # the report marks mistakes
    assert page.locator("#to-game").is_hidden()


def test_variations_are_nested_promoted_deleted_and_restored(page: Page) -> None:
    paste(page, STUDY)
    wait_for_moves(page, 4)
    assert listed(page) == ["e2", "e8", "e3?", "d3h", "e7", "f8", "e3", "e3", "d2", "e7"]
    assert page.locator("#moves .variation .variation .move").all_inner_texts() == ["f8", "e3"]
    assert page.locator("#moves .comment").all_inner_texts() == ["too slow"]
    page.click("#moves .variation .variation .move:has-text('f8')")
    wait_for_text(page, "#status", "Variation, after move 4 of 5.")
    page.click("#promote")
    wait_for(
        page, "document.querySelector('#moves .variation .variation').textContent === '2…e73.e3'"
    )
    page.click("#delete")  # the variation around it
    page.wait_for_selector("#restore")
    assert listed(page) == ["e2", "e8", "e3?", "d2", "e7"]
    wait_for_text(page, "#status", "Player 1 to move.")
    page.click("#restore")
    page.wait_for_selector("#restore", state="hidden")
    assert len(listed(page)) == 10
    page.reload()
    wait_for_moves(page, 4)
    assert len(listed(page)) == 10


def test_moves_are_commented_and_marked(page: Page) -> None:
    new_game(page, player1="human", player2="human")
    type_move(page, "e2")
    wait_for_moves(page, 1)
    page.click("#note")
    page.keyboard.type("a plan: e5 & <b>")
    page.select_option("#note-form select", "5")
    page.click("#note-form button")
    page.wait_for_selector("#moves .comment")
    assert page.inner_text("#moves .comment") == "a plan: e5 & <b>"
    assert listed(page) == ["e2!?"]
    assert page.locator("#note-form").is_hidden()
    page.click("#note")
    assert page.input_value("#note-form input") == "a plan: e5 & <b>"
    page.fill("#note-form input", "no }")
    page.click("#note-form button")
    wait_for_text(page, "#reason", "expected a comment of plain text without '}'")


def test_keys_step_through_variations(page: Page) -> None:
    paste(page, STUDY)
    wait_for_moves(page, 4)
    page.click("#moves li > button:has-text('e3')")
    wait_for_text(page, "#status", "After move 3 of 4.")
    assert current(page) == "e3?"
    for key, move in [
        ("ArrowDown", "d3h"),
        ("ArrowRight", "e7"),
        ("ArrowDown", "f8"),
        ("End", "e3"),
        ("ArrowLeft", "f8"),
        ("ArrowLeft", "d3h"),
        ("ArrowDown", "d2"),
        ("ArrowUp", "d3h"),
    ]:
        page.keyboard.press(key)
        wait_for(page, "m => document.querySelector('#moves .current').textContent === m", move)
    assert moves(page) == ["e2", "e8", "e3?", "e7"]  # looking changes nothing


def test_a_new_game_in_a_second_tab_leaves_the_first_tab_alone(site: Site, page: Page) -> None:
    new_game(page, player1="human", player2="human")
    type_move(page, "e2")
    wait_for_moves(page, 1)
    second = page.context.new_page()
    second.goto(site.address)
    second.wait_for_selector("body[data-line=open]")
    second.wait_for_selector("#board .pawn")
    assert moves(second) == []
    new_game(second, game="reversi", player1="human", player2="human")
    second.wait_for_selector("#board .disc")
    type_move(page, "e8")
    wait_for_moves(page, 2)
    for tab, board in ((page, ".pawn"), (second, ".disc")):
        tab.reload()
        tab.wait_for_selector(f"#board {board}")
    assert moves(page) == ["e2", "e8"]
    second.click("#games-button")
    wait_for_text(second, "#games-list", "another tab")
    page.close()
    second.close()
