"""The input planes of a network and the layout of its policy, described the same way for any game.

The core describes a position, seen by the mover, in a few bytes. Every input plane at every cell is
one byte of these, masked, clipped and scaled, so a table of four columns is the whole expansion:
the same few operations on the GPU, on the CPU and in ONNX. A symmetry of the board only changes
which byte and bit is read.

The encodings are in `quoridor_encoding.py` and `reversi_encoding.py`; `Game.encoding` returns one.
A network that reads the history of the game has an encoding of its own, with scalars beside the
planes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plyground.games.base import AnyGame, State
from plyground.games.board import GridBoard

PATH_NET = "path_net"
"""The network that every game with an encoding has."""
MOST_FRAMES = 8
"""The longest history that a network sees, as in quoridor_features.h."""

Row = tuple[int, int, int, float]
"""Byte, mask, clip and scale of one number."""


@dataclass(frozen=True, slots=True)
class NetShape:
    """The size of a network; not every kind uses all of it."""

    board_size: int
    blocks: int
    channels: int
    pooled_blocks: int = 0
    piece_pooling: bool = False


@dataclass(frozen=True)
class Table:
    """How to read a list of numbers out of the packed features, a row of columns for each."""

    byte: NDArray[np.int64]
    mask: NDArray[np.uint8]
    clip: NDArray[np.uint8]
    scale: NDArray[np.float32]

    @classmethod
    def of(cls, rows: list[Row]) -> Table:
        """From one row per number."""
        byte, mask, clip, scale = zip(*rows, strict=True)
        return cls(
            np.array(byte, np.int64),
            np.array(mask, np.uint8),
            np.array(clip, np.uint8),
            np.array(scale, np.float32),
        )


@dataclass(frozen=True)
class PolicyPart:
    """Moves that lie on the board: `maps` kinds, each spread over `kernel` x `kernel` cells.

    Such a move adds up one number at each of its cells, so a part is a convolution without padding.
    """

    kernel: int
    maps: int


@dataclass(frozen=True)
class Encoding:
    """One game, as networks see it. Cells are numbered row by row."""

    game: str
    """The game's name."""
    canvas: int
    """Rows and columns of the packed planes, on any board."""
    feature_bytes: int
    planes: int
    size_byte: int | None
    """Index of the byte with the board size; None if the game has one size only."""
    policy: tuple[PolicyPart, ...]
    """The policy's entries in order."""
    has_pass: bool
    """Whether one more entry is a pass. It is never a choice, so its logit is always 0."""
    symmetries: int
    """Number of symmetries of the board; symmetry 0 is the identity."""
    margin_scale: float
    """The final margin that counts as one in the loss."""
    plane_table: Callable[[int, int], Table]
    """Size and symmetry: the table of all planes, cell by cell (planes vary fastest)."""
    legal_table: Callable[[], Table]
    """The table of the legal moves, in the order of the policy; never turned."""
    turn_policy: Callable[[int, int], NDArray[np.int64]]
    """Size and symmetry: where each entry of a turned board's policy comes from.

    `turned = policy[turn_policy]`; entries outside a smaller board stay where they are.
    """
    network: str = PATH_NET
    """The name of the networks that read this encoding."""
    history_length: int = 0
    """Positions of the game that the planes show, the current one included; 0: no history."""
    scalars: int = 0
    """Numbers beside the planes. Each is a fraction in the packed features: numerator and
    denominator, two bytes each, the low byte first."""
    scalars_at: int = 0
    """The first byte of the scalars."""
    piece_planes: tuple[int, ...] = ()
    """Planes with the cells of single pieces, which `piece_pooling` reads."""

    @property
    def search_options(self) -> dict[str, int]:
        """The options of `Game.make_tree` and `Game.make_selfplay` for this encoding."""
        return {"history_length": self.history_length} if self.history_length else {}

    @property
    def actions(self) -> int:
        """Entries of the policy."""
        cells = [part.maps * (self.canvas - part.kernel + 1) ** 2 for part in self.policy]
        return sum(cells) + self.has_pass

    @property
    def policy_maps(self) -> int:
        """Numbers at each cell that the policy is made of."""
        return sum(part.maps * part.kernel**2 for part in self.policy)

    def board_actions(self, size: int) -> NDArray[np.int64]:
        """The policy entry of each action of a board of that size, in the order of its actions."""
        found, first = [], 0
        for part in self.policy:
            width, used = self.canvas - part.kernel + 1, size - part.kernel + 1
            for _ in range(part.maps):
                rows = np.arange(used)[:, None] * width
                found.append(first + (rows + np.arange(used)).ravel())
                first += width * width
        if self.has_pass:
            found.append(np.array([first]))
        return np.concatenate(found)


def expand(encoding: Encoding, packed: NDArray[np.uint8], size: int) -> NDArray[np.float32]:
    """Planes [batch, planes, size, size] from packed features [batch, feature_bytes]."""
    table = encoding.plane_table(size, 0)
    values = np.minimum(packed[:, table.byte] & table.mask, table.clip) * table.scale
    cells = values.reshape(-1, size, size, encoding.planes)
    return np.ascontiguousarray(cells.transpose(0, 3, 1, 2), np.float32)


def expand_scalars(encoding: Encoding, packed: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Scalars [batch, scalars] from packed features [batch, feature_bytes]."""
    first, count = encoding.scalars_at, encoding.scalars
    parts = (
        packed[:, first : first + 4 * count].reshape(len(packed), count, 2, 2).astype(np.float32)
    )
    numbers = parts[..., 0] + 256 * parts[..., 1]
    return np.asarray(numbers[..., 0] / numbers[..., 1], np.float32)


def start_on(game: AnyGame, size: int) -> State:
    """The start position of a game on a board of this size, if its networks know several."""
    settings = {"Board": size} if "Board" in game.network_settings else {}
    start: State = game.start_from(settings=settings)
    return start


def piece_planes(board: GridBoard, player: int) -> NDArray[np.float32]:
    """A player's pieces and the opponent's, [2, rows, columns]."""
    planes = np.zeros((2, board.rows, board.columns), np.float32)
    for (row, column), owner in board.pieces.items():
        planes[int(owner != player), row, column] = 1
    return planes
