"""The shapes of which a drawing consists, and their colours.

Colours are attributes of the shapes. A style sheet inside an SVG would also change the page around
it. They are those of the page in its light theme (ui/web/static/style.css and board.css).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

PLAYERS = {1: "#0b67b2", 2: "#b8470a"}
"""The colours of the players' pawns, paths and arrows."""
FONT = 'font-family="system-ui, sans-serif" text-anchor="middle" dominant-baseline="central"'

STYLES: dict[str, dict[str, object]] = {
    "table": {"fill": "#b9976a"},
    "cell": {"fill": "#f7ead3"},
    "goal1": {"fill": "#e3e9ee"},
    "goal2": {"fill": "#f8dfca"},
    "label": {"fill": "#3d2a12", "font-weight": 600},
    "frame": {"fill": "#4a3420"},
    "square": {"fill": "#2c7a58", "stroke": "#1d5b40", "stroke-width": 0.35},
    "frame-label": {"fill": "#f3e6d0", "font-weight": 600},
    "shadow": {"fill": "#000", "fill-opacity": 0.25},
    "number": {"fill": "#fffdf9", "font-size": 3.4, "font-weight": 700},
    "wall": {"fill": "#4b2c12"},
    "wall-last": {
        "fill": "#4b2c12",
        "stroke": "#e6b800",
        "stroke-width": 0.9,
        "paint-order": "stroke",
    },
    "disc1": {"fill": "#16181c", "stroke": "#000", "stroke-width": 0.3},
    "disc2": {"fill": "#f7f6f2", "stroke": "#8d8a82", "stroke-width": 0.3},
    "dot": {"fill": "#e0483e", "stroke": "#fff", "stroke-width": 0.3},
    "lastcell": {"fill": "#e6b800", "fill-opacity": 0.45},
    "heat": {"fill": "#a626a4", "stroke": "#fff", "stroke-width": 0.25},
    "hint": {"fill": "#8a4fd0", "fill-opacity": 0.7, "stroke": "#fff", "stroke-width": 0.6},
}
for _player, _colour in PLAYERS.items():
    STYLES[f"pawn{_player}"] = {
        "fill": _colour, "stroke": "#fff", "stroke-opacity": 0.7, "stroke-width": 0.5,
    }  # fmt: skip
    STYLES[f"path{_player}"] = {"fill": _colour, "opacity": 0.8}
    STYLES[f"arrow{_player}"] = {
        "fill": _colour, "stroke": _colour, "stroke-width": 1, "stroke-linecap": "round",
        "stroke-linejoin": "round", "opacity": 0.95,
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """An element of an SVG with a style from STYLES."""

    tag: str
    style: str
    attributes: dict[str, object]
    text: str = ""

    def __str__(self) -> str:
        attributes = format_attributes({**self.attributes, **STYLES[self.style]})
        if not self.text:
            return f"<{self.tag}{attributes}/>"
        return f"<{self.tag}{attributes}>{escape(self.text)}</{self.tag}>"


def format_attributes(attributes: dict[str, object]) -> str:
    """Attributes as text, each after a space; numbers have at most two decimals."""
    return "".join(f' {name}="{_number(value)}"' for name, value in attributes.items())


def _number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return escape(str(value))


def circle(style: str, x: float, y: float, radius: float) -> Shape:
    """A circle around a point."""
    return Shape("circle", style, {"cx": x, "cy": y, "r": radius})


def box(style: str, x: float, y: float, width: float, height: float, rounding: float = 0) -> Shape:
    """A rectangle around a point, with rounded corners."""
    attributes: dict[str, object] = {
        "x": x - width / 2, "y": y - height / 2, "width": width, "height": height,
    }  # fmt: skip
    return Shape("rect", style, attributes | ({"rx": rounding} if rounding else {}))


def label(style: str, x: float, y: float, text: str, size: float | None = None) -> Shape:
    """Text around a point."""
    attributes: dict[str, object] = {"x": x, "y": y}
    return Shape("text", style, attributes | ({"font-size": size} if size else {}), text)


def group(shapes: Iterable[Shape], attributes: str = "") -> str:
    """Shapes inside a `g` element."""
    return f"<g{' ' if attributes else ''}{attributes}>{''.join(map(str, shapes))}</g>"
