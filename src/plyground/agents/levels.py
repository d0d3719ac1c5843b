"""How strong each level is: data alone, in one place. `level.py` plays by it.

A level names the agent behind it. The lowest also slip: they look at the moves that seem
best to that agent, misjudge each a little, and take the one they then like most. So they err as
people do, between moves that look alike, and throw no game away at random.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slips:
    """How a level errs."""

    spread: float
    """By how many points (steps, or what Reversi's evaluation counts) it misjudges a move."""
    among: int
    """How many of the best moves it considers."""


@dataclass(frozen=True, slots=True)
class Level:
    """An agent by its string, and how it errs, if it does."""

    agent: str
    slips: Slips | None = None
    boards: range = range(9, 10)
    """Sizes of the boards on which that agent plays."""
    other_boards: str | None = None
    """The agent on all others, where that differs."""

    def agent_on(self, board_size: int) -> str:
        """The agent for a board."""
        if self.other_boards is None or board_size in self.boards:
            return self.agent
        return self.other_boards


NETWORK_BOARDS = range(6, 10)
"""Where the network of 9x9 plays better than the engine; docs/results.md has the matches."""

LEVEL_NAMES = ("easy", "normal", "hard", "expert", "master")

# Chosen by matches between neighbours: each is to win 75 to 90% of its games against the one below.
# None takes more than two seconds a move on one core.
LEVELS: dict[str, dict[str, Level]] = {
    "quoridor": {
        "easy": Level("engine:nodes=150,hash_mb=1", Slips(spread=0.5, among=5)),
        "normal": Level("engine:nodes=4000,hash_mb=4"),
        "hard": Level("engine:nodes=100000,hash_mb=16"),
        "expert": Level("zero:sims=32", other_boards="engine:nodes=1000000"),
        "master": Level("zero:time=1.5", boards=NETWORK_BOARDS, other_boards="engine:time=1.5"),
    },
    "reversi": {
        "easy": Level("engine:depth=2,hash_mb=1", Slips(spread=1.5, among=4)),
        "normal": Level("engine:depth=5,hash_mb=1"),
        "hard": Level("engine:depth=8,hash_mb=4"),
        "expert": Level("engine:depth=13,hash_mb=16"),
        "master": Level("engine:time=1"),
    },
}

# Who gives hints, evaluates and analyses: whoever plays best in a second.
ADVISERS = {
    "quoridor": Level("zero:time=1", boards=NETWORK_BOARDS, other_boards="engine:time=1"),
    "reversi": Level("engine:time=1"),
}
