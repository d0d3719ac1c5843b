"""Game records as values: what they hold, check and replay."""

import copy
import pickle
from typing import Any, cast

import numpy as np
import pytest

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.base import Outcome
from plyground.games.quoridor import expect_state
from plyground.play import MoveRecord, Record
from plyground.play.record import points_of
from plyground.quoridor import GameConfig, State

TINY = State(GameConfig.preset("tiny"))


def texts(record: Record) -> list[str]:
    return [move.text for move in record.moves]


def test_moves_are_given_in_notation_by_number_or_with_remarks() -> None:
    record = Record.from_moves(["E2", 67, MoveRecord("D5H", time_s=1.5)])
    assert texts(record) == ["e2", "e8", "d5h"]
    assert record.actions("board") == [13, 67, 81 + 4 * 8 + 3]
    assert record.moves[2].time_s == 1.5
    assert texts(Record.from_moves([np.int64(13), np.uint8(67)])) == ["e2", "e8"]


def test_states_are_those_of_the_game() -> None:
    small = State(GameConfig.preset("small"))
    record = Record.from_moves(["c2", "b4h"], small)
    assert record.states() == [small, small.play("c2"), small.play("c2").play("b4h")]


def test_settings_and_start_are_kept_where_they_go_without_saying() -> None:
    assert Record().settings == {"Board": "9"}
    assert Record().start is None
    assert Record.from_moves([], TINY).settings == {"Board": "3"}
    assert Record.from_moves([], State.parse(State().text())).start is None


def test_every_setting_comes_back() -> None:
    config = GameConfig(6, 4, 90, 33, draw_penalty=-1e-05)
    record = Record.from_moves([], State(config))
    assert list(record.settings.values()) == ["6", "4", "90", "33", "-1e-05"]
    assert expect_state(record.start_state()).config == config


def test_the_history_of_older_records_is_ignored() -> None:
    record = Record(settings={"Board": "5", "History": "2"})
    assert record.settings == {"Board": "5"}
    assert record.start_state() == State(GameConfig.preset("small"))


def test_names_and_points_of_players() -> None:
    record = Record.from_moves(["b2", "b1"], TINY, tags={"Player1": "Ann"})
    assert [record.player_name(player) for player in (1, 2)] == ["Ann", "player 2"]
    assert record.player_name(2, "?") == "?"
    assert [record.points(player) for player in (1, 2)] == [0.0, 1.0]
    assert [points_of("1/2-1/2", player) for player in (1, 2)] == [0.5, 0.5]
    assert [points_of("*", player) for player in (1, 2)] == [0.5, 0.5]
    assert [points_of("1-0", player) for player in (1, 2)] == [1.0, 0.0]


def test_a_record_of_played_moves_is_that_of_replayed_ones() -> None:
    replayed = Record.from_moves(["B2", 1], TINY, tags={"Event": "x"}, comment=" a ")
    end = replayed.states()[-1]
    played = Record.of_played(
        TINY, replayed.moves, tags={"Event": "x"}, comment="a", outcome=end.outcome
    )
    assert played == replayed
    with pytest.raises(NotationError, match="expected the result 0-1, as the moves say"):
        Record.of_played(TINY, replayed.moves, outcome=end.outcome, result="1-0")
    with pytest.raises(NotationError, match="one line in the tag 'Event'"):
        Record.of_played(TINY, [], tags={"Event": "a\nb"})


def test_a_position_brings_its_own_board_size() -> None:
    record = Record(start="5 c2/c5 - 5/5 2 1 1")
    assert record.settings == {"Board": "5"}
    assert expect_state(record.start_state()).config == GameConfig.preset("small")


def test_result_follows_from_the_moves() -> None:
    record = Record.from_moves(["b2", "b1"], TINY)
    assert (record.result, record.termination) == ("0-1", "goal")
    assert record.outcome == Outcome(2, "goal")
    assert Record.from_moves(["b2"], TINY).outcome is None


