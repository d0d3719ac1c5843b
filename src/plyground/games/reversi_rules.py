"""The rules of Reversi as text for players.

docs/rules-reversi.md has the same rules for programmers. tests/rules/test_rules_text.py checks the
text against the game.
"""

_COLUMNS = "abcdefgh"

_RULES = """\
The aim
Have more discs of your colour than your opponent when the game ends.

The start
The board has {size}x{size} squares. Player 1 is black (X) and moves first; player 2 is white (O). \
White starts with discs on {low}{top} and {high}{bottom}, black with discs on {high}{top} and \
{low}{bottom}.

A turn
Put a disc of your colour on an empty square. The move must turn over at least one disc.
In each of the eight directions, an unbroken line of opposing discs between the new disc and \
another disc of your colour is turned over. A move turns over all such lines.
Discs that were turned over do not turn over others.

Passing
A player without a move must pass. A player with a move may not pass.

The end
The game ends when neither player has a move: when the board is full, or earlier.
The player with more discs wins. Equal numbers are a draw. In the score, the empty squares count \
for the winner.

Writing moves
Columns are letters from the left. Rows are numbers from the top.
{move}: a disc is put on {move}. At the start this turns over {high}{bottom}.
pass: the turn is skipped."""


def rules_for(size: int) -> str:
    """The rules on a board of this size."""
    top = size // 2
    low, high, beside = tuple(_COLUMNS[top - 1 : top + 2])
    return _RULES.format(
        size=size, top=top, bottom=top + 1, low=low, high=high, move=f"{beside}{top + 1}"
    )


RULES = rules_for(8)
"""The rules on the usual board."""
