"""The `info` lines of an external program: depth, nodes, score and principal variation.

A score counts only with a unit that is known: docs/protocol.md lists them. Any other score is
dropped, so that no game is adjudicated by a number of unknown meaning.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from plyground.games.base import State
from plyground.games.score import Score

LARGEST = {"score": 1e6, "depth": 1e6, "nodes": 1e15}
"""Larger numbers in `info` lines are ignored."""
MAX_PV = 64
"""Moves of a variation that are read."""
UNITS = ("cp", "value", "chance", "win", "loss", "mate")
"""Units of every game; the unit of its engine, such as steps or discs, comes in addition."""


def info_words(line: str) -> list[str] | None:
    """The words of an `info` line about the main variation; None for any other line.

    Free text after `string` is dropped, as are lines about further variations (`multipv 2`).

    >>> info_words("info depth 3 string score cp 900")
    ['depth', '3']
    """
    words = line.split()
    if words[:1] != ["info"]:
        return None
    if "string" in words:
        words = words[: words.index("string")]
    if words_after(words, "multipv", 1) not in ([], ["1"]):
        return None
    return words[1:]


def words_after(words: Sequence[str], word: str, count: int = 2) -> list[str]:
    """The words that follow a word."""
    at = words.index(word) + 1 if word in words else len(words)
    return list(words[at : at + count])


def read_count(what: str, words: Sequence[str]) -> int | None:
    """A depth or a number of nodes; None for anything but a plausible number."""
    number = _number(what, words[0] if words else "")
    return None if number is None else max(int(number), 0)


def read_score(words: Sequence[str], state: State, default_unit: str | None = None) -> Score | None:
    """The score of the player to move in `steps 1.5`, `cp 35` or `win 7`; None for anything else.

    A number alone is in the default unit, or dropped if there is none.

    >>> from plyground.quoridor import State
    >>> [str(read_score(text.split(), State())) for text in ("cp 150", "mate 2", "points 3", "0.5")]
    ['+1.5', 'wins in 3', 'None', 'None']
    """
    if words and _number("score", words[0]) is not None:
        if default_unit is None:
            return None
        words = [default_unit, words[0]]
    number = _number("score", words[1]) if len(words) > 1 else None
    return None if number is None else _score_in(words[0], number, state)


def _score_in(unit: str, number: float, state: State) -> Score | None:
    player, game_unit = state.current_player, state.game.unit
    if unit == game_unit.name:
        return Score(number, game_unit, player)
    if unit == "cp":
        return Score(number / 100, game_unit, player)
    if unit == "value" and abs(number) <= 1:
        return Score.expected(number, player)
    if unit == "chance" and 0 <= number <= 1:
        return Score.expected(2 * number - 1, player)
    plies = {
        "win": int(number),
        "loss": -int(number),
        # Moves of the winner, as in UCI: the last one ends the game.
        "mate": 2 * int(number) - 1 if number > 0 else 2 * int(number),
    }.get(unit, 0)
    if unit in ("win", "loss") and number < 1:
        return None
    return Score.proven(plies, player) if plies else None


def read_pv(words: Sequence[str], state: State, actions: Mapping[str, int]) -> list[int]:
    """The legal moves that follow `pv`."""
    pv: list[int] = []
    for word in words_after(words, "pv", MAX_PV):
        action = actions.get(word.lower())
        if action is None or not state.is_legal(action):
            break
        pv.append(action)
        state = state.play(action)
    return pv


def _number(what: str, text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and abs(number) <= LARGEST[what] else None
