"""Any of our agents as the course's host sees one: two methods, and percepts to play from.

Every call stands for itself: what is asked again is answered again, what is asked anew ends what
was thought about before, and a position that does not follow from the last one is as good as any.
"""

from __future__ import annotations

import threading
from time import monotonic
from typing import Any

from plyground.agents import EngineAgent
from plyground.errors import NotationError
from plyground.games.quoridor import State, decode_action
from plyground.play.seat import Seat
from plyground.play.worker import MovedOn, one_line
from plyground.protocol.course import action_message, state_of
from plyground.protocol.course_rules import course_allows
from plyground.protocol.xmlrpc import Fault, Value
from plyground.search.limits import SearchLimits

MARGIN_S = 0.15
"""Kept back from the credit for the way there and back."""
CREDITS = 1e7
"""The most seconds that are believed: half a year."""
INSTEAD = SearchLimits(nodes=400)
"""For each move that may take the place of one the course would refuse."""


class CourseAgent:
    """An agent that answers calls, from any number of threads, one game at a time."""

    def __init__(self, spec: str) -> None:
        self.seat = Seat.of(spec)
        self._guard = threading.Lock()
        self._thinking = threading.Lock()
        self._ticket = 0
        """The number of the newest question; an older one is no longer wanted."""
        self._question: Any = None
        self._answer: list[Any] | None = None
        """To the question, once it is known: it may be asked again."""

    def call(self, method: str, arguments: list[Value]) -> Value | Fault:
        """Answer a call; what goes wrong is a fault, as the course words it."""
        methods = {"initialize": (self.initialize, (3,)), "play": (self.play, (4,))}
        if method not in methods:
            return Fault(1, f"<class 'Exception'>:method {method[:60]!r} is not supported")
        function, counts = methods[method]
        if len(arguments) not in counts:
            message = f"{method}() takes {counts[0]} arguments, got {len(arguments)}"
            return Fault(1, f"<class 'TypeError'>:{message}")
        try:
            return function(*arguments)  # type: ignore[operator, no-any-return]
        except Exception as error:  # noqa: BLE001  the other side is to hear of it
            kind = type(error)
            name = kind.__name__ if kind.__module__ == "builtins" else f"plyground.{kind.__name__}"
            return Fault(1, f"<class '{name}'>:{one_line(str(error), 300)}")

    def initialize(self, percepts: Value, players: Value, time_left: Value) -> None:
        """A game begins: forget the last one."""
        if not isinstance(players, list) or players[:1] not in ([0], [1]):
            raise NotationError(f"expected the players [0, 2] or [1, 3], got {players!r}")
        state_of(percepts, players[0])
        _credit(time_left)
        with self._guard:
            self._ticket += 1
            self._question = self._answer = None
        with self._thinking:
            forget = getattr(self.seat.agent, "new_game", None)
            if forget is not None:
                forget()

    def play(self, percepts: Value, player: Value, step: Value, time_left: Value) -> list[Any]:
        """Choose a move that the course accepts, too."""
        asked = monotonic()
        state, credit_s = state_of(percepts, player, step), _credit(time_left)
        question = (percepts, player, step)
        with self._guard:
            if question != self._question:
                self._ticket += 1
                self._question, self._answer = question, None
            ticket = self._ticket
        with self._thinking:  # which ends soon, if it was for another question
            with self._guard:
                if question == self._question and self._answer is not None:
                    return self._answer
            if credit_s is not None:
                credit_s = max(credit_s - MARGIN_S - (monotonic() - asked), 0.001)
            answer = action_message(self._choose(state, credit_s, ticket))
            with self._guard:
                if ticket == self._ticket:
                    self._answer = answer
            return answer

    def _choose(self, state: State, credit_s: float | None, ticket: int) -> Any:
        def progress(_: object) -> None:
            if ticket != self._ticket:
                raise MovedOn

        progress(None)
        action, _ = self.seat.think(state, self.seat.limits(credit_s, 0.0), progress)
        if not course_allows(state, action):
            action = _instead(state)
        return decode_action(action, state.board_size)


def _instead(state: State) -> int:
    """The best move that the course allows; there is one, since it allows every pawn move."""
    engine = EngineAgent(hash_mb=1)

    def worth(action: int) -> float:
        after = state.play(action)
        if after.outcome is not None:
            return float("inf")
        return engine.search(after, INSTEAD).after(action).score

    return max((a for a in state.legal_actions() if course_allows(state, a)), key=worth)


def _credit(time_left: Value) -> float | None:
    if time_left is None:
        return None
    if isinstance(time_left, bool) or not isinstance(time_left, int | float):
        raise NotationError(f"expected the time left in seconds or nil, got {time_left!r}")
    return float(min(max(time_left, 0.0), CREDITS))
