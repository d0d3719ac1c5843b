"""Levels of play as data. `plyground.agents.level` is the agent that plays them.

A level names an agent. The lowest levels also slip. They overlook some moves, add a random error to
the scores of the best moves that they notice, and play the move that then scores highest. So they
err as people do, who miss moves and confuse moves of similar value, and do not blunder at random.
"""

from __future__ import annotations

from dataclasses import dataclass

LEVEL_NAMES = ("beginner", "easy", "casual", "normal", "skilled", "hard", "expert", "master")
LEVEL_ALIASES = {"medium": "normal"}
"""Other names of levels, which are accepted and not listed."""


def level_name(name: str) -> str:
    """The usual name of a level; other names unchanged.

    >>> level_name("medium"), level_name("hard")
    ('normal', 'hard')
    """
    return LEVEL_ALIASES.get(name, name)


@dataclass(frozen=True, slots=True)
class Slips:
    """How a level errs."""

    spread: float
    """Standard deviation of the error, in points of the game's unit."""
    among: int
    """Number of best moves that are considered."""
    overlooks: float = 0.0
    """Chance of overlooking a move, for each move that does not win at once."""


@dataclass(frozen=True, slots=True)
class Level:
    """The string of an agent, and how the level errs, if it does."""

    agent: str
    slips: Slips | None = None
    boards: range = range(9, 10)
    """Board sizes on which that agent plays."""
    other_boards: str | None = None
    """The agent on all other boards; None for the same."""

    def agent_on(self, board_size: int) -> str:
        """The agent for a board."""
        if self.other_boards is None or board_size in self.boards:
            return self.agent
        return self.other_boards


PLAIN_LEVELS = {
    "beginner": Level("minimax:depth=1", Slips(spread=1.0, among=4, overlooks=0.4)),
    "easy": Level("minimax:depth=1", Slips(spread=1.0, among=4, overlooks=0.2)),
    "casual": Level("minimax:depth=1", Slips(spread=1.0, among=4)),
    "normal": Level("minimax:depth=1"),
    "skilled": Level("minimax:depth=2"),
    "hard": Level("minimax:depth=3"),
    "expert": Level("minimax:depth=4"),
    "master": Level("minimax:depth=5"),
}
"""The levels of a game that does not define its own."""
