"""Fixtures for all tests.

`seed` and `rng` are for random tests. The seed is new in every run and printed when a test fails;
`PLYGROUND_SEED=<number> pytest ...` repeats it.

`rules` runs a test twice, on the native core and on the plain-Python reference, through the same
interface. `board` parses a drawing, so that a test shows the position that it is about:

    5   .   .   2   .   .
    4   .   .   .   .   .
        -----                   the horizontal wall a3h
    3   .   .   . | .   .
                  |             the vertical wall c2v
    2   .   .   1 | .   .
    1   .   .   .   .   .
        a   b   c   d   e

Lines between rows may be omitted if no wall has its middle there.

`reversi_network` is a network file for the agent `zero` in Reversi. `nodes` is a Ray cluster of two
nodes on this machine; a test may kill one of them.

`connect_four` is a third game in plain Python, registered for one test.

`browser` is a headless browser for tests of pages; `browser.new_page()` returns a new page.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from plyground import quoridor
from plyground.errors import IllegalMoveError
from plyground.games import registry
from plyground.games.reference import quoridor as reference
from plyground.quoridor import GameConfig
from tests.conformance.connect_four import CONNECT_FOUR, ConnectFour

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# No deadline, since the machine may be busy. Failing examples are printed, not stored in a file.
settings.register_profile("plyground", deadline=None, database=None)
settings.load_profile("plyground")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
"""The browsers that tools/setup_env.py looks for."""

Board = Callable[..., Any]
"""The type of the fixture `board`."""


def pytest_configure() -> None:
    """Let Ctrl-C reach the commands under test, even if the shell ignores it for this process."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run all tests of the cluster, of the browser and of the wheel in one process each."""
    for item in items:
        for shared in {"nodes", "browser", "wheel"}.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.xdist_group(shared))


@pytest.fixture
def seed() -> int:
    value = int(os.environ.get("PLYGROUND_SEED") or random.SystemRandom().randrange(2**32))
    print(f"PLYGROUND_SEED={value}")
    return value


@pytest.fixture
def rng(seed: int) -> random.Random:
    return random.Random(seed)


@pytest.fixture(scope="session")
def reversi_network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a small untrained network for Reversi."""
    import torch

    from plyground.nets.export import export_onnx
    from plyground.nets.network import PathNet
    from plyground.nets.reversi_encoding import REVERSI

    torch.manual_seed(1)
    path = tmp_path_factory.mktemp("networks") / "reversi.onnx"
    export_onnx(PathNet(REVERSI, 1, 8, 0).state_dict(), path, encoding=REVERSI)
    return path


class Nodes:
    """A local Ray cluster: a head with one CPU, and a node with one CPU that can be killed."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        # The folder from which workers import the scripted players, tests.arena.fake_players.
        self.settings = {"PYTHONPATH": str(Path(__file__).parents[1])}
        self.cluster = Cluster()
        self.cluster.add_node(num_cpus=1, include_dashboard=False, env_vars=self.settings)
        self.second: Any = None

    @property
    def address(self) -> str:
        return str(self.cluster.address)

    def add(self) -> None:
        self.second = self.cluster.add_node(num_cpus=1, env_vars=self.settings)
        self.cluster.wait_for_nodes()

    def kill(self) -> None:
        self.cluster.remove_node(self.second, allow_graceful=False)
        self.second = None


@pytest.fixture(scope="session")
def one_cluster() -> Iterator[Nodes]:
    nodes = Nodes()
    yield nodes
    nodes.cluster.shutdown()  # type: ignore[no-untyped-call]


@pytest.fixture
def nodes(one_cluster: Nodes) -> Nodes:
    if one_cluster.second is None:
        one_cluster.add()
    return one_cluster


