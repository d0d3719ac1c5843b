"""Checks of reliability.py that kill programs, or let several programs share a file."""

from __future__ import annotations

import csv
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path

from reliability_tally import ENTRY, WAIT_S, Tally, Victim

from plyground.analysis.cache import AnalysisCache
from plyground.arena import Store
from plyground.cli.main import main as plyground
from plyground.play import LiveGame, Seat
from plyground.play.autosave import Autosave
from plyground.play.events import Event, MovePlayed
from plyground.play.game_file import read_game

ARENA = [
    sys.executable, "-m", "plyground", "arena", "random:seed=1", "random:seed=2", "pathfinder",
    "--preset", "tiny", "--games", "40", "--workers", "2", "--json", "--store",
]  # fmt: skip
TRAIN = [
    "train", "configs/train/tiny.yaml", "--set", "games=32", "--set", "simulations=4",
    "--set", "channels=8", "--set", "batch_size=64", "--set", "warmup_positions=64",
    "--set", "save_s=0.2", "--set", "report_s=0.2",
]  # fmt: skip


def check_saved_games(tally: Tally) -> None:
    """`kill -9` of a game: every move that was shown is saved."""
    for number in tally.rounds():
        folder = tally.folder / str(number)
        folder.mkdir()
        victim = Victim(play_saved_game, folder)
        shown, wanted = 0, tally.rng.randrange(1, 40)
        while shown < wanted and isinstance(moves := victim.receive(), int):
            shown = moves
        shown = max([shown, *(moves for moves in victim.kill() if isinstance(moves, int))])
        tally.trials += 1
        saved = [read_game(path)[0] for path in folder.glob("*.pgn")]
        if len(saved) != 1 or len(saved[0].moves) < shown:
            tally.fail(f"{shown} moves were shown, saved are {[len(game.moves) for game in saved]}")


def play_saved_game(folder: Path, pipe: Connection) -> None:
    """Play a game that is saved, and send the number of moves after each."""
    live = LiveGame({1: Seat.of("random:seed=1"), 2: Seat.of("random:seed=2")}, pace_s=0.002)
    Autosave(live, folder)

    def show(event: Event) -> None:
        if isinstance(event, MovePlayed):
            pipe.send(len(live.moves))

    live.listen(show)
    live.start()
    live.wait()


def check_killed_tournaments(tally: Tally) -> None:
    """`kill -9` of a tournament: it continues to the same games as an unkilled one."""
    whole = results_of_whole_run(tally.folder)
    games = 0
    for number in tally.rounds():
        path = tally.folder / f"{number}.sqlite"
        for _ in range(3):
            process = run_arena(path)
            wait_until(lambda: count_games(path) > 0 or process.poll() is not None)  # noqa: B023
            time.sleep(tally.rng.uniform(0, 0.4))
            tally.trials += process.poll() is None
            process.kill()
            process.communicate()
        subprocess.run([*ARENA, str(path)], check=True, capture_output=True)
        games += len(found := results(path))
        if found != whole:
            tally.fail(f"a killed tournament has other games: {number}")
    tally.measured = f"{games:,} games"


def check_shared_stores(tally: Tally) -> None:
    """Three tournaments on one store at once: the games of a single run, each once."""
    whole = results_of_whole_run(tally.folder)
    for number in tally.rounds():
        path = tally.folder / f"{number}.sqlite"
        processes = [run_arena(path) for _ in range(3)]
        ends = [process.communicate()[1] for process in processes]
        tally.trials += 1
        failed = [end for process, end in zip(processes, ends, strict=True) if process.returncode]
        if failed or results(path) != whole:
            tally.fail(f"three tournaments on a store: {failed}")


