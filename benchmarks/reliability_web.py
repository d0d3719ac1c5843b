"""Checks of reliability.py that kill, flood and attack the page's server."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import random
import signal
import socket
import string
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Self

import web_load
from reliability_tally import MemoryCurve, Tally, Victim
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin

from plyground.http_connection import allow_many_connections
from plyground.json_types import JsonObject
from plyground.ui.web.config import WebConfig
from plyground.ui.web.server import address_of, listen, make_server

ECHO_S, ANSWER_S, END_S = 5.0, 15.0, 20.0
"""Longest wait for one's own move, for an agent's move and for the server's end, under attack."""
MOST_THREADS = 250
MOST_GROWTH_MB = 4.0
"""Growth of memory per 1,000 sessions that is a failure."""
PAIRS = [("human", "human"), ("human", "random"), ("random", "random"), ("human", "human")]


def serve_page(folder: Path, log: Path, settings: JsonObject, pipe: Connection) -> None:
    """Run a server; send its address."""
    with log.open("a") as errors:
        os.dup2(errors.fileno(), 2)
    allow_many_connections()
    config = WebConfig(folder, port=0, pace_s=0.0, watched_pace_s=0.01, **settings)  # type: ignore[arg-type]
    with listen(config) as listener:
        pipe.send(address_of(listener))
        with suppress(KeyboardInterrupt):
            asyncio.run(make_server(config).serve([listener]))


class Server(Victim):
    """A server of its own process on a free port."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.log = folder / "errors"
        super().__init__(serve_page, folder / "web", self.log, settings)
        self.address = str(self.receive())

    def stop(self) -> float:
        """End the server as Ctrl-C does; returns the seconds that takes."""
        began = time.monotonic()
        assert self.process.pid
        os.kill(self.process.pid, signal.SIGINT)
        self.process.join(END_S)
        took_s = time.monotonic() - began
        self.kill()
        return took_s


@contextmanager
def server(tally: Tally, **settings: object) -> Iterator[Server]:
    """A server that has to end in time and without a traceback."""
    running = Server(tally.folder, **settings)
    try:
        yield running
    finally:
        if (took_s := running.stop()) > END_S:
            tally.fail(f"the server took {took_s:.0f} s to end")
        if "Traceback" in (log := running.log.read_text(errors="replace")):
            tally.fail(f"the server wrote {log[-300:]}")
        running.log.unlink()


class Page:
    """A page without a browser, for `with`."""

    def __init__(self, address: str, session: str | None = None) -> None:
        self._socket = connect(
            f"{address.replace('http', 'ws')}play",
            origin=Origin(address.rstrip("/")),
            open_timeout=ANSWER_S,
            close_timeout=1,
        )
        self.say("hello", session=session)
        self.session = str(self.hear(lambda message: message["type"] == "welcome")["session"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._socket.close()

    def say(self, kind: str, **fields: object) -> None:
        """Send a message."""
        self._socket.send(json.dumps({"type": kind, **fields}))

    def hear(
        self, is_wanted: Callable[[JsonObject], object], wait_s: float = ANSWER_S
    ) -> JsonObject:
        """The next message that is wanted; a TimeoutError if none comes."""
        end = time.monotonic() + wait_s
        while True:
            message: JsonObject = json.loads(self._socket.recv(max(0.0, end - time.monotonic())))
            if is_wanted(message):
                return message

    def game(self, wait_s: float = ANSWER_S, **fields: object) -> JsonObject:
        """The next game with these fields."""
        wanted = {"type": "game", **fields}.items()
        return self.hear(lambda message: wanted <= message.items(), wait_s)

    def begin(self, player1: str, player2: str, game: str = "quoridor") -> JsonObject:
        """Start a game; returns its first payload."""
        self.say("new_game", game=game, player1=player1, player2=player2)
        return self.hear(lambda message: message["type"] == "game" and message["number"] != 1)


# ---- kills


class ShownGame:
    """A session, and the longest game that any of its pages has shown."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.moves: list[str] = []

    def see(self, payload: JsonObject) -> None:
        """Note a game that is shown."""
        moves = payload["moves"]
        assert isinstance(moves, list)
        if len(moves) > len(self.moves):
            self.moves = [str(move) for move in moves]


def check_shown_moves(tally: Tally) -> None:
    """`kill -9` of the server at the sight of a move: every ply that a page has shown is saved."""
    plies = 0
    running = Server(tally.folder)
    for _ in tally.rounds():
        shown = play_until_killed(running, tally.rng)
        tally.trials += 1
        running = Server(tally.folder)
        for game in shown:
            plies += len(game.moves)
            with Page(running.address, game.session) as page:
                moves = page.game()["moves"]
            assert isinstance(moves, list)
            if page.session != game.session or moves[: len(game.moves)] != game.moves:
                tally.fail(f"{len(game.moves)} plies were shown, {len(moves)} are there")
    running.kill()
    tally.measured = f"{plies:,} plies shown in {tally.trials * len(PAIRS):,} sessions"


def play_until_killed(running: Server, rng: random.Random) -> list[ShownGame]:
    """Play in several sessions; kill the server as soon as one of them shows enough moves."""
    wanted = rng.randrange(1, 30)
    games, threads = list[ShownGame](), list[threading.Thread]()
    for players in PAIRS:
        page = Page(running.address)
        payload = page.begin(*players)
        games.append(ShownGame(page.session))
        seed = rng.random()
        threads.append(
            threading.Thread(target=play, args=(page, payload, games[-1], wanted, running, seed))
        )
    threads.append(threading.Thread(target=reload_pages, args=(running.address, games[0])))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    running.kill()
    return games


def play(
    page: Page, payload: JsonObject, game: ShownGame, wanted: int, running: Server, seed: float
) -> None:
    """Play random moves until the server is gone."""
    rng, played = random.Random(seed), -1
    with suppress(WebSocketException, OSError, TimeoutError):
        while True:
            game.see(payload)
            if len(game.moves) >= wanted or payload["outcome"]:
                running.process.kill()
            ply, legal = payload["ply"], payload["legal"]
            assert isinstance(ply, int)
            assert isinstance(legal, list)
            if payload["asked"] and ply > played:  # a second move there would undo the first
                played = ply
                page.say("play_move", move=rng.choice(legal), ply=ply)
            payload = page.game()


def reload_pages(address: str, game: ShownGame) -> None:
    """Open the session in new windows until the server is gone."""
    with suppress(WebSocketException, OSError, TimeoutError):
        while True:
            with Page(address, game.session) as page:
                game.see(page.game())


# ---- one page against others


LONG_GAME = '[Game "quoridor"]\n' + " ".join(["e2", "e8", "e1", "e9"] * 5000)
LONGEST_TEXTS = [LONG_GAME[:64_000], "* " * 32_000]
DUE_S = 0.04


FIELDS: dict[str, dict[str, object]] = {
    "analyse": {"on": True, "ply": 0},
    "report": {"on": True},
}


def ask_often(kind: str, address: str, end: threading.Event) -> None:
    """Send a message 25 times a second, within the rate limit."""
    fields = FIELDS.get(kind, {})
    with suppress(WebSocketException, OSError), Page(address) as page:
        page.begin("human", "human")
        while not end.wait(DUE_S):
            page.say(kind, **fields)


def paste_long_games(address: str, end: threading.Event) -> None:
    """Paste games that are as long as a message may be."""
    with suppress(WebSocketException, OSError), Page(address) as page:
        while not end.wait(DUE_S):
            page.say("paste", text=random.choice(LONGEST_TEXTS))


def send_half_requests(address: str, end: threading.Event) -> None:
    """Open 1,100 connections with incomplete requests."""
    port = int(address.rstrip("/").rsplit(":", 1)[1])
    with ExitStack() as stack:
        for _ in range(1100):
            with suppress(OSError):
                peer = stack.enter_context(socket.create_connection(("127.0.0.1", port), 5))
                peer.sendall(b"GET / HTTP/1.1\r\nHost: ")
        end.wait()


