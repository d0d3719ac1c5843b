"""Positions of Quoridor for measuring searches: starts and middle games, by board size.

They come from games of the engine against itself and against minimax with a few random moves at the
beginning: one position per game, with few walls and many, either player to move. On 5x5 and 9x9 a
long search scores them about even and proves nothing early; on 3x3, which is solved at once, they
take longest. The node signature depends on them: add positions, but do not change any.
"""

from __future__ import annotations

from plyground.quoridor import GameConfig, State

POSITIONS: dict[int, tuple[str, ...]] = {
    3: (
        "3 b1/b3 - 2/2 1 0 0",
        "3 a1/c3 - 2/2 1 2 2",
        "3 a1/b2 - 2/2 1 2 2",
        "3 b1/b3 a2h 1/2 2 1 0",
        "3 b1/a3 b1h 1/2 1 2 1",
        "3 a1/b3 a2h 2/1 1 2 0",
        "3 b1/b3 a1h,b2h 1/1 1 2 0",
    ),
    5: (
        "5 c1/c5 - 5/5 1 0 0",
        "5 c2/b5 d2h 4/5 2 3 2",
        "5 c2/c5 a3h,a2v 4/4 2 3 1",
        "5 b1/c4 c1h,a2v 4/4 1 4 2",
        "5 c2/c4 d2h,d4h,b3v 3/4 2 5 2",
        "5 c2/b4 c1h,d2h,c4v 3/4 1 6 1",
        "5 c2/c3 b2h,a4h,c3v,d3v 3/3 2 9 0",
        "5 c1/d4 b3h,a2v,c2v,d3v 4/2 1 10 2",
        "5 e1/b4 c2h,d4h,b1v,d2v 4/2 1 10 4",
        "5 d3/b4 c1h,a2h,b4h,d4h 3/3 2 13 9",
        "5 c1/c5 a1h,d2h,b3h,b1v,a2v 2/3 2 5 0",
        "5 c2/c4 b1h,d1h,d3h,b4h,c1v 2/3 2 7 0",
        "5 b2/e5 d1h,b2h,a3h,c4h,c2v,b4v 2/2 1 10 4",
    ),
    9: (
        "9 e1/e9 - 10/10 1 0 0",
        "9 e4/e6 - 10/10 1 6 6",
        "9 d5/e4 f2v,d8v 9/9 1 12 10",
        "9 d4/e6 c5h,e5h 9/9 2 9 6",
        "9 d4/e5 c4h,e4h,b3v 9/8 2 13 1",
        "9 e3/e8 a3h,a7v,b8v,d8v 8/8 2 7 3",
        "9 e4/c7 g3h,b4h,d8h,g5v,e8v 7/8 1 12 7",
        "9 h5/h6 c3h,d5h,f5h,h5h,h7h,b2v,c4v 8/5 1 22 0",
        "9 f2/f8 d3h,f3h,d5h,f5h,h5h,f8h,c2v,c6v,e7v 5/6 2 29 0",
        "9 d4/d7 c4h,e4h,a7h,f8h,b3v,f3v,h4v,b5v,f5v,f7v,e8v 5/4 1 30 0",
        "9 d8/f3 b2h,d2h,f2h,h2h,f4h,c6h,e7h,g7h,a8h,c8h,e3v,b6v,d7v 4/3 2 29 0",
        "9 b3/g5 h1h,f2h,c4h,e4h,g4h,b6h,d6h,f6h,h6h,g1v,h2v,a3v,e3v,a5v 3/3 1 42 10",
        "9 h4/g5 a2h,c2h,e2h,g2h,c4h,e4h,c5h,e6h,g6h,a7h,c7h,h7h,e3v,h3v,g5v,d6v 2/2 2 51 1",
    ),
}
BOARD_SIZES = tuple(POSITIONS)


def positions(board_size: int) -> list[State]:
    """The positions of a board, the start first, in the preset game of that size.

    >>> positions(9)[0] == State()
    True
    """
    config = GameConfig.for_size(board_size)
    return [State.parse(text, config) for text in POSITIONS[board_size]]
