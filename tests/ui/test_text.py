"""Sentences about mistakes and searches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plyground import reversi
from plyground.errors import IllegalMoveError
from plyground.games import registry
from plyground.games.score import Score
from plyground.quoridor import State
from plyground.search import Engine, SearchLimits, SearchResult, alphabeta, minimax
from plyground.ui.text import (
    explain_mistake,
    format_hint,
    format_played,
    format_progress,
    speed_up,
)

WALLED = "9 e4/e6 c3h,e3h,d7h 8/9 2 9 1"
# Eight moves, and twenty-one.
FEW = "--------------------OOO---XXX-----OOO--------------------------- X"
MANY = "-----------O------OXOO----OXXOO--OOXXOO---OXXO----OOXO---------- X"


@pytest.mark.parametrize(
    ("game", "position", "typed", "expected"),
    [
        ("quoridor", WALLED, "d3h", "it overlaps the wall at c3h; near it: d2h d4h d1h"),
        ("quoridor", WALLED, "e3 V", "it crosses the wall at e3h; near it: e2v d3v f3v"),
        ("quoridor", WALLED, "a9", "no pawn move leads there; possible: e5 d6 f6 e7"),
        ("quoridor", "9 e4/e6 - 0/0 2 9 1", "d3h", "no walls left; possible: e5 d6 f6 e7"),
        ("reversi", FEW, "a1", "it turns no disc over; possible: e2 f2 g2 b6 c6 d6 e6 f6"),
        ("reversi", FEW, "pass", "may pass; possible: e2 f2 g2 b6 c6 d6 e6 f6"),
        ("reversi", MANY, "pass", "only a player without a move may pass"),
        ("reversi", MANY, "h8", "it turns no disc over; near it: g8 g7 h5"),
    ],
)
def test_an_illegal_move_is_explained(game: str, position: str, typed: str, expected: str) -> None:
    state = registry.get(game).start({}, position)
    with pytest.raises(IllegalMoveError) as caught:
        state.play(typed.replace(" ", "").lower())
    assert explain_mistake(typed.lower(), caught.value, state, ["undo"]).endswith(expected)


def found(score: Score | None) -> SearchResult:
    state = State()
    pv = [state.parse_move("e2")]
    return SearchResult(pv[0], score, 9, pv, 2_300_000, 1000.0)


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Score(-0.04, State().game.unit, 1), "+0.0"),
        (Score(1.5, State().game.unit, 1), "+1.5"),
        (Score.expected(0.24, 1), "62% to win"),
        (Score.proven(-3, 1), "loses in 3"),
    ],
)
def test_scores_are_shown_in_their_unit(score: Score, text: str) -> None:
    state, result = State(), found(score)
    assert format_progress("deep", state, result) == (
        f"deep: depth 9, {text}, 2.3 M nodes, 2.3 M/s, e2"
    )
    assert format_played("deep", "e2", 0.94, result) == (
        f"deep played e2 in 940 ms (depth 9, 2.3 M nodes, {text})"
    )
    assert format_hint(state, result.best_move, result) == f"hint: e2 ({text}, depth 9: e2)"


def test_moves_and_hints_without_a_result() -> None:
    assert format_played("random", "e2", None, None) == "random played e2"
    assert format_hint(State(), State().parse_move("e2"), None) == "hint: e2"
    bare = SearchResult(State().parse_move("e2"), None)
    assert format_played("random", "e2", None, bare) == "random played e2"
    assert format_hint(State(), bare.best_move, bare) == "hint: e2"
    unscored = replace(bare, depth=7, nodes_searched=1234, pv=[bare.best_move])
    assert format_played("x", "e2", None, unscored) == "x played e2 (depth 7, 1,234 nodes)"
    assert format_hint(State(), bare.best_move, unscored) == "hint: e2 (depth 7: e2)"
    assert format_progress("x", State(), unscored).startswith("x: depth 7, 1 k nodes, ")


def test_the_speed_up_over_minimax_is_told_where_it_is_counted() -> None:
    state = reversi.State()
    result = replace(alphabeta(state, 5), best_move=state.parse_move("f5"))
    assert format_played("a", "f5", 0.0872, result, state) == (
        f"a played f5 in 87 ms (depth 5, 173 nodes, 9.9x speed-up, {result.score})"
    )
    assert "speed-up" not in format_played("a", "f5", 1.25, result)
    assert speed_up(state, minimax(state, 3)) is None
    assert speed_up(state, Engine(hash_mb=1).search(state, SearchLimits(depth=3))) is None
    assert speed_up(State(), alphabeta(State(), 1)) is None
    assert " in 1.2 s (depth 9, 99,999 nodes, " in format_played(
        "a", "f5", 1.25, replace(result, depth=9, nodes_searched=99_999)
    )