@pytest.fixture(scope="module")  # its event loop excludes others in the same thread
def browser() -> Iterator[Browser]:
    """The installed Chromium, without network access and sandbox, so that root can run it."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert program, f"expected a browser on PATH: {' or '.join(BROWSERS)}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()


@dataclass(frozen=True)
class Rules:
    """One implementation of the rules. Moves are in notation, such as e2 and e3h."""

    name: str
    start: Callable[[GameConfig], Any]
    parse: Callable[[str, GameConfig], Any]
    module: Any  # its functions, which have the same names in both implementations
    refusal_error: type[ValueError]

    def pawn_moves(self, state: Any, player: int | None = None) -> set[str]:
        cells = self.module.get_legal_pawn_moves(state, player)
        return {reference.position_to_notation(cell) for cell in cells}

    def legal(self, state: Any) -> set[str]:
        return {reference.action_to_notation(action) for action in state.get_legal_moves()}

    def walls(self, state: Any) -> set[str]:
        return {name for name in self.legal(state) if len(name) == 3}

    def why_not(self, state: Any, move: str) -> str:
        """The reason why a move is illegal; the rest of the message is checked here."""
        before = state.text()
        with pytest.raises(self.refusal_error) as caught:
            state.play(move)
        quoted, reason = str(caught.value).rsplit(": ", 1)
        assert quoted == f"illegal move '{move}' in '{before}'"
        assert move not in self.legal(state)
        return reason


@pytest.fixture(params=["native", "reference"])
def rules(request: pytest.FixtureRequest) -> Rules:
    if request.param == "native":
        state = quoridor.State
        return Rules("native", state, state.parse, quoridor, IllegalMoveError)
    return Rules("reference", reference.State.start, reference.State.parse, reference, ValueError)


def config_for(board_size: int, **limits: Any) -> GameConfig:
    """A config with ten walls per player, or as many as the board has slots."""
    limits.setdefault("walls_per_player", min(10, (board_size - 1) ** 2))
    return GameConfig(board_size=board_size, **limits)


def draw(size: int, pawns: dict[str, str], walls: set[str]) -> list[str]:
    """All lines of the drawing of a position; pawns are like {"c2": "1"}, walls in notation."""
    lines = []
    for row in range(size, 0, -1):
        cells, gap = list(" " * (4 * size + 3)), list(" " * (4 * size + 3))
        cells[0] = str(row)
        for i, column in enumerate("abcdefghi"[:size]):
            x = 4 + 4 * i
            cells[x] = pawns.get(f"{column}{row}", ".")
            if f"{column}{row}v" in walls or f"{column}{row - 1}v" in walls:
                cells[x + 2] = "|"
            if f"{column}{row - 1}v" in walls:
                gap[x + 2] = "|"
            if f"{column}{row - 1}h" in walls:
                gap[x : x + 5] = "-----"
        lines += ["".join(cells).rstrip(), "".join(gap).rstrip()]
    return [line for line in lines if line] + ["    " + "   ".join("abcdefghi"[:size])]


def read_drawing(drawing: str) -> tuple[int, dict[str, str], set[str]]:
    """Board size, pawns by cell and walls; the drawing must be exactly what `draw` returns."""
    lines = [line.rstrip() for line in drawing.splitlines() if line.strip()]
    indent = min(len(line) - len(line.lstrip()) for line in lines)
    lines = [line[indent:] for line in lines]
    size, row = int(lines[0][0]), 0
    pawns: dict[str, str] = {}
    walls: set[str] = set()
    for line in lines[:-1]:
        is_row = line[0].isdigit()
        row = int(line[0]) if is_row else row
        for i, column in enumerate("abcdefghi"[:size]):
            padded = line.ljust(4 * size + 4)
            here, middle = padded[4 + 4 * i], padded[6 + 4 * i]
            if is_row and here in "12":
                pawns[f"{column}{row}"] = here
            elif not is_row and middle in "-|":
                walls.add(f"{column}{row - 1}{'h' if middle == '-' else 'v'}")
    expected = draw(size, pawns, walls)
    assert lines == expected, "not a true drawing; expected\n" + "\n".join(expected)
    return size, pawns, walls


@pytest.fixture
def board(rules: Rules) -> Board:
    """Parse a drawing as a state of `rules`: `board(drawing, to_move=1, left="3/2", ...)`.

    The keywords give what a drawing does not show: the player to move, the walls left, the moves
    played in total and since the last wall, and any field of the config.
    """

    def make(
        drawing: str,
        to_move: int = 1,
        left: str | None = None,
        played: int = 0,
        since: int = 0,
        **limits: Any,
    ) -> Any:
        size, pawns, walls = read_drawing(drawing)
        config = config_for(size, **limits)
        cells = {pawn: cell for cell, pawn in pawns.items()}
        order = sorted(walls, key=lambda wall: (wall[2], wall[1], wall[0]))
        hands = left or f"{config.walls_per_player}/{config.walls_per_player}"
        text = (
            f"{size} {cells['1']}/{cells['2']} {','.join(order) or '-'} {hands} "
            f"{to_move} {played} {since}"
        )
        return rules.parse(text, config)

    return make


@pytest.fixture
def connect_four(monkeypatch: pytest.MonkeyPatch) -> ConnectFour:
    monkeypatch.setattr(registry, "_games", registry.games())
    registry.register(CONNECT_FOUR)
    return CONNECT_FOUR
