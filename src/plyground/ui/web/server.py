"""The web server: the page's files, and a WebSocket for each page that is open."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from plyground.analysis.cache import AnalysisCache
from plyground.errors import ConfigError
from plyground.hints import reason_of
from plyground.http_connection import (
    allow_many_connections,
    limited_protocol,
    report_accept_errors_once,
)
from plyground.http_host import LOOPBACK, HostCheck
from plyground.ui.web.application import Application
from plyground.ui.web.config import WebConfig
from plyground.ui.web.connection import TRY_LATER, Connection
from plyground.ui.web.network import EVERYWHERE, page_address, shared_addresses
from plyground.ui.web.page_files import PageFiles

STATIC = Path(__file__).with_name("static")
GOODBYE_S = 3
BACKLOG = 512

HEADERS = {
    # Everything comes from this server, nothing is inline, and no other page may frame it.
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-cache",  # revalidate, so that a new version shows at once
}


class SecurityHeaders:
    """Adds `HEADERS` to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with the headers."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def create_app(config: WebConfig, cache: AnalysisCache | None = None) -> Starlette:
    """The application, for any ASGI server."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        report_accept_errors_once(asyncio.get_running_loop())
        application = app.state.application = Application(config, cache)
        sweeper = asyncio.create_task(application.sweep())
        try:
            yield
        finally:
            sweeper.cancel()
            await application.close()

    async def play(socket: WebSocket) -> None:
        application: Application = socket.app.state.application
        connection, open_now = Connection(socket, application), application.connections
        address = connection.address
        is_greedy = address is not None and open_now[address] >= config.connections_per_address
        if is_greedy or open_now.total() >= config.most_connections:
            await socket.close(TRY_LATER)
            return
        open_now[address] += 1
        try:
            await connection.run()
        finally:
            open_now[address] -= 1
            if not open_now[address]:
                del open_now[address]

    host_check = Middleware(
        HostCheck,
        names=(*LOOPBACK, config.host, *config.names),
        any_address=config.host in EVERYWHERE,
        refuse=lambda _: PlainTextResponse("unknown host name", 403),
    )
    return Starlette(
        routes=[
            WebSocketRoute("/play", play),
            Route("/{path:path}", PageFiles(STATIC).answer),
        ],
        middleware=[host_check, Middleware(SecurityHeaders)],
        lifespan=lifespan,
    )


def listen(config: WebConfig) -> socket.socket:
    """The socket to serve on; a ConfigError if the address cannot be bound."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((config.host, config.port))
        listener.listen(BACKLOG)  # connections are queued from now on
    except OSError as error:
        listener.close()
        raise ConfigError(
            f"cannot listen on {config.host} port {config.port}: {reason_of(error)}; "
            "--port 0 takes any free port"
        ) from None
    return listener


def address_of(listener: socket.socket) -> str:
    """The address to type into a browser on this machine."""
    host, port = listener.getsockname()[:2]
    return page_address("localhost" if host in EVERYWHERE else host, port)


def make_server(config: WebConfig, cache: AnalysisCache | None = None) -> uvicorn.Server:
    """The server, to be run on the socket of `listen`."""
    return uvicorn.Server(
        uvicorn.Config(
            create_app(config, cache),
            http=limited_protocol(),  # on h11, which limits the size of incomplete requests
            ws="websockets-sansio",
            ws_max_size=config.message_bytes,
            ws_per_message_deflate=False,  # messages are small and mostly local
            log_config=None,
            log_level="error",  # malformed requests are not worth a line
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GOODBYE_S,
        )
    )


def _has_screen() -> bool:
    """Whether a graphical browser could open."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def start_lines(address: str, shared: Sequence[str]) -> list[str]:
    """What the command prints: where the page is, and who can open it."""
    lines = [f"Plyground is at {address} (Ctrl-C ends it)"]
    if shared:
        lines += [
            f"Other machines open {' or '.join(shared)}",
            "Anyone who reaches this address can play here and use this machine's processor.",
            "It is not encrypted: use it in a network that you trust, or behind a TLS proxy.",
        ]
    return lines


def serve(config: WebConfig, cache: AnalysisCache | None = None, browse: bool = True) -> None:
    """Serve until Ctrl-C, and open the page in a browser."""
    allow_many_connections()
    with listen(config) as listener:
        address = address_of(listener)
        shared = shared_addresses(config.host, listener.getsockname()[1])
        print("\n".join(start_lines(address, shared)), flush=True)
        server = make_server(replace(config, addresses=tuple(shared)), cache)
        if browse and _has_screen():
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        asyncio.run(server.serve([listener]))
