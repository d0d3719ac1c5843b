"""Play this version's strongest agent of a game against that of another environment.

Both get the same time for each move, or the same clock for each game; `--their-time` and
`--their-clock` give the other version more or less. All times are processor time, so other work on
the machine does not matter: the agents ask a small library for the time, which is compiled with
`cc` and loaded before the system's (Linux only). Each opening is played twice, with the colours
swapped. Reversi's openings come from the XOT list; Quoridor's are random plies that a short search
calls even, and none of them is in the book. `--openings FILE` takes others: between strong players
with much time, most openings are decided that a short search calls even. The interval (95%) is that
of the pairs of games.

    git worktree add ../before COMMIT && make -C ../before .venv/package.stamp
    python=../before/.venv/bin/python
    python benchmarks/versions.py quoridor $python --games 100 --time 0.1
    python tools/make_openings.py --count 50 --seed 77 --sims 20000 > openings.txt
    python benchmarks/versions.py quoridor $python --games 100 --time 1 --openings openings.txt
    python benchmarks/versions.py reversi $python --games 200 --clock 1.3
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from plyground import quoridor
from plyground.arena.book import read_book
from plyground.arena.estimate import elo_estimate, pentanomial
from plyground.arena.quoridor_openings import balanced_openings, book
from plyground.arena.reversi_openings import xot_openings
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import State

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
from plyground.search import SearchLimits

for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "position":
        agent, state = new_agent(), State.parse(rest)
    elif word == "play":
        state = state.play(int(rest))
    else:
        started = time.process_time()
        found = agent.search(state, SearchLimits(**{word: float(rest)}))
        used = time.process_time() - started
        print(found.best_move, used, found.depth, found.nodes_searched, flush=True)
"""
"""Uses only what earlier versions have too."""
DEPTH_PLIES = 27
"""Plies after the opening whose depths are printed. In Reversi they end with 26 empty squares."""


@dataclass(frozen=True)
class Game:
    """What a match of one of the games needs."""

    new_agent: str
    """Code that defines `State` and `new_agent()`, an agent that knows nothing of earlier games."""
    openings: Callable[[int, random.Random], list[State]]


def even_openings(count: int, rng: random.Random) -> list[State]:
    """Openings of Quoridor that are not in the book."""
    start = quoridor.State()
    return [*balanced_openings(start, count, rng, without=book(start))]


GAMES = {
    "quoridor": Game(
        """
from plyground.agents import ZeroAgent
from plyground.quoridor import State
agent = ZeroAgent()
agent.search(State(), SearchLimits(simulations=1))  # loads the network
def new_agent():
    agent.new_game()
    return agent
""",
        even_openings,
    ),
    "reversi": Game(
        """
from plyground.reversi import State
from plyground.search import Engine
def new_agent():
    return Engine(game="reversi")
""",
        lambda count, rng: [*xot_openings(count, rng)],
    ),
}


@dataclass
class Used:
    """What one version used in all of its games."""

    seconds: float = 0.0
    nodes: int = 0
    depths: list[int] = field(default_factory=list)


