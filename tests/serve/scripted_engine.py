"""An engine without rules: it answers each search with the next of its arguments.

An argument has the lines of one answer, separated by semicolons; after `hold` the move waits for
`stop`. The first may be `id NAME`.
"""

from __future__ import annotations

import sys


def main(answers: list[str]) -> None:
    name = answers.pop(0).removeprefix("id ") if answers[0].startswith("id ") else ""
    waiting: str | None = None
    for line in sys.stdin:
        command, *words = line.split()
        if command == "uci":
            said = [f"id name {name}"] if name else []
            said += ["option name Hash type spin default 1 min 1 max 9", "uciok"]
        elif command == "isready":
            said = ["readyok"]
        elif command == "go":
            said = answers.pop(0).split(";")
            if words[:1] == ["ponder"] or said[0] == "hold":
                waiting, said = said[-1], []
        elif command in ("stop", "ponderhit") and waiting is not None:
            said, waiting = [waiting], None
        elif command == "quit":
            return
        else:
            continue
        for text in said:
            print(text, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
