"""The course's agents over HTTP: a server that its `game.py`, and our own host, can play.

It listens on this machine alone unless told otherwise. Connections are few, short and small: what a
peer sends may be refused, but cannot fill the memory or keep a thread for long.
"""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from plyground.errors import NotationError
from plyground.protocol.xmlrpc import LONGEST, Fault, read_call, write_response
from plyground.serve.bind import LOOPBACK, Bind
from plyground.serve.course_agent import CourseAgent

CONNECTIONS = 16
"""At a time; an agent plays one game, so there are hardly two."""
SENDING_S = 10.0
"""How long a peer may take to send its question."""
PATHS = ("/RPC2", "/")


class CourseServer(ThreadingHTTPServer):
    """Serves one agent; `port` 0 takes any that is free, and `server_port` says which."""

    daemon_threads = True

    def __init__(self, agent: CourseAgent, address: str = LOOPBACK, port: int = 8000) -> None:
        self.agent = agent
        self._slots = threading.BoundedSemaphore(CONNECTIONS)
        self.where = Bind(address, port)
        self.address_family = self.where.family
        try:
            super().__init__((address, port), _Handler)
        except (OSError, OverflowError) as error:
            raise self.where.refused(error) from None

    def process_request(self, request: Any, client_address: Any) -> None:
        """Take a connection, unless there are too many."""
        if not self._slots.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:  # no thread to be had
            self._slots.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer on a thread, which is one of a few."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._slots.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A peer that goes away in the middle is nothing to report."""


class _Handler(BaseHTTPRequestHandler):
    """One question, one answer. Everything but POST is 501 of its own accord."""

    server: CourseServer
    server_version = "Plyground"

    def setup(self) -> None:
        super().setup()
        # However slowly the bytes come: after this, they end.
        self._limit = threading.Timer(SENDING_S, self._hang_up)
        self._limit.daemon = True
        self._limit.start()

    def finish(self) -> None:
        self._limit.cancel()
        super().finish()

    def do_POST(self) -> None:
        """Answer a call."""
        if self.path not in PATHS:
            self.send_error(404)
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            self.send_error(411)
            return
        if len(length) > 9 or int(length) > LONGEST:
            self.send_error(413)
            return
        body = self.rfile.read(int(length))
        self._limit.cancel()
        if len(body) < int(length):
            return  # the rest never came
        try:
            answer = self.server.agent.call(*read_call(body))
        except NotationError as error:
            answer = Fault(1, f"<class 'plyground.NotationError'>:{error}")
        reply = write_response(answer)
        self.send_response(200)
        self.send_header("Content-type", "text/xml")
        self.send_header("Content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: object) -> None:
        """Say nothing: standard output is the user's."""

    def _hang_up(self) -> None:
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # it has ended meanwhile
