"""Loads pygame-ce, which everything here draws with: quietly, or with one line of what is missing.

Sharp windows on Windows have to be asked for before the toolkit starts.
"""

from __future__ import annotations

import os

from plyground.errors import ConfigError

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")

try:
    import pygame
except ImportError as error:
    raise ConfigError("the window needs pygame-ce: pip install 'plyground[window]'") from error
if not hasattr(pygame, "Window"):  # the older library of the same name
    raise ConfigError("the window needs pygame-ce in place of pygame: pip install pygame-ce")

__all__ = ["pygame"]
