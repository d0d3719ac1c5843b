"""What a person does and sees at the window, without any drawing: games, moves, looking back.

The host always has a live game. A replay or a puzzle may cover it: then stepping and moving are
about the replay or the puzzle, and the live game below waits.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.base import AnyGame, Move, State
from plyground.games.board import Spot
from plyground.play.events import HintFound
from plyground.play.game_file import save_game
from plyground.play.live_game import LiveGame
from plyground.play.record import Record
from plyground.play.seat import Seat
from plyground.ui.desktop.game_list import open_games
from plyground.ui.desktop.messages import StatusMessages
from plyground.ui.desktop.puzzles import WindowPuzzles
from plyground.ui.desktop.replay import REPLAY_PACE_S, GameReplay
from plyground.ui.game_host import GameHost, NewGame
from plyground.ui.text import format_reason, why_illegal
from plyground.ui.variations import GameLine, game_lines
from plyground.ui.view import DisplayOptions, GameView, view_live

SHORTEST_PACE_S, LONGEST_PACE_S = 0.05, 10.0
CONFIRM_S = 3.0
"""Seconds in which a second Escape leaves, and a second Resign resigns."""
FIRST_PACE_S = 0.5
"""What `change_pace` starts from if agents move at once."""


class WindowSession:
    """The host of the games, the replay, the display options and the status messages.

    With `is_locked` another program runs the game: people may move and look, but not take moves
    back or leave for another game.
    """

    def __init__(
        self,
        host: GameHost,
        options: DisplayOptions | None = None,
        messages: StatusMessages | None = None,
        *,
        is_locked: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.host = host
        self.options = options or DisplayOptions(flipped=host.faces_player_2, targets=True)
        self.messages = messages or StatusMessages()
        self.is_locked = is_locked
        self.now = now
        self.replay: GameReplay | None = None
        self.puzzles: WindowPuzzles | None = None
        self.ply: int | None = None
        """The ply that is shown of a live game; None for the newest."""
        self.is_leaving = False
        self.redraw = threading.Event()
        """Set by work on another thread that has something new to show."""
        self.has_game = False
        """Whether a live game has started, to which a replay can be closed."""
        self._resigning = (-1, 0.0)  # the turn and time in which it asked whether to resign
        self._explained: tuple[State, Spot, str | None] | None = None

    # Read-only state.

    @property
    def live(self) -> LiveGame:
        """The live game."""
        return self.host.live

    @property
    def game(self) -> AnyGame:
        """The game that is shown."""
        if self.puzzles is not None:
            return self.puzzles.host.puzzle.start.game
        return self.host.game if self.replay is None else self.replay.states[0].game

    @property
    def can_move(self) -> bool:
        """Whether a person can move on the board as it is shown."""
        if self.puzzles is not None:
            return self.puzzles.can_move
        return self.replay is None and self.ply is None and self.live.person_to_move()

    @property
    def must_pass(self) -> bool:
        """Whether a person is to move and can only pass."""
        return self.puzzles is None and self.can_move and view_live(self.live).must_pass

    def view(self) -> GameView:
        """The position that is shown."""
        if self.puzzles is not None:
            return self.puzzles.view(self.options)
        if self.replay is not None:
            return self.replay.view(self.options.paths)
        targets = self.options.targets and self.can_move
        return view_live(self.live, targets, self.options.paths, self.ply)

    def why_illegal_at(self, view: GameView, spot: Spot) -> str | None:
        """Why the move at a spot cannot be played; None if it can. The last answer is cached."""
        known = self._explained
        if known is None or known[:2] != (view.state, spot):
            known = self._explained = view.state, spot, _why_illegal_at(view, spot)
        return known[2]

    # Actions. Errors are raised, and `attempt` shows them.

    def start(self) -> None:
        """Start the clocks and the agents."""
        self.has_game = True
        self.live.start()

    def update(self) -> bool:
        """Handle events and advance the replay; returns whether there is something new to show."""
        is_new = self.redraw.is_set()
        self.redraw.clear()
        while not self.host.events.empty():
            event = self.host.events.get()
            if self.replay is None and self.puzzles is None:  # else the live game is not shown
                if self.messages.handle_event(event, self.host):
                    self.ply = None
                elif isinstance(event, HintFound) and self.ply is not None:
                    self.messages.leave_position(is_newest=False)
                is_new = True
        return self._update_replay() or is_new

    def attempt(self, action: Callable[[], object]) -> bool:
        """Do something, or show why it cannot be done."""
        try:
            action()
        except (ConfigError, IllegalMoveError, NotationError) as error:
            self.messages.show_error(format_reason(error))
            return False
        return True

    def play(self, move: Move) -> None:
        """Play a move for the person to move."""
        if self.puzzles is not None:
            self._show_puzzle(self.puzzles.play(move))
            return
        if self.replay is not None:
            raise IllegalMoveError("this is a replay; 'Play on' continues the game from here")
        if self.ply is not None:
            raise IllegalMoveError("this is an earlier position; End goes to the newest")
        self.host.play(move)

    def play_at(self, spot: Spot) -> None:
        """Play the move at a spot of the board."""
        self.play(self.view().move_at(spot))

    def pass_turn(self) -> None:
        """Pass, if that is the only move."""
        if self.must_pass:
            self.play(self.live.state.legal_actions()[0])

    def undo(self) -> None:
        """Undo up to a person's last decision, or up to the position that is shown.

        In a puzzle, go back to the position before a wrong move.
        """
        if self.puzzles is not None:
            self.puzzles.retry()
            self._show_puzzle(self.puzzles.host.task())
            return
        self._check_unlocked()
        if self.ply is not None:
            self.live.go_to(self.ply)
        else:
            self.live.undo()

    def redo(self) -> None:
        """Redo the moves that were undone."""
        self._check_unlocked()
        self.live.redo()

    def resign(self) -> None:
        """Ask whether to resign; a second call within CONFIRM_S seconds resigns."""
        self._check_unlocked()
        turn, now_s = self.live.turn, self.now()
        asked_turn, asked_s = self._resigning
        can_resign = self.host.people and self.live.outcome is None
        if can_resign and (asked_turn != turn or now_s - asked_s > CONFIRM_S):
            self._resigning = turn, now_s
            self.messages.show("press Resign again to give up")
        else:
            self.host.resign()

    def hint(self) -> None:
        """Ask the adviser for a move, or for a hint about the puzzle."""
        if self.puzzles is not None:
            self.puzzles.retry()
            text, move = self.puzzles.host.hint()
            self._show_puzzle(text)
            self.messages.hint = move
            return
        if not self.can_move:
            raise IllegalMoveError("a hint needs a game in which a person is to move")
        if not self.messages.is_hint_pending:
            self.host.hint()
            self.messages.is_hint_pending = True

    def go_to(self, ply: int) -> None:
        """Show the position after a number of moves."""
        if self.puzzles is not None:
            self.puzzles.go_to(ply)
            return
        if self.replay is not None:
            self.replay.go_to(ply)
            self.replay.is_running = False
            self.messages.clear()
            return
        before, last = self.ply, len(self.live.moves)
        self.ply = None if ply >= last else max(0, ply)
        if self.ply != before:
            self.messages.leave_position(is_newest=self.ply is None)

    def step(self, plies: int) -> None:
        """Show an earlier or later position."""
        self.go_to(self.view().ply + plies)

    def lines(self) -> list[GameLine]:
        """The lines of the live game; a ConfigError if it has no variation."""
        listed = game_lines(self.live.tree())
        if self.replay is not None or self.puzzles is not None or len(listed) < 2:
            raise ConfigError("this game has no variations yet")
        return listed

    def reviewed_game(self) -> tuple[Record, Seat, int | None]:
        """The game that is shown, its adviser, and the player who is the only person."""
        replay, people = self.replay, self.host.people
        record = self.live.record() if replay is None else replay.record
        if not record.moves:
            raise ConfigError("there is no move to review yet")
        you = people[0] if replay is None and len(people) == 1 else None
        return record, self.host.adviser_for(record.start_state()), you

    def show_line(self, line: GameLine) -> None:
        """Play on from the end of a line."""
        self._check_unlocked()
        self.live.select(line.moves[-1].node)

    def toggle_replay(self) -> None:
        """Run or stop the replay."""
        if self.replay is not None:
            self.replay.toggle(self.now())

    def change_pace(self, factor: float) -> None:
        """Multiply the time of a move in the replay, or the least time of agents' moves."""
        if self.replay is not None:
            self.replay.pace_s = _bounded_pace(self.replay.pace_s * factor)
            self.messages.show(f"{self.replay.pace_s:.2g} seconds per move")
        else:
            self.live.pace_s = _bounded_pace((self.live.pace_s or FIRST_PACE_S) * factor)
            self.messages.show(f"agents take at least {self.live.pace_s:.2g} seconds per move")

    def show_game(self, number: int) -> None:
        """Replay another game of the list, counted from 0."""
        if self.replay is not None:
            self.replay.show(number)
            self.messages.clear()
            self.replay.is_following = (
                self.replay.games.can_grow and self.replay.number == len(self.replay.games) - 1
            )

    def open(self, path: Path, pace_s: float | None = None) -> None:
        """Replay the games of a file: records, or the store of a tournament."""
        self._check_unlocked()
        games = open_games(path)
        self.close_puzzles()
        self.close_replay()
        self.replay = GameReplay(games, self.now(), pace_s or REPLAY_PACE_S)
        if self.replay.record.result == "*":
            self.replay.go_to(len(self.replay.record.moves))
        self.messages.show(f"{games.name}: Space runs and stops, the arrows step")

    def close_replay(self) -> None:
        """Return to the live game."""
        if self.replay is not None:
            self.replay.games.close()
            self.replay = None
        self.ply = None
        self.messages.clear()

    def open_puzzles(self, puzzles: WindowPuzzles) -> None:
        """Show puzzles, over the live game."""
        self._check_unlocked()
        self.close_replay()
        self.puzzles = puzzles
        self.next_puzzle(puzzles.next)

    def next_puzzle(self, begin: Callable[[], str]) -> None:
        """Show another puzzle, from the side of its solver."""
        if self.puzzles is None:
            raise ConfigError("there are no puzzles on the board")
        text, puzzle = begin(), self.puzzles.host.puzzle.start
        self.options.flipped = puzzle.game.turns_board and puzzle.current_player == 2
        self._show_puzzle(text)

    def answer_puzzle(self) -> None:
        """Give up the puzzle, and show how it is won."""
        if self.puzzles is None:
            raise ConfigError("there are no puzzles on the board")
        self._show_puzzle(self.puzzles.answer())

    def close_puzzles(self) -> None:
        """Return to the live game."""
        if self.puzzles is not None:
            self.puzzles = None
            self.options.flipped = self.host.faces_player_2
            self.messages.clear()

    def save(self, path: Path) -> None:
        """Write the game that is shown to a file: replace its earlier version, or append it."""
        if self.replay is not None:
            number = save_game(self.replay.record, path)
        else:
            path, number = self.host.save(path)
        self.messages.show(f"saved as game {number} of {path}")

    def new_game(self, new: NewGame) -> None:
        """Replace this game, which stays saved, by a new one."""
        self._check_unlocked()
        self.host.new_game(new)
        self._begin()

    def play_on(self, players: tuple[str, str]) -> None:
        """Continue from the position of the replay, as a new game between these players."""
        self._check_unlocked()
        if self.replay is None:
            raise ConfigError("there is no replay to continue from")
        record, ply = self.replay.record, self.replay.ply
        left_out = ("Clock", "Current")
        tags = {name: value for name, value in record.tags.items() if name not in left_out}
        cut = Record.from_moves(record.moves[:ply], record.start_state(), tags, record.comment)
        self.host.resume(cut, self.host.seats(players, self.game))
        self._begin()

    def leave(self) -> bool:
        """End the session; returns whether the game can be resumed."""
        self.is_leaving = True
        self.close_replay()
        return False if self.is_locked else self.host.leave()

    # Implementation.

    def _update_replay(self) -> bool:
        """Advance the replay; a store that cannot be read any more stops it."""
        if self.replay is None:
            return False
        try:
            is_new = self.replay.update(self.now())
        except (ConfigError, IllegalMoveError, NotationError) as error:
            self.replay.is_running = False
            self.messages.show_error(format_reason(error))
            return True
        if is_new:
            self.messages.clear()
        return is_new

    def _begin(self) -> None:
        """Show the new game, and start it."""
        self.close_replay()
        self.close_puzzles()
        self.options.flipped = self.host.faces_player_2
        self.start()

    def _show_puzzle(self, text: str) -> None:
        """Replace the message and the hint."""
        self.messages.clear()
        self.messages.show(text)

    def _check_unlocked(self) -> None:
        if self.is_locked:
            raise ConfigError("this game is run by another program; it can only be watched")


def _why_illegal_at(view: GameView, spot: Spot) -> str | None:
    try:
        return why_illegal(view.state, view.move_at(spot))
    except IllegalMoveError as error:
        return format_reason(error)


def _bounded_pace(pace_s: float) -> float:
    return min(LONGEST_PACE_S, max(SHORTEST_PACE_S, pace_s))
