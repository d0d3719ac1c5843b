"""A server on a port of its own, pages of a real browser, and plain connections."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from websockets.sync.client import ClientConnection, connect

from plyground.games import registry
from plyground.play.worker import search_threads
from plyground.ui.web.application import Application
from plyground.ui.web.config import WebConfig
from plyground.ui.web.server import address_of, listen, make_server
from tests.waiting import wait_until

from ..conformance.connect_four import CONNECT_FOUR, ConnectFour

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

TIMEOUT_S = 30
PHONE: ViewportSize = {"width": 360, "height": 740}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}


class Site:
    """A running server. `stop` ends it as Ctrl-C would; its games stay in the folder."""

    def __init__(self, config: WebConfig) -> None:
        self.config = config
        self._listener = listen(config)
        self.address = address_of(self._listener)
        self._server = make_server(config)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        wait_until(lambda: self._server.started)

    def _run(self) -> None:
        with self._listener:
            asyncio.run(self._server.serve([self._listener]))

    @property
    def port(self) -> int:
        return int(self.address.rstrip("/").rsplit(":", 1)[1])

    @property
    def active_sessions(self) -> set[str]:
        """The names of the sessions in memory."""
        application: Application = self._server.config.app.state.application  # type: ignore[union-attr]
        return set(application.sessions.active)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(TIMEOUT_S)
        assert not self._thread.is_alive()

    def connect(self, **more: Any) -> Talk:
        origin = self.address.rstrip("/")
        address = self.address.replace("http", "ws") + "play"
        return Talk(connect(address, **{"origin": origin, **more}))


class Talk:
    """A connection without a browser, for `with`."""

    def __init__(self, opener: Any) -> None:
        self._opener = opener
        self.socket: ClientConnection
        self.received: list[dict[str, Any]] = []

    def say(self, type: str, **fields: Any) -> None:  # noqa: A002
        self.socket.send(json.dumps({"type": type, **fields}))

    def hear(self, type: str, **fields: Any) -> dict[str, Any]:  # noqa: A002
        """The next message of a type whose fields are these; others are passed over."""
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            left_s = deadline - time.monotonic()
            message: dict[str, Any] = json.loads(self.socket.recv(timeout=max(0.01, left_s)))
            self.received.append(message)
            if message["type"] == type and fields.items() <= message.items():
                return message

    def ask(self, type: str, answer: str, **fields: Any) -> dict[str, Any]:  # noqa: A002
        self.say(type, **fields)
        return self.hear(answer)

    def hello(self, session: str | None = None) -> str:
        """Begin; the session's name."""
        return str(self.ask("hello", "welcome", session=session)["session"])

    def __enter__(self) -> Talk:
        self.socket = self._opener.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._opener.__exit__(*error)


class Searches:
    """The searches since this was created; other tests may have left some running."""

    def __init__(self) -> None:
        self._others = search_threads()

    def wait_for_end(self) -> None:
        wait_until(lambda: search_threads() <= self._others)


def config_for(folder: Path, **more: Any) -> WebConfig:
    settings = {"port": 0, "cores": 2, "pace_s": 0.0, "watched_pace_s": 0.02, **more}
    return WebConfig(folder=folder, **settings)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Start a server with these settings; called again, it finds the same games."""
    sites: list[Site] = []

    def begin(**settings: Any) -> Site:
        sites.append(Site(config_for(tmp_path / "web", **settings)))
        return sites[-1]

    yield begin
    for site in sites:
        site.stop()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that tests share: each has sessions of its own."""
    site = Site(config_for(tmp_path_factory.mktemp("web")))
    yield site
    site.stop()


@pytest.fixture(scope="module")
def connect_four() -> Iterator[ConnectFour]:
    """A third game, in plain Python; a server that offers it has to stop before it goes."""
    registry.register(CONNECT_FOUR)
    yield CONNECT_FOUR
    del registry._games[CONNECT_FOUR.name]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open the page in a browser of its own; an error in it fails the test."""
    pages: list[Page] = []
    errors: list[str] = []

    def begin(address: str, size: ViewportSize = DESKTOP, script: str = "", **more: Any) -> Page:
        page = browser.new_context(viewport=size, reduced_motion="reduce", **more).new_page()
        page.set_default_timeout(1000 * TIMEOUT_S)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            # A connection that fails is written there whatever the page does about it.
            lambda message: (
                errors.append(message.text)
                if message.type == "error"
                and "WebSocket" not in message.text
                and "ERR_CONNECTION_REFUSED" not in message.text
                else None
            ),
        )
        pages.append(page)
        page.add_init_script(script)
        page.goto(address)
        page.wait_for_selector("body[data-line=open]")
        page.wait_for_selector("#board .pawn, #board .disc")
        return page

    yield begin
    for page in pages:
        page.context.close()
    assert errors == []


@pytest.fixture
def page(site: Site, open_page: Callable[..., Page]) -> Page:
    return open_page(site.address)


def open_menu(page: Page) -> None:
    """Show what a phone has in its menu."""
    if page.locator("#more[aria-expanded=false]").is_visible():
        page.click("#more")


def new_game(page: Page, spoken: str = "New game.", **fields: Any) -> None:
    """Begin a game through the dialog; fields by their names in it, `spoken` is then announced."""
    open_menu(page)
    page.click("#new-button")
    if game := fields.pop("game", None):
        page.check(f"#new-form input[value={game}]")
    for name, value in fields.items():
        field = page.locator(f"#new-form [name={name}]")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(str(value))
        else:
            field.fill(str(value))
    page.evaluate("document.querySelector('#speech').textContent = ''")
    page.click("#new-form button[type=submit]")
    page.wait_for_selector("#new-dialog", state="hidden")
    wait_for_text(page, "#speech", spoken)


def wait_for(page: Page, expression: str, argument: Any = None) -> None:
    """Wait until it is true in the page, whose policy forbids Playwright's own way to do that."""
    deadline = time.monotonic() + TIMEOUT_S
    while not page.evaluate(expression, argument):
        assert time.monotonic() < deadline, expression
        page.wait_for_timeout(15)


def moves(page: Page) -> list[str]:
    """The moves of the line on the board."""
    return page.locator("#moves .played").all_inner_texts()


def type_move(page: Page, move: str) -> None:
    open_menu(page)
    page.fill("#typed", move)
    page.press("#typed", "Enter")


def wait_for_moves(page: Page, number: int, exactly: bool = False) -> None:
    how = "===" if exactly else ">="
    wait_for(page, f"document.querySelectorAll('#moves .played').length {how} {number}")


def wait_for_text(page: Page, element: str, text: str) -> None:
    wait_for(
        page,
        "([element, text]) => document.querySelector(element).textContent.includes(text)",
        [element, text],
    )


def at(page: Page, move: str, size: int = 9) -> tuple[float, float]:
    """Where a cell or a gap of Quoridor is on the screen, seen from player 1's side.

    It is a little beside the middle of a gap, where another gap crosses it.
    """
    box = page.locator("#board").bounding_box()
    assert box is not None
    rim = 2 + size / 3
    unit = box["width"] / (size * 10 - 2 + 2 * rim)
    half = 0.5 if len(move) == 3 else 0.0
    column, row = "abcdefghi".index(move[0]) + half, int(move[1]) - 1 + half
    beside = {"h": (2, 0), "v": (0, 2)}.get(move[2:], (0, 0))
    x = box["x"] + unit * (rim + 4 + 10 * column + beside[0])
    y = box["y"] + box["height"] - unit * (rim + 4 + 10 * row + beside[1])
    return x, y
