"""Gumbel AlphaZero's tree search for play: limits, batches and a tree kept between moves.

The formulas are in cpp/search/gumbel.h. Self-play distributes its few simulations by sequential
halving. Here the root is searched like every other node, so that a search can stop at any time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plyground.checks import check_range
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.games.score import Score
from plyground.search.limits import DEFAULT_LIMITS, SearchLimits
from plyground.search.move_timer import MoveTimer
from plyground.search.native import NativeTree, Report
from plyground.search.result import SearchResult

if TYPE_CHECKING:
    from plyground.search.native import Logits

EvaluateBatch: TypeAlias = "Callable[[NDArray[np.uint8]], tuple[Logits, NDArray[np.float32]]]"
"""Computes logits [batch, actions] and values [batch], for the player to move, from packed features
[batch, bytes]."""

GrowTree: TypeAlias = "Callable[[NativeTree, int, int, float], None]"
"""Runs the plan of a tree in the core: board size, most leaves under evaluation, seconds."""

MOST_BATCH = 4096
"""Positions that are evaluated together, at most."""
PLAY_OPTIONS: dict[str, float] = {
    "halving": False,
    "graph": True,
    "c_visit": 10.0,
    "c_scale": 1.0,
}
"""The options of `Game.make_tree` in play, where a search may end at any time."""
_PROGRESS_S = 0.05
_SLICE_S = 0.005
"""Seconds for which a tree grows in the core before limits other than its own are checked."""
_MAX_NODES = 2_000_000
"""The largest tree: about 1.5 GB on Quoridor's 9x9 board."""


