"""WTHOR collections of hundreds of thousands of games as arrays, for fitting."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plyground.errors import ConfigError
from plyground.play.reversi_wthor import read_wthor


@dataclass(frozen=True)
class WthorArrays:
    """Games of Reversi from the start position, one per row."""

    squares: NDArray[np.uint8]  # [games, 60], 255 after the last move
    played: NDArray[np.int8]  # [games], black's discs minus white's at the end
    theoretical: NDArray[np.int8]  # [games], the same with perfect play from some point on
    theory_empties: NDArray[np.uint8]  # [games], empty squares at that point

    def __len__(self) -> int:
        return len(self.squares)


def read_folder(folder: str | Path, limit: int | None = None) -> WthorArrays:
    """The games of all .wtb files in a folder, sorted by file name."""
    paths = sorted(Path(folder).glob("*.[wW][tT][bB]"))
    if not paths:
        raise ConfigError(f"expected .wtb files in {str(folder)!r}, got none")
    games = [game for path in paths for game in read_wthor(path)][:limit]
    squares = np.full((len(games), 60), 255, np.uint8)
    for row, game in zip(squares, games, strict=True):
        row[: len(game.squares)] = game.squares
    return WthorArrays(
        squares,
        np.array([2 * game.black_discs - 64 for game in games], np.int8),
        np.array([2 * game.best_black_discs - 64 for game in games], np.int8),
        np.array([game.best_from for game in games], np.uint8),
    )
