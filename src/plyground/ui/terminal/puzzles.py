"""Puzzles in the terminal: the board, a prompt for moves, and a few commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plyground.analysis.puzzle import daily_puzzle, shipped_puzzles
from plyground.checks import parse_whole
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.lines import format_line
from plyground.ui.puzzle_host import PuzzleHost
from plyground.ui.terminal.prompt import Prompt
from plyground.ui.terminal.screen import Screen
from plyground.ui.text import explain_mistake
from plyground.ui.view import DisplayOptions, view_live

COMMANDS = {
    "hint": "the kind of the move; again: the move",
    "answer": "give up and see the winning line",
    "next": "another puzzle",
    "daily": "the puzzle of the day",
    "number": "the puzzle of a number: 'number 12'",
    "help": "this list",
    "quit": "leave",
}
HELP_LINE = "Type a move, or 'hint', 'answer', 'next', 'help', 'quit'."
NEXT_LINE = "Press Enter for the next puzzle, or type 'quit'."
RETRY_LINE = "The board shows how it ends. Press Enter to go back, or type another move."
INTERRUPTED = 130


class TerminalPuzzles:
    """Asks for moves until the person leaves."""

    def __init__(self, host: PuzzleHost, screen: Screen) -> None:
        self._host = host
        self._screen = screen
        self._prompt = Prompt(lambda _: [*COMMANDS, *self._moves()])
        self._actions: dict[str, Callable[[str], None]] = {
            "": self._continue,
            "hint": self._hint,
            "answer": self._answer,
            "next": self._next,
            "daily": self._daily,
            "number": self._number,
            "help": self._help,
        }

    def run(self) -> int:
        """Solve puzzles; the exit status is 0, or 130 after Ctrl-C."""
        self._begin()
        try:
            while (typed := self._prompt.ask("> ").lower()) not in ("quit", "exit", "q"):
                self._execute(typed)
        except EOFError:
            self._screen.say()
        except KeyboardInterrupt:
            self._screen.say()
            return INTERRUPTED
        return 0

    def _moves(self) -> list[str]:
        state = self._host.attempt.state
        return [state.format_move(action) for action in state.legal_actions()]

    def _execute(self, typed: str) -> None:
        """Run a command, or try a move."""
        word, _, rest = typed.partition(" ")
        try:
            if word in self._actions:
                self._actions[word](rest)
            else:
                self._play(typed)
        except ConfigError as error:
            self._screen.say(str(error))
        except (IllegalMoveError, NotationError) as error:
            state = self._host.attempt.state
            self._screen.say(explain_mistake(typed, error, state, COMMANDS))

    def _show(self, *notes: str, line: Sequence[int] = ()) -> None:
        """Draw the position with the moves so far and this line, and the notes below it."""
        live = self._host.live(line)
        view = view_live(live, targets=live.game.shows_targets)
        second = self._host.attempt.solver == 2
        flipped = live.game.turns_board and second
        options = DisplayOptions(flipped=flipped, targets=live.game.shows_targets)
        room = self._screen.show(view, options) - 1  # the last line is for the prompt
        if self._screen.paint.is_plain:
            for note in notes:
                self._screen.say(note)
        else:
            self._screen.say_within(room, list(notes))

    def _begin(self) -> None:
        host = self._host
        self._show(f"{host.title()}, {host.rating_text()}", host.task(), HELP_LINE)

    def _play(self, typed: str) -> None:
        host = self._host
        before = host.attempt.state
        reply = host.play(typed)
        text = host.verdict_text(before, reply)
        if reply.verdict == "wrong":
            self._show(text, RETRY_LINE, line=reply.line)
        elif reply.verdict == "solved":
            self._show(text, *self._summary(), host.progress_text(), NEXT_LINE)
        else:
            self._show(text)

    def _summary(self) -> list[str]:
        themes = ", ".join(self._host.puzzle.themes)
        return [f"Themes: {themes}."] if themes else []

    def _hint(self, rest: str) -> None:  # noqa: ARG002
        self._screen.say(self._host.hint()[0])

    def _answer(self, rest: str) -> None:  # noqa: ARG002
        host = self._host
        state, line = host.attempt.state, host.give_up()
        text = f"The winning line: {format_line(state, line)}."
        self._show(text, *self._summary(), host.progress_text(), NEXT_LINE, line=line)

    def _continue(self, rest: str) -> None:
        """Enter: the next puzzle after one that is over, else the position again."""
        if self._host.is_done:
            self._next(rest)
        else:
            self._begin()

    def _next(self, rest: str) -> None:  # noqa: ARG002
        self._host.next()
        self._begin()

    def _daily(self, rest: str) -> None:  # noqa: ARG002
        self._host.go_to(daily_puzzle())
        self._begin()

    def _number(self, rest: str) -> None:
        self._host.go_to(parse_whole("number", rest, 1, len(shipped_puzzles())))
        self._begin()

    def _help(self, rest: str) -> None:  # noqa: ARG002
        width = max(map(len, COMMANDS))
        for name, text in COMMANDS.items():
            self._screen.say(f"{name:<{width}}  {text}")
        self._screen.say(self._host.puzzle.start.game.move_help)
