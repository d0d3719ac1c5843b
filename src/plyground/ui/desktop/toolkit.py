"""Loads pygame-ce, the toolkit of the window, or says in one line that it is missing.

On Windows, DPI awareness must be requested before the toolkit is loaded.
"""

from __future__ import annotations

import os

from plyground.errors import ConfigError
from plyground.extras import needs_extra

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")

with needs_extra("the window needs pygame-ce"):
    import pygame
if not hasattr(pygame, "Window"):  # the older library of the same name
    raise ConfigError("the window needs pygame-ce in place of pygame: pip install pygame-ce")

__all__ = ["pygame"]
