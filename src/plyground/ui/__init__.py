"""Screens: what a display needs, and the displays."""
