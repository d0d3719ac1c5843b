"""Beside the board, in a real browser: analysis, records, puzzles, tournaments, and axe-core."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plyground.agents.base import ForfeitKind
from plyground.analysis.puzzle import Puzzle, daily_puzzle, find_puzzle, shipped_puzzles
from plyground.arena.live_board import EVERY_S, live_board
from plyground.arena.store import Store
from plyground.arena.task import GameResult, Task
from plyground.games.quoridor import expect_state
from plyground.play import MoveRecord, Record
from plyground.quoridor import GameConfig, State
from tests.waiting import wait_until

from .conftest import (
    DESKTOP,
    PHONE,
    Searches,
    Site,
    at,
    config_for,
    moves,
    new_game,
    open_menu,
    type_move,
    wait_for,
    wait_for_moves,
    wait_for_text,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

OpenPage = Callable[..., "Page"]
Start = Callable[..., Site]
# Player 1 walks to and fro on a small board and loses.
LOST = '[Board "5"] 1. c2 c4 2. c1 c3 3. c2 d3 4. c1 d2 5. c2 d1'


def add_game(path: Path, moves: list[str], round: int = 1) -> None:  # noqa: A002
    start = State(GameConfig.preset("small"))
    task = Task.of("engine:nodes=9", "random", start, round=round)
    record = Record.from_moves(moves, start, tags=task.tags, result="1-0", termination="time")
    with Store(path) as store:
        store.add(
            store.tournament({"game": "quoridor"}),
            GameResult(task, record, forfeit=ForfeitKind.TIME),
        )


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with a tournament, whose engine takes little time."""
    folder = tmp_path_factory.mktemp("study")
    add_game(folder / "arena.sqlite", ["c2", "c4", "b2h"])
    stores = (folder / "arena.sqlite",)
    site = Site(config_for(folder / "web", stores=stores, move_time_s=0.1))
    yield site
    site.stop()


@pytest.fixture
def page(study: Site, open_page: OpenPage) -> Page:
    return open_page(study.address)


def open_text(page: Page, text: str) -> None:
    open_menu(page)
    page.click("#share-button")
    page.fill("#paste-text", text)
    page.click("#paste-form button[type=submit]")
    page.wait_for_selector("#share-dialog", state="hidden")


# Analysis.


def test_the_engine_shows_lines_and_never_moves(page: Page) -> None:
    new_game(page, player1="human", player2="human", Board=5)
    page.check("#engine")
    page.wait_for_selector("#lines button")
    assert 1 <= page.locator("#lines button").count() <= 3
    page.hover("#lines button")
    page.wait_for_selector("#board .layer-line .step.first", state="attached")
    # It stays while the engine looks deeper and its lines change.
    wait_for(page, "!document.querySelector('#engine-state').textContent.includes('deeper')")
    assert page.locator("#board .layer-line .step.first").count() == 1
    page.mouse.move(5, 5)
    page.wait_for_selector("#board .layer-line .step", state="detached")
    assert "wins with" in str(page.get_attribute("#bar", "aria-label"))
    type_move(page, "c2")
    wait_for_moves(page, 1)
    page.wait_for_selector("#lines button")
    assert moves(page) == ["c2"]
    page.uncheck("#engine")
    page.wait_for_selector("#lines button", state="detached")


def test_a_tapped_line_stays_on_the_board(study: Site, open_page: OpenPage) -> None:
    page = open_page(study.address, PHONE, has_touch=True)
    open_text(page, "f5")
    open_menu(page)
    page.tap("#engine")
    page.mouse.move(0, 0)  # a phone has no mouse that hovers
    page.wait_for_selector("#lines button")
    page.tap("#lines button")
    page.wait_for_selector("#board .layer-line .step.first", state="attached")
    wait_for(page, "!document.querySelector('#engine-state').textContent.includes('deeper')")
    assert page.locator("#board .layer-line .step.first").count() == 1
    # One unit, the chance to win, with the engine's own score in the tooltip.
    assert page.inner_text("#lines .chance >> nth=0").endswith("%")
    assert " discs" in str(page.get_attribute("#lines button", "title"))
    page.tap("#lines button")
    page.wait_for_selector("#board .layer-line .step", state="detached")


def test_the_bar_is_empty_until_something_evaluates(page: Page) -> None:
    new_game(page, game="reversi", player1="human", player2="human")
    assert not page.locator("#bar-fill").is_visible()
    page.check("#engine")
    page.wait_for_selector("#bar:not(.unknown) #bar-fill")
    colours = page.evaluate(
        """() => ["#bar-fill", "#bar"].map(
            (each) => getComputedStyle(document.querySelector(each)).backgroundColor)"""
    )
    assert colours == ["rgb(20, 22, 26)", "rgb(250, 250, 250)"]  # black and white


