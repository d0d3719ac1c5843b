"""A network file at work on the CPU, through onnxruntime; playing needs no torch."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class OnnxEvaluator:
    """Evaluates batches of packed features; one batch may hold one board size only."""

    def __init__(self, path: str | Path | None = None, threads: int = 1) -> None:
        if threads < 1:
            raise ConfigError(f"expected threads to be at least 1, got {threads!r}")
        import onnxruntime  # here, since it is slow to import and few agents need it

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        source = shipped_network() if path is None else Path(path)
        try:
            self.session = onnxruntime.InferenceSession(
                source.read_bytes(), options, providers=["CPUExecutionProvider"]
            )
        except OSError as error:
            raise ConfigError(f"cannot read the network {str(source)!r}: {error}") from error
        except onnxruntime.capi.onnxruntime_pybind11_state.InvalidProtobuf as error:
            raise ConfigError(f"expected an ONNX file in {str(source)!r}") from error

    def __call__(
        self, features: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits [batch, 209] and values [batch] from uint8 [batch, 488], for the mover."""
        logits, values = self.session.run(["logits", "values"], {"features": features})
        return logits, values


def shipped_network() -> Path:
    """The network inside the package."""
    return Path(str(files("plyground") / "data" / "quoridor.onnx"))
