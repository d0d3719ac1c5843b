"""Elo and its intervals, against numbers known elsewhere and against simulation."""

from __future__ import annotations

import math
import random

import pytest

from plyground.arena.estimate import (
    elo_estimate,
    elo_from_score,
    normalised_elo,
    score_from_elo,
    superiority,
)
from plyground.errors import ConfigError


@pytest.mark.parametrize(
    ("score", "elo"), [(0.5, 0), (0.6402, 100), (0.7597, 200), (0.9091, 400), (0.0909, -400)]
)
def test_elo_of_a_score(score: float, elo: float) -> None:
    """The expected scores of the logistic Elo table."""
    assert elo_from_score(score) == pytest.approx(elo, abs=0.5)
    assert score_from_elo(elo) == pytest.approx(score, abs=0.0005)


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


@pytest.mark.parametrize(
    ("counts", "nelo", "error"),
    [
        ([89, 123, 76], -20.76, 40.13),
        ([96, 111, 136], 49.77, 36.77),
        ([356, 0, 34], -508.44, 34.48),
        ([34, 54, 31 + 32, 64, 75], 57.94, 28.28),
        ([332, 433, 457 + 41, 333, 334], -9.17, 10.96),
        ([7895, 8757, 5485 + 200, 568, 9999], -19.01, 2.65),
    ],
)
def test_normalised_elo_as_fastchess_has_it(counts: list[int], nelo: float, error: float) -> None:
    """Single games (three counts) and pairs (five); the figures of fastchess's own tests."""
    found, low, high = normalised_elo(counts)
    assert found == pytest.approx(nelo, abs=0.006)
    assert (high - low) / 2 == pytest.approx(error, abs=0.006)


@pytest.mark.parametrize(
    ("counts", "chance"),
    [([89, 123, 76], 0.1553), ([96, 111, 136], 0.9960), ([332, 433, 498, 333, 334], 0.0505)],
)
def test_superiority_as_fastchess_has_it(counts: list[int], chance: float) -> None:
    assert superiority(counts) == pytest.approx(chance, abs=0.00006)


def test_superiority_of_counts_without_doubt() -> None:
    assert superiority([0, 0, 0, 0, 0]) == superiority([0, 0, 9, 0, 0]) == 0.5
    # One win says little, and nine say much: Laplace's rule.
    assert superiority([0, 0, 0, 0, 1]) == 0.75
    assert superiority([0, 0, 0, 0, 9]) == 1 - 2**-10
    assert superiority([9, 0, 0]) == 2**-10
    assert normalised_elo([0, 0, 0, 0, 9])[0] == math.inf
    assert normalised_elo([0, 5, 0])[0] == 0


def test_normalised_elo_is_elo_without_draws_and_near_equality() -> None:
    counts = [4950, 0, 5050]
    assert normalised_elo(counts)[0] == pytest.approx(elo_from_score(0.505), abs=0.01)


def test_without_games_nothing_is_known() -> None:
    for counts in ([0, 0, 0], [0] * 5):
        assert normalised_elo(counts) == (0, -math.inf, math.inf)
        assert superiority(counts) == 0.5
    assert elo_estimate([]).elo_interval == (-math.inf, math.inf)


@pytest.mark.parametrize("counts", [[], [1], [1, 2], [0] * 4, [1, -1, 2], [1, math.nan, 2]])
def test_counts_that_are_none_are_refused(counts: list[float]) -> None:
    for call in (normalised_elo, superiority):
        with pytest.raises(ConfigError, match="expected 3 counts of games or 5 of pairs"):
            call(counts)


@pytest.mark.parametrize("points", [3, -0.5, 0.25, math.nan])
def test_points_beyond_a_pair_are_refused(points: float) -> None:
    with pytest.raises(ConfigError, match=r"expected 0, 0\.5, 1, 1\.5 or 2 points .*, got"):
        elo_estimate([1, points])
