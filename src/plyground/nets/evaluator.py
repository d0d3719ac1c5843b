"""Networks of files, evaluated on the CPU by the core or by onnxruntime, without torch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from lzma import LZMADecompressor, LZMAError
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from plyground import _core
from plyground.checks import check_range
from plyground.errors import ConfigError
from plyground.exit_guard import EXIT_GUARD
from plyground.extras import needs_extra
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.hints import reason_of
from plyground.nets.encoding import PATH_NET, Encoding
from plyground.nets.weights_file import read_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

Number = TypeVar("Number", int, None)
MOST_THREADS = 256
MOST_BYTES = 1 << 30
"""The largest network that is unpacked."""
XZ_MAGIC = b"\xfd7zXZ\x00"
ZIP_MAGIC = b"PK"


class CoreTree(Protocol):
    """A tree of the core that can search with a network of the core."""

    def search(
        self, network: _core.PathNetEvaluator, size: int, batch: int, seconds: float, /
    ) -> None:
        """Run its plan, for at most that many seconds."""


class FileEvaluator(ABC):
    """Evaluates batches of packed features with the network of a file.

    All positions of a batch have the same board size. `load_evaluator` returns one.
    """

    def __init__(
        self, source: Path, contents: bytes, known: Mapping[str, str], game: AnyGame | str | None
    ) -> None:
        self.source = source
        self.digest = sha256(contents).hexdigest()[:12]
        """Tells networks apart."""
        self.game = self._find_game(game, known)
        self.encoding = self._find_encoding(known)
        """What the network reads: its file says so, except those of older versions."""
        self.board_size = self._number(known, "board_size", None)
        """The only board size of the network; None: any."""

    @abstractmethod
    def evaluate(self, features: NDArray[np.uint8]) -> tuple[object, object]:
        """Logits and values of a batch, as the network gives them: `__call__` checks them."""

    def __call__(
        self, features: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits [batch, actions] and values [batch] from uint8 [batch, bytes], for the mover."""
        logits, values = self.evaluate(features)
        count = len(features)
        if not (
            isinstance(logits, np.ndarray)
            and isinstance(values, np.ndarray)
            and (logits.shape, values.shape) == ((count, self.encoding.actions), (count,))
            and logits.dtype == values.dtype == np.float32
            and np.isfinite(values).all()
            and np.isfinite(logits).all()
        ):
            raise ConfigError(
                f"expected {self.encoding.actions} finite logits and a value for each position "
                f"from the network {str(self.source)!r}"
            )
        return logits, values

    def check_board(self, state: State) -> None:
        """Raise a ConfigError unless the network can evaluate positions on this board."""
        size = state.game.board_size(state)
        if self.board_size not in (None, size):
            raise ConfigError(
                f"the network {str(self.source)!r} plays on boards of size {self.board_size} only, "
                f"got one of size {size}"
            )

    def _find_game(self, game: AnyGame | str | None, known: Mapping[str, str]) -> AnyGame:
        """The game that is asked for, or else the one that the file's metadata names."""
        try:
            return registry.find(known.get("game") if game is None else game)
        except ConfigError as error:
            raise ConfigError(f"cannot use the network {str(self.source)!r}: {error}") from error

    def _find_encoding(self, known: Mapping[str, str]) -> Encoding:
        """The encoding that the file's metadata names."""
        owner = known.get("game", self.game.name)
        if owner != self.game.name:
            raise ConfigError(
                f"expected a network for {self.game.name} in {str(self.source)!r}, got one for "
                f"{owner}"
            )
        try:
            return self.game.encoding(
                known.get("network", PATH_NET), self._number(known, "history_length", 0)
            )
        except ConfigError as error:
            raise ConfigError(f"cannot use the network {str(self.source)!r}: {error}") from error

    def _number(self, known: Mapping[str, str], name: str, default: Number) -> int | Number:
        """A whole number in the file's metadata."""
        try:
            return int(known[name]) if name in known else default
        except ValueError as error:
            raise ConfigError(
                f"expected {name} to be a whole number in {str(self.source)!r}, got {known[name]!r}"
            ) from error