class GumbelSearch:
    """A tree search over a network, for any game with a native tree. It keeps its tree.

    >>> from plyground.quoridor import State
    >>> def evaluate(features):
    ...     return np.zeros((len(features), 209), np.float32), np.zeros(len(features), np.float32)
    >>> search = GumbelSearch(evaluate)
    >>> search.search(State(), SearchLimits(simulations=100)).nodes_searched
    100

    Up to `batch` positions are evaluated together, fewer in a small tree. With `grow`, such as
    `NativeEvaluator.grow`, the tree grows in the core, and `evaluate` sees no more than its root.
    `c_visit` and `c_scale` weigh values against logits. A network with history sees the last
    `history_length` positions of the game; the search takes those before the root from the state.
    """

    def __init__(
        self,
        evaluate: EvaluateBatch,
        batch: int = 8,
        c_visit: float = PLAY_OPTIONS["c_visit"],
        c_scale: float = PLAY_OPTIONS["c_scale"],
        history_length: int = 0,
        grow: GrowTree | None = None,
    ) -> None:
        check_range("batch", batch, 1, MOST_BATCH)
        self._history_length = history_length
        self._history = {"history_length": history_length} if history_length else {}
        self._evaluate = evaluate
        self._grow = grow
        self._batch = batch
        self._settings = PLAY_OPTIONS | {"c_visit": c_visit, "c_scale": c_scale}
        self._tree: NativeTree | None = None
        self._state: State | None = None
        self._stop = threading.Event()

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        """Search until a limit (by default one second), a proof, or `stop`.

        With a clock, the only legal move is played at once, and `MoveTimer` decides when the search
        of any other move ends.
        `nodes` limits simulations too. Simulations kept from the last search do not count.
        `on_progress` is called with the result so far about 20 times a second; an exception that it
        raises ends the search.
        """
        limits = limits or DEFAULT_LIMITS
        if limits.depth is not None:
            raise ConfigError("a tree search has no depth limit; limit its simulations instead")
        started = time.perf_counter()
        self._stop.clear()
        tree = self._tree_for(state)
        visits_before = tree.visits
        deadline, most = self._budget(limits, started)
        if limits.clock_s is not None and len(state.legal_actions()) == 1:
            most = 1
        told = started
        size = state.game.board_size(state)
        try:
            self._evaluate_root(tree)
            tree.begin(most)
            timer = None if limits.clock_s is None else MoveTimer(limits, tree, started)
            while not self._is_done(tree, deadline, timer):
                if self._grow is None:
                    self._run_batch(tree)
                else:
                    left_s = _SLICE_S if deadline is None else deadline - time.perf_counter()
                    self._grow(tree, size, self._batch, min(left_s, _SLICE_S))
                now = time.perf_counter()
                if on_progress is not None and now - told >= _PROGRESS_S:
                    told = now
                    on_progress(self._result(state, tree, visits_before, started))
        except BaseException:
            self.clear()  # a batch may be in flight
            raise
        return self._result(state, tree, visits_before, started)

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

    def moves(self) -> list[Report]:
        """Action, logit, visits, value and win_in of each move after the last search."""
        if self._tree is None:
            raise ConfigError("no position has been searched yet")
        return self._tree.moves()

    def rank(self, state: State) -> list[tuple[int, Score]]:
        """All moves with their scores, best first, from a short search of all of them.

        It uses sequential halving: every move is searched once, the better half again, and so on.
        """
        moves = len(state.legal_actions())
        tree = state.game.make_tree(state, max_considered=moves, **self._history)
        self._evaluate_root(tree)
        tree.begin(3 * moves)
        while tree.simulations_left > 0 and tree.win_in is None:
            self._run_batch(tree)
        policy = tree.policy()

        def place(move: Report) -> tuple[int, int, float]:
            win_in = move["win_in"]
            if win_in is None:
                return (0, move["visits"], float(policy[move["action"]]))
            return (1 if win_in > 0 else -1, -win_in, float(policy[move["action"]]))

        ranked = sorted(tree.moves(), key=place, reverse=True)
        player = state.current_player
        return [(move["action"], _score(move["value"], move["win_in"], player)) for move in ranked]

    def _tree_for(self, state: State) -> NativeTree:
        """The tree of this state: part of the last search's tree if possible."""
        tree, last = self._tree, self._state
        self.clear()
        if tree is None or last is None or not self._advance(tree, last, state):
            tree = state.game.make_tree(state, **self._settings, **self._history)
        self._tree, self._state = tree, state
        return tree

    def _advance(self, tree: NativeTree, last: State, state: State) -> bool:
        """Move the tree on to the state, if it is at most the expected move and one more away."""
        if self._is_same(last, state) or self._play_one(tree, last, state):
            return True
        if not tree.is_evaluated:
            return False
        expected = tree.best_action()
        between = last.play(expected)
        if not any(
            self._is_same(between.play(action), state) for action in between.legal_actions()
        ):
            return False
        tree.advance(expected)
        return self._play_one(tree, between, state)

    def _play_one(self, tree: NativeTree, last: State, state: State) -> bool:
        """Advance the tree by the move from one state to the other, if there is one."""
        for action in last.legal_actions():
            if self._is_same(last.play(action), state):
                tree.advance(action)
                return True
        return False

    def _is_same(self, one: State, other: State) -> bool:
        """Whether two states are equal, and the network sees the same history."""
        if one != other or not self._history_length:
            return one == other
        length = self._history_length
        seen = one.game.net_features(one, length)
        return np.array_equal(seen, other.game.net_features(other, length))

    def _budget(self, limits: SearchLimits, started: float) -> tuple[float | None, int]:
        """The deadline, clocks aside, and the number of simulations."""
        time_s = limits.time_s
        counts = [count for count in (limits.simulations, limits.nodes) if count is not None]
        if time_s is None and limits.clock_s is None and not counts:
            time_s = DEFAULT_LIMITS.time_s
        return None if time_s is None else started + time_s, min([*counts, _MAX_NODES])

    def _is_done(self, tree: NativeTree, deadline: float | None, timer: MoveTimer | None) -> bool:
        now = time.perf_counter()
        return (
            tree.simulations_left == 0
            or tree.win_in is not None
            or self._stop.is_set()
            or (deadline is not None and now >= deadline)
            or (timer is not None and timer.is_over(tree, now))
            or len(tree) >= _MAX_NODES
        )

    def _evaluate_root(self, tree: NativeTree) -> None:
        if not tree.is_evaluated:
            tree.begin(0)
            tree.expand(*self._evaluate(tree.select(1)))

    def _run_batch(self, tree: NativeTree) -> None:
        features = tree.select(min(self._batch, 1 + tree.visits // 16))
        if len(features) > 0:
            tree.expand(*self._evaluate(features))

    def _result(
        self, state: State, tree: NativeTree, visits_before: int, started: float
    ) -> SearchResult:
        line = tree.pv()
        return SearchResult(
            best_move=tree.best_action(),
            score=_score(tree.best_value(), tree.win_in, state.current_player),
            depth=len(line),
            pv=line,
            nodes_searched=tree.visits - visits_before,
            time_ms=(time.perf_counter() - started) * 1000,
        )


def _score(value: float, win_in: int | None, player: int) -> Score:
    return Score.expected(value, player) if win_in is None else Score.proven(win_in, player)
