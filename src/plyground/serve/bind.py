"""Where a server listens: on this machine alone, unless somebody names another address."""

from __future__ import annotations

import socket
from dataclasses import dataclass

from plyground.errors import ConfigError

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Bind:
    """An address and a port; a `ConfigError` where no address is named.

    >>> Bind("::1", 0).told(8000)
    '[::1]:8000'
    """

    address: str
    port: int

    def __post_init__(self) -> None:
        # To the system an empty address means all of them: what "$HOST" is when nobody has set it.
        if not self.address.isprintable() or not self.address.strip():
            raise ConfigError(
                f"expected an address to listen on, such as {LOOPBACK}, got {self.address!r}; "
                "0.0.0.0 lets other machines in"
            )

    @property
    def family(self) -> socket.AddressFamily:
        """IPv6 or IPv4, as the address is written."""
        return socket.AF_INET6 if ":" in self.address else socket.AF_INET

    def told(self, port: int) -> str:
        """The address with the port that was taken."""
        return f"[{self.address}]:{port}" if ":" in self.address else f"{self.address}:{port}"

    def refused(self, error: Exception) -> ConfigError:
        """What to say when the system does not let us listen there."""
        # create_server adds words of its own to what the system says.
        reason = str(getattr(error, "strerror", None) or error).partition(" (while ")[0]
        return ConfigError(f"cannot listen on {self.told(self.port)}: {reason}")
