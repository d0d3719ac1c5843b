"""An agent at the end of a pipe: a line protocol in the manner of UCI, for both games.

docs/protocol.md describes every line. Commands are obeyed at once, on the thread that reads them;
what takes longer, a search or a count, runs on a thread of its own and can be stopped. A line that
makes no sense is answered by `error ...` and changes nothing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any, BinaryIO

from plyground import __version__
from plyground.agents.base import Thinker
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import quoridor, registry
from plyground.play.worker import one_line, shown
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.serve.counting import Counting
from plyground.serve.engine_options import EngineOptions
from plyground.serve.lines import LineWriter, TooLong, read_lines
from plyground.serve.nboard import NBoard
from plyground.serve.static_eval import evaluation
from plyground.serve.thinking import UNLIMITED, Thinking

INFO_EVERY_S = 0.25
"""Between two `info` lines that say the same depth and the same move."""
DEEPEST_PERFT = 12


class EngineServer:
    """Reads commands from one pipe and answers on the other, until `quit` or the pipe's end."""

    def __init__(
        self, reader: BinaryIO, writer: BinaryIO, options: EngineOptions | None = None
    ) -> None:
        self._lines: Iterator[str] = read_lines(reader)
        self._say = LineWriter(writer)
        self._options = options or EngineOptions()
        self._agent: Thinker = self._options.agent()
        self._state: Any = self._options.start_state()
        self._busy: Thinking | Counting | None = None
        self._pondered: SearchLimits | None = None
        """What a search is for that may be turned into one that counts."""
        self._is_pondering = False
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._hello,
            "isready": lambda _: self._say("readyok"),
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
            "help": lambda _: self._say(f"commands: {', '.join((*self._commands, 'quit'))}"),
        }

    def run(self) -> None:
        """Obey until there is nobody to obey."""
        for line in self._lines:
            if line.split()[:1] == ["nboard"]:
                self._drop()
                NBoard(self._lines, self._say, self._options).run(line)
                return
            if line == "quit" or self._say.is_closed:
                self._drop()
                return
            self.obey(line)
        self._finish()

    def obey(self, line: str) -> None:
        """Do what a line says, or say why not."""
        words = line.split()
        if not words:
            return
        try:
            if isinstance(line, TooLong):
                raise NotationError(f"expected a shorter line, got {shown(line)}")
            if words[0] not in self._commands:
                close = get_close_matches(words[0], self._commands, n=1)
                hint = f"did you mean {close[0]!r}?" if close else "see 'help'"
                raise NotationError(f"unknown command {shown(words[0])}; {hint}")
            self._commands[words[0]](words[1:])
        except (ConfigError, IllegalMoveError, NotationError) as error:
            self._say(f"error {one_line(str(error), 500)}")
        except MemoryError:
            self._say("error not enough memory")

    # The commands.

    def _hello(self, _: list[str]) -> None:
        self._say(
            f"id name Plyground {__version__}",
            "id author the Plyground authors",
            *self._options.declared(),
            "uciok",
        )

    def _set_option(self, words: list[str]) -> None:
        self._check_idle("setoption")
        if len(words) < 3 or words[0] != "name" or words[2:3] not in ([], ["value"]):
            raise NotationError(
                f"expected 'setoption name NAME value VALUE', got {shown(' '.join(words))}"
            )
        options = self._options.with_option(words[1], " ".join(words[3:]))
        agent = options.agent()
        if options.game != self._options.game or options.settings != self._options.settings:
            self._state = options.start_state()
        self._options, self._agent = options, agent

    def _new_game(self, _: list[str]) -> None:
        self._check_idle("ucinewgame")
        if (forget := getattr(self._agent, "new_game", None)) is not None:
            forget()
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
        limits, is_endless, is_ponder = parse_go(words, self._state.current_player)
        if self._state.outcome is not None:
            self._say("bestmove none")
            return
        self._pondered, self._is_pondering = limits, is_ponder
        holds = is_endless or is_ponder
        self._think(UNLIMITED if holds else limits, holds)

    def _stop(self) -> None:
        self._is_pondering = False
        if self._busy is not None:
            self._busy.stop()

    def _ponder_hit(self, _: list[str]) -> None:
        """The move came that was pondered on: what was found stays with the agent."""
        if not (self._is_pondering and isinstance(self._busy, Thinking)):
            raise NotationError("expected 'ponderhit' after 'go ponder', and before 'stop'")
        self._drop()
        self._think(self._pondered, holds=False)

    def _legal(self, _: list[str]) -> None:
        self._say(" ".join(["legal", *map(self._move, self._state.legal_actions())]))

    def _eval(self, _: list[str]) -> None:
        self._check_idle("eval")
        self._say(f"eval {evaluation(self._state, self._agent)}")

    def _perft(self, words: list[str]) -> None:
        self._check_idle("perft")
        if len(words) != 1 or words[0] not in map(str, range(DEEPEST_PERFT + 1)):
            got = shown(" ".join(words))
            raise NotationError(f"expected a depth from 0 to {DEEPEST_PERFT} for perft, got {got}")
        depth, started = int(words[0]), time.perf_counter()

        def end(count: int | None) -> None:
            took_ms = (time.perf_counter() - started) * 1000
            found = "stopped" if count is None else f"nodes {count} time {took_ms:.0f}"
            self._say(f"perft {depth} {found}")

        self._busy = Counting(self._state, depth, end)

    def _show(self, _: list[str]) -> None:
        self._say(*str(self._state).splitlines(), f"position {self._state.text()}")

    # How it works.

    def _check_idle(self, command: str) -> None:
        if self._busy is None:
            return
        if self._busy.is_running and not self._busy.is_stopped:
            raise NotationError(f"{command!r} cannot be obeyed while thinking; send 'stop' first")
        self._busy.wait()  # its answer is on its way, and comes before what this command brings

    def _drop(self) -> None:
        self._is_pondering = False
        if self._busy is not None:
            self._busy.drop()

    def _finish(self) -> None:
        """Nobody can ask any more, but whoever asked last may still read the answer."""
        if (busy := self._busy) is None:
            return
        parent = os.getppid()
        while busy.is_running:
            is_endless = busy.holds and not busy.is_stopped
            if is_endless or self._say.is_closed or os.getppid() != parent:
                busy.drop()
                return
            time.sleep(0.01)
        busy.wait()

    def _think(self, limits: SearchLimits | None, holds: bool) -> None:
        informed = _Throttle()
        state, agent = self._state, self._agent

        def progress(result: SearchResult) -> None:
            if informed.is_due(result):
                self._say(self._info(state, agent, result))

        def end(found: SearchResult | Exception) -> None:
            if isinstance(found, SearchResult):
                reply = " ponder ".join(map(self._move, found.pv[:2] or [found.best_move]))
                last = [] if informed.has_said(found) else [self._info(state, agent, found)]
                self._say(*last, f"bestmove {reply}")
            else:
                self._say(f"error {one_line(str(found) or type(found).__name__)}")

        self._busy = Thinking(agent, state, limits, progress, end, holds)

    def _info(self, state: Any, agent: Thinker, result: SearchResult) -> str:
        line = " ".join(map(self._move, result.pv or [result.best_move]))
        return (
            f"info depth {result.depth} score {score_words(state, agent, result)} "
            f"nodes {result.nodes_searched} nps {result.nodes_per_second:.0f} "
            f"time {result.time_ms:.0f} pv {line}"
        )

    def _move(self, action: int) -> str:
        return registry.get(self._options.game).format_action(self._state, action)


