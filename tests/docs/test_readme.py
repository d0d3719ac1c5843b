"""The README's Python runs as written, and the board it shows is one the library draws."""

import re
from pathlib import Path

import pytest

from plyground.quoridor import State

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PROGRAMS = [code for language, code in BLOCKS if language == "python"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_python_runs(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(program, "README.md", "exec"), {})
    assert capsys.readouterr().out.strip()


def test_board_is_drawn_by_the_library() -> None:
    (board,) = (code for language, code in BLOCKS if language == "" and "+--" in code)
    assert board.rstrip("\n") == str(State.parse("9 e4/e6 c3h,e3h,d7h 8/9 2 9 1"))


def test_moves_to_type_are_legal_at_the_start() -> None:
    (section,) = re.findall(r"^## Play$(.*?)^## ", README, re.MULTILINE | re.DOTALL)
    moves = re.findall(r"`([a-i][1-9][hv]?)`", section)
    assert "e2" in moves
    for move in moves:
        State().play(move)
