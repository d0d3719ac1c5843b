"""What holds for the whole of src/plyground: one game object, one agent, one meaning for a name.

These tests read the source. They say where a rule is broken: file, line and the code in question.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from plyground.agents import Agent

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "plyground"
GAMES = ("quoridor", "reversi")
ANY_BUDGET = 40

AGENT_NAMES = re.compile(r"agent|adviser|opponent|player|searcher|seat|thinker", re.IGNORECASE)
"""How the code calls agents and what holds them."""
AGENT_ATTRIBUTES = {name for name in dir(Agent) if not name.startswith("_")}


@dataclass(frozen=True)
class Module:
    """A file of the package, parsed."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """Its path below the package: `play/record.py`."""
        return self.path.relative_to(SOURCE).as_posix()

    @property
    def package(self) -> str:
        """The package it is in, or its own name if it is directly below plyground."""
        return self.name.removesuffix(".py").partition("/")[0]

    def at(self, node: ast.AST) -> str:
        """A node as errors show it."""
        code = " ".join((ast.get_source_segment(self.text, node) or "").split())
        return f"{self.name}:{getattr(node, 'lineno', 0)}: {code[:90]}"


@cache
def modules() -> tuple[Module, ...]:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found.append(Module(path, text, ast.parse(text)))
    return tuple(found)


def check(broken: list[str]) -> None:
    assert not broken, f"{len(broken)} places:\n" + "\n".join(broken)


# ---- no branch on which game it is


def is_of_one_game(module: Module) -> bool:
    """Whether a module is in games/ or carries the name of a game."""
    return module.package == "games" or any(game in Path(module.name).stem for game in GAMES)


def state_names(module: Module) -> set[str]:
    """What the module calls the state classes of the two games: `State`, `quoridor.State`, ..."""
    names = {f"_core.{game.title()}State" for game in GAMES}
    names |= {f"{game}.State" for game in GAMES}
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        for alias in node.names:
            called = alias.asname or alias.name
            if alias.name == "State" and node.module.rpartition(".")[2] in GAMES:
                names.add(called)
            elif alias.name in GAMES or alias.name in [f"{game}_game" for game in GAMES]:
                names.add(f"{called}.State")
            elif alias.name in [f"{game.title()}State" for game in GAMES]:
                names.add(called)
    for node in ast.walk(module.tree):  # aliases such as Position = quoridor.State
        if (
            isinstance(node, ast.Assign)
            and ast.unparse(node.value) in names
            and isinstance(node.targets[0], ast.Name)
        ):
            names.add(node.targets[0].id)
    return names


def is_game_name(node: ast.AST) -> bool:
    """Whether an expression is the name of a game, or a collection with one."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(is_game_name, node.elts))
    return isinstance(node, ast.Constant) and node.value in GAMES


def is_game_object(node: ast.AST) -> bool:
    """Whether an expression is the Game object of one game."""
    text = ast.unparse(node)
    return text.rpartition(".")[2] in [game.upper() for game in GAMES] or any(
        text == f'registry.get("{game}")' or text == f"registry.get('{game}')" for game in GAMES
    )


def is_branch(node: ast.AST, states: set[str]) -> bool:
    """Whether a node makes code depend on which game it is."""
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        if called in ("isinstance", "issubclass") and len(node.args) == 2:
            kinds = {ast.unparse(kind) for kind in ast.walk(node.args[1])}
            return bool(kinds & states)
        return any(word.arg == "default" and is_game_name(word.value) for word in node.keywords)
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return any(
            is_game_name(side) or is_game_object(side) or ast.unparse(side) in states
            for side in sides
        )
    if isinstance(node, ast.MatchValue):
        return is_game_name(node.value) or is_game_object(node.value)
    if isinstance(node, ast.MatchClass):
        return ast.unparse(node.cls) in states
    if isinstance(node, ast.Dict):
        return any(
            key is not None and (is_game_name(key) or is_game_object(key)) for key in node.keys
        )
    if isinstance(node, ast.arguments):
        return any(
            default is not None and is_game_name(default)
            for default in (*node.defaults, *node.kw_defaults)
        )
    if isinstance(node, ast.AnnAssign):  # the default of a dataclass field
        return node.value is not None and is_game_name(node.value)
    return False


