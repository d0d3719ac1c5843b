"""Count failures under kills, damaged files, hostile programs, attacks and random input.

    nice python benchmarks/reliability.py --seconds 40
    python benchmarks/reliability.py --only stores networks --seconds 10

Each check runs for a number of seconds and prints a row: what is promised, seconds, trials,
failures, and what else was measured. A failure is an exception other than the documented ones, a
hang, a lost move or game, memory that grows, or a process that is left. Failures are described on
standard error. `tests/` has the same checks in small. Linux only: the checks read /proc.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import replace
from functools import partial
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import numpy as np
from reliability_kills import (
    check_killed_caches,
    check_killed_tournaments,
    check_killed_training,
    check_saved_games,
    check_shared_stores,
    run_command,
)
from reliability_tally import ENTRY, KNOWN, MemoryCurve, Tally, Victim, is_running, warm_up
from reliability_web import (
    check_players,
    check_sessions,
    check_shown_moves,
    check_starving,
    check_strangers,
)

from plyground import _core, quoridor, reversi
from plyground.agents import make
from plyground.analysis.cache import AnalysisCache
from plyground.arena import Conditions, Store, Task, run_tasks
from plyground.cli.main import main as plyground
from plyground.config import read_yaml
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.nets.evaluator import load_evaluator, network_for, read_network
from plyground.play import format_record, parse_record
from plyground.play.record import Record
from plyground.play.reversi_ggf import parse_ggf
from plyground.protocol.xmlrpc import read_call
from plyground.search import SearchLimits
from plyground.serve.move_request import parse_request
from plyground.ui.web.messages import parse_message
from plyground.ui.web.sharing import format_link, parse_link

FAKE = Path(__file__).parents[1] / "tests" / "serve" / "fake_engine.py"
SMALL = quoridor.State(quoridor.GameConfig.preset("tiny"))


def damage(whole: bytes, rng: random.Random) -> bytes:
    """Some bytes changed, near the beginning or anywhere, or the end cut off."""
    found = bytearray(whole)
    if rng.random() < 0.15:
        del found[rng.randrange(len(found)) :]
    for _ in range(rng.choice((1, 20, 400))):
        if found:
            within = min(len(found), rng.choice((200, 4096, len(found))))
            found[rng.randrange(within)] = rng.randrange(256)
    return bytes(found)


def mutate(text: str, rng: random.Random) -> str:
    """A text with parts dropped, repeated, swapped or replaced by odd characters."""
    odd = [
        "\x00",
        "\x1b[2J",
        "9" * 400,
        "-",
        "e9",
        "(;",
        "]",
        '"',
        "\\",
        "\u2603",
        " ",
        "\n",
        "{",
        "NaN",
    ]
    for _ in range(rng.choice((1, 2, 8))):
        at, size = rng.randrange(len(text) + 1), rng.choice((0, 1, 5, 40))
        middle = rng.choice(["", rng.choice(odd), text[at : at + size] * rng.choice((1, 2, 30))])
        text = text[:at] + middle + text[at + size :]
    return text[:20_000]


def quiet(arguments: list[str]) -> str:
    """Run a command in this process; returns its output."""
    output = StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        plyground(arguments)
    return output.getvalue()


# ---- files


def check_caches(tally: Tally) -> None:
    """Damaged analysis caches: set aside or read, never an error."""
    path = tally.folder / "analysis.sqlite"
    with AnalysisCache(path) as cache:
        for number in range(40):
            cache.put("engine", str(number), replace(ENTRY, children=((13, 1.0),)))
            cache.put_table("engine", str(number), bytes(64))
    change(path, "PRAGMA journal_mode = DELETE")
    whole = path.read_bytes()

    def use() -> None:
        with AnalysisCache(path) as cache:
            for number in range(0, 40, 5):
                cache.get("engine", str(number))
                cache.get_table("engine", str(number))
                cache.put("engine", str(number), replace(ENTRY, depth=7))
            cache.clear()
            cache.put("engine", "x", ENTRY)
            if cache.get("engine", "x") != ENTRY:
                raise RuntimeError("the cache keeps nothing")

    for _ in tally.rounds():
        renew(path, damage(whole, tally.rng))
        tally.attempt("a damaged cache", lambda: strict(use))


def strict(action: Callable[[], object]) -> None:
    """Run an action that must succeed."""
    try:
        action()
    except KNOWN as error:
        raise RuntimeError(str(error)) from error


def renew(path: Path, content: bytes) -> None:
    """Write a database file, without the logs of an earlier one."""
    path.write_bytes(content)
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)


def change(path: Path, statements: str) -> None:
    """Run statements on a database."""
    database = sqlite3.connect(path)
    try:
        database.executescript(statements)
    except sqlite3.Error:  # a combination that SQLite itself refuses
        pass
    finally:
        database.close()


VALUES = (
    "NULL", "''", "'x'", "7", "-1", "9e999", "x'ff00'", "'{}'", "'[1'", "'9-9'",
    "char(27) || '[2J'", "9223372036854775807", "cast(x'ff' AS TEXT)",
    "zeroblob(20000000)", "'{\"game\": 7}'",
)  # fmt: skip
ENDLESS = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id"
SCHEMAS = (
    "DROP TABLE game",
    f"DROP TABLE game; CREATE VIEW game AS {ENDLESS}, 1 AS tournament FROM n",
    f"DROP TABLE tournament; CREATE VIEW tournament AS {ENDLESS}, '{{}}' AS conditions FROM n",
    "CREATE TRIGGER more AFTER INSERT ON game BEGIN SELECT 1; END",
    "ALTER TABLE game ADD COLUMN more TEXT",
    "PRAGMA user_version = 7",
    "DELETE FROM tournament",
    "DROP TABLE openings; CREATE TABLE openings (x)",
)
GAME_COLUMNS = (
    "tournament", "player1", "player2", "start", "round", "result", "termination", "plies",
    "seconds1", "seconds2", "nodes1", "nodes2", "finished", "record",
)  # fmt: skip


def check_stores(tally: Tally) -> None:
    """Hand-made stores in `games`, `games --tournaments` and a continued tournament."""
    path = tally.folder / "games.sqlite"
    tasks = [Task.of("random:seed=1", "random:seed=2", SMALL, round=number) for number in (1, 2)]
    with Store(path) as store:
        tournament = store.tournament({"game": "quoridor"})
        for game in run_tasks(tasks, workers=0):
            store.add(tournament, game)
    change(path, "PRAGMA journal_mode = DELETE")
    whole = path.read_bytes()
    changes = [f"UPDATE game SET {column} = {value}" for column in GAME_COLUMNS for value in VALUES]
    changes += [f"UPDATE tournament SET conditions = {value}" for value in VALUES]
    changes += [*SCHEMAS, *[""] * 60]
    tally.rng.shuffle(changes)
    for number in tally.rounds():
        wanted = changes[number % len(changes)]
        renew(path, whole if wanted else damage(whole, tally.rng))
        change(path, wanted)
        for arguments in ([], ["--json"], ["--tournaments"], ["--export", "-"]):
            tally.attempt(f"games {arguments} after {wanted!r}", partial(show, path, arguments))
        tally.attempt(f"adding after {wanted!r}", lambda: add_games(path))


def show(path: Path, arguments: list[str]) -> None:
    """List the games; control characters are an error."""
    if "\x1b" in quiet(["games", str(path), *arguments]):
        raise RuntimeError("an escape sequence is printed")


def add_games(path: Path) -> None:
    """Continue the tournament of a store."""
    with Store(path) as store:
        number = store.tournament({"game": "quoridor"})
        for game in run_tasks([Task.of("random:seed=3", "random:seed=4", SMALL)], workers=0):
            store.add(number, game)


def check_networks(tally: Tally) -> None:
    """Damaged networks and checkpoints: a plain error or an evaluation."""
    whole, path = read_network(network_for(quoridor.State())), tally.folder / "damaged.npz"
    features = np.asarray(_core.quoridor_net_features(quoridor.State()))[None]
    snapshot = next((FAKE.parents[2] / "checkpoints").glob("*.pt"), None)
    weights = None if snapshot is None else snapshot.read_bytes()
    for number in tally.rounds():
        if number % 4 == 0 and weights is not None:
            from plyground.train.checkpoint import playing_weights

            path.write_bytes(damage(weights, tally.rng))
            tally.attempt("a damaged checkpoint", lambda: playing_weights(path))
        else:
            path.write_bytes(damage(whole, tally.rng))
            tally.attempt("a damaged network", lambda: load_evaluator(path)(features))


def check_full_disks(tally: Tally) -> None:
    """Files that cannot grow: commands end in one line."""
    commands = [
        "arena random:seed=1 random:seed=2 --preset tiny --games 20 --store {folder}/games.sqlite",
        "match random:seed=1 random:seed=2 --preset tiny --games 4 --save {folder}/games.pgn",
        "tune td configs/tune/td-small.yaml --out {folder}/td --set games=200",
        "train configs/train/tiny.yaml --out {folder}/run --seconds 2 --set save_s=0.5",
    ]
    for number in tally.rounds():
        limit = tally.rng.choice((0, 300, 5000, 40_000))
        command = commands[number % len(commands)].format(folder=tally.folder)
        victim = Victim(run_limited, command.split(), limit)
        end = victim.receive()
        victim.kill()
        tally.trials += 1
        if end not in (0, 1, 2):
            tally.fail(f"{command} with files of {limit} bytes: {end}")
        shutil.rmtree(tally.folder)
        tally.folder.mkdir()


def run_limited(arguments: list[str], limit: int, pipe: Connection) -> None:
    """Run a command whose files cannot grow beyond a number of bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    run_command(arguments, pipe)


