"""Games and reports as HTML with a slider."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from plyground import quoridor, reversi
from plyground.analysis.game_report import analyse_game
from plyground.errors import ConfigError
from plyground.play import MoveRecord, Record, Seat
from plyground.search.limits import SearchLimits

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

SMALL = quoridor.State(quoridor.GameConfig.preset("small"))
MOVES = ["c2", "c4", "c3", "b3h", "b3", "b4h", "a3"]


def record() -> Record:
    moves = [MoveRecord(move) for move in MOVES]
    moves[0] = MoveRecord(MOVES[0], 1.5, 0.25, 9, "<i>book</i>")
    return Record.from_moves(moves, SMALL, {"Player1": "<b>Ann</b>", "Player2": "Bob & Co"})


def test_the_page_stands_alone() -> None:
    page = record().html()
    assert page.startswith("<!doctype html>")
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "<script" not in page
    assert "<b>Ann" not in page
    assert "&lt;b&gt;Ann&lt;/b&gt; - Bob &amp; Co, *" in page
    assert "&lt;i&gt;book&lt;/i&gt;" in page
    assert record()._repr_html_() in page


def test_a_record_without_moves_is_a_page() -> None:
    assert 'max="0"' in Record.from_moves([], reversi.State()).html()


def test_bad_options_are_refused() -> None:
    with pytest.raises(ConfigError, match="expected size to be a whole number"):
        record().html(size=0)
    with pytest.raises(ConfigError, match="reversi has no shortest paths"):
        Record.from_moves(["f5"], reversi.State()).html(paths=True)


def test_a_report_shows_mistakes_and_the_graph() -> None:
    report = analyse_game(record(), Seat.of("engine:hash_mb=1"), SearchLimits(depth=3))
    page = report.html()
    assert "Player 1&#x27;s chance to win" in page or "Player 1's chance to win" in page
    assert "accuracy &lt;b&gt;Ann" in page
    assert all(ply.mark in page for ply in report.plies)
    frame = report.to_frame()
    assert list(frame["move"]) == MOVES
    assert list(frame["player"]) == [1, 2, 1, 2, 1, 2, 1]
    assert frame["loss"].max() == max(ply.loss for ply in report.plies)


def test_the_slider_shows_other_positions(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "game.html").write_text(record().html(paths=True), encoding="utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "game.html").as_uri())

    def shown() -> list[str]:
        visible = "[...document.querySelectorAll('[data-ply]')].filter(e => !e.style.display)"
        found: list[str] = page.evaluate(f"{visible}.map(e => e.dataset.ply)")
        return found

    assert shown() == ["7", "7"]
    page.get_by_role("slider").fill("3")
    assert shown() == ["3", "3"]
    assert page.get_by_text("Move 3 of 7: c3").is_visible()
    page.get_by_role("slider").press("ArrowLeft")
    assert shown() == ["2", "2"]
    page.get_by_role("button", name="b3h").click()
    assert shown() == ["4", "4"]
    page.close()
