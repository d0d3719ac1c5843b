"""The tool that grows Reversi's opening book: it goes on where it stopped, and packs the book."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from plyground.reversi import State

TOOL = Path(__file__).parents[2] / "tools" / "make_reversi_book.py"


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_reversi_book", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # dataclasses look their module up
    spec.loader.exec_module(module)
    for name, value in {"GLANCE_DEPTH": 1, "DEPTH": 2, "HASH_MB": 1}.items():
        monkeypatch.setattr(module, name, value)
    return module


def test_it_goes_on_where_it_stopped(tool: ModuleType, tmp_path: Path) -> None:
    path, whole = tmp_path / "book.jsonl", tmp_path / "whole.jsonl"
    tool.grow(path, 6)
    with path.open("a") as file:
        file.write('{"position": "---')  # a crash while writing
    tool.grow(path, 12)
    tool.grow(whole, 12)
    tree = tool.read_tree(path)
    assert tree == tool.read_tree(whole)
    assert len(tree.children) == 12


def test_scores_are_propagated_by_minimax(tool: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "book.jsonl"
    tool.grow(path, 20)
    tree = tool.read_tree(path)
    book = tool.scored_book(tree)
    assert len(book) == 20
    moves = book.moves(State())
    assert len(moves) == 4  # all mirror images of each other
    best = max(each.score.value for each in book.moves(State().play(moves[0].action)))
    assert moves[0].score.value == -best == tree.values()[tree.root]
