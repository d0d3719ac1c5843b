"""The page on playing: its Python runs, its board is drawn, every command and option is there."""

import re
from pathlib import Path

import pytest

from plyground.cli.main import main
from plyground.play import LiveGame, Seat, parse_record
from plyground.quoridor import State
from plyground.ui.terminal.commands import COMMANDS
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Screen
from plyground.ui.view import DisplayOptions, view_live

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "playing.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = (code for language, code in BLOCKS if language == "python")
    exec(compile(program, "playing.md", "exec"), {})
    assert capsys.readouterr().out.startswith("1 e2\n2 e8\n")


def test_the_board_is_drawn_by_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    live = LiveGame(
        {1: Seat("human"), 2: Seat("normal")}, State.parse("5 c1/c5 a2h,c2h,b3v,d3v 3/3 1 4 0")
    )
    live.play("c2")
    board, record = (code for language, code in BLOCKS if language == "")
    assert board.splitlines() == Screen(Paint()).lines(view_live(live), DisplayOptions())
    assert len(parse_record(record).moves) == 2


def test_every_command_is_in_the_table() -> None:
    table = re.findall(r"^\| `(\w+)", PAGE, re.MULTILINE)
    assert set(COMMANDS) <= set(table)


def test_options_of_the_examples_exist(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("play", "learn", "puzzles"):
        main([command, "--help"])
    described = capsys.readouterr().out
    for option in re.findall(r"(?<![\w-])--[a-z0-9]+", PAGE):
        assert option in described or option == "--game", option


def test_the_page_on_analysis_is_true(capsys: pytest.CaptureFixture[str]) -> None:
    page = (DOCS / "analysis.md").read_text(encoding="utf-8")
    many, one = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(compile(many, "analysis.md", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.count("{'1': ") == 2
    exec(compile(one, "analysis.md", "exec"), {})
    assert capsys.readouterr().out.startswith("1 e2 ")
    main(["analyse", "--help"])
    described = capsys.readouterr().out
    for option in re.findall(r"(?<![\w-])--[a-z]+", page):
        assert option in described, option
