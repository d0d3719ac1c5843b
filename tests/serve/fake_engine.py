"""An engine that misbehaves at one move: `fake_engine.py DEED`. Otherwise it plays the first move.

It uses the protocol of docs/protocol.md; with the deed `own-board` or `other-names`, the protocols
of these files in configs/engines.
"""

from __future__ import annotations

import os
import signal
import sys
import time

from plyground import quoridor, reversi
from plyground.games.quoridor import Kind

# Pytest imports every module it finds, with arguments of its own.
DEED, AT = [*sys.argv[1:], "2"][:2] if __name__ == "__main__" else ["good", "2"]
"""What it does wrong, and at which move."""


def say(line: str) -> None:
    print(line, flush=True)


def misbehave() -> bool:
    """Do the deed; whether a move still follows."""
    if DEED == "crash":
        raise RuntimeError("out of ideas")
    if DEED == "exit":
        sys.exit(3)
    if DEED == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if DEED == "die-namelessly":
        os.kill(os.getpid(), signal.SIGRTMIN + 1)
    if DEED == "hang":
        time.sleep(600)
    if DEED == "illegal":
        say("bestmove e9")
    elif DEED == "impossible":
        say("bestmove a5")
    elif DEED == "nonsense":
        say("bestmove \x1b[31m\u2603")
    elif DEED == "nothing":
        say("bestmove")
    elif DEED == "resign":
        say("bestmove resign")
    elif DEED == "refuse":
        say("error no idea what you mean")
    elif DEED == "close":
        os.close(1)
        time.sleep(600)
    elif DEED == "babble":
        while True:
            os.write(1, b"x" * 65536)
    elif DEED == "chatter":
        while True:
            os.write(1, b"blah\n" * 1000)
    else:
        return flood_or_boast()
    return False


def flood_or_boast() -> bool:
    if DEED == "flood":  # more than any pipe holds, on both outputs, before the move
        os.write(2, b"warning: " * 200_000)
        os.write(1, b"garbage \xff\x00 without end" * 50_000 + b"\n")
    elif DEED == "boast":
        for words in (
            *("score nan", "score steps inf", "score steps 1e300", "score", "score win 99999999"),
            *(
                "depth -5 nodes 1e99",
                "depth x nodes y score",
                "pv zz",
                "pv",
                "score steps 1 pv e2 e2 e2",
            ),
        ):
            say(f"info {words}")
        say("info depth 7 nodes 12345 score steps -1.5 pv e2 e8 zz")
    return True


def speak_ours() -> None:
    state: quoridor.State | reversi.State = quoridor.State()
    moves = 0
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uci":
            if DEED == "late":
                time.sleep(600)
            say("option name Game type string")
            say("uciok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "position":
            text = " ".join(words[1:])
            kind = quoridor.State if text[0].isdigit() else reversi.State
            state = kind.parse(text)
        elif words[0] == "go":
            moves += 1
            if moves != int(AT) or misbehave():
                say(f"bestmove {state.format_move(state.legal_actions()[0])}")
        elif words[0] == "quit":
            return


def own_board() -> None:
    state = quoridor.State()
    for line in sys.stdin:
        words = line.split()
        if words[0] == "new":
            state = quoridor.State()
        elif words[0] == "move":
            try:
                state = state.play(words[1])
            except ValueError:
                say(f"illegal {words[1]}")
        elif words[0] == "go":
            assert words[1:] in (["evals", "5"], ["0.010"]), words
            move = quoridor.action_to_notation(state.legal_actions()[0])
            state = state.play(move)
            say("info evals 17 value 0.25")
            say(f"bestmove {move}")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "quit":
            return


def other_names() -> None:
    """Rows from the other side, columns by number, walls by their right end."""
    state = quoridor.State()
    for line in sys.stdin:
        words = line.split()
        if words[0] == "protocol":
            say("ok")
        elif words[0] == "moves":
            state = quoridor.State()
            for word in words[1:]:
                state = state.make_move(*parsed(word))
        elif words[0] == "think":
            assert words[1:] == ["ms", "10"], words
            # A wall first, as long as there are any, so that their names are tried.
            action = state.get_legal_moves()[-1]
            say(f"play {named(*action)}")


def parsed(word: str) -> tuple[Kind, tuple[int, int]]:
    name, column, row = word.split(".")
    if name == "B":
        return "move", (9 - int(row), int(column) - 1)
    kind: Kind = "h_wall" if name == "Wh" else "v_wall"
    return kind, (8 - int(row), int(column) - 2)


def named(kind: str, cell: tuple[int, int]) -> str:
    row, column = cell
    if kind == "move":
        return f"B.{column + 1}.{9 - row}"
    return f"{'Wh' if kind == 'h_wall' else 'Wv'}.{column + 2}.{8 - row}"


if __name__ == "__main__":
    {"own-board": own_board, "other-names": other_names}.get(DEED, speak_ours)()
