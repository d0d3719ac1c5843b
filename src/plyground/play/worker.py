"""An agent searching on a thread of its own, so that screens stay responsive."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from plyground.agents.base import Forfeit
from plyground.games.base import State
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

_THREAD = "plyground-"
"""Prefix of the names of worker threads."""


class SearchCancelled(Exception):  # noqa: N818  not an error
    """Raised by `progress` to cancel a search whose answer is no longer needed."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A position to search, and the callbacks, which are called on the worker's thread."""

    state: State
    limits: SearchLimits | None
    progress: Callable[[SearchResult], object]
    answer: Callable[[SearchResult], object]
    fail: Callable[[str], object]
    """Called with the reason of a failure: a Forfeit's, or the exception."""


def start_search(seat: Seat, request: SearchRequest) -> threading.Thread:
    """Run the search of a seat's agent on a new daemon thread."""
    thread = threading.Thread(
        target=_search, args=(seat, request), name=f"{_THREAD}{seat.name}", daemon=True
    )
    thread.start()
    return thread


def _search(seat: Seat, request: SearchRequest) -> None:
    try:
        result: object = seat.search(request.state, request.limits, request.progress)
    except SearchCancelled:
        return
    except Forfeit as loss:
        request.fail(one_line(str(loss)))
        return
    except (Exception, SystemExit) as error:  # noqa: BLE001  agents may be anything
        request.fail(one_line(f"crash: {type(error).__name__}: {error}"))
        return
    if isinstance(result, SearchResult):
        request.answer(result)
    else:
        request.fail(f"illegal move {safe_repr(result)}")


def is_any_search_running() -> bool:
    """Whether any agent is searching in this process, including cancelled searches."""
    return any(thread.name.startswith(_THREAD) for thread in threading.enumerate())


def safe_repr(answer: object, longest: int = 60) -> str:
    """An invalid answer on one line, even if its `repr` fails."""
    try:
        words = repr(answer)
    except Exception:  # noqa: BLE001  this is the agent's code
        words = f"<{type(answer).__name__}>"
    return one_line(words if len(words) <= longest else words[: longest - 3] + "...")


def one_line(words: str, longest: int = 200) -> str:
    """Text reduced to one printable line of limited length, as records need it."""
    line = " ".join(words.split())
    return "".join(char for char in line if char.isprintable())[:longest]
