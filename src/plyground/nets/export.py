"""From a network's weights to an ONNX file to play with: packed features in, logits and values out.

The graph is written node by node, which keeps it small and free of an exporter's habits
(`onnx_graph.py`). PathNet's graph is here. Where a game has boards of several sizes it cuts out the
board by the size that the features name, so one file serves them all; the positions of a batch must
then be of one size. QuoridorNet's graph is in `quoridor_net_graph.py`, that of
any other module in `module_graph.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto
from torch import Tensor, nn

from plyground.errors import ConfigError
from plyground.files import atomic_write
from plyground.nets import module_graph, quoridor_net_graph
from plyground.nets.architecture import check_is_module, check_module
from plyground.nets.encoding import PATH_NET, Encoding
from plyground.nets.network import PathNet, count_blocks, fold, sees_pieces
from plyground.nets.onnx_graph import Graph, conv, linear, metadata, planes
from plyground.nets.quoridor_encoding import QUORIDOR_NET
from plyground.nets.quoridor_net import QuoridorNet
from plyground.nets.weights_file import write_weights

NATIVE_SUFFIX = ".npz"
"""Ends the names of files with weights for the core."""
SUFFIXES = (NATIVE_SUFFIX, ".onnx")
"""The ends of the names of all files that networks are written to."""


def check_suffix(path: str | Path) -> None:
    """Raise a ConfigError unless a file's name tells its format."""
    if Path(path).suffix not in SUFFIXES:
        raise ConfigError(f"expected a file to write named *.npz or *.onnx, got {str(path)!r}")


def export_onnx(
    state: Mapping[str, Tensor], path: Path, encoding: Encoding, half: bool = True
) -> None:
    """Write the network; `half` stores weights in float16 (they are computed with in float32)."""
    _write(build(state, encoding, half), path)


def export_weights(state: Mapping[str, Tensor], path: Path, encoding: Encoding) -> None:
    """Write the weights of a `PathNet` for the core, which plays fastest with them (.npz)."""
    if encoding.network != PATH_NET:
        raise ConfigError(
            f"expected a {PATH_NET} to write to {path}, got a {encoding.network}: export it to an "
            "ONNX file"
        )
    folded = {name: weight.cpu().numpy() for name, weight in fold(state).items()}
    write_weights(path, folded, metadata(encoding, None))


def export_network(
    network: nn.Module, path: str | Path, encoding: Encoding, board_size: int
) -> None:
    """Write a network to a file to play with: `zero:network=FILE`, or `nets.load(FILE)`.

    `network` is one of this package, or any module that follows `Network`; `encoding` is what it
    reads, and `board_size` the board that it plays on, as in `config.encoding` and `config.size`
    of a run. A `PathNet` can be written to a .npz file, in float16, and plays fastest so; every
    network can be written to an ONNX file, in float32.
    """
    check_is_module(network)
    check_suffix(path)
    network = deepcopy(network).cpu().eval()
    if Path(path).suffix == NATIVE_SUFFIX:
        if type(network) is not PathNet:
            raise ConfigError(
                f"expected a PathNet to write to {path}, got a {type(network).__name__}: export it "
                "to an ONNX file"
            )
        export_weights(network.state_dict(), Path(path), encoding)
        return
    if type(network) in (PathNet, QuoridorNet):
        export_onnx(network.state_dict(), Path(path), encoding, half=False)
        return
    check_module(network, encoding, board_size)
    _write(module_graph.build(network, encoding, board_size), Path(path))


def _write(model: onnx.ModelProto, path: Path) -> None:
    onnx.checker.check_model(model, full_check=True)
    with atomic_write(path) as file:
        file.write(model.SerializeToString())


def build(state: Mapping[str, Tensor], encoding: Encoding, half: bool = True) -> onnx.ModelProto:
    """The ONNX model of a network's state, of the kind that reads the encoding."""
    try:
        return _BUILDERS[encoding.network](state, half, encoding)
    except KeyError as error:
        raise ConfigError(
            f"expected the weights of a {encoding.network}, found no {error.args[0]!r} in them"
        ) from error


