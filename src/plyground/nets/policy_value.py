"""Networks for any program: a state in, a policy and a value out.

`load` returns a network that reads states and answers in their own numbering of actions. The board
is turned for the player to move and illegal moves are masked inside. Tree search and self-play
evaluate packed features instead (`evaluator.py`, `train/selfplay.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.nets.encoding import Encoding, expand, expand_scalars
from plyground.nets.evaluator import load_evaluator, network_for

if TYPE_CHECKING:
    from torch import nn

BUILTIN = "builtin"
"""Names the networks that come with the package."""
MOST_ROWS = 1024
"""Positions that are evaluated together, at most."""


class Evaluation(NamedTuple):
    """What a network says about a position."""

    policy: dict[int, float]
    """The probability of each legal action, numbered as the state numbers it; they add up to 1."""
    value: float
    """The expected result for the player to move, from -1 for a loss to 1 for a win."""


class NetFeatures(NamedTuple):
    """A position as a network reads it, seen by the player to move."""

    planes: NDArray[np.float32]
    """[planes, rows, columns]."""
    scalars: NDArray[np.float32]
    """Numbers beside the planes; empty for most networks."""


class PackedEvaluator(Protocol):
    """Evaluates packed features of positions on boards of one size."""

    @property
    def encoding(self) -> Encoding:
        """What the network reads."""

    def check_board(self, state: State) -> None:
        """Raise a ConfigError unless the network can evaluate positions on this board."""

    def __call__(
        self, features: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits [batch, actions] and values [batch], for the player to move."""


class PolicyValueNet:
    """A network that evaluates states; `load` returns one.

    >>> from plyground.quoridor import State
    >>> net = load("builtin")
    >>> policy, value = net(State())
    >>> sorted(policy) == State().legal_actions()
    True
    """

    def __init__(self, evaluator_for: Callable[[State], PackedEvaluator]) -> None:
        self._evaluator_for = evaluator_for

    def __call__(self, state: State) -> Evaluation:
        """The policy over the legal actions, and the value for the player to move."""
        return self.batch([state])[0]

    def batch(self, states: Iterable[State]) -> list[Evaluation]:
        """The evaluations of many states, in their order; boards may differ in size.

        It is faster than a call for each state.
        """
        states = list(states)
        groups: dict[tuple[PackedEvaluator, int], list[int]] = defaultdict(list)
        for index, state in enumerate(states):
            groups[self._find(state), state.game.board_size(state)].append(index)
        found: dict[int, Evaluation] = {}
        for (evaluator, _), indices in groups.items():
            for first in range(0, len(indices), MOST_ROWS):
                part = indices[first : first + MOST_ROWS]
                evaluations = _evaluate(evaluator, [states[index] for index in part])
                found |= dict(zip(part, evaluations, strict=True))
        return [found[index] for index in range(len(states))]

    def features(self, state: State) -> NetFeatures:
        """The planes and scalars that the network reads for a state."""
        encoding = self._find(state).encoding
        packed = _pack(state, encoding)[None]
        planes = expand(encoding, packed, state.game.board_size(state))[0]
        return NetFeatures(planes, expand_scalars(encoding, packed)[0])

    def _find(self, state: State) -> PackedEvaluator:
        """The evaluator for a state, which can evaluate it."""
        if state.outcome is not None:
            raise ConfigError(f"a network has no policy for {state.text()!r}: the game is over")
        evaluator = self._evaluator_for(state)
        if state.game.name != evaluator.encoding.game:
            raise ConfigError(
                f"expected a state of {evaluator.encoding.game} for this network, got one of "
                f"{state.game.name}"
            )
        evaluator.check_board(state)
        return evaluator


def load(source: str | Path = BUILTIN, *, network: nn.Module | None = None) -> PolicyValueNet:
    """A network to evaluate states with: one of the package, of a file or of a checkpoint.

    "builtin" stands for the networks that come with the package; each state is evaluated by the one
    for its game and board. FILE.npz and FILE.onnx are what `plyground export` writes. FILE.pt is a
    checkpoint or snapshot of a training run, which needs torch; `network` is the module to load its
    weights into if the run trained a module of your own.

    >>> from plyground.quoridor import State
    >>> policy, value = load("builtin")(State())
    >>> State().format_move(max(policy, key=policy.get))
    'e2'
    """
    if source == BUILTIN and network is None:
        evaluator = cache(load_evaluator)
        return PolicyValueNet(
            lambda state: evaluator(network_for(state), game=state.game)  # loaded on first use
        )
    kind = Path(source).suffix
    if kind in (".npz", ".onnx") and network is None:
        loaded: PackedEvaluator = load_evaluator(source)
    elif kind == ".pt":
        loaded = _load_checkpoint(Path(source), network)
    else:
        expected = (
            "a checkpoint, FILE.pt," if network else f"{BUILTIN!r}, FILE.npz, FILE.onnx or FILE.pt"
        )
        raise ConfigError(f"expected {expected} as the source of a network, got {str(source)!r}")
    return PolicyValueNet(lambda _: loaded)


def load_torch(path: str | Path, network: nn.Module | None = None) -> nn.Module:
    """The network of a checkpoint or snapshot as a torch module in evaluation mode.

    Its input is what `PolicyValueNet.features` gives, with a batch dimension in front. Its logits
    are in the order of `Encoding.policy`, as the player to move sees the board. `network` is the
    module to load the weights into if the run trained a module of your own.
    """
    _check_torch()
    from plyground.nets.torch_evaluator import load_module

    return load_module(Path(path), network)[0]


def _load_checkpoint(path: Path, network: nn.Module | None) -> PackedEvaluator:
    _check_torch()
    from plyground.nets.torch_evaluator import TorchEvaluator

    return TorchEvaluator.load(path, network)


def _check_torch() -> None:
    if find_spec("torch") is None:
        raise ConfigError("checkpoints of networks need torch: pip install 'plyground[train]'")


def _pack(state: State, encoding: Encoding) -> NDArray[np.uint8]:
    return np.asarray(state.game.net_features(state, encoding.history_length))


def _evaluate(evaluator: PackedEvaluator, states: list[State]) -> list[Evaluation]:
    """The evaluations of states with boards of one size."""
    encoding = evaluator.encoding
    logits, values = evaluator(np.stack([_pack(state, encoding) for state in states]))
    places = encoding.board_actions(states[0].game.board_size(states[0]))
    return [
        Evaluation(_policy(state, row, places), float(value))
        for state, row, value in zip(states, logits, values, strict=True)
    ]


def _policy(
    state: State, logits: NDArray[np.float32], places: NDArray[np.int64]
) -> dict[int, float]:
    """The softmax over the legal actions of logits that are in the order of the encoding."""
    actions = state.legal_actions()
    seen = [state.game.mover_action(state, action) for action in actions]
    chosen = logits[places[seen]].astype(np.float64)
    weights = np.exp(chosen - chosen.max())
    return dict(zip(actions, (weights / weights.sum()).tolist(), strict=True))
