"""The rules of Reversi as text for players.

docs/rules-reversi.md has the same rules for programmers. tests/rules/test_rules_text.py checks the
text against the game.
"""

RULES = """\
The aim
Have more discs of your colour than your opponent when the game ends.

The start
The board has 8x8 squares. Player 1 is black (X) and moves first; player 2 is white (O). White \
starts with discs on d4 and e5, black with discs on e4 and d5.

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
f5: a disc is put on f5. At the start this turns over e5.
pass: the turn is skipped."""
