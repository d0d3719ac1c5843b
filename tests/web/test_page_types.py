"""The types that the page's scripts are checked with: messages and elements are what they say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from plyground.agents.base import ForfeitKind
from plyground.analysis.puzzle import find_puzzle
from plyground.arena.store import Store
from plyground.arena.task import GameResult, Task
from plyground.games import registry
from plyground.play import Record
from plyground.quoridor import GameConfig, State
from plyground.ui import web
from plyground.ui.web.messages import TYPES

from ..conformance.connect_four import ConnectFour
from .conftest import Site, Talk, config_for

ROOT = Path(__file__).parents[2]
PACKAGE = Path(str(web.__file__)).parent
TSC = ROOT / "node_modules/.bin/tsc"
SMALL = {"Board": "5"}
ELEMENTS = {
    "HTMLAnchorElement": "a",
    "HTMLHeadingElement": "h2",
    "HTMLOListElement": "ol",
    "HTMLParagraphElement": "p",
    "HTMLTableCellElement": "th",
    "HTMLTableRowElement": "tr",
    "HTMLTableSectionElement": "tbody",
    "HTMLUListElement": "ul",
    "SVGSVGElement": "svg",
}
"""Tags whose element types are not named after them."""


def interface(name: str, file: str = "messages.d.ts") -> dict[str, str]:
    """The members of an interface: types by name."""
    text = (PACKAGE / "types" / file).read_text()
    text = re.sub(r"/\*\*.*?\*/", "", text, flags=re.DOTALL)
    body = text.split(f"interface {name} {{\n")[1].split("\n}\n")[0]
    members = re.split(r"^  (?=[\w\"])", body, flags=re.MULTILINE)  # other lines are further in
    pairs = (member.split(": ", 1) for member in members if member.strip())
    return {name.strip('"'): kind.strip().removesuffix(";") for name, kind in pairs}


def test_the_page_may_send_what_the_server_parses() -> None:
    declared = interface("ClientMessages")
    assert set(declared) == set(TYPES)
    for name, kind in TYPES.items():
        optional = {field.name: field.default is not MISSING for field in fields(kind)}
        found = re.findall(r"(\w+)(\??):", declared[name])
        assert {field: bool(mark) for field, mark in found} == optional, name


def test_every_message_that_the_server_builds_is_declared() -> None:
    sources = [path.read_text() for path in PACKAGE.glob("*.py") if path.name != "messages.py"]
    built = set(re.findall(r'"type": "(\w+)"', "".join(sources)))
    assert set(interface("ServerMessages")) == built


def test_no_script_asks_which_game_it_shows() -> None:
    names = "|".join(registry.games())
    for path in (PACKAGE / "static").glob("*.js"):
        assert not re.search(f"""["'](?:{names})["']""", path.read_text()), path.name


class Ids(HTMLParser):
    """Collects the tags of elements with an id."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if name := dict(attrs).get("id"):
            self.tags[name] = tag


def test_the_elements_are_those_of_the_page() -> None:
    ids = Ids()
    ids.feed((PACKAGE / "static/index.html").read_text())
    for name, kind in interface("PageElements", "page.d.ts").items():
        kind = kind.split()[0]
        tag = ELEMENTS.get(kind) or kind.removeprefix("HTML").removesuffix("Element").lower()
        assert ids.tags.get(name) == tag, name


# What a running server sends, as the compiler sees it.


@pytest.fixture(scope="module")
def study(connect_four: ConnectFour, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with a third game and a tournament, whose engine takes little time."""
    assert connect_four.name == "connect-four"
    folder = tmp_path_factory.mktemp("types")
    store = folder / "arena.sqlite"
    start = State(GameConfig.preset("small"))
    task = Task.of("engine:nodes=9", "random", start)
    record = Record.from_moves(["c2"], start, tags=task.tags, result="1-0", termination="time")
    with Store(store) as arena:
        arena.add(
            arena.tournament({"game": "quoridor"}),
            GameResult(task, record, forfeit=ForfeitKind.TIME),
        )
    site = Site(config_for(folder / "web", stores=(store,), move_time_s=0.3))
    yield site
    site.stop()


def play_every_game(talk: Talk) -> None:
    talk.say("new_game", game="connect-four", player1="human", player2="easy")
    talk.ask("play_move", "game", move="d", ply=0)
    talk.ask("analyse", "analysis", on=True, ply=0)
    talk.say("new_game", game="reversi", player1="human", player2="human")
    talk.ask("play_move", "game", move="f5", ply=0)
    talk.ask("analyse", "analysis", on=True, ply=1)
    talk.say(
        "new_game", game="quoridor", player1="human", player2="hard", settings=SMALL, time="60+1"
    )
    talk.hear("game", game="quoridor")
    talk.ask("play_move", "thinking", move="c2", ply=0)
    talk.hear("game", asked=True)
    talk.ask("show", "position", ply=0)
    talk.ask("why", "why", move="c9", ply=0)
    talk.ask("why", "why", move="c2", ply=0)
    talk.ask("play_move", "refused", move="a5", ply=2)
    talk.ask("analyse", "analysis", on=True, ply=0)
    report = talk.ask("report", "report", on=True)
    while "chances" not in report:
        report = talk.hear("report")
    talk.ask("explore", "explorer", ply=0)
    talk.ask("try_move", "tried", move="c1h", ply=0)
    talk.ask("show_line", "line", line="c2 c4", ply=0)
    talk.ask("policy", "policy", ply=0)
    talk.ask("hint", "hint")
    talk.ask("resign", "game")
    talk.ask("export", "export")
    talk.ask("list_games", "games")


def play_an_invited_game(site: Site, talk: Talk) -> list[dict[str, Any]]:
    """What both players, and a watcher, receive."""
    invited = talk.ask("invite", "invited", game="reversi", time="60", seat=1)
    with site.connect() as one, site.connect() as two, site.connect() as third:
        for each, key in ((one, invited["key"]), (two, invited["other_key"]), (third, None)):
            each.ask("hello", "welcome", invited=invited["game"], key=key)
            each.hear("game")
        one.ask("play_move", "game", move="f5", ply=0)
        two.ask("make_offer", "game", kind="draw")
        one.ask("claim_game", "refused")
        return [*one.received, *two.received, *third.received]


def solve_puzzles(talk: Talk) -> None:
    answer = find_puzzle(1).answer
    puzzle = talk.ask("get_puzzle", "puzzle", number=1)
    wrong = next(move for move in puzzle["legal"] if move != answer)
    for move in (wrong, answer, None):
        talk.ask("solve_puzzle", "solution", number=1, move=move)
    talk.ask("hint_puzzle", "puzzle_hint", number=1)
    talk.ask("record_puzzle", "puzzle_progress", number=1, is_solved=True, used_hint=False)


def do_a_lesson(talk: Talk) -> None:
    for number in (1, 9, 12):
        talk.ask("get_lesson", "lesson", number=number)
    for move in ("c2", "b2", "c9"):
        talk.ask("answer_lesson", "lesson_answer", number=1, step=0, move=move)


def test_the_server_sends_what_is_declared(study: Site, tmp_path: Path) -> None:
    assert TSC.exists(), "expected the JavaScript tools; `make lint` installs them"
    with study.connect() as talk:
        talk.hello()
        play_every_game(talk)
        solve_puzzles(talk)
        talk.received += play_an_invited_game(study, talk)
        do_a_lesson(talk)
        talk.ask("watch", "tournaments")
        talk.ask("watch", "table", store=0, tournament=1)
        talk.hear("watched", ply=1)
    assert {message["type"] for message in talk.received} == set(interface("ServerMessages"))
    (tmp_path / "received.ts").write_text(
        f'import type {{ ServerMessage }} from "{PACKAGE}/types/messages.d.ts";\n'
        f"export const received: ServerMessage[] = {json.dumps(talk.received, indent=1)};\n"
    )
    (tmp_path / "tsconfig.json").write_text(
        json.dumps({"extends": f"{ROOT}/tsconfig.json", "include": ["received.ts"]})
    )
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    checked = subprocess.run(
        [TSC, "--project", tmp_path],
        env=os.environ | {"PATH": path},  # Node.js may be the environment's
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout
