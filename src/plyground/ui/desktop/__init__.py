"""The window: plays, watches and replays games on a desktop, with pygame-ce."""

from plyground.ui.desktop.toolkit import pygame as pygame  # first: it configures the toolkit
from plyground.ui.desktop.window import show, show_games

__all__ = ["show", "show_games"]
