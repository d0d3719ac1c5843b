"""The tree of a live game: its positions by number, and its variations, comments and marks."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable

from plyground.games.base import Outcome, State
from plyground.play.events import Event, TreeChanged
from plyground.play.history import History, Ply, TreeMove


class LiveTree(ABC):
    """The part of a live game that reads and changes its tree; thread-safe like all of it."""

    _history: History
    _lock: threading.RLock
    _turn: int

    @abstractmethod
    def _emit(self, event: Event) -> None:
        """Send an event to the listeners."""

    @abstractmethod
    def _moved(self, plies: int) -> None:
        """Begin the turn of another position of the tree."""

    # Read-only state.

    @property
    def node(self) -> int:
        """The number of the position on the board in the tree; 0 is the start."""
        with self._lock:
            return self._history.node.number

    @property
    def main_end(self) -> int:
        """The number of the position at the end of the main line."""
        with self._lock:
            return self._history.main_end.number

    @property
    def has_variations(self) -> bool:
        """Whether the game has moves outside its main line."""
        with self._lock:
            return self._history.has_variations

    @property
    def deleted(self) -> int:
        """Number of deleted variations that can be restored."""
        return self._history.deleted

    def tree(self) -> list[TreeMove]:
        """All moves of the game, with their variations."""
        with self._lock:
            return self._history.tree()

    def node_at(self, ply: int) -> int:
        """The number of the position after that many plies of the line on the board.

        Beyond the line it is that of the last position.
        """
        with self._lock:
            nodes = [self._history.root, *self._history.line_through(self._history.node)]
            return nodes[min(ply, len(nodes) - 1)].number

    def state_of(self, node: int) -> State:
        """A position of the tree."""
        with self._lock:
            return self._history.state_of(self._history.find(node))

    def outcome_of(self, node: int) -> Outcome | None:
        """How the game ended at a position of the tree; None if it did not."""
        with self._lock:
            found = self._history.find(node)
            return found.ending or self._history.state_of(found).outcome

    def line_through(self, node: int) -> tuple[list[State], list[Ply], int]:
        """The positions and plies of the line through a node, and the node's ply in it.

        It is the line on the board if the node is on that.
        """
        with self._lock:
            found = self._history.find(node)
            plies = [each.played for each in self._history.line_through(found)]
            return [self._history.start, *(ply.state for ply in plies)], plies, found.depth

    # Actions.

    def select(self, node: int) -> None:
        """Go to any position of the tree; another move there opens a variation."""
        with self._lock:
            self._moved(self._history.select(self._history.find(node)))

    def promote(self, node: int) -> None:
        """Make the variation that a position is in the main line at the place where it begins."""
        with self._lock:
            self._history.promote(self._history.find(node))
            self._emit(TreeChanged(self._turn))

    def delete_variation(self, node: int) -> None:
        """Delete the variation that a position is in; `restore_variation` brings it back.

        If the board shows the variation, the end of the main line takes its place.
        """
        with self._lock:
            if self._history.delete(self._history.find(node)):
                self._moved(0)
            else:
                self._emit(TreeChanged(self._turn))

    def restore_variation(self) -> int:
        """Bring back the variation that was deleted last; returns the number of its first node."""
        with self._lock:
            node = self._history.restore()
            self._emit(TreeChanged(self._turn))
            return node.number

    def annotate(self, node: int, comment: str, marks: Iterable[int] = ()) -> None:
        """Set the comment and the marks of the move that led to a position."""
        with self._lock:
            self._history.annotate(self._history.find(node), comment, tuple(marks))
            self._emit(TreeChanged(self._turn))
