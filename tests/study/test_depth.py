"""The study of depths: what it counts, against games counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.arena import GameResult, Store, Tournament
from plyground.cli import tournament_screen
from plyground.cli.main import main
from plyground.config import Settings
from plyground.play import MoveRecord, Record
from plyground.study.depth import depth_config, depth_rows, depth_table

SETTINGS: Settings = {"games": 2, "workers": 0, "openings": "start"}


def test_boards_get_the_walls_of_their_presets() -> None:
    for board, text in (
        (3, "3 b1/b3 - 2/2 1 0 0"),
        (5, "5 c1/c5 - 5/5 1 0 0"),
        (9, "9 e1/e9 - 10/10 1 0 0"),
    ):
        config = depth_config("minimax", [1, 2], SETTINGS | {"board": board})
        assert config.start_state().text() == text
    config = depth_config("engine:hash_mb=1", [1, 3], SETTINGS | {"board": 7})
    assert config.agents == ("engine:hash_mb=1,depth=1", "engine:hash_mb=1,depth=3")


def test_costs_are_by_move() -> None:
    config = depth_config("minimax", [1, 2], SETTINGS | {"board": 3})
    with Store(":memory:") as store:
        tournament = Tournament(config, store)
        for task in tournament.tasks:
            # Three plies, so that player 1 moves twice and player 2 once, and wins.
            times = {"b2": 0.5, "a3": 0.25, "b3": 0.5}
            moves = [MoveRecord(move, time_s) for move, time_s in times.items()]
            record = Record.from_moves(moves, task.start_state(), task.tags)
            store.add(tournament.number, GameResult(task, record, (40, 9), (1.0, 0.25)))
        tournament = Tournament(config, store)
        rows = depth_rows(tournament, [1, 2])
    # Each has been either player once: three moves, 49 nodes, 1.25 s.
    for row in rows:
        assert row.nodes == pytest.approx(49 / 3)
        assert row.milliseconds == pytest.approx(1250 / 3)
    assert rows[0].over_previous is None
    assert rows[1].over_previous is not None
    assert rows[1].over_previous.score == 0.5
    assert "| 16 " in depth_table(rows)
    assert [row.win_rate for row in rows] == [0.5, 0.5]
    assert [row.previous_win_rate for row in rows] == [None, 0.5]


def test_win_rates_stand_beside_elo() -> None:
    config = depth_config("minimax", [1, 2], SETTINGS | {"board": 3, "games": 4})
    with Store(":memory:") as store:
        tournament = Tournament(config, store)
        results = ["1-0", "0-1", "1-0", "1/2-1/2"]
        for task, result in zip(tournament.tasks, results, strict=True):
            tournament.crosstable.add(task.key, result)
        first, second = depth_rows(tournament, [1, 2])
        counts = tournament.crosstable.counts(tournament.config.agents[1])
    assert sum(counts) == 4
    assert second.win_rate == second.previous_win_rate == counts[0] / 4
    assert first.win_rate == counts[2] / 4
    header, _, *lines = depth_table([first, second]).splitlines()
    columns = [name.strip() for name in header.strip("|").split("|")]
    assert columns[1:4] == ["Elo", "95%", "won"]
    cells = [cell.strip() for cell in lines[1].strip("|").split("|")]
    assert cells[columns.index("won against it")] == f"{counts[0] / 4:.0%}"


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_screen, "SILENT_S", 0)
    out = tmp_path / "study"
    arguments = ["study", "depth", "--boards", "3", "4", "--depths", "2", "1", "--games", "4"]
    arguments += ["--out", str(out)]
    assert main(arguments) == 0
    text, told = capsys.readouterr()
    assert told.count("finding openings: ") == 1  # there is a book for 4x4
    assert text == (out / "depth.md").read_text()
    assert "minimax in Quoridor 3x3, 4 games per pairing of depths:" in text
    assert "minimax in Quoridor 4x4" in text
    assert [line[:4] for line in text.splitlines() if line[2:3].isdigit()] == ["| 1 ", "| 2 "] * 2
    assert (out / "depth.png").read_bytes()[:4] == b"\x89PNG"
    assert main(arguments) == 0  # all there; nothing is played again
    assert capsys.readouterr() == (text, "")


def test_a_game_with_one_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["study", "depth", "--game", "reversi", "--depths", "1", "2", "--games", "2"]
    assert main([*arguments, "--out", str(tmp_path)]) == 0
    assert "minimax in Reversi, 2 games per pairing of depths:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["depth"], "--out"),
        (["depth", "--out", "x", "--boards", "12"], "whole number from 3 to 9, got 12"),
        (["depth", "--out", "x", "--game", "reversi", "--boards", "5"], "expected Board 8, 6 or 4"),
        (["depth", "--out", "x", "--games", "3"], "expected an even number of games, got 3"),
        (["depth", "--out", "x", "--agent", "pathfinder"], "unknown option 'depth'"),
        (["depth", "--out", "x", "--depths", "2"], "expected at least two agents, got 1"),
        (["first-player", "--out", "x", "--plies", "3"], "expected an even number of plies, got 3"),
        (["first-player", "--out", "x", "--agent", "nobody"], "unknown agent 'nobody'"),
        (["first-player", "--out", "x", "--presets", "tinny"], "did you mean 'tiny'?"),
        (["second-player"], "second-player"),
        ([], "expected one of depth, first-player after 'plyground study', got nothing"),
    ],
)
def test_mistakes_are_told_in_a_line(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["study", *arguments]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
