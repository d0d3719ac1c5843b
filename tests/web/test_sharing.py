"""Games as text: links that hold them, and whatever people paste."""

from __future__ import annotations

import base64
import random
import time
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.errors import NotationError
from plyground.games import registry
from plyground.play import MoveRecord, Record
from plyground.ui.web.sharing import format_link, parse_game_text, parse_link


def random_game(rng: random.Random, game: str) -> Record:
    state = registry.get(game).start({})
    actions = []
    while state.outcome is None:
        actions.append(rng.choice(state.legal_actions()))
        state = state.play(actions[-1])
    start = registry.get(game).start()
    return Record.from_moves(actions, start, tags={"Player1": "Ann", "Player2": "Bob"})


@pytest.mark.parametrize("game", ["quoridor", "reversi"])
def test_a_link_holds_the_whole_game(rng: random.Random, game: str) -> None:
    record = random_game(rng, game)
    link = format_link(record)
    assert parse_link(link) == record
    assert set(link) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    assert len(link) < 2000


def test_a_link_leaves_out_private_tags_times_and_what_agents_say() -> None:
    variation = (MoveRecord("d1", 1.0, comment="or this", marks=(5,)),)
    record = Record.from_moves(
        [
            MoveRecord("e2", 3.0, comment="oops", marks=(2,), variations=(variation,)),
            MoveRecord("e8", 1.0, depth=9, comment="win in 5"),
        ],
        tags={"Player1": "Ann", "Secret": "x", "Current": "1"},
        comment="hm",
    )
    shared = parse_link(format_link(record))
    assert (shared.tags, shared.comment) == ({"Player1": "Ann"}, "hm")
    bare = (MoveRecord("d1", comment="or this", marks=(5,)),)
    first = MoveRecord("e2", comment="oops", marks=(2,), variations=(bare,))
    assert shared.moves == (first, MoveRecord("e8"))


def test_a_link_that_would_be_too_long_holds_the_main_line(rng: random.Random) -> None:
    words = " ".join(f"{rng.random()}" for _ in range(1000))
    record = Record.from_moves([MoveRecord("e2", comment=words), "e8"])
    link = format_link(record)
    assert len(link) < 8000
    assert parse_link(link).moves == (MoveRecord("e2"), MoveRecord("e8"))


def test_a_link_that_grows_without_end_is_refused() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 10_000_000)).decode().rstrip("=")
    with pytest.raises(NotationError, match="too long"):
        parse_link(bomb)


@given(st.text(max_size=60))
def test_a_broken_link_is_one_line(link: str) -> None:
    with pytest.raises(NotationError, match="the link holds no game"):
        parse_link(link)


@pytest.mark.parametrize(
    ("text", "game", "number"),
    [
        ("1. e2 e8 2. e3h *", "quoridor", 3),
        ("e2 e8", "quoridor", 2),
        ('[Board "3"] 1. b2 a3 2. b3', "quoridor", 3),
        ('[Game "reversi"]\n\n1. f5 d6 *', "reversi", 2),
        ("9 e4/e6 c3h,e3h,d7h 8/9 2 9 1", "quoridor", 0),
        ("-" * 27 + "OX------XO" + "-" * 27 + " X", "reversi", 0),
        ("f5d6c3", "reversi", 3),
        ("F5 d6 C3", "reversi", 3),
        ("(;GM[Othello]PB[Ann]PW[Bob]RE[?]TY[8]B[f5]W[d6];)", "reversi", 2),
    ],
)
def test_any_usual_text_is_read(text: str, game: str, number: int) -> None:
    record = parse_game_text(text)
    assert (record.game, len(record.moves)) == (game, number)


@pytest.mark.parametrize("text", ["", "   ", "hello", "1. e2 e9", "{", "9 e4/e4 - 1/1 1 0 0"])
def test_other_text_is_one_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as caught:
        parse_game_text(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("* " * 32000, "expected at most 100 games"),
        ("e2 e8 e1 e9 " * 5000, "expected at most 3000 moves in a game"),
    ],
)
def test_text_that_is_too_long_is_rejected_before_it_is_played(text: str, words: str) -> None:
    began = time.process_time()
    with pytest.raises(NotationError, match=words):
        parse_game_text(text)
    assert time.process_time() - began < 0.5
