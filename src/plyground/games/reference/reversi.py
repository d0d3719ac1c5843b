"""The rules of Reversi in plain Python, written to be read.

The native core plays by the same rules far faster; the tests compare the two move by move. Names
match `plyground.reversi`, so that a test can run on either. The core is not imported here; every
error is a plain `ValueError` with the message of the core.

The board is a string of 64 characters, row by row from a1: `X` black, `O` white, `-` empty.
Boards of 6x6 and 4x4 have 36 and 16 characters. Their squares have the numbers that they have on
8x8.
"""

from __future__ import annotations

from dataclasses import dataclass

SIZE = 8
PASS = SIZE * SIZE
DISCS = "XO"  # by player
DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
START = "---------------------------OX------XO---------------------------"
STARTS = {8: START, 6: "--------------OX----XO--------------", 4: "-----OX--XO-----"}


@dataclass(frozen=True)
class State:
    """One position."""

    board: str = START
    current_player: int = 1

    @staticmethod
    def parse(text: str) -> State:
        """Parse what `text` writes."""
        board, _, side = text.partition(" ")
        if len(board) not in (64, 36, 16) or set(board) - set("XO-") or side not in ("X", "O"):
            raise ValueError(f"expected 64 squares and the side to move, got {text!r}")
        return State(board, DISCS.index(side) + 1)

    @property
    def size(self) -> int:
        """Rows and columns."""
        return {64: 8, 36: 6, 16: 4}[len(self.board)]

    def text(self) -> str:
        """The position in one line."""
        return f"{self.board} {DISCS[self.current_player - 1]}"

    def flips(self, square: int, player: int) -> list[int]:
        """Squares whose discs turn over when the player puts one on this empty square."""
        mine, theirs = DISCS[player - 1], DISCS[2 - player]
        turned: list[int] = []
        size = self.size
        for down, right in DIRECTIONS:
            row, col = divmod(square, SIZE)
            run: list[int] = []
            while True:
                row, col = row + down, col + right
                if not (0 <= row < size and 0 <= col < size):
                    break  # ran off the board
                here = self.board[size * row + col]
                if here == theirs:
                    run.append(SIZE * row + col)
                    continue
                if here == mine:
                    turned += run
                break
        return turned

    def squares(self, player: int) -> list[int]:
        """Empty squares on which the player's disc would turn others over."""
        size = self.size
        places = (place for place, disc in enumerate(self.board) if disc == "-")
        empty = (SIZE * (place // size) + place % size for place in places)
        return [square for square in empty if self.flips(square, player)]

    def legal_actions(self) -> list[int]:
        """The legal moves, ascending; a pass only if it is the only move and the game goes on."""
        if squares := self.squares(self.current_player):
            return squares
        return [PASS] if self.squares(3 - self.current_player) else []

    def play(self, action: int) -> State:
        """The position after a move."""
        if action not in self.legal_actions():
            move = action_to_notation(action)
            reason = self.why_illegal(action)
            raise ValueError(f"illegal move '{move}' in '{self.text()}': {reason}")
        board = list(self.board)
        if action != PASS:
            for square in (action, *self.flips(action, self.current_player)):
                row, col = divmod(square, SIZE)
                board[self.size * row + col] = DISCS[self.current_player - 1]
        return State("".join(board), 3 - self.current_player)

    def why_illegal(self, action: int) -> str:
        """The rule that forbids a move."""
        if self.game_over:
            return "the game is over"
        if action == PASS:
            return "only a player without a move may pass"
        if self.legal_actions() == [PASS]:
            return "there is no move but to pass"
        row, col = divmod(action, SIZE)
        if max(row, col) >= self.size:
            return "it is not on the board"
        is_empty = self.board[self.size * row + col] == "-"
        return "it turns no disc over" if is_empty else "the square is taken"

    @property
    def game_over(self) -> bool:
        """Whether neither player can move."""
        return not self.legal_actions()

    @property
    def counts(self) -> dict[int, int]:
        """Discs on the board, by player."""
        return {player: self.board.count(DISCS[player - 1]) for player in (1, 2)}

    @property
    def score(self) -> int:
        """Black's discs minus white's, with empty squares counted for the player who has more."""
        difference = self.counts[1] - self.counts[2]
        empty = self.board.count("-")
        return difference + (empty if difference > 0 else -empty if difference < 0 else 0)

    @property
    def winner(self) -> int | None:
        """1, 2, or None for a draw and while the game goes on."""
        if not self.game_over or self.score == 0:
            return None
        return 1 if self.score > 0 else 2

    @property
    def reason(self) -> str | None:
        """Why the game is over."""
        if not self.game_over:
            return None
        if "-" not in self.board:
            return "full board"
        return "no moves" if min(self.counts.values()) else "wipe-out"


def action_to_notation(action: int) -> str:
    """An action as people write it."""
    return "pass" if action == PASS else f"{'abcdefgh'[action % SIZE]}{action // SIZE + 1}"


def perft(state: State, depth: int) -> int:
    """Count the move paths of this length; a game that ends sooner counts as one."""
    actions = state.legal_actions()
    if depth == 0 or not actions:
        return 1
    return sum(perft(state.play(action), depth - 1) for action in actions)