def read_nothing(address: str, end: threading.Event) -> None:
    """Ask for long answers and never read one."""
    with suppress(WebSocketException, OSError), Page(address) as page:
        page.say("paste", text=" ".join(["e2", "e8", "e1", "e9"] * 10))
        while not end.wait(DUE_S):
            page.say("export")


ATTACKS: dict[str, Callable[[str, threading.Event], None]] = {
    "analysing": lambda address, end: ask_often("analyse", address, end),
    "hints": lambda address, end: ask_often("hint", address, end),
    "reports": lambda address, end: ask_often("report", address, end),
    "pasted games": paste_long_games,
    "half requests": send_half_requests,
    "unread answers": read_nothing,
}


def check_starving(tally: Tally) -> None:
    """One page or program that wants everything: others play on, and Ctrl-C ends the server."""
    slowest_s = dict.fromkeys(ATTACKS, 0.0)
    names = list(ATTACKS)
    for number in tally.rounds():
        name = names[number % len(names)]
        tally.trials += 1
        end = threading.Event()
        with server(tally) as running:
            attack = threading.Thread(target=ATTACKS[name], args=(running.address, end))
            attack.start()
            try:
                slowest_s[name] = max(slowest_s[name], play_beside(running, tally.rng))
            except (WebSocketException, OSError, TimeoutError) as error:
                tally.fail(f"{name}: another page is not served: {error!r}")
            threads = len(list(Path(f"/proc/{running.process.pid}/task").iterdir()))
            if threads > MOST_THREADS:
                tally.fail(f"{name}: the server has {threads} threads")
            end.set()
            attack.join()
    tally.measured = "slowest echo: " + ", ".join(
        f"{name} {seconds:.2g} s" for name, seconds in slowest_s.items() if seconds
    )


def play_beside(running: Server, rng: random.Random, seconds: float = 5.0) -> float:
    """Play against an agent while a page misbehaves; returns the slowest echo in seconds."""
    slowest_s, end = 0.0, time.monotonic() + seconds
    time.sleep(0.5)
    while time.monotonic() < end:
        with Page(running.address) as page:
            payload = page.begin("human", "random")
            while payload["outcome"] is None and time.monotonic() < end:
                ply, legal = payload["ply"], payload["legal"]
                assert isinstance(ply, int)
                assert isinstance(legal, list)
                sent = time.monotonic()
                page.say("play_move", move=rng.choice(legal), ply=ply)
                payload = page.hear(is_after(ply), ECHO_S)
                slowest_s = max(slowest_s, time.monotonic() - sent)
                if not (payload["asked"] or payload["outcome"]):
                    payload = page.hear(is_after(ply + 1))
                time.sleep(0.05)
    return slowest_s


def is_after(ply: int) -> Callable[[JsonObject], bool]:
    """Whether a message is a game with moves after a ply."""
    return lambda message: message["type"] == "game" and int(str(message["ply"])) > ply


# ---- strangers


HOSTS = ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "", "[::2]", "a@b"]
PATHS = ["..", "%2e%2e", "..%2f", "%00", "\\..", "//", "web", "static", "/etc/passwd", "....//"]


def check_strangers(tally: Tally) -> None:
    """Foreign host names, origins and paths, and guessed sessions: nothing is served."""
    with server(tally) as running:
        with Page(running.address) as page:
            page.begin("human", "human")
            page.say("play_move", move="e2", ply=0)
            page.game(ply=1)
            secret = page.session
        tries = [try_host, try_path, try_origin, try_session]
        for number in tally.rounds():
            tally.trials += 1
            try:
                if problem := tries[number % len(tries)](running.address, secret, tally.rng):
                    tally.fail(problem)
            except (WebSocketException, OSError, TimeoutError) as error:
                tally.fail(f"the server does not answer: {error!r}")


