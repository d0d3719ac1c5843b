"""The rules of Quoridor as Python functions: actions, notation, paths and encodings.

The rules are implemented in the core: `State` is `_core.QuoridorState`. `plyground.quoridor`
re-exports these functions.
"""

from __future__ import annotations

from operator import index as whole
from typing import TYPE_CHECKING, Literal, SupportsIndex

from plyground import _core
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.quoridor_paths import Cell, is_slot, wall_kind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

State = _core.QuoridorState
GameState = State
"""Another name of `State`."""
Kind = Literal["move", "h_wall", "v_wall"]
"""The type of an action: a move of the pawn, or a wall by its direction."""
Action = tuple[Kind, Cell]
"""An action as its type with the cell or the wall's slot."""

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


def encode_action(action_type: str, row: int, col: int, board_size: int = 9) -> int:
    """The number of an action: pawn cells first, then horizontal, then vertical walls.

    >>> encode_action("h_wall", 2, 4)
    101
    """
    _check_size(board_size)
    if action_type not in ("move", "h_wall", "v_wall"):
        raise NotationError(f"expected an action 'move', 'h_wall' or 'v_wall', got {action_type!r}")
    width = board_size if action_type == "move" else board_size - 1
    row, col = whole(row), whole(col)
    if not (0 <= row < width and 0 <= col < width):
        raise IllegalMoveError(
            f"expected a row and column from 0 to {width - 1} for {action_type!r} on a board of "
            f"size {board_size}, got {(row, col)}"
        )
    cells, slots = board_size**2, (board_size - 1) ** 2
    first = {"move": 0, "h_wall": cells, "v_wall": cells + slots}[action_type]
    return first + row * width + col


def decode_action(index: SupportsIndex, board_size: int = 9) -> tuple[Kind, int, int]:
    """The type, row and column of the action with this number.

    >>> decode_action(101)
    ('h_wall', 2, 4)
    """
    kind, (row, col) = kind_and_cell(index, board_size)
    return kind, row, col


def kind_and_cell(index: SupportsIndex, board_size: int = 9) -> Action:
    """The action with this number as `make_move` takes it.

    >>> kind_and_cell(101)
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


def position_to_notation(row: int, col: int, board_size: int = 9) -> str:
    """The name of a cell.

    >>> position_to_notation(1, 4)
    'e2'
    """
    return action_to_notation(encode_action("move", row, col, board_size), board_size)


def notation_to_position(text: str, board_size: int = 9) -> Cell:
    """The (row, col) of a cell's name.

    >>> notation_to_position("e2")
    (1, 4)
    """
    kind, position = kind_and_cell(notation_to_action(text, board_size), board_size)
    if kind != "move":
        raise NotationError(f"expected a cell like 'e2', got the wall {text!r}")
    return position


def action_to_notation(index: SupportsIndex, board_size: int = 9) -> str:
    """The notation of the action with this number.

    An agent's answer from another board is an error, since its number means another move here.

    >>> action_to_notation(172), action_to_notation(101)
    ('d4v', 'e3h')
    """
    text = _core.quoridor_format_action(whole(index), board_size)
    if not isinstance(index, int) or type(index) is int:
        return text
    from plyground.games.base import Action as Answer  # here, to start fast

    if isinstance(index, Answer) and index.text != text:
        raise IllegalMoveError(f"expected an action on a board of size {board_size}, got {index!r}")
    return text


def notation_to_action(text: str, board_size: int = 9) -> int:
    """The number of a move like 'e2', 'e3h' or 'D4V'.

    >>> notation_to_action("e3h")
    101
    """
    try:
        return _core.quoridor_parse_action(text, board_size)
    except NotationError as error:
        raise NotationError(f"{error} on a board of size {board_size}") from None


def flip_action(action: int, board_size: int = 9) -> int:
    """The action as the player at the other end sees it; its own inverse."""
    return _core.quoridor_flip_action(action, board_size)


def mirror_action(action: int, board_size: int = 9) -> int:
    """The action in the left-right mirror, the only symmetry that keeps the goals."""
    return _core.quoridor_mirror_action(action, board_size)


def get_legal_moves(state: State) -> list[Action]:
    """The legal moves as (type, (row, col)), in the order of their numbers."""
    return state.get_legal_moves()


def get_legal_pawn_moves(state: State, player: int | None = None) -> list[Cell]:
    """Cells that a player's pawn may move to, by default that of the player to move."""
    return state.legal_pawn_moves(state.current_player if player is None else player)


def get_legal_wall_positions(state: State, wall_type: str) -> list[Cell]:
    """The (row, col) of the walls of a type, 'h_wall' or 'v_wall', that may be placed."""
    kind = wall_kind(wall_type)
    return [cell for legal, cell in state.get_legal_moves() if legal == kind]


def is_wall_legal(state: State, row: int, col: int, wall_type: str) -> bool:
    """Whether the player to move may place that wall; False off the grid.

    >>> is_wall_legal(State(), 2, 4, "h_wall"), is_wall_legal(State(), 8, 4, "h_wall")
    (True, False)
    """
    kind = wall_kind(wall_type)
    if not is_slot(state, row, col):
        return False
    return state.is_legal(encode_action(kind, row, col, state.board_size))


def is_wall_placement_legal(state: State, row: int, col: int, direction: str) -> bool:
    """The same as `is_wall_legal`."""
    return is_wall_legal(state, row, col, direction)


def get_action_mask(state: State, flipped: bool = False) -> NDArray[np.bool_]:
    """A mask of the legal actions; `flipped` numbers them as `encode_state` shows the board."""
    return state.action_mask(flipped)


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
    top to bottom, so its actions are numbered by `flip_action`, `get_action_mask(flipped=True)` and
    `Record.actions("mover")`, not as the state numbers them. The scalars are the walls left to both
    players as shares of the largest number, the player (0 or 1), and both draw counters as shares
    of their limits.
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
