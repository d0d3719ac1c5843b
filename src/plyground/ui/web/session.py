"""One session: a live game, and the connections that look at it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import date
from typing import Any, Protocol

from plyground.errors import ConfigError, IllegalMoveError
from plyground.games import registry
from plyground.play.clock import TimeControl
from plyground.play.events import (
    Event,
    GameEnded,
    HintFailed,
    HintFound,
    SeatChanged,
    Thinking,
    TurnBegan,
)
from plyground.play.live_game import LiveGame
from plyground.play.record import Record
from plyground.play.seat import Seat
from plyground.ui.web.config import WebConfig
from plyground.ui.web.messages import NewGame
from plyground.ui.web.seats import PERSON, Seats
from plyground.ui.web.session_files import KeptSession, SessionFiles
from plyground.ui.web.shapes import Shape, game_shape
from plyground.ui.words import count, verdict

THINKING_S = 0.2
"""Between two words on what an agent thinks."""


class Listener(Protocol):
    """A connection, as a session sees it."""

    def send(self, shape: Shape) -> None:
        """Send something, in a while."""

    def rest(self) -> None:
        """End: the game is at rest, and coming back wakes it."""


class Session:
    """A game that belongs to whoever knows its name. Its methods are for the event loop's thread.

    A live game tells its events on any thread; here they are handed to the loop.
    """

    def __init__(
        self,
        name: str,
        config: WebConfig,
        seats: Seats,
        files: SessionFiles,
        kept: KeptSession | None = None,
    ) -> None:
        self.name = name
        self.listeners: set[Listener] = set()
        self.seen = time.monotonic()
        self.number = 0
        """How many games there were; a page knows by it that another one has begun."""
        self._config = config
        self._seats = seats
        self._files = files
        self._loop = asyncio.get_running_loop()
        self._stop_hearing: Callable[[], None] = lambda: None
        self._refresh_due = False
        self._thought_at = 0.0
        if kept is None:
            self.live = LiveGame({1: Seat(), 2: self.seat("normal", "quoridor")})
            self._attach(self.live)
        else:
            people = {n: Seat(kept.record.tags.get(f"Player{n}", PERSON)) for n in (1, 2)}
            self.live = self._opened(kept.record, people, kept.agents)
            self._attach(self.live)

    def seat(self, who: str, game: str) -> Seat:
        """Somebody of the list."""
        return self._seats.seat(who, game, self.name)

    def adviser(self, *, remembers: bool = False) -> Seat:
        """Who gives hints and analyses."""
        rules, size = self.live.rules, self.live.state.board_size
        return self._seats.adviser(rules.name, size, self.name, remembers=remembers)

    def game(self) -> Shape:
        """All there is to see."""
        return game_shape(self.live, self.number)

    def tell(self, shape: Shape) -> None:
        """Tell everybody who looks."""
        for listener in list(self.listeners):
            listener.send(shape)

    # What can be done beside what a live game can.

    def new_game(self, wanted: NewGame) -> None:
        """Begin another game; a mistake in what is wanted leaves everything as it is."""
        rules = registry.get(wanted.game)
        settings = {}
        if wanted.game == "quoridor" and wanted.position is None:
            settings["Board"] = str(wanted.size)
            if wanted.walls is not None:
                settings["Walls"] = str(wanted.walls)
        start = rules.start(settings, wanted.position)
        control = TimeControl.parse(wanted.time) if wanted.time else None
        seats = {
            1: self.seat(wanted.player1, wanted.game),
            2: self.seat(wanted.player2, wanted.game),
        }
        tags = {"Date": f"{date.today():%Y.%m.%d}"}
        self._replace(LiveGame(seats, start, wanted.game, control=control, tags=tags))

    def open(self, record: Record) -> None:
        """Look at a game from elsewhere: people sit at it, so that nothing moves by itself."""
        names = {n: record.tags.get(f"Player{n}", f"player {n}") for n in (1, 2)}
        self._replace(
            self._opened(record, {n: Seat(name) for n, name in names.items()}, (None, None))
        )

    def play(self, move: str, ply: int) -> None:
        """Play a person's move, at the end of the game or at an earlier position."""
        states = self.live.states
        last = len(states) - 1
        if ply > last:
            raise IllegalMoveError(f"expected a position from 0 to {last}, got {ply}")
        state = states[ply]
        seat = self.live.seats[state.current_player]
        if not seat.is_person and state.outcome is None:
            raise IllegalMoveError(f"it is the turn of {seat.name}")
        if ply < last:
            state.play(move)  # refused before anything is taken back
            self.live.go_to(ply)
        self.live.play(move)

    def resign(self) -> None:
        """Give up for a person: the one to move, or else the other."""
        people = [player for player, seat in self.live.seats.items() if seat.is_person]
        if not people:
            raise IllegalMoveError("nobody of you plays in this game")
        mover = self.live.state.current_player
        self.live.resign(mover if mover in people else people[0])

    def take_seat(self, player: int, who: str) -> None:
        """Let somebody else play from now on."""
        if player not in (1, 2):
            raise ConfigError(f"expected player 1 or 2, got {player}")
        self.live.take_seat(player, self.seat(who, self.live.rules.name))
        self._set_pace()

    def rest(self) -> LiveGame:
        """Keep the game and stop thinking about it; what comes back is still to be closed."""
        self._stop_hearing()
        self.save()
        return self.live

    def save(self) -> None:
        """Keep the game as it is in a moment, unless nothing has happened in it."""
        live = self.live
        if live.moves or self.number > 1:
            self._files.save_soon(self.name, lambda: _kept(live))

    # How it works.

    def _opened(
        self, record: Record, people: dict[int, Seat], agents: tuple[str | None, str | None]
    ) -> LiveGame:
        seats = dict(people)
        for player, who in enumerate(agents, 1):
            if who is not None:
                try:
                    seats[player] = self.seat(who, record.game)
                except ConfigError:  # one that the server no longer offers
                    seats[player] = Seat(who)
        return LiveGame.resume(record, seats)

    def _replace(self, live: LiveGame) -> None:
        old = self.live
        if old.moves:
            self._files.keep_past(self.name, old.record())
        self._attach(live)
        self.save()
        self._loop.run_in_executor(None, old.close)

    def _attach(self, live: LiveGame) -> None:
        self._stop_hearing()
        self.live = live
        self.number += 1
        self._set_pace()
        self._stop_hearing = live.listen(lambda event: self._hear(live, event))
        live.start()
        self._refresh_soon()

    def _set_pace(self) -> None:
        watched = not any(seat.is_person for seat in self.live.seats.values())
        self.live.pace_s = self._config.watched_pace_s if watched else self._config.pace_s

    def _hear(self, live: LiveGame, event: Event) -> None:
        """On any thread."""
        if isinstance(event, Thinking):
            now = time.monotonic()
            if now - self._thought_at < THINKING_S:
                return
            self._thought_at = now
        self._loop.call_soon_threadsafe(self._hear_in_loop, live, event)

    def _hear_in_loop(self, live: LiveGame, event: Event) -> None:
        if live is not self.live:
            return
        if isinstance(event, Thinking):
            if event.turn == live.turn:
                self.tell(self._thinking(event))
        elif isinstance(event, HintFound):
            move = live.rules.format_action(event.state, event.action)
            with live.held():
                turn, ply = live.turn, len(live.moves)
            if event.turn == turn:
                self.tell({"type": "hint", "move": move, "ply": ply})
        elif isinstance(event, HintFailed):
            self.tell({"type": "refused", "text": f"no hint: {event.reason}"})
        elif isinstance(event, TurnBegan | GameEnded | SeatChanged):  # one follows any other
            self._refresh_soon()

    def _thinking(self, event: Thinking) -> Shape:
        seat, result = self.live.seats[event.player], event.result
        words = f"depth {result.depth}, {count(result.nodes_searched)} nodes"
        if not seat.is_person:  # an adviser's hint says nothing before it is there
            words += f", {verdict(seat, event.state, result)}"
        return {"type": "thinking", "player": event.player, "text": words}

    def _refresh_soon(self) -> None:
        """Show the game once for whatever happens in one go."""
        if not self._refresh_due:
            self._refresh_due = True
            self._loop.call_soon(self._refresh)

    def _refresh(self) -> None:
        self._refresh_due = False
        self.tell(self.game())
        self.save()


def _kept(live: LiveGame) -> KeptSession:
    seats: dict[int, Any] = live.seats
    first, second = (None if seats[n].is_person else seats[n].name for n in (1, 2))
    return KeptSession(live.record(), (first, second))
