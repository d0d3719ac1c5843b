"""Networks evaluated by the core: the same numbers as torch, and files that do not fit."""

from __future__ import annotations

import io
import json
import lzma
import math
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from plyground.errors import ConfigError
from plyground.games import registry
from plyground.nets import NativeEvaluator, load_evaluator
from plyground.nets.encoding import Encoding
from plyground.nets.evaluator import network_for, read_network
from plyground.nets.export import export_network
from plyground.nets.features import Expander
from plyground.nets.network import PathNet
from plyground.nets.quoridor_encoding import QUORIDOR
from plyground.nets.reversi_encoding import REVERSI
from plyground.nets.weights_file import read_weights, shorten, write_weights
from plyground.quoridor import GameConfig, State
from plyground.search import SearchLimits, SearchResult
from plyground.search.gumbel import GumbelSearch

Shake = Callable[[PathNet], PathNet]
SETTINGS = {"game": "quoridor", "network": "path_net"}


@pytest.fixture(autouse=True)
def _repeatable(seed: int) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(seed)


def random_features(size: int, rng: random.Random, count: int) -> NDArray[np.uint8]:
    """Positions of random games."""
    rows: list[NDArray[np.uint8]] = []
    while len(rows) < count:
        state = State(GameConfig.for_size(size))
        for _ in range(rng.randrange(30)):
            if state.game_over:
                break
            state = state.play(rng.choice(state.legal_actions()))
        if not state.game_over:
            rows.append(state.game.net_features(state, 0))
    return np.stack(rows)


def check_agrees(
    net: PathNet, evaluator: NativeEvaluator, features: NDArray[np.uint8], most: float = 0.03
) -> None:
    at = evaluator.encoding.size_byte
    size = evaluator.encoding.canvas if at is None else int(features[0, at])
    with torch.no_grad():
        planes = Expander(evaluator.encoding, size).planes(torch.from_numpy(features))
        logits, values, _ = net.eval()(planes)
    found_logits, found_values = evaluator(features)
    assert np.abs(found_values - values.numpy()).max() < most
    largest = max(1, logits.abs().max().item())
    assert np.abs(found_logits - logits.numpy()).max() < 2 * most * largest


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7, 8, 9])
@pytest.mark.parametrize("piece_pooling", [False, True])
def test_the_core_says_what_torch_says(
    size: int, piece_pooling: bool, shaken: Shake, tmp_path: Path, rng: random.Random
) -> None:
    net = shaken(PathNet(QUORIDOR, 3, 24, 2, piece_pooling))
    export_network(net, tmp_path / "net.npz", QUORIDOR, size)
    evaluator = NativeEvaluator(tmp_path / "net.npz", threads=1 + size % 3)
    check_agrees(net, evaluator, random_features(size, rng, 11))


@pytest.mark.parametrize("size", [3, 5, 9])
@pytest.mark.parametrize("channels", [32, 96])
def test_eight_bits_say_nearly_the_same(
    size: int, channels: int, shaken: Shake, tmp_path: Path, rng: random.Random
) -> None:
    """On processors without AVX-512, `fast` computes in 16 bits, too."""
    net = shaken(PathNet(QUORIDOR, 3, channels, 2, True))
    export_network(net, tmp_path / "net.npz", QUORIDOR, size)
    evaluator = NativeEvaluator(tmp_path / "net.npz", fast=True)
    check_agrees(net, evaluator, random_features(size, rng, 11), 0.15)


def test_eight_bits_change_the_network_of_the_package_little(rng: random.Random) -> None:
    features = random_features(9, rng, 200)
    exact_logits, exact_values = load_evaluator()(features)
    logits, values = load_evaluator(fast=True)(features)
    assert np.abs(values - exact_values).mean() < 0.03
    legal = Expander(QUORIDOR, 9).legal(torch.from_numpy(features)).numpy()
    chosen = [np.where(legal, found, -np.inf).argmax(1) for found in (logits, exact_logits)]
    assert (chosen[0] == chosen[1]).mean() > 0.9


def test_the_core_evaluates_networks_of_reversi(
    shaken: Shake, tmp_path: Path, rng: random.Random
) -> None:
    net = shaken(PathNet(REVERSI, 2, 16, 1))
    export_network(net, tmp_path / "net.npz", REVERSI, 8)
    evaluator = NativeEvaluator(tmp_path / "net.npz")
    assert evaluator.game is registry.get("reversi")
    state = registry.get("reversi").start()
    for _ in range(10):
        state = state.play(rng.choice(state.legal_actions()))
    check_agrees(net, evaluator, state.game.net_features(state, 0)[None])