def _build_path_net(state: Mapping[str, Tensor], half: bool, encoding: Encoding) -> onnx.ModelProto:
    weights = {name: weight.cpu().numpy() for name, weight in fold(state).items()}
    graph = Graph(half)
    size = _board_size(graph, encoding)
    x = _board(graph, encoding, size)
    pieces = _pieces(graph, encoding, x) if sees_pieces(state) else None
    x = conv(graph, weights, "stem", x)
    for index in range(count_blocks(state)):
        name = f"blocks.{index}"
        out = conv(graph, weights, f"{name}.conv1", x)
        if f"{name}.pool.weight" in weights:
            bias = linear(graph, weights, f"{name}.pool", _pool(graph, out, pieces))
            bias = graph.node("Unsqueeze", bias, graph.constant([2, 3], np.int64))
            out = graph.node("Add", out, bias)
        x = conv(graph, weights, f"{name}.conv2", out, x)
    x = conv(graph, weights, "head", x)
    logits = _policy(graph, weights, x, encoding, size)
    hidden = graph.node("Relu", linear(graph, weights, "hidden", _pool(graph, x, pieces)))
    value = {name: weights[f"outcome.{name}"][:1] for name in ("weight", "bias")}
    value_row = {f"outcome.{name}": row for name, row in value.items()}
    values = graph.node("Tanh", linear(graph, value_row, "outcome", hidden))
    graph.node("Identity", logits, output="logits")
    graph.node("Reshape", values, graph.constant([-1], np.int64), output="values")
    return graph.model(encoding)


def _pieces(graph: Graph, encoding: Encoding, x: str) -> str:
    """The planes of the pieces, [n, kinds, cells]."""
    planes = graph.constant(encoding.piece_planes, np.int64)
    shape = graph.constant([0, len(encoding.piece_planes), -1], np.int64)
    return graph.node("Reshape", graph.node("Gather", x, planes, axis=1), shape)


def _board_size(graph: Graph, encoding: Encoding) -> str | None:
    """The board size from the features, as a list of one number; None if there is one size."""
    if encoding.size_byte is None:
        return None
    size = graph.node("Gather", "features", graph.constant([encoding.size_byte], np.int64), axis=1)
    size = graph.node("ReduceMax", graph.cast(size, TensorProto.INT64), keepdims=0)
    return graph.node("Reshape", size, graph.constant([1], np.int64))


def _board(graph: Graph, encoding: Encoding, size: str | None) -> str:
    """The planes, and the board's corner of the canvas."""
    x = planes(graph, encoding, encoding.canvas)
    if size is None:
        return x
    ends = graph.node("Concat", size, size, axis=0)
    start, axes = graph.constant([0, 0], np.int64), graph.constant([2, 3], np.int64)
    return graph.node("Slice", x, start, ends, axes)


def _policy(
    graph: Graph,
    weights: Mapping[str, NDArray[np.float32]],
    x: str,
    encoding: Encoding,
    size: str | None,
) -> str:
    """The policy's parts as a convolution each, padded to the whole canvas; a pass has 0."""
    weight, bias = weights["policy.weight"], weights["policy.bias"]  # [maps, channels], [maps]
    pads = ""
    if size is not None:
        rest = graph.node("Sub", graph.constant([encoding.canvas], np.int64), size)
        pads = graph.node("Concat", graph.constant([0] * 6, np.int64), rest, rest, axis=0)
    logits, first = [], 0
    for part in encoding.policy:
        last = first + part.maps * part.kernel**2
        kernel = weight[first:last].reshape(part.kernel, part.kernel, part.maps, -1)
        offset = bias[first:last].reshape(-1, part.maps).sum(0)
        first = last
        maps = graph.node(
            "Conv", x, graph.weight(kernel.transpose(2, 3, 0, 1)), graph.weight(offset)
        )
        logits.append(
            graph.node("Flatten", graph.node("Pad", maps, pads) if pads else maps, axis=1)
        )
    out = graph.node("Concat", *logits, axis=1)
    if encoding.has_pass:
        out = graph.node("Pad", out, graph.constant([0, 0, 0, 1], np.int64))
    return out


def _pool(graph: Graph, x: str, pieces: str | None) -> str:
    """Mean and maximum over the board, and what is at the pieces, as `network.pool` has them."""
    pooled = [
        graph.node("Flatten", graph.node(kind, x), axis=1)
        for kind in ("GlobalAveragePool", "GlobalMaxPool")
    ]
    if pieces is not None:
        cells = graph.node("Reshape", x, graph.constant([0, 0, -1], np.int64))
        cells = graph.node("Transpose", cells, perm=[0, 2, 1])  # [n, cells, channels]
        pooled.append(graph.node("Flatten", graph.node("MatMul", pieces, cells), axis=1))
    return graph.node("Concat", *pooled, axis=1)


_BUILDERS = {PATH_NET: _build_path_net, QUORIDOR_NET: quoridor_net_graph.build}
