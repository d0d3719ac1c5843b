"""Glicko-2 against the worked example of its paper."""

from __future__ import annotations

import pytest

from plyground.analysis.glicko2 import Glicko2
from plyground.errors import ConfigError


def test_the_example_of_the_paper() -> None:
    player = Glicko2(1500, 200, 0.06)
    results = [
        (Glicko2(1400, 30), 1.0),
        (Glicko2(1550, 100), 0.0),
        (Glicko2(1700, 300), 0.0),
    ]
    after = player.after(results)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_period_without_games_only_adds_uncertainty() -> None:
    after = Glicko2(1500, 200, 0.06).after([])
    assert after.rating == 1500
    assert after.deviation == pytest.approx(200.2714, abs=1e-4)  # step 6 of the paper
    assert Glicko2().after([]).deviation == 350


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_ratings_stay_within_their_limits(score: float) -> None:
    player = Glicko2()
    for _ in range(200):
        player = player.after([(Glicko2(100 if score else 4000, 30), score)])
    assert 100 <= player.rating <= 4000
    assert 30 <= player.deviation <= 350
    assert 0.001 <= player.volatility <= 0.1


def test_a_surprise_moves_a_rating_more() -> None:
    player = Glicko2(1500, 100)
    expected = player.after([(Glicko2(1200, 50), 1.0)]).rating
    surprising = player.after([(Glicko2(1800, 50), 1.0)]).rating
    assert 1500 < expected < surprising


@pytest.mark.parametrize(
    "values", [(50.0, 100.0, 0.06), (1500.0, 0.0, 0.06), (1500.0, 100.0, float("nan"))]
)
def test_impossible_ratings_are_rejected(values: tuple[float, float, float]) -> None:
    with pytest.raises(ConfigError):
        Glicko2(*values)
