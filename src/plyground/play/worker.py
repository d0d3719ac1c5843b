"""An agent thinking on a thread of its own, so that a screen stays awake meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyground.agents.base import Forfeit
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

_THREAD = "plyground-"
"""How the names of all such threads begin."""


class MovedOn(Exception):  # noqa: N818  nobody's mistake
    """What `progress` raises to end a search whose answer is no longer wanted."""


@dataclass(frozen=True, slots=True)
class Question:
    """A position to think about, and whom to tell; all three are called on the worker's thread."""

    state: Any
    limits: SearchLimits | None
    progress: Callable[[SearchResult], object]
    answer: Callable[[int, SearchResult | None], object]
    """The move, and what was found if the agent tells."""
    fail: Callable[[str], object]
    """Why there is no move: the agent's reason, or what it raised, in a line."""


def ask(seat: Seat, question: Question) -> threading.Thread:
    """Let a seat's agent think about a question; the thread keeps no program from ending."""
    thread = threading.Thread(
        target=_think, args=(seat, question), name=f"{_THREAD}{seat.name}", daemon=True
    )
    thread.start()
    return thread


def _think(seat: Seat, question: Question) -> None:
    try:
        action, result = seat.think(question.state, question.limits, question.progress)
    except MovedOn:
        return
    except Forfeit as loss:
        question.fail(one_line(str(loss)))
        return
    except (Exception, SystemExit) as error:  # noqa: BLE001  whatever it is, it is the agent's own
        question.fail(one_line(f"crash: {type(error).__name__}: {error}"))
        return
    question.answer(action, result)


def anybody_thinks() -> bool:
    """Whether an agent of any game is thinking in this process, its answer wanted or not."""
    return any(thread.name.startswith(_THREAD) for thread in threading.enumerate())


def shown(answer: object, longest: int = 60) -> str:
    """An answer that makes no sense, in a line, whatever it says about itself."""
    try:
        words = repr(answer)
    except Exception:  # noqa: BLE001  a representation is the agent's own code, too
        words = f"<{type(answer).__name__}>"
    return one_line(words if len(words) <= longest else words[: longest - 3] + "...")


def one_line(words: str, longest: int = 200) -> str:
    """Words as a record can keep them."""
    line = " ".join(words.split())
    return "".join(char for char in line if char.isprintable())[:longest]