class Player:
    """The agent of an environment, in a process of its own."""

    def __init__(self, python: str, game: Game, clock: Path) -> None:
        first, _, rest = PROGRAM.partition("\n\n")
        self._process = subprocess.Popen(
            [python, "-c", f"{first}\n{game.new_agent}\n{rest}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "LD_PRELOAD": str(clock)},
            text=True,
        )
        self._python = python
        self.used = Used()

    def send(self, line: str) -> None:
        """Begin a game, or play a move."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def move(self, ply: int, limit: str, seconds: float) -> tuple[int, float]:
        """The move at a ply after the opening, and the processor time that it took."""
        self.send(f"{limit} {seconds}")
        assert self._process.stdout is not None
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"the agent of {self._python} ended without a move")
        move, seconds_used, depth, nodes = answer.split()
        self.used.seconds += float(seconds_used)
        self.used.nodes += int(nodes)
        if ply < DEPTH_PLIES:
            self.used.depths.append(int(depth))
        return int(move), float(seconds_used)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


def compile_clock(folder: Path) -> Path:
    """Compile the library whose steady clock counts processor time."""
    library = folder / "clock.so"
    command = ["cc", "-shared", "-fPIC", "-O2", "-x", "c", "-", "-o", str(library)]
    subprocess.run(command, input="#define _GNU_SOURCE" + PROCESSOR_TIME, text=True, check=True)
    return library


def play(
    opening: State, players: dict[int, Player], limit: str, seconds: dict[Player, float]
) -> int | None:
    """Play one game; returns its winner."""
    left = dict(seconds)
    for player in players.values():
        player.send(f"position {opening.text()}")
    state, ply = opening, 0
    while state.outcome is None:
        mover = players[state.current_player]
        move, used = mover.move(ply, limit, left[mover])
        if limit == "clock_s":
            left[mover] = max(left[mover] - used, 0.0)
        state = state.play(move)
        for player in players.values():
            player.send(f"play {move}")
        ply += 1
    return state.outcome.winner


def play_pair(
    opening: State, ours: Player, theirs: Player, limit: str, seconds: dict[Player, float]
) -> list[float]:
    """Play an opening with both colours; returns the points of this version in each game."""
    points = {None: 0.5, 1: 1.0, 2: 0.0}
    as_first = play(opening, {1: ours, 2: theirs}, limit, seconds)
    as_second = play(opening, {1: theirs, 2: ours}, limit, seconds)
    return [points[as_first], 1 - points[as_second]]


def summary(pairs: list[list[float]]) -> str:
    """Wins, draws and losses, the score with its interval, and the pairs by their points."""
    points = [point for pair in pairs for point in pair]
    totals = [sum(pair) for pair in pairs]
    return (
        f"{len(points)} games: +{points.count(1)} ={points.count(0.5)} -{points.count(0)}, "
        f"{elo_estimate(totals)}, pairs by points {pentanomial(totals)}"
    )


def close(crew: list[tuple[Player, Player]]) -> None:
    """End all processes, and with them the games in progress."""
    for player in itertools.chain(*crew):
        player.close()


def match_openings(args: argparse.Namespace) -> list[State]:
    """An opening for each pair of games."""
    pairs = args.games // 2
    if args.openings is None:
        return GAMES[args.game].openings(pairs, random.Random(args.seed))
    try:
        openings = read_book(args.openings, registry.get(args.game).start())
    except ConfigError as error:
        raise SystemExit(f"versions.py: {error}") from None
    if len(openings) < pairs:
        raise SystemExit(f"expected {pairs} openings in {args.openings}, found {len(openings)}")
    return openings[:pairs]


def play_match(args: argparse.Namespace, clock: Path) -> dict[str, Used]:
    """Play and print the running score; returns what both versions used."""
    game = GAMES[args.game]
    limit, ours_s = ("time_s", args.time) if args.clock is None else ("clock_s", args.clock)
    theirs_s = args.their_time or args.their_clock or ours_s
    workers = threading.local()
    crew: list[tuple[Player, Player]] = []
    pairs: list[list[float]] = []

    def recruit() -> None:
        workers.players = (Player(sys.executable, game, clock), Player(args.python, game, clock))
        crew.append(workers.players)

    def play_one(opening: State) -> None:
        ours, theirs = workers.players
        pairs.append(play_pair(opening, ours, theirs, limit, {ours: ours_s, theirs: theirs_s}))
        print(f"\r{summary(pairs)}", end="", flush=True)

    openings = match_openings(args)
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(args.workers, initializer=recruit))
        stack.callback(close, crew)
        for done in [pool.submit(play_one, opening) for opening in openings]:
            done.result()
    print()
    return {
        name: Used(
            sum(used.seconds for used in parts),
            sum(used.nodes for used in parts),
            [depth for used in parts for depth in used.depths],
        )
        for name, parts in zip(
            ("this version", "the other"),
            zip(*((ours.used, theirs.used) for ours, theirs in crew), strict=True),
            strict=True,
        )
    }


def main() -> None:
    """Play the match and print the running score, then what each version used."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("python", help="the Python of the other environment")
    parser.add_argument("--games", type=int, default=200, help="an even number (default: 200)")
    parser.add_argument("--time", type=float, default=0.05, help="seconds a move (default: 0.05)")
    parser.add_argument("--their-time", type=float, help="seconds a move of the other version")
    parser.add_argument("--clock", type=float, help="seconds a game, instead of --time")
    parser.add_argument("--their-clock", type=float, help="seconds a game of the other version")
    parser.add_argument("--seed", type=int, default=1, help="seed of the openings (default: 1)")
    parser.add_argument("--openings", help="file of openings, for the first pairs of games")
    parser.add_argument("--workers", type=int, default=1, help="games at a time (default: 1)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        used = play_match(args, compile_clock(Path(folder)))
    for name, total in used.items():
        print(
            f"{name}: {total.seconds / args.games:.3f} s a game, "
            f"{total.nodes / total.seconds:,.0f} nodes/s, "
            f"depth {statistics.mean(total.depths):.1f} in the first {DEPTH_PLIES} plies"
        )


if __name__ == "__main__":
    main()
