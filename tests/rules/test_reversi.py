"""Reversi's rules, one a test, on the native core and on the plain-Python reference."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest

from plyground import reversi
from plyground.errors import IllegalMoveError, NotationError
from plyground.games.base import Outcome
from plyground.games.reference import reversi as reference
from plyground.reversi import PASS, State


@pytest.fixture(params=[State, reference.State], ids=["native", "reference"])
def rules(request: pytest.FixtureRequest) -> Any:
    return request.param


def board(drawing: str, side: str = "X") -> str:
    """The text of a drawing: rows 1 to 8 from the top, dots for empty squares."""
    squares = "".join(drawing.split()).replace(".", "-")
    assert len(squares) == 64
    return f"{squares} {side}"


def moves(state: Any) -> str:
    return " ".join(map(reference.action_to_notation, state.legal_actions()))


def play(state: Any, transcript: str) -> Any:
    for move in transcript.split():
        state = state.play(reversi.notation_to_action(move))
    return state


def test_the_start_has_white_on_d4_and_e5_and_black_begins(rules: Any) -> None:
    state = rules()
    assert state.text() == board(
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . O X . . .
        . . . X O . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """
    )
    assert state.current_player == 1
    assert moves(state) == "d3 c4 f5 e6"


def test_a_move_turns_discs_in_all_eight_directions(rules: Any) -> None:
    state = rules.parse(
        board("""
        X . . X . . X .
        . O . O . O . .
        . . O O O . . .
        X O O . O O O X
        . . O O O . . .
        . O . O . O . .
        X . . O . . X .
        . . . X . . . .
        """)
    )
    after = state.play(reversi.notation_to_action("d4"))
    assert after.text() == board(
        """
        X . . X . . X .
        . X . X . X . .
        . . X X X . . .
        X X X X X X X X
        . . X X X . . .
        . X . X . X . .
        X . . X . . X .
        . . . X . . . .
        """,
        "O",
    )
    assert after.legal_actions() == []


def test_lines_do_not_run_round_the_rim(rules: Any) -> None:
    state = rules.parse(
        board("""
        . . . . . . O X
        O . . . . . . .
        . . . . . . . .
        . . . . . . . O
        X . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """)
    )
    assert moves(state) == "f1"


def test_only_discs_before_the_first_own_disc_turn(rules: Any) -> None:
    state = rules.parse(board("X O X O . . . ." + " . " * 56))
    after = state.play(4)
    assert after.text().startswith("XOXXX---")


def test_a_player_without_a_move_passes_and_only_then(rules: Any) -> None:
    state = rules.parse(board("O X . . . . . ." + " . " * 56))
    assert state.legal_actions() == [PASS]
    after = state.play(PASS)
    assert after.current_player == 2
    assert after.text()[:64] == state.text()[:64]
    assert moves(after) == "c1"
    for refused, action, reason in (
        (state, 2, "there is no move but to pass"),
        (after, PASS, "only a player without a move may pass"),
        (after, 0, "the square is taken"),
        (after, 63, "it turns no disc over"),
        (after.play(2), PASS, "the game is over"),
    ):
        with pytest.raises(ValueError, match="illegal move") as caught:
            refused.play(action)
        name = reference.action_to_notation(action)
        assert str(caught.value) == f"illegal move '{name}' in '{refused.text()}': {reason}"


@pytest.mark.parametrize(
    ("text", "winner", "reason", "score"),
    [
        ("X" * 40 + "O" * 24 + " X", 1, "full board", 16),
        ("X" * 20 + "O" * 44 + " X", 2, "full board", -24),
        ("XO" * 32 + " O", None, "full board", 0),
        ("X" * 10 + "-" * 54 + " O", 1, "wipe-out", 64),
        ("O" + "-" * 63 + " O", 2, "wipe-out", -64),
        ("XX-OOO" + "-" * 58 + " X", 2, "no moves", -60),
        ("XX-OO" + "-" * 59 + " X", None, "no moves", 0),
    ],
)
def test_how_games_end(rules: Any, text: str, winner: int | None, reason: str, score: int) -> None:
    state = rules.parse(text)
    assert state.game_over
    assert state.legal_actions() == []
    assert (state.winner, state.score) == (winner, score)
    if rules is State:
        assert state.outcome == Outcome(winner, reason)
        assert [state.reward(1), state.reward(2)] == {
            1: [1.0, -1.0],
            2: [-1.0, 1.0],
            None: [0.0, 0.0],
        }[winner]
    else:
        assert state.reason == reason


def test_the_shortest_game_wipes_white_out_on_the_ninth_move(rules: Any) -> None:
    state = play(rules(), "e6 f4 e3 f6 g5 d6 e7 f5 c5")
    assert (state.game_over, state.winner, state.score) == (True, 1, 64)
    assert state.counts == {1: 13, 2: 0}


# What only the native state has.


