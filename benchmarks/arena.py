"""Measure the arena's overhead per move, in CPU time, and its games per second.

    python benchmarks/arena.py --games 1000

Plays a round robin of four fast agents on 5x5 three times: with workers, for the wall-clock time;
without workers, for the cost of a move on top of the agents' own work; and with workers again, for
the cost of a move in the parent process. `--backend ray` runs the workers on a Ray cluster on this
machine, and the time includes starting the cluster.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from time import perf_counter, process_time

from plyground.agents import make
from plyground.arena import ArenaConfig, GameResult, Store, Task, Tournament, run_tasks
from plyground.arena.schedule import openings_for, tasks_for

AGENTS = ("engine:nodes=200,hash_mb=1", "minimax:depth=1", "pathfinder", "random:seed=1")


def main() -> None:
    """Run the three measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--backend", choices=("local", "ray"), default="local")
    args = parser.parse_args()
    a_pairing = max(2, 2 * round(args.games / 12))
    config = ArenaConfig(
        AGENTS, games=a_pairing, preset="small", workers=args.workers, backend=args.backend
    )

    began = perf_counter()
    with Store(":memory:") as store:
        games = list(Tournament(config, store).run())
    wall_s = perf_counter() - began
    print(f"{len(games)} games in {wall_s:.1f} s with {args.workers} workers, including openings")

    tasks = tasks_for(config, openings_for(config))
    began = process_time()
    count = sum(play_plainly(task) for task in tasks)
    plain_s = process_time() - began
    began = process_time()
    played = moves(run_tasks(tasks, workers=0))
    assert played == count, "the agents must play the same games every time"
    cost_ms = 1000 * (process_time() - began - plain_s) / count
    print(f"{cost_ms:.3f} ms per move to play a game, on top of a plain loop over the agents")
    with Store(":memory:") as store:
        tournament = Tournament(config, store)
        began = process_time()
        watched = moves(tournament.run())
        cost_ms = 1000 * (process_time() - began) / watched
    print(f"{cost_ms:.3f} ms per move in the parent, to monitor the workers and store the games")


def moves(games: Iterable[GameResult]) -> int:
    """Total moves of the games."""
    return sum(len(game.record.moves) for game in games)


def play_plainly(task: Task) -> int:
    """Play a game in a plain loop, without clocks or records; return its move count."""
    agents = {1: make(task.player1, task.game), 2: make(task.player2, task.game)}
    state, count = task.start_state(), 0
    while state.outcome is None:
        state = state.play(agents[state.current_player].select_action(state))
        count += 1
    return count


if __name__ == "__main__":
    main()
