"""Servers for tests: ours on a free port, and one with scripted answers."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from plyground.protocol.xmlrpc import Encodable, Fault, write_response
from plyground.serve.course_agent import CourseAgent
from plyground.serve.course_server import CourseServer


@contextmanager
def serving(agent: CourseAgent) -> Iterator[str]:
    """Serve an agent, and yield the address."""
    with CourseServer(agent, port=0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


Reply = Callable[[socket.socket, bytes], object]
"""Answers a request on its connection."""


def http_reply(body: bytes, status: str = "200 OK", headers: bytes = b"") -> bytes:
    return (
        f"HTTP/1.0 {status}\r\nContent-type: text/xml\r\nContent-length: {len(body)}\r\n".encode()
        + headers
        + b"\r\n"
        + body
    )


def answering(value: Encodable | Fault) -> Reply:
    """Answer every `play` with a value, and `initialize` properly."""

    def reply(connection: socket.socket, request: bytes) -> None:
        body = write_response(None if b"initialize" in request else value)
        connection.sendall(http_reply(body))

    return reply


def saying(answer: bytes, at_once: bool = True) -> Reply:
    """Send these bytes for every `play`, at once or one by one."""

    def reply(connection: socket.socket, request: bytes) -> None:
        if b"initialize" in request:
            connection.sendall(http_reply(write_response(None)))
        elif at_once:
            connection.sendall(answer)
        else:
            for byte in answer:
                connection.sendall(bytes([byte]))
                time.sleep(0.05)

    return reply


@contextmanager
def raw_server(reply: Reply) -> Iterator[str]:
    """A server that answers every connection by a function."""
    listener = socket.create_server(("127.0.0.1", 0))
    is_over = threading.Event()

    def serve(connection: socket.socket) -> None:
        with connection:
            try:
                reply(connection, read_request(connection))
            except OSError:
                return

    def listen() -> None:
        while not is_over.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        is_over.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def read_request(connection: socket.socket) -> bytes:
    """A whole request, by its Content-Length."""
    data = b""
    while b"\r\n\r\n" not in data:
        if not (chunk := connection.recv(65536)):
            return data
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    [length] = [
        int(line.split(b":")[1])
        for line in head.split(b"\r\n")
        if b"content-length" in line.lower()
    ]
    while len(body) < length and (chunk := connection.recv(65536)):
        body += chunk
    return body
