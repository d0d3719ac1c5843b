"""`plyground bench search`: what it measures, prints and draws, and the positions it works on."""

import json
import os
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from plyground.bench import depth_table
from plyground.bench.quoridor_positions import BOARD_SIZES, POSITIONS, positions
from plyground.bench.quoridor_search import QUICK, thread_counts
from plyground.cli.main import main
from plyground.games import registry
from plyground.quoridor import GameConfig, State
from plyground.search import default_switches
from plyground.search.textbook import minimax

COMMAND = str(Path(sys.executable).parent / "plyground")


@pytest.fixture(scope="module")
def quick() -> dict[str, Any]:
    command = [COMMAND, "bench", "search", "--quick", "--json"]
    report = json.loads(subprocess.check_output(command, text=True, timeout=120))
    assert report["quick"] is True
    boards: dict[str, Any] = report["boards"]
    return boards


@pytest.mark.parametrize("board_size", BOARD_SIZES)
def test_the_positions_can_be_played_on_and_are_all_different(board_size: int) -> None:
    states = positions(board_size)
    assert states[0] == State(GameConfig.for_size(board_size))
    assert tuple(state.text() for state in states) == POSITIONS[board_size]
    assert len({text.rsplit(" ", 2)[0] for text in POSITIONS[board_size]}) == len(states)
    assert not any(state.game_over for state in states)
    assert {state.current_player for state in states} == {1, 2}
    assert len(states) >= (7 if board_size == 3 else 13)


def test_quick_measures_every_board(quick: dict[str, Any]) -> None:
    assert list(quick) == ["3", "5", "9"]
    for size, board in quick.items():
        assert board["positions"] == list(POSITIONS[int(size)][:: QUICK.stride])
        assert list(board["alphabeta"]) == ["nearest", "corridor", "cutting"]
        rates = board["nodes_per_second"]
        assert list(rates) == [
            "minimax",
            "alphabeta_nearest",
            "alphabeta_corridor",
            "alphabeta_cutting",
            "engine",
        ]
        assert all(rate > 1000 for rate in rates.values() if rate is not None)
        assert all(0 < rate <= 1 for rate in board["first_move_cutoff_rate"].values())


def test_pruning_is_counted_on_the_tree_that_minimax_searches(quick: dict[str, Any]) -> None:
    states = positions(5)[:: QUICK.stride]
    for row in quick["5"]["minimax"][:4]:
        assert row["nodes"] == sum(minimax(s, row["depth"]).nodes_searched for s in states)
    for board in quick.values():
        pruned = [board["pruned"][depth] for depth in sorted(board["pruned"], key=int)]
        assert pruned[0] == 0
        assert pruned == sorted(pruned)
    assert quick["9"]["pruned"]["3"] > 0.95


def test_the_engine_is_followed_from_depth_to_depth(quick: dict[str, Any]) -> None:
    for board in quick.values():
        rows = [row for row in board["engine"] if row["nodes"] is not None]
        assert [row["depth"] for row in rows] == list(range(1, len(rows) + 1))
        assert len(rows) > 4
        assert rows[0]["branching"] is None
        for row, deeper in pairwise(rows):
            assert row["nodes"] < deeper["nodes"]
            assert row["seconds"] <= deeper["seconds"]
            assert deeper["branching"] > 1
    assert quick["3"]["engine"][-1]["proven"] == len(quick["3"]["positions"])


def test_each_switch_is_turned_once(quick: dict[str, Any]) -> None:
    expected = {name: not on for name, on in default_switches().items()}
    for board in quick.values():
        assert {cost["name"]: cost["on"] for cost in board["switches"]} == expected
        assert any(cost["nodes_ratio"] > 1.2 for cost in board["switches"])


def test_threads_are_compared_with_one(quick: dict[str, Any]) -> None:
    assert quick["3"]["threads"] == []  # solved before a second thread could help
    for speed in (quick["5"]["threads"][0], quick["9"]["threads"][0]):
        assert (speed["threads"], speed["nodes_ratio"], speed["depth_speedup"]) == (1, 1, 1)
        assert 0 < speed["cores_used"] < 1.1
    assert thread_counts(1) == [1]
    assert thread_counts(2) == [1, 2]
    assert thread_counts(16) == [1, 2, 3, 4, 8, 16]


def test_the_tables_fit_the_terminal_and_the_plot_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plot = tmp_path / "search.svg"
    assert main(["bench", "search", "--quick", "--board", "3", "--plot", str(plot)]) == 0
    text = capsys.readouterr().out
    lines = text.splitlines()[1:]  # the first is as long as the processor's name
    assert max(map(len, lines)) <= 92
    assert "3x3, 2 positions" in lines
    assert "9x9" not in text
    rows = [line.split() for line in lines]
    assert ["2", "119", "62", "47.9%", "100.0%", "7.71", "5.57"] in rows
    for name, on in default_switches().items():
        assert any(row[:2] == [name, "off" if on else "on"] for row in rows)
    drawing = plot.read_text(encoding="utf-8")
    assert drawing.rstrip().endswith("</svg>")


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("search.txt", "expected a plot to end in .svg, .png, .pdf, got "),
        ("no/search.svg", "cannot write "),
    ],
)
def test_a_plot_that_cannot_be_written_is_refused_at_once(
    file: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "search", "--plot", str(tmp_path / file)]) == 2
    assert capsys.readouterr().err.startswith(f"plyground: {message}")


def test_without_matplotlib_a_plot_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(["bench", "search", "--plot", str(tmp_path / "search.svg")]) == 2
    expected = "plyground: plots need matplotlib: pip install 'plyground[plot]'\n"
    assert capsys.readouterr().err == expected


def test_ctrl_c_ends_it_and_clears_the_line_of_progress() -> None:
    ours, its = os.openpty()
    process = subprocess.Popen([COMMAND, "bench", "search"], stdout=subprocess.PIPE, stderr=its)
    os.close(its)
    seen = b""
    while b"depth 5" not in seen:
        seen += os.read(ours, 1000)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    while not seen.endswith(b"\r\x1b[K"):
        seen += os.read(ours, 1000)  # an error, and the test's failure, if there is no more
    os.close(ours)
    assert output == b""
    assert process.returncode == 130
    assert b"Traceback" not in seen


def test_the_table_by_depth_of_any_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "search", "--game", "reversi", "--quick", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["game"] == "reversi"
    rows = report["depths"]
    assert [row["depth"] for row in rows] == list(range(1, len(rows) + 1))
    assert (rows[0]["branching"], rows[-1]["minimax_nodes"]) == (None, None)
    states = depth_table.positions(registry.get("reversi"), depth_table.QUICK_POSITIONS)
    for row in rows[:3]:
        nodes = sum(minimax(state, row["depth"]).nodes_searched for state in states)
        assert row["minimax_nodes"] == nodes
        assert row["pruned"] == 1 - row["alphabeta_nodes"] / nodes
    assert rows[2]["branching"] == rows[2]["alphabeta_nodes"] / rows[1]["alphabeta_nodes"]
    assert main(["bench", "search", "--game", "reversi", "--board", "5"]) == 2
    assert "leave out --board" in capsys.readouterr().err


def test_the_table_by_depth_is_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(depth_table, "QUICK_NODES", 20_000)
    for game in ("quoridor", "reversi"):
        assert main(["bench", "search", "--game", game, "--quick"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[3].split()[:4] == ["depth", "minimax", "ms", "branching"]
        assert lines[4].split()[0] == "1"
        assert lines[4].split()[-1] == "0.0%"
