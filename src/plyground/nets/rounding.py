"""Weights of 8-bit convolutions rounded together, so that their errors cancel.

Rounding each weight to the nearest step is best for the weight, not for what the layer computes.
Here the weights of a layer are rounded one after the other, and those not rounded yet make up for
the error so far, as well as the inputs of the layer in a sample of positions allow (Frantar et al.:
*GPTQ*, 2022; Hassibi, Stork: *Optimal brain surgeon*, 1993). The bias takes the mean error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from onnx import helper, numpy_helper

STEPS = 64
"""Weights of 7 bits: from -64 to 64 steps."""
DAMPING = 0.01
"""Added to each input's variance, as a share of their mean: keeps the solution small."""
BLOCK = 96
_SUFFIX = "_DequantizeLinear_Output"


class Moments:
    """Sums over all windows of a layer's input: how often together, and how often alone."""

    def __init__(self) -> None:
        self.count = 0
        self.total: NDArray[np.float64] | float = 0.0
        self.products: NDArray[np.float64] | float = 0.0

    def add(self, windows: NDArray[np.float32]) -> None:
        """Count windows [rows, inputs]."""
        self.count += len(windows)
        self.total = self.total + windows.sum(0, dtype=np.float64)
        self.products = self.products + (windows.T @ windows).astype(np.float64)

    def mean(self) -> NDArray[np.float64]:
        """The mean of each input."""
        return np.asarray(self.total) / self.count

    def covariance(self) -> NDArray[np.float64]:
        """The covariances of the inputs."""
        mean = self.mean()
        return np.asarray(self.products) / self.count - np.outer(mean, mean)


@dataclass(frozen=True)
class Layer:
    """A convolution of the 8-bit model, with the constants that hold its numbers."""

    source: str
    """The float32 tensor that it reads."""
    kernel: int
    pad: int
    weight: onnx.TensorProto
    weight_scale: NDArray[np.float32]
    bias: onnx.TensorProto
    bias_scale: NDArray[np.float32]

    def windows(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """The inputs of each output [rows, inputs], from [n, channels, rows, columns]."""
        x = np.pad(x, ((0, 0), (0, 0), (self.pad, self.pad), (self.pad, self.pad)))
        views = sliding_window_view(x, (self.kernel, self.kernel), axis=(2, 3))
        channels_last = views.transpose(0, 2, 3, 1, 4, 5)
        return channels_last.reshape(-1, x.shape[1] * self.kernel**2)


def round_together(
    exact: Path, model: onnx.ModelProto, batches: Iterable[NDArray[np.uint8]]
) -> None:
    """Round the convolutions of the 8-bit `model` of the float32 model `exact` anew, in place."""
    original = onnx.load(exact)
    layers = _layers(model)
    moments = _measure(original, layers, batches)
    floats = {item.name: numpy_helper.to_array(item) for item in original.graph.initializer}
    for layer, seen in zip(layers, moments, strict=True):
        _round_layer(layer, seen, floats)


def watch(
    model: onnx.ModelProto, names: list[str]
) -> Callable[[NDArray[np.uint8]], dict[str, NDArray[np.float32]]]:
    """A function that evaluates a batch of packed features and returns the named tensors."""
    watched = onnx.ModelProto()
    watched.CopyFrom(model)
    watched.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        watched.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return lambda batch: dict(zip(names, session.run(names, {"features": batch}), strict=True))


def _layers(model: onnx.ModelProto) -> list[Layer]:
    """The convolutions that are computed in integers."""
    constants = {item.name: item for item in model.graph.initializer}
    makers = {node.output[0]: node for node in model.graph.node}
    layers = []
    for node in model.graph.node:
        if node.op_type != "Conv" or not node.input[0].endswith(_SUFFIX):
            continue
        attributes = {item.name: helper.get_attribute_value(item) for item in node.attribute}
        weight, bias = (makers[name].input for name in node.input[1:])
        layers.append(
            Layer(
                node.input[0].removesuffix(_SUFFIX),
                constants[weight[0]].dims[-1],
                attributes.get("pads", [0])[0],
                constants[weight[0]],
                numpy_helper.to_array(constants[weight[1]]),
                constants[bias[0]],
                numpy_helper.to_array(constants[bias[1]]),
            )
        )
    return layers


def _measure(
    original: onnx.ModelProto, layers: list[Layer], batches: Iterable[NDArray[np.uint8]]
) -> list[Moments]:
    """The moments of each layer's input over a sample of positions, in floating point."""
    evaluate = watch(original, sorted({layer.source for layer in layers}))
    moments = [Moments() for _ in layers]
    for batch in batches:
        found = evaluate(batch)
        for layer, seen in zip(layers, moments, strict=True):
            seen.add(layer.windows(found[layer.source]))
    return moments


def _round_layer(layer: Layer, seen: Moments, floats: Mapping[str, NDArray[np.float32]]) -> None:
    """Replace the integers of a layer."""
    weight = floats[layer.weight.name.removesuffix("_quantized")]
    bias = numpy_helper.to_array(layer.bias) * layer.bias_scale.astype(np.float64)
    rows = weight.reshape(len(weight), -1).astype(np.float64)
    scale = layer.weight_scale.astype(np.float64)
    rounded = round_rows(rows / scale[:, None], seen.covariance())
    moved = bias + (rows - rounded * scale[:, None]) @ seen.mean()
    _replace(layer.weight, rounded.reshape(weight.shape).astype(np.int8))
    _replace(layer.bias, np.rint(moved / layer.bias_scale).astype(np.int32))


def _replace(constant: onnx.TensorProto, values: NDArray[np.generic]) -> None:
    constant.CopyFrom(numpy_helper.from_array(values, constant.name))


def round_rows(rows: NDArray[np.float64], covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Whole numbers whose sums with inputs of this covariance differ least from those of the rows.

    >>> round_rows(np.array([[0.4, 0.4]]), np.ones((2, 2)))
    array([[0., 1.]])
    """
    inputs = rows.shape[1]
    variance = covariance.diagonal()
    order = np.argsort(-variance)
    damped = covariance + np.eye(inputs) * (DAMPING * variance.mean() + 1e-12)
    inverse = np.linalg.inv(damped[np.ix_(order, order)])
    factor = np.linalg.cholesky(inverse).T
    left, rounded = rows[:, order], np.zeros_like(rows)
    for first in range(0, inputs, BLOCK):
        last = min(first + BLOCK, inputs)
        errors = np.zeros((len(rows), last - first))
        for at in range(first, last):
            whole = np.clip(np.rint(left[:, at]), -STEPS, STEPS)
            error = (left[:, at] - whole) / factor[at, at]
            left[:, at:last] -= np.outer(error, factor[at, at:last])
            rounded[:, order[at]], errors[:, at - first] = whole, error
        left[:, last:] -= errors @ factor[first:last, last:]
    return rounded
