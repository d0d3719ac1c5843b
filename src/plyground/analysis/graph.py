"""A game's chances as a graph: text for the terminal, or a picture drawn by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plyground.analysis.game_report import GameReport
from plyground.errors import ConfigError
from plyground.figures import COLOURS, load_figure, save_figure

SUFFIXES = (".svg", ".png", ".pdf")
PLAYER_2, PLAYER_1 = COLOURS[:2]
BLOCKS = " ▁▂▃▄▅▆▇█"


def draw(chances: Sequence[float], width: int, height: int = 8, plain: bool = False) -> list[str]:
    """Player 1's chance to win over a game, as lines of text; a long game is squeezed.

    >>> print("\\n".join(draw([0.5, 1.0, 0.0], 20, 2, plain=True)))
    100% | #
     50% |##
      0% +---
    """
    room = max(1, width - 6)
    per_column = -(-len(chances) // room)
    columns = [
        sum(part) / len(part)
        for part in (chances[i : i + per_column] for i in range(0, len(chances), per_column))
    ]
    lines = []
    for row in range(height - 1, -1, -1):
        cells = "".join(_cell(chance * height - row, plain) for chance in columns)
        label = "100%" if row == height - 1 else " 50%" if row == height // 2 - 1 else "    "
        lines.append(f"{label} {'|' if plain else '│'}{cells}".rstrip())
    lines.append("  0% " + ("+" + "-" * len(columns) if plain else "└" + "─" * len(columns)))
    return lines


def _cell(filled: float, plain: bool) -> str:
    """A cell filled to that share, from 0 to 1; numbers outside that range are clipped."""
    if plain:
        return "#" if filled >= 0.5 else " "
    return BLOCKS[max(0, min(8, round(filled * 8)))]


def check_picture(path: Path) -> None:
    """Raise a ConfigError, before anything is analysed, if no picture could be written there."""
    if path.suffix.lower() not in SUFFIXES:
        raise ConfigError(f"expected a picture to end in {', '.join(SUFFIXES)}, got {str(path)!r}")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"cannot write {str(path)!r}: the folder {str(path.parent)!r} is missing")
    load_figure()


def write_picture(report: GameReport, path: Path) -> None:
    """Draw the graph with its turning points into an .svg, .png or .pdf file."""
    figure = load_figure()(figsize=(9, 3.6), layout="constrained")
    axis = figure.subplots()
    percent = [100 * chance for chance in report.chances]
    moves = range(len(percent))
    axis.plot(moves, percent, color="black", linewidth=1.2)
    ahead = {PLAYER_1: [p >= 50 for p in percent], PLAYER_2: [p <= 50 for p in percent]}
    for colour, leads in ahead.items():
        axis.fill_between(
            moves, 50, percent, where=leads, interpolate=True, color=colour, alpha=0.3
        )
    for ply in report.turning_points():
        point = (ply.number, percent[ply.number])
        axis.annotate(
            f"{ply.move}{ply.mark}",
            point,
            fontsize=8,
            ha="center",
            xytext=(0, 8),
            textcoords="offset points",
        )
        axis.plot(*point, "o", color=PLAYER_1 if ply.player == 1 else PLAYER_2, markersize=4)
    axis.set(ylim=(0, 100), xlim=(0, max(1, len(percent) - 1)), xlabel="moves played")
    axis.set_ylabel("player 1's chance to win, %")
    names = [report.record.player_name(player) for player in (1, 2)]
    axis.set_title(f"{names[0]} against {names[1]}, {report.record.result}", fontsize=10)
    save_figure(figure, path)
