"""The host of games for every screen: one live game after another, each saved while it is played.

The terminal, the window and the page's server all drive a `GameHost`. It starts, opens, resumes and
replaces games, seats players, and asks the adviser. Screens differ in where players come from and
how games are saved, so they pass `players` and a `storage`. Each screen draws the game itself.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Protocol

from plyground.agents.human import PERSON
from plyground.analysis.adviser import adviser_for
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.cached_agent import cached_seat
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games import registry
from plyground.games.base import AnyGame, Move, State
from plyground.play.autosave import Autosave, ResumedGame
from plyground.play.clock import TimeControl
from plyground.play.events import Event
from plyground.play.game_file import read_game, save_game
from plyground.play.live_game import LiveGame
from plyground.play.record import Record
from plyground.play.seat import Seat

LAST_SIMPLE_MARK = 6
"""The marks up to this one say how good a move is, so that a move has one of them at most."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """The settings of a new game."""

    game: str
    players: tuple[str, str]
    """Both seats by name: `human`, a level or an agent."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """The game's settings, as a record has them."""
    position: str | None = None
    """The position to start from, if it is not the usual one."""
    time: str | None = None
    """Time control, such as `300+5`."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The minimum time of an agent's move, in seconds, so that people can follow."""

    with_people_s: float = 0.0
    watched_s: float = 0.5
    """In a game between agents."""

    def of(self, seats: Mapping[int, Seat]) -> float:
        """The pace of a game between these players."""
        has_people = any(seat.is_person for seat in seats.values())
        return self.with_people_s if has_people else self.watched_s


class Players(Protocol):
    """Where a host gets its players from."""

    def seat(self, name: str, game: AnyGame) -> Seat:
        """The seat of that name; a ConfigError if there is none."""

    def adviser(self, state: State) -> Seat:
        """The strong player that gives hints and analyses for a position's game and board."""


class GameStorage(Protocol):
    """How a host saves its games."""

    def begin(self, live: LiveGame) -> None:
        """Save a live game from now on."""

    def end(self, live: LiveGame, keep: bool) -> bool:
        """Stop saving it; returns whether it can be resumed."""


class LocalPlayers:
    """Players of this process. With a cache, agents reuse what was analysed before."""

    def __init__(self, cache: AnalysisCache | None = None) -> None:
        self._cache = cache
        self._advisers: dict[tuple[str, int], Seat] = {}

    def seat(self, name: str, game: AnyGame) -> Seat:
        """A person, a level or any agent."""
        return self.cached(Seat.of(name, game))

    def cached(self, seat: Seat) -> Seat:
        """The seat with its agent behind the cache, if it may use one."""
        return seat if self._cache is None else cached_seat(seat, self._cache)

    def adviser(self, state: State) -> Seat:
        """The adviser for the game and board; one is made for each."""
        key = (state.game.name, state.game.board_size(state))
        if key not in self._advisers:
            self._advisers[key] = adviser_for(state, self._cache)
        return self._advisers[key]


class AutosaveStorage:
    """Saves each game to a file of a folder, so that it can be resumed after a crash."""

    def __init__(
        self,
        folder: Path | None,
        resumed: ResumedGame | None = None,
        on_failure: Callable[[str], object] = lambda reason: None,  # noqa: ARG005
    ) -> None:
        self._folder = folder
        self._resumed = resumed
        self.on_failure = on_failure
        """Called once if a game cannot be saved."""
        self._autosave: Autosave | None = None

    def begin(self, live: LiveGame) -> None:
        """Save the game after every move."""
        if self._folder is not None:
            self._autosave = Autosave(
                live, self._folder, self._resumed, lambda reason: self.on_failure(reason)
            )
        self._resumed = None

    def end(self, live: LiveGame, keep: bool) -> bool:
        """Keep the file, so that the game can be resumed, or remove it."""
        if self._autosave is None:
            return False
        kept = self._autosave.close(keep and live.main_end > 0)
        self._autosave = None
        return kept


