"""Connect Four as an outsider would add it: a state, a game, and one call of `register`.

Seven columns, six rows. A disc falls to the lowest free square of its column; four in a row win.
docs/add-a-game.md walks through this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.base import Game, Move, Outcome, State
from plyground.games.board import Cell, GridBoard, Spot
from plyground.games.score import Score, Unit

COLUMNS, ROWS = 7, 6
NAMES = "abcdefg"
DISCS = ".XO"
LINES = [
    [(row + i * down, column + i * right) for i in range(4)]
    for row in range(ROWS)
    for column in range(COLUMNS)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if row + 3 * down < ROWS and 0 <= column + 3 * right < COLUMNS
]


@dataclass(frozen=True)
class ConnectFourState(State):
    """A position: the discs of each column, from the bottom up, as players 1 and 2."""

    columns: tuple[tuple[int, ...], ...] = ((),) * COLUMNS

    @property
    def game(self) -> ConnectFour:
        """The game this is a position of."""
        return CONNECT_FOUR

    @property
    def current_player(self) -> int:
        """The player to move; player 1 has made every first, third, fifth ... move."""
        return 1 + sum(map(len, self.columns)) % 2

    @cached_property
    def discs(self) -> dict[Cell, int]:
        """The owner of the disc on each square; row 0 is at the top."""
        return {
            (ROWS - 1 - height, column): player
            for column, discs in enumerate(self.columns)
            for height, player in enumerate(discs)
        }

    @cached_property
    def outcome(self) -> Outcome | None:
        """Four in a row, or a full board."""
        for line in LINES:
            owners = {self.discs.get(cell) for cell in line}
            if owners in ({1}, {2}):
                return Outcome(owners.pop(), "four in a row")
        return Outcome(None, "full board") if len(self.discs) == ROWS * COLUMNS else None

    def legal_actions(self) -> list[int]:
        """The columns that are not full."""
        if self.outcome is not None:
            return []
        return [column for column, discs in enumerate(self.columns) if len(discs) < ROWS]

    def play(self, move: Move, /) -> ConnectFourState:
        """The position after a move."""
        action = self.parse_move(move) if isinstance(move, str) else int(move)
        if action not in self.legal_actions():
            reason = "the game is over" if self.outcome is not None else "the column is full"
            name = self.format_move(action)
            raise IllegalMoveError(f"illegal move {name!r} in {self.text()!r}: {reason}")
        columns = list(self.columns)
        columns[action] += (self.current_player,)
        return ConnectFourState(tuple(columns))

    def parse_move(self, text: str, /) -> int:
        """The column of a letter."""
        if len(text) != 1 or text.lower() not in NAMES:
            raise NotationError(f"expected a column from a to g, got {text!r}")
        return NAMES.index(text.lower())

    def format_move(self, action: int, /) -> str:
        """The letter of a column."""
        if not 0 <= action < COLUMNS:
            raise IllegalMoveError(f"expected an action from 0 to {COLUMNS - 1}, got {action}")
        return NAMES[action]

    def text(self) -> str:
        """The columns from a to g, each from the bottom up: `X/-/-/XO/-/-/-`."""
        return "/".join("".join(DISCS[disc] for disc in discs) or "-" for discs in self.columns)

    def __str__(self) -> str:
        rows = [
            " ".join(DISCS[self.discs.get((row, column), 0)] for column in range(COLUMNS))
            for row in range(ROWS)
        ]
        return "\n".join([*rows, " ".join(NAMES)])


class ConnectFour(Game[ConnectFourState]):
    """Connect Four as the rest of Plyground sees it."""

    name = "connect-four"
    title = "Connect Four"
    state_type = ConnectFourState
    move_help = "d      drop a disc into that column"
    unit = Unit("threats", 4.0)

    def start(
        self, settings: Mapping[str, str] | None = None, position: str | None = None
    ) -> ConnectFourState:
        """The empty board, or the position that a text describes."""
        for name in settings or {}:
            raise ConfigError(f"{self.name} has no setting {name!r}")
        if position is None:
            return ConnectFourState()
        words = position.strip().split("/")
        columns = tuple(tuple(DISCS.find(disc) for disc in word.replace("-", "")) for word in words)
        counts = [sum(column.count(player) for column in columns) for player in (1, 2)]
        if (
            len(columns) != COLUMNS
            or any(len(column) > ROWS or not set(column) <= {1, 2} for column in columns)
            or counts[0] - counts[1] not in (0, 1)
        ):
            raise NotationError(
                f"bad position {position!r}: expected {COLUMNS} columns of X and O, such as "
                f"{ConnectFourState().play('d').text()!r}"
            )
        return ConnectFourState(columns)

    def action_count(self, state: ConnectFourState) -> int:
        """An action for each column."""
        return COLUMNS

    def task(self, state: ConnectFourState, player: int | None) -> str:
        """How to win."""
        who = "Player 1 has X, player 2 O" if player is None else f"You have {DISCS[player]}"
        return f"{who}: four in a row win."

    def facts(self, state: ConnectFourState, player: int) -> tuple[str, ...]:
        """The player's sign."""
        return (DISCS[player],)

    def board(
        self,
        state: ConnectFourState,
        before: ConnectFourState | None = None,
        last: int | None = None,
        *,
        paths: bool = False,
    ) -> GridBoard:
        """The discs, and where the next one can fall."""
        spots = [self.spot_of(state, action) for action in state.legal_actions()]
        spot = None if before is None or last is None else self.spot_of(before, last)
        return GridBoard(
            ROWS,
            COLUMNS,
            dict(state.discs),
            last=None if spot is None else spot[1],
            targets=frozenset(spot[1] for spot in spots if spot is not None),
        )

    def spot_of(self, state: ConnectFourState, action: int) -> Spot | None:
        """The square that a disc in this column falls to."""
        height = len(state.columns[action])
        return None if height == ROWS else ("move", (ROWS - 1 - height, action))

    def evaluate(self, state: ConnectFourState) -> Score:
        """Lines of four that only one player can still complete, by the discs in them."""
        points = 0.0
        for line in LINES:
            mine = [state.discs.get(cell) for cell in line].count(state.current_player)
            theirs = [state.discs.get(cell) for cell in line].count(3 - state.current_player)
            if not theirs:
                points += mine**2 / 4
            elif not mine:
                points -= theirs**2 / 4
        return Score(points, self.unit, state.current_player)


CONNECT_FOUR = ConnectFour()
