"""A report in a real browser: wide and narrow, light and dark, with any names of players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plyground.arena import ArenaConfig, Store, Tournament
from plyground.arena.report import write_report
from plyground.arena.task import GameResult, Task
from plyground.play import Record
from plyground.quoridor import GameConfig, State

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>"
AGENTS = ("minimax:depth=1", "pathfinder", "random:seed=1")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a real tournament, and of an agent with a name that tries to run something."""
    folder = tmp_path_factory.mktemp("report")
    with Store(folder / "games.sqlite") as store:
        config = ArenaConfig(AGENTS, preset="small", games=4, openings="start", workers=0)
        tournament = Tournament(config, store)
        assert len(list(tournament.run())) == 12
        start = State(GameConfig.preset("small"))
        task = Task.of(EVIL, "pathfinder", start)
        record = Record.from_moves(["c2"], start, result="0-1", termination=EVIL)
        store.add(tournament.number, GameResult(task, record))
        return write_report(store, folder / "out")


class Visit:
    """A page, and all that went on in it."""

    def __init__(self, page: Page, report: Path) -> None:
        self.page = page
        self.told: list[str] = []
        self.asked: list[str] = []
        page.on("console", lambda message: self.told.append(message.text))
        page.on("pageerror", lambda error: self.told.append(str(error)))
        page.on("dialog", lambda dialog: self.told.append(dialog.message))
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(report.as_uri())

    def style(self, selector: str, name: str) -> str:
        script = f"element => getComputedStyle(element).{name}"
        return str(self.page.locator(selector).first.evaluate(script))


@pytest.fixture(params=[(1280, "light"), (390, "dark")], ids=["desk", "telephone"])
def visit(browser: Browser, report: Path, request: pytest.FixtureRequest) -> Iterator[Visit]:
    width, scheme = request.param
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    yield Visit(page, report)
    page.close()


def test_it_is_whole_and_fits(visit: Visit, report: Path) -> None:
    page = visit.page
    assert page.title() == "Games of games.sqlite"
    assert page.locator("figure svg").count() == 9
    for plot in page.locator("figure svg").all():
        box = plot.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) > 100
    width = page.viewport_size["width"]  # type: ignore[index]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert visit.asked == [report.as_uri()]
    assert visit.told == []


def test_text_has_the_colour_of_the_page(visit: Visit) -> None:
    ink, ground = visit.style("body", "color"), visit.style("body", "backgroundColor")
    assert visit.style("figure svg text", "fill") == ink

    def brightness(colour: str) -> int:
        return sum(map(int, colour[colour.index("(") + 1 : -1].split(",")))

    is_dark = visit.page.viewport_size["width"] == 390  # type: ignore[index]
    assert (brightness(ink) > brightness(ground)) == is_dark


def test_a_name_runs_nothing(visit: Visit) -> None:
    names = visit.page.locator("td.name").all_inner_texts()
    assert EVIL in names
    assert visit.page.locator("img").count() == 0
    assert visit.page.locator("svg text").filter(has_text="<img").count() > 0
    assert visit.told == []


def test_a_click_sorts(visit: Visit) -> None:
    table = visit.page.locator("table").first

    def column(place: int) -> list[str]:
        return [
            row.locator("td").nth(place).inner_text() for row in table.locator("tbody tr").all()
        ]

    won = [head.inner_text() for head in table.locator("th").all()].index("won")
    button = table.locator("th").nth(won).locator("button")
    counts = sorted(map(int, column(won)))
    assert counts[0] < counts[-1]
    button.click()
    assert list(map(int, column(won))) == counts[::-1]
    button.click()
    assert list(map(int, column(won))) == counts
    assert table.locator("th").nth(won).get_attribute("aria-sort") == "ascending"
    table.locator("th").nth(1).locator("button").click()
    assert column(1) == sorted(column(1), key=str.lower)


def test_the_tree_of_openings_unfolds(visit: Visit) -> None:
    tree = visit.page.locator(".tree")
    first = tree.locator("> details")
    assert first.count() == 1  # the usual start
    assert "the usual start 13 games" in first.locator("> summary").inner_text()
    move = first.locator("> details, > p").first
    assert not move.is_visible()
    first.locator("> summary").click()
    assert move.is_visible()


def test_it_is_open_to_everybody(visit: Visit) -> None:
    from axe_playwright_python.sync_playwright import Axe

    found: Any = Axe().run(visit.page)
    assert found.violations_count == 0, found.generate_report()
