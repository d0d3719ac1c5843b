"""Colours, light and dark. A shape or text repeats everything that a colour says.

The colours of the players, of `good` and of `bad` are from a set that colour-blind people can tell
apart (Okabe & Ito 2008), lighter in the dark theme.
"""

from __future__ import annotations

from dataclasses import dataclass

Colour = tuple[int, int, int]


def rgb(text: str) -> Colour:
    """Parse a colour as style sheets write it.

    >>> rgb("#0072b2")
    (0, 114, 178)
    """
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """A mixture of two colours, by the share of the other one.

    >>> mix((0, 0, 0), (200, 100, 0), 0.5)
    (100, 50, 0)
    """
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of the window."""

    name: str
    window: Colour
    panel: Colour
    raised: Colour
    """Buttons."""
    text: Colour
    faint: Colour
    """Less important text, still easy to read."""
    outline: Colour
    accent: Colour
    """The selection and the last move."""
    accent_ink: Colour
    board: Colour
    cell: Colour
    wall: Colour
    players: tuple[Colour, Colour]
    inks: tuple[Colour, Colour]
    """Text on the players' colours."""
    good: Colour
    bad: Colour
    felt: Colour
    """Squares of boards with discs."""
    felt_line: Colour
    discs: tuple[Colour, Colour]
    rims: tuple[Colour, Colour]


LIGHT = Theme(
    name="light",
    window=rgb("#eceff3"),
    panel=rgb("#ffffff"),
    raised=rgb("#e3e8ef"),
    text=rgb("#1c2430"),
    faint=rgb("#596577"),
    outline=rgb("#c3cbd6"),
    accent=rgb("#7a3e9d"),
    accent_ink=rgb("#ffffff"),
    board=rgb("#b9c2ce"),
    cell=rgb("#f4f6f9"),
    wall=rgb("#5b3a1e"),
    players=(rgb("#0072b2"), rgb("#e69f00")),
    inks=(rgb("#ffffff"), rgb("#1c1400")),
    good=rgb("#007a5a"),
    bad=rgb("#c04000"),
    felt=rgb("#3f8f6b"),
    felt_line=rgb("#2c6e50"),
    discs=(rgb("#15181d"), rgb("#fbfbf8")),
    rims=(rgb("#4a525e"), rgb("#8d949c")),
)

DARK = Theme(
    name="dark",
    window=rgb("#14181f"),
    panel=rgb("#1d232c"),
    raised=rgb("#2c3542"),
    text=rgb("#e8ecf1"),
    faint=rgb("#a3afbf"),
    outline=rgb("#3c4757"),
    accent=rgb("#d3a4f0"),
    accent_ink=rgb("#23102e"),
    board=rgb("#0c0f14"),
    cell=rgb("#2a323e"),
    wall=rgb("#e3c193"),
    players=(rgb("#56b4e9"), rgb("#f0b429")),
    inks=(rgb("#06222f"), rgb("#2b1d00")),
    good=rgb("#2fd3a4"),
    bad=rgb("#ff8a4c"),
    felt=rgb("#22604a"),
    felt_line=rgb("#123d2e"),
    discs=(rgb("#090b0e"), rgb("#eef0ec")),
    rims=(rgb("#7b8794"), rgb("#9aa29b")),
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}
