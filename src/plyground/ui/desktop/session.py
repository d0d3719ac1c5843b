"""What a person at the window does and sees, with nothing drawn: games, moves, looking back.

The game on the table is always there. A replay may be in front of it; then everything that looks
at moves is about the replay, and the game below waits for people as ever.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.play.clock import TimeControl
from plyground.play.game_file import save_game
from plyground.play.live_game import LiveGame
from plyground.play.record import Record
from plyground.play.seat import Seat
from plyground.ui.desktop.games import open_games
from plyground.ui.desktop.news import News
from plyground.ui.desktop.replay import REPLAY_PACE_S, Replay
from plyground.ui.desktop.wishes import NewGame, Shown
from plyground.ui.table import Table, watched_pace_s
from plyground.ui.view import GameView, ReversiView, view_of, why_not
from plyground.ui.words import reason


class Session:
    """The table, what is looked at, and what there is to say about it.

    With `is_locked` the game is somebody else's: people may move where they have a seat, and look
    at everything, but neither take back nor leave it for another.
    """

    def __init__(
        self,
        table: Table,
        shown: Shown | None = None,
        *,
        is_locked: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.table = table
        self.shown = shown or Shown(flipped=table.faces_player_2)
        self.is_locked = is_locked
        self.replay: Replay | None = None
        self.ply: int | None = None
        """The move that is looked at in a game in progress; None for the newest."""
        self.news = News()
        self.is_leaving = False
        self.has_game = False
        """Whether there is a game below a replay."""
        self.now = now
        table.on_failure = self.news.complain
        self._refusals: dict[tuple[Any, str], str | None] = {}

    @property
    def live(self) -> LiveGame:
        """The game on the table."""
        return self.table.live

    @property
    def game(self) -> str:
        """The game that is shown, by name."""
        return self.replay.record.game if self.replay else self.live.rules.name

    def start(self) -> None:
        """Let the game begin."""
        self.has_game = True
        self.live.start()

    # What there is to see.

    def view(self) -> GameView:
        """The position that is shown."""
        if self.replay is not None:
            return self.replay.view(False, self.shown.paths)
        targets = self.shown.targets and self.can_move
        return view_of(self.live, targets, self.shown.paths, self.ply)

    @property
    def can_move(self) -> bool:
        """Whether a person may move on the board as it is shown."""
        return self.replay is None and self.ply is None and self.live.person_to_move()

    @property
    def must_pass(self) -> bool:
        """Whether the person to move has no other move than to pass."""
        board = view_of(self.live).board
        return self.can_move and isinstance(board, ReversiView) and board.must_pass

    def refusal(self, move: str) -> str | None:
        """Why a move is not possible now; None where it is."""
        key = self.live.state, move
        if key not in self._refusals:
            self._refusals = {key: why_not(*key)}  # the pointer is in one place
        return self._refusals[key]

    def update(self) -> bool:
        """Take in what happened; whether there is something new to see."""
        is_new = False
        while not self.table.events.empty():
            event = self.table.events.get()
            if self.replay is None:  # which would hide it
                if self.news.hear(event, self.table):
                    self.ply = None
                is_new = True
        return self._update_replay() or is_new

    # What can be done. What the rules or a file object to is raised, for `attempt` to say.

    def attempt(self, act: Callable[[], object]) -> bool:
        """Do something, or say why it cannot be done."""
        try:
            act()
        except (ConfigError, IllegalMoveError, NotationError) as error:
            self.news.complain(reason(error))
            return False
        return True

    def play(self, move: str) -> None:
        """Play a move in notation for the person to move."""
        if self.replay is not None:
            raise IllegalMoveError("this game is over and done with; 'Play on' goes on from here")
        if self.ply is not None:
            raise IllegalMoveError("this is an earlier position; End goes to the newest")
        if self.live.outcome is None and not self.live.person_to_move():
            raise IllegalMoveError(f"it is not your turn: {self._name_to_move()} is to move")
        self.live.play(move)

    def undo(self) -> None:
        """Take back to a person's last choice, or to the position that is looked at."""
        self._check_unlocked()
        if self.ply is not None:
            self.live.go_to(self.ply)
        else:
            self.live.undo()

    def redo(self) -> None:
        """Play again what was taken back."""
        self._check_unlocked()
        self.live.redo()

    def resign(self) -> None:
        """Give up."""
        self._check_unlocked()
        self.live.resign()

    def ask_hint(self) -> None:
        """Ask what a strong player would do."""
        if not self.can_move:
            raise IllegalMoveError("a hint is for whoever is to move in a game in progress")
        if not self.news.is_advised:
            self.live.hint(self.table.adviser)
            self.news.is_advised = True

    def go_to(self, ply: int) -> None:
        """Look at the position after so many moves."""
        if self.replay is not None:
            self.replay.go_to(ply)
            self.replay.is_running = False
            self.news.clear()
            return
        last = len(self.live.moves)
        self.ply = None if ply >= last else max(0, ply)

    def step(self, plies: int) -> None:
        """Look at an earlier or a later position."""
        self.go_to(self.view().ply + plies)

    def run_or_stop(self) -> None:
        """Let a replay go on by itself, or stop it."""
        if self.replay is not None:
            self.replay.toggle(self.now())

    def change_pace(self, factor: float) -> None:
        """Watch and replay faster or slower."""
        if self.replay is not None:
            self.replay.pace_s = min(10.0, max(0.05, self.replay.pace_s * factor))
            self.news.say(f"{self.replay.pace_s:.2g} seconds a move")
        else:
            self.live.pace_s = min(10.0, max(0.05, (self.live.pace_s or 0.5) * factor))
            self.news.say(f"agents take at least {self.live.pace_s:.2g} seconds a move")

    def show_game(self, number: int) -> None:
        """Replay another of the games, counted from 0."""
        if self.replay is not None:
            self.replay.show(number)
            self.news.clear()
            self.replay.is_following = (
                self.replay.games.can_grow and self.replay.number == len(self.replay.games) - 1
            )

    def open(self, path: Path, pace_s: float | None = None) -> None:
        """Replay the games of a file of records, or of the store of a tournament."""
        self._check_unlocked()
        games = open_games(path)
        self.close_replay()
        self.replay = Replay(games, self.now(), pace_s or REPLAY_PACE_S)
        if self.replay.record.result == "*":
            self.replay.go_to(len(self.replay.record.moves))
        self.news.say(f"{games.name}: Space runs and stops, the arrows step")

    def close_replay(self) -> None:
        """Go back to the game on the table."""
        if self.replay is not None:
            self.replay.games.close()
            self.replay = None
        self.ply = None
        self.news.clear()

    def save(self, path: Path) -> None:
        """Write the game that is shown to a file, beside those in it."""
        if self.replay is not None:
            number = save_game(self.replay.record, path)
        else:
            path, number = self.table.save(path)
        self.news.say(f"saved as game {number} of {path}")

    def begin(self, new: NewGame) -> None:
        """Leave this game, which is kept, for a new one."""
        rules = registry.get(new.game)
        control = None if new.time is None else TimeControl.parse(new.time)
        self._check_unlocked()
        seats = self._seats(new.game, new.seats)
        live = LiveGame(
            seats,
            rules.start(new.settings),
            new.game,
            control=control,
            tags={"Date": f"{date.today():%Y.%m.%d}"},
            pace_s=watched_pace_s(seats),
        )
        self._change(live)

    def play_on(self, names: tuple[str, str]) -> None:
        """Go on from the position of the replay, in a game of its own."""
        self._check_unlocked()
        if self.replay is None:
            raise ConfigError("there is no replay to play on from")
        record, ply = self.replay.record, self.replay.ply
        tags = {name: value for name, value in record.tags.items() if name != "Clock"}
        cut = Record.from_moves(
            record.moves[:ply], record.start_state(), record.game, tags, record.comment
        )
        seats = self._seats(record.game, names)
        self._change(LiveGame.resume(cut, seats, pace_s=watched_pace_s(seats)))

    def leave(self) -> bool:
        """Close the window; whether the game can be resumed."""
        self.is_leaving = True
        self.close_replay()
        return False if self.is_locked else self.table.leave()

    # How it works.

    def _update_replay(self) -> bool:
        """Let a replay run; a store that can be read no more stops it."""
        if self.replay is None:
            return False
        try:
            is_new = self.replay.update(self.now())
        except (ConfigError, IllegalMoveError, NotationError) as error:
            self.replay.is_running = False
            self.news.complain(reason(error))
            return True
        if is_new:
            self.news.clear()
        return is_new

    def _change(self, live: LiveGame) -> None:
        self.table.change_game(live)
        self.close_replay()
        self.shown.flipped = self.table.faces_player_2
        self.start()

    def _seats(self, game: str, names: tuple[str, str]) -> dict[int, Seat]:
        """Seats by name; a person's own name is known if they sit here."""
        people = {seat.name for seat in self.live.seats.values() if seat.is_person}
        return {
            player: Seat(name) if name in people else self.table.seat(name, game)
            for player, name in enumerate(names, 1)
        }

    def _check_unlocked(self) -> None:
        if self.is_locked:
            raise ConfigError("this game is run by another program; it can only be watched")

    def _name_to_move(self) -> str:
        return self.live.seats[self.live.state.current_player].name
