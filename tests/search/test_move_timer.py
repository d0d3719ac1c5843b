"""Time management of the tree search, on a clock that counts evaluations instead of seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from plyground.quoridor import GameConfig, State
from plyground.search import gumbel
from plyground.search.gumbel import GumbelSearch
from plyground.search.limits import SearchLimits
from plyground.search.move_timer import CLOSE, LONGEST, MOVES_PLANNED, MoveTimer

CLOCK_S = 8.01
SHARE_S = 8.0 / MOVES_PLANNED


@dataclass
class Tree:
    """The visits and the preferred move of a search."""

    visits: list[int] = field(default_factory=lambda: [0, 0, 0])
    preferred: int = 0

    def moves(self) -> list[dict[str, int]]:
        return [{"action": i, "visits": visits} for i, visits in enumerate(self.visits)]

    def policy(self) -> NDArray[np.float32]:
        policy = np.zeros(len(self.visits), np.float32)
        policy[self.preferred] = 1
        return policy


def is_over(now: float, visits: list[int], preferred: int = 0, kept: int = 0) -> bool:
    """Whether a search that began at 0 with some visits of move 1 ends now."""
    timer = MoveTimer(SearchLimits(clock_s=CLOCK_S), Tree([0, kept, 0]), 0.0)
    return timer.is_over(Tree(visits, preferred), now)


def test_a_search_ends_once_the_leader_cannot_be_overtaken() -> None:
    assert not is_over(0.49 * SHARE_S, [100, 0, 0])  # 104 more visits are to come
    assert is_over(0.51 * SHARE_S, [100, 0, 0])
    assert not is_over(0.51 * SHARE_S, [90, 10, 0])
    assert is_over(0.6 * SHARE_S, [90, 10, 0])
    assert not is_over(0.6 * SHARE_S, [60, 0, 40])


def test_visits_kept_from_the_last_search_do_not_count() -> None:
    assert is_over(0.51 * SHARE_S, [100, 1000, 0], kept=1000)
    assert not is_over(0.51 * SHARE_S, [100, 1000, 0], kept=900)


def test_an_open_choice_gets_more_time() -> None:
    after, before_end, end = 1.01 * SHARE_S, 0.99 * LONGEST * SHARE_S, LONGEST * SHARE_S
    assert is_over(after, [100, round(100 * CLOSE), 0])
    assert not is_over(before_end, [100, round(100 * CLOSE) + 1, 0])
    assert not is_over(before_end, [100, 50, 0], preferred=1)
    assert is_over(after, [100, 50, 0], preferred=0)
    assert is_over(end, [100, 100, 0], preferred=1)


def test_visits_are_looked_at_now_and_then() -> None:
    timer = MoveTimer(SearchLimits(clock_s=CLOCK_S), Tree(), 0.0)
    assert not timer.is_over(Tree([50, 50, 0]), 0.6 * SHARE_S)
    assert not timer.is_over(Tree([1000, 50, 0]), 0.601 * SHARE_S)
    assert timer.is_over(Tree([1000, 50, 0]), 0.65 * SHARE_S)


@pytest.mark.parametrize("moves_to_go", [None, 1, 2, 40])
@pytest.mark.parametrize("clock_s", [0.001, 0.5, 60.0])
def test_no_move_takes_more_than_half_of_the_clock(clock_s: float, moves_to_go: int | None) -> None:
    limits = SearchLimits(clock_s=clock_s, increment_s=0.5, moves_to_go=moves_to_go)
    timer = MoveTimer(limits, Tree(), 0.0)
    assert timer.is_over(Tree([100, 100, 0], preferred=1), max(clock_s / 2, 0.0005))


@pytest.mark.parametrize("increment_s", [0.0, 0.1])
def test_a_game_is_never_lost_on_time(monkeypatch: pytest.MonkeyPatch, increment_s: float) -> None:
    """One clock for the moves of both sides; an evaluation takes 10 ms."""
    now = 0.0

    def evaluate(features: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        nonlocal now
        now += 0.01 * len(features)
        values = features.astype(np.float32).mean(axis=1) % 0.5
        return np.zeros((len(features), 209), np.float32), values

    monkeypatch.setattr(gumbel, "time", SimpleNamespace(perf_counter=lambda: now))
    state, left_s, search = State(GameConfig.preset("small")), 5.0, GumbelSearch(evaluate, batch=1)
    moves = 0
    while not state.game_over:
        before = now
        limits = SearchLimits(clock_s=left_s, increment_s=increment_s)
        state = state.play(search.search(state, limits).best_move)
        left_s -= now - before
        assert left_s > 0
        left_s += increment_s
        moves += 1
    assert moves > 8
    assert now > 2.5
