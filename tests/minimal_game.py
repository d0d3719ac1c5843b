"""The smallest game that Plyground takes: only what `State` and `Game` leave abstract.

Countdown: from a number of stones, the players take one, two or three in turn. Whoever takes the
last one wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.base import Game, Move, Outcome, State
from plyground.games.board import GridBoard

STONES = 21


@dataclass(frozen=True)
class CountdownState(State):
    """The stones left, and the player to move."""

    stones: int = STONES
    current_player: int = 1

    plays: ClassVar[int] = 0
    """How often `play` was called, for tests that count it."""

    @property
    def game(self) -> Countdown:
        """The game this is a position of."""
        return COUNTDOWN

    @property
    def outcome(self) -> Outcome | None:
        """The player who took the last stone has won."""
        return None if self.stones else Outcome(3 - self.current_player, "last stone")

    def legal_actions(self) -> list[int]:
        """Action 0 takes one stone, 1 two and 2 three."""
        return list(range(min(3, self.stones)))

    def play(self, move: Move, /) -> CountdownState:
        """The position after a move."""
        CountdownState.plays += 1
        action = self.parse_move(move) if isinstance(move, str) else move
        if action not in self.legal_actions():
            reason = "the game is over" if self.outcome else "there are not enough stones"
            raise IllegalMoveError(f"illegal move {action} in {self.text()!r}: {reason}")
        return CountdownState(self.stones - action - 1, 3 - self.current_player)

    def parse_move(self, text: str, /) -> int:
        """The action of `take1`, `take2` or `take3`."""
        if text.lower() not in ("take1", "take2", "take3"):
            raise NotationError(f"expected take1, take2 or take3, got {text!r}")
        return int(text[-1]) - 1

    def format_move(self, action: int, /) -> str:
        """`take1`, `take2` or `take3`."""
        return f"take{action + 1}"

    def text(self) -> str:
        """The stones and the player: `21/1`."""
        return f"{self.stones}/{self.current_player}"


class Countdown(Game[CountdownState]):
    """Countdown, with the setting `Stones`."""

    name = "countdown"
    title = "Countdown"
    state_type = CountdownState
    setting_names = ("Stones",)
    move_help = "take2  take that number of stones"

    def start(
        self, settings: Mapping[str, str] | None = None, position: str | None = None
    ) -> CountdownState:
        """All stones, or the position in a text."""
        for name in settings or {}:
            if name not in self.setting_names:
                raise ConfigError(f"{self.name} has no setting {name!r}")
        if position is None:
            return CountdownState(int((settings or {}).get("Stones", STONES)))
        stones, _, player = position.partition("/")
        if not (stones.isdecimal() and player in ("1", "2")):
            raise NotationError(f"bad position {position!r}: expected stones and a player")
        return CountdownState(int(stones), int(player))

    def action_count(self, state: CountdownState) -> int:
        """Three actions."""
        return 3

    def task(self, state: CountdownState, player: int | None) -> str:
        """How to win."""
        return "Take the last stone to win."

    def board(
        self,
        state: CountdownState,
        before: CountdownState | None = None,
        last: int | None = None,
        *,
        paths: bool = False,
    ) -> GridBoard:
        """The stones in one row."""
        return GridBoard(1, STONES, {(0, stone): 1 for stone in range(state.stones)})


COUNTDOWN = Countdown()
