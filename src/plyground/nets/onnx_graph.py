"""ONNX graphs, written node by node: what the graphs of all networks have in common.

The graph expands the packed features itself (see `encoding.py`). The model's metadata says which
encoding it reads, so that an evaluator can prepare its input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from plyground.nets.encoding import Encoding

OPSET = 18
"""The first with BitwiseAnd."""
IR_VERSION = 9


class Graph:
    """Nodes and constants, named as they come."""

    def __init__(self, half: bool) -> None:
        self.half = half
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[TensorProto] = []

    def node(
        self, kind: str, *inputs: str, output: str = "", **attributes: int | Sequence[int]
    ) -> str:
        """Add a node; returns the name of its output."""
        output = output or f"{kind}_{len(self.nodes)}"
        node = helper.make_node(kind, inputs, [output])
        node.attribute.extend(helper.make_attribute(*item) for item in sorted(attributes.items()))
        self.nodes.append(node)
        return output

    def constant(self, values: object, dtype: type[np.generic]) -> str:
        """Add a constant; returns its name."""
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(values, dtype), name))
        return name

    def weight(self, values: NDArray[np.float32]) -> str:
        """Add a weight as float32, stored in float16 if the graph has halves."""
        if not self.half:
            return self.constant(values, np.float32)
        return self.cast(self.constant(values, np.float16), TensorProto.FLOAT)

    def cast(self, name: str, kind: int) -> str:
        """Add a conversion to another type."""
        return self.node("Cast", name, to=kind)

    def model(self, encoding: Encoding, board_size: int | None = None) -> onnx.ModelProto:
        """The model with its metadata; `board_size` is that of a network for one board only."""
        graph = helper.make_graph(
            self.nodes,
            "plyground",
            [_tensor("features", TensorProto.UINT8, encoding.feature_bytes)],
            [_tensor("logits", TensorProto.FLOAT, encoding.actions), _tensor("values")],
            self.constants,
        )
        model = helper.make_model(
            graph,
            producer_name="plyground",
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
        )
        helper.set_model_props(model, metadata(encoding, board_size))
        return model


def _tensor(name: str, kind: int = TensorProto.FLOAT, *shape: int) -> onnx.ValueInfoProto:
    """An input or output, a row of this shape for each position."""
    return helper.make_tensor_value_info(name, kind, ["n", *shape])


def metadata(encoding: Encoding, board_size: int | None) -> dict[str, str]:
    """What `evaluator.OnnxEvaluator` reads: which input the network needs."""
    found = {"game": encoding.game, "network": encoding.network}
    if encoding.history_length:
        found["history_length"] = str(encoding.history_length)
    if board_size is not None:
        found["board_size"] = str(board_size)
    return found


def planes(graph: Graph, encoding: Encoding, size: int) -> str:
    """The expansion of `features.Expander`: planes [n, planes, size, size]."""
    table = encoding.plane_table(size, 0)
    x = graph.node("Gather", "features", graph.constant(table.byte, np.int64), axis=1)
    x = graph.node("BitwiseAnd", x, graph.constant(table.mask, np.uint8))
    x = graph.cast(x, TensorProto.FLOAT)
    x = graph.node("Min", x, graph.constant(table.clip, np.float32))
    x = graph.node("Mul", x, graph.constant(table.scale, np.float32))
    x = graph.node("Reshape", x, graph.constant([-1, size, size, encoding.planes], np.int64))
    return graph.node("Transpose", x, perm=[0, 3, 1, 2])


def scalars(graph: Graph, encoding: Encoding) -> str:
    """The scalars [n, scalars]: fractions of two numbers of two bytes each."""
    count = encoding.scalars
    places = np.arange(encoding.scalars_at, encoding.scalars_at + 4 * count)
    x = graph.node("Gather", "features", graph.constant(places, np.int64), axis=1)
    x = graph.cast(x, TensorProto.FLOAT)
    x = graph.node("Reshape", x, graph.constant([-1, count, 2, 2], np.int64))
    x = graph.node("Mul", x, graph.constant([1, 256], np.float32))
    x = graph.node("ReduceSum", x, graph.constant([3], np.int64), keepdims=0)
    parts = (graph.node("Gather", x, graph.constant(k, np.int64), axis=2) for k in range(2))
    return graph.node("Div", *parts)


def conv(
    graph: Graph, weights: Mapping[str, NDArray[np.float32]], name: str, x: str, add: str = ""
) -> str:
    """Convolution, sum and ReLU."""
    weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    pad = weight.shape[-1] // 2
    out = graph.node("Conv", x, graph.weight(weight), graph.weight(bias), pads=[pad] * 4)
    return graph.node("Relu", graph.node("Add", out, add) if add else out)


def linear(graph: Graph, weights: Mapping[str, NDArray[np.float32]], name: str, x: str) -> str:
    """A linear layer."""
    weight, bias = graph.weight(weights[f"{name}.weight"]), graph.weight(weights[f"{name}.bias"])
    return graph.node("Gemm", x, weight, bias, transB=1)
