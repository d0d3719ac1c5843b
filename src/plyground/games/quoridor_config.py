"""The settings of a game of Quoridor, and its presets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING

from plyground.checks import check_range
from plyground.config import Settings, read_section, read_sections
from plyground.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

HISTORY = "history_length"
"""A key of other files: a setting of `encode_state`, which is ignored here."""
MOST_USUAL_WALLS = 10
"""Walls per player on boards without a preset, if there are slots for them."""


@dataclass(frozen=True, slots=True, init=False)
class GameConfig:
    """The settings of one game, checked when it is created.

    Without `walls_per_player`, the board has its usual number of walls.

    >>> GameConfig.preset("small").walls_per_player
    5
    >>> GameConfig(board_size=4).walls_per_player, GameConfig(board_size=7).max_moves
    (9, 200)
    """

    board_size: int
    """Rows and columns, 3 to 9."""
    walls_per_player: int
    """Walls per player, from 0 to the number of slots, (board_size - 1) squared."""
    max_moves: int
    """Number of moves by both players after which the game is a draw."""
    no_progress_limit: int
    """Number of consecutive moves without a wall after which the game is a draw."""
    draw_penalty: float
    """The reward of both players for a draw; a win is 1 and a loss -1."""

    def __init__(
        self,
        board_size: int = 9,
        walls_per_player: int | None = None,
        max_moves: int = 200,
        no_progress_limit: int = 50,
        draw_penalty: float = -0.05,
    ) -> None:
        check_range("board_size", board_size, 3, 9)
        if walls_per_player is None:
            walls_per_player = usual_walls(board_size)
        check_range("walls_per_player", walls_per_player, 0, (board_size - 1) ** 2)
        check_range("max_moves", max_moves, 1, 65535)
        check_range("no_progress_limit", no_progress_limit, 1, 65535)
        check_range("draw_penalty", draw_penalty, -1, 1, float)
        self.__setstate__(
            [board_size, walls_per_player, max_moves, no_progress_limit, draw_penalty]
        )

    def __setstate__(self, values: Sequence[float]) -> None:
        """Unpickle; older pickles have a `history_length` before the last field."""
        names = [item.name for item in fields(self)]
        if len(values) > len(names):
            values = [*values[:4], *values[5:]]
        for name, value in zip(names, values, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def presets(cls) -> Mapping[str, GameConfig]:
        """All presets by name, the usual one first, from the package's `quoridor-presets.yaml`."""
        return _presets()

    @classmethod
    def preset(cls, name: str) -> GameConfig:
        """The preset of that name: standard (9x9), small (5x5) or tiny (3x3)."""
        return _preset(name)

    @classmethod
    def for_size(cls, board_size: int) -> GameConfig:
        """The preset of that board size; without one, the standard preset on that board."""
        for config in _presets().values():
            if config.board_size == board_size:
                return config
        return cls(board_size)

    @classmethod
    def from_yaml(cls, path: str | Path, name: str | None = None) -> GameConfig:
        """Read a config from a YAML file: an optional `preset: NAME`, and any fields by name.

        A file may instead have several configs in sections such as `standard:` and `small:`; then
        `name` chooses one. The key `history_length` is ignored.
        """
        settings = read_section(path, name, _KEYS)
        try:
            return cls._from_settings(settings)
        except ConfigError as error:
            where = f"section {name} of {path}" if name else path
            raise ConfigError(f"{error} in {where}") from error

    @classmethod
    def _from_settings(cls, settings: Settings) -> GameConfig:
        values = {key: value for key, value in settings.items() if key not in ("preset", HISTORY)}
        if "preset" not in settings:
            return cls(**values)
        base = _preset(settings["preset"])
        return cls(**({item.name: getattr(base, item.name) for item in fields(cls)} | values))


_KEYS = ("preset", *(item.name for item in fields(GameConfig)), HISTORY)


def _preset(name: object) -> GameConfig:
    known = _presets()
    if not isinstance(name, str) or name not in known:
        raise ConfigError(f"expected a preset among {', '.join(known)}, got {name!r}")
    return known[name]


def usual_walls(board_size: int) -> int:
    """The usual number of walls per player: that of the board's preset, or 10 if they fit.

    >>> [usual_walls(size) for size in range(3, 10)]
    [2, 9, 5, 10, 10, 10, 10]
    """
    for config in _presets().values():
        if config.board_size == board_size:
            return config.walls_per_player
    return min(MOST_USUAL_WALLS, (board_size - 1) ** 2)


@cache
def _presets() -> Mapping[str, GameConfig]:
    """Every section of the package's file, which names all fields."""
    from importlib.resources import as_file, files  # here, to start fast

    with as_file(files("plyground") / "data" / "quoridor-presets.yaml") as path:
        return {
            name: GameConfig(**settings) for name, settings in read_sections(path, _KEYS).items()
        }
