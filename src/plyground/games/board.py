"""The contents of a board, for displays that know no rules. Cells are (row, column) from 0."""

from __future__ import annotations

from dataclasses import dataclass, field

Cell = tuple[int, int]
Spot = tuple[str, Cell]
"""A place on the board that stands for a move: its kind ("move" for a cell) and its cell."""


@dataclass(frozen=True, slots=True)
class GridBoard:
    """Pieces of two players on squares; row 0 is drawn at the top."""

    rows: int
    columns: int
    pieces: dict[Cell, int]
    """The owner of the piece on each cell."""
    last: Cell | None = None
    """Where the last move was made."""
    targets: frozenset[Cell] = field(default=frozenset())
    """Where the player to move can go."""
    must_pass: bool = False
    """Whether passing is the only move."""


@dataclass(frozen=True, slots=True)
class QuoridorBoard:
    """Pawns and walls; row 0 is player 1's and is drawn at the bottom."""

    size: int
    pawns: dict[int, Cell]
    h_walls: frozenset[Cell]
    v_walls: frozenset[Cell]
    last: Spot | None = None
    """The last move."""
    last_from: Cell | None = None
    """Where the pawn came from, if the last move was a pawn's."""
    targets: frozenset[Cell] = frozenset()
    """Where the pawn of the player to move can go."""
    paths: tuple[frozenset[Cell], frozenset[Cell]] = (frozenset(), frozenset())
    """The shortest paths of players 1 and 2."""
    walls_left: tuple[int, int] = (0, 0)
    walls_each: int = 0
    """Walls that each player started with."""

    @property
    def rows(self) -> int:
        """Rows, as many as columns."""
        return self.size


Board = GridBoard | QuoridorBoard
