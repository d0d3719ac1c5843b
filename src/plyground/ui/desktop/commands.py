"""What buttons and keys do, each once: its name, its key, and what happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import pygame

from plyground.ui.desktop import dialogs
from plyground.ui.desktop.forms import Form
from plyground.ui.desktop.session import Session


class Window(Protocol):
    """What commands ask of a window."""

    session: Session

    def ask(self, form: Form) -> None:
        """Show a form."""

    def change_theme(self) -> None:
        """Light to dark, or back."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something a person can do at any time, by a button or a key."""

    help: str
    key: int
    act: Callable[[Window], object]
    ctrl: bool = False
    """Whether the key wants Ctrl, or Cmd."""

    @property
    def key_name(self) -> str:
        """The key as people say it."""
        name = pygame.key.name(self.key).capitalize()
        return f"Ctrl+{name}" if self.ctrl else name


def _ask(form: Callable[[Session], Form]) -> Callable[[Window], object]:
    return lambda window: window.ask(form(window.session))


def _toggle(what: str) -> Callable[[Window], object]:
    def change(window: Window) -> None:
        shown = window.session.shown
        setattr(shown, what, not getattr(shown, what))

    return change


def _pass_or_run(window: Window) -> None:
    """The space bar: a replay runs or stops, and who has no other move passes."""
    session = window.session
    if session.replay is not None:
        session.run_or_stop()
    elif session.must_pass:
        session.play("pass")


def _another_game(by: int) -> Callable[[Window], object]:
    def show(window: Window) -> None:
        replay = window.session.replay
        if replay is not None:
            window.session.show_game(replay.number + by)

    return show


def _help(window: Window) -> None:
    keys = [(command.key_name, command.help) for command in COMMANDS.values()]
    window.ask(dialogs.help_page(keys))


NEWEST = 1_000_000
"""More moves than any game has."""

COMMANDS = {
    "first": Command("the first position", pygame.K_HOME, lambda w: w.session.go_to(0)),
    "back": Command("a move back", pygame.K_LEFT, lambda w: w.session.step(-1)),
    "run": Command("run, stop; pass", pygame.K_SPACE, _pass_or_run),
    "forward": Command("a move on", pygame.K_RIGHT, lambda w: w.session.step(1)),
    "last": Command("the newest position", pygame.K_END, lambda w: w.session.go_to(NEWEST)),
    "previous": Command("the game before", pygame.K_PAGEUP, _another_game(-1)),
    "next": Command("the game after", pygame.K_PAGEDOWN, _another_game(1)),
    "new": Command("a new game", pygame.K_n, _ask(dialogs.new_game), ctrl=True),
    "undo": Command("take your move back", pygame.K_z, lambda w: w.session.undo(), ctrl=True),
    "redo": Command("play it again", pygame.K_y, lambda w: w.session.redo(), ctrl=True),
    "hint": Command("ask for a hint", pygame.K_i, lambda w: w.session.ask_hint(), ctrl=True),
    "paths": Command("shortest paths", pygame.K_p, _toggle("paths"), ctrl=True),
    "targets": Command("possible moves", pygame.K_m, _toggle("targets"), ctrl=True),
    "flip": Command("turn the board", pygame.K_f, _toggle("flipped"), ctrl=True),
    "save": Command("save the game", pygame.K_s, _ask(dialogs.save), ctrl=True),
    "open": Command("open a file", pygame.K_o, _ask(dialogs.open_file), ctrl=True),
    "games": Command("list of games", pygame.K_g, _ask(dialogs.games), ctrl=True),
    "scores": Command("who leads", pygame.K_l, _ask(dialogs.scores), ctrl=True),
    "play on": Command("play on from here", pygame.K_RETURN, _ask(dialogs.play_on), ctrl=True),
    "resign": Command("give up", pygame.K_r, lambda w: w.session.resign(), ctrl=True),
    "theme": Command("light or dark", pygame.K_t, lambda w: w.change_theme(), ctrl=True),
    "help": Command("this list", pygame.K_F1, _help),
}


def command_for(key: int, ctrl: bool) -> Command | None:
    """The command of a key."""
    for command in COMMANDS.values():
        if (command.key, command.ctrl) == (key, ctrl):
            return command
    return None
