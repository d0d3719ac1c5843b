"""A person as an agent: asked for every move, in notation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from plyground.agents.base import Agent, Forfeit, ForfeitKind, legal_actions
from plyground.errors import IllegalMoveError, NotationError
from plyground.games.base import Action, State
from plyground.search.limits import SearchLimits

PERSON = "human"
"""The name of a person's seat, and of this agent."""
Ask: TypeAlias = Callable[[str], str]
"""Shows a question and returns the answer; an EOFError if there will be no more answers."""


class HumanAgent(Agent):
    """Asks a person for each move, by default on the terminal, until the answer is a legal one.

    `ask` is called with a question and returns the answer; `show` is called with the board and with
    what is wrong with an answer. It forfeits when the input ends.

    >>> from plyground.quoridor import State
    >>> answers = iter(["e9", "e2"])
    >>> shown = []
    >>> str(HumanAgent(lambda question: next(answers), shown.append).select_action(State()))
    'e2'
    >>> shown[1]
    "illegal move 'e9' in '9 e1/e9 - 10/10 1 0 0': no pawn move leads there"
    """

    name = PERSON
    default_limits = None
    keeps_time_limits = False

    def __init__(self, ask: Ask = input, show: Callable[[str], object] = print) -> None:
        self._ask = ask
        self._show = show

    def select_action(self, state: State, limits: SearchLimits | None = None) -> int:  # noqa: ARG002
        """Ask until the answer is a legal move; a Forfeit at the end of the input."""
        legal_actions(state)
        self._show(str(state))
        question = f"player {state.current_player}, such as {state.game.examples(state)}: "
        while True:
            try:
                text = self._ask(question).strip()
            except (EOFError, RuntimeError):  # the latter if standard input is closed
                reason = "no answer: the input has ended"
                raise Forfeit(reason, ForfeitKind.SILENCE) from None
            try:
                action = state.parse_move(text)
                state.play(action)
            except (NotationError, IllegalMoveError) as error:
                self._show(str(error))
            else:
                return Action.of(state, action)
