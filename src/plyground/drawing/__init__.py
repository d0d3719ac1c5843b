"""Boards as SVG, in the style of the page, for notebooks, documents and game pages."""

from plyground.drawing.state_svg import Arrow, Marks, Place, svg

__all__ = ["Arrow", "Marks", "Place", "svg"]
