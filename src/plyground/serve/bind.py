"""The address a server listens on: this machine alone, unless another address is given."""

from __future__ import annotations

import socket
from dataclasses import dataclass

from plyground.errors import ConfigError
from plyground.hints import reason_of

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Bind:
    """An address and a port; an empty address is a ConfigError.

    >>> Bind("::1", 0).format(8000)
    '[::1]:8000'
    """

    address: str
    port: int

    def __post_init__(self) -> None:
        # The system takes an empty address, such as an unset "$HOST", for all addresses.
        if not self.address.isprintable() or not self.address.strip():
            raise ConfigError(
                f"expected an address to listen on, such as {LOOPBACK}, got {self.address!r}; "
                "0.0.0.0 lets other machines in"
            )

    @property
    def family(self) -> socket.AddressFamily:
        """IPv6 or IPv4, as the address is written."""
        return socket.AF_INET6 if ":" in self.address else socket.AF_INET

    def format(self, port: int) -> str:
        """The address with the port that the system chose."""
        return f"[{self.address}]:{port}" if ":" in self.address else f"{self.address}:{port}"

    def error(self, error: Exception) -> ConfigError:
        """The error to raise when the system does not let us listen there."""
        # create_server adds its own text to the system's.
        reason = reason_of(error).partition(" (while ")[0]
        return ConfigError(f"cannot listen on {self.format(self.port)}: {reason}")
