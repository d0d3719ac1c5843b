"""Openings of both games: different, close to even, and as many as there are."""

from __future__ import annotations

import random

import pytest

from plyground.arena.quoridor_openings import EVEN, balanced_openings, book, match_openings
from plyground.arena.reversi_openings import xot_openings
from plyground.games.quoridor_game import QUORIDOR
from plyground.games.reversi_game import REVERSI
from plyground.quoridor import GameConfig, State
from plyground.reversi import State as ReversiState
from plyground.search import Engine, SearchLimits
from plyground.search.quoridor_solver import solve

SMALL = State(GameConfig.preset("small"))
TINY = State(GameConfig.preset("tiny"))


@pytest.fixture(scope="module")
def openings() -> list[State]:
    return balanced_openings(SMALL, 4, random.Random(3))


def test_openings_are_different_and_close_to_even(openings: list[State]) -> None:
    assert len({opening.text() for opening in openings}) == 4
    for opening in openings:
        assert 4 <= opening.move_count <= 8
        score = Engine(hash_mb=1).search(opening, SearchLimits(nodes=20_000)).score
        assert score is not None
        assert score.win_in is None
        assert abs(score.value) <= EVEN


def test_the_same_seed_finds_the_same_openings(openings: list[State]) -> None:
    """These were found before; tournaments that continue depend on it."""
    assert [opening.text() for opening in openings] == [
        "5 c1/b5 c1h,a2h,b3h,c4h,d1v 2/3 1 6 0",
        "5 c3/d5 b3h,c1v,a2v,d3v 3/3 2 7 3",
        "5 c1/c5 b1h,b2h,d1v,d3v 3/3 1 4 0",
        "5 c4/c3 b1h 4/5 2 5 2",
    ]


def test_the_book_holds_different_openings_of_the_standard_game() -> None:
    openings = book(State())
    assert len({opening.text() for opening in openings}) == len(openings) >= 300
    for opening in openings:
        assert opening.config == GameConfig.preset("standard")
        assert 4 <= opening.move_count <= 8
        assert not opening.game_over
    assert book(State().play("e2")) == ()


@pytest.mark.parametrize("size", range(4, 9))
def test_every_usual_board_has_a_book(size: int) -> None:
    start = State(GameConfig.for_size(size))
    openings = book(start)
    assert len({opening.text() for opening in openings}) == len(openings) >= 16
    assert not any(opening.game_over for opening in openings)
    assert set(match_openings(start, 16, random.Random(1))) <= set(openings)
    assert book(State(GameConfig(board_size=size, walls_per_player=3))) == ()


def test_the_books_of_solved_boards_are_won_by_either_side() -> None:
    start = State(GameConfig.for_size(4))
    solution = solve(start.config)
    winners = [
        opening.current_player
        if solution.value(opening) > 0
        else opening.get_opponent(opening.current_player)
        for opening in book(start)
    ]
    assert winners.count(1) == winners.count(2)
    assert min(abs(solution.value(opening)) for opening in book(start)) >= 8


def test_a_match_takes_the_book_and_then_more() -> None:
    start = State()
    few = match_openings(start, 10, random.Random(1))
    assert set(few) < set(book(start))
    assert few != match_openings(start, 10, random.Random(2))
    many = match_openings(start, len(book(start)) + 2, random.Random(1))
    assert len({opening.text() for opening in many}) == len(book(start)) + 2
    assert QUORIDOR.openings(start, 10, random.Random(1)) == few


def test_small_boards_give_the_openings_they_have() -> None:
    heard: list[tuple[int, int]] = []
    openings = balanced_openings(
        TINY, 5, random.Random(1), on_found=lambda *told: heard.append(told)
    )
    assert len(openings) == heard[-1][1] == 5
    assert heard == sorted(heard)
    assert len(balanced_openings(TINY, 5, random.Random(1), lead=lambda _: 1000)) == 5
    bare = State(GameConfig(board_size=3, walls_per_player=0))
    few = balanced_openings(bare, 50, random.Random(1), plies=(1, 2))
    assert 0 < len(few) < 50


@pytest.mark.parametrize("size", [3, 4])
def test_where_all_openings_are_decided_the_longest_fights_are_taken(size: int) -> None:
    start = State(GameConfig(board_size=size, walls_per_player=2))
    engine = Engine(hash_mb=1)
    openings = balanced_openings(start, 4, random.Random(1))
    for opening in openings:
        win_in = engine.search(opening, SearchLimits(nodes=20_000)).win_in
        assert win_in is None or abs(win_in) > 4
    assert balanced_openings(start, 2, random.Random(1)) == openings[:2]


def test_openings_of_the_xot_list() -> None:
    openings = xot_openings(50, random.Random(2))
    assert len({opening.text() for opening in openings}) > 45  # lines that meet in one position
    for opening in openings:
        assert sum(opening.counts.values()) == 12
        assert not opening.game_over
    assert xot_openings(50, random.Random(2)) == openings
    assert REVERSI.openings(ReversiState(), 50, random.Random(2)) == openings
