"""The files of a report: a self-contained `index.html`, and its plots as separate files."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.arena.report.catalogue import WIDTH, plots_of
from plyground.arena.report.digest import BoardDigest, digest_store
from plyground.arena.report.page import PagePlot, first_player_share, page
from plyground.arena.report.plots import draw_boards
from plyground.arena.store import Filter, Store
from plyground.errors import ConfigError
from plyground.figures import inline_svg, load_figure, save_figure
from plyground.files import atomic_write
from plyground.folders import make_folder
from plyground.hints import reason_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".svg", ".png")


def write_report(store: Store, folder: Path, which: Filter | None = None) -> Path:
    """Write the report of a store, or of some of its games; returns the page's path."""
    load_figure()  # fails before any work if matplotlib is missing
    boards = digest_store(store, which)
    plots = folder / "plots"
    make_folder(plots)
    # Names of agents are plain text: a dollar sign does not start a formula.
    with import_module("matplotlib").rc_context({"text.parse_math": False, "font.size": 9}):
        figures = {board.variant.slug: _board_plots(board, plots) for board in boards}
        overview = _overview(boards, plots) if len(boards) > 1 else None
    text = page(
        f"Games of {Path(store.path).name}",
        boards,
        figures,
        overview,
        store.tournaments(),
        datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )
    path = folder / "index.html"
    try:
        with atomic_write(path) as file:
            file.write(text.encode("utf-8", "replace"))
    except OSError as error:
        raise ConfigError(f"cannot write {str(path)!r}: {reason_of(error)}") from None
    return path


def _board_plots(board: BoardDigest, folder: Path) -> list[PagePlot]:
    variant = board.variant
    return [
        PagePlot(
            plot.title,
            plot.caption(board),
            _save(plot.figure(board), folder / f"{variant.slug}-{plot.name}", str(variant)),
        )
        for plot in plots_of(board)
    ]


def _overview(boards: list[BoardDigest], folder: Path) -> PagePlot:
    figure = load_figure()(figsize=(WIDTH, 1.1 + 0.27 * len(boards)), layout="constrained")
    draw_boards(
        figure.subplots(), {str(board.variant): first_player_share(board) for board in boards}
    )
    about = "Player 1's share of the points on each board."
    return PagePlot("The first move, board by board", about, _save(figure, folder / "boards", ""))


def _save(figure: Figure, path: Path, about: str) -> str:
    """Write a figure's files, and return it as SVG for the page, which has its own title."""
    (axis,) = figure.axes
    title = axis.get_title()
    axis.set_title(f"{title}, {about}" if about else title, fontsize=10)
    for ending in FORMATS:
        save_figure(figure, path.with_name(path.name + ending))
    axis.set_title("")
    return inline_svg(figure)
