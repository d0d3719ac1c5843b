"""The REST server: POST a position of a game, get an agent's move, as JSON over HTTP.

`openapi.py` describes it. The size of bodies, the time of searches and the number of waiting
requests are limited; a request that would wait too long is answered by 503. It needs the extra
`web`.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import perf_counter
from typing import TypeAlias

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from plyground import __version__
from plyground.agents.base import Forfeit, ForfeitKind
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.games.score import EXPECTED_RESULT
from plyground.http_connection import limited_protocol
from plyground.http_host import LOOPBACK, HostCheck
from plyground.json_types import JsonObject
from plyground.play.seat import Seat
from plyground.play.worker import one_line
from plyground.search.result import SearchResult
from plyground.serve.bind import Bind
from plyground.serve.move_request import InvalidJsonError, MoveRequest, parse_request
from plyground.serve.openapi import description

LONGEST = 1 << 17
"""Bytes of a body: enough for the most moves, with each letter as an escape sequence."""
SENDING_S = 10.0
"""Seconds a peer may take to send a body."""
IDLE = 128
"""Connections beyond those that are searched or wait for a search."""
GRACE_S = 2.0
"""Seconds that a search may take beyond its limit before it is given up."""


@dataclass(frozen=True, slots=True)
class RestConfig:
    """The agent, its game, and the limits of the server."""

    agent: str
    game: AnyGame = field(default_factory=registry.default)
    max_time_s: float = 5.0
    """The longest search for a move, in seconds."""
    concurrency: int = 1
    """Searches at a time, each by an agent of its own."""
    queue: int = 16
    """Requests that may wait for a search."""
    origins: tuple[str, ...] = ()
    """Origins of pages that may send requests from a browser."""
    names: tuple[str, ...] = ()
    """Host names that requests may have beside `localhost` and addresses."""

    def __post_init__(self) -> None:
        if not 0 < self.max_time_s <= 3600:
            raise ConfigError(f"expected seconds for a move up to 3600, got {self.max_time_s!r}")


class _SearchTimedOut(Exception):  # noqa: N818  not an error
    """Ends a search that takes too long."""


TimedResult: TypeAlias = tuple[SearchResult, float]
"""A result, and the seconds it took."""


class SearchQueue:
    """A queue of requests, and the agents that search them."""

    def __init__(self, config: RestConfig) -> None:
        self.config = config
        self._seats = [Seat.of(config.agent, config.game) for _ in range(config.concurrency)]
        if any(seat.is_person for seat in self._seats):
            raise ConfigError("expected an agent to serve, got 'human'")
        self._executor = ThreadPoolExecutor(config.concurrency, "plyground-rest")
        self._pending = 0
        """Requests that wait or are being searched."""

    def prepare(self) -> None:
        """Start the agents' programs; a Forfeit if one does not start."""
        for seat in self._seats:
            if seat.agent is not None:
                seat.agent.prepare()

    async def search(self, request: MoveRequest) -> TimedResult:
        """Search a request; a TimeoutError when the queue is full, or the search takes too long."""
        if self._pending >= self.config.concurrency + self.config.queue:
            raise TimeoutError("too many requests are waiting; try again later")
        self._pending += 1
        task = asyncio.get_running_loop().run_in_executor(self._executor, self._search, request)
        task.add_done_callback(self._done)
        # Every request that waits before this one may take the longest time.
        rounds = 1 + self.config.queue / self.config.concurrency
        longest_s = (self.config.max_time_s + GRACE_S) * rounds
        try:
            return await asyncio.wait_for(asyncio.shield(task), longest_s)
        except (TimeoutError, _SearchTimedOut):
            raise TimeoutError("the search took too long; try again later") from None

    def _done(self, task: asyncio.Future[TimedResult]) -> None:
        self._pending -= 1
        if not task.cancelled():
            task.exception()  # retrieved, since the request may have timed out

    def _search(self, request: MoveRequest) -> TimedResult:
        seat = self._seats.pop()
        started = perf_counter()

        def check_time(_: SearchResult) -> None:
            if perf_counter() - started > self.config.max_time_s + GRACE_S:
                raise _SearchTimedOut

        try:
            assert seat.agent is not None
            if request.limits is not None:
                seat.agent.check_kept(request.limits)
            limits = seat.agent.limits_for(request.limits, self.config.max_time_s)
            result = seat.search(request.state, limits, check_time)
            if not request.state.is_legal(result.best_move):
                raise Forfeit(f"illegal move {result.best_move}", ForfeitKind.ILLEGAL_MOVE)
            return result, perf_counter() - started
        except (ConfigError, IllegalMoveError, NotationError, Forfeit, _SearchTimedOut):
            raise
        except Exception as error:
            logging.getLogger(__name__).exception("the agent failed")
            raise Forfeit.of(error) from None
        finally:
            self._seats.append(seat)


