"""Players that misbehave on cue: `make("crash@3")` plays properly and crashes at its third move."""

from __future__ import annotations

import os
import random
import re
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from plyground.agents import Agent
from plyground.agents import make as make_real
from plyground.search import SearchLimits, SearchResult


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError("not even this works")


def crash(_: Any) -> int:
    raise RuntimeError("out of\nideas")


def leave(_: Any) -> int:
    sys.exit(3)


def die(_: Any) -> int:
    os.kill(os.getpid(), signal.SIGSEGV)
    return 0


def vanish(_: Any) -> int:
    os._exit(7)


def hang(_: Any) -> int:
    while True:
        time.sleep(0.01)


def freeze(_: Any) -> int:
    """Hang without ever letting go of the interpreter, as native code may."""
    re.match("(a+)+$", "a" * 60 + "b")
    return 0


def dawdle(state: Any) -> int:
    time.sleep(0.5)
    return int(state.legal_actions()[0])


DEEDS: dict[str, Callable[[Any], Any]] = {
    "crash": crash,
    "leave": leave,
    "die": die,
    "vanish": vanish,
    "hang": hang,
    "freeze": freeze,
    "dawdle": dawdle,
    "nothing": lambda _: None,
    "words": lambda _: "e2\n[Result",
    "half": lambda state: state.legal_actions()[0] + 0.5,
    "far": lambda _: 10**30,
    "negative": lambda _: -1,
    "unspeakable": lambda _: Unspeakable(),
}


class Scripted:
    """Plays at random, the same every time, up to the move at which it does its deed."""

    def __init__(self, deed: str, at: int) -> None:
        self.deed, self.at = deed, at
        self.rng = random.Random(1)
        self.moves = 0

    def select_action(self, state: Any, limits: Any = None) -> Any:  # noqa: ARG002
        self.moves += 1
        if self.moves == self.at:
            return DEEDS[self.deed](state)
        return self.rng.choice(state.legal_actions())


class Boaster:
    """Tells a score with every move, ten to the disc, and keeps the limits it was shown."""

    def __init__(self, score: float, win_in: int | None = None) -> None:
        self.limits = SearchLimits(time_s=0.01)
        self.score, self.win_in = score, win_in
        self.limits_seen: list[SearchLimits | None] = []

    def points(self, _: Any) -> float:
        return 10.0

    def search(
        self, state: Any, limits: SearchLimits | None = None, on_progress: Any = None
    ) -> SearchResult:
        assert on_progress is not None
        self.limits_seen.append(limits)
        move = state.legal_actions()[0]
        return SearchResult(move, self.score, 3, [move], 100, 1.0, win_in=self.win_in)

    def select_action(self, state: Any, limits: SearchLimits | None = None) -> int:
        return self.search(state, limits, print).best_move


def make(spec: str, game: str = "quoridor") -> Agent:
    name, _, at = spec.partition("@")
    if name == "unmade" and multiprocessing_child():
        raise OSError("no such network")
    if name in (*DEEDS, "unmade"):
        return Scripted(name, int(at or 1))
    return make_real(spec, game)


def multiprocessing_child() -> bool:
    import multiprocessing

    return multiprocessing.parent_process() is not None
