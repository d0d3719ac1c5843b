"""`plyground analyse` and `plyground cache`, as installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from plyground.play.game_file import read_games, save_game
from plyground.play.record import Record

COMMAND = str(Path(sys.executable).parent / "plyground")


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    path = tmp_path / "game.pgn"
    save_game(Record.from_moves(["e2", "e8"], tags={"Player1": "Ann", "Player2": "Bob"}), path)
    save_game(Record.from_moves(["e2", "e8", "e3", "d8"]), path)
    return path


def plyground(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "XDG_DATA_HOME": str(folder)},
    )


def test_a_game_is_analysed_and_what_was_found_is_kept(tmp_path: Path, game_file: Path) -> None:
    options = ["analyse", str(game_file), "--depth", "5"]
    picture, output = tmp_path / "graph.svg", tmp_path / "annotated.pgn"
    done = plyground(tmp_path, *options, "--picture", str(picture), "--output", str(output))
    assert (done.returncode, done.stderr) == (0, "")
    assert "player 1's chance to win:\n\n100% |" in done.stdout
    assert "player 2 (?): accuracy " in done.stdout
    assert picture.read_text().startswith("<?xml")
    assert [len(game.moves) for game in read_games(output)] == [4]
    info = json.loads(plyground(tmp_path, "cache", "info", "--json").stdout)
    assert info["positions"] == 5
    assert info["minimax"]["best_moves"] == 0
    again = plyground(tmp_path, *options)
    assert again.stdout == done.stdout
    cleared = plyground(tmp_path, "cache", "clear")
    assert "positions: 0\n" in cleared.stdout
    assert "deleted: 5\n" in cleared.stdout


def test_the_caches_of_minimax_are_shown_and_cleared(tmp_path: Path) -> None:
    game = ["--p1", "minimax:order=dijkstra", "--p2", "minimax:order=dijkstra", "--preset", "small"]
    assert plyground(tmp_path, "play", *game).returncode == 0
    info = json.loads(plyground(tmp_path, "cache", "info", "--json").stdout)["minimax"]
    assert min(info["best_moves"], info["evaluations"], info["children"]) > 0
    shown = plyground(tmp_path, "cache", "info").stdout
    for name in ("best_moves", "evaluations", "children"):
        assert f"  {name.replace('_', ' ')}: {info[name]:,}\n" in shown
    cleared = plyground(tmp_path, "cache", "clear").stdout
    for name in ("best moves", "evaluations", "children"):
        assert f"  {name}: 0\n" in cleared
    assert f"  deleted: {info['best_moves']:,}\n" in cleared


def test_the_network_analyses_unless_a_depth_is_asked_for(tmp_path: Path, game_file: Path) -> None:
    done = plyground(tmp_path, "analyse", str(game_file), "--time", "0.05")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("analysed with zero\n")
    done = plyground(tmp_path, "analyse", str(game_file), "--depth", "3")
    assert done.stdout.endswith("analysed with engine\n")


def test_games_are_chosen_by_number_and_reported_as_json(tmp_path: Path, game_file: Path) -> None:
    options = ["analyse", str(game_file), "--number", "1", "--depth", "3", "--no-cache", "--json"]
    report = json.loads(plyground(tmp_path, *options).stdout)
    assert [move["move"] for move in report["moves"]] == ["e2", "e8"]
    assert (report["complete"], len(report["chances"])) == (True, 3)
    assert not (tmp_path / "plyground").exists()


def test_the_best_lines_of_a_position(tmp_path: Path) -> None:
    position = "9 e4/e6 c3h,e3h,d7h 8/9 2 9 1"
    options = ["analyse", "--position", position, "--lines", "2", "--time", "0.2"]
    text = plyground(tmp_path, *options).stdout
    assert text.count(" depth ") == 2
    report = json.loads(plyground(tmp_path, *options, "--json").stdout)
    assert (report["position"], len(report["lines"])) == (position, 2)
    assert report["lines"][0]["score"] >= report["lines"][1]["score"]
    assert report["with"] == "zero"
    assert 0.5 <= report["lines"][0]["chance"] <= 1  # player 1's, who is ahead
    options = ["analyse", "--no-cache", "--position", position, "--depth", "4"]
    assert plyground(tmp_path, *options).stdout.count(" depth 4 ") == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["analyse"], "expected either a game file or --position"),
        (["analyse", "x.pgn", "--position", "y"], "expected either a game file or --position"),
        (["analyse", "x.pgn"], "cannot read x.pgn: No such file or directory"),
        (
            ["analyse", "x.pgn", "--output", "none/y.pgn"],
            "expected a folder for --output",
        ),
        (["analyse", "x.pgn", "--picture", "x.gif"], "expected a picture to end in .svg, .png"),
        (["analyse", "--position", "9 e1"], "bad position '9 e1': expected 7 fields"),
        (["analyse", "--position", "3 b3/b2 - 2/2 2 3 3"], "the game is over in '3 b3/b2 - 2/2"),
        (
            ["analyse", "--position", "9", "--output", "x.pgn"],
            "--output needs a game file",
        ),
        (
            ["analyse", "--lines", "0"],
            "argument --lines: expected a whole number from 1 to 50, got '0'",
        ),
        (["cache", "burn"], "argument action: invalid choice: 'burn'"),
    ],
)
def test_mistakes_get_one_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = plyground(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"plyground: {message}")
    assert done.stderr.count("\n") == 1
