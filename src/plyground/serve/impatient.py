"""HTTP connections that end when a request does not: uvicorn would wait for the rest for ever.

A few dozen peers who send a letter now and then would otherwise keep everybody else out.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class Impatient(H11Protocol):
    """A connection that is closed if a request takes long to arrive, body included.

    How long its answer takes does not count, nor the time between two requests: uvicorn has a limit
    of its own for that one.
    """

    sending_s = 12.0
    """For a request; more than the server gives a body, so that it can say what was wrong."""
    _hangs_up: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of it, if this is not yet all."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._expect()
        else:
            self._expect_nothing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing comes any more."""
        self._expect_nothing()
        super().connection_lost(exc)

    def _expect(self) -> None:
        if self._hangs_up is None:
            self._hangs_up = self.loop.call_later(self.sending_s, self.transport.abort)

    def _expect_nothing(self) -> None:
        if self._hangs_up is not None:
            self._hangs_up.cancel()
            self._hangs_up = None
