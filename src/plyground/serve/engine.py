"""An agent behind a pipe: a line protocol in the manner of UCI, for every registered game.

docs/protocol.md describes every line. Commands are handled at once, on the thread that reads them;
searches and counts run on threads of their own and can be stopped. An invalid line is answered by
`error ...` and changes nothing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from plyground.agents import Agent
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.base import State
from plyground.games.lines import format_line
from plyground.games.score import Score
from plyground.hints import suggest
from plyground.play.worker import one_line, safe_repr
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.serve.engine_options import EngineOptions
from plyground.serve.line_io import LineWriter, OverlongLine, read_lines
from plyground.serve.perft_job import PerftJob
from plyground.serve.reversi_nboard import ReversiNBoard
from plyground.serve.search_job import UNLIMITED, SearchJob

INFO_EVERY_S = 0.25
"""Seconds between two `info` lines with the same depth and the same move."""
DEEPEST_PERFT = 12
QUIT_S = 1.0
"""Seconds that `quit` waits for the end of a search."""


class EngineServer:
    """Reads commands from one pipe and answers on the other, until `quit` or the pipe's end."""

    def __init__(
        self, reader: BinaryIO, writer: BinaryIO, options: EngineOptions | None = None
    ) -> None:
        self._lines: Iterator[str] = read_lines(reader)
        self._send = LineWriter(writer)
        self._options = options or EngineOptions()
        self._agent: Agent = self._options.make_agent()
        self._state: State = self._options.start_state()
        self._job: SearchJob | PerftJob | None = None
        self._ponder_limits: SearchLimits | None = None
        """The limits of `go ponder`, which apply from `ponderhit`."""
        self._is_pondering = False
        self._handlers: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci,
            "isready": lambda _: self._send("readyok"),
            "setoption": self._set_option,
            "ucinewgame": self._new_game,
            "position": self._set_position,
            "go": self._go,
            "stop": lambda _: self._stop(),
            "ponderhit": self._ponder_hit,
            "legal": self._legal,
            "eval": self._eval,
            "perft": self._perft,
            "show": self._show,
            "help": lambda _: self._send(f"commands: {', '.join((*self._handlers, 'quit'))}"),
        }

    def run(self) -> None:
        """Handle commands until `quit` or the end of the input."""
        for line in self._lines:
            if line.split()[:1] == ["nboard"]:
                self._cancel_job()
                ReversiNBoard(self._lines, self._send, self._options).run(line)
                return
            if line == "quit" or self._send.is_closed:
                self._cancel_job(QUIT_S)
                return
            self.handle(line)
        self._finish_job()

    def handle(self, line: str) -> None:
        """Run a command, or answer with an error."""
        words = line.split()
        if not words:
            return
        try:
            if isinstance(line, OverlongLine):
                raise NotationError(f"expected a shorter line, got {safe_repr(line)}")
            if words[0] not in self._handlers:
                hint = suggest(words[0], self._handlers, otherwise="see 'help'")
                raise NotationError(f"unknown command {safe_repr(words[0])}; {hint}")
            self._handlers[words[0]](words[1:])
        except (ConfigError, IllegalMoveError, NotationError) as error:
            self._send(f"error {one_line(str(error), 500)}")
        except MemoryError:
            self._send("error not enough memory")

    # The commands.

    def _uci(self, _: list[str]) -> None:
        self._send(
            f"id name {self._options.title}",
            "id author the Plyground authors",
            *self._options.declarations(),
            "uciok",
        )

    def _set_option(self, words: list[str]) -> None:
        self._check_idle("setoption")
        if len(words) < 3 or words[0] != "name" or words[2:3] not in ([], ["value"]):
            raise NotationError(
                f"expected 'setoption name NAME value VALUE', got {safe_repr(' '.join(words))}"
            )
        options = self._options.with_option(words[1], " ".join(words[3:]))
        agent = options.make_agent()
        if options.game is not self._options.game or options.settings != self._options.settings:
            self._state = options.start_state()
        self._agent.close()
        self._options, self._agent = options, agent

    def _new_game(self, _: list[str]) -> None:
        self._check_idle("ucinewgame")
        self._agent.new_game()
        self._state = self._options.start_state()

    def _set_position(self, words: list[str]) -> None:
        self._check_idle("position")
        at = words.index("moves") if "moves" in words else len(words)
        text, moves = " ".join(words[:at]), words[at + 1 :]
        if not text:
            raise NotationError("expected 'position startpos' or 'position TEXT', got nothing")
        state = self._options.start_state(None if text == "startpos" else text)
        for move in moves:
            state = state.play(move)
        self._state = state

    def _go(self, words: list[str]) -> None:
        self._check_idle("go")
        go = parse_go(words, self._state.current_player)
        if self._state.outcome is not None:
            self._send("bestmove none")
            return
        self._ponder_limits, self._is_pondering = go.limits, go.is_ponder
        waits_for_stop = go.is_infinite or go.is_ponder
        self._start_search(UNLIMITED if waits_for_stop else go.limits, waits_for_stop)

    def _stop(self) -> None:
        self._is_pondering = False
        if self._job is not None:
            self._job.stop()

    def _ponder_hit(self, _: list[str]) -> None:
        """Search again under the limits; the agent keeps what it found while pondering."""
        if not (self._is_pondering and isinstance(self._job, SearchJob)):
            raise NotationError("expected 'ponderhit' after 'go ponder', and before 'stop'")
        self._cancel_job()
        self._start_search(self._ponder_limits, waits_for_stop=False)

    def _legal(self, _: list[str]) -> None:
        moves = map(self._state.format_move, self._state.legal_actions())
        self._send(" ".join(["legal", *moves]))

    def _eval(self, _: list[str]) -> None:
        self._check_idle("eval")
        state = self._state
        if state.outcome is not None:
            raise IllegalMoveError(f"nothing to evaluate in {state.text()!r}: {state.outcome}")
        if self._options.uses_network:
            score = self._agent.search(state, SearchLimits(simulations=1)).score
            parts = [] if score is None else [format_score(score)]
        else:
            terms = state.game.evaluation_terms(state)
            parts = [format_score(state.game.evaluate(state))]
            parts += [f"{name} {value}" for name, value in terms.items()]
        self._send(" ".join(["eval", *parts]))

    def _perft(self, words: list[str]) -> None:
        self._check_idle("perft")
        if len(words) != 1 or words[0] not in map(str, range(DEEPEST_PERFT + 1)):
            got = safe_repr(" ".join(words))
            raise NotationError(f"expected a depth from 0 to {DEEPEST_PERFT} for perft, got {got}")
        depth, started = int(words[0]), time.perf_counter()

        def on_end(count: int | None) -> None:
            took_ms = (time.perf_counter() - started) * 1000
            found = "stopped" if count is None else f"nodes {count} time {took_ms:.0f}"
            self._send(f"perft {depth} {found}")

        self._job = PerftJob(self._state, depth, on_end)

    def _show(self, _: list[str]) -> None:
        self._send(*str(self._state).splitlines(), f"position {self._state.text()}")

    # Jobs in the background.

    def _check_idle(self, command: str) -> None:
        if self._job is None:
            return
        if self._job.is_running and not self._job.is_stopped:
            raise NotationError(f"{command!r} is not possible during a search; send 'stop' first")
        self._job.wait()  # its answer comes before the answer to this command

    def _cancel_job(self, wait_s: float | None = None) -> None:
        self._is_pondering = False
        if self._job is not None:
            self._job.cancel(wait_s)

    def _finish_job(self) -> None:
        """Wait for the last answer after the end of the input, unless it cannot be read."""
        if (job := self._job) is None:
            return
        parent = os.getppid()
        while job.is_running:
            is_endless = job.waits_for_stop and not job.is_stopped
            if is_endless or self._send.is_closed or os.getppid() != parent:
                job.cancel(QUIT_S)
                return
            time.sleep(0.01)
        job.wait()

    def _start_search(self, limits: SearchLimits | None, waits_for_stop: bool) -> None:
        state, info_filter = self._state, _InfoFilter()

        def on_progress(result: SearchResult) -> None:
            if info_filter.accepts(result):
                self._send(format_info(state, result))

        def on_end(found: SearchResult | Exception) -> None:
            if isinstance(found, SearchResult):
                line = format_line(state, found.pv[:2] or [found.best_move])
                last = [] if info_filter.has_sent(found) else [format_info(state, found)]
                self._send(*last, f"bestmove {line.replace(' ', ' ponder ')}")
            else:
                self._send(f"error {one_line(str(found) or type(found).__name__)}")

        self._job = SearchJob(self._agent, state, limits, on_progress, on_end, waits_for_stop)


