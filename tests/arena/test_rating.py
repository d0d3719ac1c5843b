"""Ratings of many players: published numbers, a second library, known ladders, odd cases."""

from __future__ import annotations

import csv
import math
import random
from pathlib import Path

import choix
import numpy as np
import pytest

from plyground.arena.estimate import elo_from_score, score_from_elo
from plyground.arena.rating import Ratings, Tally, fit_ratings
from plyground.errors import ConfigError

DATA = Path(__file__).parent.parent / "data"
ELO = 400 / math.log(10)


def baseball() -> list[Tally]:
    with (DATA / "baseball_1987.csv").open() as file:
        rows = list(csv.reader(file))[1:]
    return [Tally(home, away, int(won), 0, int(lost)) for home, away, won, lost in rows]


def natural(ratings: Ratings) -> list[float]:
    """Sorted numbers in the units of statistics, without Elo's scale."""
    return sorted(rating.elo / ELO for rating in ratings.players.values())


def test_published_ratings_without_home_advantage() -> None:
    """Agresti's table 10.11, column 3, Baltimore being 0; errors of about 0.3."""
    ratings = fit_ratings(baseball(), "Baltimore", first_player=False, added_games=0)
    assert [round(number, 2) for number in natural(ratings)] == [
        0, 0.68, 1.11, 1.25, 1.29, 1.44, 1.58,
    ]  # fmt: skip
    errors = {
        round((rating.high - rating.low) / 2 / 1.96 / ELO, 1)
        for name, rating in ratings.players.items()
        if name != "Baltimore"
    }
    assert errors == {0.3}
    assert ratings.players["Baltimore"].error == pytest.approx(0, abs=1e-3)


def test_published_ratings_with_home_advantage() -> None:
    """The same table, column 5 (shares that sum to 1), and the home advantage of 0.302."""
    ratings = fit_ratings(baseball(), added_games=0)
    strengths = [math.exp(number) for number in natural(ratings)]
    shares = [round(strength / sum(strengths), 3) for strength in strengths]
    assert shares == [0.044, 0.088, 0.137, 0.157, 0.164, 0.190, 0.220]
    assert ratings.first_player.elo / ELO == pytest.approx(0.302, abs=0.0005)
    assert ratings.first_player.low > 0  # "statistically significant"


def test_choix_finds_the_same(rng: random.Random) -> None:
    names = [f"player {i}" for i in range(6)]
    tallies = [
        Tally(a, b, rng.randint(1, 30), 0, rng.randint(1, 30))
        for a in names
        for b in names
        if a < b
    ]
    games = [
        (names.index(winner), names.index(loser))
        for tally in tallies
        for winner, loser, count in [
            (tally.first, tally.second, tally.wins),
            (tally.second, tally.first, tally.losses),
        ]
        for _ in range(int(count))
    ]
    theirs = choix.opt_pairwise(len(names), games, alpha=0, tol=1e-9)
    ours = fit_ratings(tallies, first_player=False, added_games=0)
    numbers = [ours.players[name].elo / ELO for name in names]
    assert numbers == pytest.approx(theirs - np.mean(theirs), abs=1e-4)


def test_two_players_get_what_their_score_says() -> None:
    ratings = fit_ratings([Tally("a", "b", 60, 0, 40)], "b", first_player=False, added_games=0)
    assert ratings.players["a"].elo == pytest.approx(elo_from_score(0.6))
    assert ratings.superiority("a", "b") == pytest.approx(0.976, abs=0.002)
    assert ratings.superiority("b", "a") == pytest.approx(0.024, abs=0.002)


def test_draws_leave_the_meaning_of_elo_near_equality() -> None:
    for draws in (0, 50, 900):
        tallies = [Tally("a", "b", 520, draws, 480)]
        ratings = fit_ratings(tallies, "b", first_player=False, added_games=0)
        score = (520 + draws / 2) / (1000 + draws)
        assert ratings.players["a"].elo == pytest.approx(elo_from_score(score), rel=0.01)
        assert ratings.draw_share == pytest.approx(draws / (1000 + draws), abs=0.001)


def chances(lead: float, draw_share: float) -> tuple[float, float]:
    """Davidson's chances of a win and a draw, for a lead in Elo as `fit_ratings` counts it."""
    nu = 2 * draw_share / (1 - draw_share)
    d = lead / ELO * (2 + nu) / 2
    total = math.exp(d / 2) + nu + math.exp(-d / 2)
    return math.exp(d / 2) / total, nu / total


def tournament(elo: dict[str, float], advantage: float, games: int, seed: int) -> list[Tally]:
    rng = random.Random(seed)
    tallies = []
    for first in elo:
        for second in elo:
            if first != second:
                win, draw = chances(elo[first] - elo[second] + advantage, 0.2)
                found = [rng.random() for _ in range(games)]
                wins = sum(x < win for x in found)
                draws = sum(win <= x < win + draw for x in found)
                tallies.append(Tally(first, second, wins, draws, games - wins - draws))
    return tallies


