"""HTTP connections with a timeout for each request, which uvicorn does not have.

Without it, a few dozen peers that send a byte now and then would keep all others out.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class RequestTimeoutProtocol(H11Protocol):
    """Closes a connection when a request takes too long to arrive, body included.

    The time to answer does not count, nor the time between two requests, for which uvicorn has a
    timeout of its own.
    """

    request_timeout_s = 12.0
    """Longer than the server waits for a body, so that it can still answer with an error."""
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout of the first request."""
        super().connection_made(transport)
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        """Keep the timeout running until the request is complete."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._start_timer()
        else:
            self._cancel_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeout."""
        self._cancel_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self.request_timeout_s, self.transport.abort)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
