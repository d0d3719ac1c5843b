"""The review of a game in the window: searched on a thread, shown as a page of text."""

from __future__ import annotations

import threading
from collections.abc import Callable

from plyground.analysis.game_report import GameReport, analyse_game
from plyground.errors import ConfigError
from plyground.play.record import Record
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.ui.review_text import format_exact, format_mistake, format_players

LIMITS = SearchLimits(time_s=0.2)
"""Limits of the search of each position."""


class ReviewCancelled(Exception):  # noqa: N818  not an error
    """Ends a review whose page is closed."""


def start_review(
    record: Record,
    adviser: Seat,
    you: int | None,
    show: Callable[[str], object],
    is_wanted: Callable[[], bool],
) -> None:
    """Review a game on a thread of its own, and show its progress and its result as text."""

    def progress(done: int, of: int) -> None:
        if not is_wanted():
            raise ReviewCancelled
        show(f"Searching position {done + 1} of {of}")

    def work() -> None:
        try:
            show(review_page(analyse_game(record, adviser, LIMITS, progress), you))
        except ReviewCancelled:
            pass
        except ConfigError as error:
            show(str(error))

    threading.Thread(target=work, name="window-review", daemon=True).start()


def review_page(report: GameReport, you: int | None) -> str:
    """A section for each mistake, and one for both players."""
    sections = ["\n".join(["Players", *format_players(report), *format_exact(report)])]
    for ply in report.plies:
        if ply.mark:
            heading, *why = format_mistake(report, ply, you)
            sections.append("\n".join([" ".join(heading.split()), *(text.strip() for text in why)]))
    return "\n\n".join(sections)
