"""The classic evaluation of Reversi: four parts, each with a switch and a weight.

Every part counts something for the player to move less the same for the opponent, so that symmetric
positions are worth the same and swapping the sides negates the value. The native search uses the
same code; what is exact about it is written down in `cpp/search/reversi_classic.h`.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from functools import cached_property

from plyground import _core
from plyground.errors import ConfigError
from plyground.games.reversi import State


@dataclass(frozen=True)
class ReversiEvaluator:
    """Material, mobility, corners and position; weights from -1000 to 1000.

    Larger ones could make an estimate look like a win.

    >>> evaluator = ReversiEvaluator(positional=False)
    >>> evaluator.evaluate(State().play("f5"))
    -3.0
    """

    material: bool = True
    """Count discs."""
    mobility: bool = True
    """Count the squares that can be played on."""
    corners: bool = True
    """Count corners, and discs next to one that is empty."""
    positional: bool = True
    """Sum up the values of the squares that are taken."""
    material_weight: float = 1.0
    """Of each disc."""
    mobility_weight: float = 3.0
    """Of each square to play on."""
    corner_weight: float = 25.0
    """Of each corner."""
    near_corner_weight: float = -10.0
    """Of each disc next to an empty corner."""
    positional_weight: float = 1.0
    """Of each point: 25 for a corner, -15 for the square diagonally beside it, and so on."""

    def __post_init__(self) -> None:
        for name in (field.name for field in fields(self)):
            value = getattr(self, name)
            if name.endswith("_weight"):
                check_weight(name, value, 1000)
            elif not isinstance(value, bool):
                raise ConfigError(f"expected {name} to be True or False, got {value!r}")

    def evaluate(self, state: State) -> float:
        """The value of a position for the player to move; who won is not looked at."""
        return self.native.evaluate(state)

    @staticmethod
    def terms(state: State) -> dict[str, int]:
        """What the parts count, before weights, for the player to move."""
        return _core.reversi_classic_terms(state)

    @cached_property
    def native(self) -> _core.ReversiClassicEvaluator:
        """The same settings as the core has them."""
        return _core.ReversiClassicEvaluator(**asdict(self))


def check_weight(name: str, value: object, limit: int) -> None:
    """Raise a ConfigError unless it is a number that cannot make an estimate look like a win."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"expected {name} to be a number, got {value!r}")
    if math.isnan(value) or not -limit <= value <= limit:
        raise ConfigError(f"expected {name} to be from {-limit} to {limit}, got {value!r}")
