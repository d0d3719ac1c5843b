"""An agent searching on a thread of its own, so that screens stay responsive."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from numbers import Real
from operator import index
from typing import SupportsIndex, cast

from plyground.agents.base import Forfeit, ForfeitKind
from plyground.games.base import State
from plyground.games.score import Score, Unit
from plyground.play.record import LARGEST
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

_THREAD = "plyground-"
"""Prefix of the names of worker threads."""


class SearchCancelled(Exception):  # noqa: N818  not an error
    """Raised by `progress` or `check` to cancel a search whose answer is no longer needed."""


_MOST_NODES = 10**18
"""More positions than any search visits, and few enough for the store."""
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
    def progress(result: SearchResult) -> None:
        request.progress(checked_result(result))

    try:
        with cancellable(request.check):
            request.new_game()
            if request.moves is not None:
                seat.follow_game(*request.moves)
            result = checked_result(seat.search(request.state, request.limits, progress))
    except SearchCancelled:
        return
    except Forfeit as loss:
        request.fail(loss)
        return
    except BaseException as error:  # noqa: BLE001  agents may raise anything, even an interrupt
        request.fail(Forfeit.of(error))
        return
    request.answer(result)


def checked_result(result: object) -> SearchResult:
    """What an agent's search returned, with plain integers; a Forfeit if it is invalid.

    Whether the move is legal is left to the game.
    """
    if not isinstance(result, SearchResult):
        raise _nonsense("a SearchResult from search", result)
    best_move = _index(result.best_move)
    if best_move is None:
        reason = f"illegal move {safe_repr(result.best_move)}"
        raise Forfeit(reason, ForfeitKind.ILLEGAL_MOVE)
    _check_score(result.score)
    return replace(
        result,
        best_move=best_move,
        depth=_count("depth", result.depth, int(LARGEST)),
        pv=_line(result.pv),
        nodes_searched=_count("nodes_searched", result.nodes_searched, _MOST_NODES),
    )


def _count(name: str, given: object, most: int) -> int:
    count = _index(given)
    if count is None or not 0 <= count <= most:
        raise _nonsense(f"a whole number from 0 to {most} as {name}", given)
    return count


def _line(given: object) -> list[int]:
    if not isinstance(given, list | tuple):
        raise _nonsense("a list of actions as pv", given)
    line = [action for action in map(_index, given) if action is not None]
    if len(line) < len(given):
        raise _nonsense("a list of actions as pv", given)
    return line


def _check_score(score: object) -> None:
    """Raise a Forfeit unless a score can be recorded and shown."""
    if score is None:
        return
    if not isinstance(score, Score):
        raise _nonsense("a Score or None as score", score)
    value: object = score.value
    unit: object = score.unit
    if not isinstance(value, int | float | Real) or not abs(float(value)) <= LARGEST:
        raise _nonsense(f"a number from -{LARGEST:.0f} to {LARGEST:.0f} in the score", value)
    if not isinstance(unit, Unit):
        raise _nonsense("a Unit as unit of the score", unit)
    if score.player not in (1, 2):
        raise _nonsense("1 or 2 as player of the score", score.player)
    if score.win_in is not None and not _index(score.win_in):
        raise _nonsense("a number of plies or None as win_in of the score", score.win_in)


def _index(value: object) -> int | None:
    """A whole number of any type as an integer, or None for anything else."""
    if isinstance(value, bool):
        return None
    try:
        return value if isinstance(value, int) else index(cast(SupportsIndex, value))
    except TypeError:
        return None


def _nonsense(expected: str, got: object) -> Forfeit:
    return Forfeit(f"expected {expected}, got {safe_repr(got)}", ForfeitKind.NONSENSE)


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
