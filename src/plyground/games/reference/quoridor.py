"""The rules of Quoridor in plain Python, written to be read.

The native core plays by the same rules far faster; the tests compare the two move by move. Names
match `plyground.quoridor`, so that a test can run on either. The core is not imported here; every
error is a plain `ValueError` with the message of the core.

A horizontal wall (r, c) lies between rows r and r+1, over columns c and c+1; a vertical wall
(r, c) lies between columns c and c+1, over rows r and r+1. With player 1 at the bottom:

    row r+1    x   x           x | x
               -----    h        |    v
    row r      x   x           x | x
               c  c+1          c  c+1
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from plyground.games.quoridor_config import GameConfig

Cell = tuple[int, int]
Action = tuple[str, Cell]

STEPS = ((1, 0), (0, 1), (0, -1), (-1, 0))
SUFFIX = {"move": "", "h_wall": "h", "v_wall": "v"}
PAST_STATES = 15
"""Earlier positions that a state keeps."""
TEXT = re.compile(r"(\d) ([a-i]\d)/([a-i]\d) (-|[a-i0-9hv,]+) (\d+)/(\d+) ([12]) (\d+) (\d+)")


@dataclass(frozen=True)
class State:
    """One position. The history is for `encode_state` only and is not compared."""

    config: GameConfig
    pawns: tuple[Cell, Cell]
    walls_left: tuple[int, int]
    current_player: int = 1
    move_count: int = 0
    moves_since_last_wall: int = 0
    h_walls: frozenset[Cell] = frozenset()
    v_walls: frozenset[Cell] = frozenset()
    history: tuple[State, ...] = field(default=(), compare=False, repr=False)  # oldest first

    @staticmethod
    def start(config: GameConfig) -> State:
        """Player 1 in the middle of row 0 and to move, player 2 facing from row n-1."""
        n, walls = config.board_size, config.walls_per_player
        return State(config, ((0, n // 2), (n - 1, n // 2)), (walls, walls))

    @staticmethod
    def parse(text: str, config: GameConfig) -> State:
        """Parse what `text` writes. Walls are placed one at a time, each checked like a move."""
        match = TEXT.fullmatch(text)
        if not match or int(match[1]) != config.board_size:
            raise ValueError(f"expected a position of this board size, got {text!r}")
        pawns = (notation_to_action(match[2])[1], notation_to_action(match[3])[1])
        left = (int(match[5]), int(match[6]))
        state = State(config, pawns, (1, 1), int(match[7]), int(match[8]), int(match[9]))
        possible = (
            max(*pawns[0], *pawns[1]) < config.board_size
            and pawns[0] != pawns[1]
            and not (pawns[0][0] == state.goal_row(1) and pawns[1][0] == state.goal_row(2))
            and max(left) <= config.walls_per_player
            and state.move_count <= config.max_moves
            and state.moves_since_last_wall <= min(config.no_progress_limit, state.move_count)
        )
        if not possible:
            raise ValueError(f"impossible position {text!r}")
        for wall in [] if match[4] == "-" else match[4].split(","):
            kind, cell = notation_to_action(wall)
            if reason := state.wall_refusal(kind, cell):
                raise ValueError(f"impossible position {text!r}: {wall}: {reason}")
            state = state.with_wall(kind, cell)
        return replace(state, walls_left=left)

    def text(self) -> str:
        """The position on one line; `parse` reads it back."""
        walls = [("h_wall", cell) for cell in sorted(self.h_walls)]
        walls += [("v_wall", cell) for cell in sorted(self.v_walls)]
        return (
            f"{self.config.board_size} {'/'.join(map(position_to_notation, self.pawns))} "
            f"{','.join(map(action_to_notation, walls)) or '-'} "
            f"{self.walls_left[0]}/{self.walls_left[1]} {self.current_player} "
            f"{self.move_count} {self.moves_since_last_wall}"
        )

    # The end of the game.

    def goal_row(self, player: int) -> int:
        """The row that the player must reach."""
        return self.config.board_size - 1 if player == 1 else 0

    @property
    def winner(self) -> int | None:
        """The player whose pawn has reached the goal row."""
        won = [p for p in (1, 2) if self.pawns[p - 1][0] == self.goal_row(p)]
        return won[0] if won else None

    @property
    def game_over(self) -> bool:
        """Won, or drawn at a limit. A win on the move that reaches a limit is still a win."""
        too_long = self.move_count >= self.config.max_moves
        no_progress = self.moves_since_last_wall >= self.config.no_progress_limit
        return self.winner is not None or too_long or no_progress

    # The board.

    def is_open(self, here: Cell, there: Cell) -> bool:
        """Whether no wall or rim blocks the step between neighbouring cells; pawns do not count."""
        if not all(0 <= x < self.config.board_size for x in there):
            return False
        r, c = min(here, there)
        if here[1] == there[1]:  # along a column: a horizontal wall may lie between the rows
            return (r, c) not in self.h_walls and (r, c - 1) not in self.h_walls
        return (r, c) not in self.v_walls and (r - 1, c) not in self.v_walls

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """Cells one open step away."""
        return (there for there in around(cell) if self.is_open(cell, there))

    def can_reach_goal(self, player: int) -> bool:
        """Whether the player has a path, by a depth-first search towards the goal."""
        todo, seen = [self.pawns[player - 1]], {self.pawns[player - 1]}
        while todo:
            cell = todo.pop()
            if cell[0] == self.goal_row(player):
                return True
            fresh = [there for there in self.neighbours(cell) if there not in seen]
            seen.update(fresh)
            todo += fresh if player == 2 else reversed(fresh)
        return False

    def with_wall(self, kind: str, cell: Cell) -> State:
        """The same position with one more wall, legal or not."""
        if kind == "h_wall":
            return replace(self, h_walls=self.h_walls | {cell})
        return replace(self, v_walls=self.v_walls | {cell})

    # Moves.

    def refusal(self, kind: str, cell: Cell) -> str | None:
        """Why the player to move may not play this, or None if it is legal."""
        if self.game_over:
            return "the game is over"
        if kind == "move":
            if cell in get_legal_pawn_moves(self):
                return None
            return (
                "a wall is in the way" if self.is_walled_off(cell) else "no pawn move leads there"
            )
        return self.wall_refusal(kind, cell)

    def is_walled_off(self, cell: Cell) -> bool:
        """Whether an illegal cell would be a step, or a jump that the rules allow, without walls.

        Beside the opponent it would not, while the straight jump over it is possible.
        """
        me, other = self.pawns[self.current_player - 1], self.pawns[2 - self.current_player]
        if not all(0 <= x < self.config.board_size for x in cell):
            return False
        if cell in around(me):
            return cell != other
        behind = (2 * other[0] - me[0], 2 * other[1] - me[1])
        if other not in around(me) or cell not in around(other) or cell == me:
            return False
        return cell == behind or not self.is_open(other, behind)

    def wall_refusal(self, kind: str, cell: Cell) -> str | None:
        """Why the player to move may not place this wall; the first reason in a fixed order."""
        (r, c), me = cell, self.current_player
        if not all(0 <= x < self.config.board_size - 1 for x in cell):
            return "it lies outside the wall grid"
        if self.walls_left[me - 1] == 0:
            return f"player {me} has no walls left"
        if kind == "h_wall":
            along, across, other = self.h_walls, self.v_walls, "v_wall"
            places = [(r, c - 1), (r, c), (r, c + 1)]
        else:
            along, across, other = self.v_walls, self.h_walls, "h_wall"
            places = [(r - 1, c), (r, c), (r + 1, c)]
        for place in places:
            if place in along:
                return f"it overlaps the wall at {action_to_notation((kind, place))}"
        if cell in across:
            return f"it crosses the wall at {action_to_notation((other, cell))}"
        walled = self.with_wall(kind, cell)
        for player in (1, 2):
            if not walled.can_reach_goal(player):
                return f"it cuts player {player} off from the goal"
        return None

    def get_legal_moves(self) -> list[Action]:
        """Every legal action, by ascending number."""
        n = self.config.board_size
        actions = [decode_action(index, n) for index in range(n * n + 2 * (n - 1) ** 2)]
        return [action for action in actions if self.refusal(*action) is None]

    def legal_actions(self) -> list[int]:
        """The same as dense integers."""
        return [encode_action(action, self.config.board_size) for action in self.get_legal_moves()]

    def play(self, action: int | str) -> State:
        """The position after a move, given as a dense integer or in notation."""
        if isinstance(action, str):
            return self.make_move(*notation_to_action(action))
        return self.make_move(*decode_action(action, self.config.board_size))

    def make_move(self, kind: str, cell: Cell) -> State:
        """The position after a move; a ValueError with the reason if it is illegal."""
        if reason := self.refusal(kind, cell):
            name = action_to_notation((kind, cell))
            raise ValueError(f"illegal move {name!r} in {self.text()!r}: {reason}")
        me, (pawn1, pawn2), (left1, left2) = self.current_player, self.pawns, self.walls_left
        past = (*self.history, replace(self, history=()))[-PAST_STATES:]
        after = replace(self, current_player=3 - me, move_count=self.move_count + 1, history=past)
        if kind == "move":
            pawns = (cell, pawn2) if me == 1 else (pawn1, cell)
            since = self.moves_since_last_wall + 1
            return replace(after, pawns=pawns, moves_since_last_wall=since)
        left = (left1 - 1, left2) if me == 1 else (left1, left2 - 1)
        return replace(after.with_wall(kind, cell), walls_left=left, moves_since_last_wall=0)


def get_legal_pawn_moves(state: State, player: int | None = None) -> list[Cell]:
    """Where the pawn may go: a step, a jump, or beside the opponent when the jump is closed."""
    player = player or state.current_player
    if state.game_over:
        return []
    me, opponent = state.pawns[player - 1], state.pawns[2 - player]
    cells: list[Cell] = []
    for near in state.neighbours(me):
        behind = (2 * near[0] - me[0], 2 * near[1] - me[1])
        if near != opponent:
            cells.append(near)
        elif state.is_open(near, behind):
            cells.append(behind)
        else:
            cells += [side for side in state.neighbours(near) if side != me]
    return sorted(cells)


def shortest_path_length(state: State, player: int) -> int:
    """Steps to the goal row, by breadth-first search; pawns do not block."""
    start = state.pawns[player - 1]
    steps, queue = {start: 0}, deque([start])
    while queue:
        cell = queue.popleft()
        if cell[0] == state.goal_row(player):
            return steps[cell]
        for there in state.neighbours(cell):
            if there not in steps:
                steps[there] = steps[cell] + 1
                queue.append(there)
    raise ValueError(f"player {player} has no way to the goal in {state.text()!r}")


def perft(state: State, depth: int) -> int:
    """Count the move paths of exactly this length."""
    if depth == 0:
        return 1
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(perft(state.play(a), depth - 1) for a in actions)


def encode_state(
    state: State, history_length: int = 4
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Planes [4 * history_length, n, n] and scalars [5] for a network, seen by the player to move.

    Each frame has my pawn, the opponent's, horizontal and vertical walls, newest frame first.
    For player 2 the board is turned over; a wall is an edge, so its row r becomes n-2-r.
    """
    import numpy as np

    config, n, me = state.config, state.config.board_size, state.current_player
    spatial = np.zeros((4 * history_length, n, n), np.float32)
    for t, frame in enumerate([state, *reversed(state.history)][:history_length]):
        for plane, player in ((4 * t, me), (4 * t + 1, 3 - me)):
            r, c = frame.pawns[player - 1]
            spatial[plane, r if me == 1 else n - 1 - r, c] = 1
        for r, c in frame.h_walls:
            spatial[4 * t + 2, r if me == 1 else n - 2 - r, c : c + 2] = 1
        for r, c in frame.v_walls:
            low = r if me == 1 else n - 2 - r
            spatial[4 * t + 3, low : low + 2, c] = 1
    most = max(1, config.walls_per_player)  # in a game without walls both shares are 0
    mine, theirs = state.walls_left[me - 1] / most, state.walls_left[2 - me] / most
    played, since = state.move_count, state.moves_since_last_wall
    clocks = played / config.max_moves, since / config.no_progress_limit
    return spatial, np.array([mine, theirs, me - 1, *clocks], np.float32)