def run_arena(path: Path) -> subprocess.Popen[str]:
    """Start the tournament on a store."""
    return subprocess.Popen(
        [*ARENA, str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def results_of_whole_run(folder: Path) -> list[tuple[object, ...]]:
    """The games of a tournament that runs alone and to its end."""
    subprocess.run([*ARENA, str(folder / "whole.sqlite")], check=True, capture_output=True)
    return results(folder / "whole.sqlite")


def results(path: Path) -> list[tuple[object, ...]]:
    """The games of a store, without times."""
    with Store(path, read_only=True) as store:
        return sorted((*game.key, game.result, game.plies) for game in store.games())


def count_games(path: Path) -> int:
    """The number of games in a store that is being written."""
    try:
        return len(results(path))
    except ValueError:  # it is not there yet
        return 0


def wait_until(is_so: Callable[[], bool]) -> bool:
    """Wait for a condition; returns whether it came in time."""
    end = time.monotonic() + WAIT_S
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def check_killed_training(tally: Tally) -> None:
    """`kill -9` of training: the checkpoint is whole, and `--resume` continues from it."""
    from plyground.train.checkpoint import load_checkpoint

    folder, trained_s, changed = tally.folder / "run", 0.0, 0
    checkpoint = folder / "checkpoint.pt"
    for number in tally.rounds():
        victim = Victim(run_command, [*TRAIN, "--out", str(folder)] + ["--resume"] * (number > 0))

        def is_saved(before: int = changed) -> bool:
            return checkpoint.exists() and checkpoint.stat().st_mtime_ns > before

        if not wait_until(is_saved):
            tally.fail(f"no checkpoint after {number} kills: {victim.kill()}")
            return
        time.sleep(tally.rng.uniform(0, 0.3))
        output = victim.kill()
        tally.trials += 1
        if output:
            tally.fail(f"training ended by itself: {output}")
        saved_s, changed = load_checkpoint(checkpoint)["elapsed_s"], checkpoint.stat().st_mtime_ns
        times = metric_times(folder / "metrics.csv")
        if saved_s <= trained_s or times != sorted(times):
            tally.fail(f"trained for {saved_s} s after {trained_s} s, metrics at {times[-5:]}")
        trained_s = saved_s
    tally.measured = f"{trained_s:.0f} s of training in one run"


def metric_times(path: Path) -> list[float]:
    """When the rows of a run's metrics were written; none before the first row."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [float(row["elapsed_s"]) for row in csv.DictReader(file)]


def run_command(arguments: list[str], pipe: Connection) -> None:
    """Run a command; send how it ended."""
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            pipe.send(plyground(arguments))
    except SystemExit as end:
        pipe.send(end.code)
    except BaseException as error:  # noqa: BLE001  this is what is counted
        pipe.send(repr(error))


def check_killed_caches(tally: Tally) -> None:
    """`kill -9` of one or both programs on an analysis cache: what was put stays."""
    path, entries = tally.folder / "analysis.sqlite", 0
    for number in tally.rounds():
        victims = [Victim(fill_cache, path, f"{number} {name}") for name in "ab"]
        for victim in victims:
            victim.receive()
        time.sleep(tally.rng.uniform(0, 0.3))
        kept = [[value for value in victim.kill() if isinstance(value, int)] for victim in victims]
        tally.trials += len(victims)
        with AnalysisCache(path) as cache:
            for name, numbers in zip("ab", kept, strict=True):
                entries += len(numbers)
                lost = [
                    key
                    for key in numbers
                    if cache.get(f"{number} {name}", str(key)) != replace(ENTRY, nodes=key)
                ]
                if lost:
                    tally.fail(f"of {len(numbers)} entries, {lost} are lost")
        if len(left := list(tally.folder.glob("analysis.sqlite*"))) > 3:
            tally.fail(f"the cache was set aside: {[path.name for path in left]}")
    tally.measured = f"{entries:,} entries"


def fill_cache(path: Path, searcher: str, pipe: Connection) -> None:
    """Put entries and tables into a cache, and send the number of each entry that is there.

    A cache that another program keeps locked for a second drops the entry.
    """
    with AnalysisCache(path) as cache:
        for number in range(1, 100_000):
            cache.put(searcher, str(number), replace(ENTRY, nodes=number))
            cache.put_table(searcher, str(number), bytes(64))
            if cache.get(searcher, str(number)):
                pipe.send(number)
