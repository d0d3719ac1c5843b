"""An agent behind the two methods that the course's host calls, `initialize` and `play`.

Every call is complete in itself. A repeated call gets the same answer, a new call cancels the
search of the previous one, and positions need not follow from each other.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from time import monotonic

from plyground.agents import EngineAgent
from plyground.errors import NotationError
from plyground.games.quoridor import State
from plyground.games.score import Score
from plyground.play.seat import Seat
from plyground.play.worker import SearchCancelled, one_line
from plyground.protocol.course import action_message, state_of
from plyground.protocol.course_rules import course_allows
from plyground.protocol.xmlrpc import Encodable, Fault
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

MARGIN_S = 0.15
"""Seconds kept back from the credit for the network."""
LONGEST_CREDIT_S = 1e7
"""Half a year; larger credits are cut to this."""
SUBSTITUTE_LIMITS = SearchLimits(nodes=400)
"""For each move that may replace one that the course forbids."""


class CourseAgent:
    """An agent that answers calls from any thread, one game at a time."""

    def __init__(self, spec: str) -> None:
        self.seat = Seat.of(spec)
        self._lock = threading.Lock()
        self._searching = threading.Lock()
        self._request_number = 0
        """Grows with every new request; the search of an older one is cancelled."""
        self._request: tuple[object, object, object] | None = None
        self._answer: list[str | int] | None = None
        """The answer to the last request, once it is known."""

    def call(self, method: str, arguments: Sequence[object]) -> Encodable | Fault:
        """Answer a call; errors become faults in the course's format."""
        try:
            if method == "initialize":
                self.initialize(*_exactly(3, method, arguments))
                return None
            if method == "play":
                return self.play(*_exactly(4, method, arguments))
            return Fault(1, f"<class 'Exception'>:method {method[:60]!r} is not supported")
        except Exception as error:  # noqa: BLE001  reported to the host
            kind = type(error)
            name = kind.__name__ if kind.__module__ == "builtins" else f"plyground.{kind.__name__}"
            return Fault(1, f"<class '{name}'>:{one_line(str(error), 300)}")

    def initialize(self, percepts: object, players: object, time_left: object) -> None:
        """Begin a game: forget the last one."""
        if not isinstance(players, list) or players[:1] not in ([0], [1]):
            raise NotationError(f"expected the players [0, 2] or [1, 3], got {players!r}")
        state_of(percepts, players[0])
        _credit(time_left)
        with self._lock:
            self._request_number += 1
            self._request = self._answer = None
        with self._searching:
            if self.seat.agent is not None:
                self.seat.agent.new_game()

    def play(
        self, percepts: object, player: object, step: object, time_left: object
    ) -> list[str | int]:
        """Choose a move that is legal by the course's rules, too."""
        asked = monotonic()
        state, credit_s = state_of(percepts, player, step), _credit(time_left)
        request = (percepts, player, step)
        with self._lock:
            if request != self._request:
                self._request_number += 1
                self._request, self._answer = request, None
            number = self._request_number
        with self._searching:  # the search of another request ends soon
            with self._lock:
                if request == self._request and self._answer is not None:
                    return self._answer
            if credit_s is not None:
                credit_s = max(credit_s - MARGIN_S - (monotonic() - asked), 0.001)
            answer = action_message(state, self._choose(state, credit_s, number))
            with self._lock:
                if number == self._request_number:
                    self._answer = answer
            return answer

    def _choose(self, state: State, credit_s: float | None, number: int) -> int:
        def check_wanted(_: SearchResult | None = None) -> None:
            if number != self._request_number:
                raise SearchCancelled

        check_wanted()
        limits = None if credit_s is None else SearchLimits(clock_s=credit_s)
        action = self.seat.search(state, limits, check_wanted).best_move
        return action if course_allows(state, action) else _substitute(state)


def _substitute(state: State) -> int:
    """The best move that the course allows. There is one, since it allows every pawn move."""
    engine = EngineAgent(hash_mb=1)

    def worth(action: int) -> Score:
        after = state.play(action)
        if after.outcome is not None:
            return Score.proven(1, state.current_player)
        score = engine.search(after, SUBSTITUTE_LIMITS).after(action).score
        assert score is not None
        return score

    return max((a for a in state.legal_actions() if course_allows(state, a)), key=worth)


def _exactly(count: int, method: str, arguments: Sequence[object]) -> Sequence[object]:
    if len(arguments) != count:
        raise TypeError(f"{method}() takes {count} arguments, got {len(arguments)}")
    return arguments


def _credit(time_left: object) -> float | None:
    if time_left is None:
        return None
    if isinstance(time_left, bool) or not isinstance(time_left, int | float):
        raise NotationError(f"expected the time left in seconds or nil, got {time_left!r}")
    return float(min(max(time_left, 0.0), LONGEST_CREDIT_S))
