"""The base class of all players. To add one, see `spec.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from plyground import __version__
from plyground.errors import IllegalMoveError
from plyground.games.base import Action, State
from plyground.games.score import EXPECTED_RESULT, Score, ScoreScale
from plyground.search.limits import DEFAULT_LIMITS, SearchLimits
from plyground.search.result import SearchResult

Progress: TypeAlias = Callable[[SearchResult], object]
"""Called with the result so far a few times a second; an exception from it ends the search."""


class Forfeit(Exception):  # noqa: N818  the agent's fault, not an error of the caller
    """Raised by an agent that loses the game other than by its moves, with the reason."""


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
    keeps_time_limits: bool = True
    """Whether a time limit ends its search."""
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

    def limits_within(self, given: SearchLimits | None) -> SearchLimits | None:
        """The agent's own limits, shortened by a given time or clock but never extended."""
        own = self.limits_for(None)
        if given is None or own is None:
            return own
        return own.capped(given.time_s).with_clock_of(given)

    def prepare(self) -> None:
        """Get ready before any clock runs, for example by starting a program."""

    def new_game(self) -> None:
        """Forget earlier games."""

    def stop(self) -> None:
        """End the running search soon; it returns what it has found. Called from any thread."""

    def close(self) -> None:
        """Release the agent's resources, such as a program or a connection."""

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
