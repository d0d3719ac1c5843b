"""All sessions: active in memory while they are used, suspended to disk otherwise."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterable
from typing import Generic, TypeVar

from plyground.ui.web.config import WebConfig
from plyground.ui.web.players import SharedPlayers
from plyground.ui.web.session import SessionListener, WebSession
from plyground.ui.web.session_store import SESSION_ID, SessionStore

SWEEP_S = 5.0


class ServerBusy(Exception):  # noqa: N818  not an error of the server
    """There is no room for another session."""


_Session = TypeVar("_Session", bound=WebSession)


class ActiveSessions(Generic[_Session]):
    """Sessions in memory, which are suspended to disk. For the event loop's thread only."""

    def __init__(self, config: WebConfig, players: SharedPlayers, store: SessionStore) -> None:
        self.active: dict[str, _Session] = {}
        self.store = store
        self._config = config
        self._players = players

    def leave(self, session: WebSession, listener: SessionListener) -> None:
        """Remove a connection; a session without any is suspended after a while."""
        session.listeners.discard(listener)
        session.last_used = time.monotonic()

    async def suspend_idle(self) -> None:
        """Suspend sessions that were not used for too long."""
        for session in list(self.active.values()):
            if time.monotonic() - session.last_used > self._idle_limit_s(session):
                await self._suspend(session)

    async def close(self) -> None:
        """Suspend every session and wait until all are on disk."""
        await asyncio.gather(*(self._suspend(session) for session in list(self.active.values())))
        await asyncio.to_thread(self.store.close)

    def _idle_limit_s(self, session: _Session) -> float:
        """Seconds without use before a session is suspended."""
        return self._config.idle_s if session.listeners else self._config.unwatched_s

    async def _make_room(self) -> None:
        """Suspend the session without connections that was unused for longest, if need be."""
        if len(self.active) < self._config.most_active:
            return
        unwatched = [session for session in self.active.values() if not session.listeners]
        if not unwatched:
            raise ServerBusy("too many games are being played here; please come back later")
        await self._suspend(min(unwatched, key=lambda session: session.last_used))

    async def _suspend(self, session: _Session) -> None:
        if self.active.get(session.name) is not session:
            return  # suspended already, and perhaps resumed again
        del self.active[session.name]
        live = session.suspend()
        for listener in list(session.listeners):
            listener.suspend()
        await asyncio.to_thread(live.close)


class SessionManager(ActiveSessions[WebSession]):
    """Finds, resumes and suspends the sessions of pages."""

    def __init__(self, config: WebConfig, players: SharedPlayers) -> None:
        store = SessionStore(config.folder, config.most_stored, config.most_bytes)
        super().__init__(config, players, store)

    async def join(
        self, name: str | None, listener: SessionListener, others: Iterable[str] = ()
    ) -> WebSession:
        """The session of that id, resumed if need be.

        Without an id, it is the first of the others that no page shows, or else a new one.
        """
        session = self.active.get(name) if name is not None else await self._find_unused(others)
        if session is None:
            session = await self._resume(name)
        if len(session.listeners) >= self._config.connections_per_session:
            raise ServerBusy("this game is open in too many windows")
        session.listeners.add(listener)
        session.last_used = time.monotonic()
        return session

    def is_shown(self, name: str) -> bool:
        """Whether any connection shows a session."""
        return name in self.active and bool(self.active[name].listeners)

    async def sweep(self) -> None:
        """Suspend idle sessions periodically."""
        while True:
            await asyncio.sleep(min(SWEEP_S, self._config.unwatched_s))
            await self.suspend_idle()
            await asyncio.to_thread(self.store.remove_oldest)

    async def _find_unused(self, names: Iterable[str]) -> WebSession | None:
        """The first of these sessions that has no connection."""
        for name in names:
            if name not in self.active and SESSION_ID.fullmatch(name):
                stored = await asyncio.to_thread(self.store.load, name)
                if stored is not None and name not in self.active:
                    return await self._resume(name)
            session = self.active.get(name)
            if session is not None and not session.listeners:
                return session
        return None

    async def _resume(self, name: str | None) -> WebSession:
        await self._make_room()
        stored = None
        if name is not None and SESSION_ID.fullmatch(name):
            stored = await asyncio.to_thread(self.store.load, name)
            if name in self.active:  # another connection has resumed it meanwhile
                return self.active[name]
        if name is None or stored is None:
            name = secrets.token_urlsafe(16)
        session = WebSession(name, self._config, self._players, self.store, stored)
        self.active[name] = session
        return session
