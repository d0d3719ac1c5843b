"""The files of a report: `index.html`, which needs no other, and the plots by themselves."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from plyground.arena.report.catalogue import PLOTS, WIDTH
from plyground.arena.report.digest import BoardDigest, digest_store
from plyground.arena.report.page import Figure, first_player_share, page
from plyground.arena.report.plots import draw_boards
from plyground.arena.store import Filter, Store
from plyground.errors import ConfigError
from plyground.figures import inline_svg, load_figure, save_figure
from plyground.files import replacing

FORMATS = (".svg", ".png")


def write_report(store: Store, folder: Path, which: Filter | None = None) -> Path:
    """Write the report of a store, or of some of its games; returns the page's path."""
    load_figure()  # before anything is counted
    boards = digest_store(store, which)
    plots = folder / "plots"
    try:
        plots.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot write to the folder {str(folder)!r}: {error.strerror}") from None
    # Names of agents are text, dollars and all.
    with import_module("matplotlib").rc_context({"text.parse_math": False, "font.size": 9}):
        figures = {board.board.slug: _board_figures(board, plots) for board in boards}
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
        with replacing(path) as file:
            file.write(text.encode("utf-8", "replace"))
    except OSError as error:
        raise ConfigError(f"cannot write {str(path)!r}: {error.strerror}") from None
    return path


def _board_figures(board: BoardDigest, folder: Path) -> list[Figure]:
    return [
        Figure(
            plot.title,
            plot.caption(board),
            _save(plot.figure(board), folder / f"{board.board.slug}-{plot.name}", str(board.board)),
        )
        for plot in PLOTS
        if plot.is_there(board)
    ]


def _overview(boards: list[BoardDigest], folder: Path) -> Figure:
    figure = load_figure()(figsize=(WIDTH, 1.1 + 0.27 * len(boards)), layout="constrained")
    draw_boards(
        figure.subplots(), {str(board.board): first_player_share(board) for board in boards}
    )
    about = "Player 1's share of the points on each board."
    return Figure("The first move, board by board", about, _save(figure, folder / "boards", ""))


def _save(figure: Any, path: Path, about: str) -> str:
    """Write a figure's files; returns it as the page has it, without the title it has there."""
    (axis,) = figure.axes
    title = axis.get_title()
    axis.set_title(f"{title}, {about}" if about else title, fontsize=10)
    for ending in FORMATS:
        save_figure(figure, path.with_name(path.name + ending))
    axis.set_title("")
    return inline_svg(figure)
