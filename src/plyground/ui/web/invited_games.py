"""All invited games: created by one person, joined by links, kept on disk for a while.

The address of a game, `/game/ID`, has an id that is public in a public game. Each player has a key
of 128 random bits besides, which the link carries in its fragment.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import replace

from plyground.errors import ConfigError
from plyground.play.live_game import LiveGame
from plyground.ui.web.config import WebConfig
from plyground.ui.web.invited_session import Invitation, InvitedSession, digest_of
from plyground.ui.web.players import SharedPlayers
from plyground.ui.web.session import SessionListener, WebSession
from plyground.ui.web.session_manager import SWEEP_S, ActiveSessions, ServerBusy
from plyground.ui.web.session_store import SESSION_ID, SessionStore, StoredSession

KEY_BYTES = 16
PAST_BYTES = 200_000
"""Bytes of the games before a rematch."""
DAY_S = 86_400.0
EXPIRE_S = 3600.0
"""Seconds between two searches for expired games."""


class UnknownGame(Exception):  # noqa: N818  not an error of the server
    """There is no such game, or its link gives no access to it."""


class InvitedGames(ActiveSessions[InvitedSession]):
    """Creates, finds and suspends invited games."""

    def __init__(self, config: WebConfig, players: SharedPlayers) -> None:
        folder = config.folder / "invited"
        store = SessionStore(folder, config.most_invited, past_bytes=PAST_BYTES)
        super().__init__(config, players, store)
        self._stored = store.count()

    def create(self, live: LiveGame, is_private: bool) -> tuple[str, tuple[str, str]]:
        """Store a new game; returns its id and the keys of players 1 and 2.

        It never removes another game to make room.
        """
        if self._stored >= self._config.most_invited:
            raise ConfigError("too many invited games are kept here; please come back later")
        self._stored += 1
        name = secrets.token_urlsafe(KEY_BYTES)
        first, second = secrets.token_urlsafe(KEY_BYTES), secrets.token_urlsafe(KEY_BYTES)
        invitation = Invitation((digest_of(first), digest_of(second)), is_private)
        stored = replace(StoredSession.of(live), invitation=invitation.payload())
        self.store.save_soon(name, lambda: stored)
        return name, (first, second)

    async def join(self, name: str, key: str | None, listener: SessionListener) -> InvitedSession:
        """The game with that id; the key decides whom the listener plays for."""
        session = await self._find(name)
        try:
            player = session.find_player(key)
        except KeyError:
            raise UnknownGame from None
        if player is None:
            is_full = session.watchers >= self._config.most_watchers
        else:
            is_full = session.count_connections(player) >= self._config.connections_per_session
        if is_full:
            raise ServerBusy("this game is open in too many windows")
        session.add(listener, player)
        session.last_used = time.monotonic()
        return session

    def leave(self, session: WebSession, listener: SessionListener) -> None:
        """Remove a connection, and tell the other player."""
        super().leave(session, listener)
        if isinstance(session, InvitedSession):
            session.remove(listener)

    async def sweep(self) -> None:
        """Suspend idle games and remove expired ones periodically."""
        expired_at = -EXPIRE_S
        while True:
            if time.monotonic() - expired_at > EXPIRE_S:
                expired_at = time.monotonic()
                await self.remove_expired()
            await asyncio.sleep(min(SWEEP_S, self._config.unwatched_s))
            await self.suspend_idle()

    async def remove_expired(self) -> None:
        """Remove games that were not played for too long."""
        self._stored = await asyncio.to_thread(self.store.remove_expired, self._lifetime_s)

    def _lifetime_s(self, stored: StoredSession | None) -> float:
        """Seconds that a game is kept after its last change."""
        if stored is not None and stored.invitation is not None:
            joined = stored.invitation["joined"]
            if isinstance(joined, list) and len(joined) < 2:
                return self._config.invitation_days * DAY_S
        return self._config.invited_game_days * DAY_S

    def _idle_limit_s(self, session: InvitedSession) -> float:
        if session.has_running_clock:
            return float("inf")  # the clock would stop
        if session.listeners:
            return self._config.invited_idle_s
        return self._config.unwatched_s

    async def _find(self, name: str) -> InvitedSession:
        """The game with that id, resumed if need be."""
        if name in self.active:
            return self.active[name]
        if not SESSION_ID.fullmatch(name):
            raise UnknownGame
        stored = await asyncio.to_thread(self.store.load, name)
        if stored is None or stored.invitation is None:
            raise UnknownGame
        await self._make_room()
        if name not in self.active:  # another connection may have resumed it meanwhile
            self.active[name] = InvitedSession(
                name, self._config, self._players, self.store, stored
            )
        return self.active[name]
