"""The Gumbel tree search against mctx, its authors' own, on games of Quoridor.

jax warns of every fork after it was imported, so these run in processes of their own, and mctx is
only imported inside.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from plyground import _core
from plyground.quoridor import (
    GameConfig,
    State,
    action_space_size,
    decode_action,
    encode_action,
    flip_action,
)

pytestmark = pytest.mark.crosscheck

# mctx turns the sign of all values from ply to ply, so draws must be worth nothing here.
TINY = replace(GameConfig.preset("tiny"), draw_penalty=0.0, no_progress_limit=8)
SMALL = replace(GameConfig.preset("small"), draw_penalty=0.0)


class Game:
    """States by number, as jax can only handle numbers; evaluated at random, but always alike."""

    def __init__(self, start: State, seed: int) -> None:
        self.states = [start]
        self.actions = action_space_size(start.board_size)
        self.seed = seed

    def evaluate(self, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Logits in the mover's view, exact in float16 so that none is rounded, and a value."""
        rng = np.random.default_rng([self.seed, zlib.crc32(features.tobytes())])
        logits = rng.normal(scale=1.5, size=(1, 209)).astype(np.float16)
        return logits.astype(np.float32), rng.uniform(-1, 1, size=1).astype(np.float32)

    def evaluate_state(self, state: State) -> tuple[np.ndarray, np.ndarray]:
        """The same with logits by the state's own actions, illegal ones as good as impossible."""
        seen, value = self.evaluate(_core.quoridor_net_features(state))
        logits = np.full((1, self.actions), -1e9, np.float32)
        size = state.board_size
        for action in state.legal_actions():
            flipped = action if state.current_player == 1 else flip_action(action, size)
            logits[0, action] = seen[0, encode_action(*decode_action(flipped, size), 9)]
        return logits, value

    def step(self, index: np.ndarray, action: np.ndarray) -> tuple[np.ndarray, ...]:
        """What mctx asks for: next state, reward, discount, logits and value."""
        state = self.states[int(index[0])]
        silent = np.zeros((1, self.actions), np.float32)
        if state.game_over or not state.is_legal(int(action[0])):
            return _step(index[0], 0, 0, silent, 0)
        after = state.play(int(action[0]))
        self.states.append(after)
        number = len(self.states) - 1
        if after.game_over:
            return _step(number, 0 if after.winner is None else 1, 0, silent, 0)
        logits, value = self.evaluate_state(after)
        return _step(number, 0, -1, logits, value[0])


def _step(
    number: int, reward: float, discount: float, logits: np.ndarray, value: float
) -> tuple[np.ndarray, ...]:
    return (
        np.array([number], np.int32),
        np.array([reward], np.float32),
        np.array([discount], np.float32),
        logits.astype(np.float32),
        np.array([value], np.float32),
    )


def run_mctx(
    game: Game, seed: int, simulations: int, considered: int, c_visit: float, c_scale: float
) -> tuple[Any, np.ndarray]:
    """Its result, and the noise it drew."""
    jax: Any = import_module("jax")
    mctx: Any = import_module("mctx")
    actions = game.actions
    shapes = (
        jax.ShapeDtypeStruct((1,), np.int32),
        jax.ShapeDtypeStruct((1,), np.float32),
        jax.ShapeDtypeStruct((1,), np.float32),
        jax.ShapeDtypeStruct((1, actions), np.float32),
        jax.ShapeDtypeStruct((1,), np.float32),
    )

    def recurrent(_: Any, __: Any, action: Any, embedding: Any) -> Any:
        number, reward, discount, logits, value = jax.pure_callback(
            lambda i, a: game.step(np.asarray(i), np.asarray(a)), shapes, embedding, action
        )
        output = mctx.RecurrentFnOutput(
            reward=reward, discount=discount, prior_logits=logits, value=value
        )
        return output, number

    start = game.states[0]
    logits, value = game.evaluate_state(start)
    invalid = np.ones((1, actions), bool)
    invalid[0, start.legal_actions()] = False
    key = jax.random.PRNGKey(seed)
    noise = jax.random.gumbel(jax.random.split(key)[1], shape=(1, actions), dtype=np.float32)
    result = mctx.gumbel_muzero_policy(
        params=(),
        rng_key=key,
        root=mctx.RootFnOutput(prior_logits=logits, value=value, embedding=np.zeros(1, np.int32)),
        recurrent_fn=recurrent,
        num_simulations=simulations,
        invalid_actions=invalid,
        max_num_considered_actions=considered,
        qtransform=partial(
            mctx.qtransform_completed_by_mix_value,
            value_scale=c_scale,
            maxvisit_init=c_visit,
            rescale_values=False,
        ),
    )
    return result, np.asarray(noise[0])


def run_tree(
    game: Game, noise: np.ndarray, simulations: int, considered: int, c_visit: float, c_scale: float
) -> _core.QuoridorTree:
    tree = _core.QuoridorTree(
        game.states[0], c_visit, c_scale, max_considered=considered, prove=False, races=False
    )
    tree.begin(simulations, noise)
    while len(features := tree.select(1)) > 0:
        tree.expand(*game.evaluate(features[0]))
    return tree


@pytest.mark.parametrize("seed", range(10))
def test_agrees_with_mctx(seed: int) -> None:
    rng = np.random.default_rng(seed)
    state = State([TINY, SMALL][seed % 2])
    for _ in range(int(rng.integers(0, 5))):
        after = state.play(int(rng.choice(state.legal_actions())))
        state = state if after.game_over else after
    simulations, considered = int(rng.integers(4, 40)), int(rng.integers(1, 17))
    c_visit, c_scale = float(rng.uniform(5, 60)), float(rng.uniform(0.05, 0.3))
    game = Game(state, seed)
    result, noise = run_mctx(game, seed, simulations, considered, c_visit, c_scale)
    tree = run_tree(Game(state, seed), noise, simulations, considered, c_visit, c_scale)

    summary = result.search_tree.summary()
    visits = np.zeros(game.actions, int)
    values = np.zeros(game.actions)
    for move in tree.moves():
        visits[move["action"]] = move["visits"]
        values[move["action"]] = move["value"]
    where = f"{seed=} {simulations=} {considered=} {state!r}"
    assert visits.tolist() == np.asarray(summary.visit_counts[0]).astype(int).tolist(), where
    seen = visits > 0
    assert values[seen] == pytest.approx(np.asarray(summary.qvalues[0])[seen], abs=1e-4), where
    assert tree.policy() == pytest.approx(np.asarray(result.action_weights[0]), abs=2e-4), where
    assert tree.best_action() == int(result.action[0]), where
