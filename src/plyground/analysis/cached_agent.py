"""An agent that looks a position up in the cache before it searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from plyground.agents.base import Agent, Progress
from plyground.analysis.cache import AnalysisCache, CacheEntry
from plyground.games.base import State
from plyground.games.score import Score, ScoreScale
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

ENOUGH = 0.9
"""A cached search that used this share of the current limits is good enough."""

WORTH_KEEPING = 20_000
"""Nodes above which the transposition table of a search is kept; fewer take no time."""


class CachedAgent(Agent):
    """An agent behind a cache, which answers for positions that were searched far enough before.

    A longer search starts with the transposition table that was kept, if there is one.
    """

    def __init__(self, agent: Agent, cache: AnalysisCache) -> None:
        self.agent = agent
        self.cache = cache
        self.name = agent.name
        self.limits = agent.limits
        self.default_limits = agent.default_limits
        self.keeps_time_limits = agent.keeps_time_limits
        self.kept_limits = agent.kept_limits
        self.evaluates = agent.evaluates
        self.depth_measures_effort = agent.depth_measures_effort

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """The cached result if it went far enough, otherwise that of a new search."""
        started = perf_counter()
        agent, searcher, position = self.agent, self.cache_identity(state), position_key(state)
        entry = self.cache.get(searcher, position)
        if entry is not None:
            found = _result(entry, self.cache_scale(state), state.current_player)
            line = _legal_part(state, found.pv)  # another program may have written the file
            if line and is_enough(found, agent.limits_for(limits)):
                took_ms = (perf_counter() - started) * 1000
                return replace(found, pv=line, time_ms=took_ms)
        if (table := self.cache.get_table(searcher, position)) is not None:
            agent.import_table(state, table)
        result = agent.search(state, limits, on_progress)
        if result.score is not None and not result.is_from_book:
            new = _entry(result, self.cache_scale(state))
            self.cache.put(searcher, position, new, by_depth=agent.depth_measures_effort)
        if result.nodes_searched >= WORTH_KEEPING and (table := agent.export_table()) is not None:
            self.cache.put_table(searcher, position, table)
        return result

    def rank(self, state: State) -> list[tuple[int, Score]]:
        """All moves with their scores, best first: as they were ranked before, or by the agent."""
        entry = self.cache.get(self.cache_identity(state), position_key(state))
        children = () if entry is None else entry.children
        if sorted(action for action, _ in children) != state.legal_actions():
            return self.agent.rank(state)
        scale, player = self.cache_scale(state), state.current_player
        return [(action, scale.to_score(number, player, played=1)) for action, number in children]

    def keep_ranking(
        self, state: State, lines: Sequence[SearchResult], others: Sequence[tuple[int, Score]]
    ) -> None:
        """Cache a ranking of all moves: those searched, best first, then the others."""
        searcher, position = self.cache_identity(state), position_key(state)
        scale, best = self.cache_scale(state), lines[0]
        # Not every move was searched, so a loss is not proven, and no depth was reached.
        win_in = best.win_in if best.win_in is not None and best.win_in > 0 else None
        glance = replace(_entry(best, scale), depth=1, nodes=0, time_ms=0.0, win_in=win_in)
        self.cache.put(searcher, position, replace(glance, exact=False))
        ranked = [*((line.best_move, line.score) for line in lines), *others]
        numbers = [
            (action, scale.to_number(score, played=1))
            for action, score in ranked
            if score is not None
        ]
        self.cache.put_children(searcher, position, numbers)

    def known_scores(self, state: State, actions: Sequence[int]) -> dict[int, Score]:
        """The cached scores of moves for the player to move; nothing is searched."""
        searcher, player = self.cache_identity(state), state.current_player
        entry = self.cache.get(searcher, position_key(state))
        ranked = dict(() if entry is None else entry.children)
        found: dict[int, Score] = {}
        for action in actions:
            after = state.play(action)
            if after.outcome is not None:
                found[action] = state.game.end_score(after, player)
            elif (child := self.cache.get(searcher, position_key(after))) is not None:
                score = _result(child, self.cache_scale(after), after.current_player).score
                if score is not None:
                    found[action] = score.one_ply_earlier()
            elif action in ranked:
                found[action] = self.cache_scale(state).to_score(ranked[action], player, played=1)
        return found

    def solves(self, state: State) -> bool:
        """Whether the agent does."""
        return self.agent.solves(state)

    def prepare(self) -> None:
        """Get the agent ready."""
        self.agent.prepare()

    def new_game(self) -> None:
        """Let the agent forget earlier games; the cache stays."""
        self.agent.new_game()

    def follow_game(self, start: State, actions: Sequence[int]) -> None:
        """Tell the agent the moves of the game."""
        self.agent.follow_game(start, actions)

    def stop(self) -> None:
        """End the running search soon, with what it has found. Safe from any thread."""
        self.agent.stop()

    def close(self) -> None:
        """Close the agent."""
        self.agent.close()

    def cache_identity(self, state: State) -> str:
        """That of the agent."""
        return self.agent.cache_identity(state)

    def cache_scale(self, state: State) -> ScoreScale:
        """That of the agent."""
        return self.agent.cache_scale(state)


def cached_seat(seat: Seat, cache: AnalysisCache) -> Seat:
    """The seat with its agent behind the cache, if the agent may reuse results."""
    if seat.agent is None or not seat.agent.may_reuse_results:
        return seat
    return Seat(seat.name, CachedAgent(seat.agent, cache))


def is_enough(found: SearchResult, limits: SearchLimits | None) -> bool:
    """Whether a search under these limits would find little more."""
    if found.win_in is not None or found.exact:
        return True
    if limits is None:
        return False
    reached = [
        limits.depth is not None and found.depth >= limits.depth,
        limits.nodes is not None and found.nodes_searched >= ENOUGH * limits.nodes,
        limits.simulations is not None and found.nodes_searched >= ENOUGH * limits.simulations,
        limits.time_s is not None and found.time_ms >= ENOUGH * 1000 * limits.time_s,
    ]
    return any(reached)


def position_key(state: State) -> str:
    """A position and the settings it is played under, in one line."""
    game = state.game
    return " ".join(filter(None, (game.name, game.rules_key(state), state.text())))


def _legal_part(state: State, line: Sequence[int]) -> list[int]:
    """The moves of a line up to the first that is illegal."""
    found: list[int] = []
    for action in line:
        if state.outcome is not None or not state.is_legal(action):
            break
        found.append(action)
        state = state.play(action)
    return found


def _entry(result: SearchResult, scale: ScoreScale) -> CacheEntry:
    number = 0.0 if result.score is None else scale.to_number(result.score)
    return CacheEntry(
        tuple(result.pv or [result.best_move]),
        number,
        result.depth,
        result.nodes_searched,
        result.time_ms,
        result.win_in,
        result.exact,
    )


def _result(entry: CacheEntry, scale: ScoreScale, player: int) -> SearchResult:
    value = entry.score / scale.per_unit
    score = Score(value, scale.unit, player, exact=entry.exact)
    if entry.win_in is not None:
        score = Score.proven(entry.win_in, player)
    line = list(entry.line)
    return SearchResult(line[0], score, entry.depth, line, entry.nodes, entry.time_ms)
