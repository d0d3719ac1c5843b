"""Environments for reinforcement learning; needs the extra `env`.

Importing this package registers `Quoridor-v0` and `Reversi-v0` with Gymnasium, so that
`gymnasium.make("plyground.envs:Quoridor-v0")` does both. The PettingZoo environments are
`plyground.envs.quoridor_v0` and `reversi_v0`, imported by those names. The guide is
docs/environments.md.
"""

try:
    import gymnasium
except ImportError as error:
    raise ImportError("environments need Gymnasium: pip install 'plyground[env]'") from error

from plyground.envs.gym_env import QuoridorEnv, ReversiEnv
from plyground.envs.vector import Ending, QuoridorVectorEnv

# Without Gymnasium's wrappers, which would hide `action_masks`: what they check is checked inside.
gymnasium.register(
    id="Quoridor-v0",
    entry_point="plyground.envs.gym_env:QuoridorEnv",
    vector_entry_point="plyground.envs.vector:QuoridorVectorEnv",
    order_enforce=False,
    disable_env_checker=True,
)
gymnasium.register(
    id="Reversi-v0",
    entry_point="plyground.envs.gym_env:ReversiEnv",
    order_enforce=False,
    disable_env_checker=True,
)

__all__ = ["Ending", "QuoridorEnv", "QuoridorVectorEnv", "ReversiEnv"]