def test_nothing_branches_on_which_game_it_is() -> None:
    broken: list[str] = []
    for module in modules():
        if is_of_one_game(module):
            continue
        states = state_names(module)
        broken += [
            # Arguments have no place of their own; their function has.
            module.at(parent if isinstance(node, ast.arguments) else node)
            for parent in ast.walk(module.tree)
            for node in ast.iter_child_nodes(parent)
            if is_branch(node, states)
        ]
    check(broken)


@pytest.mark.parametrize(
    "code",
    [
        "isinstance(state, quoridor.State)",
        "isinstance(state, (int, reversi.State))",
        "from plyground.games.quoridor import State as Position\nisinstance(x, int | Position)",
        "isinstance(state, _core.ReversiState)",
        "Board = reversi.State\nisinstance(state, Board)",
        "type(state) is quoridor.State",
        "game.name == 'quoridor'",
        "'reversi' != game",
        "game in ('quoridor', 'reversi')",
        "game is REVERSI",
        "game == registry.get('quoridor')",
        "{'quoridor': 1}[game]",
        "def f(game: str = 'quoridor') -> None: ...",
        "def f(*, game='reversi') -> None: ...",
        "class Config:\n    game: str = 'quoridor'",
        "parser.add_argument('--game', default='quoridor')",
        "match game:\n    case 'quoridor': pass",
        "match state:\n    case quoridor.State(): pass",
    ],
)
def test_a_branch_is_found(code: str) -> None:
    tree = ast.parse(code)
    states = state_names(Module(SOURCE / "x.py", code, tree))
    assert any(is_branch(node, states) for node in ast.walk(tree))


@pytest.mark.parametrize(
    "code",
    [
        "registry.get('quoridor')",
        "from plyground.games.base import State\nisinstance(state, State)",
        "from plyground.quoridor import State\nState() == state",
        "def f(game: str | None = None) -> None: ...",
        "{'games': 1}",
        "name == 'quoridors'",
    ],
)
def test_other_code_is_no_branch(code: str) -> None:
    tree = ast.parse(code)
    states = state_names(Module(SOURCE / "x.py", code, tree))
    assert not any(is_branch(node, states) for node in ast.walk(tree))


# ---- agents are asked by their interface


def asks_by_name(node: ast.AST) -> bool:
    """Whether a node is a hasattr or getattr with a fixed name on something like an agent."""
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return False
    asked, attribute = node.args[:2]
    return (
        ast.unparse(node.func) in ("hasattr", "getattr")
        and isinstance(attribute, ast.Constant)
        and (
            attribute.value in AGENT_ATTRIBUTES
            or AGENT_NAMES.search(ast.unparse(asked)) is not None
        )
    )


def test_nothing_asks_an_agent_for_attributes_by_name() -> None:
    check(
        [
            module.at(node)
            for module in modules()
            for node in ast.walk(module.tree)
            if asks_by_name(node)
        ]
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("hasattr(agent, 'stop')", True),
        ("getattr(self.agent, 'depth', None)", True),
        ("getattr(thing, 'new_game')", True),
        ("hasattr(seat, 'x')", True),
        ("getattr(agent, name)", False),
        ("hasattr(os, 'sched_getaffinity')", False),
    ],
)
def test_asking_by_name_is_found(code: str, expected: bool) -> None:
    assert any(map(asks_by_name, ast.walk(ast.parse(code)))) == expected


# ---- one name, one meaning


PRESCRIBED = {"raw_env", "parallel_env"}
"""Classes that PettingZoo looks for in the module of every environment."""
COURSE_NAMES = {"Agent", "Board", "Game"}
"""Classes of the package course that students import, named as in the files of the course."""


def test_no_class_name_is_defined_twice() -> None:
    """The reference rules are the exception: their names match those of the core."""
    places = defaultdict(list)
    for module in modules():
        if not module.name.startswith("games/reference/"):
            for node in ast.walk(module.tree):
                prescribed = COURSE_NAMES if module.package == "course" else PRESCRIBED
                if isinstance(node, ast.ClassDef) and node.name not in prescribed:
                    places[node.name].append(f"{module.name}:{node.lineno}")
    check([f"{name}: {', '.join(where)}" for name, where in places.items() if len(where) > 1])


