"""Play an agent against another program, from the openings of the book with colours swapped.

    python benchmarks/external_match.py zero:time=1 --go 1.0 --games 100 --workers 2 \
        --out match.jsonl -- python3 their_engine.py

The program reads `new`, `move e3h` and `go ARGUMENT` (played on its own board too) and answers
`bestmove e2`. Each game has its own process; who moves thinks, the other waits. Finished games are
kept in the file, and the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

from plyground.agents import make
from plyground.arena import MatchScore, book_lines
from plyground.quoridor import State, action_to_notation


@dataclass(frozen=True)
class Job:
    """One game to play."""

    agent: str
    command: tuple[str, ...]
    go: str
    opening: int
    agent_is: int


class External:
    """The program, at its end of a pipe."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def tell(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin
        self.process.stdin.write(line + "\n")

    def ask(self, line: str, answer: str) -> str:
        """Send a line and wait for the answer that starts with this word; returns the next one."""
        self.tell(line)
        assert self.process.stdout
        for reply in self.process.stdout:
            words = reply.split()
            if words[:1] == [answer]:
                return words[1]
            if words[:1] == ["illegal"]:
                raise RuntimeError(f"the program refuses: {reply.strip()}")
        raise RuntimeError(f"the program ended before it answered {line!r}")


def play(job: Job) -> dict[str, object]:
    """Play one game; the points are the agent's."""
    agent, external = make(job.agent), External(job.command)
    state, moves = State(), book_lines()[job.opening][:]
    external.tell("new")
    for move in moves:
        external.tell(f"move {move}")
        state = state.play(move)
    while state.outcome is None:
        if state.current_player == job.agent_is:
            move = action_to_notation(agent.select_action(state))
            external.tell(f"move {move}")
        else:
            move = external.ask(f"go {job.go}", "bestmove")
        moves.append(move)
        state = state.play(move)
    external.process.kill()
    winner = state.outcome.winner
    points = 0.5 if winner is None else float(winner == job.agent_is)
    return {"job": asdict(job), "points": points, "moves": " ".join(moves)}


def main() -> None:
    """Play what is still missing, and show the score."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("agent")
    parser.add_argument("command", nargs="+")
    parser.add_argument("--go", required=True, help="what the program is told to think with")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    wanted = [
        Job(args.agent, tuple(args.command), args.go, opening, player)
        for opening in range(args.games // 2)
        for player in (1, 2)
    ]
    score = MatchScore()
    lines = args.out.read_text().splitlines() if args.out.exists() else []
    for result in map(json.loads, lines):
        job = Job(**result["job"] | {"command": tuple(result["job"]["command"])})
        if job in wanted:
            wanted.remove(job)
            count(score, job, result["points"])
    with ProcessPoolExecutor(args.workers) as pool, args.out.open("a") as out:
        futures = {pool.submit(play, job): job for job in wanted}
        for future in as_completed(futures):
            result = future.result()
            out.write(json.dumps(result) + "\n")
            out.flush()
            count(score, futures[future], float(str(result["points"])))
            print(f"\r{score.games}  {score}\x1b[K", end="", file=sys.stderr)
    print(f"\n{args.agent} against {' '.join(args.command)} ({args.go}): {score}")


def count(score: MatchScore, job: Job, points: float) -> None:
    """Add a game to the score."""
    score.wins += points == 1
    score.draws += points == 0.5
    score.losses += points == 0
    score.pairs.setdefault(job.opening, []).append(points)


if __name__ == "__main__":
    main()