def test_the_properties_of_the_start() -> None:
    state = State()
    assert (state.board_size, state.counts, state.score) == (8, {1: 2, 2: 2}, 0)
    assert (state.game_over, state.winner, state.outcome) == (False, None, None)
    assert (state.black, state.white) == (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)
    assert [state.get_opponent(player) for player in (1, 2)] == [2, 1]
    assert [state.reward(1), state.reward(2)] == [0.0, 0.0]
    with pytest.raises(ValueError, match="player 1 or 2"):
        state.reward(3)


def test_it_prints_as_a_board() -> None:
    assert str(State().play("f5")).splitlines() == [
        "  a b c d e f g h",
        "1 . . . . . . . .",
        "2 . . . . . . . .",
        "3 . . . . . . . .",
        "4 . . . O X . . .",
        "5 . . . X X X . .",
        "6 . . . . . . . .",
        "7 . . . . . . . .",
        "8 . . . . . . . .",
        "white (O) to move, discs 4-1",
    ]
    assert str(State.parse("X" * 40 + "O" * 24 + " O")).endswith("\nblack won, discs 40-24")
    assert str(State.parse("X" * 20 + "O" * 44 + " O")).endswith("\nwhite won, discs 20-44")
    assert str(State.parse("XO" * 32 + " O")).endswith("\ndraw, discs 32-32")


def test_a_move_in_any_form_leads_to_the_same_state() -> None:
    after = State().play(37)
    assert after == State().play("f5") == State().play("F5") == State().make_move("f5")
    number: Any
    for number in (np.int64(37), np.uint8(37)):
        assert after == State().play(number) == State().make_move(number)
    assert State() == State()
    assert after != State()
    assert hash(after) == hash(State().play("f5"))
    assert State() != "text"


def test_a_state_is_a_value() -> None:
    state = State().play("f5")
    text = state.text()
    with pytest.raises(AttributeError):
        state.current_player = 1  # type: ignore[misc]
    state.counts[1] = 50
    state.legal_actions().clear()
    assert state.text() == text
    assert copy.copy(state) is copy.deepcopy(state) is state
    assert pickle.loads(pickle.dumps(state)) == state
    assert eval(repr(state), {"State": State}) == state  # noqa: S307


def test_the_side_to_move_is_part_of_the_state() -> None:
    text = State().text()
    other = State.parse(text[:-1] + "O")
    assert other != State()
    assert hash(other) != hash(State())
    assert (other.current_player, other.black, other.white) == (2, State().black, State().white)


def test_positions_are_read_as_other_programs_write_them() -> None:
    state = State.parse("." * 27 + "ox......*O" + "." * 27 + "\n  x")
    assert state == State()
    rows = [State().text()[i : i + 8] for i in range(0, 64, 8)]
    assert State.parse("\n".join(rows) + " *") == State()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "bad position '': expected 64 squares (or 36 or 16) and the side to move, "
            "got 0 characters",
        ),
        ("-" * 64, "expected 64 squares (or 36 or 16) and the side to move, got 64 characters"),
        ("-" * 64 + " -", "expected 'X' or 'O' to move after the squares"),
        (
            "-" * 64 + " XO",
            "expected 64 squares (or 36 or 16) and the side to move, got 66 characters",
        ),
        ("-" * 63 + "# X", "expected squares '-', 'X' and 'O', got '#'"),
        ("\ud800", "expected plain text"),
    ],
)
def test_a_bad_position_is_explained(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        State.parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("move", ["", "i1", "a9", "f55", "5f", "é", "passt"])
def test_a_bad_move_is_explained(move: str) -> None:
    with pytest.raises(NotationError, match="expected a square from a1 to h8 or 'pass', got"):
        State().play(move)


@pytest.mark.parametrize(("action", "got"), [(-1, "-1"), (65, "65"), (2**70, "a number beyond")])
def test_a_bad_action_is_explained(action: int, got: str) -> None:
    with pytest.raises(IllegalMoveError, match=f"expected an action from 0 to 64, got {got}"):
        State().play(action)
    assert not State().is_legal(action)
    with pytest.raises(IllegalMoveError, match="expected an action from 0 to 64"):
        reversi.action_to_notation(action)


def test_only_numbers_and_text_are_moves() -> None:
    for move in (1.5, None, (1, 2)):
        with pytest.raises(TypeError):
            State().play(move)  # type: ignore[call-overload]


def test_notation_covers_all_actions() -> None:
    names = [reversi.action_to_notation(action) for action in range(reversi.ACTION_SPACE_SIZE)]
    assert (names[0], names[7], names[8], names[63], names[64]) == ("a1", "h1", "a2", "h8", "pass")
    assert [reversi.notation_to_action(name) for name in names] == list(range(65))
    assert {reversi.notation_to_action(text) for text in ("PASS", "pa", "Ps", "--", "@@")} == {PASS}


def test_every_random_game_says_what_is_legal(rng: random.Random) -> None:
    state = State()
    while not state.game_over:
        actions = state.legal_actions()
        assert [action for action in range(65) if state.is_legal(action)] == actions
        state = state.play(rng.choice(actions))
    assert not any(state.is_legal(action) for action in range(65))
