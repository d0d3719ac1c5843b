"""The commands of a game at the terminal: names, help and handlers."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.errors import ConfigError
from plyground.games.levels import LEVEL_NAMES, level_name
from plyground.hints import suggest
from plyground.play.record_text import SUFFIXES
from plyground.ui.terminal import advice
from plyground.ui.text import format_rules
from plyground.ui.variations import format_tree, game_lines

WIDEST_RULES = 80
"""Columns of the rules on a wide terminal."""

if TYPE_CHECKING:
    from plyground.ui.terminal.session import TerminalSession


@dataclass(frozen=True, slots=True)
class TerminalCommand:
    """A command: its usage, a line of help, and a handler for the words after it."""

    usage: str
    help: str
    run: Callable[[TerminalSession, list[str]], None]
    arguments: tuple[str, ...] = ()
    """Words that can follow it, for completion."""


def show_help(session: TerminalSession, words: list[str]) -> None:
    """Show the help of all commands, or of one."""
    name = words[0].lower() if words else ""
    name = ALIASES.get(name, name)
    if name in session.commands:
        chosen = [session.commands[name]]
    elif name:
        raise ConfigError(f"there is no command {name!r}; {suggest(name, session.commands)}")
    else:
        session.screen.say(session.live.game.move_help)
        chosen = list(session.commands.values())
    for command in chosen:
        session.screen.say(f"{command.usage:<16} {command.help}")


def show_rules(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """Show the rules of the game, with its settings."""
    width = min(session.screen.width, WIDEST_RULES) - 1
    session.screen.say("\n".join(format_rules(session.live.state, width)))


def list_moves(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """List the legal moves, kind by kind."""
    state = session.live.state
    kinds: dict[str, list[str]] = {}
    for action in state.legal_actions():
        spot = state.game.spot_of(state, action)
        kinds.setdefault(spot[0] if spot else "", []).append(state.format_move(action))
    for moves in kinds.values():
        row = " ".join(moves)
        session.screen.say(textwrap.fill(row, min(session.screen.width, 100) - 1))


def undo(session: TerminalSession, words: list[str]) -> None:
    """Undo one or more turns."""
    for _ in range(_number(words, 1, "turns to take back")):
        session.live.undo()


def redo(session: TerminalSession, words: list[str]) -> None:
    """Redo one or more turns."""
    for _ in range(_number(words, 1, "turns to play again")):
        session.live.redo()


def tree(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """Show the game with its variations; the position on the board is in brackets."""
    session.screen.say("\n".join(format_tree(session.live)) or "no moves yet")


def line(session: TerminalSession, words: list[str]) -> None:
    """Go to the end of a line of the tree; without a number, back to the game."""
    if not words:
        session.host.back_to_game()
        return
    lines = game_lines(session.live.tree())
    number = _number(words, 0, "a line of 'tree'")
    if len(lines) < 2:
        raise ConfigError("this game has no variations yet")
    if number >= len(lines):
        raise ConfigError(f"expected a line from 1 to {len(lines) - 1}, got {number}")
    session.live.select(lines[number].moves[-1].node)


def go(session: TerminalSession, words: list[str]) -> None:
    """Go to an earlier position; another move there opens a variation."""
    last = len(session.live.moves)
    ply = -1 if len(words) != 1 or not words[0].isdecimal() else int(words[0][:9])
    if not 0 <= ply <= last:
        raise ConfigError(f"expected a number of moves from 0 to {last}, such as 'go {last}'")
    session.live.select(session.live.node_at(ply))


def promote(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """Make the variation on the board the main line where it begins."""
    session.host.promote(session.live.node)
    tree(session, [])


def delete(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """Delete the variation on the board and go back to the game."""
    session.host.delete_variation(session.live.node)
    session.note("the variation is deleted; 'restore' brings it back")


def restore(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """Bring the variation back that was deleted last."""
    session.host.restore_variation()
    tree(session, [])


def comment(session: TerminalSession, words: list[str]) -> None:
    """Comment on the last move on the board; without words, remove the comment."""
    session.host.annotate(session.live.node, comment=" ".join(words))


def mark(session: TerminalSession, words: list[str]) -> None:
    """Mark the last move on the board; without a symbol, remove the mark."""
    if len(words) > 1 or (words and words[0] not in SUFFIXES):
        raise ConfigError(f"expected one of {' '.join(SUFFIXES)}, got {' '.join(words)!r}")
    session.host.annotate(session.live.node, mark=SUFFIXES[words[0]] if words else 0)


def flip(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """Turn the board round."""
    session.options.flipped = not session.options.flipped
    session.draw()


def board(session: TerminalSession, words: list[str]) -> None:
    """Draw the board again; `paths`, `moves` and `indices` toggle what it shows."""
    options = session.options
    for word in map(str.lower, words):
        if word == "paths":
            options.paths = not options.paths
        elif word == "moves":
            options.targets = not options.targets
        elif word == "indices":
            options.indices = not options.indices
        else:
            raise ConfigError(f"expected 'paths', 'moves' or 'indices' to toggle, got {word!r}")
    session.draw()


def save(session: TerminalSession, words: list[str]) -> None:
    """Write the game to a file: replace its earlier version there, or append it."""
    path, number = session.host.save(Path(" ".join(words)).expanduser() if words else None)
    session.screen.say(f"saved as game {number} of {path}")


def load(session: TerminalSession, words: list[str]) -> None:
    """Continue a game from a file, by default the last one."""
    if not words:
        raise ConfigError("expected a file to load, such as 'load game.pgn'")
    number = None
    if len(words) > 1 and words[-1].isdecimal():
        *words, last = words
        number = int(last)
    session.host.load(Path(" ".join(words)).expanduser(), number)
    session.begin()


def level(session: TerminalSession, words: list[str]) -> None:
    """Change the level of the agents."""
    name = level_name(" ".join(words).lower())
    known = (*LEVEL_NAMES, *session.live.game.offered_agents)
    if name not in known:
        raise ConfigError(f"expected one level among {', '.join(known)}")
    agents = [player for player, seat in session.live.seats.items() if not seat.is_person]
    if not agents:
        raise ConfigError("no agent plays in this game; 'level' is for games with one")
    for player in agents:
        session.host.take_seat(player, name)
        session.screen.say(f"player {player} plays {name} now")


def swap(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """Swap the seats."""
    session.live.swap_seats()
    session.face_player()
    session.draw()


def resign(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """Resign."""
    session.live.resign()


def new(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """Start the same game again."""
    session.host.restart()
    session.begin()


def leave(session: TerminalSession, words: list[str]) -> None:  # noqa: ARG001
    """End the session."""
    session.is_leaving = True


COMMANDS = {
    "help": TerminalCommand("help [command]", "show what can be typed", show_help),
    "rules": TerminalCommand("rules", "explain the rules of the game", show_rules),
    "hint": TerminalCommand("hint", "ask a strong player for a move", advice.hint),
    "undo": TerminalCommand("undo [turns]", "take your last move back", undo),
    "redo": TerminalCommand("redo [turns]", "play moves that were taken back", redo),
    "tree": TerminalCommand("tree", "show the game with its variations", tree),
    "line": TerminalCommand("line [n]", "go to a line of 'tree', or back to the game", line),
    "go": TerminalCommand("go moves", "go to an earlier position, to try another move", go),
    "promote": TerminalCommand("promote", "make this variation the main line", promote),
    "delete": TerminalCommand("delete", "delete this variation", delete),
    "restore": TerminalCommand("restore", "bring a deleted variation back", restore),
    "comment": TerminalCommand("comment [text]", "comment on the last move", comment),
    "mark": TerminalCommand(
        "mark [!?]", "mark the last move: ! ? !! ?? !? ?!", mark, tuple(SUFFIXES)
    ),
    "moves": TerminalCommand("moves", "list the legal moves", list_moves),
    "eval": TerminalCommand("eval", "say who is ahead", advice.evaluate),
    "analyse": TerminalCommand(
        "analyse [lines]", "show the best lines (default: 3)", advice.analyse
    ),
    "book": TerminalCommand("book", "show what was played from here", advice.book),
    "review": TerminalCommand("review", "show the game's mistakes and why", advice.review),
    "flip": TerminalCommand("flip", "turn the board round", flip),
    "save": TerminalCommand("save [file]", "write the game to a file", save),
    "load": TerminalCommand("load file [n]", "continue a game from a file", load),
    "board": TerminalCommand(
        "board [what]",
        "draw again; toggle 'paths', 'moves' or 'indices'",
        board,
        ("paths", "moves", "indices"),
    ),
    "level": TerminalCommand("level name", ", ".join(LEVEL_NAMES), level, LEVEL_NAMES),
    "swap": TerminalCommand("swap", "change sides", swap),
    "resign": TerminalCommand("resign", "give up", resign),
    "new": TerminalCommand("new", "begin the same game again", new),
    "quit": TerminalCommand("quit", "leave; the game is saved (also Ctrl-C and Ctrl-D)", leave),
}
CHANGING = (
    *("undo", "redo", "line", "go", "promote", "delete", "restore", "comment", "mark"),
    *("load", "level", "swap", "new"),
)
"""Commands that a locked game does not allow."""
ALIASES = {"?": "help", "q": "quit", "exit": "quit", "analyze": "analyse"}


def available_commands(is_locked: bool) -> dict[str, TerminalCommand]:
    """All commands, or those that a locked game allows."""
    if not is_locked:
        return COMMANDS
    kept = {name: command for name, command in COMMANDS.items() if name not in CHANGING}
    return kept | {"quit": replace(COMMANDS["quit"], help="leave (also Ctrl-C and Ctrl-D)")}


def completions(session: TerminalSession, before: list[str]) -> Iterable[str]:
    """What Tab offers after the words typed before."""
    if before:
        command = session.commands.get(before[0])
        return command.arguments if command else ()
    state = session.live.state
    moves = [state.format_move(action) for action in state.legal_actions()]
    return [*moves, *session.commands]


def _number(words: list[str], usual: int, what: str) -> int:
    if not words:
        return usual
    if len(words) > 1 or not words[0].isdecimal() or not 1 <= int(words[0]) <= 999:
        raise ConfigError(f"expected a number of {what} from 1 to 999, got {' '.join(words)!r}")
    return int(words[0])
