"""The page in a home network and behind a proxy with TLS."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from plyground.ui.web.network import local_addresses, shared_addresses
from plyground.ui.web.server import start_lines

from .conftest import Site
from .test_server import get

Start = Callable[..., Site]
UPGRADE = {
    "connection": "Upgrade",
    "upgrade": "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


@pytest.mark.parametrize(
    ("host", "status"),
    [("192.0.2.7:8017", 200), ("[2001:db8::1]", 200), ("localhost", 200), ("rebound.example", 403)],
)
def test_a_server_of_all_interfaces_answers_to_addresses_but_not_to_names(
    start: Start, host: str, status: int
) -> None:
    site = start(host="0.0.0.0")
    assert get(site, "/", host=host)[0] == status
    origin = {"origin": f"http://{host}", **UPGRADE}
    assert get(site, "/play", host=host, **origin)[0] == (101 if status == 200 else 403)
    foreign = {"origin": "http://192.0.2.66", **UPGRADE}
    assert get(site, "/play", host=host, **foreign)[0] == 403


def test_a_server_of_this_machine_does_not_answer_to_other_addresses(site: Site) -> None:
    assert get(site, "/", host="192.0.2.7:8017")[0] == 403


def test_a_proxy_with_tls_connects_under_its_own_name(start: Start) -> None:
    site = start(names=("board.example",))
    headers = {"origin": "https://board.example", "x-forwarded-proto": "https", **UPGRADE}
    assert get(site, "/play", host="board.example", **headers)[0] == 101
    headers["origin"] = "https://other.example"
    assert get(site, "/play", host="board.example", **headers)[0] == 403


def test_the_command_says_who_can_open_the_page() -> None:
    assert start_lines("http://127.0.0.1:1/", []) == [
        "Plyground is at http://127.0.0.1:1/ (Ctrl-C ends it)"
    ]
    lines = start_lines("http://localhost:1/", ["http://192.0.2.7:1/", "http://192.0.2.8:1/"])
    assert lines[1] == "Other machines open http://192.0.2.7:1/ or http://192.0.2.8:1/"
    assert "Anyone who reaches this address can play here" in lines[2]
    assert "not encrypted" in lines[3]


def test_only_addresses_of_other_machines_are_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shared_addresses("127.0.0.1", 1) == []
    assert shared_addresses("::1", 1) == []
    assert shared_addresses("192.0.2.7", 1) == ["http://192.0.2.7:1/"]
    monkeypatch.setattr("plyground.ui.web.network.local_addresses", lambda: ["192.0.2.9"])
    assert shared_addresses("0.0.0.0", 1) == ["http://192.0.2.9:1/"]
    assert not any(address.startswith("127.") for address in local_addresses())


def test_the_page_learns_the_addresses_to_share(start: Start) -> None:
    with start(addresses=("http://192.0.2.7:8017/",)).connect() as talk:
        welcome = talk.ask("hello", "welcome")
        assert welcome["addresses"] == ["http://192.0.2.7:8017/"]
