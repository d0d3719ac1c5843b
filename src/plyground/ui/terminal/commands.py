"""The commands of a game at the terminal: their names, what help says, and what they do."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.agents.levels import LEVEL_NAMES
from plyground.errors import ConfigError
from plyground.ui.terminal import advice

if TYPE_CHECKING:
    from plyground.ui.terminal.session import Session


@dataclass(frozen=True, slots=True)
class Command:
    """A command: how it is typed, a line of help, and what it does with the words after it."""

    usage: str
    help: str
    run: Callable[[Session, list[str]], None]
    arguments: tuple[str, ...] = ()
    """What can follow it, for completion."""


def show_help(session: Session, words: list[str]) -> None:
    """All commands, or one."""
    name = words[0].lower() if words else ""
    name = ALIASES.get(name, name)
    if name in session.commands:
        chosen = [session.commands[name]]
    else:
        session.screen.say(session.live.rules.move_help)
        chosen = list(session.commands.values())
    for command in chosen:
        session.screen.say(f"{command.usage:<16} {command.help}")


def list_moves(session: Session, words: list[str]) -> None:  # noqa: ARG001
    """The legal moves, kind by kind."""
    rules, state = session.live.rules, session.live.state
    moves = [rules.format_action(state, action) for action in state.legal_actions()]
    kinds = dict.fromkeys(move[2:] for move in moves)
    for kind in kinds:
        row = " ".join(move for move in moves if move[2:] == kind)
        session.screen.say(textwrap.fill(row, min(session.screen.width, 100) - 1))


def undo(session: Session, words: list[str]) -> None:
    """Take back one turn, or several."""
    for _ in range(_number(words, 1, "turns to take back")):
        session.live.undo()


def redo(session: Session, words: list[str]) -> None:
    """Play again one turn, or several."""
    for _ in range(_number(words, 1, "turns to play again")):
        session.live.redo()


def flip(session: Session, words: list[str]) -> None:  # noqa: ARG001
    """Look from the other side."""
    session.options.flipped = not session.options.flipped
    session.draw()


def board(session: Session, words: list[str]) -> None:
    """Draw again, and show more or less."""
    options = session.options
    for word in map(str.lower, words):
        if word == "paths":
            options.paths = not options.paths
        elif word == "moves":
            options.targets = not options.targets
        else:
            raise ConfigError(f"expected 'board', 'board paths' or 'board moves', got {word!r}")
    session.draw()


def save(session: Session, words: list[str]) -> None:
    """Write the game to a file: beside the games in it, or over the one it was."""
    path, number = session.table.save(Path(" ".join(words)).expanduser() if words else None)
    session.screen.say(f"saved as game {number} of {path}")


def load(session: Session, words: list[str]) -> None:
    """Go on with a game from a file, the last in it or that of a number."""
    if not words:
        raise ConfigError("expected a file to load, such as 'load game.pgn'")
    number = None
    if len(words) > 1 and words[-1].isdecimal():
        *words, last = words
        number = int(last)
    session.table.load(Path(" ".join(words)).expanduser(), number)
    session.begin()


def level(session: Session, words: list[str]) -> None:
    """Change how strong the agents at the board are."""
    name = " ".join(words).lower()
    if name not in LEVEL_NAMES:
        raise ConfigError(f"expected one level among {', '.join(LEVEL_NAMES)}")
    agents = [player for player, seat in session.live.seats.items() if not seat.is_person]
    if not agents:
        raise ConfigError("there is no agent at the board; 'swap' and 'level' are for those")
    for player in agents:
        session.live.take_seat(player, session.table.seat(name))
        session.screen.say(f"player {player} plays {name} now")


def swap(session: Session, words: list[str]) -> None:  # noqa: ARG001
    """Change sides."""
    session.live.swap_seats()
    session.face_player()
    session.draw()


def resign(session: Session, words: list[str]) -> None:  # noqa: ARG001
    """Give up."""
    session.live.resign()


def new(session: Session, words: list[str]) -> None:  # noqa: ARG001
    """The same again from the start."""
    session.table.change_game(session.table.again())
    session.begin()


def leave(session: Session, words: list[str]) -> None:  # noqa: ARG001
    """End the session."""
    session.is_leaving = True


COMMANDS = {
    "help": Command("help [command]", "show what can be typed", show_help),
    "hint": Command("hint", "what would a strong player do?", advice.hint),
    "undo": Command("undo [turns]", "take your last move back", undo),
    "redo": Command("redo [turns]", "play again what was taken back", redo),
    "moves": Command("moves", "list the legal moves", list_moves),
    "eval": Command("eval", "who is ahead?", advice.evaluate),
    "analyse": Command("analyse [lines]", "the best lines, three by default", advice.analyse),
    "flip": Command("flip", "look from the other side", flip),
    "save": Command("save [file]", "write the game to a file", save),
    "load": Command("load file [n]", "go on with a game from a file", load),
    "board": Command(
        "board [what]", "draw again; 'board paths', 'board moves'", board, ("paths", "moves")
    ),
    "level": Command("level name", ", ".join(LEVEL_NAMES), level, LEVEL_NAMES),
    "swap": Command("swap", "change sides", swap),
    "resign": Command("resign", "give up", resign),
    "new": Command("new", "begin again", new),
    "quit": Command("quit", "leave; the game is kept (so do Ctrl-C and Ctrl-D)", leave),
}
CHANGING = ("undo", "redo", "load", "level", "swap", "new")
"""What makes another game of the one on the table."""
ALIASES = {"?": "help", "q": "quit", "exit": "quit", "analyze": "analyse"}


def commands_of(is_locked: bool) -> dict[str, Command]:
    """All commands, or those that leave a game as it is judged."""
    if not is_locked:
        return COMMANDS
    kept = {name: command for name, command in COMMANDS.items() if name not in CHANGING}
    return kept | {"quit": replace(COMMANDS["quit"], help="leave (so do Ctrl-C and Ctrl-D)")}


def completions(session: Session, before: list[str]) -> Iterable[str]:
    """What Tab offers after the words before."""
    if before:
        command = session.commands.get(before[0])
        return command.arguments if command else ()
    state = session.live.state
    moves = [session.live.rules.format_action(state, a) for a in state.legal_actions()]
    return [*moves, *session.commands]


def _number(words: list[str], usual: int, what: str) -> int:
    if not words:
        return usual
    if len(words) > 1 or not words[0].isdecimal() or not 1 <= int(words[0]) <= 999:
        raise ConfigError(f"expected how many {what}, from 1 to 999, got {' '.join(words)!r}")
    return int(words[0])
