"""What buttons and keys do, each once: its name, its key, and what happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import pygame

from plyground.ui.desktop import dialogs
from plyground.ui.desktop.forms import Form
from plyground.ui.desktop.session import Session
from plyground.ui.view import ReversiView


class Window(Protocol):
    """What commands ask of a window."""

    session: Session

    def ask(self, form: Form) -> None:
        """Show a form."""

    def change_theme(self) -> None:
        """Light to dark, or back."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something a person can do at any time; `ctrl` says that the key wants Ctrl, or Cmd."""

    label: str
    help: str
    key: int
    ctrl: bool
    act: Callable[[Window], object]

    @property
    def key_name(self) -> str:
        """The key as people say it."""
        name = pygame.key.name(self.key).capitalize()
        return f"Ctrl+{name}" if self.ctrl else name


def _toggle_paths(window: Window) -> None:
    shown = window.session.shown
    shown.paths = not shown.paths


def _toggle_targets(window: Window) -> None:
    shown = window.session.shown
    shown.targets = not shown.targets


def _flip(window: Window) -> None:
    shown = window.session.shown
    shown.flipped = not shown.flipped


def _pass_or_run(window: Window) -> None:
    """The space bar: a replay runs or stops, and who has no other move passes."""
    session = window.session
    if session.replay is not None:
        session.run_or_stop()
    elif must_pass(session):
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


COMMANDS = {
    "first": Command(
        "|<", "the first position", pygame.K_HOME, False, lambda w: w.session.go_to(0)
    ),
    "back": Command("<", "a move back", pygame.K_LEFT, False, lambda w: w.session.step(-1)),
    "run": Command("Run", "run, stop; pass", pygame.K_SPACE, False, _pass_or_run),
    "forward": Command(">", "a move on", pygame.K_RIGHT, False, lambda w: w.session.step(1)),
    "last": Command(
        ">|", "the newest position", pygame.K_END, False, lambda w: w.session.go_to(10**9)
    ),
    "previous": Command("Previous", "the game before", pygame.K_PAGEUP, False, _another_game(-1)),
    "next": Command("Next", "the game after", pygame.K_PAGEDOWN, False, _another_game(1)),
    "new": Command(
        "New", "a new game", pygame.K_n, True, lambda w: w.ask(dialogs.new_game(w.session))
    ),
    "undo": Command("Undo", "take your move back", pygame.K_z, True, lambda w: w.session.undo()),
    "redo": Command("Redo", "play it again", pygame.K_y, True, lambda w: w.session.redo()),
    "hint": Command("Hint", "ask for a hint", pygame.K_i, True, lambda w: w.session.ask_hint()),
    "paths": Command("Paths", "shortest paths", pygame.K_p, True, _toggle_paths),
    "targets": Command("Moves", "possible moves", pygame.K_m, True, _toggle_targets),
    "flip": Command("Flip", "turn the board", pygame.K_f, True, _flip),
    "save": Command(
        "Save",
        "save the game",
        pygame.K_s,
        True,
        lambda w: w.ask(dialogs.save(w.session)),
    ),
    "open": Command(
        "Open",
        "open a file",
        pygame.K_o,
        True,
        lambda w: w.ask(dialogs.open_file(w.session)),
    ),
    "games": Command(
        "Games",
        "list of games",
        pygame.K_g,
        True,
        lambda w: w.ask(dialogs.games(w.session)),
    ),
    "scores": Command(
        "Scores",
        "who leads",
        pygame.K_l,
        True,
        lambda w: w.ask(dialogs.scores(w.session)),
    ),
    "play on": Command(
        "Play on",
        "play on from here",
        pygame.K_RETURN,
        True,
        lambda w: w.ask(dialogs.play_on(w.session)),
    ),
    "resign": Command("Resign", "give up", pygame.K_r, True, lambda w: w.session.resign()),
    "theme": Command("Theme", "light or dark", pygame.K_t, True, lambda w: w.change_theme()),
    "help": Command("Help", "this list", pygame.K_F1, False, _help),
}


@dataclass(frozen=True, slots=True)
class Button:
    """A button as it is now."""

    command: str
    label: str
    is_on: bool = False
    is_enabled: bool = True


def button_rows(session: Session) -> list[list[Button]]:
    """The buttons that make sense, row by row."""
    shown, live, replay = session.shown, session.live, session.replay
    view = session.view()
    at_start, at_end = view.ply == 0, view.ply == len(view.moves)
    paths = Button("paths", "Paths", shown.paths, session.game == "quoridor")
    flip = Button("flip", "Flip", shown.flipped)
    last_row = [
        Button("theme", "Theme"),
        (
            Button("targets", "Moves", shown.targets)
            if replay is None
            else Button("scores", "Scores", is_enabled=replay.games.can_grow)
        ),
        Button("help", "Help"),
    ]
    first = [
        Button("first", "|<", is_enabled=not at_start),
        Button("back", "<", is_enabled=not at_start),
    ]
    last = [
        Button("forward", ">", is_enabled=not at_end),
        Button("last", ">|", is_enabled=not at_end),
    ]
    can_change = not session.is_locked
    new, opened = (
        Button("new", "New", is_enabled=can_change),
        Button("open", "Open", is_enabled=can_change),
    )
    if replay is not None:
        run = Button("run", "Stop" if replay.is_running else "Run", replay.is_running)
        has_games = len(replay.games) > 0
        return [
            [*first, run, *last],
            [
                Button("previous", "Previous", is_enabled=replay.number > 0),
                Button("next", "Next", is_enabled=replay.number + 1 < len(replay.games)),
                Button("games", "Games", is_enabled=has_games),
            ],
            [Button("play on", "Play on", is_enabled=can_change and has_games), paths, flip],
            [new, opened, Button("save", "Save", is_enabled=has_games)],
            last_row,
        ]
    passing = [Button("run", "Pass", is_on=True)] if must_pass(session) else []
    is_over = live.outcome is not None
    undo = "Back here" if session.ply is not None else "Undo"
    return [
        [*first, *passing, *last],
        [
            Button("undo", undo, is_enabled=can_change and (bool(live.moves) or is_over)),
            Button("redo", "Redo", is_enabled=can_change and live.undone > 0),
            Button("hint", "Hint", session.news.is_advised, session.can_move),
        ],
        [Button("resign", "Resign", is_enabled=can_change and not is_over), paths, flip],
        [new, opened, Button("save", "Save", is_enabled=bool(live.moves))],
        last_row,
    ]


def must_pass(session: Session) -> bool:
    """Whether the person to move has no other move than to pass."""
    board = session.view().board
    return session.can_move and isinstance(board, ReversiView) and board.must_pass


def command_for(key: int, ctrl: bool) -> Command | None:
    """The command of a key."""
    for command in COMMANDS.values():
        if (command.key, command.ctrl) == (key, ctrl):
            return command
    return None