# ---- types


def count_any(module: Module) -> int:
    """How often `Any` is used, imports, comments and strings aside."""
    imports = {
        line
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = iter(module.text.splitlines(keepends=True))
    return sum(
        token.type == tokenize.NAME and token.string == "Any" and token.start[0] not in imports
        for token in tokenize.generate_tokens(lambda: next(lines, ""))
    )


def test_any_is_used_sparingly() -> None:
    counts = {module.name: count for module in modules() if (count := count_any(module))}
    total = sum(counts.values())
    print(f"Any: {total} times in {len(counts)} files")
    listed = [f"{count:4} {name}" for name, count in sorted(counts.items())]
    assert total <= ANY_BUDGET, f"Any is used {total} times, allowed are {ANY_BUDGET}:\n" + (
        "\n".join(listed)
    )


# ---- which way imports point


def layers() -> dict[str, float]:
    """The rank of each package, from the arrows in docs/architecture.md."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found = re.search(r"^_core -> games(?:.*\n)+?```", text, re.MULTILINE)
    assert found, "expected the arrows of the packages, beginning with '_core -> games'"
    groups = " ".join(found[0].removesuffix("```").split()).split(" -> ")
    ranks: dict[str, float] = {
        package: rank for rank, group in enumerate(groups) for package in group.split(", ")
    }
    # plyground.quoridor and plyground.reversi re-export names of games and search.
    return ranks | dict.fromkeys(GAMES, ranks["search"] + 0.5)


def rank_of(package: str, ranks: dict[str, float]) -> float:
    """A package's rank; modules directly below plyground are between the core and games."""
    return ranks.get(package, ranks["_core"] + 0.5)


def imports(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Every import of a part of plyground: the statement, and the package or module imported.

    In games/ only what is imported when the module is: the hooks of a game import what they name
    when they are called.
    """
    skipped: set[ast.AST] = set()
    if module.package == "games":
        for node in ast.walk(module.tree):
            is_lazy = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (
                isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            )
            if is_lazy:
                skipped.update(ast.walk(node))
    for node in ast.walk(module.tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "plyground":
            names = [f"plyground.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        for name in names:
            first, _, rest = name.partition(".")
            if first == "plyground" and rest:
                yield node, rest.partition(".")[0]


def misplaced_imports(module: Module, ranks: dict[str, float]) -> list[str]:
    """The imports of a module that point to the right, or to its neighbours."""
    own = rank_of(module.package, ranks)
    return [
        module.at(node)
        for node, package in imports(module)
        if package != module.package
        and (rank_of(package, ranks) > own or (package in ranks and ranks[package] == own))
    ]


def test_imports_point_one_way() -> None:
    ranks = layers()
    broken: list[str] = []
    for module in modules():
        if module.package not in ("__init__", "__main__"):
            broken += misplaced_imports(module, ranks)
    check(broken)


@pytest.mark.parametrize(
    ("name", "code", "count"),
    [
        ("agents/x.py", "from plyground.games.base import State", 0),
        ("agents/x.py", "from plyground import __version__, _core, quoridor", 0),
        ("agents/x.py", "import plyground.play.record", 1),
        ("agents/x.py", "def f():\n    from plyground.arena import match", 1),
        ("search/x.py", "from plyground.nets.evaluator import network_for", 1),
        ("search/x.py", "from plyground.search.limits import SearchLimits", 0),
        ("games/x.py", "from plyground.search.limits import SearchLimits", 1),
        ("games/x.py", "def f():\n    from plyground.arena import openings", 0),
        ("games/x.py", "if TYPE_CHECKING:\n    from plyground.search import SearchLimits", 0),
        ("config.py", "from plyground.errors import ConfigError", 0),
        ("config.py", "from plyground.games import registry", 1),
    ],
)
def test_a_misplaced_import_is_found(name: str, code: str, count: int) -> None:
    module = Module(SOURCE / name, code, ast.parse(code))
    assert len(misplaced_imports(module, layers())) == count


def test_every_package_has_its_layer() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages - layers().keys() == set()