class OnnxEvaluator(FileEvaluator):
    """Evaluates an ONNX file with onnxruntime; `game` is the one that the file names."""

    def __init__(
        self, path: str | Path, threads: int = 1, game: AnyGame | str | None = None
    ) -> None:
        check_range("threads", threads, 1, MOST_THREADS)
        with needs_extra("networks in ONNX files need onnxruntime"):
            import onnxruntime  # here, since it is slow to import and few agents need it

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Threads that spin while they wait take the cores from the thread that works: two threads
        # on busy cores made 190 simulations/s with spinning, 330 to 490 without. On idle cores two
        # threads lose 2 to 11%. One thread, the default, never waits.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 4  # errors are raised anyway
        source = Path(path)
        contents = read_network(source)
        try:
            with EXIT_GUARD.call():
                self.session = onnxruntime.InferenceSession(
                    contents, options, providers=["CPUExecutionProvider"], enable_fallback=0
                )  # the fallback would print errors on standard output
        except Exception as error:  # onnxruntime raises many kinds for damaged files
            raise ConfigError(f"expected an ONNX file of a network in {str(source)!r}") from error
        super().__init__(source, contents, self.session.get_modelmeta().custom_metadata_map, game)
        self._check()

    def _check(self) -> None:
        """Raise a ConfigError unless the network reads and writes what the game's search needs."""
        inputs, expected = self.session.get_inputs(), self.encoding.feature_bytes
        names = {output.name for output in self.session.get_outputs()}
        if [item.name for item in inputs] != ["features"] or not {"logits", "values"} <= names:
            raise ConfigError(
                f"expected a network with the input 'features' and the outputs 'logits' and "
                f"'values' in {str(self.source)!r}"
            )
        width = inputs[0].shape[-1] if inputs[0].shape else None
        if width != expected:
            raise ConfigError(
                f"expected a network for {self.game.name} in {str(self.source)!r}, got one that "
                f"reads {width} bytes a position, not {expected}"
            )

    def evaluate(
        self, features: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits and values of a batch."""
        try:
            with EXIT_GUARD.call():
                logits, values = self.session.run(["logits", "values"], {"features": features})
        except Exception as error:
            raise ConfigError(f"the network {str(self.source)!r} cannot be evaluated") from error
        return logits, values


class NativeEvaluator(FileEvaluator):
    """Evaluates a `PathNet` with the core (cpp/nets); the file is one of `weights_file`.

    `fast` allows 8-bit products, on processors on which they are faster (AVX-512 with VNNI). The
    values then differ by 0.01 on average. Without it all processors compute the same numbers.
    """

    def __init__(
        self,
        path: str | Path,
        threads: int = 1,
        game: AnyGame | str | None = None,
        fast: bool = False,
    ) -> None:
        check_range("threads", threads, 1, MOST_THREADS)
        source = Path(path)
        contents = read_network(source)
        try:
            weights, known = read_weights(contents)
        except ValueError as error:
            raise ConfigError(f"expected a network in {str(source)!r}: {error}") from error
        super().__init__(source, contents, known, game)
        encoding = self.encoding
        try:
            self._net = _core.PathNetEvaluator(
                weights,
                encoding.canvas,
                encoding.feature_bytes,
                encoding.planes,
                [(part.kernel, part.maps) for part in encoding.policy],
                encoding.has_pass,
                list(encoding.piece_planes),
                threads,
                fast,
            )
        except ConfigError as error:
            raise ConfigError(f"cannot use the network {str(source)!r}: {error}") from error
        self._boards: set[int] = set()

    def evaluate(
        self, features: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits and values of a batch."""
        at = self.encoding.size_byte
        size = self.encoding.canvas if at is None or not len(features) else int(features[0, at])
        self._add_board(size)
        return self._net.evaluate(features, size)

    def grow(self, tree: CoreTree, size: int, batch: int, seconds: float) -> None:
        """Run the plan of a tree on a board of this size, for at most that many seconds.

        All threads search the tree. Up to `batch` leaves, at least one for each thread, are under
        evaluation.
        """
        self._add_board(size)
        tree.search(self._net, size, batch, seconds)

    def _add_board(self, size: int) -> None:
        """Tell the core how to read positions on boards of this size."""
        if size in self._boards:
            return
        if not 1 <= size <= self.encoding.canvas:
            raise ConfigError(
                f"expected packed features of a board of size 1 to {self.encoding.canvas}, got "
                f"size {size}"
            )
        table = self.encoding.plane_table(size, 0)
        self._net.set_board(size, table.byte, table.mask, table.clip, table.scale)
        self._boards.add(size)


def load_evaluator(
    path: str | Path | None = None,
    threads: int = 1,
    game: AnyGame | str | None = None,
    fast: bool = False,
) -> FileEvaluator:
    """The network of a file that `plyground export` wrote: weights (.npz) or an ONNX file.

    Without a `path`, it is the network in the package for the start position of the `game`; without
    a `game`, the game that the file names. `fast` is that of `NativeEvaluator`.
    """
    source = network_for(registry.find(game).start()) if path is None else Path(path)
    if read_network(source).startswith(ZIP_MAGIC):
        return NativeEvaluator(source, threads, game, fast)
    return OnnxEvaluator(source, threads, game)


def packaged_network(name: str) -> Path | None:
    """A network that comes with the package; None if it does not."""
    path = Path(str(files("plyground") / "data" / name))
    return path if path.exists() else None


def read_network(path: Path) -> bytes:
    """The contents of a network's file; that of the package is packed by xz."""
    try:
        contents = path.read_bytes()
        if contents.startswith(XZ_MAGIC):
            contents = LZMADecompressor().decompress(contents, MOST_BYTES)
    except IsADirectoryError as error:
        raise ConfigError(
            f"expected a network's file, got the folder {str(path)!r}; "
            f"`plyground export {path} --out FILE.npz` writes the network of a run"
        ) from error
    except OSError as error:
        raise ConfigError(f"cannot read the network {str(path)!r}: {reason_of(error)}") from error
    except LZMAError as error:
        raise ConfigError(f"expected a network in {str(path)!r}, got a damaged file") from error
    return contents


def network_for(state: State) -> Path:
    """The network in the package for a position's game and board."""
    if (path := state.game.network(state)) is None:
        raise ConfigError(
            f"no network for {state.game.name} comes with this package; name a file of your own, "
            "as in 'zero:network=FILE' (docs/training.md tells how to train one)"
        )
    return path
