"""Searches on several threads: no deadlock, no crash, and a clean exit while they run."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from plyground.errors import ConfigError
from plyground.search import Engine

FROM_ANOTHER_THREAD = """
import threading
from plyground.games import registry
from plyground.search import Engine, SearchLimits
game = registry.get({game!r})
engine = Engine(hash_mb=1, game=game)
limits = SearchLimits(time_s=0.6)
searching = threading.Event()
thread = threading.Thread(
    target=lambda: engine.search(game.start(), limits, lambda result: searching.set())
)
thread.start()
searching.wait()
engine.{call}
thread.join()
print("done")
"""


@pytest.mark.parametrize("game", ["quoridor", "reversi"])
@pytest.mark.parametrize("call", ["clear()", "deepest()", "recall(b'', game)"])
def test_an_engine_is_used_from_another_thread_while_it_searches(game: str, call: str) -> None:
    program = FROM_ANOTHER_THREAD.format(game=game, call=call)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30
    )
    assert (done.stdout, done.stderr) == ("done\n", "")


WITHOUT_FURTHER_THREADS = """
import resource
from pathlib import Path
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.envs.reversi_vector import ReversiVectorEnv
from plyground.search import Engine, SearchLimits
from plyground import reversi
limits = SearchLimits(depth=4)
quoridor = registry.get("quoridor").start()
engine = Engine(hash_mb=1, threads=200)
used_kb = int(Path("/proc/self/status").read_text().split("VmSize:")[1].split()[0])
most = (used_kb << 10) + (300 << 20)  # some threads, whose stacks have 8 MB each
resource.setrlimit(resource.RLIMIT_AS, (most, most))
try:
    {call}
except ConfigError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and limits memory")
@pytest.mark.parametrize(
    "call",
    [
        "engine.search(quoridor, limits)",
        "reversi.solve(reversi.State(), threads=200)",
        "ReversiVectorEnv(8, threads=200)",
    ],
)
def test_a_thread_that_cannot_start_is_an_error(call: str) -> None:
    program = WITHOUT_FURTHER_THREADS.format(call=call)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30
    )
    assert done.stdout.startswith("cannot start a further thread beside "), done
    assert done.returncode == 0


FROM_THE_CALLBACK = """
from plyground.games import registry
from plyground.search import Engine, SearchLimits
game = registry.get({game!r})
engine = Engine(hash_mb=1, game=game)
try:
    engine.search(game.start(), SearchLimits(time_s=0.3), lambda result: engine.{call})
except RuntimeError as error:
    print(error)
print(engine.search(game.start(), SearchLimits(depth=2)).depth)
"""


@pytest.mark.parametrize("game", ["quoridor", "reversi"])
@pytest.mark.parametrize(
    "call",
    [
        "clear()",
        "deepest()",
        "recall(b'', game)",
        "search(game.start(), SearchLimits(depth=1))",
    ],
)
def test_an_engine_refuses_its_own_callback(game: str, call: str) -> None:
    program = FROM_THE_CALLBACK.format(game=game, call=call)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30
    )
    error = "the engine is searching; its progress callback may only stop it"
    assert (done.stdout, done.stderr) == (f"{error}\n2\n", "")


EXIT = """
import threading, time
from plyground.agents import make
from plyground.games import registry
game = registry.get({game!r})
agent = make({agent!r}, game)
threading.Thread(
    target=lambda: agent.search(game.start(), None, lambda result: None), daemon=True
).start()
time.sleep(0.5)
"""


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        ("quoridor", "engine:time=60"),
        ("quoridor", "engine:time=60,threads=2"),
        ("quoridor", "minimax:depth=7"),
        ("quoridor", "zero:time=60"),
        ("quoridor", "zero:time=60,threads=2"),
        ("reversi", "engine:time=60"),
        ("reversi", "minimax:depth=20"),
    ],
)
def test_python_exits_while_an_agent_searches(game: str, agent: str) -> None:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", EXIT.format(game=game, agent=agent)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("draw_score", [10_001, -10_001, 100_000, 2**31 - 1, 2**31, 2**70])
def test_the_score_of_a_draw_has_limits(draw_score: int) -> None:
    with pytest.raises(ConfigError, match="expected draw_score to be a whole number from -10000"):
        Engine(hash_mb=1, draw_score=draw_score)


@pytest.mark.parametrize("options", [{"hash_mb": 2**40}, {"threads": 2**40}, {"threads": 0}])
def test_sizes_of_an_engine_have_limits(options: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="to be a whole number from 1 to"):
        Engine(**options)  # type: ignore[arg-type]


ON_FOUR_THREADS = """
import sys, threading, time
import numpy as np
from plyground import _core
from plyground.games import registry
state = registry.get({game!r}).start()
tree = _core.{tree}(state)
refused = set()
end = time.monotonic() + 1.5

def work():
    while time.monotonic() < end:
        try:
            tree.begin(10_000)
            rows = len(tree.select(64))
            tree.expand(np.zeros((rows, {actions}), np.float32), np.zeros(rows, np.float32))
            tree.moves(), tree.pv(), len(tree), tree.visits
        except RuntimeError as error:
            refused.add(str(error))
        except ValueError:  # the leaves that another thread selected
            pass

sys.setswitchinterval(1e-5)
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(refused)
"""


@pytest.mark.parametrize(
    ("game", "tree", "actions"),
    [("quoridor", "QuoridorTree", 209), ("reversi", "ReversiTree", 65)],
)
def test_a_tree_refuses_a_second_thread(game: str, tree: str, actions: int) -> None:
    program = ON_FOUR_THREADS.format(game=game, tree=tree, actions=actions)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "{'another thread is using this tree'}\n"
