"""Lessons, the rules and the line for a first visit, in a browser and over plain connections."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen

import pytest

from plyground.games import registry

from .conftest import DESKTOP, PHONE, Site, Talk, at, type_move, wait_for, wait_for_text

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

OpenPage = Callable[..., "Page"]
SIZE = 5
"""The board of Quoridor's lessons."""


@pytest.fixture
def talk(site: Site) -> Talk:
    return site.connect()


def click(page: Page, place: str) -> None:
    page.mouse.click(*at(page, place, SIZE))


def answer(page: Page) -> str:
    return page.inner_text("#learn-answer")


def test_a_look_at_the_first_game_is_no_lesson_done(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.address}learn/9")
    wait_for_text(page, "#learn-title", "Lesson 9:")
    assert "0 of 12 lessons done" in page.inner_text("#learn-progress")
    page.click("#learn-play")
    wait_for(page, "document.body.dataset.shows === 'play'")
    page.click("[data-mode=learn]")
    wait_for_text(page, "#learn-progress", "1 of 12 lessons done")


@pytest.mark.parametrize(
    ("address", "notice"),
    [
        ("learn/99", "There is no lesson 99."),
        ("puzzles/99999", "There is no puzzle 99999: they have numbers from 1 to "),
        ("puzzles/abc", "There is no puzzle abc"),
    ],
)
def test_an_address_of_nothing_is_named(
    site: Site, open_page: OpenPage, address: str, notice: str
) -> None:
    wait_for_text(open_page(site.address + address), "#notice", notice)


def test_a_whole_lesson_by_mouse(site: Site, open_page: OpenPage) -> None:
    page = open_page(site.address)
    page.click("[data-mode=learn]")
    wait_for_text(page, "#learn-progress", "0 of 12 lessons done")
    page.click("#learn-list a >> text=7. You may not shut anyone in")
    wait_for_text(page, "#learn-task", "Try to close it with the wall b4v")
    assert page.url.endswith("/learn/7")
    # Another move is not what was asked; the forbidden wall is, and is explained.
    click(page, "e3")
    wait_for_text(page, "#learn-answer", "Try the one that shuts player 2 in: b4v.")
    click(page, "b4v")
    wait_for_text(page, "#learn-answer", "The rules forbid it")
    assert page.locator("#board .wall").count() == 1
    page.click("#learn-next")
    wait_for_text(page, "#learn-step", "Step 2 of 2")
    click(page, "b1v")
    wait_for_text(page, "#learn-answer", "That move adds 0 to the way of player 2")
    page.click("#learn-show")
    wait_for_text(page, "#learn-answer", "Play c4h.")
    assert page.locator("#board .hint").count() == 1
    page.mouse.move(*at(page, "a4h", SIZE))
    wait_for_text(page, "#reason", "it overlaps the wall")
    click(page, "c4h")
    wait_for_text(page, "#learn-answer", "2 steps more")
    assert page.locator("#board .wall").count() == 2
    assert "1 of 12 lessons done" in page.inner_text("#learn-progress")
    # Back, forward and reload show what the address says; progress stays.
    page.click("#learn-next")
    wait_for_text(page, "#learn-title", "Lesson 8: Reading the shortest path")
    assert page.locator("#board .path").count() > 0
    page.go_back()
    wait_for_text(page, "#learn-title", "Lesson 7:")
    page.go_back()
    wait_for_text(page, "#learn-title", "Learn")
    page.go_forward()
    page.reload()
    wait_for_text(page, "#learn-title", "Lesson 7:")
    done = page.locator("#learn-list a.done").all_text_contents()
    assert done == ["7. You may not shut anyone in (done)"]
    # The paths of a lesson do not stay on the board of the game.
    page.click("[data-mode=play]")
    wait_for(page, "document.querySelectorAll('#board .pawn').length === 2")
    assert page.locator("#board .path").count() == 0


def test_a_lesson_by_keyboard_and_a_first_game(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.address}learn/1")
    wait_for_text(page, "#learn-task", "step to c2")
    page.focus("#board")
    page.keyboard.press("ArrowUp")  # the cursor appears at the pawn, then goes up
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    wait_for_text(page, "#learn-answer", "Good.")
    page.keyboard.press("Enter")  # the button for the next step has the focus, then the board
    wait_for_text(page, "#learn-step", "Step 2 of 2")
    for _ in range(2):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    wait_for_text(page, "#learn-answer", "You have won.")
    page.goto(f"{site.address}learn/9")
    wait_for_text(page, "#learn-task", "against beginner")
    page.click("#learn-play")
    wait_for(page, f"document.querySelectorAll('#board .cell').length === {SIZE**2}")
    wait_for(page, "document.querySelector('#player2 select').value === 'beginner'")
    assert page.url.endswith("/play")
    wait_for_text(page, "#status", "Your turn.")


