"""What the arena costs: processor time a move, beside that of the agents, and games a second.

    python benchmarks/arena.py --games 1000

Plays a round robin of four fast agents on 5x5: with workers; without, for what a move costs beside
the agents' own work; and once more with workers, for what the parent does meanwhile. With
`--backend ray` workers are on a Ray cluster of this machine, whose start is counted, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from time import perf_counter, process_time

from plyground.agents import make
from plyground.arena import ArenaConfig, Finished, Store, Task, Tournament, run_tasks
from plyground.arena.schedule import openings_for, tasks_for

AGENTS = ("engine:nodes=200,hash_mb=1", "minimax:depth=1", "pathfinder", "random:seed=1")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--backend", choices=("local", "ray"), default="local")
    args = parser.parse_args()
    a_pairing = max(2, 2 * round(args.games / 12))
    settings = {"preset": "small", "games": a_pairing, "workers": args.workers}
    config = ArenaConfig(AGENTS, backend=args.backend, **settings)

    began = perf_counter()
    with Store(":memory:") as store:
        games = list(Tournament(config, store).run())
    wall_s = perf_counter() - began
    print(f"{len(games)} games in {wall_s:.1f} s with {args.workers} workers, openings included")

    tasks = tasks_for(config, openings_for(config))
    began = process_time()
    count = sum(play_plainly(task) for task in tasks)
    plain_s = process_time() - began
    began = process_time()
    played = moves(run_tasks(tasks, workers=0))
    assert played == count, "the agents play the same games every time"
    cost_ms = 1000 * (process_time() - began - plain_s) / count
    print(f"{cost_ms:.3f} ms a move to play a game, beside a plain loop over the agents' moves")
    with Store(":memory:") as store:
        tournament = Tournament(config, store)
        began = process_time()
        watched = moves(tournament.run())
        cost_ms = 1000 * (process_time() - began) / watched
    print(f"{cost_ms:.3f} ms a move to watch it in another process and to keep it")


def moves(games: Iterable[Finished]) -> int:
    """Moves played in all of them."""
    return sum(len(game.record.moves) for game in games)


def play_plainly(task: Task) -> int:
    """How many moves a game has, played without clocks, records or anything."""
    agents = {1: make(task.player1, task.game), 2: make(task.player2, task.game)}
    state, count = task.start_state(), 0
    while state.outcome is None:
        state = state.play(agents[state.current_player].select_action(state))
        count += 1
    return count


if __name__ == "__main__":
    main()
