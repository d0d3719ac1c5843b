"""Helpers for plots. Matplotlib is imported when a plot is drawn, not before."""

from __future__ import annotations

import io
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.errors import ConfigError
from plyground.extras import needs_extra
from plyground.hints import reason_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Colours that remain distinct for colour-blind readers (Okabe & Ito 2008).
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7")


def load_figure() -> type[Figure]:
    """Matplotlib's Figure class, which draws into a file without a window."""
    with needs_extra("plots need matplotlib"):
        from matplotlib.figure import Figure
    return Figure


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure in the format of the file's suffix."""
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:
        raise ConfigError(f"cannot write {str(path)!r}: {reason_of(error)}") from error


def inline_svg(figure: Figure) -> str:
    """A figure as SVG inside an HTML page: text stays text, and black becomes the page's colour.

    It has no background, refers to nothing outside, and shares no ids with other figures. The page
    should set `svg text { fill: currentColor }`.
    """
    buffer = io.StringIO()
    with import_module("matplotlib").rc_context({"svg.fonttype": "none", "svg.hashsalt": "plot"}):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    for pattern, instead in (
        (r"<metadata>.*?</metadata>\s*", ""),
        (r"<!--.*?-->\s*", ""),
        (r' xmlns(:xlink)?="[^"]*"', ""),
        (r"\bxlink:href=", "href="),
        (r' id="[a-z]+[0-9a-z.]*_[0-9_]+"', ""),  # ids of groups, which nothing refers to
        (r"#000000\b", "currentColor"),
        (r' width="[0-9.]+pt" height="[0-9.]+pt"', ""),
    ):
        text = re.sub(pattern, instead, text, flags=re.DOTALL)
    return text


def decorate(axis: Axes, title: str, below: str) -> None:
    """Set the title, the label of the x axis, the grid and the spines that all plots share."""
    axis.set_title(title, fontsize=10)
    axis.set_xlabel(below)
    axis.set_axisbelow(True)
    axis.grid(alpha=0.3)
    axis.spines[["top", "right"]].set_visible(False)
