"""What a person wishes: what to see, and which game to begin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to begin: settings as a record has them, and both seats by name."""

    game: str
    settings: Mapping[str, str]
    seats: tuple[str, str]
    time: str | None = None
    """Clocks, such as `300+5`."""


@dataclass(slots=True)
class Shown:
    """What a person wants to see."""

    flipped: bool = False
    targets: bool = True
    paths: bool = False
