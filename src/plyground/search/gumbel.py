"""Gumbel AlphaZero's tree search for play: limits, batches and the tree kept between moves.

The formulas are in cpp/search/gumbel.h, next to the code. Self-play shares its few simulations out
by sequential halving; here the root is searched like all positions below it, so that a search can
end at any moment.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground import _core
from plyground.errors import ConfigError
from plyground.games import reversi
from plyground.search.engine import State, time_budget
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

Tree = _core.QuoridorTree | _core.ReversiTree
Evaluate = Callable[[NDArray[np.uint8]], tuple[NDArray[Any], NDArray[np.float32]]]
"""Logits [batch, actions] and values [batch] of packed features [batch, bytes], for the mover."""

DEFAULT_LIMITS = SearchLimits(time_s=1.0)
_PROGRESS_S = 0.05
_MAX_NODES = 2_000_000
"""Where a search ends for lack of room: about 1.5 GB on Quoridor's 9x9 board."""


def new_tree(state: State, **settings: Any) -> Tree:
    """The core's tree for this state's game."""
    if isinstance(state, reversi.State):
        return _core.ReversiTree(state, **settings)
    return _core.QuoridorTree(state, **settings)


class GumbelSearch:
    """A network's tree search, for either game; it keeps the tree while a game goes on.

    >>> from plyground.quoridor import State
    >>> def evaluate(features):
    ...     return np.zeros((len(features), 209), np.float32), np.zeros(len(features), np.float32)
    >>> search = GumbelSearch(evaluate)
    >>> search.search(State(), SearchLimits(simulations=100)).nodes_searched
    100

    `batch` positions at most are evaluated together, fewer at first, when each result counts.
    `c_visit` and `c_scale` say how much values count against logits.
    """

    def __init__(
        self, evaluate: Evaluate, batch: int = 8, c_visit: float = 10.0, c_scale: float = 1.0
    ) -> None:
        if batch < 1:
            raise ConfigError(f"expected batch to be at least 1, got {batch!r}")
        self._evaluate = evaluate
        self._batch = batch
        self._new_tree = partial(new_tree, halving=False, c_visit=c_visit, c_scale=c_scale)
        self._tree: Tree | None = None
        self._state: State | None = None
        self._stop = threading.Event()

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        """Search until a limit is met (by default one second), a proof is found, or `stop`.

        `nodes` limits simulations, too. Simulations are on top of those kept from the last search.
        `on_progress` is called with the result so far every few hundredths of a second; whatever it
        raises ends the search and is raised here.
        """
        limits = limits or DEFAULT_LIMITS
        if limits.depth is not None:
            raise ConfigError("the tree search knows no depth; limit its simulations instead")
        started = time.perf_counter()
        self._stop.clear()
        tree = self._tree_for(state)
        visits_before = tree.visits
        deadline, most = self._budget(limits, started)
        told = started
        try:
            self._evaluate_root(tree)
            tree.begin(most)
            while not self._is_done(tree, deadline):
                self._run_batch(tree)
                now = time.perf_counter()
                if on_progress is not None and now - told >= _PROGRESS_S:
                    told = now
                    on_progress(self._result(tree, visits_before, started))
        except BaseException:
            self.clear()  # a batch may be in flight
            raise
        return self._result(tree, visits_before, started)

    def stop(self) -> None:
        """End the running search soon; it returns what it has found. Safe from any thread."""
        self._stop.set()

    def clear(self) -> None:
        """Forget the tree."""
        self._tree = self._state = None

    def policy(self) -> NDArray[np.float32]:
        """The improved policy of the position searched last, by action."""
        if self._tree is None:
            raise ConfigError("no position has been searched yet")
        return self._tree.policy()

    def moves(self) -> list[dict[str, Any]]:
        """What the last search knows about each move: action, logit, visits, value, win_in."""
        if self._tree is None:
            raise ConfigError("no position has been searched yet")
        return self._tree.moves()

    def ranking(self, state: State) -> list[tuple[int, float]]:
        """All moves with their values, best first, from a short search that leaves none out.

        That is what sequential halving is for: every move is looked at once, the better half again,
        and so on.
        """
        moves = len(state.legal_actions())
        tree = new_tree(state, max_considered=moves)
        self._evaluate_root(tree)
        tree.begin(3 * moves)
        while tree.simulations_left > 0 and tree.win_in is None:
            self._run_batch(tree)
        policy = tree.policy()

        def place(move: dict[str, Any]) -> tuple[int, int, float]:
            win_in = move["win_in"]
            if win_in is None:
                return (0, move["visits"], policy[move["action"]])
            return (1 if win_in > 0 else -1, -win_in, policy[move["action"]])

        ranked = sorted(tree.moves(), key=place, reverse=True)
        return [(move["action"], move["value"]) for move in ranked]

    def _tree_for(self, state: State) -> Tree:
        """The tree below this state, kept from the last search if it led here."""
        tree, last = self._tree, self._state
        self.clear()
        if tree is None or last is None or not _advance(tree, last, state):
            tree = self._new_tree(state)
        self._tree, self._state = tree, state
        return tree

    def _budget(self, limits: SearchLimits, started: float) -> tuple[float | None, int]:
        """When to end, and after how many simulations."""
        time_s, aim_s = time_budget(limits)
        if aim_s is not None:  # a clock: half the aim was meant for starting another depth
            time_s = min(2 * aim_s, time_s) if time_s is not None else 2 * aim_s
        counts = [count for count in (limits.simulations, limits.nodes) if count is not None]
        if time_s is None and not counts:
            time_s = DEFAULT_LIMITS.time_s
        return None if time_s is None else started + time_s, min([*counts, _MAX_NODES])

    def _is_done(self, tree: Tree, deadline: float | None) -> bool:
        return (
            tree.simulations_left == 0
            or tree.win_in is not None
            or self._stop.is_set()
            or (deadline is not None and time.perf_counter() >= deadline)
            or len(tree) >= _MAX_NODES
        )

    def _evaluate_root(self, tree: Tree) -> None:
        if not tree.is_evaluated:
            tree.begin(0)
            tree.expand(*self._evaluate(tree.select(1)))

    def _run_batch(self, tree: Tree) -> None:
        features = tree.select(min(self._batch, 1 + tree.visits // 16))
        if len(features) > 0:
            tree.expand(*self._evaluate(features))

    def _result(self, tree: Tree, visits_before: int, started: float) -> SearchResult:
        line = tree.pv()
        return SearchResult(
            best_move=tree.best_action(),
            score=tree.best_value(),
            depth=len(line),
            pv=line,
            nodes_searched=tree.visits - visits_before,
            time_ms=(time.perf_counter() - started) * 1000,
            win_in=tree.win_in,
        )


def _advance(tree: Tree, last: State, state: State) -> bool:
    """Move the tree on to the state, if it is at most the expected move and one more away."""
    if state == last or _play_one(tree, last, state):
        return True
    if not tree.is_evaluated:
        return False
    expected = tree.best_action()
    between = last.play(expected)
    if not any(between.play(action) == state for action in between.legal_actions()):
        return False
    tree.advance(expected)
    return _play_one(tree, between, state)


def _play_one(tree: Tree, last: State, state: State) -> bool:
    """Move the tree on by the move that leads from one state to the other, if there is one."""
    for action in last.legal_actions():
        if last.play(action) == state:
            tree.advance(action)
            return True
    return False
