"""An opening book of scored moves: the good moves of positions, each with a score.

The scores come from deep searches, propagated from the end of every line by minimax. A packed book
is compressed columns, all in the order of the positions' keys:

    number of positions   4 bytes, little endian
    keys                  5 bytes each: the high bytes of the number of the BookPosition, ascending
    moves of a position   1 byte each: how many
    best scores           1 signed byte each, in tenths of a point, for the player to move
    moves                 1 byte each: the action in the orientation of the book, best first
    losses                1 byte each: tenths of a point below the best move
"""

from __future__ import annotations

import lzma
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import exp

from plyground.games.base import State
from plyground.games.book_position import BookPosition
from plyground.games.score import Score
from plyground.search.result import SearchResult

KEY_BYTES = 5
TENTHS = 10
MOST_TENTHS, MOST_LOSS = 127, 255
MARGIN = 1.0
"""Points below the best move of a book at which a move is not played."""
SPREAD = 0.3
"""A move this many points worse than the best is played 1/e times as often; guessed."""


@dataclass(frozen=True, slots=True)
class ScoredMove:
    """A move of a book."""

    action: int
    score: Score
    """The score after the move, for the player who makes it."""


class ScoredBook:
    """Scored moves by position; mirror images are one position."""

    def __init__(self, moves: Mapping[int, Sequence[tuple[int, float]]]) -> None:
        """Moves with their scores, best first, by the key of a position (see `key_of`)."""
        self._moves = moves

    def __len__(self) -> int:
        """The number of positions."""
        return len(self._moves)

    def moves(self, state: State) -> list[ScoredMove]:
        """The moves of a position, best first, mirror images among them; [] if it has none."""
        position = BookPosition(state)
        scores = dict(self._moves.get(key_of(position), ()))
        unit, player = state.game.unit, state.current_player
        found = [
            ScoredMove(action, Score(scores[move], unit, player))
            for action in state.legal_actions()
            if (move := position.move(action)) in scores
        ]
        return sorted(found, key=lambda each: -each.score.value)

    def pack(self) -> bytes:
        """The book as bytes for `unpack`; scores are rounded to tenths and limited to 12.7."""
        keys = sorted(self._moves)
        lists = [self._moves[key] for key in keys]
        tenths = [[round(score * TENTHS) for _, score in moves] for moves in lists]
        best = [max(-MOST_TENTHS, min(MOST_TENTHS, scores[0])) for scores in tenths]
        columns = (
            len(keys).to_bytes(4, "little"),
            b"".join(key.to_bytes(KEY_BYTES, "big") for key in keys),
            bytes(map(len, lists)),
            b"".join(each.to_bytes(1, "little", signed=True) for each in best),
            bytes(move for moves in lists for move, _ in moves),
            bytes(min(MOST_LOSS, scores[0] - each) for scores in tenths for each in scores),
        )
        filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 0}]
        return lzma.compress(b"".join(columns), check=lzma.CHECK_CRC32, filters=filters)

    @classmethod
    def unpack(cls, packed: bytes) -> ScoredBook:
        """The book that `pack` wrote."""
        data = lzma.decompress(packed)
        count = int.from_bytes(data[:4], "little")
        keys = [
            int.from_bytes(data[at : at + KEY_BYTES], "big")
            for at in range(4, 4 + KEY_BYTES * count, KEY_BYTES)
        ]
        rest = data[4 + KEY_BYTES * count :]
        lengths, best, rest = rest[:count], rest[count : 2 * count], rest[2 * count :]
        actions, losses = rest[: sum(lengths)], rest[sum(lengths) :]
        moves: dict[int, list[tuple[int, float]]] = {}
        for key, first, (start, end) in zip(
            keys, memoryview(best).cast("b"), pairwise(accumulate(lengths, initial=0)), strict=True
        ):
            scores = ((first - loss) / TENTHS for loss in losses[start:end])
            moves[key] = list(zip(actions[start:end], scores, strict=True))
        return cls(moves)


def key_of(position: BookPosition) -> int:
    """The key of a position in a book: the highest bytes of its number."""
    return (position.number % 2**64) >> (64 - 8 * KEY_BYTES)


def book_line(state: State) -> list[int]:
    """The best moves from a position on, as long as the book has any."""
    line = []
    while state.outcome is None and (moves := state.game.book_moves(state)):
        line.append(moves[0].action)
        state = state.play(line[-1])
    return line


def choose_from_book(state: State, rng: random.Random) -> SearchResult | None:
    """A random move of the game's book that is close to the best; None if the book has none.

    The better a move, the oftener it is chosen.
    """
    moves: Sequence[ScoredMove] = state.game.book_moves(state)
    if not moves:
        return None
    losses = [moves[0].score.value - each.score.value for each in moves]
    close = [each for each, loss in zip(moves, losses, strict=True) if loss <= MARGIN]
    weights = [exp(-loss / SPREAD) for loss in losses[: len(close)]]
    (chosen,) = rng.choices(close, weights)
    line = [chosen.action, *book_line(state.play(chosen.action))]
    return SearchResult(chosen.action, chosen.score, pv=line, is_from_book=True)
