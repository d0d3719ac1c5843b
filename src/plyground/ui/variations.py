"""The tree of a game as numbered lines, for screens without room for a nested list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from plyground.play.history import TreeMove
from plyground.play.live_game import LiveGame
from plyground.play.record_text import SUFFIXES

SYMBOLS = {mark: symbol for symbol, mark in SUFFIXES.items()}
"""The symbols of marks: `{1: "!"}`."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """The main line of a game, or a variation from its first move to its end."""

    level: int
    """0 for the main line, 1 for its variations, 2 for theirs."""
    first_ply: int
    """Plies before its first move."""
    moves: tuple[TreeMove, ...]

    def contains(self, node: int) -> bool:
        """Whether a position is on it."""
        return any(move.node == node for move in self.moves)


def game_lines(tree: Iterable[TreeMove]) -> list[GameLine]:
    """The lines of a tree, the main line first, each variation before its own variations."""
    children: dict[int, list[TreeMove]] = {}
    for move in tree:
        children.setdefault(move.parent, []).append(move)
    first_moves = children.get(0, [])
    lines = []
    waiting = [(0, 0, first) for first in first_moves[:1]]
    while waiting:
        level, first_ply, move = waiting.pop(0)
        moves = [move]
        inner = [(1, 0, other) for other in first_moves[1:]] if level == 0 else []
        while following := children.get(moves[-1].node):
            ply = first_ply + len(moves)
            inner += [(level + 1, ply, other) for other in following[1:]]
            moves.append(following[0])
        lines.append(GameLine(level, first_ply, tuple(moves)))
        waiting[:0] = inner
    return lines


def format_tree(live: LiveGame) -> list[str]:
    """The lines of a game with their numbers; the position on the board is in brackets.

    >>> from plyground.play import Seat
    >>> live = LiveGame({1: Seat(), 2: Seat()})
    >>> live.play("e2"), live.play("e8"), live.play("d1", node=0)
    (True, True, True)
    >>> print("\\n".join(format_tree(live)))
    game    1. e2 e8
    line 1    1. [d1]
    """
    with live.locked():
        tree, current, first = live.tree(), live.node, live.states[0].current_player
    rows = []
    for number, line in enumerate(game_lines(tree)):
        words = []
        for ply, move in enumerate(line.moves, line.first_ply):
            turn = ply + first - 1
            if turn % 2 == 0 or move is line.moves[0]:
                words.append(f"{turn // 2 + 1}{'.' if turn % 2 == 0 else '...'}")
            words.append(_format_move(move, current))
        name = f"line {number}" if number else "game"
        rows.append(f"{name:<8}{'  ' * line.level}{' '.join(words)}")
    return rows


def _format_move(move: TreeMove, current: int) -> str:
    marks = "".join(SYMBOLS.get(mark, f" ${mark}") for mark in move.move.marks)
    text = f"{move.move.text}{marks}"
    if move.node == current:
        text = f"[{text}]"
    return f"{text} {{{move.move.comment}}}" if move.move.comment else text
