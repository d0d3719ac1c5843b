"""Play this version's Reversi engine against that of another environment.

Both engines get the same time for each move, or the same clock for each game. All times are
processor time, so other work on the machine does not matter: the engines ask a small library for
the time, which is compiled with `cc` and loaded before the system's (Linux only). Openings come
from the XOT list; each is played twice, with the colours swapped. The interval (95%) is that of
the pairs of games.

    git worktree add ../before COMMIT && make -C ../before .venv/package.stamp
    python benchmarks/reversi_versions.py ../before/.venv/bin/python --games 200 --time 0.05
    python benchmarks/reversi_versions.py ../before/.venv/bin/python --games 200 --clock 1.3
"""

from __future__ import annotations

import argparse
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from plyground import reversi
from plyground.arena.reversi_openings import xot_openings

PROCESSOR_TIME = """
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec* now) {
    if (clock == CLOCK_MONOTONIC) clock = CLOCK_PROCESS_CPUTIME_ID;
    return (int)syscall(SYS_clock_gettime, clock, now);
}
"""
PROGRAM = """
import sys, time
from plyground.reversi import State
from plyground.search import Engine, SearchLimits

for line in sys.stdin:
    position, limit, seconds = line.split(";")
    if limit == "new":
        engine = Engine(game="reversi")
        continue
    started = time.process_time()
    found = engine.search(State.parse(position), SearchLimits(**{limit: float(seconds)}))
    used = time.process_time() - started
    print(found.best_move, used, found.depth, found.nodes_searched, flush=True)
"""
"""Uses only what earlier versions have too."""
MIDDLE_GAME = 26
"""Least empty squares of the moves whose depths are printed."""


class Player:
    """The engine of an environment, in a process of its own."""

    def __init__(self, python: str, clock: Path) -> None:
        self._process = subprocess.Popen(
            [python, "-c", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "LD_PRELOAD": str(clock)},
            text=True,
        )
        self.used_s = 0.0
        self.nodes = 0
        self.depths: list[int] = []

    def begin(self) -> None:
        """Begin a game with an empty table."""
        self._send(";new;")

    def move(self, state: reversi.State, limit: str, seconds: float) -> tuple[int, float]:
        """The move, and the processor time that it took."""
        self._send(f"{state.text()};{limit};{seconds}")
        assert self._process.stdout is not None
        move, used, depth, nodes = self._process.stdout.readline().split()
        self.used_s += float(used)
        self.nodes += int(nodes)
        if 64 - sum(state.counts.values()) >= MIDDLE_GAME:
            self.depths.append(int(depth))
        return int(move), float(used)

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()


def compile_clock(folder: Path) -> Path:
    """Compile the library whose steady clock counts processor time."""
    library = folder / "clock.so"
    command = ["cc", "-shared", "-fPIC", "-O2", "-x", "c", "-", "-o", str(library)]
    subprocess.run(command, input="#define _GNU_SOURCE" + PROCESSOR_TIME, text=True, check=True)
    return library


def play(opening: reversi.State, players: dict[int, Player], limit: str, seconds: float) -> int:
    """Play one game; returns the score of player 1 in discs."""
    clocks = {1: seconds, 2: seconds}
    for player in players.values():
        player.begin()
    state = opening
    while not state.game_over:
        side = state.current_player
        left = clocks[side] if limit == "clock_s" else seconds
        move, used = players[side].move(state, limit, left)
        clocks[side] = max(clocks[side] - used, 0.0)
        state = state.play(move)
    return state.score


def play_match(
    openings: list[reversi.State], players: tuple[Player, Player], limit: str, seconds: float
) -> list[int]:
    """Play each opening twice and print the running score; returns the first player's scores."""
    ours, theirs = players
    pairs: list[float] = []
    scores: list[int] = []
    for opening in openings:
        pair = [
            play(opening, {1: ours, 2: theirs}, limit, seconds),
            -play(opening, {1: theirs, 2: ours}, limit, seconds),
        ]
        scores += pair
        pairs.append(statistics.mean((score > 0) + (score == 0) / 2 for score in pair))
        print(f"\r{summary(pairs, scores)}", end="", flush=True)
    print()
    return scores


def summary(pairs: list[float], scores: list[int]) -> str:
    """Wins, draws and losses, and the score with its interval."""
    wins, draws = sum(score > 0 for score in scores), scores.count(0)
    error = 1.96 * statistics.stdev(pairs) / math.sqrt(len(pairs)) if len(pairs) > 1 else math.nan
    return (
        f"{len(scores)} games: +{wins} ={draws} -{len(scores) - wins - draws}, "
        f"{100 * statistics.mean(pairs):.1f}% ± {100 * error:.1f}%, "
        f"{statistics.mean(scores):+.2f} discs per game"
    )


def main() -> None:
    """Play the match and print the running score, then what each engine used."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", help="the Python of the other environment")
    parser.add_argument("--games", type=int, default=200, help="an even number (default: 200)")
    parser.add_argument("--time", type=float, default=0.05, help="seconds a move (default: 0.05)")
    parser.add_argument("--clock", type=float, help="seconds a game, instead of --time")
    parser.add_argument("--seed", type=int, default=1, help="seed of the openings (default: 1)")
    args = parser.parse_args()
    limit, seconds = ("time_s", args.time) if args.clock is None else ("clock_s", args.clock)
    with tempfile.TemporaryDirectory() as folder:
        clock = compile_clock(Path(folder))
        ours, theirs = Player(sys.executable, clock), Player(args.python, clock)
        openings = xot_openings(args.games // 2, random.Random(args.seed))
        scores = play_match(openings, (ours, theirs), limit, seconds)
    for name, player in (("this version", ours), ("the other", theirs)):
        print(
            f"{name}: {player.used_s / len(scores):.3f} s a game, "
            f"{player.nodes / player.used_s / 1e6:.2f} M nodes/s, "
            f"depth {statistics.mean(player.depths):.1f} with {MIDDLE_GAME} and more empty squares"
        )


if __name__ == "__main__":
    main()
