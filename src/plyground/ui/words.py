"""What is said about searches and mistakes, in the words of the game."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from plyground.errors import IllegalMoveError, NotationError
from plyground.games.base import Game
from plyground.play.seat import Seat
from plyground.search.result import SearchResult


def count(number: float) -> str:
    """A large number in few characters.

    >>> count(950), count(23_400), count(2_300_000)
    ('950', '23 k', '2.3 M')
    """
    if number < 1000:
        return f"{number:.0f}"
    if number < 1e6:
        return f"{number / 1e3:.0f} k"
    return f"{number / 1e6:.1f} M"


def verdict(seat: Seat, state: Any, result: SearchResult, *, brief: bool = False) -> str:
    """What a search thinks of a position, for the side to move.

    It is `+1.5`, `62% to win`, in brief `62%`, or `wins in 7`.
    """
    if result.win_in is not None:
        return f"{'wins' if result.win_in > 0 else 'loses'} in {abs(result.win_in)}"
    score = seat.score(state, result)
    if seat.counts_points(state):
        return f"{score:+z.1f}"  # +0.0, never -0.0
    return f"{(1 + score) / 2:.0%}{'' if brief else ' to win'}"


def line_of(rules: Game[Any], state: Any, actions: Iterable[int]) -> str:
    """Moves in a row, from a position."""
    words = []
    for action in actions:
        words.append(rules.format_action(state, action))
        state = state.play(action)
    return " ".join(words)


def thinking(rules: Game[Any], seat: Seat, state: Any, result: SearchResult) -> str:
    """How far a search is, in a line."""
    return (
        f"{seat.name}: depth {result.depth}, {verdict(seat, state, result)}, "
        f"{count(result.nodes_searched)} nodes, {count(result.nodes_per_second)}/s, "
        f"{line_of(rules, state, result.pv[:8])}"
    )


def played(
    who: str, move: str, time_s: float | None, seat: Seat, state: Any, result: SearchResult | None
) -> str:
    """A move that was played: `engine played f4 in 0.9 s (depth 9, 2.3 M nodes, +1.5)`."""
    words = f"{who} played {move}"
    if time_s is not None:
        words += f" in {time_s:.1f} s"
    if result is None:
        return words
    nodes = f"{count(result.nodes_searched)} nodes"
    return f"{words} (depth {result.depth}, {nodes}, {verdict(seat, state, result)})"


def reason(error: ValueError) -> str:
    """Why a move is illegal, without the position that the error quotes.

    >>> reason(IllegalMoveError("illegal move 'e3h' in '9 ...': it overlaps the wall at d3h"))
    'e3h is not possible: it overlaps the wall at d3h'
    """
    match = re.fullmatch(r"illegal move '(.*?)' in '.*?': (.*)", str(error))
    return f"{match[1]} is not possible: {match[2]}" if match else str(error)


def _distance(move: str, other: str) -> int:
    """How many steps it is from one move to another on the board.

    >>> _distance("d3h", "e5h")
    3
    """
    return abs(ord(move[0]) - ord(other[0])) + abs(int(move[1]) - int(other[1]))


def mistake(
    typed: str, error: ValueError, rules: Game[Any], state: Any, commands: Iterable[str]
) -> str:
    """Why something cannot be done, and what may have been meant."""
    moves = [rules.format_action(state, action) for action in state.legal_actions()]
    if isinstance(error, IllegalMoveError):
        why = reason(error)
        if " is not possible: " not in why:
            return why
        meant = why.split()[0]  # in our notation, however it was typed
        # Few of its kind are all named: where the pawn can go, the squares of Reversi.
        same_kind = [move for move in moves if move[2:] == meant[2:] or len(moves) <= 12]
        if 0 < len(same_kind) <= 12:
            return f"{why}; possible: {' '.join(same_kind)}"
        near = sorted(same_kind, key=lambda move: _distance(move, meant))[:3]
        return f"{why}; near it: {' '.join(near)}" if near else why
    word = typed.split()[0]
    close = get_close_matches(word, [*commands, *moves], n=1, cutoff=0.6)
    hint = f"did you mean {close[0]!r}?" if close else "'help' lists what can be typed"
    why = str(error) if isinstance(error, NotationError) else f"{word!r} is unknown"
    return f"{why}; {hint}"
