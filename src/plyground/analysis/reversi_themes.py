"""Themes of Reversi's puzzles, detected on the winning line."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.games.reversi import PASS, State

SIZE = 8
CORNERS = frozenset({0, 7, 56, 63})
X_SQUARES = {9: 0, 14: 7, 49: 56, 54: 63}
"""The squares diagonally next to a corner, each with its corner."""


def themes(states: Sequence[State], line: Sequence[int]) -> list[str]:
    """The themes of a line; `states` are the positions before and after each of its moves.

    - corner: the first move takes a corner
    - parity: the first move enters a region with an odd number of empty squares, while another
      region has an even number, so that the winner also gets its last square
    - tempo: the loser has to pass
    - sacrifice: the first move gives the opponent access to a corner
    """
    start, after = states[0], states[1]
    winner = start.current_player
    regions = empty_regions(start)
    own = next(region for region in regions if line[0] in region)
    passes = (
        state.current_player != winner and line[ply] == PASS
        for ply, state in enumerate(states[:-1])
    )
    found = {
        "tempo": any(passes),
        "corner": line[0] in CORNERS,
        "parity": len(own) % 2 == 1 and any(len(region) % 2 == 0 for region in regions),
        "sacrifice": line[0] in X_SQUARES and after.is_legal(X_SQUARES[line[0]]),
    }
    return [theme for theme, is_present in found.items() if is_present]


def empty_regions(state: State) -> list[frozenset[int]]:
    """The empty squares, in regions of squares that touch each other, also diagonally."""
    taken = state.black | state.white
    left = {square for square in range(SIZE * SIZE) if not taken >> square & 1}
    regions: list[frozenset[int]] = []
    while left:
        region, edge = set[int](), [left.pop()]
        while edge:
            square = edge.pop()
            region.add(square)
            near = left & _neighbours(square)
            left -= near
            edge += near
        regions.append(frozenset(region))
    return regions


def _neighbours(square: int) -> set[int]:
    row, column = divmod(square, SIZE)
    return {
        r * SIZE + c
        for r in range(max(0, row - 1), min(SIZE, row + 2))
        for c in range(max(0, column - 1), min(SIZE, column + 2))
    } - {square}
