"""An agent behind an XML-RPC server of the course's protocol: `http://localhost:8000`.

The server is not trusted: connections, sizes and times are bounded, and an answer that is not a
legal move raises a Forfeit with the reason.
"""

from __future__ import annotations

import http.client
import socket
import threading
from time import monotonic
from urllib.parse import urlsplit

from plyground.agents.base import Agent, Forfeit, ForfeitKind, legal_actions
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import base
from plyground.games.base import Action
from plyground.games.quoridor import State, expect_state
from plyground.hints import reason_of
from plyground.protocol.course import Percepts, percepts_of, read_action
from plyground.protocol.xmlrpc import LONGEST, Encodable, Fault, Value, read_response, write_call
from plyground.search.limits import SearchLimits

GRACE_S = 1.0
"""Seconds that an answer is awaited after the credit is used up."""
UNTIMED_S = 600.0
"""Seconds that an answer is awaited in a game without a clock."""
CHUNK = 1 << 16


class RemoteAgent(Agent):
    """Plays the answers of a server, which is initialised with its first move at the latest.

    The time left on the clock is sent as the credit; None is sent in a game without a clock.
    """

    default_limits = None
    kept_limits = ()

    def __init__(self, url: str) -> None:
        self.url = self.name = url
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
            (host or "").encode("idna")  # as the name is looked up
        except ValueError as error:
            raise ConfigError(
                f"expected an address like http://localhost:8000, got {url!r}: {error}"
            ) from None
        plain = url.isascii() and url.isprintable() and " " not in url
        if parts.scheme != "http" or not host or not plain or parts.query or parts.fragment:
            raise ConfigError(f"expected an address like http://localhost:8000, got {url!r}")
        self._address = (host, 80 if port is None else port)
        self._path = parts.path or "/RPC2"
        self._percepts: Percepts | None = None
        """The last position that the server was sent in this game; None before the first call."""

    def select_action(self, state: base.State, limits: SearchLimits | None = None) -> int:
        """Ask for a move; a wrong answer or none raises a Forfeit."""
        legal_actions(state)
        return Action.of(state, self._ask(expect_state(state), limits))

    def _ask(self, state: State, limits: SearchLimits | None) -> int:
        credit_s = None if limits is None else limits.clock_s
        asked = monotonic()
        if self._percepts is None:
            self.initialize(state, state.current_player, credit_s)
            if credit_s is not None:
                credit_s -= monotonic() - asked
        percepts = percepts_of(state, self._percepts)
        player = state.current_player - 1
        answer = self._call(credit_s, "play", percepts, player, state.move_count + 1, credit_s)
        try:
            action = read_action(answer, state)
        except NotationError as error:
            raise Forfeit(f"invalid action: {error}", ForfeitKind.NONSENSE) from None
        except IllegalMoveError as error:
            raise Forfeit(str(error), ForfeitKind.ILLEGAL_MOVE) from None
        # Percepts list walls in order: the agent's wall precedes the opponent's reply.
        self._percepts = percepts_of(state.play(action), percepts)
        return action

    def initialize(self, state: State, player: int, credit_s: float | None = None) -> None:
        """Start a game from this state, with the agent as player 1 or 2."""
        percepts = self._percepts = percepts_of(state)
        try:
            self._call(credit_s, "initialize", percepts, [player - 1, player + 1], credit_s)
        except Forfeit as failure:
            if failure.kind is ForfeitKind.TIME:
                raise
            raise Forfeit(failure.reason, ForfeitKind.NO_START) from None

    def new_game(self) -> None:
        """Forget the game, so that the next move initialises the server again."""
        self._percepts = None

    def _call(self, credit_s: float | None, method: str, *arguments: Encodable) -> Value:
        """Call a method; retry once if the connection drops before an answer."""
        within_s = UNTIMED_S if credit_s is None else max(credit_s, 0.0) + GRACE_S
        deadline = monotonic() + within_s
        body = write_call(method, *arguments)
        try:
            try:
                answer = self._post(body, deadline)
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                answer = self._post(body, deadline)
        except TimeoutError:
            if credit_s is not None:
                raise Forfeit("time", ForfeitKind.TIME) from None
            raise Forfeit(f"no answer in {within_s:g} s", ForfeitKind.SILENCE) from None
        except OSError as error:
            raise Forfeit(f"no connection: {reason_of(error)}", ForfeitKind.CRASH) from None
        except (
            http.client.HTTPException,
            ValueError,
        ) as error:  # http.client raises ValueError for bad chunk lengths
            words = f"{type(error).__name__} {error}".strip()
            raise Forfeit(f"malformed answer: {words[:100]}", ForfeitKind.NONSENSE) from None
        try:
            value = read_response(answer)
        except NotationError as error:
            raise Forfeit(f"malformed answer: {error}", ForfeitKind.NONSENSE) from None
        if isinstance(value, Fault):
            raise Forfeit(f"fault: {value.message[:150]}", ForfeitKind.CRASH)
        return value

    def _post(self, body: bytes, deadline: float) -> bytes:
        """The body of the answer; a TimeoutError unless all of it arrives before the deadline."""
        left = deadline - monotonic()
        if left <= 0:
            raise TimeoutError
        connection = http.client.HTTPConnection(*self._address, timeout=left)
        is_late = threading.Event()
        try:
            connection.connect()
            stop = threading.Timer(
                max(deadline - monotonic(), 0.0), _abort, (connection.sock, is_late)
            )
            stop.daemon = True
            stop.start()
            try:
                connection.request(
                    "POST", self._path, body,
                    {"Content-Type": "text/xml", "User-Agent": "Plyground"},
                )  # fmt: skip
                response = connection.getresponse()
                answer = _read(response)
            except (OSError, http.client.HTTPException, ValueError):
                if is_late.is_set():
                    raise TimeoutError from None
                raise
            finally:
                stop.cancel()
            if is_late.is_set():
                raise TimeoutError
            if response.status != 200:
                raise http.client.HTTPException(f"status {response.status}")
            return answer
        finally:
            connection.close()


def _read(response: http.client.HTTPResponse) -> bytes:
    """The body up to a little over the largest size, whatever length the header claims."""
    body = b""
    while len(body) <= LONGEST and (piece := response.read1(CHUNK)):
        body += piece
    return body


def _abort(connection: socket.socket, is_late: threading.Event) -> None:
    is_late.set()
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # already closed
