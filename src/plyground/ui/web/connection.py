"""One connection of a page: reads its messages, dispatches them, and sends payloads."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket, WebSocketDisconnect

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.json_types import JsonObject
from plyground.play.shared_game import RefusedActionError
from plyground.ui.text import format_reason
from plyground.ui.web.analyst import Analyst
from plyground.ui.web.invited_games import UnknownGame
from plyground.ui.web.invited_session import InvitedSession
from plyground.ui.web.messages import Hello, parse_message
from plyground.ui.web.rate_limiter import RateLimiter, limited_address
from plyground.ui.web.session import WebSession
from plyground.ui.web.session_manager import ServerBusy
from plyground.ui.web.session_store import SESSION_ID
from plyground.ui.web.watcher import Watcher

if TYPE_CHECKING:
    from plyground.ui.web.application import Application

HELLO_S = 10.0
"""Seconds to wait for the first message."""
MOST_UNSENT = 200
"""Payloads queued for a page that does not read before the connection ends."""
MOST_OTHERS = 20
"""Other sessions of the same browser whose games are listed."""
POLICY, TRY_LATER = 1008, 1013  # RFC 6455, section 7.4.1, and its registry
SUSPENDED = 4001  # our own; the page then waits for a click before it reconnects
NO_GAME = 4004  # our own; the page does not reconnect


class Connection:
    """Lives as long as its WebSocket. For the event loop's thread only."""

    def __init__(self, socket: WebSocket, app: Application) -> None:
        self.app = app
        self.session: WebSession
        self.own_session: str | None = None
        """The session that the page had before it joined an invited game."""
        self.address = limited_address(socket.client.host if socket.client else None)
        """The address for limits; None is this machine."""
        self._others: list[str] = []
        self._socket = socket
        self._unsent: asyncio.Queue[str | None] = asyncio.Queue(MOST_UNSENT)
        self._rate = RateLimiter(app.config.messages_per_s, app.config.messages_at_once)
        self._loop = asyncio.get_running_loop()
        self._open = True
        self.analyst = Analyst(self)
        self.watcher = Watcher(self)

    async def run(self) -> None:
        """Serve the connection until either side ends it."""
        await self._socket.accept()
        sender = asyncio.create_task(self._send_all())
        try:
            if await self._greet():
                try:
                    await self._read_all()
                finally:
                    self.app.disconnect(self)
        except WebSocketDisconnect:
            pass
        finally:
            self._open = False
            sender.cancel()
            with suppress(asyncio.CancelledError):
                await sender

    @property
    def known_sessions(self) -> list[str]:
        """The sessions of the page's browser: the present one, then the others."""
        present = [self.session.name] if self.invited is None else []
        return list(dict.fromkeys([*present, *self._others]))

    @property
    def invited(self) -> str | None:
        """The id of the invited game that the page shows."""
        return self.session.name if isinstance(self.session, InvitedSession) else None

    def send(self, payload: JsonObject) -> None:
        """Queue a payload; a page that does not read loses its connection."""
        if not self._open:
            return
        try:
            self._unsent.put_nowait(json.dumps(payload, separators=(",", ":")))
        except asyncio.QueueFull:
            self._open = False
            self._loop.create_task(self._close(POLICY, "too many unread messages"))

    def suspend(self) -> None:
        """End the connection because its session is suspended."""
        if self._open:
            self._loop.create_task(self._close(SUSPENDED, "the game is suspended"))

    def send_soon(self, payload: JsonObject, is_wanted: Callable[[], bool]) -> None:
        """Queue a payload from another thread, if it is still wanted on the loop's thread."""

        def send() -> None:
            if is_wanted():
                self.send(payload)

        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(send)

    def refuse(self, text: str, key: str | None = None) -> None:
        """Send the reason why something cannot be done; `key` finds its translation."""
        payload: JsonObject = {"type": "refused", "text": text}
        self.send(payload if key is None else payload | {"key": key})

    async def _greet(self) -> bool:
        """Join the session that the first message names; False if that is not possible."""
        try:
            message = parse_message(await asyncio.wait_for(self._receive(), HELLO_S))
            if not isinstance(message, Hello):
                raise NotationError("expected the message 'hello' first")
            if not self.app.greetings.take(self.address):
                raise ServerBusy("too many connections from your address; please wait a minute")
            await self._join(message)
        except TimeoutError:
            await self._close(POLICY, "expected the message 'hello'")
            return False
        except NotationError as error:
            await self._close(POLICY, str(error))
            return False
        except ServerBusy as error:
            await self._close(TRY_LATER, str(error))
            return False
        except UnknownGame:
            await self._close(NO_GAME, "there is no such game")
            return False
        self.send(self.app.welcome(self.session))
        self.session.show_to(self)
        return True

    async def _join(self, message: Hello) -> None:
        """Join the session or the invited game of the first message."""
        names = [message.session or "", *message.others.split()[:MOST_OTHERS]]
        known = [name for name in names if SESSION_ID.fullmatch(name)]
        if message.invited is None:
            self.session = await self.app.sessions.join(message.session, self, known)
            known.insert(0, self.session.name)  # the page may leave it for another
        else:
            self.session = await self.app.invited.join(message.invited, message.key, self)
            self.own_session = message.session
        self._others = known

    async def _read_all(self) -> None:
        while self._open:
            text = await self._receive()
            if not self._rate.take():
                await self._close(POLICY, "too many messages")
                return
            try:
                await self.app.dispatch(self, parse_message(text))
            except RefusedActionError as error:
                self.refuse(str(error), f"refused.{error.key}")
            except (ConfigError, IllegalMoveError, NotationError) as error:
                self.refuse(" ".join(format_reason(error).split()))

    async def _receive(self) -> str:
        try:
            message = await self._socket.receive()
        except RuntimeError:  # it is closed already
            raise WebSocketDisconnect(1006) from None
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        text = message.get("text")
        if text is None:
            await self._close(1003, "expected text")
            raise WebSocketDisconnect(1003)
        return str(text)

    async def _send_all(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while (text := await self._unsent.get()) is not None:
                await self._socket.send_text(text)

    async def _close(self, code: int, reason: str) -> None:
        self._open = False
        with suppress(WebSocketDisconnect, RuntimeError):
            await self._socket.close(code, reason.encode()[:120].decode(errors="ignore"))
