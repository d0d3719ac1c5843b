"""Time controls and clocks."""

from __future__ import annotations

import pytest

from plyground.errors import ConfigError, NotationError
from plyground.play.clock import (
    Clock,
    TimeControl,
    control_tags,
    format_time,
    parse_clocks,
    parse_control_tags,
)


@pytest.mark.parametrize(
    "text", ["300", "300+5", "0.5", "60+0.5", "40/60", "40/60+0.6", "1/5", "0.5/move"]
)
def test_time_controls_read_back(text: str) -> None:
    assert str(TimeControl.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            "5m",
            "-3",
            "0",
            "1+",
            "+1",
            "1e9",
            "99999999",
            "/60",
            "40/",
            "40/0",
            "x/60",
            "-1/60",
        ],
        *["1/move+1", "40/1/move", "0/move", "/move", "1/moves"],
    ],
)
def test_other_times_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="expected a time"):
        TimeControl.parse(text)


def test_without_a_control_time_is_only_counted() -> None:
    time_s = [0.0]
    clock = Clock(now=lambda: time_s[0])
    clock.start(1)
    time_s[0] = 1e9
    assert (clock.left(1), clock.spent(), clock.press()) == (None, 1e9, 1e9)
    assert clock.running is None


def test_a_clock_that_ran_out_stays_at_nothing() -> None:
    time_s = [0.0]
    clock = Clock(TimeControl(5), now=lambda: time_s[0])
    clock.start(2)
    time_s[0] = 9
    assert (clock.left(2), clock.left(1)) == (0, 5)
    clock.pause()
    assert clock.snapshot() == {1: 5, 2: 0}


def test_a_pause_takes_no_time() -> None:
    time_s = [0.0]
    clock = Clock(TimeControl(5), now=lambda: time_s[0])
    clock.start(1)
    time_s[0] = 2
    clock.pause()
    time_s[0] = 4
    clock.start(1)
    time_s[0] = 5
    assert clock.left(1) == 2


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00.0"), (9.99, "0:09.9"), (10, "0:10"), (61, "1:01")]
)
def test_times_are_shown_rounded_down(seconds: float, text: str) -> None:
    assert format_time(seconds) == text


def test_clocks_of_a_record() -> None:
    assert parse_clocks("83.5/120") == {1: 83.5, 2: 120.0}
    with pytest.raises(NotationError):
        parse_clocks("83.5")


@pytest.mark.parametrize(
    ("seconds", "player", "falls_in"), [(2.0, 1, 3.0), (7.0, 1, 0.0), (2.0, 2, 5.0)]
)
def test_the_flag_falls_when_the_time_is_used_up(
    seconds: float, player: int, falls_in: float
) -> None:
    time_s = [0.0]
    clock = Clock(TimeControl(5), now=lambda: time_s[0])
    clock.start(1)
    time_s[0] = seconds
    assert clock.flag_falls_in(player) == falls_in
    assert clock.is_late(player) == (falls_in == 0)
    assert not clock.is_out_of_time(player)


@pytest.mark.parametrize("text", ["0/60", "1001/60"])
def test_a_session_has_a_sensible_number_of_moves(text: str) -> None:
    with pytest.raises(ConfigError, match="expected the moves of a session to be"):
        TimeControl.parse(text)


class Hands:
    """A time that tests set."""

    def __init__(self) -> None:
        self.time_s = 0.0

    def __call__(self) -> float:
        return self.time_s


def move(clock: Clock, hands: Hands, player: int, seconds: float) -> None:
    clock.start(player)
    hands.time_s += seconds
    clock.press()


def test_time_is_added_at_the_end_of_each_session() -> None:
    clock = Clock(TimeControl.parse("3/60+0.5"), hands := Hands())
    left, to_go = [], []
    for _ in range(7):
        limits = clock.search_limits(1)
        assert limits is not None
        to_go.append(limits.moves_to_go)
        move(clock, hands, 1, 10)
        left.append(clock.left(1))
    assert to_go == [3, 2, 1, 3, 2, 1, 3]
    assert left == [50.5, 41.0, 91.5, 82.0, 72.5, 123.0, 113.5]
    assert clock.left(2) == 60


def test_unused_time_of_a_move_is_lost() -> None:
    clock = Clock(TimeControl.parse("2/move"), hands := Hands())
    for _ in range(3):
        move(clock, hands, 1, 0.5)
        assert clock.left(1) == 2.0
    limits = clock.search_limits(1)
    assert limits is not None
    assert (limits.time_s, limits.clock_s) == (1.95, None)
    clock.start(1)
    hands.time_s += 2.0
    assert clock.is_late(1)


def test_each_player_has_a_control_of_its_own() -> None:
    controls = {1: TimeControl.parse("40/60"), 2: TimeControl.parse("30+1")}
    clock = Clock(controls, hands := Hands())
    move(clock, hands, 1, 5)
    move(clock, hands, 2, 5)
    assert clock.snapshot() == {1: 55, 2: 26}
    first, second = clock.search_limits(1), clock.search_limits(2)
    assert first is not None
    assert second is not None
    assert (first.clock_s, first.opponent_clock_s, first.opponent_increment_s) == (55, 26, 1)
    assert (first.moves_to_go, second.moves_to_go) == (39, None)
    assert control_tags(controls) == {"TimeControl1": "40/60", "TimeControl2": "30+1"}
    assert parse_control_tags(control_tags(controls)) == controls


def test_a_player_without_a_clock_has_all_the_time() -> None:
    clock = Clock({1: TimeControl(5), 2: None}, hands := Hands())
    move(clock, hands, 2, 1e6)
    assert (clock.left(2), clock.search_limits(2), clock.left(1)) == (None, None, 5)
    assert not clock.is_late(2)


def test_old_records_have_one_control_for_both() -> None:
    assert parse_control_tags({"TimeControl": "300+5"}) == dict.fromkeys(
        (1, 2), TimeControl(300, 5)
    )
    assert parse_control_tags({}) == {1: None, 2: None}
    with pytest.raises(NotationError, match="bad tag TimeControl2: expected a time"):
        parse_control_tags({"TimeControl2": "soon"})
