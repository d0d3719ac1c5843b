"""Measure how fast our servers respond: engine protocol during a search, course server, REST.

    python benchmarks/serving.py

Times are wall-clock times, so run it on an idle machine. Needs the extras `web` and
`test`.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from statistics import median

from plyground.agents import make
from plyground.quoridor import State
from plyground.serve.course_agent import CourseAgent
from plyground.serve.course_server import CourseServer

TIMES = 20


def timed(action: Callable[[], object]) -> float:
    """Milliseconds that the action takes."""
    started = time.perf_counter()
    action()
    return (time.perf_counter() - started) * 1000


def show(what: str, times_ms: list[float]) -> None:
    """Print one line of the table."""
    print(f"{what:<52} {median(times_ms):7.2f} ms, at most {max(times_ms):7.2f}")


def engine(name: str, *options: str) -> None:
    """Time `isready` and `stop` during an infinite search."""
    process = subprocess.Popen(
        [sys.executable, "-m", "plyground", "engine", *options],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
    )  # fmt: skip
    to_engine, from_engine = process.stdin, process.stdout
    assert to_engine is not None
    assert from_engine is not None

    def ask(line: str, answer: str) -> None:
        to_engine.write(line + "\n")
        while not from_engine.readline().startswith(answer):
            pass

    ready, stop = [], []
    with process:
        ask("position startpos moves e2 e8\nisready", "readyok")
        for _ in range(TIMES):
            ask("go infinite", "info")
            time.sleep(0.2)
            ready.append(timed(lambda: ask("isready", "readyok")))
            stop.append(timed(lambda: ask("stop", "bestmove")))
        to_engine.write("quit\n")
    show(f"{name}: isready during a search", ready)
    show(f"{name}: stop to bestmove", stop)


def course() -> None:
    """Time the calls of a game by an instant agent, through its course server."""
    with CourseServer(CourseAgent("pathfinder"), port=0) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        agent, state, times = make(f"http://127.0.0.1:{server.server_port}"), State(), []
        while state.outcome is None:
            started = time.perf_counter()
            action = agent.select_action(state)
            times.append((time.perf_counter() - started) * 1000)
            state = state.play(action)
        server.shutdown()
    show("course server (XML-RPC): a pathfinder move", times)


def rest() -> None:
    """Time moves of the REST application, called in process."""
    from httpx2 import ASGITransport, AsyncClient

    from plyground.serve.http import RestConfig, make_app

    async def run() -> list[float]:
        transport = ASGITransport(make_app(RestConfig("pathfinder")))
        times = []
        async with AsyncClient(transport=transport, base_url="http://here") as client:
            for _ in range(TIMES):
                started = time.perf_counter()
                (await client.post("/move", json={"moves": ["e2", "e8"]})).raise_for_status()
                times.append((time.perf_counter() - started) * 1000)
        return times

    show("REST: a pathfinder move, without a socket", asyncio.run(run()))


if __name__ == "__main__":
    engine("alpha-beta", "--hash", "16")
    engine("tree search", "--network", "builtin")
    course()
    rest()
