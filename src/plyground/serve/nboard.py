"""The NBoard protocol for Reversi, version 2: what Othello programs and their screens speak.

Lines that are not known are ignored, as the protocol asks; others that make no sense are answered
by a `status` line, which screens show. Whatever takes time runs on a thread and ends with the next
command, which for `ping` is the way to say "stop".
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from plyground.agents.base import Thinker
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import reversi
from plyground.play.ggf import parse_ggf
from plyground.play.worker import one_line, shown
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.serve.engine_options import FULL, NONE, EngineOptions
from plyground.serve.lines import LineWriter

DEPTHS = range(1, 61)
USUAL_DEPTH = 12


class _Stopped(Exception):  # noqa: N818  nobody's mistake
    """Ends what runs on the thread."""


class NBoard:
    """Reads lines and answers them, until `quit` or their end."""

    def __init__(self, lines: Iterator[str], say: LineWriter, options: EngineOptions) -> None:
        self._lines = lines
        self._say = say
        options = replace(options, game="reversi", settings={})
        self._agent: Thinker = options.agent()
        self._takes_depth = options.level == FULL and options.network == NONE
        self._depth = USUAL_DEPTH
        self._states: list[Any] = [reversi.State()]
        self._stop = threading.Event()
        self._worker: threading.Thread | None = None

    def run(self, hello: str) -> None:
        """Obey, the greeting first."""
        self._obey(hello)
        for line in self._lines:
            if line == "quit" or self._say.is_closed:
                break
            self._obey(line)
        self._end_work()

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "nboard": self._hello,
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": lambda _: self._work(self._choose),
            "ping": lambda number: self._say(f"pong {one_line(number, 20)}"),
            "learn": lambda _: self._say("learned"),
            "analyze": lambda _: self._work(self._analyse),
        }
        if word not in commands:
            return
        self._end_work()
        try:
            commands[word](rest.strip())
        except (ConfigError, IllegalMoveError, NotationError) as error:
            self._say(f"status {one_line(str(error))}")

    def _hello(self, version: str) -> None:
        self._say("set myname Plyground")
        if version != "2":
            self._say(f"status expected version 2 of the protocol, got {shown(version)}")

    def _set(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if name == "depth":
            self._depth = _whole("the depth", value, DEPTHS)
        elif name == "game":
            games = parse_ggf(value)
            if not games:
                raise NotationError("expected a game in GGF after 'set game', got nothing")
            self._states = games[-1].states()

    def _move(self, rest: str) -> None:
        square = re.split(r"[/\s]", rest, maxsplit=1)[0]
        self._states.append(self._states[-1].play("pass" if square.upper() == "PA" else square))

    def _hint(self, rest: str) -> None:
        count = _whole("the number of moves", rest or "1", range(1, 65))
        self._work(lambda: self._rank(count))

    # What runs on the thread.

    def _choose(self) -> None:
        """Think and answer with a move, which is not played until it comes back."""
        state = self._states[-1]
        if state.outcome is not None:
            self._say("status the game is over")
            return
        self._say("status thinking")
        started = time.monotonic()
        found = self._search(state, self._depth)
        took_s = time.monotonic() - started
        self._say(
            _search_line(found),
            f"nodestats {found.nodes_searched} {took_s:.2f}",
            f"=== {_square(found.best_move)}/{found.score:.2f}/{took_s:.2f}",
            "status",
        )

    def _rank(self, count: int) -> None:
        """The best moves, the best first, each deeper than before as long as there is time."""
        state = self._states[-1]
        if state.outcome is not None:
            return
        self._say("status analysing")
        started, nodes = time.monotonic(), 0
        for depth in range(1, self._depth + 1):
            found = []
            for action in state.legal_actions():
                after = state.play(action)
                if after.outcome is None:
                    found.append(self._search(after, max(depth - 1, 1)).after(action))
                else:
                    score = after.score if state.current_player == 1 else -after.score
                    found.append(SearchResult(action, score, depth, [action], 1, 0.0, exact=True))
            nodes += sum(result.nodes_searched for result in found)
            best = sorted(found, key=lambda result: -result.score)[:count]
            self._say(
                *map(_search_line, best), f"nodestats {nodes} {time.monotonic() - started:.2f}"
            )
            if not self._takes_depth or all(result.exact for result in found):
                break
        self._say("status")

    def _analyse(self) -> None:
        """What every position of the game is worth to black, from the end to the start."""
        for made in range(len(self._states) - 1, -1, -1):
            state = self._states[made]
            if state.outcome is not None:
                score = float(state.score)
            else:
                found = self._search(state, self._depth)
                score = found.score if state.current_player == 1 else -found.score
            self._say(f"analysis {made} {score:.2f}")

    # How it works.

    def _search(self, state: Any, depth: int) -> SearchResult:
        limits = SearchLimits(depth=depth) if self._takes_depth else None
        points = self._agent.points(state)

        def progress(_: SearchResult) -> None:
            if self._stop.is_set():
                raise _Stopped

        if self._stop.is_set():
            raise _Stopped
        found = self._agent.search(state, limits, progress)
        # A network's expected result, from -1 to 1, is shown as if a win were by 64 discs.
        return replace(found, score=found.score / points if points else found.score * 64)

    def _work(self, task: Callable[[], None]) -> None:
        """Do something on the thread; every command ends what ran before."""

        def run() -> None:
            try:
                task()
            except _Stopped:
                return
            except Exception as error:  # noqa: BLE001  the screen hears of it, and goes on
                self._say(f"status {one_line(f'{type(error).__name__}: {error}')}")

        self._stop.clear()
        self._worker = threading.Thread(target=run, name="plyground-nboard", daemon=True)
        self._worker.start()

    def _end_work(self) -> None:
        if self._worker is not None:
            self._stop.set()
            self._worker.join()
            self._worker = None


def _square(action: int) -> str:
    return "PA" if action == reversi.PASS else reversi.action_to_notation(action).upper()


def _search_line(result: SearchResult) -> str:
    line = "".join(map(_square, result.pv or [result.best_move]))
    depth = "100%" if result.exact else str(result.depth)
    return f"search {line} {result.score:.2f} 0 {depth}"


def _whole(what: str, text: str, allowed: range) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) in allowed):
        lowest, highest = allowed[0], allowed[-1]
        raise NotationError(f"expected {what} from {lowest} to {highest}, got {shown(text)}")
    return int(text)
