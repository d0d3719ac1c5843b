"""The sequential test, against published figures and against simulated matches."""

from __future__ import annotations

import random
from itertools import product

import pytest

from plyground.arena.estimate import score_from_elo
from plyground.arena.sprt import MOST_ELO, Sprt
from plyground.errors import ConfigError


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "model", "llr"),
    [
        # Lost, drawn and won games.
        ([36027, 68692, 36433], 0, 2, "normalised", 0.92),
        ([10650, 20431, 10871], -1.75, 0.25, "normalised", 2.30),
        ([21184, 40708, 21404], 0.5, 2.5, "logistic", -1.57),
        ([57030, 106593, 57433], 0, 2, "logistic", -2.59),
        # Pairs with 0, 1/2, 1, 3/2 and 2 points.
        ([365, 16618, 36029 + 200, 16974, 390], 0, 2, "normalised", 2.25),
        ([127, 4883, 10311 + 401, 5150, 104], -1.75, 0.25, "normalised", 3.01),
        ([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5, "logistic", -3.07),
        ([871, 26175, 55003 + 980, 26678, 821], 0, 2, "logistic", -4.98),
    ],
)
def test_ratios_as_fastchess_has_them(
    counts: list[int], elo0: float, elo1: float, model: str, llr: float
) -> None:
    """The figures of fastchess's own tests."""
    assert Sprt(elo0, elo1, model=model).llr(counts) == pytest.approx(llr, rel=0.011)


@pytest.mark.parametrize("model", ["logistic", "normalised"])
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 300), (-500, 0), (-MOST_ELO, MOST_ELO)])
@pytest.mark.parametrize("length", [3, 5])
def test_large_leads_can_be_asked_for(elo0: float, elo1: float, model: str, length: int) -> None:
    test = Sprt(elo0, elo1, model=model)
    mirrored = Sprt(-elo1, -elo0, model=model)
    for counts in product((0, 50), repeat=length):
        assert test.llr(counts) == pytest.approx(-mirrored.llr(counts[::-1]), abs=1e-4)
    sure = [0] * (length - 1) + [1000]
    assert test.decision(sure) == "H1"
    assert test.decision(sure[::-1]) == "H0"


def test_bounds() -> None:
    """Wald's bounds for 5% and 5%."""
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=0.001)
    assert Sprt(0, 5, alpha=0.1, beta=0.05).bounds == pytest.approx((-2.89, 2.25), abs=0.01)


def test_nothing_played_decides_nothing() -> None:
    assert Sprt(0, 10).llr([0, 0, 0, 0, 0]) == 0
    assert Sprt(0, 10).decision([0, 0, 0, 0, 0]) is None


def test_mirrored_counts_mirror_the_ratio() -> None:
    counts = [5, 20, 31, 28, 9]
    assert Sprt(-10, 10).llr(counts) == pytest.approx(-Sprt(-10, 10).llr(counts[::-1]))


@pytest.mark.parametrize(("lead", "answer"), [(0.5, "H0"), (score_from_elo(60), "H1")])
def test_errors_are_as_rare_as_asked_for(lead: float, answer: str) -> None:
    """Matches between players 0 and 60 Elo apart, tested for just that."""
    test = Sprt(0, 60, alpha=0.1, beta=0.1)
    right = 0
    for seed in range(200):
        rng = random.Random(seed)
        counts = [0] * 5
        while (decision := test.decision(counts)) is None:
            counts[2 * (rng.random() < lead) + 2 * (rng.random() < lead)] += 1
        right += decision == answer
    # At 90%, fewer than 170 of 200 are right once in 100 times; overshoot only helps.
    assert right >= 170


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("elo0=0", "expected elo0=... and elo1=... for the SPRT, got no elo1"),
        ("elo0=0 elo1=x", "expected a number for elo1, got 'x'"),
        ("elo0=0 elo1=nan", "expected elo1 to be a number, got nan"),
        ("elo0=0 elo2=5", "expected name=value for the SPRT, got 'elo2=5'; did you mean 'elo1'?"),
        ("elo0=5 elo1=0", "expected elo0 below elo1, got 5 and 0"),
        ("elo0=0 elo1=1e5", "expected elo1 to be a number from -4000 to 4000, got 100000.0"),
        ("elo0=0 elo1=5 alpha=0.7", "expected alpha between 0 and 0.5, got 0.7"),
        ("elo0=0 elo1=5 model=odd", "expected the model to be logistic or normalised, got 'odd'"),
    ],
)
def test_mistakes_are_told_in_a_line(words: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Sprt.parse(words.split())
    assert str(caught.value) == message


def test_all_that_can_be_said() -> None:
    words = ["elo0=-1", "elo1=4", "alpha=0.01", "beta=0.02", "model=normalised"]
    assert Sprt.parse(words) == Sprt(-1, 4, 0.01, 0.02, "normalised")


@pytest.mark.parametrize("counts", [[], [1, 2], [1, -1, 2]])
def test_counts_that_are_none_are_refused(counts: list[int]) -> None:
    with pytest.raises(ConfigError, match="expected 3 counts of games or 5 of pairs"):
        Sprt(0, 10).decision(counts)
