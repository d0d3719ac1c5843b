"""The tree search on Reversi: results against brute force, passes, trees kept between moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plyground import _core
from plyground.errors import ConfigError, IllegalMoveError
from plyground.reversi import PASS, State
from plyground.search import SearchLimits
from plyground.search.gumbel import GumbelSearch

ACTIONS = 65


def evaluate(features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logits and values that depend on nothing but the features, as a network's would."""
    rng = np.random.default_rng(3)
    mix = rng.normal(size=(_core.REVERSI_FEATURE_BYTES, ACTIONS + 1)).astype(np.float32)
    out = np.sin(features.astype(np.float32) @ mix / 8)
    return out[:, :ACTIONS] * 2, out[:, ACTIONS] / 2


def late_state(empties: int, rng: Any) -> State:
    """A random unfinished position with that many empty squares."""
    while True:
        state = State()
        while not state.game_over and state.text().count("-") > empties:
            state = state.play(rng.choice(state.legal_actions()))
        if not state.game_over:
            return state


def best_result(state: State) -> int:
    """1, 0 or -1: what perfect play comes to for the player to move."""
    if state.game_over:
        return {None: 0, state.current_player: 1}.get(state.winner, -1)
    return max(-best_result(state.play(action)) for action in state.legal_actions())


def test_results_near_the_end_are_those_of_perfect_play(rng: Any) -> None:
    for _ in range(20):
        state = late_state(7, rng)
        search = GumbelSearch(evaluate)
        result = search.search(state, SearchLimits(simulations=16))
        expected = best_result(state)
        assert np.sign(result.win_in or 0) == expected
        assert -best_result(state.play(result.best_move)) == expected, state.text()


def test_without_endgames_only_the_rules_are_known(rng: Any) -> None:
    state = late_state(7, rng)
    tree = _core.ReversiTree(state, prove=False, endgames=False)
    tree.begin(1)
    tree.expand(*evaluate(tree.select(1)))
    assert tree.win_in is None
    assert tree.simulations_left == 1


def test_a_pass_is_searched_like_any_move() -> None:
    # Black has to pass; then a1 is white's only disc beside black's, and c1 turns b1 over.
    state = State.parse("OX" + "-" * 62 + " X")
    result = GumbelSearch(evaluate).search(state, SearchLimits(simulations=20))
    assert result.best_move == PASS
    assert result.win_in is not None
    assert result.win_in < 0


def test_policies_cover_legal_moves_only(rng: Any) -> None:
    search = GumbelSearch(evaluate)
    state = State()
    while not state.game_over:
        result = search.search(state, SearchLimits(simulations=24))
        policy = search.policy()
        assert policy.shape == (ACTIONS,)
        assert set(np.flatnonzero(policy)) <= set(state.legal_actions())
        assert policy.sum() == pytest.approx(1, abs=1e-4)
        assert result.best_move in state.legal_actions()
        state = state.play(rng.choice(state.legal_actions()))


def test_the_tree_is_kept_from_move_to_move() -> None:
    search = GumbelSearch(evaluate)
    state = State()
    first = search.search(state, SearchLimits(simulations=200))
    seen = state
    for action in first.pv[:2]:
        seen = seen.play(action)
    limits = SearchLimits(simulations=10)
    kept = search.search(seen, limits)
    assert kept.nodes_searched == 10
    assert sum(move["visits"] for move in search.moves()) > 10
    search.clear()
    search.search(seen, limits)
    assert sum(move["visits"] for move in search.moves()) == 10


def test_one_search_serves_both_games() -> None:
    from plyground import quoridor

    def silent(features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        actions = {_core.REVERSI_FEATURE_BYTES: 65}.get(features.shape[1], 209)
        return np.zeros((len(features), actions), np.float32), np.zeros(len(features), np.float32)

    search = GumbelSearch(silent)
    for state in (State(), quoridor.State(), State()):
        result = search.search(state, SearchLimits(simulations=8))
        assert result.best_move in state.legal_actions()


def test_mistakes_are_told() -> None:
    over = State.parse("X" * 64 + " O")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        _core.ReversiTree(over)
    tree = _core.ReversiTree(State())
    with pytest.raises(ConfigError, match="an action from 0 to 64, got 65"):
        tree.advance(65)
    with pytest.raises(IllegalMoveError, match="illegal move 'a1'"):
        tree.advance(0)
    tree.begin(4)
    tree.select(1)
    with pytest.raises(ConfigError, match=r"\(1, 65\), got \(1, 209\)"):
        tree.expand(np.zeros((1, 209), np.float32), np.zeros(1, np.float32))
