"""Rate limits: a burst at once, then a steady number a second, for a connection or an address."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from ipaddress import IPv6Address, ip_address, ip_network

MOST_ADDRESSES = 10_000
"""Addresses that a limiter remembers; the longest unused ones are forgotten."""


class RateLimiter:
    """A token bucket.

    >>> rate = RateLimiter(per_s=1, at_once=2, now=lambda: 0.0)
    >>> [rate.take() for _ in range(3)]
    [True, True, False]
    """

    def __init__(
        self, per_s: float, at_once: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_s = per_s
        self._at_once = at_once
        self._now = now
        self._left = float(at_once)
        self._at = now()

    def take(self) -> bool:
        """Take a token if there is one."""
        now = self._now()
        self._left = min(self._at_once, self._left + (now - self._at) * self._per_s)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class AddressLimiter:
    """A rate limit for each address; None, which is this machine, has no limit."""

    def __init__(
        self, per_s: float, at_once: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._make = partial(RateLimiter, per_s, at_once, now)
        self._limiters: OrderedDict[str, RateLimiter] = OrderedDict()

    def take(self, address: str | None) -> bool:
        """Take a token of an address if there is one."""
        if address is None:
            return True
        limiter = self._limiters.setdefault(address, self._make())
        self._limiters.move_to_end(address)
        if len(self._limiters) > MOST_ADDRESSES:
            self._limiters.popitem(last=False)
        return limiter.take()


def limited_address(host: str | None) -> str | None:
    """The address that limits apply to: a network of IPv6, and None for this machine.

    >>> limited_address("192.0.2.7"), limited_address("::ffff:192.0.2.7")
    ('192.0.2.7', '192.0.2.7')
    >>> limited_address("2001:db8::1"), limited_address("127.0.0.1")
    ('2001:db8::/64', None)
    """
    with suppress(ValueError):
        address = ip_address(host or "")
        if isinstance(address, IPv6Address):
            if address.ipv4_mapped is not None:
                return limited_address(str(address.ipv4_mapped))
            if not address.is_loopback:
                return str(ip_network((address, 64), strict=False))
        return None if address.is_loopback else str(address)
    return host
