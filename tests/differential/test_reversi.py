"""Random games of Reversi: the native core against the plain-Python reference, move by move."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from plyground import reversi
from plyground.games.reference import reversi as reference

GAMES = 60

WIPE_OUT = "e6 f4 e3 f6 g5 d6 e7 f5 c5"
"""The shortest game that leaves a player without discs, which random play seldom does."""

# What the random games have to show, or they would prove little: play goes on until they do.
WANTED = ["pass", "full board", "no moves", "black won", "white won"]


def test_native_and_reference_agree_move_by_move(rng: random.Random) -> None:
    seen: Counter[str] = Counter()
    while seen["game"] < GAMES or not all(seen[what] for what in WANTED):
        assert seen["game"] < 100 * GAMES, f"not seen: {[w for w in WANTED if not seen[w]]}"
        # Every other game is greedy, which brings about more passes.
        play_and_compare(rng, greedy=seen["game"] % 2 == 1, seen=seen)


@pytest.mark.parametrize("size", [4, 6])
def test_they_agree_on_small_boards(rng: random.Random, size: int) -> None:
    for _ in range(5):
        native, plain = reversi.State(size), reference.State(reference.STARTS[size])
        while actions := compare(native, plain):
            action = rng.choice(actions)
            native, plain = native.play(action), plain.play(action)


@pytest.mark.parametrize(("size", "depth"), [(4, 6), (6, 5)])
def test_perft_agrees_on_small_boards(size: int, depth: int) -> None:
    def count(state: reference.State, plies: int) -> int:
        if plies == 0 or not (actions := state.legal_actions()):
            return 1
        return sum(count(state.play(action), plies - 1) for action in actions)

    plain = reference.State(reference.STARTS[size])
    counts = [count(plain, plies) for plies in range(1, depth + 1)]
    assert [reversi.State(size).perft(plies) for plies in range(1, depth + 1)] == counts


def test_they_agree_in_a_game_that_ends_early() -> None:
    native, plain = reversi.State(), reference.State()
    for move in WIPE_OUT.split():
        action = native.parse_move(move)
        assert action in compare(native, plain)
        native, plain = native.play(action), plain.play(action)
    assert compare(native, plain) == []
    assert plain.reason == "wipe-out"


def play_and_compare(rng: random.Random, greedy: bool, seen: Counter[str]) -> None:
    native, plain = reversi.State(), reference.State()
    while actions := compare(native, plain):
        action = rng.choice(actions)
        if greedy:
            mover = native.current_player
            action = max(actions, key=lambda a: (native.play(a).counts[mover], rng.random()))
        seen["pass"] += action == reversi.PASS
        native, plain = native.play(action), plain.play(action)
    seen["game"] += 1
    assert native.outcome is not None
    seen[native.outcome.reason] += 1
    seen[{1: "black won", 2: "white won", None: "draw"}[native.winner]] += 1


def compare(native: reversi.State, plain: reference.State) -> list[int]:
    """Compare all that both can tell; returns the legal actions."""
    actions = plain.legal_actions()
    assert native.text() == plain.text()
    assert reversi.State.parse(plain.text()) == native
    assert native.legal_actions() == actions
    assert native.current_player == plain.current_player
    assert (native.counts, native.score) == (plain.counts, plain.score)
    assert (native.game_over, native.winner) == (plain.game_over, plain.winner)
    assert (native.outcome and native.outcome.reason) == plain.reason
    for action in actions:
        assert native.play(action).text() == plain.play(action).text()
    return actions
