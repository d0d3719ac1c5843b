"""The ONNX graph of `QuoridorNet`, for the board size that its weights are for."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnx
from torch import Tensor

from plyground.nets.encoding import Encoding
from plyground.nets.network import count_blocks
from plyground.nets.onnx_graph import Graph, conv, linear, planes, scalars
from plyground.nets.quoridor_encoding import canvas_sources
from plyground.nets.quoridor_net import HEADS, FoldedQuoridorNet, board_size_of


def build(state: Mapping[str, Tensor], half: bool, encoding: Encoding) -> onnx.ModelProto:
    """The model of a QuoridorNet's state; `half` stores weights in float16."""
    size = board_size_of(state)
    folded = FoldedQuoridorNet.fold(state)
    weights = {name: weight.cpu().numpy() for name, weight in folded.items()}
    graph = Graph(half)
    x = conv(graph, weights, "conv_input", planes(graph, encoding, size))
    for index in range(count_blocks(state)):
        out = conv(graph, weights, f"res_blocks.{index}.conv1", x)
        x = conv(graph, weights, f"res_blocks.{index}.conv2", out, x)
    x = graph.node("Concat", graph.node("Flatten", x, axis=1), scalars(graph, encoding), axis=1)
    x = graph.node("Relu", linear(graph, weights, "fc_combined", x))
    logits, value = (
        linear(
            graph,
            weights,
            f"{head}_fc2",
            graph.node("Relu", linear(graph, weights, f"{head}_fc1", x)),
        )
        for head in HEADS
    )
    padded = graph.node("Pad", logits, graph.constant([0, 0, 0, 1], np.int64))
    sources = graph.constant(canvas_sources(size), np.int64)
    graph.node("Gather", padded, sources, output="logits", axis=1)
    flat = graph.constant([-1], np.int64)
    graph.node("Reshape", graph.node("Tanh", value), flat, output="values")
    return graph.model(encoding, size)
