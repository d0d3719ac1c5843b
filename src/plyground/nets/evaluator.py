"""A network file at work on the CPU, through onnxruntime; playing needs no torch."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from plyground import _core
from plyground.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


FEATURE_BYTES = {
    "quoridor": _core.QUORIDOR_FEATURE_BYTES,
    "reversi": _core.REVERSI_FEATURE_BYTES,
}
"""What a game's positions are packed into, by which its networks are known."""


class OnnxEvaluator:
    """Evaluates batches of packed features; one batch may hold one board size only."""

    def __init__(
        self, path: str | Path | None = None, threads: int = 1, game: str = "quoridor"
    ) -> None:
        if threads < 1:
            raise ConfigError(f"expected threads to be at least 1, got {threads!r}")
        import onnxruntime  # here, since it is slow to import and few agents need it

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        source = shipped_network(game) if path is None else Path(path)
        try:
            network = source.read_bytes()
            self.session = onnxruntime.InferenceSession(
                network, options, providers=["CPUExecutionProvider"]
            )
        except OSError as error:
            raise ConfigError(f"cannot read the network {str(source)!r}: {error}") from error
        except onnxruntime.capi.onnxruntime_pybind11_state.InvalidProtobuf as error:
            raise ConfigError(f"expected an ONNX file in {str(source)!r}") from error
        self.digest = sha256(network).hexdigest()[:12]
        """Tells networks apart."""
        width = self.session.get_inputs()[0].shape[-1]
        if width != FEATURE_BYTES[game]:
            raise ConfigError(
                f"expected a network for {game} in {str(source)!r}, got one that reads "
                f"{width} bytes a position, not {FEATURE_BYTES[game]}"
            )

    def __call__(
        self, features: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits [batch, actions] and values [batch] from uint8 [batch, bytes], for the mover."""
        logits, values = self.session.run(["logits", "values"], {"features": features})
        return logits, values


def shipped_network(game: str = "quoridor", board_size: int | None = None) -> Path:
    """The network inside the package: the one of this board, or else the one of all boards."""
    data = Path(str(files("plyground") / "data"))
    own = data / f"{game}-{board_size}x{board_size}.onnx"
    path = own if own.exists() else data / f"{game}.onnx"
    if not path.exists():
        raise ConfigError(
            f"no network for {game} comes with this package; name a file of your own, "
            "as in 'zero:network=FILE' (docs/training.md tells how to train one)"
        )
    return path
