"""The moves of a live game: a tree with a current position, undo and redo.

The main line is the first child of every node in turn. A move at an earlier position opens a
variation. A move after an undo takes the place of the undone move, which becomes a variation. Only
a line that ends with a result keeps its place: a finished game stays the main line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from plyground.agents.base import ForfeitKind
from plyground.errors import IllegalMoveError, NotationError
from plyground.games.base import Outcome, State
from plyground.play.record import DEEPEST, MoveRecord, check_comment, check_mark

Clocks = dict[int, float | None]
MOST_VARIATION_PLIES = 1000
"""Plies outside the main line at which a game takes no further variation."""
MOST_COMMENT_CHARACTERS = 20_000
"""Characters in all comments of a game."""
MOST_MARKS = 8
"""Marks of a move."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A move with the position and clocks after it, for undo and redo."""

    action: int
    move: MoveRecord
    """The move without its variations, which are other nodes."""
    state: State
    """The position after it."""
    clocks: Clocks
    """Seconds left to both players after it."""


@dataclass(eq=False, slots=True)
class Node:
    """A position of the tree. The root has no parent and no ply."""

    number: int
    """The node's id, which stays the same as long as the game lives; the root's is 0."""
    parent: Node | None = None
    ply: Ply | None = None
    depth: int = 0
    """Plies from the start."""
    ending: Outcome | None = None
    """An end of the game here for a reason other than the rules."""
    forfeit: ForfeitKind | None = None
    """How the loser forfeited the game, if it ended so."""
    children: list[Node] = field(default_factory=list)
    """The continuations, the main one first."""

    @property
    def played(self) -> Ply:
        """The ply that led here, for nodes other than the root."""
        assert self.ply is not None
        return self.ply

    @property
    def is_finished(self) -> bool:
        """Whether the game ended here."""
        return self.ending is not None or self.played.state.outcome is not None

    def reopen(self) -> None:
        """Let the game go on here, unless the rules ended it."""
        self.ending = self.forfeit = None

    def child(self, action: int) -> Node | None:
        """The continuation with this move."""
        return next((node for node in self.children if node.played.action == action), None)

    def opens_variation(self, action: int) -> bool:
        """Whether this move would be new here, beside others."""
        return bool(self.children) and self.child(action) is None

    def continuation(self) -> list[Node]:
        """The main continuation from here to its end."""
        nodes, node = [], self
        while node.children:
            node = node.children[0]
            nodes.append(node)
        return nodes

    def path(self) -> list[Node]:
        """The nodes from the first ply to this one."""
        path, node = [], self
        while node.parent is not None:
            path.append(node)
            node = node.parent
        return path[::-1]

    def branch(self) -> Node | None:
        """The first node of the innermost variation that this node is in; None on the main line."""
        node = self
        while node.parent is not None:
            if node is not node.parent.children[0]:
                return node
            node = node.parent
        return None

    def moves(self) -> tuple[MoveRecord, ...]:
        """The moves from here as a record has them, with their variations."""
        moves, node = [], self
        while node.children:
            first, *others = node.children
            move = first.played.move
            if others:
                lines = tuple((other.played.move, *other.moves()) for other in others)
                move = replace(move, variations=lines)
            moves.append(move)
            node = first
        return tuple(moves)


@dataclass(frozen=True, slots=True)
class TreeMove:
    """A move of the tree as screens list it."""

    node: int
    parent: int
    """The node before it; 0 is the start."""
    move: MoveRecord