def get(address: str, path: str, host: str | None = None) -> tuple[int, bytes]:
    """Request a path as it is written; returns status and body."""
    port = int(address.rstrip("/").rsplit(":", 1)[1])
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    try:
        link.putrequest("GET", path, skip_host=True)
        link.putheader("Host", f"127.0.0.1:{port}" if host is None else host)
        link.endheaders()
        answer = link.getresponse()
        return answer.status, answer.read()
    finally:
        link.close()


def try_host(address: str, secret: str, rng: random.Random) -> str:
    """Request the page by another host name."""
    del secret
    host = rng.choice(HOSTS) or "".join(rng.choices(string.ascii_lowercase + ".-", k=9))
    host += rng.choice(["", ":80", f":{address.rstrip('/').rsplit(':', 1)[1]}"])
    status, _ = get(address, "/", host)
    return f"the host {host!r} got {status}" if status not in (400, 403) else ""


def try_path(address: str, secret: str, rng: random.Random) -> str:
    """Request a file outside the page's folder."""
    parts = rng.choices([*PATHS, f"{secret}.json", "server.py", "errors"], k=rng.randrange(1, 7))
    path = "/" + "/".join(parts)
    status, body = get(address, path)
    is_outside = status == 200 and b"<!doctype html>" not in body[:20].lower()
    return f"{path!r} is served" if is_outside or secret.encode() in body else ""


def try_origin(address: str, secret: str, rng: random.Random) -> str:
    """Connect as a page from elsewhere."""
    del secret
    own = address.rstrip("/")
    origin = rng.choice([None, "null", "http://evil.example", own + "0", own + ".evil", "file://"])
    try:
        with connect(
            f"{address.replace('http', 'ws')}play",
            origin=None if origin is None else Origin(origin),
            open_timeout=ANSWER_S,
        ):
            return f"a page from {origin!r} is connected"
    except WebSocketException:
        return ""


def try_session(address: str, secret: str, rng: random.Random) -> str:
    """Guess the id of a session."""
    wrong = list(secret)
    wrong[rng.randrange(len(wrong))] = rng.choice("/.%*?\x00é ")
    guesses = ["".join(wrong), f"../web/{secret}", f"{secret}.json", secret.swapcase(), secret[:-1]]
    guess = rng.choice([*guesses, "".join(rng.choices(string.ascii_letters, k=22)), "../errors"])
    with Page(address, guess) as page:
        moves = page.game()["moves"]
        is_taken = page.session in (secret, guess) or moves
        return f"the session {guess!r} is opened" if is_taken else ""


# ---- many players, many sessions


def check_players(tally: Tally, players: int = 100) -> None:
    """A hundred people at once: no error, and each sees his move soon."""
    found = web_load.load(players, tally.seconds)
    tally.trials = len(found.acknowledged_ms)
    for what, number in found.errors.items():
        tally.fail(f"{number} times: {what}")
    echoes = (f"{web_load.at(found.acknowledged_ms, share):.0f}" for share in (0.5, 0.95, 0.99))
    tally.measured = f"moves of {players} players; echo {', '.join(echoes)} ms (50, 95, 99%)"


def check_sessions(tally: Tally) -> None:
    """Sessions in one server, of which 50 stay active: memory does not grow with their number."""
    with server(tally, most_active=50, most_stored=200) as running, ThreadPoolExecutor(8) as pool:
        memory = MemoryCurve(running.process.pid or "self")
        for _ in tally.rounds():
            for error in pool.map(visit, [running.address] * 20):
                tally.trials += 1
                if error:
                    tally.fail(f"a session is not served: {error}")
            if tally.trials >= 200:
                memory.sample(tally.trials)
        memory.sample(tally.trials)
    tally.measured = str(memory)
    if tally.trials > 1000 and memory.growth > MOST_GROWTH_MB:
        tally.fail(f"the server's memory grows: {memory}")


def visit(address: str) -> str:
    """Begin a session, play a move and leave once it is answered; returns what went wrong."""
    try:
        with Page(address) as page:
            page.begin("human", "random")
            page.say("play_move", move="e2", ply=0)
            page.hear(is_after(1))
    except (WebSocketException, OSError, TimeoutError) as error:
        return repr(error)
    return ""
