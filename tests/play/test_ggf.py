"""Reversi games as GGF: reading, writing, and what is said about text that cannot be read."""

from __future__ import annotations

import random

import pytest

from plyground.errors import IllegalMoveError, NotationError
from plyground.play import MoveRecord, Record, format_ggf, parse_ggf
from plyground.reversi import PASS, State

BOARD = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27
SERVER_GAME = f"""\
1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[ann]PW[bob]RB[1720.5]RW[2195]
TI[05:00//02:00]TY[8]RE[-64.00:r]BO[8 {BOARD} *]B[f5//0.01]W[D6/2.39/4]B[c3/-1]W[d3];)
"""


def test_a_game_from_a_server() -> None:
    [record] = parse_ggf(SERVER_GAME)
    assert record.game == "reversi"
    assert record.start is None
    assert record.tags == {
        "Place": "GGS/os",
        "Date": "2003.12.15_12:33:18.MST",
        "Player1": "ann",
        "Player2": "bob",
        "Rating1": "1720.5",
        "Rating2": "2195",
        "Clock": "05:00//02:00",
    }
    assert record.moves == (
        MoveRecord("f5", time_s=0.01),
        MoveRecord("d6", time_s=4, score=2.39),
        MoveRecord("c3", score=-1),
        MoveRecord("d3"),
    )
    assert (record.result, record.termination) == ("0-1", "resignation")


def test_it_is_written_and_read_back() -> None:
    [record] = parse_ggf(SERVER_GAME)
    text = format_ggf([record])
    assert text == (
        "(;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[ann]PW[bob]RB[1720.5]RW[2195]"
        f"TI[05:00//02:00]RE[-64.00:r]TY[8]BO[8 {BOARD} *]"
        "B[f5//0.01]W[d6/2.39/4]B[c3/-1]W[d3];)\n"
    )
    assert parse_ggf(text) == [record]


def test_random_games_come_back(rng: random.Random) -> None:
    records = []
    for number in range(60):
        state, moves = State(), list[int]()
        # Some begin in the middle, some are left unfinished.
        for _ in range(rng.randrange(40) if number % 3 == 0 else 0):
            if not state.game_over:
                state = state.play(rng.choice(state.legal_actions()))
        start, length = state, rng.randrange(60) if number % 4 == 0 else 130
        while not state.game_over and len(moves) < length:
            moves.append(rng.choice(state.legal_actions()))
            state = state.play(moves[-1])
        records.append(Record.from_moves(moves, start, {"Player1": "a"}, comment=f"no. {number}"))
    assert any(move.text == "pass" for record in records for move in record.moves)
    assert {record.result for record in records} >= {"1-0", "0-1", "*"}
    text = format_ggf(records)
    assert parse_ggf(text) == records
    assert parse_ggf("2 " + text.replace("\n", "")) == records


def test_a_pass_is_written_and_may_be_missing() -> None:
    start = State.parse("OX" + "-" * 62 + " X")
    record = Record.from_moves([PASS, 2], start)
    text = format_ggf([record])
    assert "B[PA]W[c1]" in text
    assert parse_ggf(text) == parse_ggf(text.replace("B[PA]", "")) == [record]
    assert parse_ggf(text.replace("PA", "pass")) == [record]


@pytest.mark.parametrize(
    ("value", "result", "termination"),
    [
        ("?", "*", ""),
        ("aborted", "*", ""),
        ("+2.00", "1-0", ""),
        ("-12:t", "0-1", "time"),
        ("0.00:s", "1/2-1/2", "agreement"),
        ("+64:l", "1-0", "left"),
    ],
)
def test_results(value: str, result: str, termination: str) -> None:
    [record] = parse_ggf(f"(;GM[Othello]RE[{value}]B[f5];)")
    assert (record.result, record.termination) == (result, termination)
    assert parse_ggf(format_ggf([record])) == [record]


def test_a_text_without_games() -> None:
    assert parse_ggf(" \n") == []
    assert format_ggf([]) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "game 1: expected a game '(;...;)', got 'nonsense'"),
        ("(;GM[Othello]B[f5]", "game 1: expected a game '(;...;)', got"),
        ("(;GM[Othello];) x", "game 2: expected a game '(;...;)', got 'x'"),
        ("(;GM[Amazons];)", "game 1: expected a game of Othello, got 'Amazons'"),
        ("(;TY[10];)", "game 1: expected the type of a plain 8x8 game, got '10'"),
        ("(;TY[8a];)", "game 1: expected the type of a plain 8x8 game, got '8a'"),
        ("(;PB[a]PB[b];)", "game 1: the tag 'PB' is there twice"),
        ("(;PB[a]!;)", "game 1: expected a tag like 'PB[Ann]', got '!'"),
        ("(;BO[10 - *];)", "game 1: expected a board of size 8 first in BO, got '10'"),
        ("(;BO[];)", "game 1: expected a board of size 8 first in BO, got ''"),
        ("(;BO[8];)", "game 1: bad position '': expected 64 squares"),
        ("(;BO[8 -- *];)", "game 1: bad position '-- *': expected 64 squares"),
        ("(;RE[won];)", "game 1: expected a result like '+2.00', got 'won'"),
        ("(;B[f5]W[a1];)", "game 1: move 2: illegal move 'a1' in '"),
        ("(;B[f5]W[z1];)", "game 1: move 2: expected a square from a1 to h8"),
        ("(;B[f5]B[d6];)", "game 1: move 2: expected the other side to move, got B[d6]"),
        ("(;B[f5/x];)", "game 1: move 1: expected a number after the square, got 'x'"),
        ("(;B[f5/1/2/3];)", "game 1: move 1: expected 'move/eval/time', got 'f5/1/2/3'"),
        ("(;B[f5];)(;B[a1];)", "game 2: move 1: illegal move 'a1' in '"),
    ],
)
def test_mistakes_are_named_by_game_and_move(text: str, message: str) -> None:
    with pytest.raises((NotationError, IllegalMoveError)) as caught:
        parse_ggf(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_result_that_the_moves_contradict_is_refused() -> None:
    moves = "B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5]"
    [record] = parse_ggf(f"(;RE[+64.00]{moves};)")
    assert (record.result, record.termination) == ("1-0", "wipe-out")
    assert parse_ggf(f"(;RE[+64.00:t]{moves};)") == parse_ggf(f"(;{moves};)") == [record]
    with pytest.raises(NotationError, match="game 1: expected the result 1-0"):
        parse_ggf(f"(;RE[-2.00]{moves};)")


def test_what_ggf_cannot_hold() -> None:
    with pytest.raises(NotationError, match="expected a game of reversi to write as GGF"):
        format_ggf([Record.from_moves(["e2"])])
    record = Record.from_moves(["f5"], State(), tags={"Player1": "a]b"})
    with pytest.raises(NotationError, match="expected no ']' in what becomes the tag PB"):
        format_ggf([record])
