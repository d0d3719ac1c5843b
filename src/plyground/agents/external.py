"""An external program as a player. A program that misbehaves forfeits the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic

from plyground.agents.base import Agent, Forfeit, ForfeitKind, Progress, legal_actions
from plyground.agents.engine_adapter import limit_values
from plyground.agents.engine_file import EngineProgram
from plyground.agents.engine_info import info_words, read_count, read_pv, read_score, words_after
from plyground.agents.engine_log import EngineLog
from plyground.agents.engine_option import DeclaredOption, check_options
from plyground.agents.engine_pool import RunningProgram, current_pool
from plyground.agents.engine_process import EngineProcess, OnLine
from plyground.agents.move_tracker import MoveTracker
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import Action, AnyGame, State
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

STOP_S = 2.0
"""Seconds to answer after `stop` before the program is killed."""
LONGEST_TITLE = 60
"""Characters of a program's name."""


class ExternalAgent(Agent):
    """Plays the moves of a program, which starts with `prepare` or the first move.

    A program that exits, times out, reports an error or answers with an illegal move forfeits the
    game. Inside `kept_programs` a program may stay for the next game after `close`.
    """

    evaluates = True
    default_limits = None

    def __init__(self, program: EngineProgram, game: AnyGame | str | None = None) -> None:
        self.program = program
        self.game = registry.find(game)
        self.limits = program.limits or SearchLimits()
        self.title = program.name
        self.time_margin_s = program.timemargin / 1000
        self.log: Path | None = None
        """File to which every line is appended."""
        self.on_line: OnLine | None = None
        """Called with the direction and the text of each line, in place of the log."""
        self._process: EngineProcess | None = None
        self._is_searching = self._is_stop_asked = False
        self._ponder_state: State | None = None
        """The position that the program searches during the opponent's turn."""
        self._sent_moves: list[int] | None = None
        """The moves that the program was sent in this game; None before the first position."""
        self._tracker = MoveTracker()
        self._declared: dict[str, DeclaredOption] = {}
        """The options that the program declared, by name in lower case."""
        self._last_words = ""

    def prepare(self) -> None:
        """Start the program and wait until it is ready; this does not count as thinking time."""
        if self._process is None and not self._take_idle():
            try:
                self._start()
            except Forfeit as failure:
                self._end()
                raise Forfeit(failure.reason, ForfeitKind.NO_START) from None
            except BaseException:
                self._end()
                raise

    def _take_idle(self) -> bool:
        """Continue with a program that stayed after an earlier game, if it still answers."""
        pool = current_pool()
        kept = None if pool is None else pool.take(self._pool_key())
        if kept is None:
            return False
        self._process, self._declared = kept.process, dict(kept.declared)
        self.title = self.program.name or kept.title
        self._sent_moves = None
        try:
            self._sync(monotonic() + self.program.startup, "not ready")
        except Forfeit:
            self._end()
            return False
        return True

    def _pool_key(self) -> str:
        return f"{self.program} {self.game.name} {self.log}"

    def _start(self) -> None:
        adapter, program = self.program.adapter, self.program
        self._process = EngineProcess(program.command, program.folder)
        if self.on_line is not None:
            self._process.on_line = self.on_line
        elif self.log is not None:
            name = program.name or Path(program.command[0]).name
            self._process.on_line = EngineLog(self.log, name, self._process.pid).write
        deadline = monotonic() + program.startup
        too_late = f"not ready after {program.startup:g} s"
        self._declared = {}
        if adapter.hello is not None:
            self._process.send(adapter.hello)
            self._declared = self._read_options(adapter.hello_answer, deadline, too_late)
        options = dict(program.options)
        if "game" in self._declared:
            options = {"Game": self.game.name} | options
        if "ponder" in self._declared and program.ponder:
            options = {"Ponder": "true"} | options
        if options and adapter.option is None:
            raise ConfigError("the adapter has no 'option' command, but options are given")
        try:
            check_options(options, self._declared.values())
        except ConfigError as error:
            raise Forfeit(str(error), ForfeitKind.NO_START) from None
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
        self._is_searching, self._is_stop_asked = True, False
        try:
            self.prepare()
            return self._ask(state, go, limits, on_progress)
        finally:
            self._is_searching = False

    def _ask(
        self, state: State, go: str, limits: SearchLimits | None, on_progress: Progress | None
    ) -> SearchResult:
        started = monotonic()
        deadline = started + _longest_s(limits) + self.program.patience
        try:
            if self._ponder_state == state:
                self._ponder_state = None
                go = str(self.program.adapter.ponderhit)
            else:
                self._stop_pondering(deadline)
                self._send_position(state)
                self._sync(deadline, "no answer")
            result, reply = self._search(state, go, deadline, on_progress)
            if self.program.ponder and reply is not None:
                self._ponder(state.play(result.best_move), reply, limits, monotonic() - started)
        except Forfeit:
            self._end()
            raise
        except BaseException:
            self._interrupt()
            raise
        return result

    def cache_identity(self, state: State) -> str:
        """Its results are stored as expected results, apart from older ones in unknown units."""
        return f"{super().cache_identity(state)} expected"

    def stop(self) -> None:
        """Send `stop` during a search, so that the program answers with its move so far."""
        self._is_stop_asked = True
        if self._is_searching:
            self._send_stop()

    def _send_stop(self) -> None:
        process, command = self._process, self.program.adapter.stop
        if process is not None and command is not None:
            process.send(command)

    def new_game(self) -> None:
        """Forget earlier games."""
        self._sent_moves, self._tracker = None, MoveTracker()
        try:
            self._stop_pondering(monotonic() + STOP_S)
        except Forfeit:
            self._end()

    def check_limits(self, state: State, limits: SearchLimits) -> None:
        """Raise a ConfigError if the adapter does not support the limits."""
        self._go_line(state, limits)

    def follow_game(self, start: State, actions: Sequence[int]) -> None:
        """Receive the moves so far, for a program that takes moves and no position."""
        self._tracker.follow_game(start, actions)

    def close(self) -> None:
        """Stop the program, or leave it to the pool for the next game."""
        pool, process = current_pool(), self._process
        if process is None:
            return
        if pool is None or not self.program.stays or self._is_searching:
            self._end()
            return
        self.new_game()
        if self._process is None:
            return
        self._process = None
        kept = RunningProgram(process, self.title, dict(self._declared))
        pool.put(self._pool_key(), kept, self.program.adapter.quit)

    def _end(self) -> None:
        """Stop the program."""
        self._ponder_state = None
        if self._process is not None:
            self._last_words = self._process.last_words()
            self._process.close(self.program.adapter.quit)
            self._process = None

    def last_words(self) -> str:
        """The last line that the program wrote."""
        process = self._process  # another thread may close it
        return self._last_words if process is None else process.last_words()

    # Commands to the program.

    def _send_position(self, state: State) -> None:
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

    def _send_settings(self, state: State) -> None:
        """Send the settings of the game for which the program declared options."""
        option = self.program.adapter.option
        for name, value in self.game.settings(state).items():
            if name.lower() in self._declared and option is not None and self._process is not None:
                self._process.send(option.format(name=name, value=value))

    def _go_line(self, state: State, limits: SearchLimits | None, is_ponder: bool = False) -> str:
        """The command that starts a search under these limits."""
        templates = self.program.adapter.limits
        parts = [self.program.adapter.go]
        if is_ponder:
            parts.append(str(self.program.adapter.ponder))
        if limits is None:
            return " ".join(parts)
        time_s, clock_s = limits.time_s, limits.clock_s
        if clock_s is not None and "clock" not in templates:  # send a time for the move instead
            hard_s, aim_s = limits.time_budget()
            time_s, clock_s = 2 * aim_s if aim_s is not None else hard_s, None
            time_s = min(time_s or 0.0, hard_s or 0.0)
        given = {
            "time": time_s, "nodes": limits.nodes, "depth": limits.depth,
            "sims": limits.simulations, "clock": clock_s,
        }  # fmt: skip
        if clock_s is not None and "movestogo" in templates:
            given["movestogo"] = limits.moves_to_go
        for name, value in given.items():
            if value is None:
                continue
            if name not in templates:
                program = self.program.command[0]
                raise ConfigError(f"the adapter of {program!r} does not support the limit {name!r}")
            values = limit_values(value, limits, state.current_player)
            parts.append(templates[name].format(**values))
        return " ".join(parts)

    # Searches during the opponent's turn.

    def _ponder(
        self, state: State, reply: str, limits: SearchLimits | None, spent_s: float
    ) -> None:
        """Let the program search the position after the expected reply."""
        action = self._actions(state).get(reply.lower())
        if action is None or not state.is_legal(action):
            return
        expected = state.play(action)
        if expected.outcome is not None or expected.current_player == state.current_player:
            return
        if limits is not None and limits.clock_s is not None:
            left_s = max(limits.clock_s - spent_s, 0.0) + limits.increment_s
            moves = None if limits.moves_to_go is None else max(limits.moves_to_go - 1, 1)
            limits = replace(limits, clock_s=left_s, moves_to_go=moves)
        self._send_position(expected)
        if self._process is not None:
            self._process.send(self._go_line(expected, limits, is_ponder=True))
            self._ponder_state = expected

    def _stop_pondering(self, deadline: float) -> None:
        """End a search in a position that did not arise, and drop its answer."""
        if self._ponder_state is None or self._process is None:
            return
        self._ponder_state = None
        self._process.send(str(self.program.adapter.stop))
        self._drop_answer(min(deadline, monotonic() + STOP_S))

    # Answers of the program.

    def _search(
        self, state: State, go: str, deadline: float, on_progress: Progress | None
    ) -> tuple[SearchResult, str | None]:
        """The result of a search, and the reply that the program expects."""
        adapter, process = self.program.adapter, self._process
        assert process is not None
        actions = self._actions(state)
        started = monotonic()
        process.send(go)
        if self._is_stop_asked:  # before the search began
            self._send_stop()
        known = SearchResult(state.legal_actions()[0], score=None)
        while True:
            line = self._read_line(deadline, f"no move in {deadline - started:.0f} s")
            words = line.split()
            if (info := info_words(line)) is not None:
                pv = read_pv(info, state, actions)
                known = self._read_info(state, known, info, pv, (monotonic() - started) * 1000)
                if on_progress is not None and known.pv and known.score is not None:
                    on_progress(known)
            elif words[:1] == [adapter.answer]:
                action = self._read_answer(words, state, actions)
                break
        if adapter.needs_moves:
            self._append_move(action)
        result = replace(
            known,
            best_move=Action.of(state, action),
            pv=known.pv if known.pv[:1] == [action] else [action],
            time_ms=(monotonic() - started) * 1000,
        )
        return result, next(iter(words_after(words, "ponder", 1)), None)

    def _actions(self, state: State) -> dict[str, int]:
        """Every action by its name in the program's notation, in lower case."""
        names = self.program.adapter.notation.by_action(state)
        return {name.lower(): action for action, name in names.items()}

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
        adapter = self.program.adapter
        values = {name: words_after(words, word) for name, word in adapter.info.items()}
        depth, nodes = (read_count(name, values.get(name, [])) for name in ("depth", "nodes"))
        score = read_score(values.get("score", []), state, adapter.score_unit)
        return SearchResult(
            pv[0] if pv else known.best_move,
            score or known.score,
            known.depth if depth is None else depth,
            pv or known.pv,
            known.nodes_searched if nodes is None else nodes,
            time_ms,
        )

    def _read_options(self, end: str, deadline: float, too_late: str) -> dict[str, DeclaredOption]:
        """The options that the program declares before the line that begins so, by name.

        Its `id name` becomes its title, unless it was given a name.
        """
        found: dict[str, DeclaredOption] = {}
        while (words := self._read_line(deadline, too_late).split())[:1] != [end]:
            if words[:2] == ["option", "name"] and len(words) > 2 and len(found) < 1000:
                option = DeclaredOption.parse(words[2:])
                found[option.name.lower()] = option
            elif words[:2] == ["id", "name"] and not self.program.name:
                title = "".join(filter(str.isprintable, " ".join(words[2:])))
                self.title = title[:LONGEST_TITLE]
        return found

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
        self._ponder_state = None
        try:
            if adapter.stop is None:
                raise Forfeit("the adapter has no 'stop' command")
            process.send(adapter.stop)
            self._drop_answer(monotonic() + STOP_S)
            self._sent_moves = None
        except Forfeit:
            self._end()

    def _drop_answer(self, deadline: float) -> None:
        """Read up to the answer of a stopped search."""
        answer = self.program.adapter.answer
        while self._read_line(deadline, "no answer to stop").split()[:1] != [answer]:
            pass


def _longest_s(limits: SearchLimits | None) -> float:
    """Seconds that a program may think under these limits; 0 without a time limit or clock."""
    if limits is None:
        return 0.0
    return limits.time_s or limits.clock_s or 0.0