class _Api:
    """The requests that the server answers."""

    def __init__(self, config: RestConfig, queue: SearchQueue) -> None:
        self._config = config
        self._queue = queue
        self._description = description(config.agent, config.game, config.max_time_s)

    async def move(self, request: Request) -> Response:
        """Search a position."""
        config = self._config
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return _error(415, "expected the content type application/json")
        try:
            body = await asyncio.wait_for(_body(request), SENDING_S)
            if body is None:
                return _error(413, f"expected a body of up to {LONGEST} bytes")
            parsed = parse_request(body, config.game, config.max_time_s)
            result, took_s = await self._queue.search(parsed)
        except InvalidJsonError as error:
            return _error(400, str(error))
        except (ConfigError, IllegalMoveError, NotationError) as error:
            return _error(422, str(error))
        except Forfeit as failure:
            return _error(502, f"the agent failed: {failure.termination}", failure.kind)
        except asyncio.CancelledError:  # the server is stopping
            return _error(503, "the server is stopping")
        except TimeoutError as error:
            return _error(503, str(error) or "the request took too long to arrive")
        return JSONResponse(_move_response(parsed.state, result, took_s))

    async def agent(self, _: Request) -> Response:
        """Name the agent and its limits."""
        config = self._config
        return JSONResponse(
            {
                "agent": config.agent,
                "game": config.game.name,
                "max_time_s": config.max_time_s,
                "version": __version__,
            }
        )

    async def openapi(self, _: Request) -> Response:
        """Describe the requests and answers."""
        return JSONResponse(self._description)


def make_app(config: RestConfig, queue: SearchQueue | None = None) -> Starlette:
    """The application, for any ASGI server."""
    api = _Api(config, queue or SearchQueue(config))
    host_check = Middleware(
        HostCheck, names=(*LOOPBACK, *config.names), any_address=True, refuse=_unknown_host
    )
    cors = Middleware(
        CORSMiddleware,
        allow_origins=list(config.origins),
        allow_methods=["GET", "POST"],
        allow_headers=["Content-Type"],
    )
    return Starlette(
        routes=[
            Route("/move", api.move, methods=["POST"]),
            Route("/agent", api.agent, methods=["GET"]),
            Route("/openapi.json", api.openapi, methods=["GET"]),
        ],
        middleware=[host_check, cors] if config.origins else [host_check],
        exception_handlers={HTTPException: _http_error},
    )


def serve(config: RestConfig, address: str, port: int) -> None:
    """Print the address, and serve until Ctrl-C; a Forfeit if the agent does not start."""
    queue = SearchQueue(config)
    queue.prepare()
    app = make_app(config, queue)
    bind = Bind(address, port)
    try:
        listener = socket.create_server((address, port), family=bind.family)
    except OSError as error:
        raise bind.error(error) from None
    with listener:
        print(f"Listening on {bind.format(listener.getsockname()[1])}", flush=True)
        make_server(app, config).run(sockets=[listener])


def make_server(app: Starlette, config: RestConfig) -> uvicorn.Server:
    """The HTTP server of the application, with limits on connections and requests."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            # On h11, which limits the size of incomplete requests.
            http=limited_protocol(config.concurrency + config.queue + IDLE),
            ws="none",
            log_level="error",  # malformed requests are not worth a warning
            access_log=False,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=1,  # pending requests are dropped
            h11_max_incomplete_event_size=1 << 15,
            server_header=False,
        )
    )


async def _body(request: Request) -> bytes | None:
    """The body, or None as soon as it is too long."""
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LONGEST:
                return None
    except ClientDisconnect:
        return b""
    return body


def _error(status: int, reason: str, forfeit: ForfeitKind | None = None) -> Response:
    headers = {"Retry-After": "1"} if status == 503 else None
    content = {"error": one_line(reason, 500)}
    if forfeit is not None:
        content["forfeit"] = forfeit.value
    return JSONResponse(content, status, headers)


async def _http_error(_: Request, error: Exception) -> Response:
    """Answer a request for an unknown path, or by another method."""
    assert isinstance(error, HTTPException)
    response = _error(error.status_code, error.detail.lower())
    response.headers.update(error.headers or {})
    return response


def _unknown_host(name: str) -> Response:
    return _error(403, f"unknown host name {name!r}; the server's option --name adds one")


def _move_response(state: State, result: SearchResult, took_s: float) -> JsonObject:
    line, after = list[str](), state
    for action in result.pv or [result.best_move]:
        if not after.is_legal(action):  # the line of another program is not checked yet
            break
        line.append(after.format_move(action))
        after = after.play(action)
    score, unit = _score(state, result)
    evaluates = result.score is not None
    return {
        "move": line[0],
        "player": state.current_player,
        "position": state.play(result.best_move).text(),
        "score": score,
        "unit": unit,
        "win_in": result.win_in,
        "exact": result.exact,
        "depth": result.depth if evaluates else None,
        "nodes": result.nodes_searched if evaluates else None,
        "time_ms": round(took_s * 1000, 3),
        "line": [*line],
    }


def _score(state: State, result: SearchResult) -> tuple[float | None, str | None]:
    """A score and its unit; null for a proven result, which `win_in` tells."""
    score = result.score
    if score is None or score.win_in is not None:
        return None, None
    in_points = score.unit == state.game.unit
    return score.value, (state.game.unit if in_points else EXPECTED_RESULT).name
