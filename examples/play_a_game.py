"""Play a game between two agents, move by move, and save it.

python play_a_game.py       writes game.pgn and game.html
"""

from pathlib import Path

from plyground.agents import EngineAgent, PathfinderAgent
from plyground.play import Record, format_record
from plyground.quoridor import GameConfig, State

start = state = State(GameConfig.preset("small"))
players = {1: EngineAgent(nodes=500), 2: PathfinderAgent()}
moves = []
while not state.game_over:
    moves.append(players[state.current_player].select_action(state))
    state = state.play(moves[-1])

record = Record.from_moves(moves, start, tags={"Player1": "engine", "Player2": "pathfinder"})
Path("game.pgn").write_text(format_record(record), encoding="utf-8")
Path("game.html").write_text(record.html(paths=True), encoding="utf-8")
print(state)
print(state.outcome, "after", len(moves), "moves")