class History:
    """A start position, the tree of plies played from it, and the line on the board."""

    def __init__(self, start: State, clocks: Clocks) -> None:
        self.start = start
        self.root = Node(0)
        self._clocks = clocks
        self._nodes = {0: self.root}
        self._next = 1
        self._line: list[Node] = []  # the plies on the board, followed by those to redo
        self._at = 0  # the number of plies on the board
        self._is_taken_back = False  # the plies to redo were undone by a player
        self._deleted: list[tuple[Node, int]] = []  # variations with their places

    def __len__(self) -> int:
        """Plies on the board."""
        return self._at

    # The position on the board and the line that leads there.

    @property
    def node(self) -> Node:
        """The node of the position on the board."""
        return self._line[self._at - 1] if self._at else self.root

    @property
    def undone(self) -> int:
        """Number of plies that can be redone."""
        return len(self._line) - self._at

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.state_of(self.node)

    @property
    def states(self) -> list[State]:
        """Every position so far, the first before any move."""
        return [self.start, *(node.played.state for node in self._line[: self._at])]

    @property
    def moves(self) -> list[MoveRecord]:
        """The moves so far."""
        return [node.played.move for node in self._line[: self._at]]

    @property
    def actions(self) -> list[int]:
        """The moves so far as action numbers."""
        return [node.played.action for node in self._line[: self._at]]

    @property
    def clocks(self) -> Clocks:
        """Seconds left to both players when this position arose."""
        return self.clocks_of(self.node)

    def state_at(self, ply: int) -> State:
        """The position after a number of plies, which may be undone."""
        return self._line[ply - 1].played.state if ply else self.start

    def go_to(self, ply: int) -> int:
        """Undo or redo up to a ply; returns the number of plies, negative if undone."""
        plies = ply - self._at
        if plies < 0 and not self.undone:  # from the end of a line; elsewhere it is only looked at
            self._is_taken_back = True
        self._at = ply
        return plies

    def select(self, node: Node) -> int:
        """Go to any node; returns the number of plies, negative if the line is shorter."""
        plies = node.depth - self._at
        if not self._is_on_line(node):
            self._line = [*node.path(), *node.continuation()]
        self._at = node.depth
        self._is_taken_back = False
        return plies

    # The tree.

    @property
    def main_end(self) -> Node:
        """The end of the main line."""
        return next(reversed(self.root.continuation()), self.root)

    @property
    def has_variations(self) -> bool:
        """Whether there are moves outside the main line."""
        return len(self._nodes) - 1 > self.main_end.depth

    @property
    def deleted(self) -> int:
        """Number of deleted variations that can be restored."""
        return len(self._deleted)

    def find(self, number: int) -> Node:
        """A node by its number."""
        if number not in self._nodes:
            raise IllegalMoveError(f"there is no position {number} in this game")
        return self._nodes[number]

    def state_of(self, node: Node) -> State:
        """The position of a node."""
        return self.start if node.ply is None else node.ply.state

    def mover(self, node: Node) -> int:
        """The player who made the move that led to a node."""
        assert node.parent is not None
        return self.state_of(node.parent).current_player

    def clocks_of(self, node: Node) -> Clocks:
        """Seconds left to both players when a position arose."""
        return dict(self._clocks if node.ply is None else node.ply.clocks)

    def line_through(self, node: Node) -> list[Node]:
        """The line on the board if the node is on it; else the node's path and continuation."""
        if self._is_on_line(node) and node.depth <= self._at:
            return self._line[: self._at]
        return [*node.path(), *node.continuation()]

    def tree(self) -> list[TreeMove]:
        """All moves: a node comes after its parent, and children are in their order."""
        return [
            TreeMove(node.number, node.parent.number, node.played.move)
            for node in self._all()
            if node.parent is not None
        ]

    def append(self, ply: Ply) -> None:
        """Play a ply on the board; if the position has that move already, step onto it."""
        node, child = self.node, self.node.child(ply.action)
        if child is None:
            child = self._add(node, ply, self._place())
        elif self._is_taken_back:
            child.ply = replace(ply, move=_with_remarks(ply.move, child.played.move))
            child.reopen()
        if not (self.undone and self._line[self._at] is child):
            self._line[self._at :] = [child, *child.continuation()]
        self._at += 1

    def add(self, parent: Node, ply: Ply) -> Node:
        """Add a ply of a record as the last continuation, unless the tree has it already."""
        child = parent.child(ply.action)
        if child is None:
            return self._add(parent, ply, len(parent.children))
        child.ply = replace(child.played, move=_with_remarks(child.played.move, ply.move))
        return child

    def check_room(self) -> None:
        """Raise an IllegalMoveError if the game can take no further variation."""
        plies = len(self._nodes) - 1 - self.main_end.depth
        if plies >= MOST_VARIATION_PLIES or self._nesting() >= DEEPEST:
            raise IllegalMoveError("this game has too many variations; delete some of them first")

    def promote(self, node: Node) -> None:
        """Make the variation that a node is in the main continuation at its first move."""
        branch = node.branch()
        if branch is None or branch.parent is None:
            raise IllegalMoveError("this move is on the main line already")
        if self._nesting() >= DEEPEST:
            self.check_room()
        branch.parent.children.remove(branch)
        branch.parent.children.insert(0, branch)

    def delete(self, node: Node) -> bool:
        """Delete the variation that a node is in; whether the board was in it and left it."""
        branch = node.branch()
        if branch is None or branch.parent is None:
            raise IllegalMoveError("only variations can be deleted; this move is on the main line")
        was_on_board = branch in self._line[: self._at]
        self._remove(branch)
        if was_on_board:
            self.select(self.main_end)
        return was_on_board

    def end(self, outcome: Outcome, forfeit: ForfeitKind | None = None) -> None:
        """End the game at the position on the board for a reason other than the rules.

        Moves that were undone before are removed, so that the main line ends here as well; they can
        be restored. A line that ended with a result before stays.
        """
        node = self.node
        node.ending, node.forfeit = outcome, forfeit
        was_undone = self._is_taken_back and self.undone and not self._line[-1].is_finished
        if was_undone and node.branch() is None:
            for child in reversed(node.children):
                self._remove(child)

    def restore(self) -> Node:
        """Bring the variation back that was deleted last; returns its first node."""
        if not self._deleted:
            raise IllegalMoveError("there is no deleted variation to restore")
        branch, place = self._deleted[-1]
        parent = branch.parent
        assert parent is not None
        if parent.child(branch.played.action) is not None:
            self._deleted.pop()
            return self._merge(parent, branch)
        parent.children.insert(place, branch)
        if self._nesting() > DEEPEST:
            parent.children.remove(branch)
            self.check_room()
        self._deleted.pop()
        self._nodes |= {each.number: each for each in _below(branch)}
        return branch

    def annotate(self, node: Node, comment: str, marks: tuple[int, ...]) -> None:
        """Set the comment and the marks of a move."""
        if node.ply is None:
            raise IllegalMoveError("the start has no move to comment on")
        if len(marks) > MOST_MARKS:
            raise NotationError(f"expected at most {MOST_MARKS} marks, got {len(marks)}")
        for mark in marks:
            check_mark(mark)
        comment = check_comment(comment)
        others = sum(len(each.played.move.comment) for each in self._all() if each is not node)
        if comment and others + len(comment) > MOST_COMMENT_CHARACTERS:
            raise NotationError(
                f"expected at most {MOST_COMMENT_CHARACTERS} characters of comments in a game"
            )
        move = replace(node.played.move, comment=comment, marks=tuple(marks))
        node.ply = replace(node.played, move=move)

    # Implementation.

    def _is_on_line(self, node: Node) -> bool:
        return node is self.root or (
            node.depth <= len(self._line) and self._line[node.depth - 1] is node
        )

    def _place(self) -> int:
        """Where a new move goes among the continuations of the position on the board."""
        siblings = self.node.children
        if not self._is_taken_back or not self.undone or self._line[-1].is_finished:
            return len(siblings)
        return siblings.index(self._line[self._at])

    def _remove(self, branch: Node) -> None:
        """Move a node and all nodes below it to the deleted ones."""
        assert branch.parent is not None
        siblings = branch.parent.children
        self._deleted.append((branch, siblings.index(branch)))
        siblings.remove(branch)
        for each in _below(branch):
            del self._nodes[each.number]
        if branch in self._line[self._at :]:  # it could have been redone
            self._line[self._at :] = self.node.continuation()

    def _add(self, parent: Node, ply: Ply, place: int) -> Node:
        node = Node(self._next, parent, ply, parent.depth + 1)
        self._nodes[self._next] = node
        self._next += 1
        parent.children.insert(place, node)
        return node

    def _merge(self, parent: Node, branch: Node) -> Node:
        """Add a deleted variation to a line that begins with the same move."""
        merged = {parent.number: parent}
        for node in _below(branch):
            assert node.parent is not None
            merged[node.number] = self.add(merged[node.parent.number], node.played)
        for deleted, _ in self._deleted:  # their parents may be nodes that were merged
            assert deleted.parent is not None
            deleted.parent = merged.get(deleted.parent.number, deleted.parent)
        return merged[branch.number]

    def _all(self) -> Iterator[Node]:
        """All nodes other than the root, each after its parent."""
        return (node for node in _below(self.root) if node is not self.root)

    def _nesting(self) -> int:
        """How deep variations are nested."""
        levels = {0: 0}
        for node in self._all():
            assert node.parent is not None
            is_main = node is node.parent.children[0]
            levels[node.number] = levels[node.parent.number] + (not is_main)
        return max(levels.values())


