"""Games that end early: only by rules that are on, and only where both players agree."""

from __future__ import annotations

import argparse

import pytest

from plyground.arena.adjudicate import Adjudication, Adjudicator
from plyground.arena.config import ArenaConfig
from plyground.arena.game import play_game
from plyground.arena.task import Conditions
from plyground.cli.arena import add_arguments, settings_from
from plyground.errors import ConfigError
from plyground.games.base import Outcome
from plyground.games.score import Score, Unit
from plyground.reversi import State
from tests.arena import fake_players

STEPS = Unit("steps", 1.5)


def steps(value: float) -> Score:
    return Score(value, STEPS, player=1)


def proven(win_in: int) -> Score:
    return Score.proven(win_in, player=1)


def ends(rules: Adjudication, *moves: Score | None) -> tuple[int, Outcome] | None:
    """After how many plies a game ends; players 1 and 2 tell these scores in turn, as their own."""
    adjudicator = Adjudicator(rules, STEPS)
    for ply, score in enumerate(moves):
        own = None
        if score is not None:
            own = Score(score.value, score.unit, 1 + ply % 2, score.win_in)
        if (outcome := adjudicator.add(own)) is not None:
            return ply + 1, outcome
    return None


def test_nothing_is_on_by_itself() -> None:
    assert ends(Adjudication(), *[proven(1), proven(-1)] * 200) is None


def test_a_win_that_both_have_proven() -> None:
    rules = Adjudication(proven=True)
    lost = Outcome(2, "adjudication: proven")
    assert ends(rules, proven(-6), proven(5)) == (2, lost)
    assert ends(rules, steps(900), proven(7), proven(-6)) == (3, lost)
    # One is not enough, and neither are two that contradict each other.
    assert ends(rules, proven(5), steps(-900), proven(5), None) is None
    assert ends(rules, proven(5), proven(5)) is None


def test_a_lead_that_both_see_for_some_moves() -> None:
    rules = Adjudication(win_score=3, win_moves=2)
    won = Outcome(1, "adjudication: score")
    agreed = [steps(3), steps(-4), steps(5), steps(-3)]
    assert ends(rules, *agreed) == (4, won)
    assert ends(rules, steps(2.99), steps(-4), *agreed) == (5, won)
    assert ends(rules, *agreed[:3], steps(-2.99)) is None
    assert ends(rules, *agreed[:3], None) is None
    assert ends(rules, proven(9), steps(-4), proven(7), proven(-6)) == (4, won)


def test_scores_close_to_even_late_in_a_game() -> None:
    rules = Adjudication(draw_score=0.1, draw_moves=2, draw_after=6)
    even = Outcome(None, "adjudication: even")
    assert ends(rules, *[steps(-0.1), steps(0.1)] * 4) == (6, even)
    late = [steps(0.11)] * 5 + [steps(0)] * 4
    assert ends(rules, *late) == (9, even)
    assert ends(rules, *[steps(0), None] * 9) is None
    assert ends(rules, *[steps(0), proven(9)] * 9) is None


def test_a_score_in_another_unit_counts_by_its_chance() -> None:
    """Three steps are a chance of 88%, which is a network's 0.76."""
    rules = Adjudication(win_score=3, win_moves=1, draw_score=0.3, draw_moves=1, draw_after=1)
    won, even = Outcome(1, "adjudication: score"), Outcome(None, "adjudication: even")
    assert ends(rules, Score.expected(0.77, 1), steps(-3)) == (2, won)
    assert ends(rules, Score.expected(0.75, 1), steps(-3)) is None
    assert ends(rules, Score.expected(0.09, 1), steps(0.3)) == (2, even)
    assert ends(rules, Score.expected(0.11, 1), steps(0.3)) is None


def test_length() -> None:
    assert ends(Adjudication(max_plies=5), *[None] * 9) == (
        5,
        Outcome(None, "adjudication: length"),
    )


def test_a_game_is_ended_and_its_record_says_why() -> None:
    conditions = Conditions(
        limits=fake_players.Boaster.limits, adjudication=Adjudication(win_score=5, win_moves=3)
    )
    players = {1: fake_players.Boaster(7), 2: fake_players.Boaster(-6)}
    record = play_game(State(), players, conditions=conditions)
    assert (record.result, record.termination) == ("1-0", "adjudication: score")
    assert len(record.moves) == 6


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"win_moves": 0}, "expected win_moves to be a whole number from 1, got 0"),
        ({"max_plies": 2.5}, "expected max_plies to be a whole number from 1, got 2.5"),
        ({"draw_score": -1}, "expected draw_score to be a number from 0, got -1"),
        ({"win_score": "x"}, "expected win_score to be a number from 0, got 'x'"),
    ],
)
def test_mistakes(setting: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Adjudication(**setting)  # type: ignore[arg-type]
    assert str(caught.value) == message


def rules_of(*words: str) -> object:
    """The adjudication that the options of `plyground arena` give."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return settings_from(parser.parse_args(["--adjudicate", *words]))["adjudication"]


def test_rules_on_the_command_line() -> None:
    assert rules_of("proven") == rules_of("proven=true") == {"proven": True}
    assert rules_of("proven=false", "max_plies=90") == {"proven": False, "max_plies": 90}
    for word, expected in (("proven=yes", "true or false for proven"), ("max_plies=x", "a number")):
        with pytest.raises(ConfigError, match=f"expected {expected}"):
            rules_of(word)
    with pytest.raises(ConfigError, match="expected proven to be true or false, got 1"):
        ArenaConfig.of({"agents": ("random", "easy"), "adjudication": rules_of("proven=1")})
    with pytest.raises(ConfigError, match="max_plies"):
        ArenaConfig.of({"agents": ("random", "easy"), "adjudication": rules_of("max_plies=true")})
