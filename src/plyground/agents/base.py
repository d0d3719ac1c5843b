"""The base class of all players. To add one, see `spec.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TypeAlias

from plyground import __version__
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.base import Action, State
from plyground.games.score import EXPECTED_RESULT, Score, ScoreScale
from plyground.search.limits import DEFAULT_LIMITS, LIMIT_NAMES, SearchLimits
from plyground.search.result import SearchResult

Progress: TypeAlias = Callable[[SearchResult], object]
"""Called with the result so far a few times a second; an exception from it ends the search."""


TRIAL_S = 0.001
"""Seconds of the search that checks whether an agent supports some limits."""


class ForfeitKind(StrEnum):
    """How an agent loses a game otherwise than on the board."""

    NO_START = "no start"
    """It could not be created, or its program did not get ready."""
    CRASH = "crash"
    """It raised an exception, or its program ended."""
    ILLEGAL_MOVE = "illegal move"
    """It answered with anything but a legal move."""
    TIME = "time"
    """Its clock ran out."""
    SILENCE = "silence"
    """Without a clock: it did not answer in time."""
    NONSENSE = "nonsense"
    """Its program reported an error, or broke the protocol."""

    @property
    def is_failure(self) -> bool:
        """Whether the program failed; the other kinds are losses of a program that works."""
        return self not in (ForfeitKind.ILLEGAL_MOVE, ForfeitKind.TIME)


class Forfeit(Exception):  # noqa: N818  the agent's fault, not an error of the caller
    """Raised by an agent that loses the game other than by its moves, with the reason.

    A resignation has no kind, since it is not a fault.

    >>> Forfeit("no move in 60 s", ForfeitKind.SILENCE).termination
    'silence: no move in 60 s'
    >>> Forfeit("illegal move 'e9'", ForfeitKind.ILLEGAL_MOVE).termination
    "illegal move 'e9'"
    """

    def __init__(self, reason: str, kind: ForfeitKind | None = ForfeitKind.CRASH) -> None:
        super().__init__(reason)
        self.reason = reason
        self.kind = kind

    def __reduce__(self) -> tuple[type[Forfeit], tuple[str, ForfeitKind | None]]:
        return type(self), (self.reason, self.kind)

    @classmethod
    def of(cls, error: BaseException, kind: ForfeitKind = ForfeitKind.CRASH) -> Forfeit:
        """The forfeit for an exception of an agent.

        >>> Forfeit.of(ValueError("no file")).termination
        'crash: ValueError: no file'
        """
        return cls(f"{type(error).__name__}: {error}".removesuffix(": "), kind)

    @property
    def termination(self) -> str:
        """The reason with its kind, as records have it."""
        if self.kind is None or self.reason.startswith(self.kind):
            return self.reason
        return f"{self.kind}: {self.reason}"


class Agent:
    """A player: it is given a position and chooses a move. It has no access to clocks or displays.

    A subclass overrides `select_action`, or `search` if it has more to report than a move; each
    calls the other by default. Hosts may call all other methods, which do nothing by default.
    """

    name: str = ""
    """The agent's name: its string, if `make` built it."""
    limits: SearchLimits = SearchLimits()
    """The limits that it was built with, if any."""
    default_limits: SearchLimits | None = DEFAULT_LIMITS
    """Its limits when neither it nor the search was given any; None if it ignores limits."""
    title: str = ""
    """The name that tables show; empty if that is `name`."""
    time_margin_s: float = 0.0
    """Seconds by which it may overstep its clock without losing."""
    keeps_time_limits: bool = True
    """Whether a time limit ends its search."""
    kept_limits: tuple[str, ...] | None = None
    """The limits that its searches keep to, of those that limit a move; None for any, or if a
    search rejects those that it does not support."""
    evaluates: bool = False
    """Whether its results have a score."""
    depth_measures_effort: bool = True
    """Whether greater depth means a better result; in a tree search it is only a longer line."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.search is Agent.search and cls.select_action is Agent.select_action:
            raise TypeError(f"{cls.__name__} must override select_action or search")

    def select_action(self, state: State, limits: SearchLimits | None = None) -> int:
        """Choose a legal action. The answer prints as notation and unpacks into `make_move`."""
        return Action.of(state, self.search(state, limits).best_move)

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,  # noqa: ARG002
    ) -> SearchResult:
        """Choose a move and return what was found; a long search reports its progress."""
        return SearchResult(self.select_action(state, limits), score=None)

    def rank(self, state: State) -> list[tuple[int, Score]]:  # noqa: ARG002
        """All moves with their scores, best first, from a short search; [] if not supported."""
        return []

    def solves(self, state: State) -> bool:  # noqa: ARG002
        """Whether its search of a position finds the exact result, given a few seconds."""
        return False

    def keep_ranking(
        self, state: State, lines: Sequence[SearchResult], others: Sequence[tuple[int, Score]]
    ) -> None:
        """Keep a ranking of all moves for `rank`: those searched, best first, then the others."""

    def limits_for(
        self, given: SearchLimits | None, at_most_s: float | None = None
    ) -> SearchLimits | None:
        """The limits of one search: those given with it, else the agent's own, else the default.

        Given only a clock, the agent keeps its own limits; if it has none, the clock alone counts.
        A host that allows `at_most_s` seconds shortens any limits to that; an agent that cannot
        keep to a time then has its own limits, whatever was given.
        """
        if at_most_s is not None and not self.keeps_time_limits:
            given = None
        limits: SearchLimits | None
        if given is None:
            limits = self.limits if self.limits.limits_move else self.default_limits
        elif given.limits_move:
            limits = given
        else:
            limits = self.limits.with_clock_of(given)
        return limits if at_most_s is None else (limits or SearchLimits()).capped(at_most_s)

    def limits_per_move(self, given: SearchLimits | None, time_s: float) -> SearchLimits:
        """The limits given, or else its own, within a time for each move."""
        return (given or self.limits).capped(time_s)

    def limits_within(self, given: SearchLimits | None) -> SearchLimits | None:
        """The agent's own limits, shortened by a given time or clock but never extended."""
        own = self.limits_for(None)
        if given is None or own is None:
            return own
        return own.capped(given.time_s).with_clock_of(given)

    def check_limits(self, state: State, limits: SearchLimits) -> None:
        """Raise a ConfigError if the agent does not support the limits.

        The default is a search of a millisecond. An agent whose searches involve another program
        overrides it, since nothing is sent to a program outside a game.
        """
        if self.evaluates:
            self.search(state, replace(limits, time_s=TRIAL_S))

    def check_kept(self, limits: SearchLimits) -> None:
        """Raise a ConfigError for a limit that the agent would ignore; nothing is searched."""
        if self.kept_limits is None:
            return
        for name in LIMIT_NAMES.values():
            if getattr(limits, name) is not None and name not in self.kept_limits:
                only = " or ".join(self.kept_limits)
                expected = f"only {only} as a limit" if only else "no limit"
                raise ConfigError(f"expected {expected} of the agent {self.name!r}, got {name}")

    def prepare(self) -> None:
        """Get ready before any clock runs, for example by starting a program."""

    def warm_up(self, state: State) -> None:
        """Load what a game from a position needs, such as a network, before its clocks run."""

    def close_book(self) -> None:
        """Search every position from now on, also those in a level's opening book."""

    def new_game(self) -> None:
        """Forget earlier games."""

    def follow_game(self, start: State, actions: Sequence[int]) -> None:
        """Receive the moves that led from a position to the next one that is searched.

        Only agents that cannot start from a position need them.
        """

    def stop(self) -> None:
        """End the running search soon; it returns what it has found. Called from any thread."""

    def close(self) -> None:
        """Release the agent's resources, such as a program or a connection."""

    def last_words(self) -> str:
        """The last line that the agent's program wrote, for the report of a forfeit.

        Also after `close`, and from any thread.
        """
        return ""

    # For the analysis cache.

    @property
    def may_reuse_results(self) -> bool:
        """Whether cached results of longer searches may replace its own.

        Not for an agent that is limited in depth or nodes, which must not see further.
        """
        return False

    def cache_identity(self, state: State) -> str:  # noqa: ARG002
        """A key that differs between agents whose scores differ."""
        return f"{searcher_name(self.name)} {__version__}"

    def cache_scale(self, state: State) -> ScoreScale:  # noqa: ARG002
        """How its scores are stored; it must not change while the identity stays the same."""
        return ScoreScale(EXPECTED_RESULT)

    def export_table(self) -> bytes | None:
        """The part of the transposition table that is worth keeping for a later search."""
        return None

    def import_table(self, state: State, table: bytes) -> None:
        """Load what `export_table` returned, before a search of that state."""


EFFORT = ("time", "depth", "nodes", "sims", "hash_mb", "threads", "batch", "seed")
"""Options that limit how far an agent looks, and do not change how it scores a position."""


def searcher_name(spec: str) -> str:
    """An agent's string without the options in EFFORT; agents with the same one score alike.

    >>> searcher_name("engine:time=1"), searcher_name("engine:time=1,evaluator=classic")
    ('engine', 'engine:evaluator=classic')
    """
    name, _, rest = spec.partition(":")
    kept = [part for part in rest.split(",") if part.partition("=")[0] not in EFFORT]
    return ":".join(filter(None, (name, ",".join(sorted(kept)))))


def legal_actions(state: State) -> list[int]:
    """The legal actions; an IllegalMoveError in a finished game."""
    actions = state.legal_actions()
    if not actions:
        raise IllegalMoveError(f"no move to choose in {state.text()!r}: the game is over")
    return actions
