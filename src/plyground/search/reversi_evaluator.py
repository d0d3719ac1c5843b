"""The classic evaluation of Reversi: four terms with a switch and a weight, and edge stability.

Every term is a count for the player to move minus the same count for the opponent. So symmetric
positions have the same value, and swapping the sides negates it. The core uses the same code:
`cpp/search/reversi_classic.h` has the definitions.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from functools import cached_property

from plyground import _core
from plyground.checks import check_range
from plyground.errors import ConfigError
from plyground.games.reversi import State


@dataclass(frozen=True)
class ReversiEvaluator:
    """The sum of material, mobility, corners and position, with weights from -1000 to 1000.

    Larger weights could make an estimate look like a win. Edge stability has the weight 0 unless
    another is given.

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
    """Sum the values of the occupied squares."""
    material_weight: float = 1.0
    """Weight of a disc."""
    mobility_weight: float = 3.0
    """Weight of a square to play on."""
    corner_weight: float = 25.0
    """Weight of a corner."""
    near_corner_weight: float = -10.0
    """Weight of a disc next to an empty corner."""
    positional_weight: float = 1.0
    """Weight of a square's value: 25 for a corner, -15 for the one diagonally beside it, ..."""
    edge_stability_weight: float = 0.0
    """Weight of a disc on an edge that can never be flipped."""

    def __post_init__(self) -> None:
        for name in (field.name for field in fields(self)):
            value = getattr(self, name)
            if name.endswith("_weight"):
                check_range(name, value, -1000, 1000, float)
            elif not isinstance(value, bool):
                raise ConfigError(f"expected {name} to be True or False, got {value!r}")

    def evaluate(self, state: State) -> float:
        """The value of a position for the player to move; the result is ignored if it is over."""
        return self.native.evaluate(state)

    @staticmethod
    def terms(state: State) -> dict[str, int]:
        """The terms without their weights, for the player to move."""
        return _core.reversi_classic_terms(state)

    @cached_property
    def native(self) -> _core.ReversiClassicEvaluator:
        """The evaluator of the core with the same settings."""
        return _core.ReversiClassicEvaluator(**asdict(self))