class _InfoFilter:
    """Passes new results at once, and others at intervals."""

    def __init__(self) -> None:
        self._sent: SearchResult | None = None
        self._sent_at = 0.0

    def has_sent(self, result: SearchResult) -> bool:
        """Whether this is the last result that passed."""
        sent = self._sent
        return sent is not None and (sent.nodes_searched, sent.pv, sent.score) == (
            result.nodes_searched, result.pv, result.score
        )  # fmt: skip

    def accepts(self, result: SearchResult) -> bool:
        """Whether to send a result."""
        now, sent = time.monotonic(), self._sent
        is_new = sent is None or (sent.depth, sent.best_move) != (result.depth, result.best_move)
        if not is_new and now - self._sent_at < INFO_EVERY_S:
            return False
        self._sent, self._sent_at = result, now
        return True


@dataclass(frozen=True, slots=True)
class GoCommand:
    """The arguments of `go`."""

    limits: SearchLimits | None
    is_infinite: bool
    is_ponder: bool


def parse_go(words: list[str], player: int) -> GoCommand:
    """The arguments of a `go` line, with the clocks as the player to move sees them.

    >>> parse_go(["time1", "60000", "time2", "500", "inc1", "1000"], 1).limits.clock_s
    60.0
    """
    numbers: dict[str, int] = {}
    flags = {"infinite": False, "ponder": False}
    known = (
        *("movetime", "time1", "time2", "inc1", "inc2", "movestogo"),
        *("depth", "nodes", "simulations"),
    )
    rest = iter(words)
    for word in rest:
        if word in flags:
            flags[word] = True
            continue
        if word not in known:
            raise NotationError(
                f"expected {', '.join((*known, *flags))} after 'go', got {safe_repr(word)}"
            )
        value = next(rest, "nothing")
        if not (value.isascii() and value.removeprefix("-").isdecimal() and len(value) < 16):
            raise NotationError(
                f"expected a whole number of up to 15 digits after {word!r}, got {safe_repr(value)}"
            )
        numbers[word] = int(value)

    def seconds(name: str) -> float | None:
        return numbers[name] / 1000 if name in numbers else None

    def clock(number: int) -> float | None:  # hosts send what an overstepped clock shows
        left_s = seconds(f"time{number}")
        return None if left_s is None else max(left_s, 0.0)

    limits = SearchLimits(
        time_s=seconds("movetime"),
        nodes=numbers.get("nodes"),
        depth=numbers.get("depth"),
        simulations=numbers.get("simulations"),
        clock_s=clock(player),
        increment_s=seconds(f"inc{player}") or 0.0,
        opponent_clock_s=clock(3 - player),
        opponent_increment_s=seconds(f"inc{3 - player}") or 0.0,
        moves_to_go=numbers.get("movestogo"),
    )
    has_limits = limits.limits_move or limits.clock_s is not None
    return GoCommand(limits if has_limits else None, flags["infinite"], flags["ponder"])


def format_info(state: State, result: SearchResult) -> str:
    """The `info` line of a result; agents that do not evaluate have no score."""
    score = "" if result.score is None else f"score {format_score(result.score)} "
    return (
        f"info depth {result.depth} {score}"
        f"nodes {result.nodes_searched} nps {result.nodes_per_second:.0f} "
        f"time {result.time_ms:.0f} pv {format_line(state, result.pv or [result.best_move])}"
    )


def format_score(score: Score) -> str:
    """A score with its unit: `steps 0.50`, `discs 4.00`, `value 0.310`, `win 7` or `loss 6` plies.

    >>> format_score(Score.proven(-6, player=1)), format_score(Score.expected(0.31, player=1))
    ('loss 6', 'value 0.310')
    """
    if score.win_in is not None:
        return f"{'win' if score.win_in > 0 else 'loss'} {abs(score.win_in)}"
    decimals = 3 if score.unit.scale is None else 2
    return f"{score.unit.name} {score.value:.{decimals}f}"
