"""The interfaces of the core's searchers, as the Python code around them uses them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from plyground.games.base import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from plyground._core import PathNetEvaluator

    Logits: TypeAlias = NDArray[np.float16] | NDArray[np.float32]

Report: TypeAlias = dict[str, Any]  # fields of SearchResult: numbers, lists and None
S_contra = TypeVar("S_contra", bound=State, contravariant=True)


class NativeEngine(Protocol[S_contra]):
    """An alpha-beta engine of the core for one game."""

    def search(
        self,
        state: S_contra,
        time_s: float | None,
        start_s: float | None,
        nodes: int | None,
        depth: int | None,
        progress: Callable[[Report], object] | None,
        /,
    ) -> Report:
        """Search until a limit is reached; after `start_s` no new depth is started."""

    def stop(self) -> None:
        """End the running search soon, from any thread."""

    def clear(self) -> None:
        """Forget what earlier searches found."""

    def deepest(self, most: int, /) -> bytes:
        """The deepest entries of the table after the last search, for `recall`."""

    def recall(self, kept: bytes, /) -> None:
        """Load what `deepest` returned in the same version."""


class NativeTree(Protocol):
    """A search tree of the core for one game, grown by the evaluations of a network."""

    @property
    def visits(self) -> int:
        """Simulations of the root, including those of earlier searches."""

    @property
    def win_in(self) -> int | None:
        """Plies to a proven win of the player to move, negative for a loss."""

    @property
    def simulations_left(self) -> int:
        """Simulations left of those that `begin` allowed."""

    @property
    def is_evaluated(self) -> bool:
        """Whether the root has been evaluated."""

    def begin(self, simulations: int, /) -> None:
        """Allow that many more simulations."""

    def select(self, most: int, /) -> NDArray[np.uint8]:
        """Packed features of leaves to evaluate, [leaves, bytes]."""

    def expand(self, logits: Logits, values: NDArray[np.float32], /) -> None:
        """Add the evaluations of the leaves that `select` returned."""

    def search(self, network: PathNetEvaluator, size: int, batch: int, seconds: float, /) -> None:
        """Run the plan with a network of the core, for at most that many seconds."""

    def best_action(self) -> int:
        """The move to play."""

    def best_value(self) -> float:
        """The value of that move, from -1 to 1."""

    def pv(self) -> list[int]:
        """The principal variation."""

    def policy(self) -> NDArray[np.float32]:
        """The improved policy of the root, by action."""

    def moves(self) -> list[Report]:
        """Action, logit, visits, value and win_in of every move of the root."""

    def advance(self, action: int, /) -> None:
        """Make a child of the root the new root."""

    def __len__(self) -> int:
        """The number of nodes."""


class NativeSelfPlay(Protocol):
    """The core's pool of self-play games, in halves that take turns."""

    def size(self, half: int, /) -> int:
        """The number of games in a half, which is also the number of leaves of each step."""

    def step(
        self,
        half: int,
        logits: Logits | None,
        values: NDArray[np.float32] | None,
        features: NDArray[np.uint8],
        /,
    ) -> int:
        """Take evaluations, run the games of a half, and write the next leaves to evaluate."""

    def drain(self, max_rows: int, /) -> Mapping[str, NDArray[np.generic]]:
        """Positions of finished games, each returned once: arrays by name, a row a position."""

    def stats(self) -> dict[str, int]:
        """Counts since the start."""

    def set(self, name: str, value: float, /) -> None:
        """Change a setting by name."""
