"""Another program as a player: it is asked for moves, and loses the game if it cannot behave."""

from __future__ import annotations

import math
from time import monotonic
from typing import Any

from plyground.agents.base import Forfeit, Progress, legal_actions
from plyground.agents.engine_file import EngineProgram
from plyground.agents.line_process import LineProcess
from plyground.agents.retrace import MoveTracker
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.search.engine import time_budget
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

STOP_S = 2.0
"""How long it may take to answer after `stop`."""
LARGEST = {"score": 1e6, "depth": 1e6, "nodes": 1e15}
"""Nothing beyond this is believed."""


class ExternalAgent:
    """Plays what a program says. Its process starts with `prepare`, or the first move.

    A program that ends, stays silent, refuses or names no legal move forfeits the game.
    """

    def __init__(self, program: EngineProgram, game: str = "quoridor") -> None:
        self.program = program
        self.game = game
        self.limits = program.limits
        self._process: LineProcess | None = None
        self._told: list[int] | None = None
        """The moves on the engine's own board, where it keeps one."""
        self._tracker = MoveTracker(game)
        self._declared: set[str] = set()
        """The options it has told us of, in lower case."""
        self._counts_points = False

    def prepare(self) -> None:
        """Start the program and greet it; what that takes is no time of the game's."""
        if self._process is None:
            try:
                self._start()
            except BaseException:
                self.close()
                raise

    def _start(self) -> None:
        dialect, program = self.program.adapter, self.program
        self._process = LineProcess(program.command, program.folder)
        deadline = monotonic() + program.startup
        too_late = f"not ready after {program.startup:g} s"
        self._declared = set()
        if dialect.hello is not None:
            self._process.send(dialect.hello)
            self._declared = self._options_until(dialect.hello_answer, deadline, too_late)
        options = dict(program.options)
        if "game" in self._declared:
            options = {"Game": self.game} | options
        if options and dialect.option is None:
            raise ConfigError("the adapter has no word for options, but options are given")
        for name, value in options.items():
            self._process.send(str(dialect.option).format(name=name, value=value))
        self._told = None
        self._sync(deadline, too_late)

    def select_action(self, state: Any, limits: SearchLimits | None = None) -> int:
        """Ask for a move."""
        return self.search(state, limits).best_move

    def search(
        self,
        state: Any,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """Ask for a move, and pass on what the program tells of its search."""
        legal_actions(state)
        limits = limits or self.limits
        go = self._go_line(state, limits)
        self.prepare()
        deadline = monotonic() + _longest_s(limits) + self.program.patience
        try:
            self._set_up(state, deadline)
            return self._ask(state, go, deadline, on_progress)
        except Forfeit:
            self.close()
            raise
        except BaseException:
            self._interrupt()
            raise

    def points(self, state: Any) -> float | None:  # noqa: ARG002
        """Scores are in steps or discs if the program says so."""
        return 1.0 if self._counts_points else None

    def new_game(self) -> None:
        """Forget earlier games."""
        self._told, self._tracker = None, MoveTracker(self.game)

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.close(self.program.adapter.quit)
            self._process = None

    # What is said.

    def _set_up(self, state: Any, deadline: float) -> None:
        """Bring the position to the program's board."""
        dialect, process = self.program.adapter, self._process
        assert process is not None
        is_new = self._told is None
        names = dialect.notation.by_action(state)
        needs_moves = dialect.move is not None or "{moves}" in (dialect.position or "")
        moves = self._tracker.moves_to(state) if needs_moves else []
        told = self._told or []
        if dialect.move is not None and told != moves[: len(told)]:
            is_new, told = True, []  # moves were taken back
        if is_new:
            self._tell_settings(state)
            if dialect.new_game is not None:
                process.send(dialect.new_game)
        if dialect.move is not None:
            for action in moves[len(told) :]:
                process.send(dialect.move.format(move=names[action]))
        else:
            written = " ".join(names[action] for action in moves)
            process.send(str(dialect.position).format(text=state.text(), moves=written))
        self._told = moves
        self._sync(deadline, "no answer")

    def _tell_settings(self, state: Any) -> None:
        """The settings of the game, as far as the program has options of these names."""
        option = self.program.adapter.option
        for name, value in registry.get(self.game).settings(state).items():
            if name.lower() in self._declared and option is not None and self._process is not None:
                self._process.send(option.format(name=name, value=value))

    def _go_line(self, state: Any, limits: SearchLimits | None) -> str:
        words = self.program.adapter.limits
        if limits is None:
            return self.program.adapter.go
        time_s, clock_s = limits.time_s, limits.clock_s
        if clock_s is not None and "clock" not in words:  # it is told what to spend instead
            hard_s, aim_s = time_budget(limits)
            time_s, clock_s = 2 * aim_s if aim_s is not None else hard_s, None
            time_s = min(time_s or 0.0, hard_s or 0.0)
        given = {
            "time": time_s, "nodes": limits.nodes, "depth": limits.depth,
            "sims": limits.simulations, "clock": clock_s,
        }  # fmt: skip
        parts = [self.program.adapter.go]
        for name, value in given.items():
            if value is None:
                continue
            if name not in words:
                program = self.program.command[0]
                raise ConfigError(f"the adapter of {program!r} has no word for the limit {name}")
            parts.append(
                words[name].format(
                    n=value,
                    s=f"{value:.3f}",
                    ms=round(value * 1000),
                    inc_s=f"{limits.increment_s:.3f}",
                    inc_ms=round(limits.increment_s * 1000),
                    player=state.current_player,
                )
            )
        return " ".join(parts)

    # What comes back.

    def _ask(
        self, state: Any, go: str, deadline: float, on_progress: Progress | None
    ) -> SearchResult:
        dialect, process = self.program.adapter, self._process
        assert process is not None
        names = dialect.notation.by_action(state)
        actions = {name.lower(): action for action, name in names.items()}
        started = monotonic()
        process.send(go)
        known = SearchResult(state.legal_actions()[0], math.nan, 0, [], 0, 0.0)
        while True:
            words = self._line(deadline, f"no move in {deadline - started:.0f} s").split()
            if words[:1] == ["info"]:
                line = _line(words, state, actions)
                known = self._heard(known, words, line, (monotonic() - started) * 1000)
                if on_progress is not None and known.pv and known.tells:
                    on_progress(known)
            elif words[:1] == [dialect.answer]:
                said = words[1] if len(words) > 1 else ""
                if said == dialect.resign:
                    raise Forfeit("resignation")
                action = actions.get(said.lower())
                if action is None or not state.is_legal(action):
                    raise Forfeit(f"illegal move {said[:60]!r}")
                break
        if dialect.move is not None or "{moves}" in (dialect.position or ""):
            self._follow(action)
        pv = known.pv if known.pv[:1] == [action] else [action]
        return SearchResult(
            action, known.score, known.depth, pv, known.nodes_searched,
            (monotonic() - started) * 1000, known.win_in,
        )  # fmt: skip

    def _follow(self, action: int) -> None:
        """Keep track of the move, and of whether the program has played it, too."""
        self._tracker.play(action)
        if self.program.adapter.plays_its_own and self._told is not None:
            self._told = [*self._told, action]

    def _heard(
        self, known: SearchResult, words: list[str], line: list[int], time_ms: float
    ) -> SearchResult:
        """What an `info` line adds to what is known."""
        names = self.program.adapter.info
        values = {name: _after(words, word) for name, word in names.items()}
        score, win_in = known.score, known.win_in
        [unit, *rest] = values.get("score") or [""]
        if (number := _number("score", unit)) is not None:
            score, win_in = number, None
        elif rest and (number := _number("score", rest[0])) is not None:
            if unit in ("win", "loss"):
                win_in = int(number) if unit == "win" else -int(number)
            else:
                score, win_in = number, None
                self._counts_points = unit in ("steps", "discs")
        depth, nodes = (_number(name, (values.get(name) or [""])[0]) for name in ("depth", "nodes"))
        return SearchResult(
            line[0] if line else known.best_move,
            score,
            known.depth if depth is None else max(int(depth), 0),
            line or known.pv,
            known.nodes_searched if nodes is None else max(int(nodes), 0),
            time_ms,
            win_in,
        )

    def _options_until(self, word: str, deadline: float, too_late: str) -> set[str]:
        """The names of the options it declares before a word."""
        names: set[str] = set()
        while (words := self._line(deadline, too_late).split())[:1] != [word]:
            if words[:2] == ["option", "name"] and len(words) > 2 and len(names) < 1000:
                names.add(words[2].lower())
        return names

    def _sync(self, deadline: float, too_late: str) -> None:
        """Wait until it has done all it was told; answers to earlier questions are left behind."""
        dialect = self.program.adapter
        if dialect.ready is not None and self._process is not None:
            self._process.send(dialect.ready)
            while self._line(deadline, too_late).split()[:1] != [dialect.ready_answer]:
                pass

    def _line(self, deadline: float, too_late: str) -> str:
        assert self._process is not None
        line = self._process.read(deadline)
        if line is None:
            raise Forfeit(too_late)
        if line.split()[:1] and line.split()[0] in self.program.adapter.refusals:
            raise Forfeit(f"the program says: {line[:120]}")
        return line

    def _interrupt(self) -> None:
        """Nobody wants the answer any more; a program that cannot be told so is ended."""
        dialect, process = self.program.adapter, self._process
        if process is None:
            return
        try:
            if dialect.stop is None:
                raise Forfeit("it cannot be stopped")
            process.send(dialect.stop)
            deadline = monotonic() + STOP_S
            while self._line(deadline, "no answer to stop").split()[:1] != [dialect.answer]:
                pass
            self._told = None
        except Forfeit:
            self.close()


def _longest_s(limits: SearchLimits | None) -> float:
    """How long a program may think under these limits; without a time, its patience is all."""
    if limits is None:
        return 0.0
    return limits.time_s or limits.clock_s or 0.0


def _line(words: list[str], state: Any, actions: dict[str, int]) -> list[int]:
    """The moves behind `pv`, as far as they can be played."""
    line: list[int] = []
    start = words.index("pv") + 1 if "pv" in words else len(words)
    for word in words[start : start + 64]:
        action = actions.get(word.lower())
        if action is None or not state.is_legal(action):
            break
        line.append(action)
        state = state.play(action)
    return line


def _after(words: list[str], word: str) -> list[str]:
    """The two words behind one."""
    at = words.index(word) + 1 if word in words else len(words)
    return words[at : at + 2]


def _number(what: str, text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and abs(number) <= LARGEST[what] else None
