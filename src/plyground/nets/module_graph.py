"""The ONNX graph of a module that is not of this package, as torch's exporter writes it.

The expansion of the packed features goes in front of it, so that the file is like any other.
"""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import onnxruntime
import torch
from numpy.typing import NDArray
from onnx import compose
from torch import Tensor, nn

from plyground.errors import ConfigError
from plyground.games import registry
from plyground.hints import reason_of
from plyground.nets.encoding import Encoding, start_on
from plyground.nets.features import Expander
from plyground.nets.network import network_outputs
from plyground.nets.onnx_graph import OPSET, Graph, planes, scalars

CHECKED = 8
"""Positions on which the file must say what the module says."""
TOLERANCE = 1e-3


class _Outputs(nn.Module):
    """Logits and values alone, which are all that playing needs."""

    def __init__(self, net: nn.Module, encoding: Encoding, size: int) -> None:
        super().__init__()
        self.net = net
        self.encoding = encoding
        self.size = size

    def forward(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [batch, actions] and values [batch]."""
        outputs = network_outputs(self.net, inputs, self.encoding, self.size)
        return outputs.logits, outputs.value


def build(net: nn.Module, encoding: Encoding, size: int) -> onnx.ModelProto:
    """The model of a module for boards of one size."""
    wrapped = _Outputs(net, encoding, size).eval()
    features = _positions(encoding, size)
    graph = Graph(half=False)
    graph.node("Identity", planes(graph, encoding, size), output="planes")
    names = ["planes"]
    if encoding.scalars:
        graph.node("Identity", scalars(graph, encoding), output="scalars")
        names.append("scalars")
    inputs = Expander(encoding, size).inputs(torch.from_numpy(features))
    exported = _export(wrapped, inputs, names)
    graph.nodes.extend(exported.graph.node)
    graph.constants.extend(exported.graph.initializer)
    model = graph.model(encoding, size)
    _check_same(model, wrapped, inputs, features)
    return model


def _export(wrapped: nn.Module, inputs: tuple[Tensor, ...], names: list[str]) -> onnx.ModelProto:
    """What torch's exporter makes of a module; its own names have a prefix."""
    outputs = ["logits", "values"]
    try:
        with warnings.catch_warnings(), torch.no_grad(), TemporaryDirectory() as folder:
            path = Path(folder, "module.onnx")
            warnings.simplefilter("ignore")  # of a trace, which the check below holds to account
            torch.onnx.export(
                wrapped,
                tuple(part[:2] for part in inputs),
                path,
                input_names=names,
                output_names=outputs,
                opset_version=OPSET,
                dynamic_axes={name: {0: "n"} for name in (*names, *outputs)},
                dynamo=False,  # the other exporter needs one more library, onnxscript
            )
            model = onnx.load(path)
    except ConfigError:
        raise
    except Exception as error:  # the exporter raises many kinds
        reason = reason_of(error).partition("\n")[0]
        raise ConfigError(f"torch cannot export the network to ONNX: {reason}") from error
    return compose.add_prefix(model, "module/", rename_inputs=False, rename_outputs=False)


def _positions(encoding: Encoding, size: int) -> NDArray[np.uint8]:
    """Packed features of a few positions from random games."""
    start = start_on(registry.get(encoding.game), size)
    rng = random.Random(1)
    found: list[NDArray[np.uint8]] = []
    state = start
    while len(found) < CHECKED:
        state = start if state.outcome is not None else state
        found.append(state.game.net_features(state, encoding.history_length))
        state = state.play(rng.choice(state.legal_actions()))
    return np.stack(found)


def _check_same(
    model: onnx.ModelProto,
    wrapped: nn.Module,
    inputs: tuple[Tensor, ...],
    features: NDArray[np.uint8],
) -> None:
    """Raise a ConfigError unless the model says what the module says."""
    with torch.no_grad():
        expected = [part.float().numpy() for part in wrapped(*inputs)]
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    found = session.run(["logits", "values"], {"features": features})
    for one, other in zip(found, expected, strict=True):
        if one.shape != other.shape or not np.allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE):
            raise ConfigError(
                "the network says something else after its export to ONNX; does its code depend on "
                "the values or the number of positions in a batch?"
            )
