"""A host for agents of the Quoridor course: it seats them, counts their credit and judges them.

A game is a `LiveGame` by Plyground's rules. An agent that answers badly or not at all loses, with
the reason in the record: `RemoteAgent` checks the answers, and `CourseClock` the time.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from time import monotonic
from typing import TextIO

from plyground.agents.base import Forfeit, ForfeitKind
from plyground.agents.course_remote import RemoteAgent
from plyground.errors import ConfigError, NotationError
from plyground.games.base import Outcome
from plyground.games.quoridor import State, expect_state
from plyground.hints import reason_of
from plyground.play import LiveGame, Seat
from plyground.play.clock import Clock
from plyground.play.events import Event, GameEnded, MovePlayed
from plyground.protocol.course import NO_LIMIT, action_message, course_config, state_of
from plyground.serve.course_clock import CourseClock

RULES = (
    "walls are judged by our rules: pawns do not block the paths that must stay open, and a "
    "player without walls cannot place one"
)


def start_state(
    board: Path | None = None, max_moves: int = NO_LIMIT, no_progress: int = NO_LIMIT
) -> State:
    """The start of the course's game, or the position in a file: its text, or percepts as JSON."""
    limits = {"max_moves": max_moves, "no_progress_limit": no_progress}
    if board is None:
        return State(replace(course_config(), **limits))
    try:
        text = board.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        raise ConfigError(f"cannot read {board}: expected text in UTF-8") from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read {board}: {reason_of(error)}") from None
    try:
        if text.startswith("{"):
            state = state_of(json.loads(text), 0)
            config, text = state.config, state.text()
        else:
            size = int(text[0]) if text.startswith(tuple("345678")) else 9
            config = course_config(size, min(10, (size - 1) ** 2))
        return State.parse(text, replace(config, **limits))
    except (ValueError, RecursionError) as error:
        raise NotationError(f"{board}: {error}") from None


def hosted_game(
    players: Sequence[str],
    start: State,
    credit_s: float | None = None,
    pace_s: float = 0.0,
    names: Sequence[str] | None = None,
) -> LiveGame:
    """A game between `human`, addresses and agents, ready for `initialize`.

    The players are shown and recorded under their `names`, by default as they are given.
    """
    seats = {player: Seat.of(spec) for player, spec in enumerate(players, 1)}
    if names is not None:
        seats = {player: replace(seat, name=names[player - 1]) for player, seat in seats.items()}
    people = [player for player, seat in seats.items() if seat.is_person]
    clock = Clock() if credit_s is None else CourseClock(credit_s, untimed=people)
    tags = {"Event": "course game", "Date": f"{date.today():%Y.%m.%d}"}
    live = LiveGame(seats, start, tags=tags, pace_s=pace_s, clock=clock)
    live.comment = RULES
    return live


def initialize(live: LiveGame) -> None:
    """Tell both agents, the first player's first, that a game begins; one that fails loses.

    The time of the calls is deducted from their credit.
    """
    for player, seat in live.seats.items():
        try:
            live.tell_new_game(player)
            if isinstance(seat.agent, RemoteAgent):
                _call_initialize(live, player, seat.agent)
            elif seat.agent is not None:
                seat.agent.prepare()
        except Forfeit as loss:
            live.forfeit_game(player, loss)
            return


def _call_initialize(live: LiveGame, player: int, agent: RemoteAgent) -> None:
    clock, started = live.clock, monotonic()
    agent.initialize(expect_state(live.state), player, clock.left(player))
    if isinstance(clock, CourseClock):
        clock.charge(player, monotonic() - started)
        if clock.is_late(player):
            raise Forfeit("time", ForfeitKind.TIME)


def print_actions(live: LiveGame, output: TextIO | None = None) -> None:
    """Print every action as it happens, in the course's notation; by default on standard error."""
    file = output or sys.stderr

    def on_event(event: Event) -> None:
        if isinstance(event, MovePlayed):
            message = action_message(expect_state(event.before), event.action)
            left = live.clocks()[event.player]
            credit = "" if left is None else f", {left:.2f} s left"
            took = "" if event.move.time_s is None else f" in {event.move.time_s:.2f} s"
            played = f"player {event.player - 1} plays {','.join(map(str, message))}"
            print(f"step {len(live.moves)}: {played}{took}{credit}", file=file)
        elif isinstance(event, GameEnded):
            print(describe_outcome(live, event.outcome), file=file)

    live.listen(on_event)


def describe_outcome(live: LiveGame, outcome: Outcome) -> str:
    """How a game ended, with the course's numbers of the players."""
    if outcome.winner is None:
        return f"draw: {outcome.reason}"
    winner = live.seats[outcome.winner].name
    loser = f"player {2 - outcome.winner}"
    reason = (
        "it reached its goal" if outcome.reason == "goal" else f"{loser} lost by {outcome.reason}"
    )
    return f"player {outcome.winner - 1} ({winner}) won: {reason}"
