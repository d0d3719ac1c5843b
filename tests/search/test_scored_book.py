"""Books of scored openings: their form, the book of the package, and play from it."""

from __future__ import annotations

import random

import pytest

from plyground.agents import make
from plyground.analysis.adviser import adviser_for
from plyground.games import registry
from plyground.games.base import State as AnyState
from plyground.games.book_position import BookPosition
from plyground.quoridor import State as QuoridorState
from plyground.reversi import State
from plyground.search import SearchLimits
from plyground.search.scored_book import MARGIN, ScoredBook, choose_from_book, key_of
from plyground.ui.text import format_played

START = State()


def test_a_packed_book_has_the_same_moves_and_scores() -> None:
    after = START.play("f5")
    book = ScoredBook(
        {
            key_of(BookPosition(START)): [(19, 0.3)],
            key_of(BookPosition(after)): [(BookPosition(after).move(43), -0.3), (99, -20.0)],
        }
    )
    again = ScoredBook.unpack(book.pack())
    assert len(again) == 2
    for state in (START, after, after.play("d6")):
        assert again.moves(state) == book.moves(state)
    assert [str(each.score) for each in again.moves(START)] == ["+0.3"] * 4  # mirror images
    assert ScoredBook.unpack(ScoredBook({}).pack()).moves(START) == []


def test_the_scores_of_the_package_are_those_of_best_play() -> None:
    seen = set[str]()
    states = [START]
    while states:
        state = states.pop()
        position = BookPosition(state)
        moves = state.game.book_moves(state)
        if position.text in seen or not moves or len(seen) == 300:
            continue
        seen.add(position.text)
        for each in moves:
            after = state.play(each.action)
            replies = after.game.book_moves(after)
            if replies:
                assert each.score.value == pytest.approx(-replies[0].score.value)
            states.append(after)
    assert len(seen) == 300


def line_of(rng: random.Random) -> str:
    state, line = START, ""
    while (found := choose_from_book(state, rng)) is not None:
        best = state.game.book_moves(state)[0].score.value
        assert found.score is not None
        assert found.score.value >= best - MARGIN
        line += state.format_move(found.best_move)
        state = state.play(found.best_move)
    return line


def test_play_from_the_book_varies_and_keeps_close_to_the_best() -> None:
    rng = random.Random(1)
    lines = {line_of(rng) for _ in range(20)}
    assert len(lines) >= 10
    assert line_of(random.Random(5)) == line_of(random.Random(5))


@pytest.mark.parametrize(
    ("spec", "uses_book"),
    [
        ("master", True),
        ("expert:seed=1", True),
        ("master:book=false", False),
        ("hard", False),
        ("engine:depth=2", False),
        ("engine:depth=2,book=true,seed=3", True),
    ],
)
def test_agents_play_from_the_book_if_asked(spec: str, uses_book: bool) -> None:
    result = make(spec, "reversi").search(START, SearchLimits(time_s=0.01))
    assert result.is_from_book is uses_book
    text = format_played(spec, "f5", 0.0, result)
    assert ("(opening book, " in text) is uses_book


def test_analysis_searches_positions_of_the_book() -> None:
    seat = adviser_for("reversi", spec="master")
    assert not seat.search(START, SearchLimits(time_s=0.01)).is_from_book


def test_outside_the_book_nothing_is_chosen() -> None:
    states: list[AnyState] = [QuoridorState(), registry.get("reversi").start()]
    assert choose_from_book(states[0], random.Random(1)) is None
    late = State.parse("OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOX- X")
    assert late.game.book_moves(late) == []
