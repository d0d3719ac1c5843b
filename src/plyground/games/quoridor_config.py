"""The settings of a game of Quoridor, and the presets people play."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from plyground.config import read_yaml
from plyground.errors import ConfigError


@dataclass(frozen=True, slots=True)
class GameConfig:
    """The settings of one game; checked, so that every GameConfig can be played.

    >>> GameConfig.preset("small").walls_per_player
    5
    >>> GameConfig(board_size=7, walls_per_player=8).max_moves
    200
    """

    board_size: int = 9
    """Rows and columns, 3 to 9."""
    walls_per_player: int = 10
    """Walls each player starts with, 0 to the number of slots, (board_size - 1) squared."""
    max_moves: int = 200
    """The game is drawn once both players together have made this many moves."""
    no_progress_limit: int = 50
    """The game is drawn once this many moves in a row placed no wall."""
    history_length: int = 4
    """Positions that `encode_state` shows, the present one included, 1 to 16."""
    draw_penalty: float = -0.05
    """What a draw is worth to both players, where a win is 1 and a loss -1."""

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
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
        for name, lowest, highest in [
            ("board_size", 3, 9),
            ("walls_per_player", 0, (self.board_size - 1) ** 2 if _is_int(self.board_size) else 0),
            ("max_moves", 1, 65535),
            ("no_progress_limit", 1, 65535),
            ("history_length", 1, 16),
        ]:
            value = getattr(self, name)
            if not _is_int(value) or not lowest <= value <= highest:
                raise ConfigError(
                    f"expected {name} to be an integer from {lowest} to {highest}, got {value!r}"
                )
        if not _is_number(self.draw_penalty) or not -1 <= self.draw_penalty <= 1:
            raise ConfigError(
                f"expected draw_penalty to be a number from -1 to 1, got {self.draw_penalty!r}"
            )

    @classmethod
    def preset(cls, name: str) -> GameConfig:
        """A ready-made config: standard (9x9), small (5x5) or tiny (3x3)."""
        return cls(**cls._preset_fields(name))

    @classmethod
    def _preset_fields(cls, name: object) -> dict[str, Any]:
        if not isinstance(name, str) or name not in cls.PRESETS:
            raise ConfigError(f"expected a preset among {', '.join(cls.PRESETS)}, got {name!r}")
        return cls.PRESETS[name]

    @classmethod
    def for_size(cls, board_size: int) -> GameConfig:
        """The preset of that board size; where there is none, the standard one on that board."""
        for name in cls.PRESETS:
            config = cls.preset(name)
            if config.board_size == board_size:
                return config
        walls = min(cls().walls_per_player, (board_size - 1) ** 2)
        return cls(board_size=board_size, walls_per_player=walls)

    @classmethod
    def from_yaml(cls, path: str | Path) -> GameConfig:
        """Read a config from a YAML file: `preset: NAME` (optional) and any fields by name."""
        settings = read_yaml(path, ["preset", *(field.name for field in fields(cls))])
        try:
            base = cls._preset_fields(settings.pop("preset", "standard"))
            return cls(**(base | settings))
        except ConfigError as error:
            raise ConfigError(f"{error} in {path}") from error


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return _is_int(value) or isinstance(value, float)
