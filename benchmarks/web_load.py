"""Load-test the web server with many games and measure how fast it acknowledges moves.

    python benchmarks/web_load.py --sessions 100 --seconds 60
    python benchmarks/web_load.py --invited 200 --seconds 60

Starts `plyground web` on a free port with its own data folder. Each session plays games of Quoridor
and Reversi against a level. Its simulated user waits one or two seconds and plays a random legal
move. A move is acknowledged when the server sends the game with that move in it. Invited games are
between two simulated users with a connection each, who ask for a rematch at the end; what the
opponent waits for a move is measured as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TypedDict

from web_server import running_server
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from plyground.games import registry

LEVELS = ("easy", "normal", "hard", "expert")
GAMES = tuple(registry.games())


class GamePayload(TypedDict):
    """The fields of a game's message that a session needs."""

    number: int
    ply: int
    legal: list[str]
    asked: bool
    outcome: dict[str, str] | None
    can_play: bool
    shared: dict[str, object]


@dataclass
class Tally:
    """Counts and times over all sessions."""

    acknowledged_ms: list[float] = field(default_factory=list)
    shown_ms: list[float] = field(default_factory=list)
    """Milliseconds until the opponent of an invited game has a move."""
    answered_s: dict[str, list[float]] = field(default_factory=dict)
    """Seconds until each level answered, including queueing."""
    games: int = 0
    errors: Counter[str] = field(default_factory=Counter)


async def play(address: str, number: int, until: float, tally: Tally) -> None:
    """Run one session until the given time."""
    rng = random.Random(number)
    await asyncio.sleep(rng.random() * 2)
    try:
        async with open_socket(address) as socket:
            await socket.send(json.dumps({"type": "hello"}))
            payload = await receive(socket, tally, lambda payload: True)  # noqa: ARG005
            while time.monotonic() < until:
                payload = await play_game(socket, rng, until, tally, payload["number"])
    except Exception as error:  # noqa: BLE001  every error counts
        tally.errors[f"{type(error).__name__}: {error}"] += 1


async def play_game(
    socket: ClientConnection, rng: random.Random, until: float, tally: Tally, number: int
) -> GamePayload:
    """Start the game after game `number` and play it until it ends or time is up."""
    level, game = rng.choice(LEVELS), rng.choice(GAMES)
    wanted = {"game": game, "player1": "human", "player2": level}
    await socket.send(json.dumps({"type": "new_game", **wanted}))
    payload = await receive(socket, tally, lambda new: new["number"] > number)
    while payload["outcome"] is None and time.monotonic() < until:
        await asyncio.sleep(rng.uniform(1.0, 2.0))
        ply = payload["ply"]
        sent = time.perf_counter()
        move = {"type": "play_move", "move": rng.choice(payload["legal"]), "ply": ply}
        await socket.send(json.dumps(move))
        payload = await receive(socket, tally, partial(is_after, ply))
        tally.acknowledged_ms.append(1000 * (time.perf_counter() - sent))
        payload = await receive(socket, tally, is_waiting, payload)
        tally.answered_s.setdefault(level, []).append(time.perf_counter() - sent)
    tally.games += payload["outcome"] is not None
    return payload


def is_after(ply: int, payload: GamePayload) -> bool:
    """Whether a move was played after a ply."""
    return payload["ply"] > ply


def is_waiting(payload: GamePayload) -> bool:
    """Whether the game waits for the person or is over."""
    return payload["asked"] or payload["outcome"] is not None


async def receive(
    socket: ClientConnection,
    tally: Tally,
    is_wanted: Callable[[GamePayload], bool],
    payload: GamePayload | None = None,
) -> GamePayload:
    """Wait for a game that satisfies `is_wanted`; count refused messages as errors."""
    while payload is None or not is_wanted(payload):
        message = json.loads(await socket.recv())
        if message["type"] == "refused":
            tally.errors[message["text"]] += 1
        if message["type"] == "game":
            payload = message
    return payload


async def play_invited(address: str, number: int, until: float, tally: Tally) -> None:
    """Create an invited game and play it with two connections until the given time."""
    rng = random.Random(number)
    await asyncio.sleep(rng.random() * 2)
    try:
        async with open_socket(address) as socket:
            await socket.send(json.dumps({"type": "hello"}))
            wanted = {"type": "invite", "game": rng.choice(GAMES), "seat": 1, "time": "600+5"}
            await socket.send(json.dumps(wanted))
            message: dict[str, str] = {"type": ""}
            while message["type"] != "invited":
                message = json.loads(await socket.recv())
        sent: dict[tuple[int, int], float] = {}
        people = (
            play_one_side(address, message["game"], message[key], rng, tally, sent)
            for key in ("key", "other_key")
        )
        with suppress(TimeoutError):
            async with asyncio.timeout(until - time.monotonic()):
                await asyncio.gather(*people)
    except Exception as error:  # noqa: BLE001  every error counts
        tally.errors[f"{type(error).__name__}: {error}"] += 1


