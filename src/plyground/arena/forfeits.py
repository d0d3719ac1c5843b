"""Games lost by forfeit: their counts, agents that cannot start, and how a command reports them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from plyground.agents.base import ForfeitKind
from plyground.arena.task import GameResult

ForfeitCounts: TypeAlias = Counter[ForfeitKind]
"""Games that an agent lost by forfeit, by kind."""
ON_CRASH = ("continue", "stop")
"""What a tournament does when an agent fails."""
MOST_FAILED_STARTS = 3
"""Failed starts in a row after which an agent is out of the tournament."""

_OLD_REASONS = {
    "crash: ": ForfeitKind.CRASH,
    "the program ": ForfeitKind.CRASH,
    "fault: ": ForfeitKind.CRASH,
    "not ready after ": ForfeitKind.NO_START,
    "no connection: ": ForfeitKind.NO_START,
    "illegal move": ForfeitKind.ILLEGAL_MOVE,
    "no move in ": ForfeitKind.SILENCE,
    "no answer": ForfeitKind.SILENCE,
    "silence": ForfeitKind.SILENCE,
    "invalid action: ": ForfeitKind.NONSENSE,
    "malformed answer: ": ForfeitKind.NONSENSE,
}
"""How reasons of forfeits begin in stores of version 1, which have no kinds."""


def kind_of_reason(reason: str) -> ForfeitKind | None:
    """The kind of a forfeit from its reason, for stores of version 1; None if it is not one.

    >>> kind_of_reason("not ready after 30 s"), kind_of_reason("goal")
    (<ForfeitKind.NO_START: 'no start'>, None)
    """
    if reason == "time":
        return ForfeitKind.TIME
    if reason.startswith("the program says: "):
        return ForfeitKind.NONSENSE
    if reason.startswith("the program ") and " does not start: " in reason:
        return ForfeitKind.NO_START
    found = (kind for start, kind in _OLD_REASONS.items() if reason.startswith(start))
    return next(found, None)


def format_counts(counts: Mapping[ForfeitKind, int]) -> str:
    """Counts in words.

    >>> format_counts({ForfeitKind.CRASH: 2, ForfeitKind.TIME: 1})
    'crash 2, time 1'
    """
    return ", ".join(f"{kind} {counts[kind]}" for kind in ForfeitKind if counts.get(kind))


def forfeits_note(counts: Mapping[str, Mapping[ForfeitKind, int]]) -> str:
    """The footnote of a table about forfeits, with their counts by agent; empty without any.

    >>> forfeits_note({"a": {ForfeitKind.TIME: 3}, "b": {}})
    '* includes games lost by forfeit, which do not measure strength: a (time 3)'
    """
    parts = [f"{agent} ({format_counts(found)})" for agent, found in counts.items() if found]
    if not parts:
        return ""
    return f"* includes games lost by forfeit, which do not measure strength: {', '.join(parts)}"


def counts_json(counts: Mapping[ForfeitKind, int]) -> dict[str, int]:
    """Counts by the names of the kinds."""
    return {kind.value: counts[kind] for kind in ForfeitKind if counts.get(kind)}


class ForfeitNotices:
    """A line for the first forfeit of each agent and kind.

    With `name`, all agents of the games count as one, such as the candidates of a tuning run.
    """

    def __init__(self, name: str | None = None) -> None:
        self._name = name
        self._reported: set[tuple[str, ForfeitKind]] = set()

    def line(self, game: GameResult) -> str | None:
        """What to print about a game; None for most."""
        agent = game.forfeited_by
        if agent is None or game.forfeit is None:
            return None
        agent = self._name or agent
        if (agent, game.forfeit) in self._reported:
            return None
        self._reported.add((agent, game.forfeit))
        reason = game.record.termination
        words = game.last_words
        heard = f"; its last words: {words}" if words and words not in reason else ""
        return f"{agent} lost a game by forfeit: {reason}{heard}"


class FailedStarts:
    """Counts failed starts in a row, and names the agents that are out."""

    def __init__(self, name: str | None = None) -> None:
        self._name = name
        self._in_a_row = Counter[str]()
        self.out: set[str] = set()

    def add(self, game: GameResult) -> None:
        """Count the starts of a game's agents; player 1 starts first."""
        one, other = (self._name or agent for agent in (game.task.player1, game.task.player2))
        if game.forfeit is not ForfeitKind.NO_START:
            self._in_a_row[one] = self._in_a_row[other] = 0
            return
        failed = one if game.record.result == "0-1" else other
        if failed != one:
            self._in_a_row[one] = 0
        self._in_a_row[failed] += 1
        if self._in_a_row[failed] >= MOST_FAILED_STARTS:
            self.out.add(failed)


class AgentFailedError(Exception):
    """Ends a run of a single agent, which cannot go on without it; the message is a sentence."""


class SingleAgentGuard:
    """Ends a run whose games are all played by one agent, once that agent fails."""

    def __init__(self, agent: str, on_crash: str = "continue") -> None:
        self.agent = agent
        self.on_crash = on_crash
        self._starts = FailedStarts(agent)

    def add(self, game: GameResult) -> None:
        """Raise an AgentFailedError if the game says that the run is to end."""
        self._starts.add(game)
        if self._starts.out:
            raise AgentFailedError(out_sentence(self.agent))
        if stops_run(game, self.on_crash):
            raise AgentFailedError(stop_sentence(self.agent))


def stops_run(game: GameResult, on_crash: str) -> bool:
    """Whether a run ends with this game: an agent has failed and `on_crash` is "stop"."""
    return on_crash == "stop" and game.forfeit is not None and game.forfeit.is_failure


def stop_sentence(agent: str) -> str:
    """Why a run has stopped."""
    return f"stopped by --on-crash stop, since {agent} failed"


def out_sentence(agent: str) -> str:
    """Why an agent plays no more games."""
    return f"{agent} is out: it failed to start {MOST_FAILED_STARTS} times in a row"


def all_lost_sentence(agent: str, games: int, counts: Mapping[ForfeitKind, int]) -> str:
    """What to say about an agent that has lost every game by forfeit."""
    what = "its only game" if games == 1 else f"all of its {games:,} games"
    return f"{agent} lost {what} by forfeit ({format_counts(counts)})"
