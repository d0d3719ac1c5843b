"""One game between two agents, including everything an agent can do wrong.

The game itself is a `LiveGame`: it runs the clocks, and an agent that raises an exception or plays
an illegal move loses. `runner.py` handles agents that never answer or end their process: it plays
games in other processes, which report to it through `notify`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import TypeAlias

from plyground.agents import Agent, make
from plyground.agents.base import Forfeit, ForfeitKind
from plyground.arena.adjudicate import Adjudicator
from plyground.arena.task import Conditions, GameResult, Task
from plyground.games.base import Outcome, State
from plyground.play import LiveGame, MoveRecord, Record, Seat
from plyground.play.clock import Controls, both
from plyground.play.events import Event, MovePlayed, TurnBegan
from plyground.play.worker import one_line

READY_S = 120.0
"""Time limit for creating an agent, which may load a network on a busy machine."""
GRACE_S = 5.0
"""Time after the flag should have fallen before an agent forfeits that blocks even that, by never
releasing the interpreter lock."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A player has to act in time, or forfeits for a reason."""

    player: int
    within_s: float
    reason: str
    kind: ForfeitKind


@dataclass(frozen=True, slots=True)
class MoveMade:
    """A player has moved."""

    player: int
    move: MoveRecord
    nodes: int
    seconds: float


@dataclass(slots=True)
class PlayerTotals:
    """Nodes and seconds of both players so far."""

    nodes: dict[int, int] = field(default_factory=lambda: {1: 0, 2: 0})
    seconds: dict[int, float] = field(default_factory=lambda: {1: 0.0, 2: 0.0})

    def add(self, made: MoveMade) -> None:
        """Count a move."""
        self.nodes[made.player] += made.nodes
        self.seconds[made.player] += made.seconds

    def result(
        self, task: Task, record: Record, forfeit: ForfeitKind | None = None, last_words: str = ""
    ) -> GameResult:
        """The finished game with these totals."""
        nodes, seconds = (self.nodes[1], self.nodes[2]), (self.seconds[1], self.seconds[2])
        words = one_line(last_words) if forfeit is not None else ""
        return GameResult(task, record, nodes, seconds, forfeit, words)


GameMessage: TypeAlias = Deadline | MoveMade
Notify: TypeAlias = Callable[[GameMessage], object]
MakeAgent: TypeAlias = Callable[[str, str], Agent]
"""Creates an agent from its string and the name of the game."""


def play_task(
    task: Task,
    make_agent: MakeAgent = make,
    notify: Notify = lambda _: None,
    agents: dict[int, Agent] | None = None,
) -> GameResult:
    """Create the agents of a task and play it; `agents` receives them, by player."""
    agents = {} if agents is None else agents
    start = task.start_state()
    names = {1: task.player1, 2: task.player2}
    try:
        for player, spec in names.items():
            reason, kind = f"not ready after {READY_S:g} s", ForfeitKind.NO_START
            notify(Deadline(player, READY_S, reason, kind))
            try:
                agent = make_agent(spec, task.game)
                is_first = all(agent is not other for other in agents.values())
                agents[player] = agent
                if is_first:  # else one object plays both sides
                    kind = ForfeitKind.CRASH
                    agent.new_game()  # first, since it may drop what the others prepare
                    kind = ForfeitKind.NO_START
                agent.prepare()  # before the clocks run
                agent.warm_up(start)
            except Forfeit as loss:
                failure = Forfeit(loss.reason, kind)
            except (Exception, SystemExit) as error:  # noqa: BLE001  any error is the agent's fault
                failure = Forfeit.of(error, kind)
            else:
                continue
            words = agents[player].last_words() if player in agents else ""
            return forfeited_game(task, [], PlayerTotals(), player, failure, words)
        referee = _Referee(task.conditions, notify)
        titles = {f"Program{player}": agents[player].title for player in (1, 2)}
        tags = task.tags | {name: title for name, title in titles.items() if title}
        told = tuple(agents.values())
        record = referee.play(start, names, agents, tags, task.controls, told)
        loser = 2 if record.result == "1-0" else 1
        words = agents[loser].last_words()
        return referee.totals.result(task, record, referee.forfeit, words)
    finally:
        for player, agent in agents.items():
            close_agent(names[player], agent)
        agents.clear()


