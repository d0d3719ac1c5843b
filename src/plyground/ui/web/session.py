"""One session of the page: a hosted game, and the connections that show it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from plyground.agents.human import PERSON
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.levels import LEVEL_NAMES
from plyground.json_types import JsonObject
from plyground.play.events import (
    Event,
    GameEnded,
    HintFailed,
    HintFound,
    SearchProgress,
    SeatChanged,
    TreeChanged,
    TurnBegan,
)
from plyground.play.live_game import LiveGame
from plyground.play.record import Record
from plyground.play.seat import Seat
from plyground.ui.game_host import GameHost, NewGame, Pace
from plyground.ui.text import format_count, format_effort
from plyground.ui.web.config import WebConfig
from plyground.ui.web.messages import Message, PlayMove
from plyground.ui.web.payloads import game_payload, position_payload
from plyground.ui.web.players import SessionPlayers, SharedPlayers
from plyground.ui.web.session_store import SessionStore, StoredSession

PROGRESS_S = 0.2
"""Seconds between two progress messages of a search."""
SAVE_S = 1.0
"""Longest wait for the disk before a change is shown that is not saved yet."""
FIRST_OPPONENT = LEVEL_NAMES[0]
"""Plays the first game of a new tab, so that people who do not know the game can win it."""


class SessionListener(Protocol):
    """A connection, as a session sees it."""

    def send(self, payload: JsonObject) -> None:
        """Queue a payload."""

    def suspend(self) -> None:
        """End the connection because its session is suspended."""


class SessionStorage:
    """Keeps the game of a session in the session store."""

    def __init__(self, store: SessionStore, session: str) -> None:
        self._store = store
        self._session = session

    def begin(self, live: LiveGame) -> None:
        """The session saves its game itself, after each change."""

    def end(self, live: LiveGame, keep: bool) -> bool:  # noqa: ARG002
        """Put the game among those that the session has played."""
        if live.main_end:
            self._store.append_past(self._session, live.record())
        return True


class WebSession:
    """A game for every client that knows the session's id. For the event loop's thread only.

    A live game reports its events on any thread; here they are handed to the loop.
    """

    def __init__(
        self,
        name: str,
        config: WebConfig,
        shared: SharedPlayers,
        store: SessionStore,
        stored: StoredSession | None = None,
    ) -> None:
        self.name = name
        self.listeners: set[SessionListener] = set()
        self.last_used = time.monotonic()
        self.players: SessionPlayers = shared.of_session(name)
        self._store = store
        self._loop = asyncio.get_running_loop()
        self._is_stored = stored is not None
        self._refresh_due = False
        self._progress_at = 0.0
        self.host = GameHost(
            self._first_game(config) if stored is None else self._resumed(stored),
            self.players,
            SessionStorage(store, name),
            Pace(config.pace_s, config.watched_pace_s),
            on_event=self._on_event,
            close=self._close_soon,
        )
        self.live.pace_s = self.host.pace.of(self.live.seats)
        self._begin()

    @property
    def live(self) -> LiveGame:
        """The game that is played."""
        return self.host.live

    def game(self) -> JsonObject:
        """The payload that shows the whole game."""
        return game_payload(self.live, self.host.number)

    def node(self, ply: int, node: int | None) -> int:
        """The node of a position: given, or found on the line on the board by its ply."""
        return self.live.node_at(ply) if node is None else node

    def broadcast(self, payload: JsonObject) -> None:
        """Send a payload to every connection."""
        for listener in list(self.listeners):
            listener.send(payload)

    def show_to(self, listener: SessionListener) -> None:
        """Send the game to a connection that has joined."""
        self._send_when_saved(lambda: [listener])

    def position(self, listener: SessionListener, node: int) -> JsonObject:
        """The payload that shows a position to a connection."""
        return self.personal(position_payload(self.live, node), listener)

    def personal(self, payload: JsonObject, listener: SessionListener) -> JsonObject:  # noqa: ARG002
        """A payload about a position, as one connection gets it."""
        return payload

    def check(self, message: Message) -> None:
        """Raise a ConfigError if a message is not for this session."""

    def play(self, listener: SessionListener, message: PlayMove) -> None:  # noqa: ARG002
        """Play a move for a person."""
        self.host.play(message.move, message.ply, message.node)

    def resign(self, listener: SessionListener) -> None:  # noqa: ARG002
        """Resign for a person."""
        self.host.resign()

    def new_game(self, new: NewGame) -> None:
        """Begin another game; an error leaves the present one as it is."""
        self.host.new_game(new)
        self._begin()

    def open(self, record: Record) -> None:
        """Show a recorded game, with people in both seats."""
        self.host.open(record)
        self._begin()

    def suspend(self) -> LiveGame:
        """Save the game and stop following it; the caller closes the live game."""
        self.save()
        return self.live

    def save(self, on_written: Callable[[], object] = lambda: None) -> None:
        """Save the game soon, unless nothing has happened in it; then `on_written` is called."""
        live = self.live
        if live.main_end or self.host.number > 1 or self._is_stored:
            self._is_stored = True
            self._store.save_soon(self.name, self._snapshot(live), on_written)
        else:
            on_written()

    # Implementation.

    def _snapshot(self, live: LiveGame) -> Callable[[], StoredSession]:
        """Makes what is stored, on another thread."""
        return lambda: StoredSession.of(live)

    def _first_game(self, config: WebConfig) -> LiveGame:
        game = registry.default()
        seats = {1: Seat(), 2: self.players.seat(FIRST_OPPONENT, game)}
        return LiveGame(seats, config.start(game))

    def _resumed(self, stored: StoredSession) -> LiveGame:
        record = stored.record
        seats = {player: Seat(record.player_name(player, PERSON)) for player in (1, 2)}
        for player, name in enumerate(stored.agents, 1):
            if name is not None:
                try:
                    seats[player] = self.players.seat(name, registry.get(record.game))
                except ConfigError:  # an agent that the server no longer offers
                    seats[player] = Seat(name)
        return LiveGame.resume(record, seats)

    def _begin(self) -> None:
        self.live.start()
        self._refresh_soon()

    def _close_soon(self, live: LiveGame) -> None:
        """Close a game on another thread, since that waits for its agents."""
        self._loop.run_in_executor(None, live.close)

    def _on_event(self, live: LiveGame, event: Event) -> None:
        """Hand an event to the loop; called on any thread."""
        if isinstance(event, SearchProgress):
            now = time.monotonic()
            if now - self._progress_at < PROGRESS_S:
                return
            self._progress_at = now
        self._loop.call_soon_threadsafe(self._handle_event, live, event)

    def _handle_event(self, live: LiveGame, event: Event) -> None:
        if live is not self.live:
            return
        if isinstance(event, SearchProgress):
            if event.turn == live.turn:
                self.broadcast(self._progress(event))
        elif isinstance(event, HintFound):
            with live.locked():
                turn, ply, node = live.turn, len(live.moves), live.node
            if event.turn == turn:
                move = event.state.format_move(event.action)
                self.broadcast({"type": "hint", "move": move, "ply": ply, "node": node})
        elif isinstance(event, HintFailed):
            self.broadcast({"type": "refused", "text": f"no hint: {event.reason}"})
        elif isinstance(event, TurnBegan | GameEnded | SeatChanged | TreeChanged):
            # One of these follows any other event that changes the game.
            self._refresh_soon()

    def _progress(self, event: SearchProgress) -> JsonObject:
        seat, result = self.live.seats[event.player], event.result
        text = f"{format_effort(result)}, {format_count(result.nodes_searched)} nodes"
        if not seat.is_person and result.score is not None:  # a hint shows none before it is there
            chance = f"{result.score.chance(event.player):.0%} to win"
            text += f", {result.score.with_unit() if result.exact else chance}"
        return {"type": "thinking", "player": event.player, "text": text}

    def _refresh_soon(self) -> None:
        """Show the game once for everything that happens in one go."""
        if not self._refresh_due:
            self._refresh_due = True
            self._loop.call_soon(self._refresh)

    def _refresh(self) -> None:
        self._refresh_due = False
        self._send_when_saved(lambda: list(self.listeners))

    def _send_when_saved(self, receivers: Callable[[], list[SessionListener]]) -> None:
        """Send the game once it is saved, so that a killed server loses nothing it has shown."""
        live, payload = self.live, self.game()
        is_shown = False

        def show() -> None:
            nonlocal is_shown
            if not is_shown and live is self.live:
                is_shown = True
                slow.cancel()
                for listener in receivers():
                    listener.send(self.personal(payload, listener))

        slow = self._loop.call_later(SAVE_S, show)
        self.save(lambda: self._loop.call_soon_threadsafe(show))
