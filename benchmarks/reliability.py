"""Count failures under kills, damaged files, hostile programs and random input.

    nice python benchmarks/reliability.py --seconds 40
    python benchmarks/reliability.py --only stores networks --seconds 10

Each check runs for a number of seconds and prints a row: what is promised, trials, failures. A
failure is an exception other than the documented ones, a hang, a lost move or game, or a process
that is left. Failures are described on standard error. `tests/` has the same checks in small.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from functools import partial
from io import StringIO
from pathlib import Path

import numpy as np

from plyground import _core, quoridor, reversi
from plyground.agents import make
from plyground.agents.base import Forfeit
from plyground.analysis.cache import AnalysisCache, CacheEntry
from plyground.arena import Conditions, Store, Task, run_tasks
from plyground.cli.main import main as plyground
from plyground.config import read_yaml
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.nets.evaluator import OnnxEvaluator, network_for
from plyground.play import format_record, parse_record
from plyground.play.game_file import read_game
from plyground.play.record import Record
from plyground.play.reversi_ggf import parse_ggf
from plyground.protocol.xmlrpc import read_call
from plyground.search import SearchLimits
from plyground.serve.move_request import InvalidJsonError, parse_request
from plyground.ui.web.messages import parse_message
from plyground.ui.web.sharing import format_link, parse_link

KNOWN = (ConfigError, IllegalMoveError, NotationError, Forfeit, InvalidJsonError)
"""What invalid input may raise."""
FAKE = Path(__file__).parents[1] / "tests" / "serve" / "fake_engine.py"
SMALL = quoridor.State(quoridor.GameConfig.preset("tiny"))
ENTRY = CacheEntry((13, 67), 25.0, 6, 1000, 20.0)


@dataclass
class Tally:
    """Trials and failures of a check, which runs until its time is over."""

    seconds: float
    folder: Path
    seed: int
    trials: int = 0
    failures: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.end = time.monotonic() + self.seconds

    def rounds(self) -> Iterator[int]:
        """Numbers of trials, at least one, until the time is over."""
        number = 0
        while number == 0 or time.monotonic() < self.end:
            yield number
            number += 1

    def fail(self, what: str) -> None:
        """Count a failure."""
        self.failures.append(what)
        print(f"failed: {what}", file=sys.stderr)

    def attempt(self, what: str, action: Callable[[], object], longest_s: float = 20.0) -> None:
        """Count a trial: the action may raise only what invalid input may, and in time."""
        self.trials += 1
        began = time.monotonic()
        try:
            action()
        except KNOWN:
            pass
        except Exception:  # noqa: BLE001  this is what is counted
            self.fail(f"{what}: {traceback.format_exc(limit=-1).splitlines()[-1]}")
        if (took_s := time.monotonic() - began) > longest_s:
            self.fail(f"{what} took {took_s:.0f} s")


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


# ---- kills


SAVED_GAME = """
import sys
from pathlib import Path
from plyground.play import LiveGame, Seat
from plyground.play.autosave import Autosave
from plyground.play.events import MovePlayed
live = LiveGame({1: Seat.of("random:seed=1"), 2: Seat.of("random:seed=2")}, pace_s=0.002)
save = Autosave(live, Path(sys.argv[1]))
live.listen(lambda event: isinstance(event, MovePlayed) and print(len(live.moves), flush=True))
live.start()
live.wait()
"""


def check_saved_games(tally: Tally) -> None:
    """`kill -9` of a game: every move that was shown is saved."""
    for number in tally.rounds():
        folder = tally.folder / str(number)
        folder.mkdir()
        process = subprocess.Popen(
            [sys.executable, "-c", SAVED_GAME, str(folder)], stdout=subprocess.PIPE
        )
        assert process.stdout
        shown, wanted = 0, tally.rng.randrange(1, 40)
        while shown < wanted and (line := process.stdout.readline()):
            shown = int(line)
        process.kill()
        shown = max([shown, *(int(line) for line in process.stdout.read().split())])
        process.wait()
        process.stdout.close()
        tally.trials += 1
        saved = [read_game(path)[0] for path in folder.glob("*.pgn")]
        if len(saved) != 1 or len(saved[0].moves) < shown:
            tally.fail(f"{shown} moves were shown, saved are {[len(game.moves) for game in saved]}")


def check_killed_tournaments(tally: Tally) -> None:
    """`kill -9` of a tournament: it continues to the same games as an unkilled one."""
    command = [
        sys.executable, "-m", "plyground", "arena", "random:seed=1", "random:seed=2", "pathfinder",
        "--preset", "tiny", "--games", "40", "--workers", "2", "--json", "--store",
    ]  # fmt: skip
    whole = tally.folder / "whole.sqlite"
    subprocess.run([*command, str(whole)], check=True, capture_output=True)
    for number in tally.rounds():
        path = tally.folder / f"{number}.sqlite"
        process = subprocess.Popen(
            [*command, str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(tally.rng.uniform(0.5, 4))
        process.kill()
        process.wait()
        tally.trials += 1
        subprocess.run([*command, str(path)], check=True, capture_output=True)
        if results(path) != results(whole):
            tally.fail("a killed tournament has other games")


def results(path: Path) -> list[tuple[object, ...]]:
    """The games of a store, without times."""
    with Store(path, read_only=True) as store:
        return sorted((*game.key, game.result, game.plies) for game in store.games())


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
    """Damaged ONNX networks and checkpoints: a plain error or an evaluation."""
    whole, path = network_for(quoridor.State()).read_bytes(), tally.folder / "damaged.onnx"
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
            tally.attempt("a damaged network", lambda: OnnxEvaluator(path)(features))


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
        done = subprocess.run(
            [sys.executable, "-m", "plyground", *command.split()],
            capture_output=True,
            text=True,
            preexec_fn=partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit)),
        )
        tally.trials += 1
        if "Traceback" in done.stderr or done.returncode not in (0, 1, 2):
            tally.fail(f"{command} with files of {limit} bytes: {done.stderr.splitlines()[-1:]}")
        shutil.rmtree(tally.folder)
        tally.folder.mkdir()


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
    for number in tally.rounds():
        deed = DEEDS[number % len(DEEDS)]
        program = tally.folder / "engine.py"
        program.write_text(HOSTILE.format(pids=str(pids), fake=str(FAKE), deed=deed))
        task = Task.of(
            f"engine:{sys.executable} {program}", "random:seed=1", SMALL, conditions=conditions
        )
        [game] = run_tasks([task], workers=1)
        tally.trials += 1
        if game.record.result == "*" or not game.record.termination:
            tally.fail(f"{deed}: no result")
        left = [int(pid) for pid in pids.read_text().split() if is_running(int(pid))]
        if left:
            tally.fail(f"{deed}: processes {left} are left")
            for pid in left:
                os.kill(pid, signal.SIGKILL)
        pids.unlink()


def is_running(pid: int) -> bool:
    """Whether a process runs half a second from now."""
    for _ in range(50):
        try:
            status = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return False
        if status.rsplit(")", 1)[1].split()[0] == "Z":
            return False
        time.sleep(0.01)
    return True


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


ON_FOUR_THREADS = """
import random, sys, threading, time
from plyground.agents import make
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.search import SearchLimits
sys.setswitchinterval(1e-5)
game = registry.get(sys.argv[1])
agent = make(sys.argv[2], game)
states = [game.start()]
for _ in range(8):
    states.append(states[-1].play(random.Random(len(states)).choice(states[-1].legal_actions())))
