"""The addresses under which other machines of the network reach this one."""

from __future__ import annotations

import socket
from contextlib import suppress

from plyground.http_host import parse_address

EVERYWHERE = ("0.0.0.0", "::")
"""Hosts that stand for every network of this machine."""
_ELSEWHERE = ("192.0.2.1", 9)  # an address for documents (RFC 5737); nothing is sent to it


def local_addresses() -> list[str]:
    """The addresses of this machine in its networks, the one of the default route first."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_ELSEWHERE)
        found.append(str(probe.getsockname()[0]))
    with suppress(OSError):
        infos = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found += [str(info[4][0]) for info in infos]
    return [each for each in dict.fromkeys(found) if _is_shareable(each)]


def _is_shareable(address: str) -> bool:
    found = parse_address(address)
    return found is not None and not (found.is_loopback or found.is_unspecified)


def page_address(host: str, port: int) -> str:
    """The address of the page on a host.

    >>> page_address("192.0.2.7", 8017), page_address("::1", 80)
    ('http://192.0.2.7:8017/', 'http://[::1]:80/')
    """
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def shared_addresses(host: str, port: int) -> list[str]:
    """The addresses of the page for other machines; none if it is for this machine only."""
    hosts = local_addresses() if host in EVERYWHERE else [host]
    return [page_address(each, port) for each in hosts if _is_shareable(each)]
