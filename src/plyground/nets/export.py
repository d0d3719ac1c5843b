"""From PathNet's weights to an ONNX file to play with: packed features in, logits and values out.

The graph is written node by node, which keeps it small and free of an exporter's habits. It expands
the packed features itself (see `encoding.py`). Where a game has boards of several sizes it cuts out
the board by the size they name, so one file serves them all; the positions of a batch must then be
of one size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor

from plyground.files import atomic_write
from plyground.nets.encoding import Encoding
from plyground.nets.network import count_blocks, fold
from plyground.nets.quoridor_encoding import QUORIDOR

OPSET = 18
"""The first with BitwiseAnd."""
IR_VERSION = 9


def export_onnx(
    state: Mapping[str, Tensor], path: Path, half: bool = True, encoding: Encoding = QUORIDOR
) -> None:
    """Write the network; `half` stores weights in float16 (they are computed with in float32)."""
    model = build(state, half, encoding)
    onnx.checker.check_model(model, full_check=True)
    with atomic_write(path) as file:
        file.write(model.SerializeToString())


def build(
    state: Mapping[str, Tensor], half: bool = True, encoding: Encoding = QUORIDOR
) -> onnx.ModelProto:
    """The ONNX model of a PathNet's state."""
    weights = {name: weight.cpu().numpy() for name, weight in fold(state).items()}
    graph = _Graph(half)
    size = _board_size(graph, encoding)
    x = _planes(graph, encoding, size)
    x = _conv(graph, weights, "stem", x)
    for index in range(count_blocks(state)):
        name = f"blocks.{index}"
        out = _conv(graph, weights, f"{name}.conv1", x)
        if f"{name}.pool.weight" in weights:
            bias = _linear(graph, weights, f"{name}.pool", _pool(graph, out))
            bias = graph.node("Unsqueeze", bias, graph.constant([2, 3], np.int64))
            out = graph.node("Add", out, bias)
        x = _conv(graph, weights, f"{name}.conv2", out, x)
    x = _conv(graph, weights, "head", x)
    logits = _policy(graph, weights, x, encoding, size)
    hidden = graph.node("Relu", _linear(graph, weights, "hidden", _pool(graph, x)))
    value = {name: weights[f"outcome.{name}"][:1] for name in ("weight", "bias")}
    value_row = {f"outcome.{name}": row for name, row in value.items()}
    values = graph.node("Tanh", _linear(graph, value_row, "outcome", hidden))
    graph.node("Identity", logits, output="logits")
    graph.node("Reshape", values, graph.constant([-1], np.int64), output="values")
    return graph.model(encoding)


class _Graph:
    """Nodes and constants, named as they come."""

    def __init__(self, half: bool) -> None:
        self.half = half
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[TensorProto] = []

    def node(
        self, kind: str, *inputs: str, output: str = "", **attributes: int | Sequence[int]
    ) -> str:
        output = output or f"{kind}_{len(self.nodes)}"
        node = helper.make_node(kind, inputs, [output])
        node.attribute.extend(helper.make_attribute(*item) for item in sorted(attributes.items()))
        self.nodes.append(node)
        return output

    def constant(self, values: object, dtype: type[np.generic]) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(values, dtype), name))
        return name

    def weight(self, values: NDArray[np.float32]) -> str:
        if not self.half:
            return self.constant(values, np.float32)
        return self.cast(self.constant(values, np.float16), TensorProto.FLOAT)

    def cast(self, name: str, kind: int) -> str:
        return self.node("Cast", name, to=kind)

    def model(self, encoding: Encoding) -> onnx.ModelProto:
        graph = helper.make_graph(
            self.nodes,
            "plyground",
            [_tensor("features", TensorProto.UINT8, encoding.feature_bytes)],
            [_tensor("logits", TensorProto.FLOAT, encoding.actions), _tensor("values")],
            self.constants,
        )
        return helper.make_model(
            graph,
            producer_name="plyground",
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
        )


def _tensor(name: str, kind: int = TensorProto.FLOAT, *shape: int) -> onnx.ValueInfoProto:
    """An input or output, a row of this shape for each position."""
    return helper.make_tensor_value_info(name, kind, ["n", *shape])


def _board_size(graph: _Graph, encoding: Encoding) -> str | None:
    """The board size from the features, as a list of one number; None if there is one size."""
    if encoding.size_byte is None:
        return None
    size = graph.node("Gather", "features", graph.constant([encoding.size_byte], np.int64), axis=1)
    size = graph.node("ReduceMax", graph.cast(size, TensorProto.INT64), keepdims=0)
    return graph.node("Reshape", size, graph.constant([1], np.int64))


def _planes(graph: _Graph, encoding: Encoding, size: str | None) -> str:
    """The expansion of `features.Expander`, and the board's corner of the canvas."""
    canvas = encoding.canvas
    table = encoding.plane_table(canvas, 0)
    x = graph.node("Gather", "features", graph.constant(table.byte, np.int64), axis=1)
    x = graph.node("BitwiseAnd", x, graph.constant(table.mask, np.uint8))
    x = graph.cast(x, TensorProto.FLOAT)
    x = graph.node("Min", x, graph.constant(table.clip, np.float32))
    x = graph.node("Mul", x, graph.constant(table.scale, np.float32))
    x = graph.node("Reshape", x, graph.constant([-1, canvas, canvas, encoding.planes], np.int64))
    x = graph.node("Transpose", x, perm=[0, 3, 1, 2])
    if size is None:
        return x
    ends = graph.node("Concat", size, size, axis=0)
    start, axes = graph.constant([0, 0], np.int64), graph.constant([2, 3], np.int64)
    return graph.node("Slice", x, start, ends, axes)


def _policy(
    graph: _Graph,
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


def _conv(
    graph: _Graph, weights: Mapping[str, NDArray[np.float32]], name: str, x: str, add: str = ""
) -> str:
    """Convolution, sum and ReLU."""
    weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    pad = weight.shape[-1] // 2
    out = graph.node("Conv", x, graph.weight(weight), graph.weight(bias), pads=[pad] * 4)
    return graph.node("Relu", graph.node("Add", out, add) if add else out)


def _linear(graph: _Graph, weights: Mapping[str, NDArray[np.float32]], name: str, x: str) -> str:
    weight, bias = graph.weight(weights[f"{name}.weight"]), graph.weight(weights[f"{name}.bias"])
    return graph.node("Gemm", x, weight, bias, transB=1)


def _pool(graph: _Graph, x: str) -> str:
    """Mean and maximum over the board."""
    pooled = [graph.node(kind, x) for kind in ("GlobalAveragePool", "GlobalMaxPool")]
    return graph.node("Flatten", graph.node("Concat", *pooled, axis=1), axis=1)
