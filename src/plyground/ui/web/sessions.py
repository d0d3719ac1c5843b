"""All sessions: awake in memory while somebody looks, at rest on the disk otherwise."""

from __future__ import annotations

import asyncio
import secrets
import time

from plyground.play.live_game import LiveGame
from plyground.ui.web.config import WebConfig
from plyground.ui.web.seats import Seats
from plyground.ui.web.session import Listener, Session
from plyground.ui.web.session_files import SESSION_ID, SessionFiles

SWEEP_S = 5.0


class Busy(Exception):  # noqa: N818  nobody's mistake
    """There is no room for another session."""


class Sessions:
    """Finds, wakes and rests sessions. It belongs to the event loop's thread."""

    def __init__(self, config: WebConfig, seats: Seats) -> None:
        self.awake: dict[str, Session] = {}
        self.files = SessionFiles(config.folder, config.most_kept)
        self._config = config
        self._seats = seats

    async def join(self, name: str | None, listener: Listener) -> Session:
        """The session of that name, woken if need be, or a new one under a name of its own."""
        session = self.awake.get(name) if name is not None else None
        if session is None:
            session = await self._wake(name)
        if len(session.listeners) >= self._config.connections_per_session:
            raise Busy("this game is open in too many windows")
        session.listeners.add(listener)
        session.seen = time.monotonic()
        return session

    def leave(self, session: Session, listener: Listener) -> None:
        """Nobody listens here any more; the session rests after a while, unless they come back."""
        session.listeners.discard(listener)
        session.seen = time.monotonic()

    async def sweep(self) -> None:
        """Put to rest whom nobody looks at, again and again."""
        while True:
            await asyncio.sleep(min(SWEEP_S, self._config.rest_s))
            await self.rest_idle()
            await asyncio.to_thread(self.files.remove_oldest)

    async def rest_idle(self) -> None:
        """Put to rest whom nobody looks at."""
        now = time.monotonic()
        for session in list(self.awake.values()):
            idle_s = now - session.seen
            if idle_s > (self._config.idle_s if session.listeners else self._config.rest_s):
                await self._rest(session)

    async def close(self) -> None:
        """Rest everything, and be sure that it is on the disk."""
        await asyncio.gather(*(self._rest(session) for session in list(self.awake.values())))
        await asyncio.to_thread(self.files.close)

    async def _wake(self, name: str | None) -> Session:
        if len(self.awake) >= self._config.most_awake:
            await self._rest_one()
        kept = None
        if name is not None and SESSION_ID.fullmatch(name):
            kept = await asyncio.to_thread(self.files.load, name)
            if name in self.awake:  # somebody else has woken it meanwhile
                return self.awake[name]
        if name is None or kept is None:
            name = secrets.token_urlsafe(16)
        session = Session(name, self._config, self._seats, self.files, kept)
        self.awake[name] = session
        return session

    async def _rest_one(self) -> None:
        """Make room by resting the session that has been alone for longest."""
        alone = [session for session in self.awake.values() if not session.listeners]
        if not alone:
            raise Busy("too many games are being played here; please come back later")
        await self._rest(min(alone, key=lambda session: session.seen))

    async def _rest(self, session: Session) -> None:
        if self.awake.get(session.name) is not session:
            return  # at rest already, and perhaps awake again as another
        del self.awake[session.name]
        live: LiveGame = session.rest()
        for listener in list(session.listeners):
            listener.rest()
        await asyncio.to_thread(live.close)
