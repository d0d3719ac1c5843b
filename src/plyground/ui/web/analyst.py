"""The adviser beside a board: lines of a position, a report on a game, and the network's policy.

Each works on a thread of its own, waits for cores behind the players, and ends as soon as its
answer is no longer wanted. None of it ever moves.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

from plyground.agents.zero import ZeroAgent
from plyground.analysis.game_report import GameReport, analyse_game, chance
from plyground.analysis.lines import best_lines
from plyground.analysis.policy import network_policy
from plyground.errors import ConfigError
from plyground.games.base import Game
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.ui.web.shapes import Shape, line_shape
from plyground.ui.words import verdict

if TYPE_CHECKING:
    from plyground.ui.web.connection import Connection

LINES = 3
LOOKS_S = (0.3, 1.0, 3.0, 8.0)
"""A position is looked at again and again, longer each time; then the adviser rests."""
REPORT = SearchLimits(time_s=0.2)
"""For each position of a game."""
SHOWN_PLIES = 8


class Unwanted(Exception):  # noqa: N818  nobody's mistake
    """Ends an analysis whose answer nobody waits for."""


class Analyst:
    """What one connection has asked for; of each kind only the newest question counts."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._questions = count(1)
        self._wanted: dict[str, int] = {}

    def stop(self) -> None:
        """Nobody wants to know anything any more."""
        self._wanted.clear()

    def analyse(self, ply: int | None) -> None:
        """Look at a position until the last look; None stops."""
        if ply is None:
            self._wanted.pop("lines", None)
            return
        state, rules = self._position(ply)
        if state.outcome is not None:
            self._connection.send({"type": "analysis", "ply": ply, "done": True, "lines": []})
            return
        adviser = self._connection.session.adviser()
        self._begin("lines", lambda question: _look(adviser, rules, state, ply, question))

    def report(self, on: bool) -> None:
        """Go through the whole game, or stop."""
        if not on:
            self._wanted.pop("report", None)
            return
        session = self._connection.session
        record = session.live.record()
        if not record.moves:
            raise ConfigError("there is no move to analyse yet")
        adviser = session.adviser(remembers=True)

        def work(question: Question) -> None:
            def progress(done: int, of: int) -> None:
                question.answer({"type": "report", "done": done, "of": of})

            report = analyse_game(record, adviser, REPORT, progress)
            question.answer(report_shape(report))

        self._begin("report", work)

    def policy(self, ply: int) -> None:
        """Tell what the network would play."""
        state, rules = self._position(ply)
        connection = self._connection
        seats, who = connection.house.seats, connection.session.name

        def work(question: Question) -> None:
            kind = f"{rules.name} policy"
            with (
                seats.cores.turn(who, background=True),
                seats.agents.borrow(kind, who, lambda: ZeroAgent(sims=1, game=rules.name)) as agent,
            ):
                question.check()
                shares = network_policy(agent, state)
            moves = {
                rules.format_action(state, action): round(share, 4)
                for action, share in shares.items()
                if share >= 0.002
            }
            question.answer({"type": "policy", "ply": ply, "moves": moves})

        self._begin("policy", work)

    def _position(self, ply: int) -> tuple[Any, Game[Any]]:
        live = self._connection.session.live
        states = live.states
        return states[min(ply, len(states) - 1)], live.rules

    def _begin(self, kind: str, work: Callable[[Question], None]) -> None:
        connection = self._connection
        session, live = connection.session, connection.session.live
        number = self._wanted[kind] = next(self._questions)

        def is_wanted() -> bool:
            """Whether nothing newer was asked, of the same game."""
            return self._wanted.get(kind) == number and session.live is live

        question = Question(connection, is_wanted)

        def run() -> None:
            try:
                work(question)
            except Unwanted:
                return
            except ConfigError as error:
                connection.send_soon({"type": "refused", "text": str(error)}, is_wanted)

        threading.Thread(target=run, name=f"web-{kind}", daemon=True).start()


class Question:
    """What somebody wants to know, until it is answered or no longer wanted."""

    def __init__(self, connection: Connection, is_wanted: Callable[[], bool]) -> None:
        self._connection = connection
        self._is_wanted = is_wanted

    def check(self) -> None:
        """End the work where nobody waits for it."""
        if not self._is_wanted():
            raise Unwanted

    def answer(self, shape: Shape) -> None:
        """Tell what was found, now or as a part of it."""
        self.check()
        self._connection.send_soon(shape, self._is_wanted)


def _look(adviser: Seat, rules: Game[Any], state: Any, ply: int, question: Question) -> None:
    def check(*_: int) -> None:
        question.check()

    ranked = adviser.ranking(state)
    for number, time_s in enumerate(LOOKS_S, 1):
        lines = best_lines(adviser, state, LINES, time_s, check, ranked=ranked)
        proven = all(line.win_in is not None for line in lines)
        done = proven or number == len(LOOKS_S)
        question.answer(analysis_shape(adviser, rules, state, ply, lines) | {"done": done})
        if done:
            return


def analysis_shape(
    adviser: Seat, rules: Game[Any], state: Any, ply: int, lines: list[SearchResult]
) -> Shape:
    """The best lines of a position; chances are player 1's, verdicts those of whoever moves."""
    return {
        "type": "analysis",
        "ply": ply,
        "chance": round(chance(adviser, rules.name, state, lines[0]), 3),
        "lines": [
            {
                "verdict": verdict(adviser, state, line, brief=True),
                "chance": round(chance(adviser, rules.name, state, line), 3),
                "depth": line.depth,
                "moves": line_shape(rules, state, line.pv[:SHOWN_PLIES]),
            }
            for line in lines
        ],
    }


def report_shape(report: GameReport) -> Shape:
    """A game's chances and turning points."""
    mistakes = [
        {
            "ply": ply.number,
            "player": ply.player,
            "move": ply.move,
            "mark": ply.mark,
            "before": round(ply.chance, 3),
            "after": round(ply.chance - ply.loss, 3),
            "better": ply.best_line,
        }
        for ply in report.plies
        if ply.mark
    ]
    return {
        "type": "report",
        "chances": [round(chance, 3) for chance in report.chances],
        "moves": [ply.move for ply in report.plies],
        "mistakes": mistakes,
        "turning": [ply.number for ply in report.turning_points()],
        "accuracy": [report.accuracy(player) for player in (1, 2)],
    }