def test_paths_and_the_networks_policy_are_drawn(page: Page) -> None:
    new_game(page, player1="human", player2="human", Board=9)
    page.check("#paths")
    page.wait_for_selector("#board .path.player1", state="attached")
    assert page.locator("#board .path.player1").count() == 8
    page.check("#network")
    page.wait_for_selector("#board .heat", state="attached")
    assert "e2: " in str(page.text_content("#board .heat title"))
    new_game(page, game="reversi", player1="human", player2="human")
    assert not page.locator("#paths").is_visible()
    assert not page.locator("#network").is_visible()


def test_a_game_is_gone_through_and_its_mistakes_are_found(page: Page) -> None:
    open_text(page, LOST)
    wait_for_moves(page, 10)
    wait_for_text(page, "#status", "Player 2 wins: goal.")
    page.click("#analyse-game")
    page.wait_for_selector("#graph .curve")
    accuracy = page.locator("#classes .accuracy")
    assert accuracy.inner_text().startswith("Accuracy")
    assert "exp(" in str(accuracy.get_attribute("title"))  # how it is computed
    assert page.locator("#moves .mistake").count() >= 1
    page.click("#next-mistake")
    page.wait_for_selector("#moves .mistake.current")
    wait_for_text(page, "#mistake", "Better: ")
    page.click("#graph", position={"x": 2, "y": 5})
    wait_for_text(page, "#status", "After move 0 of 10.")
    # Another move in the place of a mistake opens a variation; the game keeps its mistakes.
    count = page.locator("#moves .mistake").count()
    page.click("#next-mistake")
    page.wait_for_selector("#moves .mistake.current")
    page.click("#back")
    wait_for(page, "document.querySelector('#moves .mistake.current') === null")
    type_move(page, "a1h")
    wait_for(page, "document.querySelector('#moves .current')?.textContent === 'a1h'")
    assert page.locator("#moves .mistake").count() == count
    assert page.locator("#moves .mistake.current").count() == 0


def test_a_review_begins_at_the_end_of_a_game(page: Page) -> None:
    open_text(page, "3 b2/a3 - 0/0 1 6 4")  # b3 wins at once, and everything is proven
    for number, move in enumerate(["b1", "a2", "b2", "a1"], 1):
        type_move(page, move)
        wait_for_moves(page, number)
    # The card has the result and, after a while, the accuracy.
    wait_for_text(page, "#end-result", "Player 2 wins: goal.")
    wait_for_text(page, "#end-accuracy", "Accuracy: Player 1 ")
    page.click("#review")
    wait_for_text(page, "#mistake", "1. b1?? (Player 1): 100% to ")
    text = page.inner_text("#mistake")
    assert "Better: b3. b3 would have won in 1 move. This step makes the player's way" in text
    assert page.locator("#board .verdict.worse, #board .verdict.better").count() == 2
    # The arrow keys step through the better line, and back to the game.
    page.click("#better-line")
    wait_for_text(page, "#status", "Better line: the arrow keys")
    page.keyboard.press("ArrowRight")
    wait_for_text(page, "#status", "move 1 of 1: b3")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    wait_for_text(page, "#status", "After move 1 of 4.")
    # A second try is judged and leaves the game as it is.
    page.click("#try-again")
    wait_for_text(page, "#mistake", "Find a better move than b1 (Player 1).")
    page.mouse.click(*at(page, "b1", 3))
    wait_for_text(page, "#mistake", "b1 is a blunder: 100% to ")
    page.wait_for_selector("#board .verdict.worse", state="attached")
    type_move(page, "b3")
    wait_for_text(page, "#mistake", "b3 is the best move. Chance to win: 100%.")
    page.wait_for_selector("#board .verdict.better", state="attached")
    assert len(moves(page)) == 4
    page.click("#last")
    page.click("#rematch")
    page.wait_for_selector("#no-moves:visible")
    assert not page.is_visible("#end-card")
    assert not page.is_visible("#review-panel")


# FFO's endgame 3: d1 wins by 2 discs, g3 draws, b8 loses by 2; all others lose, too.
ENDGAME = "----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X"


def test_solved_lines_show_their_final_scores(page: Page) -> None:
    open_text(page, ENDGAME)
    page.check("#engine")
    wait_for_text(page, "#engine-state", "Exact: +2 discs")
    wait_for(page, "!document.querySelector('#engine-state').textContent.includes('deeper')")
    shown = page.locator("#lines .chance").all_inner_texts()
    assert shown == ["+2", "0", "-2"]
    title = "Final score of player 1 with best play: +2 discs"
    assert page.get_attribute("#lines button", "title") == title
    assert page.inner_text("#bar-text") == "100"


