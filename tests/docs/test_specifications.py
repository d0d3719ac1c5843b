"""The page on the specifications: every call in it runs, every command and link exists."""

import re
from pathlib import Path
from typing import Any

import pytest

from plyground.cli.main import main

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "specifications.md").read_text(encoding="utf-8")
START = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith(("| in the document", "| ---"))
]
CELLS = [text for row in ROWS for text in re.findall(r"`([^`]*)`", row[1])]
CALLS = [text for text in CELLS if not text.startswith("plyground ")]
COMMANDS = [text for text in CELLS if text.startswith("plyground ")]
FUNCTIONS = {
    *("encode_action", "decode_action", "position_to_notation", "notation_to_position"),
    *("action_to_notation", "notation_to_action", "get_legal_moves", "get_legal_pawn_moves"),
    *("get_legal_wall_positions", "is_wall_legal", "is_wall_placement_legal"),
    *("get_reachable_neighbors", "astar_can_reach_goal", "get_action_mask", "encode_state"),
    *("shortest_path_length", "progress_to_goal", "action_space_size"),
}
"""Functions of Quoridor that the documents define."""


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What the page defines before its tables."""
    (program,) = START
    found: dict[str, Any] = {}
    exec(compile(program, "specifications.md", "exec"), found)
    return found


def test_the_tables_are_read() -> None:
    assert all(len(row) == 3 for row in ROWS), [row for row in ROWS if len(row) != 3]
    assert len(CALLS) > 50
    assert len(COMMANDS) > 12


@pytest.mark.parametrize("call", CALLS)
def test_every_call_runs(call: str, names: dict[str, Any]) -> None:
    exec(f"result = {call}", names)
    assert names["result"] is not None or call.startswith("(")


def test_every_function_of_the_documents_is_called() -> None:
    called = {name for call in CALLS for name in re.findall(r"quoridor\.(\w+)\(", call)}
    assert called >= FUNCTIONS


def test_stated_results_are_true(names: dict[str, Any]) -> None:
    results = {
        "quoridor.decode_action(101, 9)": ("h_wall", 2, 4),
        "quoridor.action_space_size(9)": 209,
        "quoridor.position_to_notation(4, 4)": "e5",
        'quoridor.notation_to_position("e5")': (4, 4),
        "quoridor.action_to_notation(101, 9)": "e3h",
        'quoridor.notation_to_action("e3h", 9)': 101,
        "quoridor.GameState is quoridor.State": True,
        "course.action_message(state, 101)": ["WH", 2, 4],
        "search.textbook.WIN": 1_000_000,
        "(search.minimax(reversi.State(), 5).nodes_searched, "
        "search.alphabeta(reversi.State(), 5).nodes_searched)": (1713, 173),
    }
    for call, result in results.items():
        assert call in CALLS
        exec(f"result = {call}", names)
        assert names["result"] == result


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_options(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, *words = command.split()
    options = [word for word in words if word.startswith("-")]
    parts = words[:2] if words[0] in ("tune", "study", "bench", "serve") else words[:1]
    try:
        status = main([*parts, "--help"])
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else 0
    assert status == 0
    described = re.findall(r"--?[a-z][a-z0-9-]*", capsys.readouterr().out)
    assert set(options) <= set(described)


def test_links_lead_somewhere() -> None:
    for target, anchor in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", PAGE):
        path = DOCS / target if target else DOCS / "specifications.md"
        assert path.exists(), target
        if anchor:
            text = path.read_text(encoding="utf-8")
            headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
            anchors = {
                re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings
            }
            assert anchor in anchors, (target, anchor)


def test_the_readme_links_to_it() -> None:
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert "(docs/specifications.md)" in readme
