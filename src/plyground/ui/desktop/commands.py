"""The commands of buttons and keys: names, keys, help and handlers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

import pygame

from plyground.analysis.puzzle_progress import load_progress, save_progress
from plyground.ui.desktop import dialogs
from plyground.ui.desktop.forms import Form
from plyground.ui.desktop.puzzles import WindowPuzzles
from plyground.ui.desktop.session import WindowSession
from plyground.ui.puzzle_host import PuzzleHost


class CommandTarget(Protocol):
    """What commands need from a window."""

    session: WindowSession

    def show_form(self, form: Form) -> None:
        """Show a form."""

    def change_theme(self) -> None:
        """Change from light to dark, or back."""


CommandHandler: TypeAlias = Callable[[CommandTarget], object]


@dataclass(frozen=True, slots=True)
class WindowCommand:
    """A command that a button or a key runs."""

    help: str
    key: int
    run: CommandHandler
    ctrl: bool = False
    """Whether the key needs Ctrl, or Cmd."""

    @property
    def key_name(self) -> str:
        """The key as people call it."""
        name = pygame.key.name(self.key).capitalize()
        return f"Ctrl+{name}" if self.ctrl else name


def _form(make: Callable[[WindowSession], Form]) -> CommandHandler:
    return lambda window: window.show_form(make(window.session))


def _toggle(option: Literal["flipped", "targets", "paths", "indices"]) -> CommandHandler:
    def change(window: CommandTarget) -> None:
        options = window.session.options
        setattr(options, option, not getattr(options, option))

    return change


def _run_or_pass(window: CommandTarget) -> None:
    """Run or stop a replay; in a live game, pass if that is the only move."""
    if window.session.replay is not None:
        window.session.toggle_replay()
    else:
        window.session.pass_turn()


def _another_game(by: int) -> CommandHandler:
    """The previous or the next game of a replay; the next puzzle."""

    def show(window: CommandTarget) -> None:
        replay, puzzles = window.session.replay, window.session.puzzles
        if puzzles is not None:
            window.session.next_puzzle(puzzles.next)
        elif replay is not None:
            window.session.show_game(replay.number + by)

    return show


def _open_or_close_puzzles(window: CommandTarget) -> None:
    if window.session.puzzles is not None:
        window.session.close_puzzles()
    else:
        host = PuzzleHost(load_progress(), save_progress)
        window.session.open_puzzles(WindowPuzzles(host))


def _daily_puzzle(window: CommandTarget) -> None:
    puzzles = window.session.puzzles
    if puzzles is not None:
        window.session.next_puzzle(puzzles.daily)


def _help(window: CommandTarget) -> None:
    keys = [(command.key_name, command.help) for command in COMMANDS.values()]
    window.show_form(dialogs.help_page(window.session.game, keys))


def _rules(session: WindowSession) -> Form:
    return dialogs.rules_page(session.view().state)


NEWEST = 1_000_000
"""More moves than any game has."""

COMMANDS = {
    "first": WindowCommand("the first position", pygame.K_HOME, lambda w: w.session.go_to(0)),
    "back": WindowCommand("a move back", pygame.K_LEFT, lambda w: w.session.step(-1)),
    "run": WindowCommand("run, stop; pass", pygame.K_SPACE, _run_or_pass),
    "forward": WindowCommand("a move forward", pygame.K_RIGHT, lambda w: w.session.step(1)),
    "last": WindowCommand("the newest position", pygame.K_END, lambda w: w.session.go_to(NEWEST)),
    "previous": WindowCommand("the previous game", pygame.K_PAGEUP, _another_game(-1)),
    "next": WindowCommand("the next game or puzzle", pygame.K_PAGEDOWN, _another_game(1)),
    "new": WindowCommand("a new game", pygame.K_n, _form(dialogs.new_game), ctrl=True),
    "undo": WindowCommand("take a move back", pygame.K_z, lambda w: w.session.undo(), ctrl=True),
    "redo": WindowCommand("play it again", pygame.K_y, lambda w: w.session.redo(), ctrl=True),
    "hint": WindowCommand("ask for a hint", pygame.K_i, lambda w: w.session.hint(), ctrl=True),
    "paths": WindowCommand("shortest paths", pygame.K_p, _toggle("paths"), ctrl=True),
    "targets": WindowCommand("legal targets", pygame.K_m, _toggle("targets"), ctrl=True),
    "flip": WindowCommand("turn the board", pygame.K_f, _toggle("flipped"), ctrl=True),
    "indices": WindowCommand("row 0 at the top", pygame.K_0, _toggle("indices"), ctrl=True),
    "save": WindowCommand("save the game", pygame.K_s, _form(dialogs.save), ctrl=True),
    "open": WindowCommand("open a file", pygame.K_o, _form(dialogs.open_file), ctrl=True),
    "games": WindowCommand("list of games", pygame.K_g, _form(dialogs.games), ctrl=True),
    "lines": WindowCommand("variations", pygame.K_b, _form(dialogs.lines), ctrl=True),
    "scores": WindowCommand("standings", pygame.K_l, _form(dialogs.scores), ctrl=True),
    "play on": WindowCommand("play on from here", pygame.K_RETURN, _form(dialogs.play_on), True),
    "resign": WindowCommand("give up", pygame.K_r, lambda w: w.session.resign(), ctrl=True),
    "puzzles": WindowCommand("puzzles", pygame.K_u, _open_or_close_puzzles, ctrl=True),
    "answer": WindowCommand(
        "the answer", pygame.K_a, lambda w: w.session.answer_puzzle(), ctrl=True
    ),
    "daily": WindowCommand("puzzle of the day", pygame.K_d, _daily_puzzle, ctrl=True),
    "theme": WindowCommand("light or dark", pygame.K_t, lambda w: w.change_theme(), ctrl=True),
    "help": WindowCommand("this list", pygame.K_F1, _help),
    "rules": WindowCommand("the rules of the game", pygame.K_F2, _form(_rules)),
    "review": WindowCommand("mistakes of the game", pygame.K_F3, _form(dialogs.review)),
}


def command_for(key: int, ctrl: bool) -> WindowCommand | None:
    """The command of a key."""
    for command in COMMANDS.values():
        if (command.key, command.ctrl) == (key, ctrl):
            return command
    return None
