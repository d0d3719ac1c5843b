"""Records as trees: variations, comments and marks, written and read the way PGN does."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.errors import IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.base import State
from plyground.play import MoveRecord, Record, format_record, parse_record, parse_records
from plyground.play.record import DEEPEST

GOLDEN = Path(__file__).parents[1] / "golden"
TRICKY = "0123456789s+-/., ()$!?[]*abc"


def texts(moves: Sequence[MoveRecord]) -> list[str]:
    return [move.text for move in moves]


def body(record: Record) -> str:
    return format_record(record).split("\n\n", 1)[1].strip()


def random_line(rng: random.Random, state: State, length: int, depth: int) -> list[MoveRecord]:
    line: list[MoveRecord] = []
    while len(line) < length and state.outcome is None:
        variations: list[tuple[MoveRecord, ...]] = []
        if depth < 3 and rng.random() < 0.3:
            variations = [
                tuple(random_line(rng, state, rng.randint(1, 4), depth + 1))
                for _ in range(rng.randint(1, 2))
            ]
        action = rng.choice(state.legal_actions())
        has_remarks = rng.random() < 0.3
        line.append(
            MoveRecord(
                state.format_move(action),
                time_s=rng.uniform(0, 1e4) if has_remarks and rng.random() < 0.5 else None,
                comment="".join(rng.choices(TRICKY, k=rng.randint(0, 12))) if has_remarks else "",
                marks=tuple(rng.sample(range(256), rng.randint(0, 2))) if has_remarks else (),
                variations=tuple(variations),
            )
        )
        state = state.play(action)
    return line


@st.composite
def trees(draw: st.DrawFn) -> Record:
    game = registry.get(draw(st.sampled_from(["quoridor", "reversi"])))
    rng = random.Random(draw(st.integers(0, 2**32)))
    start: State = game.start()
    for _ in range(draw(st.integers(0, 5))):
        start = start.play(rng.choice(start.legal_actions()))
    return Record.from_moves(random_line(rng, start, draw(st.integers(0, 12)), 0), start)


@settings(deadline=None, max_examples=60)
@given(trees())
def test_random_trees_round_trip(record: Record) -> None:
    text = format_record(record)
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text
    assert max(map(len, text.splitlines()[1:])) <= 80


def test_a_tree_is_written_the_way_pgn_does() -> None:
    record = Record.from_moves(
        [
            "e2",
            "e8",
            MoveRecord(
                "e3",
                time_s=3,
                comment="too slow",
                marks=(2,),
                variations=(
                    (
                        MoveRecord("d3h", marks=(1,)),
                        MoveRecord("e7", variations=((MoveRecord("f8"), MoveRecord("e3")),)),
                        MoveRecord("e3"),
                    ),
                    (MoveRecord("d2"),),
                ),
            ),
            "e7",
        ]
    )
    assert body(record) == (
        "1. e2 e8 2. e3 $2 {3s, too slow} (2. d3h $1 e7 (2... f8 3. e3) 3. e3) (2. d2)\n2... e7 *"
    )
    assert parse_record(format_record(record)) == record


def test_reading_is_lenient_about_marks_comments_and_spaces() -> None:
    record = parse_record(
        "1. e2! ( {first} 1. D1 ?? {2s, then} {more} ) {after} e8!? $13 ( 1... e8?! ) *"
    )
    first, second = record.moves
    assert (first.marks, first.comment) == ((1,), "after")
    assert first.variations == ((MoveRecord("d1", 2.0, comment="first then more", marks=(4,)),),)
    assert (second.marks, second.variations) == ((5, 13), ((MoveRecord("e8", marks=(6,)),),))


def test_a_reversi_game_has_variations_as_well() -> None:
    text = '[Game "reversi"]\n\n1. f5 d6 (1... f6 2. e6) 2. c3 *'
    record = parse_record(text)
    assert [texts(line) for line in record.moves[1].variations] == [["f6", "e6"]]
    assert body(record) == "1. f5 d6 (1... f6 2. e6) 2. c3 *"


def test_the_result_and_the_positions_are_those_of_the_main_line() -> None:
    record = parse_record('[Board "3"]\n1. b2 b1 (1... a3 2. b3) *'.replace("*", "0-1"))
    assert (record.result, record.termination) == ("0-1", "goal")
    assert len(record.states()) == 3
    assert record.actions("board") == [record.states()[0].parse_move("b2"), 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(e2) *", "line 1: expected a move before a variation"),
        ("1. e2 ( ) *", r"line 1: expected a move before '\)'"),
        ("1. e2\n) *", r"line 2: expected '\(' before '\)'"),
        ("1. e2 (1. d1\n*", r"line 2: expected '\)' at the end of a variation, before the result"),
        ("1. e2 (2. d1) *", "line 1: expected the number '1.', got '2.'"),
        ("$1 *", r"line 1: expected a move before the mark \$1"),
        ("!! *", "line 1: expected a move before the mark '!!'"),
        ("1. e2!?! *", "line 1: expected a move, got 'e2!\\?!'"),
        ("1. e2 $256 *", "line 1: expected a mark from 0 to 255, got 256"),
        ("1. e2" + " (d1" * 51 + ")" * 51 + " *", "expected at most 50 variations inside"),
    ],
)
def test_errors_in_variations_say_where(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_records(text)


def test_an_illegal_move_in_a_variation_is_one() -> None:
    with pytest.raises(IllegalMoveError, match="line 2: illegal move 'e5'"):
        parse_records("1. e2\n(1. e5) *")
    with pytest.raises(IllegalMoveError, match="illegal move 'e5'"):
        Record.from_moves([MoveRecord("e2", variations=((MoveRecord("e5"),),))])


def test_nesting_and_length_have_limits() -> None:
    deep = "1. e2" + " (e2" * DEEPEST + ")" * DEEPEST + " *"
    record = parse_record(deep)
    assert parse_record(format_record(record)) == record
    assert hash(record.moves) == hash(parse_record(deep).moves)
    with pytest.raises(NotationError, match="at most 50 variations inside one another"):
        Record.from_moves([MoveRecord("d1", variations=(record.moves,))])
    with pytest.raises(NotationError, match="expected a move in every variation of 'e2'"):
        MoveRecord("e2", variations=((),))
    with pytest.raises(NotationError, match="expected at most 3 moves in a game"):
        parse_records("1. e2 (d1) (f1) (e2) *", most_plies=3)


def test_records_without_variations_are_written_as_before() -> None:
    for path in GOLDEN.glob("*.pgn"):
        text = path.read_text(encoding="utf-8")
        assert "\n\n".join(format_record(record).strip() for record in parse_records(text)) == (
            text.strip()
        )
