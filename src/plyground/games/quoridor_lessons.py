"""The lessons of Quoridor, on 5x5. The learner is player 1, who goes up to row 5."""

from __future__ import annotations

from plyground.games.base import State
from plyground.games.lesson import Accepts, Lesson, LessonStep, RuleDrawing, nothing
from plyground.games.quoridor import expect_state

LEARNER, OPPONENT = 1, 2


def steps_added(before: State, after: State) -> dict[str, int]:
    """The steps that a move costs each player, negative if it brings the player closer."""
    old, new = expect_state(before), expect_state(after)
    yours, theirs = (
        new.shortest_path_length(player) - old.shortest_path_length(player)
        for player in (LEARNER, OPPONENT)
    )
    return {"yours": yours, "theirs": theirs}


def _wins(before: State, after: State) -> bool:  # noqa: ARG001
    return after.winner == LEARNER


def _goes_ahead(before: State, after: State) -> bool:
    return steps_added(before, after)["yours"] < 0


def _goes_to(*cells: str) -> Accepts:
    def accepts(before: State, after: State) -> bool:
        row, column = expect_state(after).player1_pos
        moved = expect_state(before).player1_pos != (row, column)
        return moved and f"{'abcde'[column]}{row + 1}" in cells

    return accepts


def _costs(steps: int) -> Accepts:
    """A wall that costs the opponent at least so much, and the learner nothing."""

    def accepts(before: State, after: State) -> bool:
        added = steps_added(before, after)
        return added["theirs"] >= steps and added["yours"] == 0

    return accepts


def _blocks(before: State, after: State) -> bool:
    return steps_added(before, after)["theirs"] > 0


def _is_vertical_wall(before: State, after: State) -> bool:
    return len(expect_state(after).v_walls) > len(expect_state(before).v_walls)


LESSONS = (
    Lesson(
        "aim",
        (
            LessonStep("start", "5 c1/c5 - 5/5 1 0 0", _goes_to("c2")),
            LessonStep("win", "5 c4/a3 - 5/5 1 6 6", _wins),
        ),
    ),
    Lesson(
        "step",
        (
            LessonStep("aside", "5 c3/a4 - 5/5 1 4 4", _goes_to("d3")),
            LessonStep("around", "5 c3/a4 c3h 5/4 1 5 0", _goes_ahead),
        ),
    ),
    Lesson(
        "wall",
        (
            LessonStep("across", "5 c2/c4 - 5/5 1 2 2", _blocks),
            LessonStep("upright", "5 c2/d4 - 5/5 1 2 2", _is_vertical_wall),
        ),
    ),
    Lesson(
        "cost",
        (
            LessonStep("yours", "5 c2/c4 - 5/5 1 2 2", _costs(1)),
            LessonStep("two", "5 b2/d4 c4h,d3v 4/4 1 4 0", _costs(2)),
            LessonStep("run", "5 c3/a4 d1h,b2v 4/4 1 4 0", _goes_ahead),
        ),
    ),
    Lesson(
        "jump",
        (
            LessonStep("over", "5 c2/c3 - 5/5 1 3 3", _goes_to("c4")),
            LessonStep("between", "5 c2/c3 c2h 5/4 1 4 0", _goes_ahead),
            LessonStep("win", "5 c3/c4 - 5/5 1 4 4", _wins),
        ),
    ),
    Lesson(
        "diagonal",
        (
            LessonStep("wall", "5 c2/c3 c3h 5/4 1 4 0", _goes_to("b3", "d3")),
            LessonStep("edge", "5 c4/c5 - 5/5 1 6 6", _wins),
        ),
    ),
    Lesson(
        "shut-in",
        (
            LessonStep("try", "5 e2/a5 a4h 4/5 1 5 0", nothing, forbidden="b4v"),
            LessonStep("long", "5 e2/a5 a4h 4/5 1 5 0", _costs(2)),
        ),
    ),
    Lesson(
        "path",
        (
            LessonStep("back", "5 c2/e4 b3h,d3h,b2v 2/5 1 8 0", _goes_ahead, shows_paths=True),
            LessonStep("block", "5 c3/e3 b1h,d1v 4/4 1 8 0", _costs(3), shows_paths=True),
        ),
    ),
    Lesson("game", first_game={"Board": "5"}),
)

RULE_DRAWINGS = (
    RuleDrawing("start", "The aim"),
    RuleDrawing("step", "Moving the pawn", "5 c3/a5 c3h 5/4 1 4 0", marks=("b3", "d3", "c2")),
    RuleDrawing("jump", "Moving the pawn", "5 c2/c3 - 5/5 1 4 4", arrows=(("c2", "c4"),)),
    RuleDrawing(
        "diagonal",
        "Moving the pawn",
        "5 c2/c3 c3h 5/4 1 4 0",
        arrows=(("c2", "b3"), ("c2", "d3")),
    ),
    RuleDrawing("walls", "Placing a wall", "5 c2/c4 b2h,c4v 4/4 1 4 0", paths=True),
    RuleDrawing("shut-in", "Placing a wall", "5 e2/a5 a4h 4/5 1 5 0", marks=("b4v",)),
)
