"""What holds for every page that has an address: axe-core, the keyboard, Back and reload."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from plyground.ui.web import page_files

from .conftest import Site, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = [name for name in page_files.PAGES if name != "game"]
"""Pages that need no item; an invited game has a page of its own, if there is one."""
WATCH_FOCUS = """() => {
    document.addEventListener("focusin", ({ target }) => { target.dataset.reached = ""; });
}"""
NOT_REACHED = """() => {
    const all = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    const isReachable = (each) => each.checkVisibility({ visibilityProperty: true })
        && !each.disabled && each.tabIndex >= 0 && !each.matches("[type=radio]:not(:checked)");
    return [...document.querySelectorAll(all)].filter(isReachable)
        .filter((each) => !("reached" in each.dataset)).map((each) => each.outerHTML.slice(0, 120));
}"""
FOCUSED = """() => {
    const { activeElement: element } = document;
    if (element === document.body) return null;
    const isSeen = element.matches(":focus-visible")
        && getComputedStyle(element).outlineStyle !== "none";
    return [isSeen, element.outerHTML.slice(0, 120)];
}"""
MOST_STOPS = 120


def go_to(page: Page, site: Site, name: str) -> None:
    page.goto(f"{site.address}{name}")
    page.wait_for_selector(f"body[data-line=open][data-shows={name}]")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(
    site: Site, open_page: Callable[..., Page], colours: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(site.address, color_scheme=colours)
    for name in (*PAGES, "look-dialog", "help-dialog", "games-dialog"):
        if name in PAGES:
            go_to(page, site, name)
        else:
            page.evaluate("name => document.getElementById(name).showModal()", name)
        for problem in Axe().run(page).response["violations"]:
            nodes = [node["html"] for node in problem["nodes"]]
            assert problem["impact"] not in ("serious", "critical"), (name, problem["id"], nodes)
        page.keyboard.press("Escape")


def tab_through(page: Page) -> None:
    """Press Tab until the focus leaves the page; every stop has to show it."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            return
        is_seen, element = focused
        assert is_seen, element
    raise AssertionError("Tab does not lead out of the page")


def test_the_keyboard_reaches_everything_on_every_page(site: Site, page: Page) -> None:
    for name in PAGES:
        go_to(page, site, name)
        page.evaluate(WATCH_FOCUS)
        tab_through(page)
        if page.evaluate(NOT_REACHED):  # what came while the keys were pressed
            tab_through(page)
        assert page.evaluate(NOT_REACHED) == [], name


def test_every_page_has_an_address(site: Site, page: Page) -> None:
    modes = [button.get_attribute("data-mode") for button in page.locator("[data-mode]").all()]
    assert {"play", "puzzles", "watch"} <= set(modes)
    for mode in modes:
        page.click(f"[data-mode={mode}]")
        wait_for(page, "mode => document.body.dataset.shows === mode", mode)
        assert (page.evaluate("location.pathname").split("/")[1] or "play") == mode
    page.reload()
    wait_for(page, "mode => document.body.dataset.shows === mode", modes[-1])
    for mode in reversed(modes[:-1]):
        shown = ""
        while shown != mode:
            assert shown in ("", modes[modes.index(mode) + 1])  # an item of the page before
            page.go_back()
            shown = page.get_attribute("body", "data-shows") or ""
