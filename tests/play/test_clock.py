"""Time controls and clocks."""

from __future__ import annotations

import pytest

from plyground.errors import ConfigError, NotationError
from plyground.play.clock import Clock, TimeControl, format_time, parse_clocks


@pytest.mark.parametrize("text", ["300", "300+5", "0.5", "60+0.5"])
def test_time_controls_read_back(text: str) -> None:
    assert str(TimeControl.parse(text)) == text


@pytest.mark.parametrize("text", ["", "5m", "-3", "0", "1+", "+1", "1e9", "99999999"])
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
