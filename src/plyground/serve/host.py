"""A host for the course's agents: it seats them, counts their credit and judges what they do.

A game is a `LiveGame` by our rules. Whatever an agent returns, or fails to, ends with it losing and
the reason in the record: see `RemoteAgent` for the answers and `CreditClock` for the time.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date
from time import monotonic
from typing import TextIO

from plyground.agents.base import Forfeit
from plyground.agents.remote import RemoteAgent
from plyground.games.base import Outcome
from plyground.games.quoridor import State, notation_to_action
from plyground.play import LiveGame, Seat
from plyground.play.clock import Clock
from plyground.play.events import Event, GameEnded, MovePlayed
from plyground.play.worker import one_line
from plyground.protocol.course import action_message
from plyground.serve.credit import CreditClock

RULES = (
    "walls are judged by our rules: pawns do not block the paths that must stay open, and a "
    "player without walls cannot place one"
)


def hosted_game(
    players: Sequence[str], start: State, credit_s: float | None = None, pace_s: float = 0.0
) -> LiveGame:
    """A game between `human`, addresses and our own agents, ready for `initialize`."""
    seats = {player: Seat.of(name) for player, name in enumerate(players, 1)}
    people = [player for player, seat in seats.items() if seat.is_person]
    clock = Clock() if credit_s is None else CreditClock(credit_s, untimed=people)
    tags = {"Event": "course game", "Date": f"{date.today():%Y.%m.%d}"}
    live = LiveGame(seats, start, tags=tags, pace_s=pace_s, clock=clock)
    live.comment = RULES
    return live


def initialize(live: LiveGame) -> None:
    """Tell both agents, the first player's first, that a game begins; one that fails has lost.

    What that takes comes off their credit.
    """
    clock = live.clock
    for player, seat in live.seats.items():
        started = monotonic()
        try:
            if isinstance(seat.agent, RemoteAgent):
                seat.agent.initialize(live.state, player, clock.left(player))
            elif (prepare := getattr(seat.agent, "prepare", None)) is not None:
                prepare()
                continue
        except Forfeit as loss:
            live.end(Outcome(3 - player, one_line(str(loss))))
            return
        if isinstance(clock, CreditClock):
            clock.charge(player, monotonic() - started)
            if clock.is_late(player):
                live.end(Outcome(3 - player, "time"))
                return


def narrate(live: LiveGame, output: TextIO | None = None) -> None:
    """Tell of every action as it happens, in the course's words."""
    file = output or sys.stderr

    def hear(event: Event) -> None:
        if isinstance(event, MovePlayed):
            size = event.before.board_size
            action = notation_to_action(event.move.text, size)
            named = ",".join(map(str, action_message(action)))
            left = live.clocks()[event.player]
            credit = "" if left is None else f", {left:.2f} s left"
            took = "" if event.move.time_s is None else f" in {event.move.time_s:.2f} s"
            step = len(live.moves)
            print(f"step {step}: player {event.player - 1} plays {named}{took}{credit}", file=file)
        elif isinstance(event, GameEnded):
            print(verdict(live, event.outcome), file=file)

    live.listen(hear)


def verdict(live: LiveGame, outcome: Outcome) -> str:
    """How a game ended, with the course's numbers of the players."""
    if outcome.winner is None:
        return f"draw: {outcome.reason}"
    winner = live.seats[outcome.winner].name
    loser = f"player {2 - outcome.winner}"
    reason = (
        "it reached its goal" if outcome.reason == "goal" else f"{loser} lost by {outcome.reason}"
    )
    return f"player {outcome.winner - 1} ({winner}) won: {reason}"
