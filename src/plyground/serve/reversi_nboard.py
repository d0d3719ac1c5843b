"""The NBoard protocol for Reversi, version 2, which Othello programs and their screens use.

Unknown lines are ignored, as the protocol requires. Other invalid lines are answered by a `status`
line, which screens show. Searches run on a thread and end with the next command; `ping` is the
command that screens send to stop one.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from plyground.agents import Agent
from plyground.checks import parse_whole
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import reversi
from plyground.games.reversi_game import REVERSI
from plyground.games.score import Score
from plyground.play.reversi_ggf import parse_ggf
from plyground.play.worker import one_line, safe_repr
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.serve.engine_options import FULL, NONE, EngineOptions
from plyground.serve.line_io import LineWriter

DEEPEST = 60
DEFAULT_DEPTH = 12
DISCS_OF_A_WIN = 64
"""What an expected result of 1, from a network or a proof, counts as."""


class _CommandInterrupted(Exception):  # noqa: N818  not an error
    """Ends the command that runs on the thread."""


class ReversiNBoard:
    """Reads lines and answers them, until `quit` or the end of the input."""

    def __init__(self, lines: Iterator[str], send: LineWriter, options: EngineOptions) -> None:
        self._lines = lines
        self._send = send
        self._agent: Agent = replace(options, game=REVERSI, settings={}).make_agent()
        self._takes_depth = options.level == FULL and options.network == NONE
        self._depth = DEFAULT_DEPTH
        self._states: list[reversi.State] = [reversi.State()]
        self._stop = threading.Event()
        self._worker: threading.Thread | None = None

    def run(self, greeting: str) -> None:
        """Handle the greeting, then the lines that follow."""
        self._handle(greeting)
        for line in self._lines:
            if line == "quit" or self._send.is_closed:
                self._interrupt()
                return
            self._handle(line)
        self._finish()

    def _handle(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        handlers: dict[str, Callable[[str], None]] = {
            "nboard": self._greet,
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": lambda _: self._start(self._choose),
            "ping": lambda number: self._send(f"pong {one_line(number, 20)}"),
            "learn": lambda _: self._send("learned"),
            "analyze": lambda _: self._start(self._analyse),
        }
        if word not in handlers:
            return
        self._interrupt()
        try:
            handlers[word](rest.strip())
        except (ConfigError, IllegalMoveError, NotationError) as error:
            self._send(f"status {one_line(str(error))}")

    def _greet(self, version: str) -> None:
        self._send("set myname Plyground")
        if version != "2":
            self._send(f"status expected version 2 of the protocol, got {safe_repr(version)}")

    def _set(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if name == "depth":
            self._depth = parse_whole("the depth", value, 1, DEEPEST)
        elif name == "game":
            games = parse_ggf(value)
            if not games:
                raise NotationError("expected a game in GGF after 'set game', got nothing")
            self._states = list(map(reversi.expect_state, games[-1].states()))

    def _move(self, rest: str) -> None:
        square = re.split(r"[/\s]", rest, maxsplit=1)[0]
        self._states.append(self._states[-1].play("pass" if square.upper() == "PA" else square))

    def _hint(self, rest: str) -> None:
        count = parse_whole("the number of moves", rest or "1", 1, 64)
        self._start(lambda: self._rank(count))

    # Commands that run on the thread.

    def _choose(self) -> None:
        """Search and answer with a move, which the screen sends back to play it."""
        state = self._states[-1]
        if state.outcome is not None:
            self._send("status the game is over")
            return
        self._send("status thinking")
        started = time.monotonic()
        found = self._search(state, self._depth)
        took_s = time.monotonic() - started
        self._send(
            _format_search(found),
            f"nodestats {found.nodes_searched} {took_s:.2f}",
            f"=== {_square(found.best_move)}/{_discs(found.score):.2f}/{took_s:.2f}",
            "status",
        )

    def _rank(self, count: int) -> None:
        """Send the best moves, the best first, at one depth after the other."""
        state = self._states[-1]
        if state.outcome is not None:
            return
        self._send("status analysing")
        started, nodes = time.monotonic(), 0
        for depth in range(1, self._depth + 1):
            found = [self._search_move(state, action, depth) for action in state.legal_actions()]
            nodes += sum(result.nodes_searched for result in found)
            best = sorted(found, key=lambda result: -_discs(result.score))[:count]
            self._send(
                *map(_format_search, best), f"nodestats {nodes} {time.monotonic() - started:.2f}"
            )
            if not self._takes_depth or all(result.exact for result in found):
                break
        self._send("status")

    def _analyse(self) -> None:
        """Send the score of every position for black, from the last to the first."""
        for made in range(len(self._states) - 1, -1, -1):
            state = self._states[made]
            if state.outcome is not None:
                discs = float(state.score)
            else:
                score = self._search(state, self._depth).score
                discs = _discs(None if score is None else score.pov(1))
            self._send(f"analysis {made} {discs:.2f}")

    def _search_move(self, state: reversi.State, action: int, depth: int) -> SearchResult:
        """The value of a move for the player who makes it."""
        after, player = state.play(action), state.current_player
        if after.outcome is None:
            return self._search(after, max(depth - 1, 1)).after(action)
        score = Score(after.score, REVERSI.unit, player=1, exact=True).pov(player)
        return SearchResult(action, score, depth, [action], 1)

    def _search(self, state: reversi.State, depth: int) -> SearchResult:
        def check_wanted(_: SearchResult | None = None) -> None:
            if self._stop.is_set():
                raise _CommandInterrupted

        check_wanted()
        limits = SearchLimits(depth=depth) if self._takes_depth else None
        return self._agent.search(state, limits, check_wanted)

    def _start(self, command: Callable[[], None]) -> None:
        """Run a command on the thread; the next one interrupts it."""

        def run() -> None:
            try:
                command()
            except _CommandInterrupted:
                return
            except Exception as error:  # noqa: BLE001  reported to the screen
                self._send(f"status {one_line(f'{type(error).__name__}: {error}')}")

        self._stop.clear()
        self._worker = threading.Thread(target=run, name="plyground-nboard", daemon=True)
        self._worker.start()

    def _finish(self) -> None:
        """Wait for the last answer after the end of the input, unless it cannot be read."""
        parent = os.getppid()
        while self._worker is not None and self._worker.is_alive():
            if self._send.is_closed or os.getppid() != parent:
                self._interrupt()
                return
            self._worker.join(0.01)

    def _interrupt(self) -> None:
        if self._worker is not None:
            self._stop.set()
            self._worker.join()
            self._worker = None


def _square(action: int) -> str:
    return "PA" if action == reversi.PASS else reversi.action_to_notation(action).upper()


def _discs(score: Score | None) -> float:
    if score is None:
        return 0.0
    return score.value * (DISCS_OF_A_WIN if score.unit.scale is None else 1)


def _format_search(result: SearchResult) -> str:
    line = "".join(map(_square, result.pv or [result.best_move]))
    depth = "100%" if result.exact else str(result.depth)
    return f"search {line} {_discs(result.score):.2f} 0 {depth}"
