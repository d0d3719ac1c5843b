"""The opening explorer in English, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plyground.analysis.opening_book import BookMove
from plyground.games.base import State

MOST = 20
"""Moves that are listed."""


def format_moves(
    state: State, moves: Sequence[BookMove], chances: Mapping[int, float]
) -> list[str]:
    """A line for each move: games, results and the adviser's chance, as far as they are known.

    The scores of the game's book of scored openings are shown if there are any.
    """
    if not moves:
        return ["no game or opening of the books went on from here"]
    player = state.current_player
    has_scores = any(each.score is not None for each in moves)
    score = f"  {'book':>6}" if has_scores else ""
    lines = [f"{'move':<6} {'games':>7}  {'1 wins':>7} {'draws':>7} {'2 wins':>7}{score}  adviser"]
    for each in moves[:MOST]:
        counts = each.counts
        chance = chances.get(each.action)
        value = "-" if chance is None else f"{chance:.0%} for player {player}"
        results = " ".join(f"{number:>7,}" for number in (counts.wins1, counts.draws, counts.wins2))
        if has_scores:
            score = f"  {'-' if each.score is None else each.score.brief():>6}"
        lines.append(f"{each.move:<6} {counts.games:>7,}  {results}{score}  {value}")
    if len(moves) > MOST:
        lines.append(f"and {len(moves) - MOST} more")
    return lines
