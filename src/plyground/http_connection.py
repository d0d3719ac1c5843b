"""HTTP connections of our servers, with limits that uvicorn does not have.

A request that takes too long to arrive is dropped, and so are the oldest incomplete requests when
there are too many, of one address or in all. Otherwise peers that send a byte now and then would
keep all others out.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import ClassVar

import h11
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_PER_ADDRESS = 64
"""Incomplete requests of one address."""
MOST_IDLE = 512
"""Connections that wait for a request or a part of one, of all addresses."""


class WaitingConnections:
    """Connections without a complete request; beyond the limits the oldest are closed."""

    def __init__(self, most: int = MOST_IDLE, most_per_address: int = MOST_PER_ADDRESS) -> None:
        self._most = most
        self._most_per_address = most_per_address
        self._all: dict[LimitedProtocol, None] = {}  # the oldest first
        self._by_address: dict[str, dict[LimitedProtocol, None]] = {}
        self._has_reported = False

    def add(self, connection: LimitedProtocol, *, is_idle: bool = False) -> None:
        """Count a connection; an idle one, between two requests, does not count by address."""
        self._all[connection] = None
        if not is_idle:
            same = self._by_address.setdefault(connection.address, {})
            same[connection] = None
            if len(same) > self._most_per_address:
                self._close(next(iter(same)))
        if len(self._all) > self._most:
            self._close(next(iter(self._all)))

    def remove(self, connection: LimitedProtocol) -> None:
        """Forget a connection whose request is complete, or which has ended."""
        self._all.pop(connection, None)
        same = self._by_address.get(connection.address, {})
        same.pop(connection, None)
        if not same:
            self._by_address.pop(connection.address, None)

    def _close(self, connection: LimitedProtocol) -> None:
        self.remove(connection)
        connection.transport.abort()
        if not self._has_reported:
            self._has_reported = True
            print(
                "plyground: too many incomplete requests; the oldest are closed "
                f"(the first came from {connection.address})",
                file=sys.stderr,
                flush=True,
            )


class LimitedProtocol(H11Protocol):
    """Closes a connection when a request takes too long to arrive, body included.

    The time to answer does not count, nor the time between two requests, for which uvicorn has a
    timeout of its own. `limited_protocol` makes the class of a server.
    """

    request_timeout_s: ClassVar[float] = 12.0
    """Longer than the server waits for a body, so that it can still answer with an error."""
    grace_s: ClassVar[float] = 0.5
    """Time of a request before it counts as incomplete; many connections may be accepted before
    any is read."""
    waiting: ClassVar[WaitingConnections]
    most_connections: ClassVar[int | None] = None
    """Connections at a time; requests beyond this number get status 503."""
    _timer: asyncio.TimerHandle | None = None
    _grace: asyncio.TimerHandle | None = None

    @property
    def address(self) -> str:
        """The peer's address, without its port."""
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout of the first request."""
        super().connection_made(transport)
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        """Keep the timeout running until the request is complete."""
        most = self.most_connections
        is_full = most is not None and len(self.connections) > most
        self.app = _too_busy if is_full else self.config.loaded_app
        super().data_received(data)
        is_websocket = self.transport.get_protocol() is not self
        if not is_websocket and self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._start_timer()
        else:
            self._cancel_timer()

    def send_400_response(self, msg: str) -> None:
        """Reject a malformed request; in the middle of one, just end the connection."""
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:
            self.transport.abort()

    def on_response_complete(self) -> None:
        """Count the connection as idle."""
        super().on_response_complete()
        if not self.transport.is_closing() and self._timer is None:
            self.waiting.add(self, is_idle=True)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeout."""
        self._cancel_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self.request_timeout_s, self.transport.abort)
            self._grace = self.loop.call_later(self.grace_s, self.waiting.add, self)

    def _cancel_timer(self) -> None:
        self.waiting.remove(self)
        for timer in (self._timer, self._grace):
            if timer is not None:
                timer.cancel()
        self._timer = self._grace = None


def limited_protocol(most_connections: int | None = None) -> type[LimitedProtocol]:
    """The protocol of one server, which counts its own connections."""
    limits = {"waiting": WaitingConnections(), "most_connections": most_connections}
    return type("ServerProtocol", (LimitedProtocol,), limits)


async def _too_busy(scope: Scope, receive: Receive, send: Send) -> None:
    response = JSONResponse(
        {"error": "too many connections; try again later"},
        503,
        {"Retry-After": "1", "Connection": "close"},
    )
    await response(scope, receive, send)


def allow_many_connections() -> None:
    """Raise the limit on open files as far as the system allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def report_accept_errors_once(loop: asyncio.AbstractEventLoop) -> None:
    """Print one line when no more connections can be accepted, not a traceback for each."""
    has_reported = False

    def handle(loop: asyncio.AbstractEventLoop, context: Mapping[str, object]) -> None:
        nonlocal has_reported
        if not str(context.get("message", "")).startswith("socket.accept()"):
            loop.default_exception_handler(dict(context))
        elif not has_reported:
            has_reported = True
            print(
                f"plyground: cannot accept more connections: {context.get('exception')}",
                file=sys.stderr,
                flush=True,
            )

    loop.set_exception_handler(handle)