def test_a_game_can_end_off_the_board() -> None:
    record = Record.from_moves(["b2"], TINY, result="1-0", termination="time")
    assert record.outcome == Outcome(1, "time")
    assert Record(result="1/2-1/2").outcome == Outcome(None, "not said")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"result": "1-0"},
            "expected the result 0-1, as the moves say (player 2 won (goal)), got '1-0'",
        ),
        (
            {"result": "*"},
            "expected the result 0-1, as the moves say (player 2 won (goal)), got '*'",
        ),
        (
            {"result": "0-1", "termination": "time"},
            "expected the termination 'goal', as the moves say, got 'time'",
        ),
        ({"result": "2-0"}, "expected a result 1-0, 0-1, 1/2-1/2, *, got '2-0'"),
    ],
)
def test_result_must_be_what_the_moves_say(change: dict[str, str], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        Record.from_moves(["b2", "b1"], TINY, **change)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_illegal_move_is_refused_with_the_reason() -> None:
    message = "illegal move 'e3' in '9 e1/e9 - 10/10 1 0 0': no pawn move leads there"
    with pytest.raises(IllegalMoveError) as caught:
        Record(moves=(MoveRecord("e3"),))
    assert str(caught.value) == message


def test_equal_games_are_equal_however_spelt() -> None:
    assert Record.from_moves(["E2"]) == Record.from_moves([13])
    assert hash(Record.from_moves(["E2"])) == hash(Record.from_moves([13]))
    assert Record(settings={"Walls": "10"}) == Record(settings={"Board": "9"})
    assert Record(settings={"Board": "5", "DrawPenalty": "0"}) == Record(
        settings={"Board": "5", "DrawPenalty": "0.0"}
    )
    assert Record(comment=" a \n b ") == Record(comment="a b")
    assert Record.from_moves(["e2"]) != Record.from_moves(["d1"])


def test_record_can_be_copied_and_pickled() -> None:
    record = Record.from_moves(["b2", "b1"], TINY, tags={"Event": "x"})
    assert pickle.loads(pickle.dumps(record)) == record
    assert copy.deepcopy(record) == record


def test_tags_given_are_copied() -> None:
    tags = {"Event": "x"}
    record = Record(tags=tags)
    tags["Event"] = "y"
    assert record.tags == {"Event": "x"}


def test_a_depth_becomes_a_plain_integer() -> None:
    assert type(MoveRecord("e2", depth=np.int64(4)).depth) is int  # type: ignore[arg-type]


def test_times_and_scores_are_rounded() -> None:
    move = MoveRecord("e2", time_s=1.23456, score=-0.00001, depth=4)
    assert move == MoveRecord("e2", 1.235, 0.0, 4)
    assert str(move.score) == "0.0"


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Record("qoridor"), ConfigError, "unknown game 'qoridor'; did you mean 'quoridor'"),
        (lambda: Record("go"), ConfigError, "unknown game 'go'; known are "),
        (lambda: Record(settings={"Size": "9"}), NotationError, "quoridor has no setting 'Size'"),
        (lambda: Record(settings={"Board": "nine"}), ConfigError, "whole number for the setting"),
        (lambda: Record(settings={"Board": "9" * 5000}), ConfigError, "whole number for the"),
        (lambda: Record(settings={"DrawPenalty": "nan"}), ConfigError, "a number for the setting"),
        (lambda: Record(settings={"Board": "2"}), ConfigError, "expected Board to be"),
        (lambda: Record(start="9 e1"), NotationError, "bad position '9 e1'"),
        (lambda: Record(start="\ud800"), NotationError, "bad position"),
        (lambda: Record(tags={"a b": "x"}), NotationError, "a tag named like 'Event', got 'a b'"),
        (lambda: Record(tags={"é": "x"}), NotationError, "a tag named like 'Event', got 'é'"),
        (lambda: Record(tags={"Result": "*"}), NotationError, "'Result' cannot be used"),
        (lambda: Record(tags={"walls": "3"}), NotationError, "'walls' cannot be used beside 'Wal"),
        (lambda: Record(tags={"Event": "a\nb"}), NotationError, "one line in the tag 'Event'"),
        (lambda: Record(termination="a\nb"), NotationError, "one line in the tag 'Termination'"),
        (lambda: Record(comment="{a}"), NotationError, "a comment of plain text without '}'"),
        (lambda: MoveRecord("e2", comment="\x00"), NotationError, "a comment of plain text"),
        (lambda: MoveRecord("\ud800"), NotationError, "a move in notation"),
        (lambda: MoveRecord("e2", time_s=-1), NotationError, "time_s from 0 to 1000000000, got -1"),
        (lambda: MoveRecord("e2", time_s=float("nan")), NotationError, "got nan"),
        (lambda: MoveRecord("e2", score=float("inf")), NotationError, "score from -1000000000 to"),
        (lambda: MoveRecord("e2", depth=-1), NotationError, "a depth from 0"),
        (lambda: MoveRecord("e2", depth=10**10), NotationError, "a depth from 0"),
        (
            lambda: MoveRecord("e2", depth=cast(Any, 1.5)),
            NotationError,
            "a depth from 0 to 1000000000, got 1.5",
        ),
        (
            lambda: MoveRecord("e2", depth=True),
            NotationError,
            "a depth from 0 to 1000000000, got True",
        ),
    ],
)
def test_what_cannot_be_written_is_refused(make: Any, error: type, message: str) -> None:
    with pytest.raises(error) as caught:
        make()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