def test_a_review_says_where_results_are_exact(site: Site, open_page: OpenPage) -> None:
    page = open_page(site.address)  # of a server that gives the solver time
    open_text(page, ENDGAME)
    type_move(page, "g3")
    wait_for_moves(page, 1)
    page.click("#analyse-game")
    wait_for_text(page, "#exact-from", "From 1. g3 on, results are exact.")
    page.click("#next-mistake")
    wait_for_text(page, "#mistake", "1. g3?? (Player 1): 100% to 50%. Better: d1")
    assert "it costs 2 discs: a draw instead of a win." in page.inner_text("#mistake")
    title = "The exact score of the better line: +2 discs"
    assert page.get_attribute("#mistake", "title") == title
    # It is about the game that was analysed.
    page.click("#undo")
    wait_for_moves(page, 0, exactly=True)
    type_move(page, "d1")
    wait_for(page, "!document.querySelector('#exact-from').textContent")
    new_game(page, player1="human", player2="human", Board=5)
    assert not page.is_visible("#exact-from")


def test_a_report_is_of_the_game_that_it_was_asked_for(page: Page) -> None:
    open_text(page, LOST)
    wait_for_moves(page, 10)
    page.click("#analyse-game")
    page.wait_for_selector("#progress:not([hidden])")
    new_game(page, player1="human", player2="human", Board=5)
    wait_until(lambda: "web-report" not in {thread.name for thread in threading.enumerate()})
    type_move(page, "c2")  # what comes after this was told after whatever was found
    wait_for_moves(page, 1)
    assert not page.is_visible("#report")
    assert not page.is_visible("#progress")


# Records.


def test_a_share_link_holds_the_game(study: Site, page: Page, open_page: OpenPage) -> None:
    new_game(page, player1="human", player2="human", Board=7)
    for number, move in enumerate(["d2", "d6", "d3h"], 1):
        type_move(page, move)
        wait_for_moves(page, number)
    page.click("#share-button")
    page.wait_for_selector("#share-dialog[open]")
    link = page.input_value("#share-link")
    assert link.startswith(f"{study.address}#game=")
    assert "1. d2 " in page.input_value("#share-record")
    with page.expect_download() as download:
        page.click("#download")
    assert "d3h" in Path(download.value.path()).read_text()
    page.keyboard.press("Escape")
    other = open_page(link)
    wait_for_moves(other, 3)
    assert moves(other) == ["d2", "d6", "d3h"]
    assert "#" not in other.url  # so that a reload does not open it again
    new_game(other, player1="human", player2="human")
    wait_for_moves(other, 0, exactly=True)
    other.goto(link)  # in a page that is open already, only the end of the address changes
    wait_for_moves(other, 3)
    open_text(page, link)  # a link may be pasted, too


def test_games_are_pasted_and_dropped(page: Page) -> None:
    open_text(page, "f5d6c3")
    wait_for_moves(page, 3)
    assert page.locator("#board .disc").count() == 7
    drop = """(text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "game.pgn", { type: "text/plain" }));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
    }"""
    page.evaluate(drop, "1. e2 e8 *")
    wait_for(page, "document.querySelectorAll('#board .pawn').length === 2")
    assert moves(page) == ["e2", "e8"]
    open_text(page, "9 e4/e6 c3h,e3h,d7h 8/9 2 9 1")
    wait_for(page, "document.querySelectorAll('#board .wall').length === 3")
    page.click("#share-button")
    page.fill("#paste-text", "1. e2 e5")
    page.click("#paste-form button[type=submit]")
    wait_for_text(page, "#share-dialog .refusal", "no pawn move leads there")
    assert page.locator("#share-dialog").is_visible()


def test_a_new_game_that_cannot_be_keeps_the_dialog_open(page: Page) -> None:
    page.click("#new-button")
    page.click("#new-form summary:has-text('position')")
    page.fill("#new-form [name=position]", "9 e1")
    page.click("#new-form button[type=submit]")
    wait_for_text(page, "#new-dialog .refusal", "bad position")


def test_saved_games_are_searched_and_opened(page: Page) -> None:
    new_game(page, game="reversi", player1="human", player2="human")
    type_move(page, "f5")
    wait_for_moves(page, 1)
    new_game(page, game="quoridor", player1="human", player2="human")
    page.click("#games-button")
    page.wait_for_selector("#games-list .row")
    assert page.locator("#games-list .row").count() == 2  # this one, and the tournament's
    page.fill("#games-query", "engine")
    wait_for_text(page, "#games-count", "1 game")
    assert "arena.sqlite" in page.inner_text("#games-list")
    page.click("#games-list .row")
    wait_for_moves(page, 3)
    assert moves(page) == ["c2", "c4", "b2h"]


