"""Show matches: two levels play each other, one game after another, while a page watches.

Every page that watches the same game sees the same match. It begins with the first of them and
ends with the last. Its searches wait behind the moves of all sessions.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from typing import Protocol

from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.json_types import JsonObject
from plyground.play.events import Event, GameEnded, MovePlayed
from plyground.play.live_game import LiveGame
from plyground.ui.view import view_live
from plyground.ui.web.config import WebConfig
from plyground.ui.web.payloads import view_payload
from plyground.ui.web.players import SharedPlayers

PAUSE_S = 4.0
"""Seconds between two games."""
OPENING_PLIES = 4
"""Random plies before the levels play, since some levels always play the same."""


class MatchWatcher(Protocol):
    """A connection, as a show match sees it."""

    def send(self, payload: JsonObject) -> None:
        """Queue a payload."""


class ShowMatch:
    """The show match of one game. For the event loop's thread only."""

    def __init__(self, game: AnyGame, config: WebConfig, shared: SharedPlayers) -> None:
        self._game = game
        self._config = config
        self._players = shared.of_session(f"show match of {game.name}")
        self._watchers: set[MatchWatcher] = set()
        self._loop = asyncio.get_running_loop()
        self._rng = random.Random()
        self._live: LiveGame | None = None

    def join(self, watcher: MatchWatcher) -> None:
        """Show the match to a connection; the first one starts it."""
        self._watchers.add(watcher)
        if self._live is None:
            self._live = self._begin()
        watcher.send(self._payload(self._live))

    def leave(self, watcher: MatchWatcher) -> None:
        """Stop showing the match to a connection; the last one ends it."""
        self._watchers.discard(watcher)
        if not self._watchers:
            self._end()

    def _begin(self) -> LiveGame:
        names = self._rng.sample(list(self._game.levels), 2)
        seats = {
            player: self._players.seat(name, self._game, background=True)
            for player, name in enumerate(names, 1)
        }
        live = LiveGame(seats, self._opening(), pace_s=self._config.watched_pace_s)

        def on_event(event: Event) -> None:  # on any thread
            if isinstance(event, MovePlayed | GameEnded):
                with suppress(RuntimeError):  # the loop has ended
                    self._loop.call_soon_threadsafe(self._show, live, event)

        live.listen(on_event)
        live.start()
        return live

    def _opening(self) -> State:
        start = state = self._config.start(self._game)
        for action in self._game.random_opening(start, OPENING_PLIES, self._rng):
            state = state.play(action)
        return start if state.outcome is not None else state

    def _show(self, live: LiveGame, event: Event) -> None:
        if live is not self._live:
            return
        payload = self._payload(live)
        for watcher in list(self._watchers):
            watcher.send(payload)
        if isinstance(event, GameEnded):
            self._loop.call_later(PAUSE_S, self._next, live)

    def _next(self, live: LiveGame) -> None:
        if live is not self._live:
            return
        self._end()
        self._live = self._begin()
        payload = self._payload(self._live)
        for watcher in list(self._watchers):
            watcher.send(payload)

    def _end(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            self._loop.run_in_executor(None, live.close)  # waits for the agents

    def _payload(self, live: LiveGame) -> JsonObject:
        with live.locked():
            view, outcome = view_live(live, paths=True), live.outcome
        result = "" if outcome is None else f"{outcome.result} ({outcome.reason})"
        more: JsonObject = {
            "type": "watched",
            "game": self._game.name,
            "caption": "",
            "result": result,
            "is_show": True,
        }
        return view_payload(view) | more


class ShowMatches:
    """The show matches of a server, one a game."""

    def __init__(self, config: WebConfig, shared: SharedPlayers) -> None:
        self._config = config
        self._shared = shared
        self._matches: dict[str, ShowMatch] = {}

    def of(self, name: str) -> ShowMatch:
        """The show match of a game; a ConfigError if there is no such game."""
        game = registry.get(name)
        if name not in self._matches:
            self._matches[name] = ShowMatch(game, self._config, self._shared)
        return self._matches[name]
