"""Draw boards as SVG files: arrows, marks, heat maps and shortest paths.

python draw_boards.py       writes best.svg, legal.svg and game.svg
"""

from pathlib import Path

from plyground import reversi
from plyground.quoridor import State
from plyground.search import alphabeta

state = State()
for move in ["e2", "e8", "e3", "e7", "e3h"]:
    state = state.play(move)
best = state.format_move(alphabeta(state, depth=1).best_move)
Path("best.svg").write_text(state.svg(marks=[best], paths=True, flipped=True), encoding="utf-8")

board = reversi.State().play("f5")
legal = board.svg(marks=board.legal_actions(), size=300)
Path("legal.svg").write_text(legal, encoding="utf-8")

shares = {"d3": 0.6, "f3": 0.3, "d3v": 0.1}  # such as the policy of a network
Path("game.svg").write_text(state.svg(arrows=[("e7", "e6")], marks=shares), encoding="utf-8")
print("best move for player", state.current_player, "is", best)
