"""Checks whether a program speaks the engine protocol: every line of docs/protocol.md, and games.

Each check talks to the program and fails with a sentence. The lines that were exchanged during a
check are kept for the report. A program that fails is started again for the next check.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from time import monotonic

from plyground.agents import RandomAgent
from plyground.agents.base import Forfeit
from plyground.agents.engine_adapter import EngineAdapter
from plyground.agents.engine_file import EngineProgram
from plyground.agents.engine_info import info_words, read_score, words_after
from plyground.agents.engine_process import EngineProcess
from plyground.agents.external import ExternalAgent
from plyground.arena.game import play_game
from plyground.arena.task import Conditions
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.play.clock import TimeControl
from plyground.search.limits import SearchLimits

TIMEOUT_S = 1.0
"""Seconds for an answer that needs no search, and to end a search after its time."""
CLOCK_GRACE = 0.1
"""The share of the timeout by which an answer may come after the end of a clock."""
QUIET_S = 0.15
"""Seconds in which no move may come after `go infinite` and `go ponder`."""
DEFAULT_SEARCH_S = 30.0
"""Seconds for a search without any limit in time."""
ENDS_TRIED = 50
"""Random games that are played to find a decided one; a text does not tell a draw by length."""
POSITIONS = 10
READY_CALLS = 20
MOST_LINES = 40
"""Lines of a failed check that are kept, the last ones."""
OPTION_TYPES = ("check", "spin", "combo", "button", "string")
BAD_LINES = (
    "",
    "no-such-command",
    "position",
    "position nonsense",
    "position startpos moves zz99",
    "go movetime",
    "go movetime soon",
    "setoption",
    "setoption name NoSuchOption value 1",
    "stop",
    "x" * 10_000,
)
"""Lines that a program may answer with an error or ignore."""


class CheckFailed(Exception):  # noqa: N818  not an error of the caller
    """Raised by a check, with what the program did wrong."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check of a program."""

    name: str
    passed: bool
    note: str
    """What was measured, or what went wrong."""
    lines: tuple[str, ...]
    """The lines exchanged, `>` to the program and `<` from it."""


