"""What all plots share; matplotlib is imported when something is to be drawn and not before."""

from __future__ import annotations

import io
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from plyground.errors import ConfigError

# Colours that people who see few colours can tell apart (Okabe & Ito 2008).
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7")


def load_figure() -> Any:
    """Matplotlib's Figure, which draws into a file without a window."""
    try:
        return import_module("matplotlib.figure").Figure
    except ImportError as error:
        raise ConfigError("plots need matplotlib: pip install 'plyground[plot]'") from error


def save_figure(figure: Any, path: Path) -> None:
    """Write a figure in the format that the file's ending says."""
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:
        raise ConfigError(f"cannot write {str(path)!r}: {error.strerror}") from error


def inline_svg(figure: Any) -> str:
    """A figure as part of an HTML page: its text is text, and what is black has the page's colour.

    It has no background, refers to nothing outside, and no two figures' parts are in each other's
    way. The page should set `svg text { fill: currentColor }`.
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
        (r' id="[a-z]+[0-9a-z.]*_[0-9_]+"', ""),  # names of parts, which nothing refers to
        (r"#000000\b", "currentColor"),
        (r' width="[0-9.]+pt" height="[0-9.]+pt"', ""),
    ):
        text = re.sub(pattern, instead, text, flags=re.DOTALL)
    return text


def decorate(axis: Any, title: str, below: str) -> None:
    """What all panels share."""
    axis.set_title(title, fontsize=10)
    axis.set_xlabel(below)
    axis.set_axisbelow(True)
    axis.grid(alpha=0.3)
    axis.spines[["top", "right"]].set_visible(False)
