"""An external program as a player. A program that misbehaves forfeits the game."""

from __future__ import annotations

import math
from dataclasses import replace
from time import monotonic

from plyground.agents.base import Agent, Forfeit, ForfeitKind, Progress, legal_actions
from plyground.agents.engine_file import EngineProgram
from plyground.agents.engine_process import EngineProcess
from plyground.agents.move_tracker import MoveTracker
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import Action, AnyGame, State
from plyground.games.score import Score, Unit
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

STOP_S = 2.0
"""Seconds to answer after `stop` before the program is killed."""
LARGEST = {"score": 1e6, "depth": 1e6, "nodes": 1e15}
"""Larger numbers in `info` lines are ignored."""
MAX_PV = 64
"""Moves of a variation that are read."""


class ExternalAgent(Agent):
    """Plays the moves of a program, which starts with `prepare` or the first move.

    A program that exits, times out, reports an error or answers with an illegal move forfeits the
    game.
    """

    evaluates = True
    default_limits = None

    def __init__(self, program: EngineProgram, game: AnyGame | str | None = None) -> None:
        self.program = program
        self.game = registry.find(game)
        self.limits = program.limits or SearchLimits()
        self._process: EngineProcess | None = None
        self._sent_moves: list[int] | None = None
        """The moves that the program was sent in this game; None before the first position."""
        self._tracker = MoveTracker()
        self._declared: set[str] = set()
        """The options that the program declared, in lower case."""
        self._last_words = ""

    def prepare(self) -> None:
        """Start the program and wait until it is ready; this does not count as thinking time."""
        if self._process is None:
            try:
                self._start()
            except Forfeit as failure:
                self.close()
                raise Forfeit(failure.reason, ForfeitKind.NO_START) from None
            except BaseException:
                self.close()
                raise

    def _start(self) -> None:
        adapter, program = self.program.adapter, self.program
        self._process = EngineProcess(program.command, program.folder)
        deadline = monotonic() + program.startup
        too_late = f"not ready after {program.startup:g} s"
        self._declared = set()
        if adapter.hello is not None:
            self._process.send(adapter.hello)
            self._declared = self._read_options(adapter.hello_answer, deadline, too_late)
        options = dict(program.options)
        if "game" in self._declared:
            options = {"Game": self.game.name} | options
        if options and adapter.option is None:
            raise ConfigError("the adapter has no 'option' command, but options are given")
        for name, value in options.items():
            self._process.send(str(adapter.option).format(name=name, value=value))
        self._sent_moves = None
        self._sync(deadline, too_late)

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """Ask the program for a move, and report the progress that it sends."""
        legal_actions(state)
        limits = self.limits_for(limits)
        go = self._go_line(state, limits)
        self.prepare()
        deadline = monotonic() + _longest_s(limits) + self.program.patience
        try:
            self._send_position(state, deadline)
            return self._search(state, go, deadline, on_progress)
        except Forfeit:
            self.close()
            raise
        except BaseException:
            self._interrupt()
            raise

    def cache_identity(self, state: State) -> str:
        """Its results are stored as expected results, apart from older ones in its own units."""
        return f"{super().cache_identity(state)} value"

    def new_game(self) -> None:
        """Forget earlier games."""
        self._sent_moves, self._tracker = None, MoveTracker()

    def check_limits(self, state: State, limits: SearchLimits) -> None:
        """Raise a ConfigError if the adapter does not support the limits."""
        self._go_line(state, limits)

    def close(self) -> None:
        """Stop the program."""
        if self._process is not None:
            self._last_words = self._process.last_words()
            self._process.close(self.program.adapter.quit)
            self._process = None

    def last_words(self) -> str:
        """The last line that the program wrote."""
        process = self._process  # another thread may close it
        return self._last_words if process is None else process.last_words()

    # Commands to the program.

    def _send_position(self, state: State, deadline: float) -> None:
        """Set up the position on the program's board."""
        adapter, process = self.program.adapter, self._process
        assert process is not None
        is_new = self._sent_moves is None
        names = adapter.notation.by_action(state)
        moves = self._tracker.moves_to(state) if adapter.needs_moves else []
        sent = self._sent_moves or []
        if adapter.move is not None and sent != moves[: len(sent)]:
            is_new, sent = True, []  # moves were taken back
        if is_new:
            self._send_settings(state)
            if adapter.new_game is not None:
                process.send(adapter.new_game)
        if adapter.move is not None:
            for action in moves[len(sent) :]:
                process.send(adapter.move.format(move=names[action]))
        else:
            written = " ".join(names[action] for action in moves)
            process.send(str(adapter.position).format(text=state.text(), moves=written))
        self._sent_moves = moves
        self._sync(deadline, "no answer")

    def _send_settings(self, state: State) -> None:
        """Send the settings of the game for which the program declared options."""
        option = self.program.adapter.option
        for name, value in self.game.settings(state).items():
            if name.lower() in self._declared and option is not None and self._process is not None:
                self._process.send(option.format(name=name, value=value))

    def _go_line(self, state: State, limits: SearchLimits | None) -> str:
        """The command that starts a search under these limits."""
        templates = self.program.adapter.limits
        if limits is None:
            return self.program.adapter.go
        time_s, clock_s = limits.time_s, limits.clock_s
        if clock_s is not None and "clock" not in templates:  # send a time for the move instead
            hard_s, aim_s = limits.time_budget()
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
            if name not in templates:
                program = self.program.command[0]
                raise ConfigError(f"the adapter of {program!r} does not support the limit {name!r}")
            parts.append(
                templates[name].format(
                    n=value,
                    s=f"{value:.3f}",
                    ms=round(value * 1000),
                    inc_s=f"{limits.increment_s:.3f}",
                    inc_ms=round(limits.increment_s * 1000),
                    player=state.current_player,
                )
            )
        return " ".join(parts)

    # Answers of the program.

    def _search(
        self, state: State, go: str, deadline: float, on_progress: Progress | None
    ) -> SearchResult:
        adapter, process = self.program.adapter, self._process
        assert process is not None
        names = adapter.notation.by_action(state)
        actions = {name.lower(): action for action, name in names.items()}
        started = monotonic()
        process.send(go)
        known = SearchResult(state.legal_actions()[0], score=None)
        while True:
            words = self._read_line(deadline, f"no move in {deadline - started:.0f} s").split()
            if words[:1] == ["info"]:
                pv = _read_pv(words, state, actions)
                known = self._read_info(state, known, words, pv, (monotonic() - started) * 1000)
                if on_progress is not None and known.pv and known.score is not None:
                    on_progress(known)
            elif words[:1] == [adapter.answer]:
                action = self._read_answer(words, state, actions)
                break
        if adapter.needs_moves:
            self._append_move(action)
        return replace(
            known,
            best_move=Action.of(state, action),
            pv=known.pv if known.pv[:1] == [action] else [action],
            time_ms=(monotonic() - started) * 1000,
        )

    def _read_answer(self, words: list[str], state: State, actions: dict[str, int]) -> int:
        """The action of an answer; a Forfeit for a resignation or an illegal move."""
        answer = words[1] if len(words) > 1 else ""
        if answer == self.program.adapter.resign:
            raise Forfeit("resignation", kind=None)
        action = actions.get(answer.lower())
        if action is None or not state.is_legal(action):
            raise Forfeit(f"illegal move {answer[:60]!r}", ForfeitKind.ILLEGAL_MOVE)
        return action

    def _append_move(self, action: int) -> None:
        """Add the program's move to the tracked game, and to its own board if it played it."""
        self._tracker.play(action)
        if self.program.adapter.plays_its_own and self._sent_moves is not None:
            self._sent_moves = [*self._sent_moves, action]

    def _read_info(
        self,
        state: State,
        known: SearchResult,
        words: list[str],
        pv: list[int],
        time_ms: float,
    ) -> SearchResult:
        """The result so far with what an `info` line adds."""
        names = self.program.adapter.info
        values = {name: _two_after(words, word) for name, word in names.items()}
        depth, nodes = (_number(name, (values.get(name) or [""])[0]) for name in ("depth", "nodes"))
        return SearchResult(
            pv[0] if pv else known.best_move,
            _score(values.get("score") or [], state) or known.score,
            known.depth if depth is None else max(int(depth), 0),
            pv or known.pv,
            known.nodes_searched if nodes is None else max(int(nodes), 0),
            time_ms,
        )

    def _read_options(self, end: str, deadline: float, too_late: str) -> set[str]:
        """The names of the options that the program declares before the line that begins so."""
        names: set[str] = set()
        while (words := self._read_line(deadline, too_late).split())[:1] != [end]:
            if words[:2] == ["option", "name"] and len(words) > 2 and len(names) < 1000:
                names.add(words[2].lower())
        return names

    def _sync(self, deadline: float, too_late: str) -> None:
        """Wait until the program has handled every command, and drop its earlier answers."""
        adapter = self.program.adapter
        if adapter.ready is not None and self._process is not None:
            self._process.send(adapter.ready)
            while self._read_line(deadline, too_late).split()[:1] != [adapter.ready_answer]:
                pass

    def _read_line(self, deadline: float, too_late: str) -> str:
        assert self._process is not None
        line = self._process.read(deadline)
        if line is None:
            raise Forfeit(too_late, ForfeitKind.SILENCE)
        if line.split()[:1] and line.split()[0] in self.program.adapter.refusals:
            raise Forfeit(f"the program says: {line[:120]}", ForfeitKind.NONSENSE)
        return line

    def _interrupt(self) -> None:
        """Stop the search and drop its answer; kill a program that cannot be stopped."""
        adapter, process = self.program.adapter, self._process
        if process is None:
            return
        try:
            if adapter.stop is None:
                raise Forfeit("the adapter has no 'stop' command")
            process.send(adapter.stop)
            deadline = monotonic() + STOP_S
            while self._read_line(deadline, "no answer to stop").split()[:1] != [adapter.answer]:
                pass
            self._sent_moves = None
        except Forfeit:
            self.close()


