"""One game between two agents, with whatever they do wrong.

The game itself is a `LiveGame`, which knows the clocks, and that an agent loses which raises or
answers with a move that is not legal. One that never answers, or takes the whole process with it,
is for `runner.py` to notice, which plays games in processes of their own and hears from them
through `tell`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

from plyground.agents import Agent, make
from plyground.agents.base import Forfeit
from plyground.arena.adjudicate import Adjudicator
from plyground.arena.task import Conditions, Finished, Task
from plyground.games.base import Outcome
from plyground.play import LiveGame, Move, Record, Seat
from plyground.play.events import Event as LiveEvent
from plyground.play.events import MovePlayed, TurnBegan
from plyground.play.worker import one_line
from plyground.search.limits import SearchLimits

READY_S = 120.0
"""How long an agent may take to be made: to load a network, say, on a busy machine."""
GRACE_S = 5.0
"""How long after its flag should have fallen an agent is given up that keeps even that from
happening, by never letting go of the interpreter."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A player has to do something, and what happens if nothing is heard of it for so long."""

    player: int
    within_s: float
    too_late: str


@dataclass(frozen=True, slots=True)
class Played:
    """A player has moved."""

    player: int
    move: Move
    nodes: int
    seconds: float


@dataclass(slots=True)
class Spent:
    """What both players have spent on their moves so far."""

    nodes: dict[int, int] = field(default_factory=lambda: {1: 0, 2: 0})
    seconds: dict[int, float] = field(default_factory=lambda: {1: 0.0, 2: 0.0})

    def add(self, played: Played) -> None:
        """Count a move."""
        self.nodes[played.player] += played.nodes
        self.seconds[played.player] += played.seconds

    def finished(self, task: Task, record: Record) -> Finished:
        """The game, with all of it."""
        nodes, seconds = self.nodes, self.seconds
        return Finished(task, record, (nodes[1], nodes[2]), (seconds[1], seconds[2]))


Event = Asked | Played
Tell = Callable[[Event], object]
Make = Callable[[str, str], Agent]


def play_task(task: Task, make_agent: Make = make, tell: Tell = lambda _: None) -> Finished:
    """Make the agents of a task and play it."""
    agents: dict[int, Agent] = {}
    for player, spec in ((1, task.player1), (2, task.player2)):
        tell(Asked(player, READY_S, f"not ready after {READY_S:g} s"))
        try:
            agents[player] = make_agent(spec, task.game)
            if (prepare := getattr(agents[player], "prepare", None)) is not None:
                prepare()  # what starting a program takes is no time of the game's
        except Forfeit as loss:
            reason = one_line(str(loss))
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever it is, it is the agent's
            reason = one_line(f"crash: {type(error).__name__}: {error}")
        else:
            continue
        _close(agents)
        return Finished(task, lost_record(task, [], player, reason))
    watcher = _Watcher(task.conditions, tell)
    names = {1: task.player1, 2: task.player2}
    try:
        record = watcher.play(task.start_state(), names, agents, task.game, task.tags)
    finally:
        _close(agents)
    return watcher.spent.finished(task, record)


def _close(agents: Mapping[int, Agent]) -> None:
    """End the programs behind agents, where there are any."""
    for agent in agents.values():
        if (close := getattr(agent, "close", None)) is not None:
            close()


def play_game(
    state: Any,
    agents: Mapping[int, Agent],
    game: str = "quoridor",
    tags: Mapping[str, str] | None = None,
    conditions: Conditions | None = None,
) -> Record:
    """Play a game to its end and keep the record."""
    tags = tags or {}
    names = {player: tags.get(f"Player{player}", f"player {player}") for player in (1, 2)}
    watcher = _Watcher(conditions or Conditions(), lambda _: None)
    return watcher.play(state, names, agents, game, tags)


@dataclass(frozen=True, eq=False)
class _Seat(Seat):
    """A seat whose agent has to keep to the tournament's limits."""

    move_limits: SearchLimits | None = None

    def limits(self, clock_s: float | None, increment_s: float) -> SearchLimits | None:
        if self.move_limits is None or clock_s is None:
            return self.move_limits or super().limits(clock_s, increment_s)
        return replace(self.move_limits, clock_s=clock_s, increment_s=increment_s)


class _Watcher:
    """Plays a live game through, tells what happens, and ends it early where the rules say so."""

    def __init__(self, conditions: Conditions, tell: Tell) -> None:
        self.conditions = conditions
        self.tell = tell
        self.spent = Spent()
        self.asked_at = 0.0
        self.adjudicator = Adjudicator(conditions.adjudication)

    def play(
        self,
        state: Any,
        names: Mapping[int, str],
        agents: Mapping[int, Agent],
        game: str,
        tags: Mapping[str, str],
    ) -> Record:
        """The record of the whole game."""
        limits = self.conditions.limits
        seats = {
            player: _Seat(names[player], agents[player], move_limits=limits) for player in (1, 2)
        }
        with LiveGame(seats, state, game, control=self.conditions.control, tags=tags) as live:
            live.listen(lambda event: self._hear(live, event))
            live.start()
            live.wait()
            return live.record()

    def _hear(self, live: LiveGame, event: LiveEvent) -> None:
        if isinstance(event, TurnBegan):
            left_s = live.clocks()[event.player]
            if left_s is None:
                silence_s = self._may_think_s(live, event.player) + self.conditions.move_timeout_s
                self.tell(Asked(event.player, silence_s, f"no move in {silence_s:g} s"))
            else:
                self.tell(Asked(event.player, left_s + GRACE_S, "time"))
            self.asked_at = perf_counter()
        elif isinstance(event, MovePlayed):
            seconds = perf_counter() - self.asked_at
            nodes = 0 if event.result is None else event.result.nodes_searched
            played = Played(event.player, event.move, nodes, seconds)
            self.spent.add(played)
            self.tell(played)
            win_in = None if event.result is None else event.result.win_in
            ending = self.adjudicator.add(event.player, event.move.score, win_in)
            if ending is not None and event.state.outcome is None:
                live.end(ending)

    def _may_think_s(self, live: LiveGame, player: int) -> float:
        """Seconds a move that the limits give it, the tournament's or its own."""
        limits = self.conditions.limits or getattr(live.seats[player].agent, "limits", None)
        return (limits.time_s or 0.0) if isinstance(limits, SearchLimits) else 0.0


def lost_record(task: Task, moves: list[Move], player: int, reason: str) -> Record:
    """The record of a game that a player lost by what was never answered."""
    start = state = task.start_state()
    for move in moves:
        state = state.play(move.text)
    if state.outcome is not None:
        return Record.from_moves(moves, start, task.game, task.tags)
    result = Outcome(3 - player, reason).result
    return Record.from_moves(moves, start, task.game, task.tags, result=result, termination=reason)
