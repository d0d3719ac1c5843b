"""Game records as text: reading, writing, and what is said about text that cannot be read."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.play import (
    MoveRecord,
    Record,
    format_record,
    format_records,
    parse_record,
    parse_records,
    record_text,
)
from plyground.quoridor import GameConfig, State

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.pgn"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_games_come_back_to_the_letter(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    records = parse_records(text)
    assert format_records(records) == text
    assert parse_records(format_records(records)) == records
    assert max(map(len, text.splitlines())) <= 80


def test_a_golden_game_says_what_it_says() -> None:
    (path,) = [path for path in GOLDEN if path.stem == "annotated"]
    record = parse_record(path.read_text(encoding="utf-8"))
    assert record.start == "9 e2/e9 - 10/10 2 1 1"
    assert list(record.tags.items()) == [
        ("Event", 'Club evening, "B" group'),
        ("Site", "C:\\Club"),
        ("Date", "2024.03.01"),
        ("Player1", "Bob"),
        ("Player2", "Zoë"),
    ]
    assert record.comment == "Played by e-mail, from a position that both wanted to try."
    assert record.moves == (
        MoveRecord("e8", time_s=0.9, score=0.25, depth=9),
        MoveRecord("e3", 12.5, -0.125, 7, "not e5h, which costs a wall and gains nothing"),
        MoveRecord("d3h", 31.25, comment="the first wall; e4 is now two steps further away"),
        MoveRecord("c3v", comment="Bob was already short of time"),
        MoveRecord("e7", time_s=0.001),
        MoveRecord("e2", score=-2, comment="3s, he says"),
    )
    assert (record.result, record.termination) == ("0-1", "resignation")
    assert record.states()[-1].text() == "9 e2/e7 d3h,c3v 9/9 2 7 2"


def test_how_games_end() -> None:
    (path,) = [path for path in GOLDEN if path.stem == "endings"]
    records = parse_records(path.read_text(encoding="utf-8"))
    assert [str(record.outcome) for record in records] == [
        "draw (move limit)",
        "draw (no progress)",
        "None",
        "player 2 won (goal)",
    ]


@pytest.mark.parametrize(
    ("move", "comment"),
    [
        (MoveRecord("e2"), ""),
        (MoveRecord("e2", 0.9, 1.5, 9), "{0.9s +1.50/9}"),
        (MoveRecord("e2", 12, comment="hm"), "{12s, hm}"),
        (MoveRecord("e2", score=-0.125), "{-0.125}"),
        (MoveRecord("e2", depth=7), "{/7}"),
        (MoveRecord("e2", comment="a wall {or two"), "{a wall {or two}"),
        (MoveRecord("e2", comment="3s"), "{, 3s}"),
        (MoveRecord("e2", comment=", well"), "{, , well}"),
    ],
)
def test_comments_are_compact_and_never_mistaken(move: MoveRecord, comment: str) -> None:
    text = format_record(Record.from_moves([move]))
    assert text.splitlines()[-1] == " ".join(filter(None, ["1. e2", comment, "*"]))
    assert parse_record(text).moves == (move,)


@pytest.mark.parametrize("offset", range(80))
def test_long_comments_are_wrapped_at_spaces_alone(offset: int) -> None:
    comment = "x" * offset + " a well-known mid-game trap-like e-mail" + " 1. e2 [Event * 1-0" * 8
    record = Record.from_moves([MoveRecord("e2", comment=comment)], comment=comment)
    assert parse_record(format_record(record)) == record


def test_many_comments_are_put_together_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put together one by one, those of a page of text would take minutes."""
    made: list[MoveRecord] = []

    def counted(text: str, *more: Any, **named: Any) -> MoveRecord:
        made.append(MoveRecord(text, *more, **named))
        return made[-1]

    monkeypatch.setattr(record_text, "MoveRecord", counted)
    record = parse_record("1. e2 {3s, a} " + "{b} " * 50 + "e8 *")
    assert record.moves[0] == MoveRecord("e2", 3, comment="a" + " b" * 50)
    assert len(made) == 2  # each move once


