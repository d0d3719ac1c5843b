"""The settings of a game of Quoridor, and its presets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar

from plyground.checks import check_range
from plyground.config import read_yaml
from plyground.errors import ConfigError

HISTORY = "history_length"
"""A key of older files: a setting of `encode_state`, which is ignored here."""


@dataclass(frozen=True, slots=True)
class GameConfig:
    """The settings of one game, checked when it is created.

    >>> GameConfig.preset("small").walls_per_player
    5
    >>> GameConfig(board_size=7, walls_per_player=8).max_moves
    200
    """

    board_size: int = 9
    """Rows and columns, 3 to 9."""
    walls_per_player: int = 10
    """Walls per player, from 0 to the number of slots, (board_size - 1) squared."""
    max_moves: int = 200
    """Number of moves by both players after which the game is a draw."""
    no_progress_limit: int = 50
    """Number of consecutive moves without a wall after which the game is a draw."""
    draw_penalty: float = -0.05
    """The reward of both players for a draw; a win is 1 and a loss -1."""

    PRESETS: ClassVar[dict[str, dict[str, int]]] = {
        "standard": {},
        "small": {
            "board_size": 5,
            "walls_per_player": 5,
            "max_moves": 100,
            "no_progress_limit": 30,
        },
        "tiny": {
            "board_size": 3,
            "walls_per_player": 2,
            "max_moves": 50,
            "no_progress_limit": 20,
        },
    }

    def __post_init__(self) -> None:
        check_range("board_size", self.board_size, 3, 9)
        check_range("walls_per_player", self.walls_per_player, 0, (self.board_size - 1) ** 2)
        check_range("max_moves", self.max_moves, 1, 65535)
        check_range("no_progress_limit", self.no_progress_limit, 1, 65535)
        check_range("draw_penalty", self.draw_penalty, -1, 1, float)

    def __setstate__(self, values: Sequence[float]) -> None:
        """Unpickle; older pickles have a `history_length` before the last field."""
        names = [item.name for item in fields(self)]
        if len(values) > len(names):
            values = [*values[:4], *values[5:]]
        for name, value in zip(names, values, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def preset(cls, name: str) -> GameConfig:
        """The preset of that name: standard (9x9), small (5x5) or tiny (3x3)."""
        return cls(**cls._preset_fields(name))

    @classmethod
    def _preset_fields(cls, name: object) -> dict[str, int]:
        if not isinstance(name, str) or name not in cls.PRESETS:
            raise ConfigError(f"expected a preset among {', '.join(cls.PRESETS)}, got {name!r}")
        return cls.PRESETS[name]

    @classmethod
    def for_size(cls, board_size: int) -> GameConfig:
        """The preset of that board size; without one, the standard preset on that board."""
        for name in cls.PRESETS:
            config = cls.preset(name)
            if config.board_size == board_size:
                return config
        walls = min(cls().walls_per_player, (board_size - 1) ** 2)
        return cls(board_size=board_size, walls_per_player=walls)

    @classmethod
    def from_yaml(cls, path: str | Path) -> GameConfig:
        """Read a config from a YAML file: an optional `preset: NAME`, and any fields by name.

        The key `history_length` of older files is ignored.
        """
        settings = read_yaml(path, ["preset", *(field.name for field in fields(cls)), HISTORY])
        settings.pop(HISTORY, None)
        try:
            base = cls._preset_fields(settings.pop("preset", "standard"))
            return cls(**(base | settings))
        except ConfigError as error:
            raise ConfigError(f"{error} in {path}") from error