class _Throttle:
    """Lets through what is new, and now and then that there is nothing new."""

    def __init__(self) -> None:
        self._said: SearchResult | None = None
        self._at = 0.0

    def has_said(self, result: SearchResult) -> bool:
        """Whether this is what was last let through."""
        said = self._said
        return said is not None and (said.nodes_searched, said.pv, said.score) == (
            result.nodes_searched, result.pv, result.score
        )  # fmt: skip

    def is_due(self, result: SearchResult) -> bool:
        """Whether to say it."""
        now, said = time.monotonic(), self._said
        is_news = said is None or (said.depth, said.best_move) != (result.depth, result.best_move)
        if not is_news and now - self._at < INFO_EVERY_S:
            return False
        self._said, self._at = result, now
        return True


def parse_go(words: list[str], player: int) -> tuple[SearchLimits | None, bool, bool]:
    """The limits in a `go` line for whoever is to move, whether it is endless, and pondering.

    >>> parse_go(["time1", "60000", "time2", "500", "inc1", "1000"], 1)[0].clock_s
    60.0
    """
    numbers: dict[str, int] = {}
    flags = {"infinite": False, "ponder": False}
    known = ("movetime", "time1", "time2", "inc1", "inc2", "depth", "nodes", "simulations")
    rest = iter(words)
    for word in rest:
        if word in flags:
            flags[word] = True
            continue
        if word not in known:
            raise NotationError(
                f"expected {', '.join((*known, *flags))} after 'go', got {shown(word)}"
            )
        value = next(rest, "nothing")
        if not (value.isascii() and value.removeprefix("-").isdecimal() and len(value) < 16):
            raise NotationError(f"expected a whole number after {word!r}, got {shown(value)}")
        numbers[word] = int(value)
    clock_ms = numbers.get(f"time{player}")
    if not numbers:
        return None, flags["infinite"], flags["ponder"]
    limits = SearchLimits(
        time_s=numbers["movetime"] / 1000 if "movetime" in numbers else None,
        nodes=numbers.get("nodes"),
        depth=numbers.get("depth"),
        simulations=numbers.get("simulations"),
        clock_s=None if clock_ms is None else max(clock_ms, 0) / 1000,
        increment_s=numbers.get(f"inc{player}", 0) / 1000,
    )
    if limits == SearchLimits(increment_s=limits.increment_s):  # the other player's clock alone
        return None, flags["infinite"], flags["ponder"]
    return limits, flags["infinite"], flags["ponder"]


def score_words(state: Any, agent: Thinker, result: SearchResult) -> str:
    """A score with its unit: `steps 0.5`, `discs 4`, `value 0.31`, `win 7` or `loss 6` plies."""
    if result.win_in is not None:
        return f"{'win' if result.win_in > 0 else 'loss'} {abs(result.win_in)}"
    points = agent.points(state)
    if points is None:
        return f"value {result.score:.3f}"
    unit = "steps" if isinstance(state, quoridor.State) else "discs"
    return f"{unit} {result.score / points:.2f}"
