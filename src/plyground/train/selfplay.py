"""The playing half of training: the core's pool of games, and the network that evaluates for it.

The pool plays in two halves. While the GPU evaluates the leaves of one, all cores grow the trees of
the other; on a CPU the two take turns. The evaluators own the arrays that both sides share.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from plyground.nets.architecture import make_player
from plyground.nets.features import Expander
from plyground.search.native import NativeSelfPlay
from plyground.train.config import TrainConfig

HALVES = 2
Logits = NDArray[np.float16] | NDArray[np.float32]


class Evaluator(Protocol):
    """Evaluates the positions in `features[half]`, a fixed number for each half."""

    features: list[NDArray[np.uint8]]

    def submit(self, half: int) -> None:
        """Start evaluating what is in `features[half]`."""

    def wait(self, half: int) -> tuple[Logits, NDArray[np.float32]]:
        """Logits [rows, actions] and values [rows] of what was submitted."""

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Take over new weights, after the evaluations under way."""


class Board(NamedTuple):
    """The games of a half that are played on one board size."""

    rows: slice
    expander: Expander


def boards_of(config: TrainConfig, device: torch.device) -> list[Board]:
    """The games of a half by board size, in the order in which `make_pool` starts them."""
    boards, first = [], 0
    for size, count in config.games_by_size(config.games // HALVES).items():
        rows = slice(first, first + count)
        boards.append(Board(rows, Expander(config.encoding, size).to(device)))
        first += count
    return boards


class CpuEvaluator:
    """Evaluates immediately, in float32."""

    def __init__(
        self, config: TrainConfig, state: Mapping[str, Tensor], network: nn.Module | None = None
    ) -> None:
        device = torch.device("cpu")
        encoding, rows = config.encoding, config.games // HALVES
        self.net = make_player(encoding, config.size, state, device, torch.float32, network)
        self.boards = boards_of(config, device)
        shape = (rows, encoding.feature_bytes)
        self.packed = [torch.zeros(shape, dtype=torch.uint8) for _ in range(HALVES)]
        self.features = [packed.numpy() for packed in self.packed]
        self.results = [self._evaluate(half) for half in range(HALVES)]

    def _evaluate(self, half: int) -> tuple[Tensor, Tensor]:
        packed = self.packed[half]
        with torch.inference_mode():
            parts = [self.net(*board.expander.inputs(packed[board.rows])) for board in self.boards]
            logits, values = zip(*parts, strict=True)
            return torch.cat(logits), torch.cat(values)

    def submit(self, half: int) -> None:
        """Evaluate."""
        self.results[half] = self._evaluate(half)

    def wait(self, half: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the results."""
        logits, values = self.results[half]
        return logits.numpy(), values.numpy()

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Take over new weights."""
        self.net.load(state)


class CudaEvaluator:
    """Evaluates in float16, each half on a stream of its own.

    A half's way there and back (copy in, expansion, network, copy out) is one CUDA graph over
    memory that stays: page-locked on the host, so that the copies overlap with everything else.
    """

    def __init__(
        self, config: TrainConfig, state: Mapping[str, Tensor], network: nn.Module | None = None
    ) -> None:
        device = torch.device("cuda")
        encoding, rows = config.encoding, config.games // HALVES
        self.net = make_player(encoding, config.size, state, device, torch.float16, network)
        self.boards = boards_of(config, device)
        # Before training in the GPU's queue: self-play is what keeps the cores busy.
        self.streams = [torch.cuda.Stream(priority=-1) for _ in range(HALVES)]
        # Board sizes are evaluated side by side: most of their batches are too small for the GPU.
        # The halves share no stream: graphs recorded on one stream share the workspace of its
        # matrix products, and run at the same time they would write to it together.
        self.board_streams = [
            [torch.cuda.Stream(priority=-1) for _ in self.boards] for _ in range(HALVES)
        ]
        self.done = [torch.cuda.Event() for _ in range(HALVES)]
        self.packed = [_pinned(rows, encoding.feature_bytes, torch.uint8) for _ in range(HALVES)]
        self.logits = [_pinned(rows, encoding.actions, torch.float16) for _ in range(HALVES)]
        self.values = [_pinned(rows, 1, torch.float32)[:, 0] for _ in range(HALVES)]
        self.features = [packed.numpy() for packed in self.packed]
        self.graphs = [self._record(half) for half in range(HALVES)]

    def _record(self, half: int) -> torch.cuda.CUDAGraph:
        stream = self.streams[half]
        stream.wait_stream(torch.cuda.current_stream())
        with torch.inference_mode():
            with torch.cuda.stream(stream):
                for _ in range(3):
                    self._evaluate(half)
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=stream):
                self._evaluate(half)
        return graph

    def _evaluate(self, half: int) -> None:
        packed = self.packed[half].to("cuda", non_blocking=True)
        current, streams = torch.cuda.current_stream(), self.board_streams[half]
        for stream in streams:
            stream.wait_stream(current)
        for board, stream in zip(self.boards, streams, strict=True):
            with torch.cuda.stream(stream):
                inputs = board.expander.inputs(packed[board.rows], torch.float16)
                logits, values = self.net(*inputs)
                self.logits[half][board.rows].copy_(logits, non_blocking=True)
                self.values[half][board.rows].copy_(values, non_blocking=True)
        for stream in streams:
            current.wait_stream(stream)

    def submit(self, half: int) -> None:
        """Queue the evaluation."""
        with torch.cuda.stream(self.streams[half]):
            self.graphs[half].replay()
            self.done[half].record()

    def wait(self, half: int) -> tuple[NDArray[np.float16], NDArray[np.float32]]:
        """Wait for the results to have arrived."""
        self.done[half].synchronize()
        return self.logits[half].numpy(), self.values[half].numpy()

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Take over new weights from the current stream, between two evaluations."""
        current = torch.cuda.current_stream()
        for stream in self.streams:
            current.wait_stream(stream)
        self.net.load(state)
        for stream in self.streams:
            stream.wait_stream(current)


def _pinned(rows: int, columns: int, dtype: torch.dtype) -> Tensor:
    return torch.zeros(rows, columns, dtype=dtype, pin_memory=True)


def make_evaluator(
    config: TrainConfig,
    state: Mapping[str, Tensor],
    on_gpu: bool,
    network: nn.Module | None = None,
) -> Evaluator:
    """The evaluator for a run's games; `network` plays instead of the one of the settings."""
    kind = CudaEvaluator if on_gpu else CpuEvaluator
    return kind(config, state, network)


def make_pool(config: TrainConfig, positions_before: int = 0) -> NativeSelfPlay:
    """The games of a run, played by the core; a resumed run plays other games than before."""
    settings: dict[str, float] = {
        "games": config.games,
        "halves": HALVES,
        "threads": config.threads or os.cpu_count() or 1,
        "max_considered": config.max_considered,
        "c_visit": config.c_visit,
        "c_scale": config.c_scale,
        "random_openings": config.random_openings,
        "quick_moves": config.quick_moves,
        "quick_simulations": config.quick_simulations,
        "quick_decided": config.quick_decided,
        "random_starts": config.random_walls,
        "close_openings": config.close_openings,
        "value_lambda": config.value_lambda,
        "seed": config.seed + positions_before,
        **config.encoding.search_options,
    }
    counts = config.games_by_size(config.games // HALVES)
    starts = [start for size in counts for start in [config.start_on(size)] * counts[size]]
    return starts[0].game.make_selfplay(*starts, **settings)


def play_positions(
    config: TrainConfig, state: Mapping[str, Tensor], count: int
) -> NDArray[np.uint8]:
    """Packed features of that many positions from quick games of a network against itself."""
    quick = replace(config, games=64, threads=1, quick_moves=0.0)
    torch.set_num_threads(1)
    weights = {name: weight.float() for name, weight in state.items()}
    evaluator = CpuEvaluator(quick, weights)
    pool = make_pool(quick)
    pool.set("simulations", 2)
    pool.set("random_openings", 1)
    for half in range(HALVES):
        pool.step(half, None, None, evaluator.features[half])
    while pool.stats()["waiting"] < 2 * count:
        for half in range(HALVES):
            evaluator.submit(half)
            pool.step(half, *evaluator.wait(half), evaluator.features[half])
    features = pool.drain(2 * count)["features"].astype(np.uint8, copy=False)
    return features[::2]
