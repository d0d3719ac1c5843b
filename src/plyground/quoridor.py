"""Quoridor: everything about its rules that other programs use.

>>> from plyground import quoridor
>>> state = quoridor.State(quoridor.GameConfig.preset("small"))
>>> state = state.play("c2").play("b4h")
>>> state.text()
'5 c2/c5 b4h 5/4 1 2 0'
>>> state.winner is None and len(state.legal_actions())
32
"""

from plyground.games.quoridor import (
    Action,
    GameState,
    Kind,
    State,
    action_space_size,
    action_to_notation,
    decode_action,
    encode_action,
    encode_state,
    flip_action,
    get_action_mask,
    get_legal_moves,
    get_legal_pawn_moves,
    get_legal_wall_positions,
    is_wall_legal,
    is_wall_placement_legal,
    mirror_action,
    notation_to_action,
    notation_to_position,
    perft,
    position_to_notation,
    progress_to_goal,
    shortest_path,
    shortest_path_length,
)
from plyground.games.quoridor_config import GameConfig
from plyground.games.quoridor_paths import (
    Cell,
    WallLayout,
    astar_can_reach_goal,
    get_reachable_neighbors,
)

__all__ = [
    "Action",
    "Cell",
    "GameConfig",
    "GameState",
    "Kind",
    "State",
    "WallLayout",
    "action_space_size",
    "action_to_notation",
    "astar_can_reach_goal",
    "decode_action",
    "encode_action",
    "encode_state",
    "flip_action",
    "get_action_mask",
    "get_legal_moves",
    "get_legal_pawn_moves",
    "get_legal_wall_positions",
    "get_reachable_neighbors",
    "is_wall_legal",
    "is_wall_placement_legal",
    "mirror_action",
    "notation_to_action",
    "notation_to_position",
    "perft",
    "position_to_notation",
    "progress_to_goal",
    "shortest_path",
    "shortest_path_length",
]
