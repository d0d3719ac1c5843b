"""Analysis beside the board: lines of a position, a report on the game, the network's policy.

Each kind runs on a thread of its own, waits for cores behind the players, and ends as soon as its
result is no longer wanted. A newer request of the same kind then follows on the same thread. None
of them makes a move.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING

from plyground.agents.zero import ZeroAgent
from plyground.analysis.game_report import analyse_game, judge_move
from plyground.analysis.lines import all_settled, best_lines, line_chance
from plyground.analysis.policy import network_policy
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.json_types import Json, JsonObject
from plyground.play.seat import Seat
from plyground.play.worker import cancellable
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.ui.web.payloads import line_payload
from plyground.ui.web.review import report_payload, tried_payload

if TYPE_CHECKING:
    from plyground.ui.web.connection import Connection
    from plyground.ui.web.session import WebSession

LINES = 3
ROUNDS_S = (0.3, 1.0, 3.0, 8.0)
"""Seconds of the rounds in which a position is analysed, each deeper than the last."""
REPORT = SearchLimits(time_s=0.2)
"""Limits of the search of each position of a report."""
SHOWN_PLIES = 8
LEAST_SHARE = 0.002
"""Moves with a smaller share of the policy are left out."""


class AnalysisCancelled(Exception):  # noqa: N818  not an error
    """Ends an analysis whose result is no longer wanted."""


class Analyst:
    """The analyses of one connection; of each kind only the newest is wanted."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._numbers = count(1)
        self._wanted: dict[str, int] = {}
        self._lock = threading.Lock()
        self._next: dict[str, Callable[[], None]] = {}  # waiting for the thread of its kind
        self._running: set[str] = set()

    def stop(self) -> None:
        """Cancel everything."""
        self._wanted.clear()
        with self._lock:
            self._next.clear()

    def analyse(self, node: int | None) -> None:
        """Analyse a position of the game's tree in rounds; None stops."""
        if node is None:
            self._wanted.pop("lines", None)
            return
        state = self._connection.session.live.state_of(node)
        if state.outcome is not None:
            self._connection.send({"type": "analysis", "node": node, "done": True, "lines": []})
            return
        adviser = self._connection.session.host.adviser
        self._start("lines", lambda job: _analyse(adviser, state, node, job))

    def report(self, on: bool) -> None:
        """Analyse the whole game, or stop."""
        if not on:
            self._wanted.pop("report", None)
            return
        session = self._connection.session
        record = session.live.record()
        if not record.moves:
            raise ConfigError("there is no move to analyse yet")
        adviser = session.players.adviser(session.live.state, cached=True)

        def work(job: AnalysisJob) -> None:
            def progress(done: int, of: int) -> None:
                job.send({"type": "report", "done": done, "of": of})

            report = analyse_game(record, adviser, REPORT, progress)
            job.send(report_payload(report))

        self._start("report", work)

    def judge(self, node: int, move: str) -> None:
        """Judge a move at a position of the game's tree, which stays as it is."""
        session = self._connection.session
        state = session.live.state_of(node)
        action = state.parse_move(move)
        state.play(action)  # an illegal move is refused before the search
        adviser = session.players.adviser(state, cached=True)

        def work(job: AnalysisJob) -> None:
            found = judge_move(adviser, state, action, REPORT)
            job.send(tried_payload(state, node, found))

        self._start("tried", work)

    def policy(self, node: int) -> None:
        """Send what the network would play at a position of the game's tree."""
        session = self._connection.session
        state, players = session.live.state_of(node), session.players
        game = state.game

        def work(job: AnalysisJob) -> None:
            with (
                players.background_turn(),
                players.borrow(
                    f"{game.name} policy", lambda: ZeroAgent(sims=1, game=game)
                ) as agent,
            ):
                job.check()
                assert isinstance(agent, ZeroAgent)
                shares = network_policy(agent, state)
            moves: JsonObject = {
                state.format_move(action): round(share, 4)
                for action, share in shares.items()
                if share >= LEAST_SHARE
            }
            job.send({"type": "policy", "node": node, "moves": moves})

        self._start("policy", work)

    def _start(self, kind: str, work: Callable[[AnalysisJob], None]) -> None:
        connection = self._connection
        session, live = connection.session, connection.session.live
        number = self._wanted[kind] = next(self._numbers)

        def is_wanted() -> bool:
            """Whether nothing newer was requested for the same game."""
            return self._wanted.get(kind) == number and session.live is live

        job = AnalysisJob(connection, is_wanted)

        def run() -> None:
            try:
                with cancellable(job.check):
                    work(job)
            except AnalysisCancelled:
                return
            except ConfigError as error:
                connection.send_soon({"type": "refused", "text": str(error)}, is_wanted)

        with self._lock:
            is_running = kind in self._running
            if not is_running and not session.players.analyses.acquire(blocking=False):
                raise ConfigError("too many analyses are running here; please try again later")
            self._next[kind] = run
            self._running.add(kind)
        if not is_running:
            thread = threading.Thread(
                target=self._run_all, args=(kind, session), name=f"web-{kind}", daemon=True
            )
            thread.start()

    def _run_all(self, kind: str, session: WebSession) -> None:
        """Run the analyses of a kind, one after another, until none is left."""
        try:
            while True:
                with self._lock:
                    run = self._next.pop(kind, None)
                    if run is None:
                        self._running.discard(kind)
                        return
                run()
        except BaseException:
            with self._lock:
                self._next.pop(kind, None)
                self._running.discard(kind)
            raise
        finally:
            session.players.analyses.release()


class AnalysisJob:
    """A running analysis, until its result is sent or no longer wanted."""

    def __init__(self, connection: Connection, is_wanted: Callable[[], bool]) -> None:
        self._connection = connection
        self._is_wanted = is_wanted

    def check(self) -> None:
        """End the work if its result is no longer wanted."""
        if not self._is_wanted():
            raise AnalysisCancelled

    def send(self, payload: JsonObject) -> None:
        """Send a result, or a part of it."""
        self.check()
        self._connection.send_soon(payload, self._is_wanted)


def _analyse(adviser: Seat, state: State, node: int, job: AnalysisJob) -> None:
    def check(*_: int) -> None:
        job.check()

    ranked = adviser.rank(state)
    for number, time_s in enumerate(ROUNDS_S, 1):
        lines = best_lines(adviser, state, LINES, time_s, check, ranked=ranked)
        done = all_settled(lines) or number == len(ROUNDS_S)
        job.send(analysis_payload(state, node, lines) | {"done": done})
        if done:
            return


def analysis_payload(state: State, node: int, lines: list[SearchResult]) -> JsonObject:
    """The best lines of a position; chances are player 1's, scores the mover's."""
    rows: list[Json] = [
        {
            "chance": _chance(line, lines[0]),
            "score": "" if line.score is None else line.score.with_unit(),
            "is_proven": line.win_in is not None,
            "exact": line.score.value if line.score is not None and line.exact else None,
            "depth": line.depth,
            "moves": list(line_payload(state, line.pv[:SHOWN_PLIES])),
        }
        for line in lines
    ]
    return {"type": "analysis", "node": node, "chance": _chance(lines[0], lines[0]), "lines": rows}


def _chance(line: SearchResult, best: SearchResult) -> float:
    """Player 1's chance to win."""
    return round(line_chance(line, best, player=1), 3)
