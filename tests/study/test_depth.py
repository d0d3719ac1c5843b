"""The study of depths: what it counts, against games counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.arena import Finished, Store, Tournament
from plyground.cli import tournament_screen
from plyground.cli.main import main
from plyground.play import Move, Record
from plyground.study.depth import depth_config, depth_rows, depth_table

SETTINGS = {"games": 2, "workers": 0, "openings": "start"}


def test_boards_get_the_walls_of_their_presets() -> None:
    for board, walls in ((3, 2), (5, 5), (9, 10)):
        state = depth_config("minimax", [1, 2], board, SETTINGS).start_state()
        assert (state.board_size, state.walls_remaining[1]) == (board, walls)  # type: ignore[attr-defined]
    config = depth_config("engine:hash_mb=1", [1, 3], 7, SETTINGS)
    assert config.agents == ("engine:hash_mb=1,depth=1", "engine:hash_mb=1,depth=3")


def test_costs_are_by_move() -> None:
    config = depth_config("minimax", [1, 2], 3, SETTINGS)
    with Store(":memory:") as store:
        tournament = Tournament(config, store)
        for task in tournament.tasks:
            # Three plies, so that player 1 moves twice and player 2 once, and wins.
            moves = [Move("b2", time_s=0.5), Move("a3", time_s=0.25), Move("b3", time_s=0.5)]
            record = Record.from_moves(moves, task.start_state(), task.game, task.tags)
            store.add(tournament.number, Finished(task, record, (40, 9), (1.0, 0.25)))
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


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_screen, "SILENT_S", 0)
    out = tmp_path / "study"
    arguments = ["study", "depth", "--boards", "3", "4", "--depths", "2", "1", "--games", "4"]
    arguments += ["--out", str(out)]
    assert main(arguments) == 0
    text, told = capsys.readouterr()
    assert told.count("finding openings: ") == 2  # one for each board
    assert text == (out / "depth.md").read_text()
    assert "minimax on 3x3, 4 games of each two depths:" in text
    assert "minimax on 4x4" in text
    assert [line[:4] for line in text.splitlines() if line[2:3].isdigit()] == ["| 1 ", "| 2 "] * 2
    assert (out / "depth.png").read_bytes()[:4] == b"\x89PNG"
    assert main(arguments) == 0  # all there; nothing is played again
    assert capsys.readouterr() == (text, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["depth"], "--out"),
        (["depth", "--out", "x", "--boards", "12"], "expected 3 to 9, got 12"),
        (["depth", "--out", "x", "--games", "3"], "expected an even number of games, got 3"),
        (["depth", "--out", "x", "--agent", "pathfinder"], "unknown option 'depth'"),
        (["depth", "--out", "x", "--depths", "2"], "expected at least two agents, got 1"),
        (["first-player", "--out", "x", "--plies", "3"], "expected an even number of plies, got 3"),
        (["first-player", "--out", "x", "--agent", "nobody"], "unknown agent 'nobody'"),
        (["second-player"], "second-player"),
        ([], "what"),
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