class EngineChecker:
    """Runs every check on a program, for one game and board."""

    def __init__(
        self, program: EngineProgram, start: State, games: int = 20, timeout_s: float = TIMEOUT_S
    ) -> None:
        if program.adapter != EngineAdapter():
            raise ConfigError("expected a program that speaks the engine protocol, got an adapter")
        if start.outcome is not None:
            raise ConfigError(f"expected a position to play from, got {start.text()!r}: the end")
        program.check()
        self.program = program
        self.start = start
        self.games = games
        self.timeout_s = timeout_s
        self._process: EngineProcess | None = None
        self._lines: deque[str] = deque(maxlen=MOST_LINES)
        self._options: dict[str, str] = {}
        """The declared options: the words after the name, by name."""
        self._title = ""
        self._units: dict[str, None] = {}
        """The units of all scores so far."""
        self._unknown_scores: dict[str, str] = {}
        """Scores in unknown units, and the first line of each."""
        self._searched = start
        """The position of the running search."""
        self._random = random.Random(1)
        self.checks: dict[str, Callable[[], str]] = {
            "start": self._check_start,
            "isready": self._check_ready,
            "options": self._check_options,
            "positions": self._check_positions,
            "limits": self._check_limits,
            "clocks": self._check_clocks,
            "stop": self._check_stop,
            "ponder": self._check_ponder,
            "end of the game": self._check_end,
            "bad lines": self._check_bad_lines,
            "scores": self._check_scores,
            "games": self._check_games,
            "quit": self._check_quit,
            "end of input": self._check_end_of_input,
        }

    def run(self) -> Iterator[CheckResult]:
        """Run the checks one by one."""
        try:
            for name, check in self.checks.items():
                result = self._run(name, check)
                yield result
                if not self._options and not self._title and not result.passed:
                    return  # it does not start
        finally:
            self._close()

    def _run(self, name: str, check: Callable[[], str]) -> CheckResult:
        self._lines.clear()
        try:
            note = check()
        except (CheckFailed, Forfeit) as failure:
            lines = tuple(self._lines)
            self._close()
            return CheckResult(name, passed=False, note=str(failure), lines=lines)
        return CheckResult(name, passed=True, note=note, lines=tuple(self._lines))

    # The checks.

    def _check_start(self) -> str:
        started = monotonic()
        self._begin()
        if not self._title:
            raise CheckFailed("no 'id name' line before 'uciok'")
        took_s = monotonic() - started
        return f"{self._title}, {len(self._options)} options, ready after {took_s:.2f} s"

    def _check_ready(self) -> str:
        self._begin()
        times_ms = []
        for _ in range(READY_CALLS):
            asked = monotonic()
            self._sync()
            times_ms.append((monotonic() - asked) * 1000)
        return f"median {median(times_ms):.1f} ms, slowest {max(times_ms):.1f} ms"

    def _check_options(self) -> str:
        self._begin()
        tried = 0
        for name, declared in self._options.items():
            kind = next(iter(words_after(declared.split(), "type", 1)), "")
            if kind not in OPTION_TYPES:
                self._note("<", f"option name {name} {declared}")
                known = ", ".join(OPTION_TYPES)
                raise CheckFailed(f"option {name} has the type {kind!r}, expected one of {known}")
            default = next(iter(words_after(declared.split(), "default", 1)), "")
            if kind == "button" or not default or default.startswith("<"):
                continue
            self._send(f"setoption name {name} value {default}")
            self._sync()
            tried += 1
        self._set_up()
        return f"{tried} of {len(self._options)} set to their defaults"

    def _check_positions(self) -> str:
        self._begin()
        for _ in range(POSITIONS):
            self._check_move(self._play_randomly(self._random.randrange(12)), "movetime 20")
        return f"a legal move in each of {POSITIONS + self._check_startpos()}"

    def _check_startpos(self) -> int:
        """Check `position startpos moves`; returns the positions, 0 if the board is another one."""
        game = self.start.game
        settings = game.settings(self.start)
        state: State = game.start(settings)
        if state != game.start() and not any(name in self._options for name in settings):
            return 0
        moves: list[str] = []
        for _ in range(3):
            move = state.format_move(self._random.choice(state.legal_actions()))
            if state.play(move).outcome is not None:
                break
            state = state.play(move)
            moves.append(move)
            self._send("ucinewgame", f"position startpos moves {' '.join(moves)}")
            self._sync()
            self._go(state, "movetime 20", self.timeout_s)
        return len(moves)

    def _check_limits(self) -> str:
        self._begin()
        state = self.start
        for limit in ("movetime 100", "movetime 1", "movetime 100 depth 2 nodes 100"):
            self._check_move(state, limit, 0.1 + self.timeout_s)
        rejected = [
            limit.split()[0]
            for limit in ("depth 2", "nodes 100", "simulations 10")
            if not self._check_move(state, limit, DEFAULT_SEARCH_S, may_reject=True)
        ]
        self._check_move(state, "", DEFAULT_SEARCH_S)
        return f"rejects {', '.join(rejected)}" if rejected else "all accepted"

    def _check_clocks(self) -> str:
        self._begin()
        state, slowest_s = self.start, 0.0
        for _ in (1, 2):  # for both players, unless every move ends the game
            for clock in (
                "time1 1000 time2 1000 inc1 10 inc2 20",
                "time1 1000 time2 1000 inc1 0 inc2 0 movestogo 5",
                "time1 200 time2 200 inc1 0 inc2 0",
            ):
                asked = monotonic()
                clock_s = int(clock.split()[1]) / 1000
                self._check_move(state, clock, clock_s + CLOCK_GRACE * self.timeout_s)
                slowest_s = max(slowest_s, monotonic() - asked)
            nexts = (state.play(action) for action in state.legal_actions())
            state = next((after for after in nexts if after.outcome is None), state)
        return f"both players in time, slowest {slowest_s:.2f} s"

    def _check_stop(self) -> str:
        self._begin()
        self._set_position(self.start)
        self._send("go infinite")
        self._expect_quiet("before 'stop'")
        self._sync()
        asked = monotonic()
        self._send("stop")
        self._read_move(self.start, self.timeout_s, "no bestmove after 'stop'")
        return f"bestmove {(monotonic() - asked) * 1000:.0f} ms after 'stop'"

    def _check_ponder(self) -> str:
        self._begin()
        clocks = "time1 1000 time2 1000 inc1 0 inc2 0"
        for command in ("ponderhit", "stop"):
            self._set_position(self.start)
            self._send(f"go ponder {clocks}")
            self._expect_quiet(f"before {command!r}")
            self._send(command)
            self._read_move(self.start, 1.0 + self.timeout_s, f"no bestmove after {command!r}")
        return "bestmove after 'ponderhit' and 'stop' only"

    def _check_end(self) -> str:
        self._begin()
        ends = (self._play_randomly(None) for _ in range(ENDS_TRIED))
        state = next((end for end in ends if _has_winner(end)), None)
        if state is None:
            return "not checked: random games end in draws"
        self._set_position(state)
        self._send("go movetime 20")
        answer = self._read_answer(self.timeout_s, "no answer to 'go' in a finished game")
        if answer != ["bestmove", "none"]:
            raise CheckFailed(f"expected 'bestmove none', got {' '.join(answer)!r}")
        return "bestmove none"

    def _check_bad_lines(self) -> str:
        self._begin()
        for line in BAD_LINES:
            self._send(line)
            self._sync(may_reject=True)
        self._check_move(self.start, "movetime 20")
        return f"{len(BAD_LINES)} lines, then a legal move"

    def _check_scores(self) -> str:
        if self._unknown_scores:
            for line in self._unknown_scores.values():
                self._note("<", line)
            raise CheckFailed(f"scores that cannot be read: {', '.join(self._unknown_scores)}")
        return f"in {', '.join(self._units)}" if self._units else "none sent"

    def _check_games(self) -> str:
        """Games against random moves, with colours, limits per move and clocks in turn."""
        agent = ExternalAgent(self.program, self.start.game)
        plies = 0
        try:
            agent.on_line = self._note
            agent.prepare()
            for number in range(self.games):
                player, is_clocked = 1 + number % 2, number % 4 >= 2
                conditions = Conditions(
                    None if is_clocked else SearchLimits(time_s=0.01),
                    TimeControl(2, 0.02) if is_clocked else None,
                    move_timeout_s=DEFAULT_SEARCH_S,
                )
                players = {player: agent, 3 - player: RandomAgent(seed=number)}
                record = play_game(self.start, players, conditions=conditions)
                plies += len(record.moves)
                if record.states()[-1].outcome is None:
                    raise CheckFailed(f"game {number + 1} as player {player}: {record.termination}")
        finally:
            agent.close()
        return f"{self.games} games with {plies} plies, none lost other than on the board"

    def _check_quit(self) -> str:
        self._begin()
        self._send("quit")
        return self._expect_exit("'quit'")

    def _check_end_of_input(self) -> str:
        self._begin()
        assert self._process is not None
        self._process.close_input()
        return self._expect_exit("the end of its input")

    # Commands and answers.

    def _begin(self) -> None:
        """Start the program, unless it is running, and set up the game."""
        if self._process is not None:
            return
        program = self.program
        self._process = EngineProcess(program.command, program.folder)
        self._process.on_line = self._note
        self._send("uci")
        self._options = {}
        deadline = monotonic() + program.startup
        while (line := self._read(deadline, f"no 'uciok' in {program.startup:g} s")) != "uciok":
            words = line.split()
            if words[:2] == ["id", "name"]:
                self._title = " ".join(words[2:])
            elif words[:2] == ["option", "name"]:
                name, _, declared = line.partition("name ")[2].partition(" type ")
                self._options[name] = f"type {declared}"
        self._set_up()

    def _set_up(self) -> None:
        """Set the options of the game, and those that the program was given."""
        game, program = self.start.game, self.program
        settings = {"Game": game.name, **game.settings(self.start), **program.options}
        for name, value in settings.items():
            if name in self._options or name in program.options:
                self._send(f"setoption name {name} value {value}")
        self._sync(program.startup)

    def _close(self) -> None:
        if self._process is not None:
            self._process.close("quit")
            self._process = None

    def _note(self, direction: str, line: str) -> None:
        self._lines.append(f"{direction} {line if len(line) < 200 else line[:200] + '...'}")

    def _send(self, *lines: str) -> None:
        assert self._process is not None
        for line in lines:
            self._process.send(line)

    def _read(self, deadline: float, too_late: str) -> str:
        assert self._process is not None
        line = self._process.read(deadline)
        if line is None:
            raise CheckFailed(too_late)
        self._note_score(line)
        return line

    def _note_score(self, line: str) -> None:
        if (info := info_words(line)) is not None and "score" in info:
            score = words_after(info, "score")
            unit = score[0] if score else ""
            if read_score(score, self._searched) is not None:
                self._units[unit] = None
            else:
                self._unknown_scores.setdefault(unit, line)

    def _sync(self, within_s: float | None = None, may_reject: bool = False) -> None:
        """Wait for `readyok`; an error in between is a failure unless it was provoked."""
        within_s = within_s or self.timeout_s
        self._send("isready")
        deadline = monotonic() + within_s
        while (line := self._read(deadline, f"no 'readyok' in {within_s:g} s")) != "readyok":
            if line.startswith("error") and not may_reject:
                raise CheckFailed(f"the program says: {line}")

    def _set_position(self, state: State) -> None:
        self._searched = state
        self._send(f"position {state.text()}")
        self._sync()

    def _check_move(
        self, state: State, limit: str, within_s: float | None = None, may_reject: bool = False
    ) -> bool:
        """Search a position; False if the program rejects the limit."""
        self._set_position(state)
        return self._go(state, limit, within_s or self.timeout_s, may_reject)

    def _go(self, state: State, limit: str, within_s: float, may_reject: bool = False) -> bool:
        self._searched = state
        command = " ".join(["go", *limit.split()])
        self._send(command)
        too_late = f"no bestmove {within_s:g} s after {command!r}"
        return self._read_move(state, within_s, too_late, may_reject)

    def _read_move(
        self, state: State, within_s: float, too_late: str, may_reject: bool = False
    ) -> bool:
        answer = self._read_answer(within_s, too_late)
        if answer[0] == "error" and may_reject:
            return False
        move = " ".join(answer[1:2])
        names = {state.format_move(action).lower() for action in state.legal_actions()}
        if answer[0] != "bestmove" or move.lower() not in names:
            raise CheckFailed(
                f"expected a legal move in {state.text()!r}, got {' '.join(answer)!r}"
            )
        return True

    def _read_answer(self, within_s: float, too_late: str) -> list[str]:
        """The words of the next `bestmove` or `error`."""
        deadline = monotonic() + within_s
        while True:
            words = self._read(deadline, too_late).split()
            if words[:1] in (["bestmove"], ["error"]):
                return words

    def _expect_quiet(self, until: str) -> None:
        """Fail if a move comes within a short time."""
        assert self._process is not None
        deadline = monotonic() + QUIET_S
        while (line := self._process.read(deadline)) is not None:
            self._note_score(line)
            if line.split()[:1] in (["bestmove"], ["error"]):
                raise CheckFailed(f"{line!r} {until}")

    def _expect_exit(self, after: str) -> str:
        assert self._process is not None
        asked = monotonic()
        try:
            while True:
                self._read(
                    asked + self.timeout_s, f"still running {self.timeout_s:g} s after {after}"
                )
        except Forfeit as end:
            if not str(end).startswith("the program ended with status 0"):
                raise
        finally:
            self._close()
        return f"exits {(monotonic() - asked) * 1000:.0f} ms after {after}"

    def _play_randomly(self, plies: int | None) -> State:
        """A position after random moves; None for the end of a game."""
        state = self.start
        while state.outcome is None and (plies is None or plies > 0):
            after = state.play(self._random.choice(state.legal_actions()))
            if after.outcome is not None and plies is not None:
                break
            state, plies = after, None if plies is None else plies - 1
        return state


def _has_winner(state: State) -> bool:
    return state.outcome is not None and state.outcome.winner is not None