def test_reversi_by_touch_and_a_pass(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.address}learn/11", PHONE, has_touch=True)
    wait_for_text(page, "#learn-task", "Find the move after which white has none.")
    page.click("#learn-show")
    hint = page.locator("#board .hint").bounding_box()
    assert hint is not None
    page.touchscreen.tap(hint["x"] + hint["width"] / 2, hint["y"] + hint["height"] / 2)
    wait_for_text(page, "#learn-answer", "White has to pass")
    page.click("#learn-next")
    page.click("#learn-pass")
    wait_for_text(page, "#learn-answer", "the game is over, and more discs win")


def test_an_unknown_lesson_shows_the_list(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.address}learn/99")
    wait_for_text(page, "#learn-task", "Short lessons")
    assert page.url.endswith("/learn")
    page.click("#learn-next")
    wait_for_text(page, "#learn-title", "Lesson 1: The aim")
    assert page.url.endswith("/learn/1")


# The first visit.


def test_the_line_of_a_first_visit_goes_with_the_first_move(
    site: Site, open_page: OpenPage
) -> None:
    page = open_page(site.address)
    page.wait_for_selector("#welcome", state="visible")
    line = page.inner_text("#welcome")
    assert line.startswith("You are blue.")
    assert "Your opponent is Beginner. New game has others." in line
    assert page.input_value("#new-form [name=player2]") == "beginner"
    page.reload()
    page.wait_for_selector("#welcome", state="visible")
    type_move(page, "e2")
    page.wait_for_selector("#welcome", state="hidden")
    page.reload()
    page.wait_for_selector("#moves .played")
    assert page.is_hidden("#welcome")


def test_the_line_of_a_first_visit_goes_with_a_click(site: Site, open_page: OpenPage) -> None:
    for clicked, shown in (("#welcome-close", "play"), ("#welcome-learn", "learn")):
        page = open_page(site.address, PHONE, locale="fr")
        page.wait_for_selector("#welcome", state="visible")
        assert page.inner_text("#welcome").startswith("Vous êtes bleu.")
        page.click(clicked)
        page.wait_for_selector(f"body[data-shows={shown}]")
        page.goto(site.address)
        page.wait_for_selector("#board.mine")
        assert page.is_hidden("#welcome")


# The rules, and what the server sends.


def get(site: Site, path: str, language: str = "en") -> str:
    request = Request(site.address + path, headers={"Accept-Language": language})
    with urlopen(request, timeout=30) as response:
        return str(response.read().decode())


def test_the_rules_on_one_page(site: Site) -> None:
    english, french = get(site, "rules"), get(site, "rules", "fr")
    assert english == get(site, "rules/quoridor")
    for game in registry.games().values():
        page = get(site, f"rules/{game.name}")
        assert page.count("<svg") == len(game.rule_drawings) > 0
        for line in game.rules_text(game.start(game.new_settings({}))).split("\n"):
            assert line.replace("'", "&#x27;") in page
    assert "<title>The jump over the other pawn.</title>" in english
    assert "Chaque joueur a 10 murs." in french
    assert re.findall(r"style=|onclick|<script>", english + french) == []


def test_the_server_judges_answers(talk: Talk) -> None:
    with talk:
        talk.hello()
        lesson = talk.ask("get_lesson", "lesson", number=7)
        step = lesson["steps"][0]
        assert "b4v" in step["position"]["legal"]
        assert "b4v" not in step["reasons"]
        assert "overlaps" in step["reasons"]["a4h"]
        told = talk.ask("answer_lesson", "lesson_answer", number=7, step=0, move="b4v")
        assert (told["kind"], told["position"]["moves"]) == ("right", [])
        told = talk.ask("answer_lesson", "lesson_answer", number=7, step=1, move="c4h")
        assert (told["kind"], told["numbers"]) == ("right", {"yours": 0, "theirs": 2})
        for fields in ({"number": 0}, {"number": 13}):
            refused = talk.ask("get_lesson", "refused", **fields)
            assert "expected a lesson from 1 to 12" in refused["text"]
        wrong = talk.ask("answer_lesson", "refused", number=7, step=2, move="c4h")
        assert wrong["text"] == "expected a step from 0 to 1, got 2"
        wrong = talk.ask("answer_lesson", "refused", number=7, step=1, move="?")
        assert "expected a cell" in wrong["text"]


@pytest.mark.parametrize(("size", "colours"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_axe_finds_nothing_serious_in_lessons_and_rules(
    site: Site, open_page: OpenPage, size: ViewportSize, colours: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(site.address, size, color_scheme=colours)
    found: list[str] = []

    def check(where: str) -> None:
        found.extend(
            f"{where}: {problem['id']} {problem['nodes']}"
            for problem in Axe().run(page).response["violations"]
            if problem["impact"] in ("serious", "critical")
        )

    page.wait_for_selector("#welcome", state="visible")
    check("first visit")
    page.click("[data-mode=learn]")
    page.click("#learn-next")
    wait_for_text(page, "#learn-task", "step to c2")
    click(page, "d1")
    wait_for_text(page, "#learn-answer", "you should step up")
    check("a wrong answer")
    click(page, "c2")
    wait_for_text(page, "#learn-answer", "Good.")
    check("a right answer")
    page.goto(f"{site.address}rules")
    check("rules")
    assert found == []
