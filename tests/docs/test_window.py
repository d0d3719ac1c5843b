"""The page on the window: its Python runs, its keys and options exist."""

import re
from pathlib import Path

import pygame
import pytest

from plyground.cli.main import main
from plyground.ui.desktop.commands import COMMANDS
from plyground.ui.desktop.window import Window

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "window.md").read_text(encoding="utf-8")


def test_every_key_is_in_the_table() -> None:
    (section,) = re.findall(r"^## Keys$(.*?)^## ", PAGE, re.MULTILINE | re.DOTALL)
    keys = [
        key for row in re.findall(r"^\| (.*?) \|", section, re.MULTILINE) for key in row.split(", ")
    ]
    assert {command.key_name for command in COMMANDS.values()} <= set(keys)
    pressed = [(command.key, command.ctrl) for command in COMMANDS.values()]
    assert len(set(pressed)) == len(pressed)


def test_options_of_the_examples_exist(capsys: pytest.CaptureFixture[str]) -> None:
    main(["window", "--help"])
    described = capsys.readouterr().out
    for option in re.findall(r"(?<![\w-])--[a-z0-9]+", PAGE):
        assert option in described, option


def test_python_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    real_frame = Window.frame

    def frame(window: Window, wait_s: float) -> None:
        pygame.event.post(pygame.Event(pygame.QUIT))
        real_frame(window, wait_s)

    monkeypatch.setattr(Window, "frame", frame)
    (program,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    exec(compile(program, "window.md", "exec"), {})
    assert capsys.readouterr().out == "()\n"