def format_path(node: Node) -> str:
    """Where a node is in its tree: `10`, or `10.1.3` for a variation.

    That is 10 plies on the main line, then 3 plies in the first variation there.
    """
    parts = [0]
    for step in node.path():
        assert step.parent is not None
        if (place := step.parent.children.index(step)) > 0:
            parts += [place, 0]
        parts[-1] += 1
    return ".".join(map(str, parts))


def find_path(root: Node, text: str) -> Node:
    """The node that `format_path` describes; a NotationError if there is none."""
    parts = text.split(".")
    if not all(part.isascii() and part.isdecimal() and len(part) < 6 for part in parts):
        raise NotationError(f"expected a position such as '10' or '10.1.3', got {text!r}")
    node = root
    first, *rest = map(int, parts)
    steps = [0] * first
    for place, plies in zip(rest[::2], rest[1::2], strict=False):
        steps += [place, *[0] * (plies - 1)]
    for place in steps:
        if place >= len(node.children):
            raise NotationError(f"there is no position {text!r} in the game")
        node = node.children[place]
    return node


def _with_remarks(move: MoveRecord, other: MoveRecord) -> MoveRecord:
    """A move with the comment and the marks of another one, unless it has its own."""
    return replace(move, comment=move.comment or other.comment, marks=move.marks or other.marks)


def _below(node: Node) -> Iterator[Node]:
    """A node and all nodes below it, each after its parent, main continuations first."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(reversed(found.children))
