"""Turn games into a data set: a Parquet file, and arrays for a network (extra `data`).

python dataset.py           plays 20 random games and writes positions.parquet
"""

import random

from plyground.data import Filter, planes_of, positions, write_positions
from plyground.play import Record
from plyground.quoridor import GameConfig, State

rng = random.Random(1)
start = State(GameConfig.preset("small"))
games = []
for _ in range(20):
    state, moves = start, []
    while not state.game_over:
        moves.append(rng.choice(state.legal_actions()))
        state = state.play(moves[-1])
    games.append(Record.from_moves(moves, start))

print(write_positions(games, "positions.parquet"), "positions written")

# Inputs, labels and targets belong together: all are what the player to move sees.
table = positions(games, view="planes", which=Filter(max_plies=60))
inputs = planes_of(table)  # [positions, planes, rows, columns]
labels = table["action"].to_numpy()
targets = table["outcome"].to_numpy()
print(inputs.shape, labels.shape, targets.mean())
