"""An agent for people with a site of their own: POST a position, get a move, over HTTP and JSON.

`openapi.py` describes it. Bodies are small, thinking is short, and few positions are thought about
at a time; who comes when too many wait is asked to try again. It needs the extra `web`.
"""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from plyground import __version__
from plyground.agents import LevelAgent
from plyground.agents.base import Forfeit
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import quoridor, registry
from plyground.play.seat import Seat
from plyground.play.worker import one_line
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.serve.bind import Bind
from plyground.serve.impatient import Impatient
from plyground.serve.openapi import description
from plyground.serve.question import NotJsonError, Question, read_question

LONGEST = 1 << 17
"""Bytes of a request's body: as many moves as may be sent, each letter as an escape."""
SENDING_S = 10.0
"""How long a peer may take to send it."""
GRACE_S = 2.0
"""How much longer than it may think an agent is waited for."""


@dataclass(frozen=True, slots=True)
class RestConfig:
    """Who is served, and how much of it."""

    agent: str
    game: str = "quoridor"
    max_time_s: float = 5.0
    """The most seconds for a move."""
    concurrency: int = 1
    """Moves thought about at a time."""
    queue: int = 16
    """Requests that may wait for that."""
    origins: tuple[str, ...] = ()
    """Sites whose pages may ask, from a browser."""

    def __post_init__(self) -> None:
        if not 0 < self.max_time_s <= 3600:
            raise ConfigError(f"expected seconds for a move up to 3600, got {self.max_time_s!r}")


class _Late(Exception):  # noqa: N818  nobody's mistake
    """Ends a search that takes too long."""


@dataclass(frozen=True, slots=True)
class Found:
    """A move, and what its agent told of it."""

    move: int
    result: SearchResult | None
    score: float | None
    unit: str | None
    took_s: float


class Thinkers:
    """A few agents of a kind, and a queue before them."""

    def __init__(self, config: RestConfig) -> None:
        self.config = config
        self._seats = [Seat.of(config.agent, config.game) for _ in range(config.concurrency)]
        if any(seat.is_person for seat in self._seats):
            raise ConfigError("expected an agent to serve, got 'human'")
        self._executor = ThreadPoolExecutor(config.concurrency, "plyground-rest")
        self._waiting = 0
        """Questions that were taken, those being thought about included."""

    async def ask(self, question: Question) -> Found:
        """What an agent finds; a TimeoutError when there is no room, or it takes too long."""
        if self._waiting >= self.config.concurrency + self.config.queue:
            raise TimeoutError("too many positions are being thought about; try again later")
        self._waiting += 1
        task = asyncio.get_running_loop().run_in_executor(self._executor, self._think, question)
        task.add_done_callback(self._done)
        # Each before it in the queue may take its time; nobody is to wait for ever.
        rounds = 1 + self.config.queue / self.config.concurrency
        longest_s = (self.config.max_time_s + GRACE_S) * rounds
        try:
            return await asyncio.wait_for(asyncio.shield(task), longest_s)
        except (TimeoutError, _Late):
            raise TimeoutError("it took too long to find a move; try again later") from None

    def _done(self, task: asyncio.Future[Any]) -> None:
        self._waiting -= 1
        if not task.cancelled():
            task.exception()  # has been told, or nobody waits any more

    def _think(self, question: Question) -> Found:
        seat = self._seats.pop()
        started = perf_counter()

        def progress(_: SearchResult) -> None:
            if perf_counter() - started > self.config.max_time_s + GRACE_S:
                raise _Late

        try:
            move, result = seat.think(question.state, self._limits(seat, question), progress)
            if not question.state.is_legal(move):
                raise Forfeit(f"illegal move {move}")
            score, unit = _score(seat, question.state, result)
            return Found(move, result, score, unit, perf_counter() - started)
        finally:
            self._seats.append(seat)

    def _limits(self, seat: Seat, question: Question) -> SearchLimits | None:
        """What was asked for or is the agent's own, within what is allowed."""
        own: SearchLimits | None = getattr(seat.agent, "limits", None)
        if own is None and not isinstance(seat.agent, LevelAgent):
            return None  # an agent that cannot be limited
        limits = question.limits or own or SearchLimits()
        times = [self.config.max_time_s, *(t for t in [limits.time_s] if t is not None)]
        return replace(limits, time_s=min(times))