def _longest_s(limits: SearchLimits | None) -> float:
    """Seconds that a program may think under these limits; 0 without a time limit or clock."""
    if limits is None:
        return 0.0
    return limits.time_s or limits.clock_s or 0.0


def _read_pv(words: list[str], state: State, actions: dict[str, int]) -> list[int]:
    """The legal moves that follow `pv`."""
    pv: list[int] = []
    start = words.index("pv") + 1 if "pv" in words else len(words)
    for word in words[start : start + MAX_PV]:
        action = actions.get(word.lower())
        if action is None or not state.is_legal(action):
            break
        pv.append(action)
        state = state.play(action)
    return pv


def _two_after(words: list[str], word: str) -> list[str]:
    """The two words that follow a word."""
    at = words.index(word) + 1 if word in words else len(words)
    return words[at : at + 2]


def _score(words: list[str], state: State) -> Score | None:
    """The score in `0.25`, `steps 1.5` or `win 7`; None for anything else."""
    player, game_unit = state.current_player, state.game.unit
    unit, number = (words[0] if words else ""), _number("score", words[1] if words[1:] else "")
    if (expected := _number("score", unit)) is not None:
        return Score.expected(expected, player)
    if number is None:
        return None
    if unit in ("win", "loss"):
        plies = int(number) if unit == "win" else -int(number)
        return Score.proven(plies, player) if plies else None
    return Score(number, game_unit if unit == game_unit.name else Unit(unit), player)


def _number(what: str, text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and abs(number) <= LARGEST[what] else None
