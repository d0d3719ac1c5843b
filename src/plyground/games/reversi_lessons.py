"""The lessons of Reversi. The learner is player 1, black."""

from __future__ import annotations

from plyground.games.base import State
from plyground.games.lesson import Lesson, LessonStep, RuleDrawing
from plyground.games.reversi import PASS, expect_state

LEARNER = 1
CORNERS = frozenset({0, 7, 56, 63})
TWO_LINES = "---------------------------OOO-----OOO-----OOXX----OX-----OX---- X"
NO_MOVE = "---X-------X-----XXX-------XX---OOXXXX---O---X--XOX---X--O------ X"


def discs_turned(before: State, after: State) -> dict[str, int]:
    """The number of discs that a move turned over."""
    old, new = expect_state(before).counts, expect_state(after).counts
    opponent = before.get_opponent(before.current_player)
    return {"turned": old[opponent] - new[opponent]}


def _any(before: State, after: State) -> bool:  # noqa: ARG001
    return True


def _turns_most(before: State, after: State) -> bool:
    turned = (
        discs_turned(before, before.play(action))["turned"] for action in before.legal_actions()
    )
    return discs_turned(before, after)["turned"] == max(turned)


def _leaves_no_move(before: State, after: State) -> bool:  # noqa: ARG001
    return after.legal_actions() == [PASS]


def _takes_corner(before: State, after: State) -> bool:
    return _black(after) & CORNERS > _black(before) & CORNERS


def _gives_no_corner(before: State, after: State) -> bool:  # noqa: ARG001
    return CORNERS.isdisjoint(after.legal_actions())


def _black(state: State) -> frozenset[int]:
    black = expect_state(state).black
    return frozenset(square for square in range(64) if black >> square & 1)


LESSONS = (
    Lesson(
        "turn",
        (
            LessonStep(
                "first", "---------------------------OX------XO--------------------------- X", _any
            ),
            LessonStep("most", TWO_LINES, _turns_most),
        ),
    ),
    Lesson(
        "pass",
        (
            LessonStep(
                "leave",
                "-----------O-------OOOOO---OXXO----OXOOO---OOO------------------ X",
                _leaves_no_move,
            ),
            LessonStep("pass", NO_MOVE, _any),
        ),
    ),
    Lesson(
        "corner",
        (
            LessonStep(
                "take",
                "--------------X---OOXX----OOO-----OOXO---XOOXO-----OX-O--------- X",
                _takes_corner,
            ),
            LessonStep(
                "keep",
                "------------------O--O----XXXO-----OXO-----OOO----XXXO---------- X",
                _gives_no_corner,
            ),
        ),
        first_game={},
    ),
)

RULE_DRAWINGS = (
    RuleDrawing("start", "The start", marks=("d3", "c4", "f5", "e6")),
    RuleDrawing(
        "turn",
        "A turn",
        TWO_LINES,
        marks=("d3",),
        arrows=(("d3", "d8"), ("d3", "g6")),
    ),
    RuleDrawing("pass", "Passing", NO_MOVE),
)
