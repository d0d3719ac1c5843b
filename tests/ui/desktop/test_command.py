"""`plyground window`: what it opens and keeps, and one line for every mistake."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from plyground.cli.main import main
from plyground.play import Record, format_record
from plyground.play.game_file import read_games, save_game
from plyground.ui.desktop.window import Window


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Window]:
    """The windows that a command opens; in each, a person plays a move if it is their turn."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    windows: list[Window] = []

    def run(window: Window) -> None:
        windows.append(window)
        window.frame()
        if window.form is None and window.session.can_move:
            state = window.session.live.state
            for letter in state.game.examples(state)[:2]:
                pygame.event.post(pygame.Event(pygame.TEXTINPUT, text=letter))
            pygame.event.post(
                pygame.Event(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="", scancode=0)
            )
            window.frame()
        window.close()

    monkeypatch.setattr(Window, "run", run)
    return windows


def test_a_small_board_of_reversi(opened: list[Window]) -> None:
    assert main(["window", "reversi", "--board", "6", "--p1", "human"]) == 0
    record = opened[0].session.live.record()
    assert record.settings == {"Board": "6"}
    assert len(record.moves) >= 1


def test_without_options_a_form_asks(opened: list[Window]) -> None:
    assert main(["window"]) == 0
    assert opened[0].form is not None
    assert opened[0].form.title == "New game"


def test_options_are_those_of_play(
    opened: list[Window], capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--p2", "easy", "--time", "60+1", "--paths", "--theme", "dark", "--size", "500x420"]
    assert main(["window", "reversi", *options, "--save", "kept.pgn"]) == 0
    session = opened[0].session
    assert (session.game.name, session.live.seats[2].name) == ("reversi", "easy")
    assert (session.options.paths, opened[0].theme.name) == (True, "dark")
    assert "plyground window --resume" in capsys.readouterr().out
    assert len(read_games(Path("kept.pgn"))[0].moves) >= 1
    assert main(["window", "--resume"]) == 0
    assert opened[1].session.live.moves[0] == session.live.moves[0]
    assert main(["window", "--p2", "human", "--level", "easy"]) == 0
    assert opened[2].session.options.flipped
    assert main(["window", "--p2", "human", "--level", "medium", "--indices"]) == 0
    assert (opened[3].session.options.flipped, opened[3].session.options.indices) == (False, True)
    assert opened[3].session.live.seats[1].name == "normal"


def test_a_file_is_replayed(opened: list[Window]) -> None:
    record = Record.from_moves(["e2", "e8"], result="1-0", termination="resignation")
    Path("game.pgn").write_text(format_record(record))
    assert main(["window", "game.pgn", "--speed", "0.2"]) == 0
    replay = opened[0].session.replay
    assert replay is None  # closed with the window
    assert opened[0].session.has_game is False


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], "expected a game (quoridor, reversi) or a file that exists, got 'chess'"),
        (["--size", "huge"], "expected a size such as 1200x860, got 'huge'"),
        (["--size", "10x10"], "expected a size such as 1200x860, got '10x10'"),
        (["game.pgn", "--p1", "human"], "a file is replayed as it is; leave out '--p1'"),
        (["bad.pgn"], "bad.pgn, line 1: expected"),
        (["reversi", "--board", "5"], "expected Board 8, 6 or 4 for reversi, got '5'"),
        (["--p2", "unheard-of"], "unknown player 'unheard-of'"),
        (["--resume"], "there is no game to resume"),
        (["--load", "nowhere.pgn"], "cannot read nowhere.pgn"),
        (["--theme", "pink"], "invalid choice: 'pink'"),
    ],
)
def test_a_mistake_is_one_line(
    opened: list[Window], capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    Path("game.pgn").write_text(format_record(Record()))
    Path("bad.pgn").write_text("nonsense")
    assert main(["window", *arguments]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]
    assert not opened


def test_no_display_is_one_line(tmp_path: Path) -> None:
    environment = os.environ | {"SDL_VIDEODRIVER": "none of these", "XDG_DATA_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "plyground", "window", "--p2", "easy"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("plyground: cannot open a window: ")
    assert len(done.stderr.splitlines()) == 1


def test_without_the_toolkit_it_says_what_to_install(tmp_path: Path) -> None:
    # A module that cannot be imported, as if it were not installed.
    (tmp_path / "pygame.py").write_text("raise ModuleNotFoundError(name='pygame')\n")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "plyground", "window"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    expected = "plyground: the window needs pygame-ce: pip install 'plyground[window]'\n"
    assert done.stderr == expected


def test_a_file_starts_no_program(opened: list[Window]) -> None:
    name = "engine:'/bin/sh -c \"touch pwned\"'"
    record = Record.from_moves(["e2"], tags={"Player1": name, "Player2": name})
    save_game(record, Path("game.pgn"))
    assert main(["window", "--load", "game.pgn"]) == 0
    assert main(["window", "game.pgn"]) == 0
    assert opened[0].session.live.seats[2].is_person
    assert not Path("pwned").exists()
