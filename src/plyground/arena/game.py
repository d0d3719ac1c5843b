"""One game between two agents, on the clock, with whatever they do wrong.

An agent that raises, answers with a move that is not legal or oversteps its time loses, with the
reason in the record. One that never answers, or takes the whole process with it, is for `runner.py`
to notice, which plays games in processes of their own and hears from them through `tell`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from operator import index
from time import perf_counter
from typing import Any

from plyground.agents import Agent, make
from plyground.arena.adjudicate import Adjudicator
from plyground.arena.task import Conditions, Finished, Task
from plyground.games import registry
from plyground.games.base import Outcome
from plyground.play import Move, Record
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

READY_S = 120.0
"""How long an agent may take to be made: to load a network, say, on a busy machine."""
GRACE_S = 1.0
"""How late an answer may be before nobody waits for it any more; it has lost on time before."""


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
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever it is, it is the agent's
            lost = Outcome(3 - player, crash(error))
            return Finished(task, _record(task.start_state(), [], task.game, task.tags, lost))
    table = _Table(task.start_state(), agents, task.conditions, task.game, tell)
    return Finished(task, table.play(task.tags), (table.nodes[1], table.nodes[2]))


def play_game(
    state: Any,
    agents: Mapping[int, Agent],
    game: str = "quoridor",
    tags: Mapping[str, str] | None = None,
    limits: SearchLimits | None = None,
    conditions: Conditions | None = None,
) -> Record:
    """Play a game to its end and keep the record; `limits` count for every move."""
    conditions = conditions or Conditions(limits)
    return _Table(state, agents, conditions, game, lambda _: None).play(tags or {})


class _Table:
    """Where one game is played."""

    def __init__(
        self, state: Any, agents: Mapping[int, Agent], conditions: Conditions, game: str, tell: Tell
    ) -> None:
        self.start = self.state = state
        self.agents = agents
        self.conditions = conditions
        self.rules = registry.get(game)
        self.tell = tell
        self.moves: list[Move] = []
        self.nodes = {1: 0, 2: 0}
        self.left_s = {1: conditions.clock_s, 2: conditions.clock_s}
        self.adjudicator = Adjudicator(conditions.adjudication)

    def play(self, tags: Mapping[str, str]) -> Record:
        """Play to the end."""
        ending: Outcome | None = None
        while self.state.outcome is None and ending is None:
            ending = self._turn()
        return _record(self.start, self.moves, self.rules.name, tags, ending)

    def _turn(self) -> Outcome | None:
        """Ask whoever is to move, and play the answer; the game's end if it is not by its rules."""
        player = self.state.current_player
        left_s = self.left_s[player]
        if left_s is None:
            silence_s = self.conditions.move_timeout_s
            self.tell(Asked(player, silence_s, f"no move in {silence_s:g} s"))
        else:
            self.tell(Asked(player, left_s + GRACE_S, "time"))
        agent = self.agents[player]
        limits = self._limits(agent, left_s)
        began = perf_counter()
        try:
            answer, found = think(agent, self.state, limits)
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever it is, it is the agent's
            return Outcome(3 - player, crash(error))
        spent_s = perf_counter() - began
        action = _whole(answer)
        if action is None or action not in self.state.legal_actions():
            return Outcome(3 - player, f"illegal move {one_line(answer)}")
        if left_s is not None:
            if spent_s > left_s:
                return Outcome(3 - player, "time")
            self.left_s[player] = left_s - spent_s + self.conditions.increment_s
        self._play(player, action, spent_s, found)
        return None if self.state.outcome is not None else self.adjudicator.add(player, found)

    def _play(self, player: int, action: int, spent_s: float, found: SearchResult | None) -> None:
        text = self.rules.format_action(self.state, action)
        if found is None:
            move = Move(text, spent_s)
        elif found.win_in is not None:
            verdict = f"{'wins' if found.win_in > 0 else 'loses'} in {abs(found.win_in)}"
            move = Move(text, spent_s, depth=found.depth, comment=verdict)
        else:
            move = Move(text, spent_s, found.score, found.depth)
        nodes = 0 if found is None else found.nodes_searched
        self.nodes[player] += nodes
        self.moves.append(move)
        self.state = self.state.play(action)
        self.tell(Played(player, move, nodes))

    def _limits(self, agent: Agent, left_s: float | None) -> SearchLimits | None:
        limits = self.conditions.limits
        if left_s is None:
            return limits
        own = limits or getattr(agent, "limits", None) or SearchLimits()
        return replace(own, clock_s=left_s, increment_s=self.conditions.increment_s)


def think(
    agent: Agent, state: Any, limits: SearchLimits | None
) -> tuple[object, SearchResult | None]:
    """An agent's answer, and what it found if it is one that searches within limits."""
    if isinstance(getattr(agent, "limits", None), SearchLimits):
        found: SearchResult = agent.search(state, limits)  # type: ignore[attr-defined]
        return found.best_move, found
    return agent.select_action(state, limits), None


def crash(error: BaseException) -> str:
    """The reason for a loss by an exception."""
    return f"crash: {type(error).__name__}: {error}"


def one_line(thing: object, longest: int = 60) -> str:
    """Anything as a record can keep it, whatever it says about itself."""
    try:
        words = repr(thing)
    except Exception:  # noqa: BLE001  a representation is the agent's own code, too
        words = f"<{type(thing).__name__}>"
    return words if len(words) <= longest else words[: longest - 3] + "..."


def _whole(answer: object) -> int | None:
    """An answer as an action number, if it is a whole number of any kind."""
    try:
        return index(answer)  # type: ignore[arg-type]
    except Exception:  # noqa: BLE001
        return None


def _record(
    start: Any, moves: list[Move], game: str, tags: Mapping[str, str], ending: Outcome | None
) -> Record:
    if ending is None:
        return Record.from_moves(moves, start, game, tags)
    reason = "".join(c for c in " ".join(ending.reason.split()) if c.isprintable())[:200]
    return Record.from_moves(moves, start, game, tags, result=ending.result, termination=reason)


def lost_record(task: Task, moves: list[Move], player: int, reason: str) -> Record:
    """The record of a game that a player lost by what was never answered."""
    state = task.start_state()
    for move in moves:
        state = state.play(move.text)
    ending = None if state.outcome is not None else Outcome(3 - player, reason)
    return _record(task.start_state(), moves, task.game, task.tags, ending)
