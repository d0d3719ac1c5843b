"""One connection of a page: reads what it says, has it done, and sends what there is to see."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket, WebSocketDisconnect

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.ui.web.analyst import Analyst
from plyground.ui.web.messages import Hello, parse_message
from plyground.ui.web.rates import Rate
from plyground.ui.web.session import Session
from plyground.ui.web.sessions import Busy
from plyground.ui.web.shapes import Shape
from plyground.ui.web.watcher import Watcher

if TYPE_CHECKING:
    from plyground.ui.web.house import House

HELLO_S = 10.0
"""How long a connection may be silent at first."""
MOST_UNSENT = 200
"""What may wait for a page that does not read; then the connection ends."""
POLICY, TRY_LATER = 1008, 1013  # RFC 6455, section 7.4.1, and its registry
RESTING = 4001  # our own; the page then waits for a click before it comes back


class Connection:
    """Lives as long as its WebSocket. Everything happens on the event loop's thread."""

    def __init__(self, socket: WebSocket, house: House) -> None:
        self.house = house
        self.session: Session
        self._socket = socket
        self._unsent: asyncio.Queue[str | None] = asyncio.Queue(MOST_UNSENT)
        self._rate = Rate(house.config.messages_per_s, house.config.messages_at_once)
        self._loop = asyncio.get_running_loop()
        self._open = True
        self.analyst = Analyst(self)
        self.watcher = Watcher(self)

    async def run(self) -> None:
        """Serve the connection until either side has had enough."""
        await self._socket.accept()
        sender = asyncio.create_task(self._send_all())
        try:
            if await self._greet():
                try:
                    await self._read_all()
                finally:
                    self.house.left(self)
        except (WebSocketDisconnect, RuntimeError):  # the latter where the socket is closed already
            pass
        finally:
            self._open = False
            sender.cancel()
            with suppress(asyncio.CancelledError):
                await sender

    def send(self, shape: Shape) -> None:
        """Send something when its turn comes; a page that reads nothing is given up."""
        if not self._open:
            return
        try:
            self._unsent.put_nowait(json.dumps(shape, separators=(",", ":")))
        except asyncio.QueueFull:
            self._open = False
            self._loop.create_task(self._close(POLICY, "nothing is read here"))

    def rest(self) -> None:
        """End, since nothing has happened here for long."""
        if self._open:
            self._loop.create_task(self._close(RESTING, "the game rests"))

    def send_soon(self, shape: Shape, is_wanted: Callable[[], bool]) -> None:
        """The same from another thread, if it is still wanted when its turn comes."""

        def send() -> None:
            if is_wanted():
                self.send(shape)

        with suppress(RuntimeError):  # the loop is no more
            self._loop.call_soon_threadsafe(send)

    def refuse(self, text: str) -> None:
        """Say in a line why something cannot be done."""
        self.send({"type": "refused", "text": text})

    async def _greet(self) -> bool:
        """Hear which session it is; False if there is none to be had."""
        try:
            message = parse_message(await asyncio.wait_for(self._receive(), HELLO_S))
            if not isinstance(message, Hello):
                raise NotationError("expected the message 'hello' first")
            self.session = await self.house.sessions.join(message.session, self)
        except TimeoutError:
            await self._close(POLICY, "expected the message 'hello'")
            return False
        except NotationError as error:
            await self._close(POLICY, str(error))
            return False
        except Busy as error:
            await self._close(TRY_LATER, str(error))
            return False
        self.send(self.house.welcome(self.session))
        self.send(self.session.game())
        return True

    async def _read_all(self) -> None:
        while self._open:
            text = await self._receive()
            if not self._rate.take():
                await self._close(POLICY, "too many messages")
                return
            try:
                await self.house.obey(self, parse_message(text))
            except (ConfigError, IllegalMoveError, NotationError) as error:
                self.refuse(" ".join(str(error).split()))

    async def _receive(self) -> str:
        message = await self._socket.receive()
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
