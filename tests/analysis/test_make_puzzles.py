"""The tool that finds puzzles: it goes on where it stopped, and packs what it found."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from plyground.analysis.puzzle import Puzzle
from plyground.analysis.puzzle_finder import find_line

TOOL = Path(__file__).parents[2] / "tools" / "make_puzzles.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_puzzles", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def texts(puzzles: list[Puzzle]) -> list[str]:
    return [puzzle.text() for puzzle in puzzles]


def test_it_goes_on_where_it_stopped(tool: ModuleType, tmp_path: Path) -> None:
    path, whole = tmp_path / "found.jsonl", tmp_path / "whole.jsonl"
    tool.find_all(tool.PuzzleFile(path), tool.reversi_source(end=1))
    with path.open("a") as file:
        file.write('{"source": "rev')  # a crash while writing
    tool.find_all(tool.PuzzleFile(path), tool.reversi_source(end=2))
    tool.find_all(tool.PuzzleFile(whole), tool.reversi_source(end=2))
    found = tool.graded(tool.PuzzleFile(path))
    assert len(found) == 2
    assert texts(found) == texts(tool.graded(tool.PuzzleFile(whole)))
    before = path.read_bytes()
    tool.find_all(tool.PuzzleFile(path), tool.reversi_source(end=2))
    assert path.read_bytes() == before  # nothing is missing


def test_what_it_finds_in_quoridor_is_proven(tool: ModuleType, tmp_path: Path) -> None:
    file = tool.PuzzleFile(tmp_path / "found.jsonl")
    tool.find_all(file, tool.quoridor_source(9, medium=1))
    (puzzle,) = tool.graded(file)
    line = find_line(puzzle.start, puzzle.start.game.make_prover())
    assert line is not None
    assert puzzle.start.format_move(line[0]) == puzzle.answer
