"""A game at the terminal: it draws the board, reads moves and commands, and waits for agents."""

from __future__ import annotations

import queue
from collections.abc import Callable

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.hints import counted
from plyground.play.events import Event, GameEnded, MovePlayed, PositionChanged, SearchProgress
from plyground.play.live_game import LiveGame
from plyground.play.seat import Seat
from plyground.program import command_line
from plyground.ui.game_host import GameHost
from plyground.ui.terminal.commands import (
    ALIASES,
    COMMANDS,
    available_commands,
    completions,
    save,
)
from plyground.ui.terminal.prompt import Prompt
from plyground.ui.terminal.screen import Screen
from plyground.ui.text import explain_mistake, format_played, format_progress
from plyground.ui.view import DisplayOptions, GameView, view_live

INTERRUPTED = 130
"""The exit status after Ctrl-C."""
STOPPABLE = ("hint", "eval", "analyse")
"""Commands that Ctrl-C stops without ending the game."""


class TerminalSession:
    """Plays games at a terminal, or over a pipe, until the person leaves.

    `is_interactive` offers another game when one is over. With `is_locked` another program controls
    the game: people may move and look, but not undo moves or start another game.
    """

    def __init__(
        self,
        host: GameHost,
        screen: Screen,
        options: DisplayOptions,
        is_interactive: bool,
        read_move: Callable[[str], str] = str,
        is_locked: bool = False,
    ) -> None:
        self.host = host
        self.screen = screen
        self.options = options
        self.is_interactive = is_interactive
        self.is_leaving = False
        self.commands = available_commands(is_locked)
        self._read_move = read_move
        """Translates a typed move into our notation."""
        self._drawn_turn: int | None = None
        """The turn that is on the screen."""
        self._notes: list[str] = []
        """What happened since the person's last turn."""
        self._prompt = Prompt(lambda before: completions(self, before))

    @property
    def live(self) -> LiveGame:
        """The game that is played."""
        return self.host.live

    @property
    def events(self) -> queue.SimpleQueue[Event]:
        """Events of the game that have not been shown yet."""
        return self.host.events

    @property
    def adviser(self) -> Seat:
        """The strong player that gives hints and analyses."""
        return self.host.adviser

    def run(self) -> int:
        """Play until the person leaves or the input ends; returns the exit status."""
        status = 0
        self.begin()
        while not self.is_leaving:
            try:
                self._step()
            except EOFError:
                self.is_leaving = True
            except KeyboardInterrupt:
                if self._confirm_leaving():
                    status = INTERRUPTED
        self.screen.clear_status()
        if self.host.leave():
            self.screen.say(f"the game is saved: '{command_line('play --resume')}' continues it")
        return status

    def view(self) -> GameView:
        """The game as it is shown."""
        return view_live(self.live, self.options.targets, self.options.paths)

    def draw(self) -> None:
        """Show the board, and below it what happened since the person's last turn."""
        self._drawn_turn = self.live.turn
        view = self.view()
        room = self.screen.show(view, self.options) - 1  # the last line is for the prompt
        notes = [] if self.screen.paint.is_plain else self._notes[-2:]
        if view.must_pass and self.live.person_to_move():
            state = view.state
            typed = state.format_move(state.legal_actions()[0])
            notes.append(f"player {state.current_player} has no move: type {typed!r}")
        if not self.screen.paint.is_plain:
            self.screen.say_within(room, notes)
        elif notes:
            self.screen.say(notes[0])

    def handle_event(self, event: Event) -> None:
        """Show what happened in the game."""
        if isinstance(event, SearchProgress):
            self.show_progress(event, self.live.seats[event.player])
        elif isinstance(event, MovePlayed):
            self._show_move(event)
        elif isinstance(event, PositionChanged):
            self._notes.clear()

    def note(self, text: str) -> None:
        """Show text below the board, which is drawn again after a change."""
        while not self.events.empty():
            self.handle_event(self.events.get())
        self._notes.append(text)
        if self.screen.paint.is_plain:
            self.screen.say(text)

    def show_progress(self, event: SearchProgress, seat: Seat) -> None:
        """Show the progress of a search."""
        self.screen.status(format_progress(seat.name, event.state, event.result))

    def begin(self) -> None:
        """Show the new game, and start it."""
        self.screen.clear_status()
        self._drawn_turn = None
        self._notes.clear()
        self._welcome()
        self.live.start()

    def face_player(self) -> None:
        """Turn the board towards the person, if only one plays."""
        self.options.flipped = self.host.faces_player_2

    def _welcome(self) -> None:
        """Tell people who they are, how to win, and what to type."""
        game, state, people = self.live.game, self.live.state, self.host.people
        if people:
            task = game.task(state, people[0] if len(people) == 1 else None)
            if self.live.clock_waits:
                task += " The clocks start with the first move."
            text = f"{task}\nType 'help', 'rules' or a move such as {game.examples(state)}."
            self._notes = text.splitlines()
            if self.screen.paint.is_plain:
                self.screen.say(text)

    def _step(self) -> None:
        """Show what happened, then ask a person or wait for an agent."""
        # Read first: every event that led to this state is in the queue by then.
        is_over, is_asked = self.live.outcome is not None, self.live.person_to_move()
        had_events = False
        while not self.events.empty():
            had_events = True
            self.handle_event(self.events.get())
        if is_over:
            self._end()
        elif is_asked:
            self._ask()
        elif not had_events:  # after events, a person may be to move
            self.handle_event(self.events.get())

    def _ask(self) -> None:
        if self._drawn_turn != self.live.turn:
            self.draw()
        turn = self.live.turn
        stop = self.live.listen(self._warn_of_flag)
        try:
            line = self._prompt.ask(f"player {self.live.state.current_player}> ")
        finally:
            stop()
        if turn == self.live.turn:  # otherwise the flag fell in the meantime
            self._dispatch(line)

    def _warn_of_flag(self, event: Event) -> None:
        """Tell a person who is typing that their time is up."""
        if isinstance(event, GameEnded) and event.outcome.reason == "time":
            self.screen.say("\ntime is up: press Enter")

    def _end(self) -> None:
        """Say how it ended; at a terminal, ask what to do next."""
        if self._drawn_turn != self.live.turn:
            self.draw()
            self.screen.say(f"{self.live.outcome}, {counted(len(self.live.moves), 'move')}")
        if not self.is_interactive:
            self.is_leaving = True
            return
        self._dispatch(self._prompt.ask("new, review, undo, save, load or quit> "))

    def _dispatch(self, line: str) -> None:
        """Run a command, or else play a move."""
        words = line.split()
        if not words:
            return
        name = ALIASES.get(words[0].lower(), words[0].lower())
        try:
            if name in self.commands:
                self.commands[name].run(self, words[1:])
            elif name in COMMANDS:
                raise ConfigError(f"{name!r} is not possible in a game that is judged")
            else:
                self._notes.clear()
                self.live.play(self._read_move("".join(words).lower()))
        except (IllegalMoveError, NotationError) as error:
            if name in self.commands or self.live.outcome is not None:
                self.screen.say(str(error))
            else:
                state = self.live.state
                self.screen.say(explain_mistake(line.lower(), error, state, self.commands))
        except ConfigError as error:
            self.screen.say(str(error))
        except KeyboardInterrupt:
            if name not in STOPPABLE:
                raise
            self.screen.say("stopped")

    def _show_move(self, event: MovePlayed) -> None:
        seats = self.live.seats
        seat = seats[event.player]
        if seat.is_person:
            return
        is_unique = seats[1].name != seats[2].name
        who = seat.name if is_unique else f"player {event.player} ({seat.name})"
        note = format_played(who, event.move.text, event.move.time_s, event.result, event.before)
        self._notes.append(note)
        if self.screen.paint.is_plain:
            self.screen.say(note)
        elif not self.host.people and self.live.outcome is None:
            self.draw()

    def _confirm_leaving(self) -> bool:
        """Ask whether to leave, and whether to save; a second Ctrl-C means yes."""
        self.screen.clear_status()
        if not self.is_interactive or not self.live.moves:
            self.is_leaving = True
            return True
        try:
            self.screen.say()
            answer = self._prompt.ask("Leave the game? yes, no, or a file to save it to [yes]: ")
            if answer.lower() in ("n", "no"):
                return False
            if answer.lower() not in ("", "y", "yes"):
                save(self, [answer])
        except (ConfigError, NotationError) as error:
            self.screen.say(str(error))
            return False
        except (EOFError, KeyboardInterrupt):
            self.screen.say()
        self.is_leaving = True
        return True
