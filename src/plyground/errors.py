"""What a user can do wrong: the three errors worth catching, all of them ValueErrors.

The native core raises the same ones.
"""

from plyground._core import ConfigError, IllegalMoveError, NotationError

__all__ = ["ConfigError", "IllegalMoveError", "NotationError"]
