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
    Cell,
    Kind,
    State,
    action_space_size,
    action_to_notation,
    astar_can_reach_goal,
    decode_action,
    encode_action,
    encode_state,
    flip_action,
    get_action_mask,
    get_legal_pawn_moves,
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

__all__ = [
    "Action",
    "Cell",
    "GameConfig",
    "Kind",
    "State",
    "action_space_size",
    "action_to_notation",
    "astar_can_reach_goal",
    "decode_action",
    "encode_action",
    "encode_state",
    "flip_action",
    "get_action_mask",
    "get_legal_pawn_moves",
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
