"""Scores: their units, their order, their players, and how they print."""

from __future__ import annotations

import math
import random
from itertools import pairwise, product

import pytest

from plyground.games.score import EXPECTED_RESULT, Score, Unit

STEPS = Unit("steps", 1.5)
DISCS = Unit("discs", 6.0)

# For player 1, from the worst to the best.
ORDERED = [
    Score.proven(-1, 1),
    Score.proven(-2, 1),
    Score.proven(-9, 1),
    Score(-1000.0, STEPS, 1),
    Score(-1.5, STEPS, 1),
    Score(0.0, STEPS, 1),
    Score(0.25, STEPS, 1),
    Score(1000.0, STEPS, 1),
    Score.proven(9, 1),
    Score.proven(2, 1),
    Score.proven(1, 1),
]


def test_a_better_score_is_greater() -> None:
    for (i, one), (j, other) in product(enumerate(ORDERED), repeat=2):
        assert (one < other) == (i < j)
        assert (one <= other) == (i <= j)
        assert (one > other) == (i > j)
        assert (one >= other) == (i >= j)
        assert (one == other) == (i == j)
    assert max(ORDERED).win_in == 1
    assert sorted(random.Random(1).sample(ORDERED, len(ORDERED))) == ORDERED


def test_the_order_turns_round_for_the_other_player() -> None:
    for worse, better in pairwise(ORDERED):
        assert worse.pov(2) > better.pov(2)
    # A comparison is made for the player of the score on the left.
    assert Score(1.0, STEPS, 1) == Score(-1.0, STEPS, 2)
    assert Score(1.0, STEPS, 1) > Score(0.5, STEPS, 2)
    assert Score.proven(3, 1) == Score.proven(-3, 2)


def test_equal_scores_have_equal_hashes() -> None:
    for score in ORDERED:
        assert hash(score) == hash(score.pov(2))
        assert len({score, score.pov(2)}) == 1
    assert hash(Score(0.0, STEPS, 1)) == hash(Score(0.0, DISCS, 1))


def test_scores_in_different_units_compare_by_their_chances() -> None:
    assert Score(1.5, STEPS, 1) == Score(6.0, DISCS, 1)
    assert Score(1.5, STEPS, 1) < Score(6.5, DISCS, 1)
    assert Score(0.0, DISCS, 1) == Score.expected(0.0, 1)
    assert Score.expected(0.9, 1) > Score(1.5, STEPS, 1) > Score.expected(0.3, 1)


def test_a_score_equals_nothing_but_scores() -> None:
    assert Score(1.0, STEPS, 1) != 1.0
    assert Score(1.0, STEPS, 1) is not None
    with pytest.raises(TypeError):
        assert Score(1.0, STEPS, 1) < 2.0


def test_pov_is_its_own_inverse() -> None:
    for score in ORDERED:
        other = score.pov(2)
        assert (other.player, other.unit) == (2, score.unit)
        assert other.value == -score.value
        assert other.pov(1) == score
        assert other.pov(2) is other
    assert math.copysign(1, Score(0.0, STEPS, 1).pov(2).value) == 1  # never -0.0
    exact = Score(12.0, DISCS, 2, exact=True)
    assert exact.pov(1).exact
    assert exact.pov(1).value == -12.0


@pytest.mark.parametrize(("win_in", "before"), [(-1, 2), (-2, 3), (1, -2), (4, -5)])
def test_a_proof_is_a_ply_longer_for_the_move_before(win_in: int, before: int) -> None:
    score = Score.proven(win_in, 2).one_ply_earlier()
    assert (score.player, score.win_in) == (1, before)


def test_an_estimate_is_turned_round_for_the_move_before() -> None:
    score = Score(1.25, STEPS, 2).one_ply_earlier()
    assert (score.player, score.value, score.unit, score.win_in) == (1, -1.25, STEPS, None)


def test_chances() -> None:
    assert STEPS.chance(0.0) == 0.5
    assert STEPS.chance(1.5) == pytest.approx(1 / (1 + math.exp(-1)))
    assert STEPS.chance(1e9) == 1.0
    assert 0.0 <= STEPS.chance(-1e9) < 1e-300
    assert [EXPECTED_RESULT.chance(value) for value in (-1, 0, 0.5, 1, 7)] == [0, 0.5, 0.75, 1, 1]
    score = Score(1.5, STEPS, 2)
    assert score.chance() == score.chance(2) == pytest.approx(0.7310586)
    assert score.chance(1) == pytest.approx(1 - 0.7310586)
    assert [Score.proven(5, 1).chance(player) for player in (1, 2)] == [1.0, 0.0]
    assert [Score.proven(-5, 1).chance(player) for player in (1, 2)] == [0.0, 1.0]
    for score in ORDERED:
        assert score.chance(1) + score.chance(2) == pytest.approx(1)


@pytest.mark.parametrize(("value", "chance"), [(2.0, 1.0), (0.0, 0.5), (-2.0, 0.0)])
def test_an_exact_score_is_a_certain_result(value: float, chance: float) -> None:
    exact = Score(value, DISCS, 2, exact=True)
    assert exact.chance() == exact.chance(2) == chance
    assert exact.chance(1) == 1 - chance
    assert exact.estimated_chance(1) == Score(value, DISCS, 2).chance(1)
    assert exact.in_unit(EXPECTED_RESULT).value == 2 * chance - 1
    # An estimate of a network is no better than a certain win, and no worse than a certain loss.
    assert (exact > Score.expected(0.9, 2)) == (value > 0)
    assert (exact < Score.expected(-0.9, 2)) == (value < 0)
    # In one unit, the number of discs counts.
    assert exact < Score(value + 1, DISCS, 2)


@pytest.mark.parametrize(
    ("score", "brief", "text"),
    [
        (Score(1.5, STEPS, 1), "+1.5", "+1.5"),
        (Score(-0.04, STEPS, 1), "+0.0", "+0.0"),
        (Score(-12.25, DISCS, 2), "-12.2", "-12.2"),
        (Score(18.0, DISCS, 2, exact=True), "+18", "+18"),
        (Score(-0.0, DISCS, 1, exact=True), "+0", "+0"),
        (Score.expected(0.24, 1), "62%", "62% to win"),
        (Score.expected(-1.0, 1), "0%", "0% to win"),
        (Score.proven(7, 1), "wins in 7", "wins in 7"),
        (Score.proven(-4, 2), "loses in 4", "loses in 4"),
    ],
)
def test_how_scores_print(score: Score, brief: str, text: str) -> None:
    assert score.brief() == brief
    assert str(score) == text


def test_a_score_cannot_be_changed() -> None:
    score = Score(1.5, STEPS, 1)
    with pytest.raises(AttributeError):
        score.value = 2.0  # type: ignore[misc]
