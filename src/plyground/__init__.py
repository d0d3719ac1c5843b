"""Play, study and train strong agents for Quoridor and Reversi, from Python."""

from plyground import quoridor, reversi
from plyground.errors import ConfigError, IllegalMoveError, NotationError

__version__ = "0.2.0"
__all__ = [
    "ConfigError",
    "IllegalMoveError",
    "NotationError",
    "__version__",
    "quoridor",
    "reversi",
]