def encode_action(action: Action, board_size: int) -> int:
    """Pawn moves first, by target cell, then horizontal walls, then vertical walls."""
    kind, (r, c) = action
    n, slots = board_size, (board_size - 1) ** 2
    if kind == "move":
        return r * n + c
    return n * n + r * (n - 1) + c + (slots if kind == "v_wall" else 0)


def decode_action(index: int, board_size: int) -> Action:
    """The action of a number."""
    n, slots = board_size, (board_size - 1) ** 2
    if index < n * n:
        return "move", divmod(index, n)
    direction, slot = divmod(index - n * n, slots)
    return ("h_wall", "v_wall")[direction], divmod(slot, n - 1)


def around(cell: Cell) -> list[Cell]:
    """The cells beside a cell, on the board or not."""
    return [(cell[0] + dr, cell[1] + dc) for dr, dc in STEPS]


def position_to_notation(cell: Cell) -> str:
    """Column letter, then row number from player 1's side: (1, 4) is e2."""
    return "abcdefghi"[cell[1]] + str(cell[0] + 1)


def action_to_notation(action: Action) -> str:
    """The cell of a pawn move, or the slot of a wall followed by h or v."""
    return position_to_notation(action[1]) + SUFFIX[action[0]]


def notation_to_action(text: str) -> Action:
    """Parse a move, which may lie outside the board."""
    match = re.fullmatch(r"([a-i])([1-9])([hv]?)", text)
    if not match:
        raise ValueError(f"expected a cell like 'e2' or a wall like 'e3h', got {text!r}")
    kind = {"": "move", "h": "h_wall", "v": "v_wall"}[match[3]]
    return kind, (int(match[2]) - 1, "abcdefghi".index(match[1]))
