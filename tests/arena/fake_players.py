"""Players that misbehave on cue: `make("crash@3")` plays properly and crashes at its third move."""

from __future__ import annotations

import os
import random
import re
import signal
import sys
import time
from collections.abc import Callable
from typing import cast

from plyground.agents import Agent
from plyground.agents import make as make_real
from plyground.agents.base import Progress
from plyground.games.base import AnyGame, State
from plyground.games.score import Score
from plyground.search import SearchLimits, SearchResult


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError("not even this works")


def crash(_: State) -> int:
    raise RuntimeError("out of\nideas")


def leave(_: State) -> int:
    sys.exit(3)


def die(_: State) -> int:
    os.kill(os.getpid(), signal.SIGSEGV)
    return 0


def vanish(_: State) -> int:
    os._exit(7)


def hang(_: State) -> int:
    while True:
        time.sleep(0.01)


def freeze(_: State) -> int:
    """Hang without ever letting go of the interpreter, as native code may."""
    re.match("(a+)+$", "a" * 60 + "b")
    return 0


def dawdle(state: State) -> int:
    time.sleep(0.5)
    return state.legal_actions()[0]


DEEDS: dict[str, Callable[[State], object]] = {
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


class Scripted(Agent):
    """Plays at random, the same every time, up to the move at which it does its deed."""

    def __init__(self, deed: str, at: int) -> None:
        self.deed, self.at = deed, at
        self.rng = random.Random(1)
        self.moves = 0

    def select_action(self, state: State, limits: SearchLimits | None = None) -> int:
        self.moves += 1
        if self.moves == self.at:
            return cast(int, DEEDS[self.deed](state))  # which is what it pretends
        return self.rng.choice(state.legal_actions())


class Boaster(Agent):
    """Tells a score with every move, in the game's unit, and keeps the limits it was shown."""

    evaluates = True
    limits = SearchLimits(time_s=0.01)

    def __init__(self, value: float, win_in: int | None = None) -> None:
        self.value, self.win_in = value, win_in
        self.limits_seen: list[SearchLimits] = []

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        assert on_progress is not None
        assert limits is not None
        self.limits_seen.append(limits)
        move, player = state.legal_actions()[0], state.current_player
        score = Score(self.value, state.game.unit, player)
        if self.win_in is not None:
            score = Score.proven(self.win_in, player)
        return SearchResult(move, score, 3, [move], 100, 1.0)


def make(spec: str, game: AnyGame | str | None = None) -> Agent:
    name, _, at = spec.partition("@")
    if name == "unmade" and multiprocessing_child():
        raise OSError("no such network")
    if name in (*DEEDS, "unmade"):
        return Scripted(name, int(at or 1))
    return make_real(spec, game)


def multiprocessing_child() -> bool:
    import multiprocessing

    return multiprocessing.parent_process() is not None
