"""A person at a terminal, and the games they play: draws, reads, obeys, and waits for agents."""

from __future__ import annotations

import queue
from collections.abc import Callable
from pathlib import Path

from plyground.analysis.cache import AnalysisCache
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.play.autosave import ResumedGame
from plyground.play.events import Event, GameEnded, MovePlayed, PositionChanged, Thinking
from plyground.play.live_game import LiveGame
from plyground.play.seat import Seat
from plyground.ui.table import Table
from plyground.ui.terminal.commands import ALIASES, COMMANDS, commands_of, completions, save
from plyground.ui.terminal.prompt import Prompt
from plyground.ui.terminal.screen import Options, Screen
from plyground.ui.view import GameView, ReversiView, view_of
from plyground.ui.words import mistake, played, thinking

LEFT_BY_CTRL_C = 130
STOPPABLE = ("hint", "eval", "analyse")
"""Commands that take a moment; Ctrl-C ends them and not the game."""


class Session:
    """Plays games at a terminal, or over a pipe, until somebody leaves.

    `is_interactive` says that a person is there who may want another game when one is over. With
    `is_locked` the game is somebody else's: people may move and look at it, but neither take back
    nor leave it for another.
    """

    def __init__(
        self,
        live: LiveGame,
        screen: Screen,
        options: Options,
        is_interactive: bool,
        autosave_folder: Path | None = None,
        resumed: ResumedGame | None = None,
        cache: AnalysisCache | None = None,
        read_move: Callable[[str], str] = str,
        is_locked: bool = False,
    ) -> None:
        self.table = Table(live, autosave_folder, resumed, cache, screen.say)
        self.screen = screen
        self.options = options
        self.is_interactive = is_interactive
        self.is_leaving = False
        self.commands = commands_of(is_locked)
        self._read_move = read_move
        """What turns a move as it was typed into our notation, where people type otherwise."""
        self._drawn: int | None = None
        """The turn that is on the screen."""
        self._notes: list[str] = []
        """What happened since a person last had the choice."""
        self._prompt = Prompt(lambda before: completions(self, before))

    @property
    def live(self) -> LiveGame:
        """The game on the table."""
        return self.table.live

    @property
    def events(self) -> queue.SimpleQueue[Event]:
        """What happened in it and was not shown yet."""
        return self.table.events

    @property
    def adviser(self) -> Seat:
        """Who gives hints and analyses."""
        return self.table.adviser

    def run(self) -> int:
        """Play until somebody leaves or there is nobody to ask; the exit status."""
        status = 0
        self.begin()
        while not self.is_leaving:
            try:
                self._step()
            except EOFError:
                self.is_leaving = True
            except KeyboardInterrupt:
                if self._confirm_leaving():
                    status = LEFT_BY_CTRL_C
        self.screen.clear_status()
        if self.table.leave():
            self.screen.say("the game is kept: 'plyground play --resume' goes on with it")
        return status

    def view(self) -> GameView:
        """The game as it is shown."""
        return view_of(self.live, self.options.targets, self.options.paths)

    def draw(self) -> None:
        """Show the board, and below it what happened since a person last had the choice."""
        self._drawn = self.live.turn
        view = self.view()
        self.screen.show(view, self.options)
        if not self.screen.paint.is_plain:
            for note in self._notes[-2:]:
                self.screen.say(note)
        must_pass = isinstance(view.board, ReversiView) and view.board.must_pass
        if must_pass and self.live.person_to_move():
            self.screen.say(f"player {self.live.state.current_player} has no move: type 'pass'")

    def hear(self, event: Event) -> None:
        """Show what happened in the game."""
        if isinstance(event, Thinking):
            self.show_thinking(event, self.live.seats[event.player])
        elif isinstance(event, MovePlayed):
            self._hear_move(event)
        elif isinstance(event, PositionChanged):
            self._notes.clear()

    def show_thinking(self, event: Thinking, seat: Seat) -> None:
        """Show how far a search is."""
        self.screen.status(thinking(self.live.rules, seat, event.state, event.result))

    def begin(self) -> None:
        """Show the game that has just come on the table, and let it start."""
        self.screen.clear_status()
        self._drawn = None
        self._notes.clear()
        self._welcome()
        self.live.start()

    def face_player(self) -> None:
        """Turn the board to the person at it, if there is just one."""
        self.options.flipped = self.table.faces_player_2

    def _welcome(self) -> None:
        """Tell the people at the board who they are, how to win, and what to type."""
        rules, state, people = self.live.rules, self.live.state, self.table.people
        if people:
            task = rules.task(state, people[0] if len(people) == 1 else None)
            words = f"{task}\nType a move such as {rules.examples(state)}, or 'help'."
            self._notes = words.splitlines()
            if self.screen.paint.is_plain:
                self.screen.say(words)

    def _step(self) -> None:
        """One thing: show what happened, ask a person, or wait for an agent."""
        # Looked at first: by then everything that led there has been told.
        is_over, is_asked = self.live.outcome is not None, self.live.person_to_move()
        is_news = False
        while not self.events.empty():
            is_news = True
            self.hear(self.events.get())
        if is_over:
            self._end()
        elif is_asked:
            self._ask()
        elif not is_news:  # with news, it may be a person's turn by now
            self.hear(self.events.get())

    def _ask(self) -> None:
        if self._drawn != self.live.turn:
            self.draw()
        turn = self.live.turn
        stop = self.live.listen(self._hear_flag)
        try:
            line = self._prompt.ask(f"player {self.live.state.current_player}> ")
        finally:
            stop()
        if turn == self.live.turn:  # or else the flag fell while they typed
            self._obey(line)

    def _hear_flag(self, event: Event) -> None:
        """Tell a person who sits over a move that it is too late, as it happens."""
        if isinstance(event, GameEnded) and event.outcome.reason == "time":
            self.screen.say("\ntime is up: press Enter")

    def _end(self) -> None:
        """Say how it ended; a person who is there is asked what to do next."""
        if self._drawn != self.live.turn:
            self.draw()
            moves = len(self.live.moves)
            self.screen.say(f"{self.live.outcome}, {moves} move{'' if moves == 1 else 's'}")
        if not self.is_interactive:
            self.is_leaving = True
            return
        self._obey(self._prompt.ask("new, undo, save, load or quit> "))

    def _obey(self, line: str) -> None:
        """Do what a person typed: a command, or else a move."""
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
                state, rules = self.live.state, self.live.rules
                self.screen.say(mistake(line.lower(), error, rules, state, self.commands))
        except ConfigError as error:
            self.screen.say(str(error))
        except KeyboardInterrupt:
            if name not in STOPPABLE:
                raise
            self.screen.say("stopped")

    def _hear_move(self, event: MovePlayed) -> None:
        seats = self.live.seats
        seat = seats[event.player]
        if seat.is_person:
            return
        alone = seats[1].name != seats[2].name
        who = seat.name if alone else f"player {event.player} ({seat.name})"
        note = played(who, event.move.text, event.move.time_s, seat, event.before, event.result)
        self._notes.append(note)
        is_watched = not any(each.is_person for each in seats.values())
        if self.screen.paint.is_plain:
            self.screen.say(note)
        elif is_watched and self.live.outcome is None:
            self.draw()

    def _confirm_leaving(self) -> bool:
        """Ask whether to leave, and whether to save; Ctrl-C again is a yes."""
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
