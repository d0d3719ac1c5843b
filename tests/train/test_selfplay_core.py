"""Self-play in the core: what its rows say must hold in the games they came from."""

from __future__ import annotations

import gc
import math
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from plyground import _core
from plyground.errors import ConfigError
from plyground.nets.features import Expander
from plyground.nets.quoridor_encoding import QUORIDOR
from plyground.quoridor import GameConfig, State, decode_action, encode_action, flip_action
from plyground.search.quoridor_solver import solve

ACTIONS = 209
BYTES = _core.QUORIDOR_FEATURE_BYTES
SMALL = GameConfig.preset("small")
TINY = GameConfig.preset("tiny")


class Evaluator:
    """Logits and values that depend on nothing but the features, as a network's would."""

    def __init__(self, spread: float = 3.0, seed: int = 0, sharpness: float = 1.0) -> None:
        rng = np.random.default_rng(seed)
        self.mix = rng.normal(size=(BYTES, 8)).astype(np.float32)
        self.out = rng.normal(size=(8, ACTIONS + 1)).astype(np.float32)
        self.spread = spread
        self.sharpness = sharpness

    def __call__(self, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        hidden = np.sin(features.astype(np.float32) @ self.mix)
        out = hidden @ self.out / 2
        return (out[:, :ACTIONS] * self.spread).astype(np.float16), np.tanh(
            out[:, ACTIONS] * self.sharpness
        )


def play(pool: _core.QuoridorSelfPlay, rows: int, evaluator: Evaluator) -> dict[str, np.ndarray]:
    """Run until that many rows are there, and return all that are."""
    features = [np.zeros((pool.size(half), BYTES), np.uint8) for half in range(pool.halves)]
    for half, batch in enumerate(features):
        assert pool.step(half, None, None, batch) == pool.size(half)
    while pool.stats()["waiting"] < rows:
        for half, batch in enumerate(features):
            logits, values = evaluator(batch)
            assert pool.step(half, logits, values, batch) == pool.size(half)
    return pool.drain(10**9)


def games_of(rows: dict[str, np.ndarray]) -> Iterator[dict[str, np.ndarray]]:
    for game in np.unique(rows["game"]):
        yield {name: column[rows["game"] == game] for name, column in rows.items()}


def bits(features: np.ndarray, plane: int) -> list[int]:
    unpacked = np.unpackbits(features[11 * plane : 11 * plane + 11], bitorder="little")
    return [int(i) for i in np.flatnonzero(unpacked)]


def state_of(features: np.ndarray, ply: int, config: GameConfig) -> State:
    """Read a position back from its features."""
    size, mover = config.board_size, 1 + ply % 2
    my_walls, other_walls, _, _, _, to_draw, board, walls = features[478:486]
    assert (board, walls) == (size, config.walls_per_player)

    def cell(i: int, rows: int) -> tuple[int, int]:
        return (i // 9 if mover == 1 else rows - 1 - i // 9, i % 9)

    def name(where: tuple[int, int]) -> str:
        return f"{'abcdefghi'[where[1]]}{where[0] + 1}"

    (mine,), (other,) = bits(features, 1), bits(features, 2)
    pawns = [name(cell(mine, size)), name(cell(other, size))]
    left = [int(my_walls), int(other_walls)]
    if mover == 2:
        pawns.reverse()
        left.reverse()
    placed = sorted(
        (letter, cell(i, size - 1))
        for plane, letter in ((7, "h"), (8, "v"))
        for i in bits(features, plane)
    )
    text = ",".join(name(where) + letter for letter, where in placed) or "-"
    since = config.no_progress_limit - int(to_draw)
    return State.parse(
        f"{size} {pawns[0]}/{pawns[1]} {text} {left[0]}/{left[1]} {mover} {ply} {since}", config
    )


def to_state_action(action: int, state: State) -> int:
    """From the mover's view on the 9x9 canvas to the state's own numbers."""
    kind, row, col = decode_action(action, 9)
    seen = encode_action(kind, row, col, state.board_size)
    return seen if state.current_player == 1 else flip_action(seen, state.board_size)


def result_for(state: State, player: int, config: GameConfig) -> float:
    assert state.game_over
    if state.winner is None:
        return config.draw_penalty
    return 1.0 if state.winner == player else -1.0


@pytest.fixture(scope="module", params=["tiny", "small", "standard"])
def played(request: pytest.FixtureRequest) -> tuple[GameConfig, dict[str, np.ndarray]]:
    config = GameConfig.preset(request.param)
    pool = _core.QuoridorSelfPlay([State(config)], 40, threads=2, simulations=16, seed=3)
    return config, play(pool, 1500, Evaluator())


def test_arrays(played: tuple[GameConfig, dict[str, np.ndarray]]) -> None:
    _, rows = played
    count = len(rows["game"])
    assert count >= 1500
    expected = {
        "features": ((count, BYTES), "uint8"),
        "policy": ((count, ACTIONS), "float16"),
        **dict.fromkeys(("outcome", "root_value", "margin", "surprise"), ((count,), "float32")),
        **dict.fromkeys(("game", "ply", "action"), ((count,), "int32")),
    }
    assert {name: (each.shape, each.dtype.name) for name, each in rows.items()} == expected
    for column in rows.values():
        assert np.isfinite(column.astype(np.float64)).all()
    assert (np.abs(rows["root_value"]) <= 1.001).all()


def test_rows_are_the_games_they_say(played: tuple[GameConfig, dict[str, np.ndarray]]) -> None:
    """Features are those of the replayed game, moves are legal, policies cover legal moves only."""
    config, rows = played
    openings = 0
    for game in games_of(rows):
        plies = game["ply"]
        assert (np.diff(plies) == 1).all()
        state = state_of(game["features"][0], int(plies[0]), config)
        openings += plies[0] > 0
        if plies[0] == 0:
            assert state == State(config)
        for i, ply in enumerate(plies):
            assert state.move_count == ply
            assert (_core.quoridor_net_features(state) == game["features"][i]).all()
            policy = game["policy"][i].astype(np.float64)
            assert policy.sum() == pytest.approx(1, abs=5e-3)
            legal = {a for a in range(ACTIONS) if policy[a] > 0}
            assert {to_state_action(a, state) for a in legal} <= set(state.legal_actions())
            assert (policy >= 0).all()
            state = state.play(to_state_action(int(game["action"][i]), state))
    share = openings / len(np.unique(rows["game"]))
    assert 0.1 < share < 0.5


def test_outcomes_alternate_and_fit_the_end(
    played: tuple[GameConfig, dict[str, np.ndarray]],
) -> None:
    config, rows = played
    checked = 0
    for game in games_of(rows):
        outcome, margin = game["outcome"], game["margin"]
        if abs(outcome[0]) == 1:
            assert (outcome[1:] == -outcome[:-1]).all()
            assert (np.sign(margin) == outcome).all()
        else:
            assert outcome == pytest.approx(config.draw_penalty)
        assert (margin[1:] == -margin[:-1]).all()
        # The last move played leads to the end, or to a position whose result is certain.
        last = state_of(game["features"][-1], int(game["ply"][-1]), config)
        mover = last.current_player
        end = last.play(to_state_action(int(game["action"][-1]), last))
        if end.game_over:
            checked += 1
            assert outcome[-1] == pytest.approx(result_for(end, mover, config))
        elif any(end.play(a).winner for a in end.legal_actions()):
            checked += 1
            assert outcome[-1] == -1
        elif not any(end.walls_remaining.values()):
            checked += 1
            assert outcome[-1] == -np.sign(solve(end).value(end))
    assert checked > 10


def test_adjudicated_races_end_as_said() -> None:
    """Without walls every game is a race: it is solved at once, policy and outcome with it."""
    config = replace(SMALL, walls_per_player=0)
    pool = _core.QuoridorSelfPlay([State(config)], 8, simulations=8, seed=1)
    solution = solve(config)
    rows = play(pool, 100, Evaluator())
    for i in range(len(rows["game"])):
        state = state_of(rows["features"][i], int(rows["ply"][i]), config)
        value = solution.value(state)
        if rows["outcome"][i] == rows["root_value"][i] and abs(rows["outcome"][i]) == 1:
            assert np.sign(value) == rows["outcome"][i]
            best = {a for a in range(ACTIONS) if rows["policy"][i, a] > 0}
            values = solution.action_values(state)
            if value > 0:
                assert {values[to_state_action(a, state)] for a in best} == {value}


@pytest.mark.parametrize("quick_moves", [0.0, 0.5])
def test_values_look_ahead(quick_moves: float) -> None:
    """With lambda 0.5, half of a value is that of the next position, and of the last the outcome's.

    A quick move between two rows makes that a quarter. Of a draw, both sides get the same.
    """
    limit = SMALL.no_progress_limit if quick_moves else 12
    config = replace(SMALL, draw_penalty=-0.25, no_progress_limit=limit)
    options: dict[str, Any] = {"simulations": 4, "seed": 3, "quick_moves": quick_moves}
    alone, ahead = (
        play(
            _core.QuoridorSelfPlay(
                [State(config)], 8, **options, quick_simulations=2, value_lambda=x
            ),
            600,
            Evaluator(),
        )
        for x in (0.0, 0.5)
    )
    checked, drawn = 0, 0
    for rows, found in zip(games_of(alone), games_of(ahead), strict=True):
        is_draw = abs(rows["outcome"][-1]) < 1
        own, value, ply = rows["root_value"], found["root_value"], rows["ply"]
        if quick_moves == 0:
            is_solved = not rows["features"][-1, 478:480].any()  # no walls left: a race
            last = ply[-1] + (not is_solved)
            shared = config.draw_penalty if is_draw else 0.0
            turning = (rows["outcome"][-1] - shared) * (1 if is_solved else -1)
        elif not is_draw:  # the row where the game ended may be missing
            last, turning, shared = ply[-1], value[-1], 0.0
            own, value, ply = own[:-1], value[:-1], ply[:-1]
        else:
            continue
        for i in reversed(range(len(own))):
            weight = 0.5 ** (last - ply[i])
            sign = -1 if (last - ply[i]) % 2 else 1
            turning = (1 - weight) * own[i] + weight * sign * turning
            shared *= weight
            last = ply[i]
            assert value[i] == pytest.approx(turning + shared, abs=1e-5)
            checked += 1
        drawn += is_draw
    assert checked > 300
    assert drawn or quick_moves


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_openings_are_drawn_until_they_look_close(share: float) -> None:
    evaluator = Evaluator()
    pool = _core.QuoridorSelfPlay(
        [State(SMALL)], 32, simulations=2, seed=5, random_openings=1, close_openings=share
    )
    rows = play(pool, 1500, evaluator)
    first = np.stack([game["features"][game["ply"].argmin()] for game in games_of(rows)])
    _, values = evaluator(first)
    assert len(values) > 30
    assert (np.abs(values) > 0.5).any() == (share == 0)


def test_decided_games_go_on_quickly() -> None:
    """After a search with a value beyond 0.95 the next move is quick and leaves no row."""

    def follows_decided(share: float) -> int:
        pool = _core.QuoridorSelfPlay(
            [State(SMALL)], 16, simulations=8, seed=6, quick_decided=share, quick_simulations=2
        )
        count = 0
        for game in games_of(play(pool, 1500, Evaluator(sharpness=4))):
            raced = not game["features"][-1, 478:480].any()  # solved, so the last row is extra
            value, ply = (game[name][: -1 if raced else None] for name in ("root_value", "ply"))
            count += ((np.abs(value[:-1]) > 0.95) & (np.diff(ply) == 1)).sum()
        return count

    assert follows_decided(0.0) > 20
    assert follows_decided(1.0) == 0


def test_every_game_is_handed_out_once_and_whole() -> None:
    pool = _core.QuoridorSelfPlay([State(TINY)], 10, simulations=4, seed=2)
    evaluator = Evaluator()
    rows = play(pool, 300, evaluator)
    assert pool.stats()["waiting"] == 0
    assert len(pool.drain(100)["game"]) == 0
    batch = [np.zeros((pool.size(half), BYTES), np.uint8) for half in range(2)]
    # The leaves in flight are lost to this test, but any evaluation will do to go on.
    pieces: list[dict[str, np.ndarray]] = []
    while len(pieces) < 50:
        for half in range(2):
            logits, values = evaluator(batch[half])
            pool.step(half, logits, values, batch[half])
        pieces.append(pool.drain(7))
        assert len(pieces[-1]["game"]) <= 7
    pieces.append(pool.drain(10**9))
    columns = {name: np.concatenate([rows[name], *(p[name] for p in pieces)]) for name in rows}
    pairs = set(zip(columns["game"].tolist(), columns["ply"].tolist(), strict=True))
    assert len(pairs) == len(columns["game"])
    assert len(np.unique(columns["game"])) == pool.stats()["games"]


def columns_in_order(rows: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    order = np.lexsort((rows["ply"], rows["game"]))
    return {name: column[order] for name, column in rows.items()}


@pytest.mark.parametrize("threads", [1, 3])
def test_same_seed_same_games(threads: int) -> None:
    def run(seed: int, threads: int) -> dict[str, np.ndarray]:
        pool = _core.QuoridorSelfPlay([State(SMALL)], 12, threads=threads, simulations=8, seed=seed)
        features = [np.zeros((pool.size(half), BYTES), np.uint8) for half in range(2)]
        evaluator = Evaluator()
        for half in range(2):
            pool.step(half, None, None, features[half])
        for _ in range(300):
            for half in range(2):
                pool.step(half, *evaluator(features[half]), features[half])
        return pool.drain(10**9)

    once, again, other = run(5, 1), run(5, threads), run(6, 1)
    if threads > 1:
        once, again = columns_in_order(once), columns_in_order(again)
    assert len(once["game"]) > 50
    for name, column in once.items():
        assert np.array_equal(column, again[name]), name
    assert not np.array_equal(once["features"], other["features"])


def test_halves_of_all_sizes_and_float32() -> None:
    """Seven games in three parts; float32 logits that are half floats give the same games."""
    results = []
    for kind in (np.float16, np.float32):
        pool = _core.QuoridorSelfPlay([State(TINY)], 7, halves=3, simulations=6, seed=4)
        assert [pool.size(half) for half in range(3)] == [2, 2, 3]
        evaluator = Evaluator()
        features = [np.zeros((pool.size(half), BYTES), np.uint8) for half in range(3)]
        for half in range(3):
            pool.step(half, None, None, features[half])
        for _ in range(200):
            for half in range(3):
                logits, values = evaluator(features[half])
                pool.step(half, logits.astype(kind), values, features[half])
        results.append(pool.drain(10**9))
    assert np.array_equal(results[0]["policy"], results[1]["policy"])
    assert np.array_equal(results[0]["features"], results[1]["features"])


def test_draws_can_be_scored_by_path() -> None:
    config = replace(SMALL, max_moves=20)
    plain = _core.QuoridorSelfPlay([State(config)], 20, simulations=16, seed=1)
    outcomes = play(plain, 400, Evaluator())["outcome"]
    assert {-1.0, 1.0} <= set(outcomes.tolist())
    assert np.isclose(outcomes, config.draw_penalty).any()
    by_path = _core.QuoridorSelfPlay([State(config)], 20, simulations=16, draw_by_path=True, seed=1)
    rows = play(by_path, 400, Evaluator())
    drawn = [game for game in games_of(rows) if abs(game["outcome"][0]) != 1]
    checked = 0
    for game in drawn:
        assert (game["outcome"][1:] == -game["outcome"][:-1]).all()
        last = state_of(game["features"][-1], int(game["ply"][-1]), config)
        end = last.play(to_state_action(int(game["action"][-1]), last))
        if not end.game_over or not any(last.walls_remaining.values()):
            continue  # a race that nobody wins in time, over as soon as it was solved
        checked += 1
        me, other = end.current_player, end.get_opponent(end.current_player)
        paths = [len(end.shortest_path(player)) - 1 for player in (me, other)]
        walls = end.walls_remaining[me] - end.walls_remaining[other]
        guess = math.tanh((paths[1] - paths[0] + 0.5 + 0.5 * walls) / 4)
        assert game["outcome"][-1] == pytest.approx(-guess, abs=1e-5)
        assert game["margin"][-1] == paths[0] - paths[1]
    assert checked > 0


def test_heuristic_replaces_the_value() -> None:
    """With the heuristic at full weight the network's values do not matter."""
    results = []
    for value in (-0.9, 0.9):
        pool = _core.QuoridorSelfPlay([State(TINY)], 6, simulations=8, heuristic_weight=1, seed=2)
        evaluator = Evaluator()
        features = [np.zeros((3, BYTES), np.uint8) for _ in range(2)]
        for half in range(2):
            pool.step(half, None, None, features[half])
        for _ in range(100):
            for half in range(2):
                logits, values = evaluator(features[half])
                pool.step(half, logits, np.full_like(values, value), features[half])
        results.append(pool.drain(10**9))
    assert np.array_equal(results[0]["root_value"], results[1]["root_value"])


def test_evaluations_that_are_not_numbers_do_no_harm() -> None:
    pool = _core.QuoridorSelfPlay([State(SMALL)], 4, simulations=8, seed=2)
    features = [np.zeros((2, BYTES), np.uint8) for _ in range(2)]
    for half in range(2):
        pool.step(half, None, None, features[half])
    logits = np.full((2, ACTIONS), np.nan, np.float16)
    logits[:, ::2] = np.inf
    logits[:, ::3] = -np.inf
    for _ in range(400):
        for half in range(2):
            pool.step(half, logits, np.full(2, np.nan, np.float32), features[half])
    rows = pool.drain(10**9)
    assert len(rows["game"]) > 0
    assert np.isfinite(rows["policy"].astype(np.float32)).all()
    assert np.isfinite(rows["root_value"]).all()


def test_settings_can_change_on_the_way() -> None:
    pool = _core.QuoridorSelfPlay([State(TINY)], 4, simulations=4, seed=2)
    play(pool, 50, Evaluator())
    pool.set("simulations", 32)
    pool.set("heuristic_weight", 0.5)
    pool.set("draw_by_path", True)
    with pytest.raises(ConfigError, match="unknown self-play setting 'sims'"):
        pool.set("sims", 3)
    with pytest.raises(ConfigError, match="expected simulations from 1"):
        pool.set("simulations", 0)
    with pytest.raises(ConfigError, match="whole number"):
        pool.set("simulations", 1.5)
    with pytest.raises(ConfigError, match="heuristic_weight"):
        pool.set("heuristic_weight", math.nan)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games"),
        ({"games": 1, "halves": 2}, "games"),
        ({"halves": 0}, "halves"),
        ({"threads": 0}, "threads"),
        ({"simulations": 0}, "simulations"),
        ({"max_considered": 0}, "max_considered"),
        ({"c_scale": -1}, "c_scale"),
        ({"random_openings": 1.5}, "random_openings"),
    ],
)
def test_settings_that_cannot_work(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        _core.QuoridorSelfPlay([State(TINY)], **{"games": 4, **arguments})


def test_wrong_arrays_are_refused() -> None:
    pool = _core.QuoridorSelfPlay([State(TINY)], 4, simulations=4)
    features = np.zeros((2, BYTES), np.uint8)
    logits, values = np.zeros((2, ACTIONS), np.float16), np.zeros(2, np.float32)
    with pytest.raises(ConfigError, match="no evaluations yet"):
        pool.step(0, logits, values, features)
    with pytest.raises(ConfigError, match="features of shape"):
        pool.step(0, None, None, features[:1])
    with pytest.raises(ConfigError, match="half"):
        pool.step(2, None, None, features)
    pool.step(0, None, None, features)
    with pytest.raises(ConfigError, match="evaluations of the last step"):
        pool.step(0, None, None, features)
    with pytest.raises(ConfigError, match=r"\(2, 209\), got \(2, 100\)"):
        pool.step(0, np.zeros((2, 100), np.float16), values, features)
    with pytest.raises(ConfigError, match="2 values, got 1"):
        pool.step(0, logits, values[:1], features)
    with pytest.raises(ConfigError, match="float16 or float32"):
        pool.step(0, logits.astype(np.float64), values, features)
    with pytest.raises(ConfigError, match="both logits and values"):
        pool.step(0, logits, None, features)
    with pytest.raises(TypeError):
        pool.step(0, logits, values, np.zeros((BYTES, 2), np.uint8).T)
    frozen = features.copy()
    frozen.flags.writeable = False
    with pytest.raises(TypeError):
        pool.step(0, logits, values, frozen)
    assert pool.step(0, logits, values, features) == 2


def test_pools_can_be_dropped_at_any_time() -> None:
    for threads in (1, 4):
        for steps in range(3):
            pool = _core.QuoridorSelfPlay([State(TINY)], 8, threads=threads, simulations=4)
            features = np.zeros((4, BYTES), np.uint8)
            if steps > 0:
                pool.step(0, None, None, features)
            if steps > 1:
                pool.step(0, *Evaluator()(features), features)
            del pool
            gc.collect()


def test_two_python_threads_may_share_a_pool() -> None:
    """One thread a half, and a third that drains: steps take turns inside."""
    pool = _core.QuoridorSelfPlay([State(TINY)], 16, threads=2, simulations=4, seed=1)
    seen: list[int] = []

    def work(half: int) -> None:
        features = np.zeros((8, BYTES), np.uint8)
        pool.step(half, None, None, features)
        for _ in range(200):
            pool.step(half, *Evaluator()(features), features)

    workers = [threading.Thread(target=work, args=(half,)) for half in range(2)]
    for worker in workers:
        worker.start()
    while any(worker.is_alive() for worker in workers):
        seen.append(len(pool.drain(1000)["game"]))
        pool.stats()
    for worker in workers:
        worker.join()
    seen.append(len(pool.drain(10**9)["game"]))
    assert sum(seen) > 100
    assert pool.stats()["evaluations"] == 2 * 8 * 201


def test_the_interpreter_ends_with_a_pool_alive() -> None:
    """Idle threads do not keep the process from ending, nor does it complain."""
    code = (
        "import numpy as np\n"
        "from plyground import _core\n"
        "pool = _core.QuoridorSelfPlay([_core.QuoridorState()], 64, threads=4, simulations=4)\n"
        "features = np.zeros((32, _core.QUORIDOR_FEATURE_BYTES), np.uint8)\n"
        "print(pool.step(0, None, None, features))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == ("32\n", "")


def mixed_pool(**settings: Any) -> _core.QuoridorSelfPlay:
    starts = [State(GameConfig.for_size(size)) for size in (3, 4, 6)]
    return _core.QuoridorSelfPlay(starts, 24, simulations=8, seed=5, **settings)


def test_games_are_shared_out_among_the_starts() -> None:
    pool = mixed_pool()
    features = np.zeros((pool.size(0), BYTES), np.uint8)
    for half in range(2):
        pool.step(half, None, None, features)
        assert features[:, 484].tolist() == [3] * 4 + [4] * 4 + [6] * 4
    rows = play(mixed_pool(), 2000, Evaluator())
    assert {int(size) for size in np.unique(rows["features"][:, 484])} == {3, 4, 6}
    for game in games_of(rows):
        size = int(game["features"][0, 484])
        config = GameConfig.for_size(size)
        first = int(game["ply"][0])
        state = state_of(game["features"][0], first, config)
        assert state.board_size == size
        for action in game["action"][:-1]:
            state = state.play(to_state_action(int(action), state))
        last = state_of(game["features"][-1], int(game["ply"][-1]), config)
        assert str(state) == str(last)


def test_other_boards_change_no_game() -> None:
    """A game depends on the seed, its number and the evaluations, not on its neighbours."""
    alone = _core.QuoridorSelfPlay([State(GameConfig.for_size(6))], 24, simulations=8, seed=5)
    columns = [play(pool, 2000, Evaluator()) for pool in (mixed_pool(), alone)]
    games = [{int(game["game"][0]): game for game in games_of(rows)} for rows in columns]
    same = [number for number in games[0] if number in games[1] and number % 12 >= 8]
    assert same
    for number in same:
        assert games[0][number]["features"][0, 484] == 6
        assert np.array_equal(games[0][number]["action"], games[1][number]["action"])


def test_walls_are_drawn_from_none_to_all_that_fit() -> None:
    rows = play(mixed_pool(random_starts=1.0), 4000, Evaluator())
    for size, most in ((3, 4), (4, 9), (6, 20)):
        here = rows["features"][:, 484] == size
        walls = rows["features"][here, 485]
        assert walls.max() <= most
        assert len(np.unique(walls)) > most // 2
        assert (rows["features"][here, 478:480] <= walls[:, None]).all()


def test_quick_moves_are_played_and_not_kept() -> None:
    def rows_a_ply(**settings: Any) -> float:
        pool = _core.QuoridorSelfPlay(
            [State(SMALL)], 16, simulations=8, random_openings=0, seed=5, **settings
        )
        rows = play(pool, 2000, Evaluator())
        return len(rows["game"]) / pool.stats()["plies"]

    full = rows_a_ply()
    assert full > 0.95
    assert rows_a_ply(quick_moves=0.5, quick_simulations=2) == pytest.approx(full / 2, rel=0.15)


def test_surprise_is_the_divergence_from_the_network() -> None:
    evaluator = Evaluator()
    pool = _core.QuoridorSelfPlay([State(SMALL)], 16, simulations=16, seed=2)
    rows = play(pool, 1000, evaluator)
    logits = evaluator(rows["features"])[0].astype(np.float64)
    policy = rows["policy"].astype(np.float64)
    for i in range(200):
        legal = Expander(QUORIDOR).legal(torch.from_numpy(rows["features"][i : i + 1]))[0].numpy()
        prior = np.exp(logits[i, legal] - logits[i, legal].max())
        prior /= prior.sum()
        share = policy[i, legal]
        known = share > 0
        expected = (share[known] * np.log(share[known] / prior[known])).sum()
        assert rows["surprise"][i] == pytest.approx(expected, abs=0.02)