def make_app(config: RestConfig) -> Starlette:
    """The application, for any ASGI server."""
    thinkers = Thinkers(config)
    document = description(config.agent, config.game, config.max_time_s)

    async def move(request: Request) -> Response:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return _error(415, "expected the content type application/json")
        try:
            body = await asyncio.wait_for(_body(request), SENDING_S)
            if body is None:
                return _error(413, f"expected a body of up to {LONGEST} bytes")
            question = read_question(body, config.game, config.max_time_s)
            found = await thinkers.ask(question)
        except NotJsonError as error:
            return _error(400, str(error))
        except (ConfigError, IllegalMoveError, NotationError) as error:
            return _error(422, str(error))
        except Forfeit as failure:
            return _error(502, f"the agent failed: {failure}")
        except TimeoutError as error:
            return _error(503, str(error) or "the question took too long to arrive")
        return JSONResponse(_answer(question.state, found, config.game))

    async def agent(_: Request) -> Response:
        return JSONResponse(
            {
                "agent": config.agent,
                "game": config.game,
                "max_time_s": config.max_time_s,
                "version": __version__,
            }
        )

    async def openapi(_: Request) -> Response:
        return JSONResponse(document)

    middleware = [
        Middleware(
            CORSMiddleware,
            allow_origins=list(config.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Content-Type"],
        )
    ]
    return Starlette(
        routes=[
            Route("/move", move, methods=["POST"]),
            Route("/agent", agent, methods=["GET"]),
            Route("/openapi.json", openapi, methods=["GET"]),
        ],
        middleware=middleware if config.origins else [],
    )


def serve(config: RestConfig, address: str, port: int) -> None:
    """Serve until Ctrl-C, and say where."""
    app = make_app(config)
    where = Bind(address, port)
    try:
        listener = socket.create_server((address, port), family=where.family)
    except OSError as error:
        raise where.refused(error) from None
    with listener:
        print(f"Listening on {where.told(listener.getsockname()[1])}", flush=True)
        make_server(app, config).run(sockets=[listener])


def make_server(app: Starlette, config: RestConfig) -> uvicorn.Server:
    """What brings requests to the application, and keeps no peer for long that sends none."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=Impatient,  # with h11, which has a limit on what is not yet a request
            ws="none",
            log_level="error",  # a peer that sends nonsense is nothing to write about
            access_log=False,
            limit_concurrency=config.concurrency + config.queue + 32,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=1,  # whoever waits for an answer then has to ask again
            h11_max_incomplete_event_size=1 << 15,
            server_header=False,
        )
    )


async def _body(request: Request) -> bytes | None:
    """The body, or None if it is too long, found out before it is there."""
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LONGEST:
                return None
    except ClientDisconnect:
        return b""
    return body


def _score(seat: Seat, state: Any, result: SearchResult | None) -> tuple[float | None, str | None]:
    """A score and its unit; where the end is proven, that says more than any score."""
    if result is None or result.win_in is not None:
        return None, None
    unit = "value"
    if seat.counts_points(state):
        unit = "steps" if isinstance(state, quoridor.State) else "discs"
    return seat.score(state, result), unit


def _error(status: int, words: str) -> Response:
    headers = {"Retry-After": "1"} if status == 503 else None
    return JSONResponse({"error": one_line(words, 500)}, status, headers)


def _answer(state: Any, found: Found, game: str) -> dict[str, Any]:
    rules, told = registry.get(game), found.result
    line, after = [], state
    for action in told.pv if told is not None and told.pv else [found.move]:
        if action not in after.legal_actions():  # another program's line may be anything
            break
        line.append(rules.format_action(after, action))
        after = after.play(action)
    return {
        "move": line[0],
        "player": state.current_player,
        "position": state.play(found.move).text(),
        "score": found.score,
        "unit": found.unit,
        "win_in": None if told is None else told.win_in,
        "depth": None if told is None else told.depth,
        "nodes": None if told is None else told.nodes_searched,
        "time_ms": round(found.took_s * 1000, 3),
        "line": line,
    }