end = time.monotonic() + 1.0

def work():
    while time.monotonic() < end:
        try:
            found = agent.search(random.choice(states), SearchLimits(nodes=200), lambda _: None)
            agent.stop(), agent.export_table(), agent.new_game(), agent.rank(states[2])
        except (ConfigError, RuntimeError, ValueError):
            pass

threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print("done")
"""
SEARCHERS = [
    ("quoridor", "engine:hash_mb=1"), ("reversi", "engine:hash_mb=1"),
    ("quoridor", "engine:hash_mb=1,threads=2"), ("quoridor", "zero:sims=20"),
    ("quoridor", "minimax:depth=2"), ("reversi", "minimax:depth=3"), ("reversi", "easy"),
]  # fmt: skip


def check_threads(tally: Tally) -> None:
    """One agent on four threads: no crash, no deadlock."""
    for number in tally.rounds():
        game, agent = SEARCHERS[number % len(SEARCHERS)]
        command = [sys.executable, "-c", ON_FOUR_THREADS, game, agent]
        tally.trials += 1
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            tally.fail(f"{agent} for {game} on four threads hangs")
            continue
        if done.stdout != "done\n":
            tally.fail(
                f"{agent} for {game} on four threads: {done.returncode} {done.stderr[-300:]}"
            )


def check_memory(tally: Tally) -> None:
    """Games of engines with 64 MB each in one process: memory does not grow by a table."""
    first_mb = 0
    task = Task.of("engine:nodes=50,hash_mb=64", "pathfinder", SMALL)
    for number in tally.rounds():
        list(run_tasks([task], workers=0))
        tally.trials += 1
        used_mb = int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20
        if number == 5:
            first_mb = used_mb
        if number > 5 and used_mb > first_mb + 64:
            tally.fail(f"{used_mb} MB after {number} games, {first_mb} MB after 5")


CHECKS: dict[str, tuple[str, Callable[[Tally], None]]] = {
    "saves": ("`kill -9` of a game: moves shown are saved", check_saved_games),
    "tournaments": (
        "`kill -9` of an arena: the games of an unkilled run",
        check_killed_tournaments,
    ),
    "programs": (
        "hostile engines with a detached child: a reason, no process left",
        check_programs,
    ),
    "caches": ("damaged analysis caches", check_caches),
    "stores": ("hand-made and damaged stores, five commands each", check_stores),
    "networks": ("damaged ONNX networks and checkpoints", check_networks),
    "disks": ("files that cannot grow: train, arena, match, tune", check_full_disks),
    "texts": ("random records, GGF, positions, links, agent strings, YAML", check_texts),
    "messages": ("random page messages, REST requests, XML-RPC calls", check_messages),
    "threads": ("one agent on four threads for a second", check_threads),
    "memory": ("games in one process: memory does not grow", check_memory),
}


def run() -> int:
    """Run the checks and print a table; returns 1 if there was a failure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--seconds", type=float, default=40, help="time of each check (default: 40)"
    )
    parser.add_argument("--only", nargs="+", choices=CHECKS, help="checks to run (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random input (default: 1)")
    args = parser.parse_args()
    print("| promise | trials | failures |\n| --- | --- | --- |", flush=True)
    failures = 0
    for name in args.only or CHECKS:
        promise, check = CHECKS[name]
        with tempfile.TemporaryDirectory() as folder:
            inner = Path(folder) / "files"
            inner.mkdir()
            tally = Tally(args.seconds, inner, args.seed)
            check(tally)
        failures += len(tally.failures)
        print(f"| {promise} | {tally.trials:,} | {len(tally.failures)} |", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(run())