def test_reading_is_lenient_about_spelling() -> None:
    untidy = '\ufeff[Event "x" ]\r\n[ Board"5"]{one}\n{two} 1.C2 {a} {1s} 1... c4\t2. b3V\n\n*'
    record = parse_record(untidy)
    assert (record.tags, record.comment) == ({"Event": "x"}, "one two")
    assert record.moves == (MoveRecord("c2", comment="a 1s"), MoveRecord("c4"), MoveRecord("b3v"))
    assert parse_record("e2 e8 *") == parse_record("1. e2 1... e8 *")


def test_the_history_of_older_records_still_reads() -> None:
    """It was a setting of the network's input, not of the game."""
    text = '[Game "quoridor"]\n[Board "5"]\n[History "2"]\n[Player1 "Ann"]\n\n1. c2 c4 *\n'
    record = parse_record(text)
    assert (record.settings, record.tags) == ({"Board": "5"}, {"Player1": "Ann"})
    assert record == parse_record(text.replace('[History "2"]\n', ""))
    assert "History" not in format_record(record)


def test_no_text_is_no_games() -> None:
    assert parse_records(" \n") == []
    with pytest.raises(NotationError, match="expected one game, got 0"):
        parse_record("")
    with pytest.raises(NotationError, match="expected one game, got 2"):
        parse_record("* *")


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            "1. e2 e8\n2. e3 e7 3. e5 *",
            IllegalMoveError,
            "line 2: illegal move 'e5' in '9 e3/e7 - 10/10 1 4 4': no pawn move leads there",
        ),
        (
            '*\n\n[Board "3"]\n\n1. b2 b1\n2. a1 *',
            IllegalMoveError,
            "game 2, line 6: illegal move 'a1' in '3 b2/b1 - 2/2 1 2 2': the game is over",
        ),
        ("1. zz *", NotationError, "line 1: expected a cell"),
        ("1. e2 3. e3 *", NotationError, "line 1: expected the number '1...', got '3.'"),
        ("1. e2 e8 2... e3 *", NotationError, "line 1: expected the number '2.', got '2...'"),
        ("1. e2", NotationError, "line 1: expected a result 1-0, 0-1, 1/2-1/2, * after the moves"),
        (
            '1. e2\n[Event "x"]\n*',
            NotationError,
            "line 2: expected the result of the game before the tag 'Event'",
        ),
        (
            '[Result "1-0"]\n\n1. e2\n0-1',
            NotationError,
            "line 4: expected the result '1-0' of the tag, got '0-1'",
        ),
        (
            '[Board "3"]\n1. b2 b1\n*',
            NotationError,
            "line 3: expected the result 0-1, as the moves say (player 2 won (goal)), got '*'",
        ),
        ('*\n[Event "a"]\n[Event "b"] *', NotationError, "game 2, line 3: the tag 'Event' is th"),
        ("\n[Event x]\n*", NotationError, 'line 2: expected a tag like [Event "..."], got \'[Ev'),
        ("1. e2 {oh\n*", NotationError, "line 1: expected '}' at the end of the comment '{oh'"),
        ("1. e2 } *", NotationError, "line 1: expected a move, a comment or a result, got '} *'"),
        ("1. e2\n{\x07} *", NotationError, "line 2: expected a comment of plain text"),
        ('[Board "x"] *', ConfigError, "line 1: expected a whole number for the setting Board"),
        ('[board "5"] *', NotationError, "line 1: the tag 'board' cannot be used beside 'Board'"),
        ('[Game "chess"] *', ConfigError, "line 1: unknown game 'chess'; known are "),
        (
            '[Board "5"]\n[Start "9 e1/e9 - 10/10 1 0 0"]\n*',
            NotationError,
            "line 2: bad position '9 e1/e9 - 10/10 1 0 0': expected a board of size 5, got 9",
        ),
        ('[Event "x"]\n[Game "chess"]\n*', ConfigError, "line 2: unknown game 'chess'"),
        ('[Walls "5"]\n[Board "x"]\n*', ConfigError, "line 2: expected a whole number for the set"),
        ('[Board "5"]\n[Walls "17"]\n*', ConfigError, "line 2: expected Walls to be a "),
        ('[Event "x"]\n[result "*"]\n*', NotationError, "line 2: the tag 'result' cannot be used"),
        ('*\n[A "x"]\n[B "\x07"]\n*', NotationError, "game 2, line 3: expected plain text on one"),
        (
            '[A "x"]\n[Termination "\x07"]\n[Result "*"]\n*',
            NotationError,
            "line 2: expected plain text on one line in the tag 'Termination'",
        ),
        ("1. \ud800 *", NotationError, "line 1: expected plain text, got characters that"),
    ],
)
def test_errors_say_what_is_wrong_and_where(text: str, error: type, message: str) -> None:
    with pytest.raises(error) as caught:
        parse_records(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


# Random games: any board, any limits, from the start or from somewhere in a game, with remarks.

one_line = st.text(
    st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp"), blacklist_characters="}")
)
tricky = st.text("0123456789s+-/., {[]\"\\;%*'1.e2", max_size=12)
words = one_line | tricky


