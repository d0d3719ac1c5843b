"""The opening explorer of the page: its sources, counted on the server, and its table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.analysis.book_file import BookFile
from plyground.arena.store import Store
from plyground.arena.task import GameResult, Task
from plyground.play import Record
from plyground.quoridor import GameConfig, State

from .conftest import Site, new_game, type_move, wait_for_moves, wait_for_text

if TYPE_CHECKING:
    from playwright.sync_api import Page

OpenPage = Callable[..., "Page"]
Start = Callable[..., Site]


def test_the_explorer_counts_books_own_games_and_stores(start: Start, tmp_path: Path) -> None:
    small = State(GameConfig(board_size=5, walls_per_player=4))
    settings = {"Board": "5", "Walls": "4"}
    store, book = tmp_path / "arena.sqlite", tmp_path / "book.sqlite"
    with Store(store) as arena:
        tournament = arena.tournament({"game": "quoridor"})
        for round in (1, 2):  # noqa: A001
            task = Task.of("random", "easy", small, round=round)
            record = Record.from_moves(
                ["c2"], small, tags=task.tags, result="0-1", termination="time"
            )
            arena.add(tournament, GameResult(task, record))
    with BookFile(book) as file:
        file.add_games([Record.from_moves(["b1"], small, result="1-0", termination="time")])
    site = start(stores=(store,), book=book)
    with site.connect() as talk:
        talk.hello()
        talk.say("new_game", game="quoridor", player1="human", player2="human", settings=settings)
        talk.hear("game", game="quoridor", settings=settings)
        talk.ask("play_move", "game", move="c2", ply=0)
        found = talk.ask("explore", "explorer", ply=0)
        while found["is_counting"]:
            found = talk.ask("explore", "explorer", ply=0)
        counted = {each["step"]["move"]: each for each in found["moves"]}
        assert (counted["c2"]["games"], counted["c2"]["results"]) == (3, [0, 0, 2])
        assert (counted["b1"]["games"], counted["b1"]["results"]) == (1, [1, 0, 0])
        assert counted["c2"]["chance"] is None
        assert counted["c2"]["score"] is None
        assert talk.ask("explore", "explorer", ply=1)["moves"] == []


def test_the_page_lists_what_was_played(site: Site, open_page: OpenPage) -> None:
    page = open_page(site.address)
    new_game(page, game="reversi", player1="human", player2="human")
    page.check("#openings")
    page.wait_for_selector("#explorer-moves tr")
    assert page.locator("#explorer-moves tr").count() == 1  # the others are mirror images
    assert page.is_visible("#explorer-score")  # Reversi's book of deep searches
    assert page.locator("#explorer-moves td").nth(2).inner_text()[0] in "+-"
    type_move(page, "f5")
    wait_for_moves(page, 1)
    wait_for_text(page, "#explorer-moves", "d6")
    row = page.locator("#explorer-moves tr", has_text="d6")
    assert int(row.locator("td").first.inner_text().replace(",", "")) > 1000
    page.hover("#explorer-moves button:text('d6')")
    page.wait_for_selector("#board .layer-line .step", state="attached")
    page.click("#explorer-moves button:text('d6')")
    page.mouse.move(5, 5)
    assert page.locator("#board .layer-line .step").count() == 1  # a click keeps it
    page.uncheck("#openings")
    page.wait_for_selector("#board .layer-line .step", state="detached")
    assert not page.is_visible("#explorer")
