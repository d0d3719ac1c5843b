"""An XML-RPC server for the Quoridor course: its `game.py` and `plyground host` can play it.

It listens on this machine alone unless told otherwise. The number of connections, their duration
and the size of messages are limited, so that a peer can neither fill the memory nor keep threads
busy.
"""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeAlias

from plyground.errors import NotationError
from plyground.protocol.xmlrpc import LONGEST, Fault, read_call, write_response
from plyground.serve.bind import LOOPBACK, Bind
from plyground.serve.course_agent import CourseAgent

CONNECTIONS = 16
"""Connections at a time; an agent plays one game, so two are rare."""
SENDING_S = 10.0
"""Seconds a peer may take to send a request."""
PATHS = ("/RPC2", "/")
XML = ("text/xml", "application/xml")
"""Content types of calls. A page of another site can send neither without being allowed to."""
Connection: TypeAlias = socket.socket | tuple[bytes, socket.socket]


class CourseServer(ThreadingHTTPServer):
    """Serves one agent. Port 0 lets the system choose one, which is then `server_port`."""

    daemon_threads = True

    def __init__(self, agent: CourseAgent, address: str = LOOPBACK, port: int = 8000) -> None:
        self.agent = agent
        self._slots = threading.BoundedSemaphore(CONNECTIONS)
        self.bind = Bind(address, port)
        self.address_family = self.bind.family
        try:
            super().__init__((address, port), _Handler)
        except (OSError, OverflowError) as error:
            raise self.bind.error(error) from None

    def process_request(self, request: Connection, client_address: object) -> None:
        """Accept a connection, unless there are too many."""
        if not self._slots.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:  # the thread could not be started
            self._slots.release()
            raise

    def process_request_thread(self, request: Connection, client_address: object) -> None:
        """Answer on a thread, and free the slot afterwards."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._slots.release()

    def handle_error(self, request: Connection, client_address: object) -> None:
        """Ignore peers that disconnect early."""


class _Handler(BaseHTTPRequestHandler):
    """Answers one call. Every method but POST is a 501, which the base class sends."""

    server: CourseServer
    server_version = "Plyground"

    def setup(self) -> None:
        super().setup()
        # Closes the connection even if bytes keep coming slowly.
        self._timeout = threading.Timer(SENDING_S, self._hang_up)
        self._timeout.daemon = True
        self._timeout.start()

    def finish(self) -> None:
        self._timeout.cancel()
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
        if self.headers.get_content_type() not in XML:
            self.send_error(415)
            return
        if "Origin" in self.headers:  # sent by browsers only
            self.send_error(403)
            return
        body = self.rfile.read(int(length))
        self._timeout.cancel()
        if len(body) < int(length):
            return  # the peer closed the connection
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
        """Write no log: standard output is the user's."""

    def _hang_up(self) -> None:
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # the connection has ended meanwhile
