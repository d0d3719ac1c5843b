"""What docs/arena.md promises: its program runs, its options and its table are real."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from plyground.agents.base import ForfeitKind
from plyground.agents.engine_adapter import EngineAdapter
from plyground.agents.engine_file import KEYS
from plyground.arena import Crosstable, format_standings
from plyground.arena.config import setting_names
from plyground.arena.rounds import TIE_BREAK_PAIRS
from plyground.cli import arena
from plyground.cli.main import main
from plyground.search.limits import LIMIT_NAMES
from plyground.search.time_control import TimeControl

TEXT = (Path(__file__).parents[2] / "docs" / "arena.md").read_text(encoding="utf-8")


def test_the_program_runs(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    path = tmp_path / "program.py"
    path.write_text(program)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 12 + 5


def test_every_option_it_names_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    known = ""
    for command in ("arena", "games", "report"):
        assert main([command, "--help"]) == 0
        known += capsys.readouterr().out
    ours = re.sub(r"^(ray|pip) .*|^\| `-.*?` \|", "", TEXT, flags=re.MULTILINE)
    for option in set(re.findall(r"--[a-z][a-z-]+", ours)):
        assert option in known


def test_every_setting_of_a_program_is_in_a_table() -> None:
    (keys, adapter) = re.findall(r"^\| key \|.*\n\|[- |]+\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    names = [set(re.findall(r"^\| (.+?) \|", rows, re.MULTILINE)) for rows in (keys, adapter)]
    program, words = ({x for cell in cells for x in re.findall("`(.+?)`", cell)} for cells in names)
    assert program == {*KEYS, *LIMIT_NAMES, "option.NAME"}
    assert words == {item.name for item in fields(EngineAdapter)}


def test_the_table_has_the_real_headline() -> None:
    headline = format_standings(Crosstable(["engine:nodes=200,hash_mb=1", "b"])).splitlines()[0]
    assert headline in TEXT


def test_the_kinds_of_forfeits_are_the_real_ones() -> None:
    section = TEXT[TEXT.index("## Forfeits") : TEXT.index("## Other people's engines")]
    rows = re.findall(r"^\| `([^`]+)` \| [^|]+ \| `([^`]+)` \|$", section, re.MULTILINE)
    assert [kind for kind, _ in rows] == [kind.value for kind in ForfeitKind]
    for kind, termination in rows:
        assert termination.startswith(kind)
    stops, goes_on = re.findall(
        r"first\n?((?:[^;]*?`[a-z ]+`)+); ((?:[^;]*?`[a-z ]+`)+) never", section
    )[0]
    assert set(re.findall("`(.*?)`", stops)) == {kind for kind in ForfeitKind if kind.is_failure}
    assert set(re.findall("`(.*?)`", goes_on)) == {
        kind for kind in ForfeitKind if not kind.is_failure
    }


def test_the_match_of_a_program_that_does_not_start(capsys: pytest.CaptureFixture[str]) -> None:
    command, *shown = re.findall(r"```\n\$ plyground (.*?)```", TEXT, re.DOTALL)[0].splitlines()
    assert main(command.split()) == 1
    out, err = capsys.readouterr()
    first, *rest = err.splitlines()
    assert [first, *out.splitlines(), *rest] == shown


def test_the_options_for_users_of_other_tools_are_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    section = TEXT[TEXT.index("## For users of fastchess and cutechess") :]
    ours = re.findall(r"^\| `-.*? \| (.*) \|$", section, re.MULTILINE)
    assert len(ours) >= 18
    assert main(["arena", "--help"]) == 0
    known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    named = set(re.findall(r"--[a-z-]+", " ".join(ours)))
    assert named <= known
    parser = argparse.ArgumentParser()
    arena.add_arguments(parser)
    for text in re.findall("`(--.*?)`", " ".join(ours)):
        args = parser.parse_args(["random", "pathfinder", *text.replace("FILE", "x").split()])
        arena.settings_from(args)


def test_the_options_of_books_are_settings_of_the_same_names() -> None:
    rows = re.findall(r"^\| `--(openings-\w+)[^|]*\| `(\w+)` \|", TEXT, re.MULTILINE)
    assert [option.replace("-", "_") for option, _ in rows] == [name for _, name in rows]
    assert {name for _, name in rows} <= set(setting_names())
    assert len(rows) == 3


def test_the_clocks_of_the_table_can_be_read() -> None:
    section = TEXT[TEXT.index("| clock | time |") : TEXT.index("For time odds")]
    clocks = re.findall(r"^\| `(.*?)` \|", section, re.MULTILINE)
    assert [str(TimeControl.parse(text)) for text in clocks] == clocks
    assert len(clocks) == 4
    assert TimeControl.parse("1/move").move_time_s == pytest.approx(1 - 0.05)
    assert TimeControl.parse("0.04/move").move_time_s == pytest.approx(0.04 * 3 / 4)


def test_the_tie_breaks_of_a_knockout() -> None:
    assert (
        f"up to {['', 'one', 'two', 'three', 'four'][TIE_BREAK_PAIRS]} more pairs of games" in TEXT
    )
