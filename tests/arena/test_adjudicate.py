"""Games that end early: only by rules that are on, and only where both players agree."""

from __future__ import annotations

import fake_players
import pytest

from plyground.arena.adjudicate import Adjudication, Adjudicator
from plyground.arena.game import play_game
from plyground.arena.task import Conditions
from plyground.errors import ConfigError
from plyground.games.base import Outcome
from plyground.reversi import State

Found = tuple[float | None, int | None]


def found(score: float | None, win_in: int | None = None) -> Found:
    return score, win_in


def ends(rules: Adjudication, *moves: Found | None) -> tuple[int, Outcome] | None:
    """After how many plies a game ends, the scores being told by players 1 and 2 in turn."""
    watching = Adjudicator(rules)
    for ply, move in enumerate(moves):
        if (outcome := watching.add(1 + ply % 2, *(move or (None, None)))) is not None:
            return ply + 1, outcome
    return None


def test_nothing_is_on_by_itself() -> None:
    assert ends(Adjudication(), *[found(9999, 1), found(-9999, -1)] * 200) is None


def test_a_win_that_both_have_proven() -> None:
    rules = Adjudication(proven=True)
    lost = Outcome(2, "adjudication: proven")
    assert ends(rules, found(0, -6), found(0, 5)) == (2, lost)
    assert ends(rules, found(900), found(0, 7), found(0, -6)) == (3, lost)
    # One is not enough, and neither are two that contradict each other.
    assert ends(rules, found(0, 5), found(-900), found(0, 5), None) is None
    assert ends(rules, found(0, 5), found(0, 5)) is None


def test_a_lead_that_both_see_for_some_moves() -> None:
    rules = Adjudication(win_score=300, win_moves=2)
    won = Outcome(1, "adjudication: score")
    agreed = [found(300), found(-400), found(500), found(-300)]
    assert ends(rules, *agreed) == (4, won)
    assert ends(rules, found(299), found(-400), *agreed) == (5, won)
    assert ends(rules, *agreed[:3], found(-299)) is None
    assert ends(rules, *agreed[:3], None) is None
    assert ends(rules, found(0, 9), found(-400), found(0, 7), found(0, -6)) == (4, won)


def test_scores_close_to_even_late_in_a_game() -> None:
    rules = Adjudication(draw_score=10, draw_moves=2, draw_after=6)
    even = Outcome(None, "adjudication: even")
    assert ends(rules, *[found(-10), found(10)] * 4) == (6, even)
    late = [found(11)] * 5 + [found(0)] * 4
    assert ends(rules, *late) == (9, even)
    assert ends(rules, *[found(0), None] * 9) is None


def test_length() -> None:
    assert ends(Adjudication(max_plies=5), *[None] * 9) == (
        5,
        Outcome(None, "adjudication: length"),
    )


def test_a_game_is_ended_and_its_record_says_why() -> None:
    conditions = Conditions(adjudication=Adjudication(win_score=5, win_moves=3))
    players = {1: fake_players.Boaster(70), 2: fake_players.Boaster(-60)}
    record = play_game(State(), players, "reversi", conditions=conditions)
    assert (record.result, record.termination) == ("1-0", "adjudication: score")
    assert len(record.moves) == 6


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"win_moves": 0}, "expected win_moves to be a whole number above 0, got 0"),
        ({"max_plies": 2.5}, "expected max_plies to be a whole number above 0, got 2.5"),
        ({"draw_score": -1}, "expected draw_score to be a number of at least 0, got -1"),
        ({"win_score": "x"}, "expected win_score to be a number of at least 0, got 'x'"),
    ],
)
def test_mistakes(setting: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Adjudication(**setting)  # type: ignore[arg-type]
    assert str(caught.value) == message
