"""Networks in 8-bit integers: on processors with VNNI three times as fast, and a quarter the size.

Convolutions, sums, ReLUs and the linear layers of QuoridorNet are computed in integers, scaled by
what a sample of positions showed; the expansion of the features and PathNet's last layers stay in
floating point. Weights use 7 bits, since on processors without VNNI two full products can overflow;
`rounding.py` rounds those of convolutions together.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process

from plyground.files import atomic_write
from plyground.nets.encoding import PATH_NET, Encoding
from plyground.nets.quoridor_encoding import QUORIDOR_NET
from plyground.nets.rounding import round_together, watch

BATCH = 32
_OPERATIONS = {
    PATH_NET: ["Conv", "Add", "Relu"],
    QUORIDOR_NET: ["Conv", "Add", "Relu", "Gemm"],
}
"""What is computed in integers. Half of QuoridorNet's weights are in its first linear layer."""


class _Sample(CalibrationDataReader):  # type: ignore[misc]
    """Positions in batches, as onnxruntime asks for them."""

    def __init__(self, features: NDArray[np.uint8], encoding: Encoding) -> None:
        self.batches = _batches(features, encoding)

    def get_next(self) -> dict[str, NDArray[np.uint8]] | None:
        batch = next(self.batches, None)
        return None if batch is None else {"features": batch}


def _batches(features: NDArray[np.uint8], encoding: Encoding) -> Iterator[NDArray[np.uint8]]:
    """Positions in batches, each of one board size."""
    at = encoding.size_byte
    sizes = np.zeros(len(features)) if at is None else features[:, at]
    for size in np.unique(sizes):
        group = features[sizes == size]
        for first in range(0, len(group), BATCH):
            yield group[first : first + BATCH]


def quantize_onnx(
    source: Path, path: Path, features: NDArray[np.uint8], encoding: Encoding
) -> None:
    """Write an 8-bit version of a float32 network, with scales from packed features of games."""
    logging.getLogger().setLevel(logging.ERROR)  # hide the library's warnings
    with TemporaryDirectory() as folder:
        prepared, quantized = Path(folder, "prepared.onnx"), Path(folder, "quantized.onnx")
        quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
        planes, scale = input_scale(prepared, _batches(features, encoding))
        quantize_static(
            str(prepared),
            str(quantized),
            _Sample(features, encoding),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=_OPERATIONS[encoding.network],
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            calibrate_method=CalibrationMethod.MinMax,
            extra_options={"TensorQuantOverrides": {planes: [_unsigned(scale)]}},
        )
        model = onnx.load(quantized)
        round_together(prepared, model, _batches(features, encoding))
        helper.set_model_props(model, {p.key: p.value for p in onnx.load(source).metadata_props})
        with atomic_write(path) as file:
            file.write(model.SerializeToString())


def input_scale(prepared: Path, batches: Iterable[NDArray[np.uint8]]) -> tuple[str, float]:
    """The name of the first convolution's input, and the step that suits its values best.

    Planes hold counts times a few fractions, so some step fits nearly all of them exactly.
    """
    model = onnx.load(prepared)
    name = next(node.input[0] for node in model.graph.node if node.op_type == "Conv")
    evaluate = watch(model, [name])
    found = np.concatenate([evaluate(batch)[name].ravel() for batch in batches])
    values, counts = np.unique(found, return_counts=True)
    steps = [float(values.max()) / count for count in range(255, 127, -1)]

    def squared_error(step: float) -> float:
        return float(counts @ np.square(np.rint(values / step) * step - values))

    return name, min(steps, key=squared_error)


def _unsigned(scale: float) -> dict[str, object]:
    """How a tensor without negative values is rounded."""
    return {
        "quant_type": QuantType.QUInt8,
        "scale": np.array(scale, np.float32),
        "zero_point": np.array(0, np.uint8),
    }