# Puzzles and tournaments.


def test_opening_a_game_shows_it_from_any_mode(study: Site, page: Page) -> None:
    paste = """(text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        window.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data }));
    }"""
    for mode, text in (("puzzles", "1. e2 e8"), ("watch", LOST)):
        page.click(f"[data-mode={mode}]")
        page.wait_for_selector(f"body[data-shows={mode}]")
        page.evaluate(paste, text)
        page.wait_for_selector("body[data-shows=play]")
        wait_for_moves(page, len(text.split("]")[-1].split()) * 2 // 3)
        assert page.url == study.address + "play"


def test_saved_games_are_filtered_and_deleted(page: Page) -> None:
    for text in ("1. e2 e8", "f5d6"):
        open_text(page, text)
    new_game(page, player1="human", player2="human")
    page.click("#games-button")
    page.wait_for_selector("#games-list .row")
    assert page.locator("#games-list .quiet").count() == 2
    page.select_option("#games-source", "store")
    wait_for_text(page, "#games-count", "1 game")
    assert page.locator("#games-list .quiet").count() == 0
    page.select_option("#games-source", "mine")
    page.select_option("#games-game", "reversi")
    wait_for(page, "document.querySelectorAll('#games-list .row').length === 1")
    wait_for_text(page, "#games-list", "Reversi")
    page.click("#games-list .quiet")
    page.click("#ask-yes")
    wait_for_text(page, "#games-count", "No games match the search.")
    page.select_option("#games-game", "")
    wait_for(page, "document.querySelectorAll('#games-list .row').length === 1")


def numbers_of(plies: int, player: int) -> Iterator[int]:
    """Puzzles of Quoridor on 9x9 that a player wins in a number of plies."""
    for number, puzzle in enumerate(shipped_puzzles(), 1):
        if (puzzle.game, puzzle.board, len(puzzle.line)) == ("quoridor", 9, plies) and (
            puzzle.start.current_player == player
        ):
            yield number


def test_a_whole_puzzle_is_solved_another_refuted(study: Site, page: Page) -> None:
    number, other = next(numbers_of(5, player=1)), next(numbers_of(7, player=2))
    puzzle = find_puzzle(number)
    page.goto(f"{study.address}puzzles/{number}")
    wait_for_text(page, "#puzzle-title", f"Puzzle {number} of")
    wait_for_text(page, "#puzzle-text", "One move wins")
    assert f"{expect_state(puzzle.start).walls_remaining[1]} wall" in page.inner_text(
        "#puzzles-players"
    )
    for ply in range(0, 5, 2):  # every move against the best defence, to the end of the game
        click_move(page, puzzle, puzzle.line[ply])
        if ply < 4:
            wait_for_text(page, "#puzzle-text", f"{puzzle.line[ply]} is right. The opponent plays ")
            page.wait_for_selector("#puzzle-steps", state="hidden")
    wait_for_text(page, "#puzzle-text", f"{puzzle.line[4]} wins. Solved!")
    wait_for_text(page, "#puzzle-facts", "streak 1 · best 1 · solved 1 of")
    assert "(+" in page.inner_text("#puzzle-facts")
    assert page.is_disabled("#puzzle-hint")

    puzzle = find_puzzle(other)
    page.goto(f"{study.address}puzzles/{other}")
    wait_for_text(page, "#puzzle-facts", "streak 1 · best 1 · solved 1 of")
    state = puzzle.start
    legal = [state.format_move(action) for action in state.legal_actions()]
    wrong = next(move for move in legal if move != puzzle.answer)
    wait_for_text(page, "#puzzle-text", "One move wins")
    click_move(page, puzzle, wrong)
    wait_for_text(page, "#puzzle-text", f"{wrong} does not win: ")
    wait_for_text(page, "#puzzle-facts", "streak 0 · best 1 · solved 1 of")
    assert "(\u2212" in page.inner_text("#puzzle-facts")
    page.click("#puzzle-back")  # the refutation is stepped through
    page.keyboard.press("ArrowRight")
    page.click("#puzzle-retry")
    page.click("#puzzle-hint")
    wait_for_text(page, "#puzzle-text", "Hint: ")
    page.click("#puzzle-hint")
    wait_for_text(page, "#puzzle-text", f"Hint: {puzzle.answer}")
    page.click("#puzzle-answer")
    wait_for_text(page, "#puzzle-text", f"The winning line: {' '.join(puzzle.line)}")

    page.select_option("#puzzle-filter [name=game]", "reversi")
    wait_for_text(page, "#puzzle-level", "Reversi 8\u00d78")
    page.select_option("#puzzle-filter [name=theme]", "corner")
    wait_for(page, f"location.pathname !== '/puzzles/{other}'")
    page.click("#puzzle-daily")
    wait_for_text(page, "#puzzle-title", f"Puzzle of the day: {daily_puzzle()}")
    assert page.url == f"{study.address}puzzles/{daily_puzzle()}"


def click_move(page: Page, puzzle: Puzzle, move: str) -> None:
    """Click where a move of Quoridor is, on a board that faces the player to move."""
    box = page.locator("#board").bounding_box()
    assert box is not None
    x, y = at(page, move, expect_state(puzzle.start).board_size)
    if puzzle.start.current_player == 2:
        x, y = 2 * box["x"] + box["width"] - x, 2 * box["y"] + box["height"] - y
    page.mouse.click(x, y)


def test_a_tournament_is_watched_while_it_grows(study: Site, page: Page) -> None:
    page.click("[data-mode=watch]")
    wait_for_text(page, "#watch-count", "1 game played")
    wait_for_text(page, "#watched", "engine:nodes=9")
    page.wait_for_selector("#board .wall", state="attached")
    add_game(study.config.stores[0], ["b1", "b5"], round=2)
    wait_for_text(page, "#watch-count", "2 games played")
    wait_for_text(page, "#watched", "Game 2")
    assert "engine:nodes=9" in page.inner_text("#watch-table")
    assert "time 2" in page.inner_text("#watch-table")
    assert page.is_visible("#watch-forfeits")
    # A game that is being played comes first, and grows.
    task = Task.of("hard", "easy", State())
    with live_board(str(study.config.stores[0]), 1) as board:
        assert board is not None
        board.show([(task, [MoveRecord("e2")])])
        wait_for_text(page, "#watched", "Now: hard – easy, move 1")  # noqa: RUF001
        time.sleep(EVERY_S)
        board.show([(task, [MoveRecord("e2"), MoveRecord("e3h")])])
        wait_for_text(page, "#watched", "move 2")
        assert page.locator("#board .wall").count() == 1
    page.click("[data-mode=play]")
    wait_for(page, "document.querySelectorAll('#board .target').length === 3")


def test_a_show_match_is_played_while_it_is_watched(start: Start, open_page: OpenPage) -> None:
    searches = Searches()
    page = open_page(start(move_time_s=0.1).address)
    page.wait_for_selector("#board.mine")
    page.click("[data-mode=watch]")
    wait_for_text(page, "#watched", "Show match: ")
    wait_for_text(page, "#watched", "move 2")
    assert page.locator("#board.mine, #board .target, #watch-table:visible").count() == 0
    wait_for_text(page, "#no-tournaments", "plyground arena easy normal hard")
    page.select_option("#tournaments", "show/reversi")
    page.wait_for_selector("#board .disc")
    page.click("[data-mode=play]")
    page.wait_for_selector("#board.mine .pawn")
    searches.wait_for_end()


# Everybody.


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_serious(
    study: Site, open_page: OpenPage, size: ViewportSize, colours: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(study.address, size, color_scheme=colours)
    found: list[str] = []

    def check(where: str) -> None:
        for problem in Axe().run(page).response["violations"]:
            if problem["impact"] in ("serious", "critical"):
                nodes = [node["html"] for node in problem["nodes"]]
                found.append(f"{where}: {problem['id']} {nodes}")

    type_move(page, "e3h")
    wait_for_moves(page, 2)
    page.check("#engine")
    page.wait_for_selector("#lines button")
    check("play")
    page.click("#new-button")
    check("new game")
    page.keyboard.press("Escape")
    if size == DESKTOP:
        open_text(page, "1. e2 e8 2. e3 $2 {slow} (2. d2 e7 (2... f8 {or}) 3. d3) 2... e7 *")
        page.click("#moves .variation .variation button")
        page.click("#note")
        check("variations")
    if colours == "light":
        open_menu(page)
        page.click("#share-button")
        page.wait_for_selector("#share-dialog[open]")
        check("share")
        page.keyboard.press("Escape")
    else:
        page.click("[data-mode=puzzles]")
        wait_for_text(page, "#puzzle-text", "One move wins")
        check("puzzles")
        page.click("[data-mode=watch]")
        wait_for_text(page, "#watch-count", "played")
        check("watch")
    assert found == []