@st.composite
def moves(draw: st.DrawFn, text: str) -> MoveRecord:
    return MoveRecord(
        text,
        time_s=draw(st.none() | st.floats(0, 1e9)),
        score=draw(st.none() | st.floats(-1e9, 1e9)),
        depth=draw(st.none() | st.integers(0, 99)),
        comment=draw(words),
    )


@st.composite
def games(draw: st.DrawFn) -> Record:
    size = draw(st.integers(3, 9))
    config = GameConfig(
        board_size=size,
        walls_per_player=draw(st.integers(0, min(10, (size - 1) ** 2))),
        max_moves=draw(st.integers(1, 60)),
        no_progress_limit=draw(st.integers(1, 60)),
        draw_penalty=draw(st.floats(-1, 1)),
    )
    rng = draw(st.randoms(use_true_random=False))
    state, played = State(config), list[int]()
    length = draw(st.integers(0, 60))
    skipped = draw(st.integers(0, 10))
    start = state
    for turn in range(length):
        if state.game_over:
            break
        action = rng.choice(state.legal_actions())
        state = state.play(action)
        if turn < skipped:
            start = state
        else:
            played.append(action)
    names = [move.text for move in Record.from_moves(played, start).moves]
    remarks = draw(st.booleans())
    over = state.game_over
    return Record.from_moves(
        [draw(moves(name)) if remarks and i < 5 else name for i, name in enumerate(names)],
        start,
        tags=draw(st.dictionaries(st.sampled_from(["Event", "Date", "Player1", "_x9"]), words)),
        comment=draw(words),
        result=None if over else draw(st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"])),
        termination="" if over else draw(words),
    )


@settings(deadline=None, max_examples=150)
@given(st.lists(games(), max_size=3))
def test_random_games_round_trip(records: list[Record]) -> None:
    text = format_records(records)
    again = parse_records(text)
    assert again == records
    assert format_records(again) == text
    for record in again:
        assert len(record.states()) == len(record.moves) + 1


PIECES = re.findall(r"\S+|\s+", "\n".join(path.read_text(encoding="utf-8") for path in GOLDEN))
scraps = st.lists(st.sampled_from(PIECES) | tricky | st.text(max_size=3), max_size=30)


@settings(deadline=None, max_examples=300)
@given(st.text() | scraps.map("".join) | scraps.map(" ".join))
def test_garbage_is_one_of_our_errors_or_a_game(text: str) -> None:
    try:
        records = parse_records(text)
    except (ConfigError, IllegalMoveError, NotationError) as error:
        message = str(error)
    else:
        message = "line 0: none"
        assert parse_records(format_records(records)) == records
    assert re.match(r"(game \d+, )?line \d+: ", message)


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(GOLDEN), st.data())
def test_damaged_games_are_one_of_our_errors_or_a_game(path: Path, data: st.DataObject) -> None:
    text = path.read_text(encoding="utf-8")
    place = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 8))
    damaged = text[:place] + data.draw(st.text(max_size=3)) + text[place + cut :]
    try:
        records = parse_records(damaged)
    except (ConfigError, IllegalMoveError, NotationError):
        return
    assert parse_records(format_records(records)) == records
