"""An agent on a server of the course's kind, asked over XML-RPC: `http://localhost:8000`.

Nothing that comes back can do more than lose the game: connections, sizes and times are bounded,
and an answer that is no legal move is a Forfeit with its reason.
"""

from __future__ import annotations

import http.client
import socket
import threading
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from plyground.agents.base import Forfeit, legal_actions
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.quoridor import State
from plyground.protocol.course import percepts_of, read_action
from plyground.protocol.xmlrpc import LONGEST, Fault, Value, read_response, write_call
from plyground.search.limits import SearchLimits

CUT_S = 1.0
"""How long after its credit is used up an agent is still listened to."""
PATIENCE_S = 600.0
"""How long one is listened to that has no credit to use up."""
CHUNK = 1 << 16


class RemoteAgent:
    """Plays what a server answers. It is initialised with its first move, if not before.

    The time left on its clock is its credit; without a clock it is told that there is none.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
            (host or "").encode("idna")  # as it will be looked up
        except ValueError as error:
            raise ConfigError(
                f"expected an address like http://localhost:8000, got {url!r}: {error}"
            ) from None
        plain = url.isascii() and url.isprintable() and " " not in url
        if parts.scheme != "http" or not host or not plain or parts.query or parts.fragment:
            raise ConfigError(f"expected an address like http://localhost:8000, got {url!r}")
        self._address = (host, 80 if port is None else port)
        self._path = parts.path or "/RPC2"
        self._percepts: dict[str, Any] | None = None
        """The last position it knows of in this game; None before the first call."""

    def select_action(self, state: State, limits: SearchLimits | None = None) -> int:
        """Ask for a move; whatever is wrong with the answer forfeits the game."""
        legal_actions(state)
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
            raise Forfeit(f"invalid action: {error}") from None
        except IllegalMoveError as error:
            raise Forfeit(str(error)) from None
        # Its own wall comes before the one it will be answered with.
        self._percepts = percepts_of(state.play(action), percepts)
        return action

    def initialize(self, state: State, player: int, credit_s: float | None = None) -> None:
        """Tell it that a game begins from this state, and that it is player 1 or 2."""
        percepts = self._percepts = percepts_of(state)
        self._call(credit_s, "initialize", percepts, [player - 1, player + 1], credit_s)

    def new_game(self) -> None:
        """The next move is the first of another game."""
        self._percepts = None

    def _call(self, credit_s: float | None, method: str, *arguments: Value) -> Value:
        """Ask, and ask once more if the connection drops before anything came back."""
        within_s = PATIENCE_S if credit_s is None else max(credit_s, 0.0) + CUT_S
        deadline = monotonic() + within_s
        body = write_call(method, *arguments)
        try:
            try:
                answer = self._post(body, deadline)
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                answer = self._post(body, deadline)
        except TimeoutError:
            reason = "time" if credit_s is not None else f"no answer in {within_s:g} s"
            raise Forfeit(reason) from None
        except OSError as error:
            raise Forfeit(f"no connection: {error.strerror or error}") from None
        except (http.client.HTTPException, ValueError) as error:  # chunks of a negative length
            words = f"{type(error).__name__} {error}".strip()
            raise Forfeit(f"malformed answer: {words[:100]}") from None
        try:
            value = read_response(answer)
        except NotationError as error:
            raise Forfeit(f"malformed answer: {error}") from None
        if isinstance(value, Fault):
            raise Forfeit(f"fault: {value.message[:150]}")
        return value

    def _post(self, body: bytes, deadline: float) -> bytes:
        """What the server answers, all of it before the deadline, however slowly it drips."""
        left = deadline - monotonic()
        if left <= 0:
            raise TimeoutError
        connection = http.client.HTTPConnection(*self._address, timeout=left)
        is_late = threading.Event()
        try:
            connection.connect()
            stop = threading.Timer(
                max(deadline - monotonic(), 0.0), _cut, (connection.sock, is_late)
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
    """The body, or a little more of it than is taken; in pieces, whatever lengths it claims."""
    body = b""
    while len(body) <= LONGEST and (piece := response.read1(CHUNK)):
        body += piece
    return body


def _cut(connection: socket.socket, is_late: threading.Event) -> None:
    is_late.set()
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it has ended meanwhile