class GameHost:
    """Hosts one live game at a time.

    Events are passed to `on_event` with their game, on any thread. By default they are put into the
    queue `events`, which is replaced with each new game.
    """

    def __init__(
        self,
        live: LiveGame,
        players: Players | None = None,
        storage: GameStorage | None = None,
        pace: Pace | None = None,
        on_event: Callable[[LiveGame, Event], object] | None = None,
        close: Callable[[LiveGame], int | None] = LiveGame.close,
    ) -> None:
        self.live = live
        self.number = 1
        """The number of the game, from 1, by which a screen notices a new game."""
        self.saved: tuple[Path, int] | None = None
        """The file the game was saved to or loaded from, and its number there."""
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.pace = pace or Pace()
        self._players = players or LocalPlayers()
        self._storage = storage or AutosaveStorage(None)
        self._on_event = on_event
        self._close = close
        self._saved_turn: int | None = None
        self._attach()

    # Read-only state.

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.live.game

    @property
    def adviser(self) -> Seat:
        """The strong player that gives hints and analyses."""
        return self.adviser_for(self.live.state)

    def adviser_for(self, state: State) -> Seat:
        """The strong player for the game and board of a position."""
        return self._players.adviser(state)

    @property
    def people(self) -> list[int]:
        """The players who are people."""
        return [player for player, seat in self.live.seats.items() if seat.is_person]

    @property
    def faces_player_2(self) -> bool:
        """Whether to turn the board round: for the only person, who plays second."""
        return self.game.turns_board and self.people == [2]

    def seat(self, name: str, game: AnyGame | None = None) -> Seat:
        """A player by name, by default for the current game."""
        return self._players.seat(name, game or self.game)

    def seats(self, names: tuple[str, str], game: AnyGame) -> dict[int, Seat]:
        """Both players by name; the name of a person in the current game means that person."""
        people = {seat.name for seat in self.live.seats.values() if seat.is_person}
        return {
            player: Seat(name) if name in people else self._players.seat(name, game)
            for player, name in enumerate(names, 1)
        }

    # Games.

    def new_game(self, new: NewGame) -> None:
        """Start another game; after an error the current one goes on."""
        self.replace(self.make_game(new))

    def make_game(self, new: NewGame) -> LiveGame:
        """The game of these settings, which has not started; an error if they cannot work."""
        game = registry.get(new.game)
        settings = game.new_settings(new.settings) if new.position is None else new.settings
        start = game.start(settings, new.position)
        control = TimeControl.parse(new.time) if new.time else None
        seats = self.seats(new.players, game)
        tags = {"Date": f"{date.today():%Y.%m.%d}"}
        return LiveGame(seats, start, control=control, tags=tags, pace_s=self.pace.of(seats))

    def restart(self) -> None:
        """Start the same game again, with new agents."""
        live = self.live
        seats = {
            player: seat if seat.is_person else self.seat(seat.name)
            for player, seat in live.seats.items()
        }
        self.replace(
            LiveGame(
                seats, live.states[0], control=live.controls, tags=live.tags, pace_s=live.pace_s
            )
        )

    def rematch(self) -> NewGame:
        """The settings of the same game with the sides swapped."""
        live = self.live
        start, game = live.states[0], live.game
        first, second = (
            PERSON if live.seats[player].is_person else live.seats[player].name for player in (2, 1)
        )
        settings, control = game.settings(start), live.controls[1]
        is_usual = start == game.start(settings)
        return NewGame(
            game.name,
            (first, second),
            settings,
            None if is_usual else start.text(),
            None if control is None else str(control),
        )

    def resume(self, record: Record, seats: Mapping[int, Seat]) -> None:
        """Continue a recorded game between these players."""
        self.replace(LiveGame.resume(record, seats, pace_s=self.pace.of(seats)))

    def open(self, record: Record) -> None:
        """Show the end of a recorded game, with people in both seats, so that no agent moves."""
        tags = {name: value for name, value in record.tags.items() if name != "Current"}
        seats = {player: Seat(record.player_name(player)) for player in (1, 2)}
        self.resume(replace(record, tags=tags), seats)

    def load(self, path: Path, number: int | None = None) -> None:
        """Continue a game from a file, by default the last one, between the current players."""
        record, number = read_game(path, number)
        if record.game != self.game.name:
            raise ConfigError(f"expected a game of {self.game.name}, got one of {record.game}")
        self.resume(record, self.live.seats)
        self.saved, self._saved_turn = (path, number), self.live.turn

    def save(self, path: Path | None = None) -> tuple[Path, int]:
        """Write the game to a file: replace its earlier version there, or append it.

        The default path is that of the last save. Returns the file, and the game's number in it.
        """
        number = None
        if self.saved is not None and path in (None, self.saved[0]):
            path, number = self.saved
        if path is None:
            raise ConfigError("expected a file to save to, such as 'save game.pgn'")
        with self.live.locked():  # an agent may move while the file is written
            record, turn = self.live.record(), self.live.turn
        self.saved = path, save_game(record, path, number)
        self._saved_turn = turn
        return self.saved

    def replace(self, live: LiveGame) -> None:
        """Replace this game, which stays saved, by another one that has not started."""
        self._detach()
        self.live = live
        self.number += 1
        self.saved, self._saved_turn = None, None
        self.events = queue.SimpleQueue()
        self._attach()

    def leave(self) -> bool:
        """Stop hosting; returns whether the game is unfinished and can be resumed."""
        return self._detach() and self.live.outcome is None

    # Moves and seats.

    def play(self, move: Move, ply: int | None = None, node: int | None = None) -> None:
        """Play a move of a person at the position on the board or at another one.

        A new move at another position opens a variation. That position is a ply of the line on the
        board, or any node of the game's tree.
        """
        live = self.live
        with live.locked():
            if node is None:
                last = len(live.moves)
                if ply is not None and ply > last:
                    raise IllegalMoveError(f"expected a position from 0 to {last}, got {ply}")
                node = live.node if ply is None else live.node_at(ply)
            if not live.person_may_move(node) and live.outcome_of(node) is None:
                seat = live.seats[live.state_of(node).current_player]
                raise IllegalMoveError(f"it is the turn of {seat.name}")
            live.play(move, node=node)

    def back_to_game(self) -> None:
        """Go to the end of the main line."""
        if self.live.node == self.live.main_end:
            raise IllegalMoveError("the board shows the end of the game already")
        self.live.select(self.live.main_end)

    def promote(self, node: int) -> None:
        """Promote the variation that a position is in."""
        self.live.promote(node)
        self._saved_turn = None

    def delete_variation(self, node: int) -> None:
        """Delete the variation that a position is in."""
        self.live.delete_variation(node)
        self._saved_turn = None

    def restore_variation(self) -> int:
        """Restore the variation that was deleted last; returns its first node."""
        self._saved_turn = None
        return self.live.restore_variation()

    def annotate(self, node: int, comment: str | None = None, mark: int | None = None) -> None:
        """Set the comment of a move, its mark from 1 (`!`) to 6 (`?!`), or both; 0 is no mark.

        Other marks stay.
        """
        with self.live.locked():
            move = next((each.move for each in self.live.tree() if each.node == node), None)
            if move is None:
                raise IllegalMoveError("expected a move of the game to comment on")
            marks = move.marks
            if mark is not None:
                others = tuple(each for each in marks if each > LAST_SIMPLE_MARK)
                marks = (mark, *others) if mark else others
            self.live.annotate(node, move.comment if comment is None else comment, marks)
        self._saved_turn = None

    def resign(self) -> None:
        """Resign for a person: the one to move if both players are people."""
        people = self.people
        if not people:
            raise IllegalMoveError("no person plays in this game")
        mover = self.live.state.current_player
        self.live.resign(mover if mover in people else people[0])

    def take_seat(self, player: int, name: str) -> None:
        """Give a seat to another player from now on."""
        if player not in (1, 2):
            raise ConfigError(f"expected player 1 or 2, got {player}")
        self.live.take_seat(player, self.seat(name))
        self.live.pace_s = self.pace.of(self.live.seats)

    def hint(self) -> None:
        """Ask the adviser for a move; a HintFound or HintFailed event follows."""
        self.live.hint(self.adviser)

    # Implementation.

    def _attach(self) -> None:
        if self._on_event is None:
            self.live.listen(self.events.put)
        else:
            self.live.listen(partial(self._on_event, self.live))
        self._storage.begin(self.live)

    def _detach(self) -> bool:
        """Close the game; returns whether it was kept.

        It does not keep a game that `save` wrote to a file after the last move.
        """
        last_turn = self._close(self.live)
        return self._storage.end(self.live, last_turn is None or self._saved_turn != last_turn)
