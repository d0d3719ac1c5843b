"""The live table: redrawn on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator

import pytest

from plyground.arena import ArenaConfig, Sprt, Store, Tournament
from plyground.cli import tournament_screen
from plyground.cli.tournament_screen import OpeningsScreen, TournamentScreen


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def tournament() -> Iterator[Tournament]:
    config = ArenaConfig(
        ("pathfinder", "random:seed=1"), preset="tiny", games=4, workers=0, sprt=Sprt(0, 400)
    )
    with Store(":memory:") as store:
        yield Tournament(config, store)


def shown(tournament: Tournament, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(tournament_screen, "REDRAW_S", 0)
    monkeypatch.setattr(tournament_screen, "PLAIN_S", 0)
    screen = TournamentScreen(tournament)
    for _ in tournament.run():
        screen.show()
    screen.clear()
    return stream.getvalue()


def test_a_terminal_shows_the_table_and_is_left_clean(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((60, 24)))
    text = shown(tournament, Terminal(), monkeypatch)
    frames = text.split("\x1b[J")
    assert len(frames) == 5  # a frame for each game, and nothing at the end
    assert frames[-1] == ""
    for number, frame in enumerate(frames[:-1], 1):
        lines = frame.splitlines()
        assert lines[0].startswith("  # agent")
        assert {line.split()[1] for line in lines[1:3]} == {"pathfinder", "random:seed=1"}
        assert f"] {number} of 4 games, {number * 25}%" in lines[4]
        assert lines[5].startswith("SPRT 0 against 400 Elo: LLR")
        assert lines[6] == "\x1b[6F"  # back to where it began
        assert max(map(len, lines)) < 60


def test_elsewhere_it_is_a_line_now_and_then(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = shown(tournament, io.StringIO(), monkeypatch).splitlines()
    assert lines[0].startswith("[######..................] 1 of 4 games, 25%, 0:0")
    assert lines[-2].startswith("[########################] 4 of 4 games, 100%")
    assert "\x1b" not in "".join(lines)


@pytest.mark.parametrize(
    ("stream", "text"),
    [
        (
            Terminal(),
            "finding openings: 1 of 2,000\rfinding openings: 2 of 2,000\r\x1b[K",
        ),
        (io.StringIO(), "finding openings: 1 of 2,000\n"),
    ],
)
def test_looking_for_openings_is_told(
    stream: io.StringIO, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(tournament_screen, "SILENT_S", 0)
    monkeypatch.setattr(tournament_screen, "REDRAW_S", 0)
    screen = OpeningsScreen()
    for found in (1, 2):
        screen.show(found, 2000)
    screen.clear()
    assert stream.getvalue() == text


def test_finding_them_quickly_is_not_worth_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(tournament_screen, "SILENT_S", 3600)
    screen = OpeningsScreen()
    screen.show(1, 2000)
    screen.clear()
    assert stream.getvalue() == ""
