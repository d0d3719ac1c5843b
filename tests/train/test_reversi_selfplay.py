"""Self-play of Reversi in the core: what its rows say must hold in the games they came from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from plyground import _core
from plyground.errors import ConfigError, IllegalMoveError
from plyground.reversi import State

ACTIONS = 65
BYTES = _core.REVERSI_FEATURE_BYTES
SOLVED = 10
"""Empty squares from which on a game is not played but solved."""
SOME = 8
"""Games to solve here too, where it takes longer."""

Rows = dict[str, np.ndarray]


class Evaluator:
    """Logits and values that depend on nothing but the features, as a network's would."""

    def __init__(self) -> None:
        rng = np.random.default_rng(5)
        self.mix = rng.normal(size=(BYTES, 8)).astype(np.float32)
        self.out = rng.normal(size=(8, ACTIONS + 1)).astype(np.float32)

    def __call__(self, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        out = np.sin(features.astype(np.float32) @ self.mix) @ self.out / 2
        return (out[:, :ACTIONS] * 2).astype(np.float16), np.tanh(out[:, ACTIONS])


def play(pool: _core.ReversiSelfPlay, rows: int) -> Rows:
    """Run until that many rows are there, and return all that are."""
    evaluator = Evaluator()
    features = [np.zeros((pool.size(half), BYTES), np.uint8) for half in range(pool.halves)]
    for half, batch in enumerate(features):
        pool.step(half, None, None, batch)
    while pool.stats()["waiting"] < rows:
        for half, batch in enumerate(features):
            pool.step(half, *evaluator(batch), batch)
    return pool.drain(10**9)


def games_of(rows: Rows) -> Iterator[Rows]:
    for game in np.unique(rows["game"]):
        yield {name: column[rows["game"] == game] for name, column in rows.items()}


def state_of(features: np.ndarray, ply: int) -> State:
    """Read a position back from its features."""
    mine, other = (np.unpackbits(features[i : i + 8], bitorder="little") for i in (0, 8))
    me, you = "XO" if ply % 2 == 0 else "OX"
    squares = (me if a else you if b else "-" for a, b in zip(mine, other, strict=True))
    return State.parse("".join(squares) + f" {me}")


@pytest.fixture(scope="module")
def played() -> Rows:
    return play(_core.ReversiSelfPlay([State()], 48, threads=2, simulations=8, seed=3), 3000)


def test_arrays(played: Rows) -> None:
    count = len(played["game"])
    assert count >= 3000
    expected = {
        "features": ((count, BYTES), "uint8"),
        "policy": ((count, ACTIONS), "float16"),
        **dict.fromkeys(("outcome", "root_value", "margin", "surprise"), ((count,), "float32")),
        **dict.fromkeys(("game", "ply", "action"), ((count,), "int32")),
    }
    assert {name: (each.shape, each.dtype.name) for name, each in played.items()} == expected
    assert (np.abs(played["root_value"]) <= 1.001).all()


def test_rows_are_the_games_they_say(played: Rows) -> None:
    """Features are those of the replayed game, moves are legal, policies cover legal moves only."""
    openings = 0
    for game in games_of(played):
        plies = game["ply"]
        assert (np.diff(plies) == 1).all()
        state = state_of(game["features"][0], int(plies[0]))
        openings += plies[0] > 0
        if plies[0] == 0:
            assert state == State()
        for i in range(len(plies)):
            assert (_core.reversi_net_features(state) == game["features"][i]).all()
            policy = game["policy"][i].astype(np.float64)
            assert policy.sum() == pytest.approx(1, abs=5e-3)
            assert (policy >= 0).all()
            assert set(np.flatnonzero(policy)) <= set(state.legal_actions())
            assert game["action"][i] in state.legal_actions()
            state = state.play(int(game["action"][i]))
    assert 0.1 < openings / len(np.unique(played["game"])) < 0.5


def best_score(state: State, alpha: int = -64, beta: int = 64) -> int:
    """What the player to move gets in discs, by alpha-beta."""
    if state.game_over:
        return state.score if state.current_player == 1 else -state.score
    for action in state.legal_actions():
        alpha = max(alpha, -best_score(state.play(action), -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


def test_outcomes_and_margins_are_those_of_perfect_play_from_the_last_row(played: Rows) -> None:
    solved = 0
    for game in games_of(played):
        outcome, margin = game["outcome"], game["margin"]
        assert set(np.abs(outcome)) <= {0.0, 1.0}, "a draw is worth nothing here"
        assert (outcome[1:] == -outcome[:-1]).all()
        assert (margin[1:] == -margin[:-1]).all()
        assert (np.sign(margin) == outcome).all()
        last = state_of(game["features"][-1], int(game["ply"][-1]))
        empties = last.text().count("-")
        if empties > SOLVED:  # a game that ended early
            assert last.play(int(game["action"][-1])).game_over
        elif solved < SOME:
            solved += 1
            assert best_score(last) == margin[-1]
            assert game["root_value"][-1] == outcome[-1]
    assert solved == SOME


def test_solved_rows_share_the_policy_among_the_best_moves(played: Rows) -> None:
    for game in list(games_of(played))[-SOME:]:
        last = state_of(game["features"][-1], int(game["ply"][-1]))
        assert last.text().count("-") <= SOLVED
        best = [
            action
            for action in last.legal_actions()
            if np.sign(-best_score(last.play(action))) == game["outcome"][-1]
        ]
        assert np.flatnonzero(game["policy"][-1]).tolist() == best


def test_counts_tell_who_won() -> None:
    pool = _core.ReversiSelfPlay([State()], 16, simulations=4, seed=2)
    rows = play(pool, 600)
    stats = pool.stats()
    firsts = [game["outcome"][0] * (-1) ** game["ply"][0] for game in games_of(rows)]
    assert stats["games"] == len(firsts)
    assert stats["first_player_wins"] == sum(first > 0 for first in firsts)
    assert stats["draws"] == sum(first == 0 for first in firsts)


@pytest.mark.parametrize("threads", [1, 3])
def test_same_seed_same_games(threads: int) -> None:
    def run(seed: int, threads: int) -> Rows:
        pool = _core.ReversiSelfPlay([State()], 12, threads=threads, simulations=4, seed=seed)
        rows = play(pool, 400)
        order = np.lexsort((rows["ply"], rows["game"]))
        return {name: column[order] for name, column in rows.items()}

    once, again, other = run(5, 1), run(5, threads), run(6, 1)
    for name, column in once.items():
        assert np.array_equal(column, again[name]), name
    assert not np.array_equal(once["action"][:100], other["action"][:100])


def test_a_finished_game_and_wrong_arrays_are_refused() -> None:
    with pytest.raises(IllegalMoveError, match="the game is over"):
        _core.ReversiSelfPlay([State.parse("X" * 64 + " O")], 4)
    pool = _core.ReversiSelfPlay([State()], 4, simulations=4)
    with pytest.raises(ConfigError, match=r"features of shape \(2 or more, 56\)"):
        pool.step(0, None, None, np.zeros((2, 488), np.uint8))
    features = np.zeros((2, BYTES), np.uint8)
    pool.step(0, None, None, features)
    with pytest.raises(ConfigError, match=r"\(2, 65\), got \(2, 209\)"):
        pool.step(0, np.zeros((2, 209), np.float16), np.zeros(2, np.float32), features)