# ---- programs and messages


HOSTILE = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    open({pids!r}, "a").write(f"{{os.getpid()}}\\n")
    time.sleep(600)
os.wait()
time.sleep(0.05)
os.execv(sys.executable, [sys.executable, {fake!r}, {deed!r}, "2"])
"""
DEEDS = (
    "crash", "exit", "die", "illegal", "impossible", "nonsense", "nothing", "resign", "refuse",
    "close", "hang", "chatter", "flood", "boast", "good",
)  # fmt: skip


def check_programs(tally: Tally) -> None:
    """Hostile engines, each with a child in a session of its own: a result, no process left."""
    pids = tally.folder / "pids"
    conditions = Conditions(SearchLimits(time_s=0.01), move_timeout_s=1)
    tasks = []
    for deed in DEEDS:
        program = tally.folder / f"{deed}.py"
        program.write_text(HOSTILE.format(pids=str(pids), fake=str(FAKE), deed=deed))
        agent = f"engine:{sys.executable} {program}"
        tasks.append(Task.of(agent, "random:seed=1", SMALL, conditions=conditions))
    for _ in tally.rounds():
        games = list(run_tasks(tasks, workers=2))
        tally.trials += len(games)
        for game in games:
            if game.record.result == "*" or not game.record.termination:
                tally.fail(f"{game.task.player1}: no result")
        left = [int(pid) for pid in pids.read_text().split() if is_running(int(pid))]
        if left:
            tally.fail(f"processes {left} are left")
            for pid in left:
                os.kill(pid, signal.SIGKILL)
        pids.unlink()


def check_texts(tally: Tally) -> None:
    """Random records, GGF, positions, links, agent strings and settings: plain errors."""
    moves, state = list[str](), quoridor.State()
    for _ in range(12):
        action = tally.rng.choice(state.legal_actions())
        moves.append(state.format_move(action))
        state = state.play(action)
    record = Record.from_moves(moves, quoridor.State(), {"Player1": "Ann", "TimeControl": "60+1"})
    settings = tally.folder / "settings.yaml"

    def read_settings(text: str) -> None:
        settings.write_text(text, encoding="utf-8", errors="replace")
        read_yaml(settings, ["agents", "games"])

    link = format_link(record)
    readers: list[tuple[str, str, Callable[[str], object]]] = [
        ("a record", format_record(record), lambda text: parse_record(text).states()),
        ("GGF", "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 -------- *]B[f5]W[d6];)", parse_ggf),
        ("a position", state.text(), quoridor.State.parse),
        ("a position", reversi.State().text(), reversi.State.parse),
        ("a link", link, lambda text: parse_link(text).states()),
        ("an agent", "engine:time=1,nodes=5,hash_mb=1", make_in_process),
        ("an agent", "zero:sims=5,threads=1,batch=4", make_in_process),
        ("an agent", "minimax:depth=3,path_weight=12", make_in_process),
        ("settings", "agents: [a, b]\ngames: &x {y: [1, 2]}\nz: *x\n", read_settings),
    ]
    for number in tally.rounds():
        name, text, reader = readers[number % len(readers)]
        mutated = mutate(text, tally.rng)
        tally.attempt(f"{name}: {mutated[:80]!r}", partial(reader, mutated))


def make_in_process(spec: str) -> None:
    """Make an agent, unless its string has become a command, an address or an import path."""
    name, _, rest = spec.partition(":")
    if name in ("engine", "zero", "minimax") and (not rest or "=" in rest.split(",")[0]):
        make(spec).close()


def check_messages(tally: Tally) -> None:
    """Random messages of pages, REST requests and XML-RPC calls: plain errors."""
    call = (
        "<?xml version='1.0'?><methodCall><methodName>play</methodName><params><param><value>"
        "<struct><member><name>size</name><value><int>9</int></value></member></struct></value>"
        "</param><param><value><int>0</int></value></param></params></methodCall>"
    )
    game = registry.default()
    readers: list[tuple[str, str, Callable[[str], object]]] = [
        ("a message", '{"type": "play-move", "game": 1, "ply": 3, "move": "e2"}', parse_message),
        ("a message", '{"type": "new-game", "game": "quoridor", "seats": ["a"]}', parse_message),
        (
            "a request",
            '{"moves": ["e2", "e8"], "limits": {"time": 1, "nodes": 100}}',
            lambda text: parse_request(text.encode(errors="replace"), game, 5),
        ),
        ("a call", call, lambda text: read_call(text.encode(errors="replace"))),
    ]
    for number in tally.rounds():
        name, text, reader = readers[number % len(readers)]
        mutated = mutate(text, tally.rng)
        tally.attempt(f"{name}: {mutated[:80]!r}", partial(reader, mutated))


# ---- threads and memory


SEARCHERS = [
    ("quoridor", "engine:hash_mb=1"), ("reversi", "engine:hash_mb=1"),
    ("quoridor", "engine:hash_mb=1,threads=2"), ("quoridor", "zero:sims=20"),
    ("quoridor", "minimax:depth=2"), ("reversi", "minimax:depth=3"), ("reversi", "easy"),
]  # fmt: skip


def check_threads(tally: Tally) -> None:
    """One agent on four threads: no crash, no deadlock."""
    for number in tally.rounds():
        game, agent = SEARCHERS[number % len(SEARCHERS)]
        victim = Victim(search_on_four_threads, game, agent)
        tally.trials += 1
        if victim.receive() != "done":
            tally.fail(f"{agent} for {game} on four threads: {victim.process.exitcode}")
        victim.kill()


def search_on_four_threads(name: str, spec: str, pipe: Connection) -> None:
    """Use one agent on four threads for half a second."""
    sys.setswitchinterval(1e-5)
    game = registry.get(name)
    agent = make(spec, game)
    states = [game.start()]
    for seed in range(8):
        states.append(states[-1].play(random.Random(seed).choice(states[-1].legal_actions())))
    end = time.monotonic() + 0.5

    def work() -> None:
        while time.monotonic() < end:
            with suppress(ConfigError, RuntimeError, ValueError):
                agent.search(random.choice(states), SearchLimits(nodes=200), lambda _: None)
                agent.stop()
                agent.export_table()
                agent.new_game()
                agent.rank(states[2])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pipe.send("done")


def check_tables(tally: Tally) -> None:
    """Games of engines with 64 MB each in one process: memory does not grow by a table."""
    task = Task.of("engine:nodes=50,hash_mb=64", "pathfinder", SMALL)
    play_and_sample(tally, [task], MemoryCurve(), first=5, every=5)


def check_games(tally: Tally) -> None:
    """Stored games of small engines in one process: memory does not grow."""
    board = reversi.State()
    tasks = [Task.of("engine:nodes=20,hash_mb=1", "random:seed=1", SMALL)] * 9
    tasks.append(Task.of("engine:nodes=20,hash_mb=1", "random:seed=1", board))
    play_and_sample(tally, tasks, MemoryCurve(), first=200, every=50)


def play_and_sample(
    tally: Tally, tasks: Sequence[Task], memory: MemoryCurve, first: int, every: int
) -> None:
    """Play and store games of the tasks in turn; memory that grows is a failure."""
    with Store(tally.folder / "games.sqlite") as store:
        for number in tally.rounds():
            task = replace(tasks[number % len(tasks)], round=number + 1)
            tournament = store.tournament({"game": task.game})
            for game in run_tasks([task], workers=0):
                store.add(tournament, game)
            tally.trials += 1
            if number >= first and number % every == 0:
                memory.sample(number)
    memory.sample(tally.trials)
    tally.measured = str(memory)
    if memory.samples[-1][1] > memory.samples[0][1] + 48:
        tally.fail(f"memory grows: {memory}")


class Check(NamedTuple):
    """A row of the table."""

    promise: str
    run: Callable[[Tally], None]
    share: float = 1.0
    """Time of the check as a multiple of `--seconds`."""


CHECKS = {
    "saves": Check("`kill -9` of a game: moves shown are saved", check_saved_games),
    "pages": Check(
        "`kill -9` of the page's server at the sight of a move: plies shown are saved",
        check_shown_moves,
        2,
    ),
    "tournaments": Check(
        "`kill -9` of an arena: the games of an unkilled run", check_killed_tournaments, 2
    ),
    "training": Check(
        "`kill -9` of training: the checkpoint is whole, `--resume` continues",
        check_killed_training,
        2,
    ),
    "cache-kills": Check(
        "`kill -9` of two programs on an analysis cache: entries stay", check_killed_caches
    ),
    "shared": Check("three arenas on one store: the games of one run", check_shared_stores),
    "programs": Check(
        "hostile engines with a detached child: a reason, no process left", check_programs, 1.5
    ),
    "caches": Check("damaged analysis caches", check_caches),
    "stores": Check("hand-made and damaged stores, five commands each", check_stores),
    "networks": Check("damaged ONNX networks and checkpoints", check_networks),
    "disks": Check("files that cannot grow: train, arena, match, tune", check_full_disks, 1.5),
    "texts": Check("random records, GGF, positions, links, agent strings, YAML", check_texts),
    "messages": Check("random page messages, REST requests, XML-RPC calls", check_messages),
    "starving": Check(
        "one page starving others: they are served, Ctrl-C ends the server", check_starving, 2
    ),
    "strangers": Check(
        "foreign Host, Origin, paths and session ids: nothing served", check_strangers
    ),
    "players": Check("100 players at once: every move is acknowledged", check_players, 2.5),
    "threads": Check("one agent on four threads for half a second", check_threads),
    "tables": Check("games with tables of 64 MB in one process: memory is flat", check_tables),
    "games": Check("stored games in one process: memory is flat", check_games, 2),
    "sessions": Check("sessions of a page in one server: memory is flat", check_sessions, 4),
}


def run() -> int:
    """Run the checks and print a table; returns 1 if there was a failure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--seconds",
        type=float,
        default=40,
        help="time of most checks, others take up to 3 times as long (default: 40)",
    )
    parser.add_argument("--only", nargs="+", choices=CHECKS, help="checks to run (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random input (default: 1)")
    args = parser.parse_args()
    warm_up()
    print("| promise | seconds | trials | failures | measured |", flush=True)
    print("| --- | --- | --- | --- | --- |", flush=True)
    failures = 0
    for name in args.only or CHECKS:
        check, began = CHECKS[name], time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            inner = Path(folder) / "files"
            inner.mkdir()
            tally = Tally(args.seconds * check.share, inner, args.seed)
            check.run(tally)
        failures += len(tally.failures)
        cells = (
            check.promise,
            f"{time.monotonic() - began:.0f}",
            f"{tally.trials:,}",
            str(len(tally.failures)),
            tally.measured,
        )
        print(f"| {' | '.join(cells)} |".replace("  ", " "), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(run())