def close_agent(name: str, agent: Agent) -> None:
    """Close an agent after a game; an exception is printed and changes nothing."""
    try:
        agent.close()
    except (Exception, SystemExit) as error:  # noqa: BLE001  any error is the agent's fault
        reason = one_line(Forfeit.of(error).reason)
        print(f"plyground: the agent {name!r} failed to close: {reason}", file=sys.stderr)


def play_game(
    state: State,
    agents: Mapping[int, Agent],
    tags: Mapping[str, str] | None = None,
    conditions: Conditions | None = None,
) -> Record:
    """Play a game to its end and return its record."""
    tags = tags or {}
    names = {player: tags.get(f"Player{player}", f"player {player}") for player in (1, 2)}
    referee = _Referee(conditions or Conditions(), lambda _: None)
    return referee.play(state, names, agents, tags, both(referee.conditions.control))


class _Referee:
    """Plays a live game to its end, reports what happens, and adjudicates."""

    def __init__(self, conditions: Conditions, notify: Notify) -> None:
        self.conditions = conditions
        self.notify = notify
        self.totals = PlayerTotals()
        self.forfeit: ForfeitKind | None = None
        self.turn_began_at = 0.0

    def play(
        self,
        state: State,
        names: Mapping[int, str],
        agents: Mapping[int, Agent],
        tags: Mapping[str, str],
        controls: Controls,
        told: Iterable[Agent] = (),
    ) -> Record:
        """Play the game and return its record; `new_game` of the agents in `told` was called."""
        seats = {player: Seat(names[player], agents[player]) for player in (1, 2)}
        adjudicator = Adjudicator(self.conditions.adjudication, state.game.unit)
        with LiveGame(
            seats,
            state,
            control=controls,
            tags=tags,
            move_limits=self.conditions.limits,
            told=told,
        ) as live:
            live.listen(lambda event: self._handle(live, adjudicator, event))
            live.start()
            live.wait()
            self.forfeit = live.forfeit
            return live.record()

    def _handle(self, live: LiveGame, adjudicator: Adjudicator, event: Event) -> None:
        if isinstance(event, TurnBegan):
            left_s = live.clock.flag_falls_in(event.player)
            if left_s is None:
                agent = live.seats[event.player].agent
                within_s = self._search_time_s(agent) + self.conditions.move_timeout_s
                reason, kind = f"no move in {within_s:g} s", ForfeitKind.SILENCE
                self.notify(Deadline(event.player, within_s, reason, kind))
            else:
                self.notify(Deadline(event.player, left_s + GRACE_S, "time", ForfeitKind.TIME))
            self.turn_began_at = perf_counter()
        elif isinstance(event, MovePlayed):
            seconds = perf_counter() - self.turn_began_at
            nodes = 0 if event.result is None else event.result.nodes_searched
            made = MoveMade(event.player, event.move, nodes, seconds)
            self.totals.add(made)
            self.notify(made)
            ending = adjudicator.add(None if event.result is None else event.result.score)
            if ending is not None and event.state.outcome is None:
                live.end(ending)

    def _search_time_s(self, agent: Agent | None) -> float:
        """Seconds a move that the limits allow, the tournament's or the agent's own."""
        limits = self.conditions.limits
        if limits is None and agent is not None:
            limits = agent.limits
        return 0.0 if limits is None else limits.time_s or 0.0


def forfeited_game(
    task: Task,
    moves: list[MoveRecord],
    totals: PlayerTotals,
    player: int,
    forfeit: Forfeit,
    last_words: str = "",
) -> GameResult:
    """A game that a player forfeits, unless the moves have decided it already."""
    start = state = task.start_state()
    for move in moves:
        state = state.play(move.text)
    if state.outcome is not None:
        return totals.result(task, Record.from_moves(moves, start, task.tags))
    reason = one_line(forfeit.termination)
    result = Outcome(3 - player, reason).result
    record = Record.from_moves(moves, start, task.tags, result=result, termination=reason)
    return totals.result(task, record, forfeit.kind, last_words)
