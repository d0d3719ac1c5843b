"""`plyground bench summary`: one table by board and depth, and its copy in docs/results.md."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from plyground.bench.quoridor_positions import positions
from plyground.bench.quoridor_summary import DEPTHS, PRESETS, depth_nodes, play_counts
from plyground.cli.main import main
from plyground.quoridor import GameConfig, State, action_space_size
from plyground.search.textbook import alphabeta, minimax

RESULTS = Path(__file__).parents[2] / "docs" / "results.md"


def test_one_table_has_a_row_for_each_board_and_depth(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "summary", "--presets", "tiny", "small", "--games", "3"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert header == [
        *("board", "state bytes", "actions", "legal moves", "game length", "depth"),
        *("minimax nodes", "alpha-beta nodes", "pruned", "ms"),
    ]
    assert [row[5] for row in rows] == [str(depth) for depth in DEPTHS] * 2
    assert [row[0] for row in rows] == ["tiny (3x3)", "", "", "small (5x5)", "", ""]
    assert (rows[0][2], rows[3][2]) == ("17", "57")
    assert re.fullmatch(r"\d+ \(\d+ to \d+\)", rows[3][4])


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "summary", "--presets", "tiny", "--games", "2", "--json"]) == 0
    board = json.loads(capsys.readouterr().out)["boards"]["tiny"]
    assert (board["board_size"], board["actions"]) == (3, action_space_size(3))
    assert [row["depth"] for row in board["depths"]] == [*DEPTHS]
    assert all(0 < row["pruned"] < 1 for row in board["depths"])


def test_nodes_are_those_of_the_searches() -> None:
    states = positions(5)
    for depth in (2, 3):
        row = depth_nodes("small", depth, lambda _: None)
        full = sum(minimax(state, depth).nodes_searched for state in states)
        cut = sum(alphabeta(state, depth).nodes_searched for state in states)
        assert (row.minimax, row.alphabeta) == (full / len(states), cut / len(states))
        assert row.pruned == 1 - row.alphabeta / row.minimax


def test_legal_moves_are_counted_before_every_move() -> None:
    start = State(GameConfig.preset("small"))
    counts = play_counts(start, random.Random(1))
    assert counts[0] == len(start.legal_actions())
    assert 5 < len(counts) <= start.config.max_moves
    assert counts == play_counts(start, random.Random(1))


def test_the_page_has_the_same_nodes() -> None:
    section = RESULTS.read_text(encoding="utf-8").partition("\n## Boards and depths")[2]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.partition("\n## ")[0].splitlines()
        if re.match(r"\| *(tiny|small|standard|\|)", line)
    ]
    assert len(rows) == len(PRESETS) * len(DEPTHS)
    for number, row in enumerate(rows):
        preset, depth = PRESETS[number // len(DEPTHS)], DEPTHS[number % len(DEPTHS)]
        assert int(row[5]) == depth
        if (preset, depth) != ("standard", 4):  # which takes a second
            found = depth_nodes(preset, depth, lambda _: None)
            figures = [f"{found.minimax:,.0f}", f"{found.alphabeta:,.0f}", f"{found.pruned:.1%}"]
            assert row[6:9] == figures


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--presets", "large"], "invalid choice: 'large'"),
        (["--games", "1"], "expected a whole number from 2 to 1000000"),
    ],
)
def test_mistakes_are_told_in_a_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "summary", *arguments]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
