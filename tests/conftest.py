"""Fixtures every folder of tests may use.

`seed` and `rng` are for random tests: the seed is new in every run, is printed when a test fails,
and can be given back with `PLYGROUND_SEED=<number> pytest ...`.

`rules` runs a test twice, on the native core and on the plain-Python reference, through one small
face. `board` reads a drawing of a position, so that the drawing in a test is the position tested:

    5   .   .   2   .   .
    4   .   .   .   .   .
        -----                   the horizontal wall a3h
    3   .   .   . | .   .
                  |             the vertical wall c2v
    2   .   .   1 | .   .
    1   .   .   .   .   .
        a   b   c   d   e

Lines between rows may be left out where no wall has its middle on them.

`reversi_network` is a file that the agent `zero` can play Reversi with. `nodes` is a Ray cluster of
two nodes on this machine, one of which a test may kill.

`browser` is a real one, without a window, for the tests of pages: `browser.new_page()` is a page of
its own each time.
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
from plyground.games.reference import quoridor as reference
from plyground.quoridor import GameConfig

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A busy machine is no reason to fail, and an example that failed is printed, not kept in a file.
settings.register_profile("plyground", deadline=None, database=None)
settings.load_profile("plyground")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
"""Those that tools/setup_env.py looks for."""


def pytest_configure() -> None:
    """Let Ctrl-C reach the commands under test, even if a shell in the background forbade it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a cluster or a browser in one process each: one of them is enough."""
    for item in items:
        for shared in {"nodes", "browser"}.intersection(getattr(item, "fixturenames", ())):
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
    """A small network for Reversi that has learned nothing, as a file."""
    import torch

    from plyground.nets.export import export_onnx
    from plyground.nets.network import PathNet
    from plyground.nets.reversi_encoding import REVERSI

    torch.manual_seed(1)
    path = tmp_path_factory.mktemp("networks") / "reversi.onnx"
    export_onnx(PathNet(1, 8, 0, REVERSI).state_dict(), path, encoding=REVERSI)
    return path


class Nodes:
    """A Ray cluster here: a head of one CPU that stays, and a node of one that can be killed."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        # Where workers find the scripted players.
        self.settings = {"PYTHONPATH": str(Path(__file__).parent / "arena")}
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
    nodes.cluster.shutdown()


@pytest.fixture
def nodes(one_cluster: Nodes) -> Nodes:
    if one_cluster.second is None:
        one_cluster.add()
    return one_cluster


@pytest.fixture(scope="module")  # while there is one, no other event loop can run in its thread
def browser() -> Iterator[Browser]:
    """The machine's own Chromium. It asks nothing of the network, and needs no user but root."""
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
    """One implementation of the rules. Moves are given by their names, such as e2 and e3h."""

    name: str
    start: Callable[[GameConfig], Any]
    parse: Callable[[str, GameConfig], Any]
    module: Any  # the functions, which have the same names in both
    refusal_error: type[ValueError]

    def pawn_moves(self, state: Any, player: int | None = None) -> set[str]:
        cells = self.module.get_legal_pawn_moves(state, player)
        return {reference.position_to_notation(cell) for cell in cells}

    def legal(self, state: Any) -> set[str]:
        return {reference.action_to_notation(action) for action in state.get_legal_moves()}

    def walls(self, state: Any) -> set[str]:
        return {name for name in self.legal(state) if len(name) == 3}

    def why_not(self, state: Any, move: str) -> str:
        """The reason for which a move is refused; the rest of the message is checked here."""
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
    """A config with room for ten walls each, where the board has room for them."""
    limits.setdefault("walls_per_player", min(10, (board_size - 1) ** 2))
    return GameConfig(board_size=board_size, **limits)


def draw(size: int, pawns: dict[str, str], walls: set[str]) -> list[str]:
    """The drawing of a position, all lines of it: pawns as {"c2": "1"}, walls by name."""
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
    """Board size, pawns by cell and walls; the drawing must be exactly what `draw` would draw."""
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
            here, middle = line.ljust(4 * size + 4)[4 + 4 * i :][:3:2]
            if is_row and here in "12":
                pawns[f"{column}{row}"] = here
            elif not is_row and middle in "-|":
                walls.add(f"{column}{row - 1}{'h' if middle == '-' else 'v'}")
    expected = draw(size, pawns, walls)
    assert lines == expected, "not a true drawing; expected\n" + "\n".join(expected)
    return size, pawns, walls


@pytest.fixture
def board(rules: Rules) -> Callable[..., Any]:
    """Read a drawing as a state of `rules`: `board(drawing, to_move=1, left="3/2", ...)`.

    The keywords are what a drawing does not show: the player to move, the walls left, the moves
    played and those since the last wall, and any field of the config.
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
