"""Environments for reinforcement learning; needs the extra `env`.

Importing this package registers `Quoridor-v0`, `Reversi-v0` and, for any game, `plyground/Game-v0`
with Gymnasium, so that `gymnasium.make("plyground.envs:Quoridor-v0")` does both. The PettingZoo
environments are the modules `plyground.envs.quoridor_v0` and `reversi_v0`, to be imported by those
names. docs/environments.md is the guide.
"""

from plyground.extras import needs_extra

with needs_extra("environments need Gymnasium"):
    import gymnasium

from plyground.envs.game_vector import Ending
from plyground.envs.gym_env import GameEnv, QuoridorEnv, ReversiEnv
from plyground.envs.quoridor_vector import QuoridorVectorEnv
from plyground.envs.reversi_vector import ReversiVectorEnv

# Without Gymnasium's wrappers, which would hide `action_masks`; the environments check the same.
gymnasium.register(
    id="Quoridor-v0",
    entry_point="plyground.envs.gym_env:QuoridorEnv",
    vector_entry_point="plyground.envs.quoridor_vector:QuoridorVectorEnv",
    order_enforce=False,
    disable_env_checker=True,
)
gymnasium.register(
    id="Reversi-v0",
    entry_point="plyground.envs.gym_env:ReversiEnv",
    vector_entry_point="plyground.envs.reversi_vector:ReversiVectorEnv",
    order_enforce=False,
    disable_env_checker=True,
)
gymnasium.register(
    id="plyground/Game-v0",
    entry_point="plyground.envs.gym_env:GameEnv",
    order_enforce=False,
    disable_env_checker=True,
)

__all__ = [
    "Ending",
    "GameEnv",
    "QuoridorEnv",
    "QuoridorVectorEnv",
    "ReversiEnv",
    "ReversiVectorEnv",
]
