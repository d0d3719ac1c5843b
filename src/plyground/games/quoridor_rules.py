"""The rules of Quoridor as text for players, with the numbers of a board.

docs/rules-quoridor.md has the same rules for programmers. tests/rules/test_rules_text.py checks the
text against the game.
"""

from __future__ import annotations

from plyground.games.quoridor import State
from plyground.hints import counted


def rules_text(state: State) -> str:
    """The rules on the board and under the settings of a state."""
    config, size = state.config, state.board_size
    start = "abcdefghi"[size // 2]
    left, right = "abcdefghi"[size // 2 - 1], start
    walls = counted(config.walls_per_player, "wall")
    return f"""\
The aim
Player 1 starts on {start}1 and wins on row {size}. Player 2 starts on {start}{size} and wins on \
row 1. Any cell of the row counts. Player 1 moves first.

A turn
Move your pawn or place a wall. You may not pass.

Moving the pawn
Step: one cell up, down, left or right. A wall or the edge of the board stops the pawn.
Jump: if the other pawn is on the next cell, jump straight over it to the cell behind it.
Diagonal jump: if a wall or the edge is behind the other pawn, move to the cell on its left or \
right instead. A wall between the other pawn and that cell stops the pawn. While the straight jump \
is possible, the diagonal jump is not allowed.
A wall between the pawns stops every jump.

Placing a wall
Each player has {walls}. A wall is two cells long and lies between cells. It blocks both players \
and stays for the rest of the game.
Walls may touch each other. They may not overlap, cross, or extend beyond the board.
You may not shut a player in: after every wall, both players must have a way to their goal row. \
Only walls count in this check; pawns do not block a way.

The end
A player whose pawn reaches its goal row wins at once.
The game is a draw after {counted(config.max_moves, "move")} of both players together, or after \
{counted(config.no_progress_limit, "move")} in a row without a new wall.

Writing moves
Columns are letters from the left. Rows are numbers from player 1's side.
{left}2: the pawn moves to {left}2. A jump names only the cell where it ends.
{left}2h: a horizontal wall above {left}2 and {right}2.
{left}2v: a vertical wall to the right of {left}2 and {left}3."""