async def play_one_side(
    address: str,
    game: str,
    key: str,
    rng: random.Random,
    tally: Tally,
    sent: dict[tuple[int, int], float],
) -> None:
    """Play one side of an invited game; `sent` has the time of each move by game and ply."""
    async with open_socket(address) as socket:
        await socket.send(json.dumps({"type": "hello", "invited": game, "key": key}))
        payload = await receive(socket, tally, lambda payload: True)  # noqa: ARG005
        while True:
            ply = payload["ply"]
            if payload["can_play"]:
                await asyncio.sleep(rng.uniform(1.0, 2.0))
                began = sent[payload["number"], ply + 1] = time.perf_counter()
                move = {"type": "play_move", "move": rng.choice(payload["legal"]), "ply": ply}
                await socket.send(json.dumps(move))
                payload = await receive(socket, tally, partial(is_after, ply))
                tally.acknowledged_ms.append(1000 * (time.perf_counter() - began))
            elif payload["outcome"] is not None:
                payload = await agree_on_rematch(socket, tally, payload)
            else:
                payload = await receive(socket, tally, is_ready)
                if began := sent.pop((payload["number"], payload["ply"]), 0.0):
                    tally.shown_ms.append(1000 * (time.perf_counter() - began))


async def agree_on_rematch(
    socket: ClientConnection, tally: Tally, payload: GamePayload
) -> GamePayload:
    """Offer a rematch as player 1, or accept it as player 2; the new game."""
    if payload["shared"]["you"] == 1:
        tally.games += 1
        await socket.send(json.dumps({"type": "make_offer", "kind": "rematch"}))
    else:
        await receive(socket, tally, lambda new: new["shared"]["offer"] is not None)
        await socket.send(json.dumps({"type": "answer_offer", "accept": True}))
    return await receive(socket, tally, lambda new: new["number"] > payload["number"])


def is_ready(payload: GamePayload) -> bool:
    """Whether a player of an invited game has something to do."""
    return payload["can_play"] or payload["outcome"] is not None


def open_socket(address: str) -> connect:
    """Connect as the page does."""
    return connect(f"{address.replace('http', 'ws')}play", origin=Origin(address.rstrip("/")))


def at(values: list[float], share: float) -> float:
    """The value that the given share of the values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def load(sessions: int, seconds: float, invited: int = 0) -> Tally:
    """Run a server with sessions, or else invited games, that are played for this time."""
    tally = Tally()
    person = play_invited if invited else play

    async def all_sessions(address: str) -> None:
        until = time.monotonic() + seconds
        numbers = range(invited or sessions)
        await asyncio.gather(*(person(address, number, until, tally) for number in numbers))

    with running_server() as address:
        asyncio.run(all_sessions(address))
    return tally


def main() -> None:
    """Run all sessions and print the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument(
        "--invited", type=int, default=0, help="games between two people, instead of sessions"
    )
    parser.add_argument("--seconds", type=float, default=60)
    args = parser.parse_args()
    what = f"{args.invited} invited games" if args.invited else f"{args.sessions} sessions"
    before = os.getloadavg()[0]
    tally = load(args.sessions, args.seconds, args.invited)
    print(f"load before and after: {before:.1f}, {os.getloadavg()[0]:.1f}")
    report(f"{what}, {args.seconds:.0f} s", tally)


def percentiles(values: list[float]) -> str:
    """The times within which half, 95% and 99% of the moves are done."""
    return ", ".join(f"{at(values, share):.0f} ms ({share:.0%})" for share in (0.5, 0.95, 0.99))


def report(conditions: str, tally: Tally) -> None:
    """Print counts, errors and percentiles."""
    moves, errors = tally.acknowledged_ms, sum(tally.errors.values())
    print(f"{conditions}: {len(moves)} moves, {tally.games} games ended")
    print(f"{errors} errors" + "".join(f"\n  {n} x {w}" for w, n in tally.errors.most_common(5)))
    print(f"a move is acknowledged within {percentiles(moves)}")
    if tally.shown_ms:
        print(f"the opponent has it within {percentiles(tally.shown_ms)}")
    for level, waits in sorted(tally.answered_s.items()):
        print(f"{level} answers within {at(waits, 0.5):.2f} s (50%), {at(waits, 0.95):.2f} s (95%)")


if __name__ == "__main__":
    main()
