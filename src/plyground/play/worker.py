"""An agent searching on a thread of its own, so that screens stay responsive."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from plyground.agents.base import Forfeit, ForfeitKind
from plyground.games.base import State
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

_THREAD = "plyground-"
"""Prefix of the names of worker threads."""


class SearchCancelled(Exception):  # noqa: N818  not an error
    """Raised by `progress` or `check` to cancel a search whose answer is no longer needed."""


_check: ContextVar[Callable[[], object] | None] = ContextVar("_check", default=None)


@contextmanager
def cancellable(check: Callable[[], object]) -> Iterator[None]:
    """Let `check_cancelled` call `check` on this thread until the end of the block."""
    token = _check.set(check)
    try:
        yield
    finally:
        _check.reset(token)


def check_cancelled() -> None:
    """Raise what the check of this thread raises if its work is no longer needed."""
    if (check := _check.get()) is not None:
        check()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A position to search, and the callbacks, which are called on the worker's thread."""

    state: State
    limits: SearchLimits | None
    progress: Callable[[SearchResult], object]
    answer: Callable[[SearchResult], object]
    fail: Callable[[Forfeit], object]
    """Called if the agent forfeits, raises an exception or returns anything but a result."""
    new_game: Callable[[], object] = lambda: None
    """Called before the search; tells the agent that a game begins, if it does."""
    moves: tuple[State, Sequence[int]] | None = None
    """The start of the game and its moves so far, for agents that need them."""
    check: Callable[[], object] = lambda: None
    """Raises SearchCancelled once the answer is no longer needed; agents that wait call it."""


def start_search(seat: Seat, request: SearchRequest) -> threading.Thread:
    """Run the search of a seat's agent on a new daemon thread."""
    thread = threading.Thread(
        target=_search, args=(seat, request), name=f"{_THREAD}{seat.name}", daemon=True
    )
    thread.start()
    return thread


def _search(seat: Seat, request: SearchRequest) -> None:
    try:
        with cancellable(request.check):
            request.new_game()
            if request.moves is not None:
                seat.follow_game(*request.moves)
            result: object = seat.search(request.state, request.limits, request.progress)
    except SearchCancelled:
        return
    except Forfeit as loss:
        request.fail(loss)
        return
    except (Exception, SystemExit) as error:  # noqa: BLE001  agents may be anything
        request.fail(Forfeit.of(error))
        return
    if isinstance(result, SearchResult):
        request.answer(result)
    else:
        request.fail(Forfeit(f"illegal move {safe_repr(result)}", ForfeitKind.ILLEGAL_MOVE))


def search_threads() -> set[threading.Thread]:
    """The threads of all searches in this process, including cancelled ones."""
    return {thread for thread in threading.enumerate() if thread.name.startswith(_THREAD)}


def is_any_search_running() -> bool:
    """Whether any agent is searching in this process, including cancelled searches."""
    return bool(search_threads())


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
