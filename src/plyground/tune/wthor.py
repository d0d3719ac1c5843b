"""Whole WTHOR collections as arrays, for fitting: games by the hundred thousand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plyground.errors import ConfigError
from plyground.play.wthor import read_wthor


@dataclass(frozen=True)
class Games:
    """Games of Reversi from the start position, one a row."""

    squares: NDArray[np.uint8]  # [games, 60], 255 after the last move
    played: NDArray[np.int8]  # [games], black's discs less white's at the end
    theoretical: NDArray[np.int8]  # [games], the same with best play from some point on
    theory_empties: NDArray[np.uint8]  # [games], empty squares at that point

    def __len__(self) -> int:
        return len(self.squares)


def read_folder(folder: str | Path, limit: int | None = None) -> Games:
    """The games of all .wtb files in a folder, in the order of the files' names."""
    paths = sorted(Path(folder).glob("*.[wW][tT][bB]"))
    if not paths:
        raise ConfigError(f"expected .wtb files in {str(folder)!r}, got none")
    games = [game for path in paths for game in read_wthor(path)][:limit]
    squares = np.full((len(games), 60), 255, np.uint8)
    for row, game in zip(squares, games, strict=True):
        row[: len(game.squares)] = game.squares
    return Games(
        squares,
        np.array([2 * game.black_discs - 64 for game in games], np.int8),
        np.array([2 * game.best_black_discs - 64 for game in games], np.int8),
        np.array([game.best_from for game in games], np.uint8),
    )
