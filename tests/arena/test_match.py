"""Matches: pairs with colours swapped, results counted for the right side, workers alike."""

from __future__ import annotations

import random

import pytest

from plyground.arena import (
    MatchScore,
    balanced_openings,
    book,
    match_openings,
    play_game,
    play_match,
    reversi_openings,
)
from plyground.errors import ConfigError
from plyground.quoridor import GameConfig, State
from plyground.search import Engine, SearchLimits

SMALL = GameConfig.preset("small")


@pytest.fixture(scope="module")
def openings() -> list[State]:
    return balanced_openings(SMALL, 4, random.Random(3))


class Scripted:
    """Plays the given actions one after the other, whatever the position."""

    def __init__(self, *actions: int) -> None:
        self.actions = list(actions)

    def select_action(self, state: State, limits: object = None) -> int:  # noqa: ARG002
        return self.actions.pop(0)


def test_openings_are_different_and_close_to_even(openings: list[State]) -> None:
    assert len({opening.text() for opening in openings}) == 4
    for opening in openings:
        assert 4 <= opening.move_count <= 8
        assert abs(Engine(hash_mb=1).search(opening, SearchLimits(nodes=20_000)).score) <= 90


def test_the_book_holds_different_openings_of_the_standard_game() -> None:
    standard = GameConfig.preset("standard")
    openings = book(standard)
    assert len({opening.text() for opening in openings}) == len(openings) >= 300
    for opening in openings:
        assert opening.config == standard
        assert 4 <= opening.move_count <= 8
        assert not opening.game_over
    assert book(SMALL) == ()


def test_a_match_takes_the_book_and_then_more() -> None:
    standard = GameConfig.preset("standard")
    few = match_openings(standard, 10, random.Random(1))
    assert set(few) < set(book(standard))
    assert few != match_openings(standard, 10, random.Random(2))
    many = match_openings(standard, len(book(standard)) + 2, random.Random(1))
    assert len({opening.text() for opening in many}) == len(book(standard)) + 2


def test_small_boards_give_the_openings_they_have() -> None:
    tiny = GameConfig.preset("tiny")
    heard: list[tuple[int, int]] = []
    openings = balanced_openings(
        tiny, 5, random.Random(1), on_found=lambda *told: heard.append(told)
    )
    assert len(openings) == heard[-1][1] == 5
    assert heard == sorted(heard)
    assert len(balanced_openings(tiny, 5, random.Random(1), lead=lambda _: 1000)) == 5
    bare = GameConfig(board_size=3, walls_per_player=0)
    few = balanced_openings(bare, 50, random.Random(1), plies=(1, 2))
    assert 0 < len(few) < 50


@pytest.mark.parametrize("size", [3, 4])
def test_where_all_openings_are_decided_the_longest_fights_are_taken(size: int) -> None:
    config = GameConfig(board_size=size, walls_per_player=2)
    engine = Engine(hash_mb=1)
    openings = balanced_openings(config, 4, random.Random(1))
    for opening in openings:
        win_in = engine.search(opening, SearchLimits(nodes=20_000)).win_in
        assert win_in is None or abs(win_in) > 4
    assert balanced_openings(config, 2, random.Random(1)) == openings[:2]


def test_each_opening_is_played_twice_with_colours_swapped(openings: list[State]) -> None:
    games = list(play_match("pathfinder", "random:seed=1", openings))
    assert sorted((game.opening, game.first_is_player) for game in games) == [
        (opening, player) for opening in range(4) for player in (1, 2)
    ]
    for game in games:
        first = game.record.tags[f"Player{game.first_is_player}"]
        assert first == "pathfinder"
        assert game.record.start == openings[game.opening].text()
        winner = {"1-0": 1, "0-1": 2}.get(game.record.result)
        assert game.points == (0.5 if winner is None else winner == game.first_is_player)


def test_workers_play_the_same_games(openings: list[State]) -> None:
    def moves(workers: int) -> list[list[str]]:
        games = play_match("pathfinder", "minimax:depth=1", openings, workers=workers)
        by_place = sorted(games, key=lambda game: (game.opening, game.first_is_player))
        return [[move.text for move in game.record.moves] for game in by_place]

    assert moves(1) == moves(2)


def test_the_stronger_agent_scores(openings: list[State]) -> None:
    score = MatchScore()
    for number, game in enumerate(play_match("engine:nodes=2000", "random:seed=1", openings)):
        score.add(game)
        # One game says nothing while the other one of its opening is missing.
        assert ("Elo" in str(score)) == (number > 0)
    assert (score.games, score.wins) == (8, 8)
    assert str(score).startswith("+8 =0 -0  100.0%")


def test_an_illegal_move_loses_with_its_reason() -> None:
    start = State(SMALL)
    forward = start.legal_actions()[1]
    record = play_game(start, {1: Scripted(forward, 999), 2: Scripted(17)})
    assert record.result == "0-1"
    assert record.termination == "illegal move 999"
    assert len(record.moves) == 2


def test_a_wrong_name_is_told_before_anything_is_played(openings: list[State]) -> None:
    with pytest.raises(ConfigError, match="unknown agent 'pathfindr'"):
        next(play_match("random", "pathfindr", openings, workers=2))


def test_closing_early_ends_the_match(openings: list[State]) -> None:
    games = play_match("random:seed=1", "random:seed=2", openings, workers=2)
    next(games)
    games.close()


def test_openings_of_the_xot_list() -> None:
    openings = reversi_openings(50, random.Random(2))
    assert len({opening.text() for opening in openings}) > 45  # lines that meet in one position
    for opening in openings:
        assert sum(opening.counts.values()) == 12
        assert not opening.game_over
    assert reversi_openings(50, random.Random(2)) == openings


def test_reversi_is_matched_from_its_openings() -> None:
    openings = reversi_openings(3, random.Random(5))
    assert len({opening.text() for opening in openings}) == 3
    assert all(opening.outcome is None for opening in openings)
    assert {text.count("-") for text in (opening.text() for opening in openings)} == {52}
    games = list(play_match("minimax:depth=2", "random:seed=1", openings, "reversi"))
    assert len(games) == 6
    for game in games:
        assert game.record.game == "reversi"
        assert game.record.start == openings[game.opening].text()
        assert game.record.outcome is not None
    assert sum(game.points for game in games) >= 4