@pytest.mark.parametrize("fast", [False, True])
def test_a_position_is_evaluated_alike_in_any_company(fast: bool, rng: random.Random) -> None:
    evaluator = load_evaluator(threads=2, fast=fast)
    features = random_features(9, rng, 23)
    logits, values = evaluator(features)
    for index in (0, 7, 22):
        alone_logits, alone_values = evaluator(features[index : index + 1])
        assert np.array_equal(alone_logits[0], logits[index])
        assert alone_values[0] == values[index]
    logits, values = evaluator(features[:0])
    assert (logits.shape, values.shape) == ((0, QUORIDOR.actions), (0,))


def test_the_network_of_the_package_is_that_of_the_checkpoint(rng: random.Random) -> None:
    from plyground.nets import load_torch

    net = load_torch(Path(__file__).parents[2] / "checkpoints" / "quoridor-boards.pt")
    assert isinstance(net, PathNet)
    for size in (4, 7, 9):
        features = random_features(size, rng, 40)
        planes = Expander(QUORIDOR, size).planes(torch.from_numpy(features))
        with torch.no_grad():
            _, expected, _ = net(planes)
        _, values = load_evaluator()(features)
        assert np.abs(values - expected.numpy()).mean() < 0.01


@pytest.mark.parametrize("size", [0, 10, 255])
def test_features_of_an_impossible_board_are_rejected(size: int, rng: random.Random) -> None:
    features = random_features(9, rng, 2)
    features[:, QUORIDOR.size_byte] = size
    with pytest.raises(ConfigError, match=f"got size {size}"):
        load_evaluator()(features)


def test_threads_share_an_evaluator(rng: random.Random) -> None:
    """Boards of new sizes are added while other threads evaluate."""
    evaluator = load_evaluator()
    boards = {size: random_features(size, rng, 8) for size in range(4, 10)}
    alone = {size: load_evaluator()(features)[1] for size, features in boards.items()}
    with ThreadPoolExecutor(6) as pool:
        found = {size: pool.submit(evaluator, features) for size, features in boards.items()}
        for size, values in alone.items():
            assert np.array_equal(found[size].result()[1], values)


def test_weights_are_read_back(tmp_path: Path) -> None:
    weights = {"a.weight": np.full((2, 2, 1, 1), 0.1, np.float32), "b": np.ones(3, np.float32)}
    write_weights(tmp_path / "net.npz", weights, SETTINGS)
    found, metadata = read_weights((tmp_path / "net.npz").read_bytes())
    assert metadata == SETTINGS
    assert np.array_equal(found["b"], weights["b"])
    assert np.allclose(found["a.weight"], 0.1, rtol=2**-8)


def test_shortened_weights_have_eight_significant_bits(rng: random.Random) -> None:
    numbers = np.array([rng.uniform(-4, 4) for _ in range(500)] + [0], np.float32)
    short = shorten(numbers)
    assert not (short.view(np.uint16) & 7).any()
    assert (np.abs(short - numbers) <= np.abs(numbers) * (2.0**-8 + 2.0**-11)).all()


def npz(**arrays: NDArray[np.generic]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=True, **arrays)
    return buffer.getvalue()


def checkpoint() -> bytes:
    buffer = io.BytesIO()
    torch.save({"average": torch.zeros(2)}, buffer)
    return buffer.getvalue()


