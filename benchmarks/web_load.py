"""Load-test the web server with many sessions and measure how fast it acknowledges their moves.

    python benchmarks/web_load.py --sessions 100 --seconds 60

Starts `plyground web` on a free port with its own data folder. Each session plays games of Quoridor
and Reversi against a level. Its simulated user waits one or two seconds and plays a random legal
move. A move is acknowledged when the server sends the game with that move in it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from web_server import running_server
from websockets.asyncio.client import ClientConnection, connect

LEVELS = ("easy", "normal", "hard", "expert")
GAMES = ("quoridor", "reversi")


@dataclass
class Tally:
    """Counts and times over all sessions."""

    acknowledged_ms: list[float] = field(default_factory=list)
    answered_s: dict[str, list[float]] = field(default_factory=dict)
    """Seconds until each level answered, including queueing."""
    games: int = 0
    errors: Counter[str] = field(default_factory=Counter)


async def play(address: str, number: int, until: float, tally: Tally) -> None:
    """Run one session until the given time."""
    rng = random.Random(number)
    await asyncio.sleep(rng.random() * 2)
    try:
        origin = address.rstrip("/")
        async with connect(f"{address.replace('http', 'ws')}play", origin=origin) as socket:
            await socket.send(json.dumps({"type": "hello"}))
            shape = await hear(socket, tally, lambda shape: True)  # noqa: ARG005
            while time.monotonic() < until:
                shape = await play_game(socket, rng, until, tally, shape["number"])
    except Exception as error:  # noqa: BLE001  every error counts
        tally.errors[f"{type(error).__name__}: {error}"] += 1


async def play_game(
    socket: ClientConnection, rng: random.Random, until: float, tally: Tally, number: int
) -> dict[str, Any]:
    """Start the game after game `number` and play it until it ends or time is up."""
    level, game = rng.choice(LEVELS), rng.choice(GAMES)
    wanted = {"game": game, "player1": "human", "player2": level}
    await socket.send(json.dumps({"type": "new_game", **wanted}))
    shape = await hear(socket, tally, lambda s: s["number"] > number)
    while shape["outcome"] is None and time.monotonic() < until:
        await asyncio.sleep(rng.uniform(1.0, 2.0))
        ply = shape["ply"]
        sent = time.perf_counter()
        move = {"type": "play_move", "move": rng.choice(shape["legal"]), "ply": ply}
        await socket.send(json.dumps(move))
        shape = await hear(socket, tally, lambda s, ply=ply: s["ply"] > ply)
        tally.acknowledged_ms.append(1000 * (time.perf_counter() - sent))
        shape = await hear(socket, tally, lambda s: s["asked"] or s["outcome"] is not None, shape)
        tally.answered_s.setdefault(level, []).append(time.perf_counter() - sent)
    tally.games += shape["outcome"] is not None
    return shape


async def hear(
    socket: ClientConnection, tally: Tally, is_it: Any, shape: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Wait for a game that satisfies `is_it`; count refused messages as errors."""
    while shape is None or not is_it(shape):
        message = json.loads(await socket.recv())
        if message["type"] == "refused":
            tally.errors[message["text"]] += 1
        if message["type"] == "game":
            shape = message
    return shape


def at(values: list[float], share: float) -> float:
    """The value that the given share of the values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    """Run all sessions and print the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    args = parser.parse_args()
    tally = Tally()

    async def all_sessions(address: str) -> None:
        until = time.monotonic() + args.seconds
        await asyncio.gather(
            *(play(address, number, until, tally) for number in range(args.sessions))
        )

    with running_server() as address:
        asyncio.run(all_sessions(address))
    report(args.sessions, args.seconds, tally)


def report(sessions: int, seconds: float, tally: Tally) -> None:
    """Print counts, errors and percentiles."""
    moves, errors = tally.acknowledged_ms, sum(tally.errors.values())
    print(f"{sessions} sessions, {seconds:.0f} s: {len(moves)} moves, {tally.games} games ended")
    print(f"{errors} errors" + "".join(f"\n  {n} x {w}" for w, n in tally.errors.most_common(5)))
    shares = (0.5, 0.95, 0.99)
    words = (f"{at(moves, share):.0f} ms ({share:.0%})" for share in shares)
    print(f"a move is acknowledged within {', '.join(words)}")
    for level, waits in sorted(tally.answered_s.items()):
        print(f"{level} answers within {at(waits, 0.5):.2f} s (50%), {at(waits, 0.95):.2f} s (95%)")


if __name__ == "__main__":
    main()