def test_a_known_ladder_is_found_within_its_intervals() -> None:
    """200 tournaments: each number lies in its 95% interval in about 95% of them."""
    elo = {"a": 150.0, "b": 40.0, "c": 0.0, "d": -190.0}
    held = dict.fromkeys([*elo, "first player", "draws"], 0)
    for seed in range(200):
        ratings = fit_ratings(tournament(elo, 60, 40, seed), added_games=1)
        for name, truth in elo.items():
            held[name] += ratings.players[name].low <= truth <= ratings.players[name].high
        held["first player"] += ratings.first_player.low <= 60 <= ratings.first_player.high
        held["draws"] += abs(ratings.draw_share - 0.2) < 0.07
    # Of 200 draws at 95%, fewer than 181 come up once in 100 times.
    assert all(181 <= count <= 200 for count in held.values()), held
    assert 0.93 <= sum(held[name] for name in elo) / 800 <= 0.985


def test_swapping_the_names_of_players_changes_nothing_else() -> None:
    tallies = tournament({"a": 100, "b": 0, "c": -50}, 30, 20, seed=1)
    other = [Tally(t.second, t.first, t.losses, t.draws, t.wins) for t in tallies]
    forward, backward = fit_ratings(tallies), fit_ratings(other)
    for name in "abc":
        assert forward.players[name].elo == pytest.approx(backward.players[name].elo)
    assert forward.first_player.elo == pytest.approx(-backward.first_player.elo)


def test_no_neighbouring_numbers_are_likelier() -> None:
    """The top of the likelihood, computed here from the model's definition."""
    tallies = tournament({"a": 100, "b": 0, "c": -50}, 30, 20, seed=2)
    fitted = fit_ratings(tallies, "c", added_games=0)

    def log_likelihood(a: float, b: float, advantage: float, draw_share: float) -> float:
        elo = {"a": a, "b": b, "c": 0.0}
        total = 0.0
        for tally in tallies:
            win, draw = chances(elo[tally.first] - elo[tally.second] + advantage, draw_share)
            total += tally.wins * math.log(win) + tally.draws * math.log(draw)
            total += tally.losses * math.log(1 - win - draw)
        return total

    found = [fitted.players[name].elo for name in "ab"]
    found += [fitted.first_player.elo, fitted.draw_share]
    best = log_likelihood(*found)
    for place, step in enumerate([2.0, 2.0, 2.0, 0.005]):
        for sign in (-1, 1):
            moved = list(found)
            moved[place] += sign * step
            assert log_likelihood(*moved) < best


def test_all_won_is_finite_and_open() -> None:
    ratings = fit_ratings([Tally("a", "b", 10, 0, 0), Tally("b", "a", 0, 0, 10)], "b")
    a = ratings.players["a"]
    assert 300 < a.elo < 1000
    assert a.low > 0
    assert ratings.superiority("a", "b") > 0.95


def test_all_won_by_the_first_move_says_nothing_about_the_players() -> None:
    ratings = fit_ratings([Tally("a", "b", 10, 0, 0), Tally("b", "a", 10, 0, 0)])
    assert ratings.players["a"].elo == pytest.approx(0, abs=1e-6)
    assert ratings.first_player.low > 0
    assert math.isfinite(ratings.first_player.elo)


def test_all_drawn() -> None:
    ratings = fit_ratings([Tally("a", "b", 0, 30, 0), Tally("b", "a", 0, 30, 0)])
    assert ratings.players["a"].elo == pytest.approx(0, abs=1e-6)
    assert ratings.draw_share > 0.9


def test_one_player_or_none() -> None:
    assert fit_ratings([]).players == {}
    assert fit_ratings([], "a").players["a"].elo == 0
    assert fit_ratings([Tally("a", "a", 3, 0, 1)], "a").players["a"].elo == 0


def test_groups_that_never_met_are_rated_apart() -> None:
    tallies = [Tally("a", "b", 30, 0, 10), Tally("c", "d", 10, 0, 30)]
    ratings = fit_ratings(tallies, "b", first_player=False, added_games=0)
    assert set(ratings.groups) == {frozenset("ab"), frozenset("cd")}
    assert ratings.players["b"].elo == pytest.approx(0)
    assert ratings.players["a"].elo == pytest.approx(elo_from_score(0.75))
    assert ratings.players["c"].elo == pytest.approx(-ratings.players["d"].elo)
    assert ratings.superiority("a", "c") == 0.5
    lead = ratings.players["d"].elo - ratings.players["c"].elo
    assert score_from_elo(lead) == pytest.approx(0.75)


@pytest.mark.parametrize("counts", [(-1, 0, 2), (1, -0.5, 2), (1, 0, math.nan), (math.inf, 0, 0)])
def test_tallies_of_no_games_are_refused(counts: tuple[float, float, float]) -> None:
    with pytest.raises(ConfigError, match="to be 0 or more in the games of 'a' and 'b', got"):
        Tally("a", "b", *counts)


def test_players_are_not_invented() -> None:
    games = Tally("ann", "bob", 3, 0, 1)
    with pytest.raises(ConfigError, match="unknown player 'typo'; known are ann, bob"):
        fit_ratings([games], "typo")
    with pytest.raises(ConfigError, match="unknown player 'anne'; did you mean 'ann'"):
        fit_ratings([games]).superiority("anne", "bob")
    waiting = fit_ratings([games, Tally("eve", "ann", 0, 0, 0)], "eve")
    assert waiting.players["eve"].elo == 0
    assert list(fit_ratings([], "ann").players) == ["ann"]
