"""Sentences about searches, moves and mistakes, shared by all screens."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from plyground.errors import IllegalMoveError, NotationError
from plyground.games.base import State
from plyground.games.lines import format_line
from plyground.hints import suggest
from plyground.search.result import SearchResult

EXACT_NODES = 100_000
"""Numbers of nodes below this are shown in full."""
MOST_LISTED = 12
"""The most moves that an explanation lists."""


def format_count(number: float) -> str:
    """A large number in few characters.

    >>> format_count(950), format_count(23_400), format_count(2_300_000)
    ('950', '23 k', '2.3 M')
    """
    if number < 1000:
        return f"{number:.0f}"
    if number < 1e6:
        return f"{number / 1e3:.0f} k"
    return f"{number / 1e6:.1f} M"


def format_effort(result: SearchResult) -> str:
    """How far a search went: `exact`, or its depth."""
    return "exact" if result.exact else f"depth {result.depth}"


def format_progress(name: str, state: State, result: SearchResult) -> str:
    """The progress of an agent's search, in one line."""
    score = "" if result.score is None else f"{result.score}, "
    return (
        f"{name}: {format_effort(result)}, {score}"
        f"{format_count(result.nodes_searched)} nodes, "
        f"{format_count(result.nodes_per_second)}/s, {format_line(state, result.pv[:8])}"
    )


def format_played(
    who: str,
    move: str,
    time_s: float | None,
    result: SearchResult | None,
    before: State | None = None,
) -> str:
    """A move that was played: `engine played f4 in 87 ms (depth 5, 2,341 nodes, +1.5)`.

    Given the position `before` it, the speed-up over plain minimax is shown where it is known.
    """
    text = f"{who} played {move}"
    if time_s is not None:
        text += f" in {time_s * 1000:.0f} ms" if time_s < 1 else f" in {time_s:.1f} s"
    if result is None or not _has_facts(result):
        return text
    score = "" if result.score is None else f", {result.score}"
    if result.is_from_book:
        return f"{text} (opening book{score})"
    number = result.nodes_searched
    facts = [format_effort(result)]
    facts.append(f"{number:,} nodes" if number < EXACT_NODES else f"{format_count(number)} nodes")
    if before is not None and (factor := speed_up(before, result)) is not None:
        facts.append(f"{factor:.1f}x speed-up")
    return f"{text} ({', '.join(facts)}{score})"


def speed_up(state: State, result: SearchResult) -> float | None:
    """How many times as many positions plain minimax visits; None where that is not counted.

    It is counted, not estimated: for alpha-beta searches of a fixed depth without a table, in games
    that count their trees.
    """
    if not result.is_plain_alphabeta or result.nodes_searched == 0:
        return None
    nodes = state.game.tree_size(state, result.depth)
    return None if nodes is None else nodes / result.nodes_searched


def format_hint(state: State, action: int, result: SearchResult | None) -> str:
    """A hint with its reason: `hint: e2 (+0.5, depth 9: e2 e8 e3)`."""
    text = f"hint: {state.format_move(action)}"
    if result is None or not _has_facts(result):
        return text
    line = format_line(state, result.pv[:6])
    score = "" if result.score is None else f"{result.score}, "
    return f"{text} ({score}{format_effort(result)}: {line})"


def _has_facts(result: SearchResult) -> bool:
    """Whether an agent tells more than its move."""
    return result.score is not None or result.depth > 0 or result.nodes_searched > 0


def format_rules(state: State, width: int) -> list[str]:
    """The rules of a position's game, with its settings, wrapped to a number of columns."""
    game = state.game
    lines = [game.describe(game.settings(state))]
    for section in game.rules_text(state).split("\n\n"):
        heading, *paragraphs = section.split("\n")
        lines += ["", heading]
        for paragraph in paragraphs:
            lines += textwrap.wrap(paragraph, width, initial_indent="  ", subsequent_indent="    ")
    return lines


def format_reason(error: ValueError) -> str:
    """Why a move is illegal, without the position that the error quotes.

    >>> format_reason(IllegalMoveError("illegal move 'e3h' in '9 ...': it overlaps d3h"))
    'e3h is not possible: it overlaps d3h'
    """
    pattern = r"(.*\b)?illegal move '(.*?)' in '.*?': (.*)"
    match = re.fullmatch(pattern, str(error))
    return f"{match[1] or ''}{match[2]} is not possible: {match[3]}" if match else str(error)


def why_illegal(state: State, move: str) -> str | None:
    """Why a move cannot be played; None if it can."""
    try:
        state.play(move)
    except (IllegalMoveError, NotationError) as error:
        return format_reason(error)
    return None


def explain_mistake(typed: str, error: ValueError, state: State, commands: Iterable[str]) -> str:
    """Why typed text is not a move or command, with a suggestion."""
    moves = [state.format_move(action) for action in state.legal_actions()]
    if isinstance(error, IllegalMoveError):
        return _explain_illegal(format_reason(error), state, moves)
    word = typed.split()[0]
    hint = suggest(word, [*commands, *moves], otherwise="'help' lists what can be typed")
    why = str(error) if isinstance(error, NotationError) else f"{word!r} is unknown"
    return f"{why}; {hint}"


def _explain_illegal(why: str, state: State, moves: list[str]) -> str:
    if " is not possible: " not in why:
        return why
    meant = why.split()[0]  # in our notation, however it was typed
    if len(moves) <= MOST_LISTED:
        return f"{why}; possible: {' '.join(moves)}"
    try:
        target = state.game.spot_of(state, state.parse_move(meant))
    except ValueError:
        return why
    if target is None:
        return why
    distances: dict[str, int] = {}
    for move in moves:
        spot = state.game.spot_of(state, state.parse_move(move))
        if spot is not None and spot[0] == target[0]:
            (row, column), (to_row, to_column) = spot[1], target[1]
            distances[move] = abs(row - to_row) + abs(column - to_column)
    if 0 < len(distances) <= MOST_LISTED:
        return f"{why}; possible: {' '.join(distances)}"
    near = sorted(distances, key=lambda move: distances[move])[:3]
    return f"{why}; near it: {' '.join(near)}" if near else why
