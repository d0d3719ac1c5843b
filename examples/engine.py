#!/usr/bin/env python3
"""The smallest engine in Python, to copy and improve: docs/write-an-engine.md.

It plays random moves in every game, with the rules of plyground.

plyground check-engine 'python3 examples/engine.py'
plyground match engine:'python3 examples/engine.py' pathfinder
"""

import random
import sys

from plyground.games import registry


def choose(state, limits):
    """Choose a move here; limits are the words after 'go', such as ['movetime', '100']."""
    return random.choice(state.legal_actions())


def read_position(game, words):
    """The position in the words after 'position'."""
    at = words.index("moves") if "moves" in words else len(words)
    text = " ".join(words[:at])
    state = game.start() if text == "startpos" else game.start({}, text)
    for move in words[at + 1 :]:
        state = state.play(move)
    return state


def main():
    """Answer commands until 'quit' or the end of the input."""
    game = registry.default()
    state = game.start()
    waiting = None  # the answer to 'go infinite' and 'go ponder', which is sent later
    for line in sys.stdin:
        command, *words = line.split() or [""]
        try:
            if command == "uci":
                print("id name Smallest in Python")
                names = " ".join(f"var {name}" for name in registry.games())
                print(f"option name Game type combo default {game.name} {names}")
                print("uciok")
            elif command == "setoption" and words[:2] == ["name", "Game"]:
                game = registry.get(words[-1])
                state = game.start()
            elif command == "isready":
                print("readyok")
            elif command == "ucinewgame":
                state = game.start()
            elif command == "position":
                state = read_position(game, words)
            elif command == "go":
                answer = "bestmove none"
                if state.outcome is None:
                    answer = f"bestmove {state.format_move(choose(state, words))}"
                if words[:1] in (["infinite"], ["ponder"]):
                    waiting = answer
                else:
                    print(answer)
            elif command in ("stop", "ponderhit") and waiting is not None:
                print(waiting)
                waiting = None
            elif command == "quit":
                return
        except ValueError as error:
            print("error", " ".join(str(error).split()))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
