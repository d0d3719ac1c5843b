"""Which host names the HTTP servers answer to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("localhost", "127.0.0.1", "::1")
_POLICY = 1008  # RFC 6455, section 7.4.1


class HostCheck:
    """Rejects requests for another host name, and WebSockets that pages of other sites open.

    A foreign page could point a name of its own at this machine and talk to this server as if it
    were that page's own (DNS rebinding); the host name of the request gives it away. A request for
    an address instead of a name has no such risk, so that a server may answer to all of them.
    """

    def __init__(
        self,
        app: ASGIApp,
        names: Iterable[str],
        any_address: bool,
        refuse: Callable[[str], Response],
    ) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)
        self._any_address = any_address
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests for this host, and reject others."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        name = _name(host)
        is_address = self._any_address and parse_address(name) is not None
        allowed = is_address or name in self._names
        if scope["type"] == "websocket":
            allowed = allowed and headers.get("origin") in (f"http://{host}", f"https://{host}")
        if allowed:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _POLICY})
        else:
            await self._refuse(name)(scope, receive, send)


def parse_address(host: str) -> IPv4Address | IPv6Address | None:
    """An address from its text; None if a host has a name."""
    with suppress(ValueError):
        return ip_address(host)
    return None


def _name(host: str) -> str:
    """A host name without its port."""
    with suppress(ValueError):
        return urlsplit(f"//{host}").hostname or ""
    return ""
