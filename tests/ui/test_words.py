"""What is said about mistakes."""

from __future__ import annotations

import pytest

from plyground.errors import IllegalMoveError
from plyground.games import registry
from plyground.ui.words import mistake

WALLED = "9 e4/e6 c3h,e3h,d7h 8/9 2 9 1"
# Eight moves, and twenty-one.
FEW = "--------------------OOO---XXX-----OOO--------------------------- X"
MANY = "-----------O------OXOO----OXXOO--OOXXOO---OXXO----OOXO---------- X"


@pytest.mark.parametrize(
    ("game", "position", "typed", "said"),
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
def test_a_move_that_is_not_possible(game: str, position: str, typed: str, said: str) -> None:
    rules = registry.get(game)
    state = rules.start({}, position)
    with pytest.raises(IllegalMoveError) as caught:
        state.play(typed.replace(" ", "").lower())
    answer = mistake(typed.lower(), caught.value, rules, state, ["undo"])
    assert answer.endswith(said)
