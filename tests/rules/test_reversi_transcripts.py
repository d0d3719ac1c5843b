"""Transcripts: games as a row of squares, the passes implied."""

from __future__ import annotations

import random

import pytest

from plyground.errors import IllegalMoveError, NotationError
from plyground.reversi import PASS, State, format_transcript, parse_transcript

OPENING = [37, 43, 18, 19, 26]


@pytest.mark.parametrize(
    "text",
    [
        "f5d6c3d3c4",
        "F5D6C3D3C4",
        "f5 d6 c3\nd3\tc4",
        "1. f5 d6 2. c3 d3 3. c4",
        "1.f5 1...d6 2.c3 d3 3.c4",
        " f5d6 c3d3 c4 ",
    ],
)
def test_moves_however_they_are_set_apart(text: str) -> None:
    assert parse_transcript(text) == OPENING


def test_nothing_is_a_game_without_moves() -> None:
    assert parse_transcript("") == parse_transcript("  \n") == []
    assert format_transcript([]) == ""


def test_a_pass_may_be_left_out_or_written() -> None:
    start = State.parse("OX" + "-" * 62 + " X")  # black has no move, white has c1
    assert start.legal_actions() == [PASS]
    assert parse_transcript("c1", start) == parse_transcript("-- c1", start) == [PASS, 2]


def random_game(rng: random.Random) -> tuple[list[int], State]:
    state, actions = State(), []
    while not state.game_over:
        actions.append(rng.choice(state.legal_actions()))
        state = state.play(actions[-1])
    return actions, state


def test_random_games_come_back_with_their_passes(rng: random.Random) -> None:
    passes = 0
    for _ in range(300):
        actions, _ = random_game(rng)
        passes += actions.count(PASS)
        text = format_transcript(actions)
        assert len(text) == 2 * (len(actions) - actions.count(PASS))
        assert parse_transcript(text) == actions
        for name in ("pass", "pa", "PS", "--", "@@"):
            written = " ".join(
                name if action == PASS else format_transcript([action]) for action in actions
            )
            assert parse_transcript(written) == actions
            assert parse_transcript(written.replace(" ", "")) == actions
    assert passes > 0


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("f5d6c3d3a1", IllegalMoveError, "move 5: illegal move 'a1' in '"),
        ("f5f5", IllegalMoveError, "move 2: illegal move 'f5' in '"),
        ("1. f5 d6 2. pass", IllegalMoveError, "move 3: illegal move 'pass' in '"),
        ("f5d6i9", NotationError, "move 3: expected a square from a1 to h8 or a pass, got 'i9'"),
        ("f5d", NotationError, "move 2: expected a square from a1 to h8 or a pass, got 'd'"),
        ("f5 é", NotationError, "move 2: expected a square from a1 to h8 or a pass, got 'é'"),
    ],
)
def test_a_bad_move_is_named_by_number_and_square(
    text: str, error: type[ValueError], message: str
) -> None:
    with pytest.raises(error) as caught:
        parse_transcript(text)
    assert str(caught.value).startswith(message)


def test_a_move_after_the_end_is_refused() -> None:
    shortest = "e6f4e3f6g5d6e7f5c5"
    assert len(parse_transcript(shortest)) == 9
    with pytest.raises(IllegalMoveError, match=r"move 10: illegal move 'a1' .*: the game is over"):
        parse_transcript(shortest + "a1")