TEXT = np.array(json.dumps(SETTINGS))
DAMAGED = {
    "nothing": (npz(), "no metadata"),
    "checkpoint": (checkpoint(), "a checkpoint; .* `plyground export CHECKPOINT --out FILE.npz`"),
    "no weights": (npz(metadata=TEXT), "found no 'stem.weight'"),
    "cut off": (npz(metadata=TEXT)[:-30], "damaged"),
    "whole numbers": (npz(metadata=TEXT, a=np.ones(3, np.int64)), "has no floats"),
    "objects": (npz(metadata=TEXT, a=np.array([{}], object)), "damaged|pickle"),
    "metadata": (npz(metadata=np.array("[1]")), "not texts by name"),
    "no JSON": (npz(metadata=np.array("{")), "expected a network"),
    "another game": (
        npz(metadata=np.array(json.dumps(SETTINGS | {"game": "chess"}))),
        "unknown game",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_files_that_do_not_fit_are_rejected(name: str, tmp_path: Path) -> None:
    contents, message = DAMAGED[name]
    (tmp_path / "net.npz").write_bytes(contents)
    with pytest.raises(ConfigError, match=message) as raised:
        load_evaluator(tmp_path / "net.npz")
    assert "net.npz" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_folder_of_a_run_is_no_network(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"got the folder .*; `plyground export .* --out FILE.npz"
    ):
        load_evaluator(tmp_path)


def test_damaged_bytes_never_end_the_program(tmp_path: Path, rng: random.Random) -> None:
    whole = read_network(network_for(State()))
    path = tmp_path / "net.npz"
    features = random_features(9, rng, 1)
    for _ in range(20):
        contents = bytearray(whole)
        for _ in range(rng.randrange(1, 5)):
            contents[rng.randrange(2, len(contents))] ^= 1 << rng.randrange(8)
        path.write_bytes(contents)
        with suppress(ConfigError):
            load_evaluator(path)(features)


def test_a_damaged_packed_file_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "net.npz.xz").write_bytes(lzma.compress(b"PK" + bytes(5000))[:-50] + bytes(50))
    with pytest.raises(ConfigError, match=r"net\.npz\.xz"):
        load_evaluator(tmp_path / "net.npz.xz")


@pytest.mark.parametrize("encoding", [QUORIDOR, REVERSI])
def test_only_a_path_net_is_written_for_the_core(encoding: Encoding, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected a PathNet"):
        export_network(torch.nn.Linear(1, 1), tmp_path / "net.npz", encoding, 9)


def searched(search: GumbelSearch, simulations: int = 300) -> list[tuple[int, int, float]]:
    """The root's moves after a search of a game's third position, and one more after two plies."""
    state = State(GameConfig.preset("small")).play("c2").play("c4")
    for _ in range(2):
        result = search.search(state, SearchLimits(simulations=simulations))
        assert result.nodes_searched == simulations
        state = state.play(result.best_move).play(result.pv[1])
    return [(move["action"], move["visits"], move["value"]) for move in search.moves()]


@pytest.mark.parametrize("batch", [1, 4])
def test_a_tree_grown_in_the_core_is_that_of_batches(batch: int) -> None:
    evaluator = load_evaluator()
    assert isinstance(evaluator, NativeEvaluator)
    grown = GumbelSearch(evaluator, batch, grow=evaluator.grow)
    assert searched(grown) == searched(GumbelSearch(evaluator, batch))


def test_threads_grow_one_tree() -> None:
    evaluator = load_evaluator(threads=3)
    assert isinstance(evaluator, NativeEvaluator)
    search = GumbelSearch(evaluator, batch=1, grow=evaluator.grow)
    visits = sum(visits for _, visits, _ in searched(search))
    assert visits >= 300  # those kept from the search before included
    told: list[int] = []

    def tell(result: SearchResult) -> None:
        told.append(result.nodes_searched)
        if len(told) == 2:
            search.stop()

    result = search.search(State(), SearchLimits(time_s=60), tell)
    assert result.time_ms < 30_000
    assert told == sorted(told)
    assert result.nodes_searched >= told[-1] > 0


def test_a_network_that_does_not_fit_a_tree_is_rejected(shaken: Shake, tmp_path: Path) -> None:
    export_network(shaken(PathNet(REVERSI, 2, 16, 1)), tmp_path / "net.npz", REVERSI, 8)
    other, evaluator = NativeEvaluator(tmp_path / "net.npz"), load_evaluator()
    assert isinstance(evaluator, NativeEvaluator)
    tree = State().game.make_tree(State())
    with pytest.raises(ConfigError, match="a root that has been evaluated"):
        evaluator.grow(tree, 9, 4, 0.01)
    tree.begin(0)
    tree.expand(*evaluator(tree.select(1)))
    with pytest.raises(ConfigError, match="expected a network that reads 488 bytes"):
        other.grow(tree, 8, 4, 0.01)
    with pytest.raises(ConfigError, match="a batch of 1 or more"):
        evaluator.grow(tree, 9, 0, 0.01)
    for seconds in (1.5, math.nan):
        with pytest.raises(ConfigError, match="at most 1"):
            evaluator.grow(tree, 9, 4, seconds)
    with pytest.raises(ConfigError, match="got size 10"):
        evaluator.grow(tree, 10, 4, 0.01)
    tree.begin(10)
    tree.select(1)
    with pytest.raises(ConfigError, match="`expand` before `search`"):
        evaluator.grow(tree, 9, 4, 0.01)


def test_a_network_that_overflows_ends_the_search(shaken: Shake, tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    export_network(shaken(PathNet(QUORIDOR, 2, 16, 1)), path, QUORIDOR, 5)
    weights, metadata = read_weights(path.read_bytes())
    largest = {name: np.copysign(np.float32(6e4), array) for name, array in weights.items()}
    write_weights(path, largest, metadata)
    evaluator = NativeEvaluator(path)
    state = State(GameConfig.preset("small"))
    with pytest.raises(ConfigError, match="finite logits"):
        evaluator(state.game.net_features(state, 0)[None])
    sound = load_evaluator()
    search = GumbelSearch(sound, grow=evaluator.grow)
    for _ in range(2):  # it starts anew after the error
        with pytest.raises(ConfigError, match="finite logits"):
            search.search(state, SearchLimits(simulations=50))
