"""Elo and its intervals, against numbers known elsewhere and against simulation."""

from __future__ import annotations

import math
import random

import pytest

from plyground.arena.rating import elo_estimate, elo_from_score


@pytest.mark.parametrize(
    ("score", "elo"), [(0.5, 0), (0.6402, 100), (0.7597, 200), (0.9091, 400), (0.0909, -400)]
)
def test_elo_of_a_score(score: float, elo: float) -> None:
    """The expected scores of the logistic Elo table."""
    assert elo_from_score(score) == pytest.approx(elo, abs=0.5)


def test_all_won_is_unbounded_above_and_bounded_below() -> None:
    estimate = elo_estimate([2.0] * 10)
    low, high = estimate.elo_interval
    assert estimate.elo == high == math.inf
    # Wilson's interval for 10 of 10: from 72.2%.
    assert estimate.score_low == pytest.approx(0.7225, abs=0.001)
    assert low == pytest.approx(elo_from_score(0.7225), abs=1)


def test_nothing_played_says_nothing() -> None:
    assert elo_estimate([]).elo_interval == (-math.inf, math.inf)


def test_openings_that_decide_the_game_narrow_the_interval() -> None:
    """If the colour wins every game, each pair is one all, and there is nothing uncertain."""
    decided = elo_estimate([1.0] * 50)
    fair = elo_estimate([0.0, 2.0] * 25)
    assert decided.score == fair.score == 0.5
    assert decided.score_high - decided.score_low <= fair.score_high - fair.score_low


def test_interval_holds_the_truth_in_about_95_percent() -> None:
    rng = random.Random(5)
    held = 0
    for _ in range(1000):
        pairs = [float((rng.random() < 0.7) + (rng.random() < 0.6)) for _ in range(60)]
        estimate = elo_estimate(pairs)
        held += estimate.score_low <= 0.65 <= estimate.score_high
    assert 920 <= held <= 985
