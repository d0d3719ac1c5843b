"""The rules of Quoridor as Python functions: actions, notation, paths and encodings.

The rules are implemented in the core: `State` is `_core.QuoridorState`. `plyground.quoridor`
re-exports these functions.
"""

from __future__ import annotations

from operator import index as whole
from typing import TYPE_CHECKING, Literal, SupportsIndex

from plyground import _core
from plyground.errors import ConfigError, IllegalMoveError, NotationError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

State = _core.QuoridorState
Kind = Literal["move", "h_wall", "v_wall"]
Cell = tuple[int, int]
Action = tuple[Kind, Cell]

HISTORY_LENGTH = 4
"""The default number of positions that `encode_state` encodes."""


def expect_state(state: object) -> State:
    """The state itself; a ConfigError unless it is a state of Quoridor."""
    if not isinstance(state, State):
        raise ConfigError(f"expected a state of quoridor, got {state!r}")
    return state


def action_space_size(board_size: int = 9) -> int:
    """The number of actions of a board: a pawn move per cell, two walls per slot.

    >>> [action_space_size(n) for n in (3, 5, 7, 9)]
    [17, 57, 121, 209]
    """
    _check_size(board_size)
    return board_size**2 + 2 * (board_size - 1) ** 2


def encode_action(action: Action, board_size: int = 9) -> int:
    """The number of an action: pawn cells first, then horizontal, then vertical walls.

    >>> encode_action(("h_wall", (2, 4)))
    101
    """
    _check_size(board_size)
    kind, (row, col) = action
    if kind not in ("move", "h_wall", "v_wall"):
        raise NotationError(f"expected a kind 'move', 'h_wall' or 'v_wall', got {kind!r}")
    width = board_size if kind == "move" else board_size - 1
    row, col = whole(row), whole(col)
    if not (0 <= row < width and 0 <= col < width):
        raise IllegalMoveError(
            f"expected a row and column from 0 to {width - 1} for {kind!r}, got {(row, col)}"
        )
    cells, slots = board_size**2, (board_size - 1) ** 2
    first = {"move": 0, "h_wall": cells, "v_wall": cells + slots}[kind]
    return first + row * width + col


def decode_action(index: SupportsIndex, board_size: int = 9) -> Action:
    """The action with this number.

    >>> decode_action(101)
    ('h_wall', (2, 4))
    """
    size, number = action_space_size(board_size), whole(index)
    if not 0 <= number < size:
        raise IllegalMoveError(
            f"expected an action from 0 to {size - 1} on a board of size {board_size}, got {number}"
        )
    cells, slots = board_size**2, (board_size - 1) ** 2
    if number < cells:
        return "move", divmod(number, board_size)
    kind: Kind = "h_wall" if number < cells + slots else "v_wall"
    return kind, divmod((number - cells) % slots, board_size - 1)


def position_to_notation(position: Cell) -> str:
    """The name of a cell.

    >>> position_to_notation((1, 4))
    'e2'
    """
    return action_to_notation(("move", position))


def notation_to_position(text: str, board_size: int = 9) -> Cell:
    """The (row, col) of a cell's name."""
    kind, position = notation_to_action(text, board_size)
    if kind != "move":
        raise NotationError(f"expected a cell like 'e2', got the wall {text!r}")
    return position


def action_to_notation(action: Action | SupportsIndex, board_size: int = 9) -> str:
    """An action, as tuple or number, in notation.

    >>> action_to_notation(("v_wall", (3, 3))), action_to_notation(101)
    ('d4v', 'e3h')
    """
    number = encode_action(action, board_size) if isinstance(action, tuple) else whole(action)
    return _core.quoridor_format_action(number, board_size)


def notation_to_action(text: str, board_size: int = 9) -> Action:
    """Parse a move like 'e2', 'e3h' or 'D4V'.

    >>> notation_to_action("e3h")
    ('h_wall', (2, 4))
    """
    return decode_action(_core.quoridor_parse_action(text, board_size), board_size)


def flip_action(action: int, board_size: int = 9) -> int:
    """The action as the player at the other end sees it; its own inverse."""
    return _core.quoridor_flip_action(action, board_size)


def mirror_action(action: int, board_size: int = 9) -> int:
    """The action in the left-right mirror, the only symmetry that keeps the goals."""
    return _core.quoridor_mirror_action(action, board_size)


def get_legal_pawn_moves(state: State, player: int | None = None) -> list[Cell]:
    """Cells that a player's pawn may move to, by default that of the player to move."""
    return state.legal_pawn_moves(state.current_player if player is None else player)


def is_wall_placement_legal(state: State, kind: Kind, position: Cell) -> bool:
    """Whether the player to move may place that wall."""
    if kind not in ("h_wall", "v_wall"):
        raise NotationError(f"expected a kind 'h_wall' or 'v_wall', got {kind!r}")
    width = state.board_size - 1
    if not all(0 <= coordinate < width for coordinate in position):
        return False
    return state.is_legal(encode_action((kind, position), state.board_size))


def get_action_mask(state: State, flipped: bool = False) -> NDArray[np.bool_]:
    """A mask of the legal actions; `flipped` numbers them as `encode_state` shows the board."""
    return state.action_mask(flipped)


def astar_can_reach_goal(state: State, player: int) -> bool:
    """Whether a player has a path to the goal row, by A*; pawns do not block it."""
    return state.astar_path_length(player) >= 0


def shortest_path(state: State, player: int) -> list[Cell]:
    """The cells of a shortest path to the goal row, with the pawn's; pawns do not block it."""
    return state.shortest_path(player)


def shortest_path_length(state: State, player: int) -> int:
    """The length of a shortest path to the goal row in steps; pawns do not block it."""
    return state.shortest_path_length(player)


def progress_to_goal(state: State, player: int) -> int:
    """Rows between a player's pawn and its first row."""
    if state.get_opponent(player) == 2:
        return state.player1_pos[0]
    return state.board_size - 1 - state.player2_pos[0]


def encode_state(
    state: State, history_length: int = HISTORY_LENGTH
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Encode a position: planes [4 * history_length, n, n] and 5 scalars, for the player to move.

    `history_length` counts positions, from 1 to 16, with the current one. Each has four planes,
    newest first: the player's pawn, the opponent's, horizontal and vertical walls (both cells south
    or west of a wall). Positions before the first move are zero. For player 2 the board is flipped
    top to bottom. The scalars are the walls left to both players as shares of the largest number,
    the player (0 or 1), and both draw counters as shares of their limits.
    """
    return state.encode(history_length)


def perft(state: State, depth: int, hash_mb: int = 0) -> int:
    """Count the move paths of exactly this length, with a hash table of `hash_mb` megabytes.

    >>> perft(State(), 2)
    16677
    """
    return state.perft(depth, hash_mb)


def _check_size(board_size: int) -> None:
    if not 3 <= board_size <= 9:
        raise ConfigError(f"expected a board size from 3 to 9, got {board_size}")
