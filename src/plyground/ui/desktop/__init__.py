"""The window: plays, watches and replays games on a desktop, with pygame-ce."""

from plyground.ui.desktop.toolkit import pygame as pygame  # first, since it knows how to load it
from plyground.ui.desktop.window import show, show_games

__all__ = ["show", "show_games"]
