"""Grids: the best of a known landscape, real games, bad settings, and the command."""

from __future__ import annotations

import argparse
import csv
import math
import random
import re
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from plyground.agents import make
from plyground.arena import GameResult, Store, Task, Tournament
from plyground.arena.cluster import RayBackend
from plyground.arena.estimate import score_from_elo
from plyground.arena.rating import Rating
from plyground.arena.tournament import backend_for
from plyground.cli import tournament_screen
from plyground.cli.main import main
from plyground.cli.tune_options import add_workers_options, workers_from
from plyground.play import Record
from plyground.tune.candidates import check_match
from plyground.tune.grid import GridConfig, GridRow, grid_rows, mean_elo
from plyground.tune.grid_plot import write_grid_plot

CONFIGS = Path(__file__).parents[2] / "configs" / "tune"
GRID: dict[str, list[float]] = {
    "path_weight": [8, 12, 16],
    "progress_weight": [0.5, 1.5],
    "wall_weight": [1, 2, 3, 4],
}
BEST = {"path_weight": 16, "progress_weight": 0.5, "wall_weight": 3}


def true_elo(agent: str) -> float:
    """A landscape with one top, 300 above what it is around the reference."""
    found = {name: float(value) for name, value in re.findall(r"(\w+_weight)=([\d.]+)", agent)}
    if not found:
        return 0.0
    distance = abs(found["path_weight"] - 16) / 4 + abs(found["wall_weight"] - 3)
    return 300 - 100 * distance - 80 * (found["progress_weight"] - 0.5)


def simulated(tasks: Iterable[Task]) -> Generator[GameResult, None, None]:
    """Games whose results are drawn by the players' true strength."""
    for task in tasks:
        rng = random.Random(str(task.key))
        lead = true_elo(task.player1) - true_elo(task.player2)
        result = "1-0" if rng.random() < score_from_elo(lead) else "0-1"
        record = Record.from_moves([], task.start_state(), task.tags, result=result)
        yield GameResult(task, record)


@pytest.mark.parametrize("form", ["gauntlet", "round-robin"])
def test_the_best_of_a_known_landscape_is_found(form: str, tmp_path: Path) -> None:
    games = 200 if form == "gauntlet" else 20
    arena = {"preset": "tiny", "games": games, "format": form, "openings": "start"}
    config = GridConfig(GRID, arena=arena)
    with Store(":memory:") as store:
        tournament = Tournament(config.tournament(), store, backend=simulated)
        assert sum(1 for _ in tournament.run()) == games * (24 if form == "gauntlet" else 25 * 12)
        rows = grid_rows(config, tournament.crosstable)
    assert len(rows) == 24
    assert rows[0].options == BEST
    assert rows[0].agent.endswith("path_weight=16,progress_weight=0.5,wall_weight=3")
    inside = sum(row.elo.low <= true_elo(row.agent) <= row.elo.high for row in rows)
    assert inside >= 20  # of 24 intervals of 95%
    means = [mean_elo(rows, {"wall_weight": value}) for value in GRID["wall_weight"]]
    assert max(means) == means[2]
    write_grid_plot(config, rows, tmp_path / "grid.png")
    assert (tmp_path / "grid.png").read_bytes()[:4] == b"\x89PNG"


def test_one_option_is_drawn_as_a_line(tmp_path: Path) -> None:
    config = GridConfig(
        {"depth": [1, 2]}, "minimax", "pathfinder", {"preset": "tiny", "games": 4, "workers": 0}
    )
    with Store(":memory:") as store:
        tournament = Tournament(config.tournament(), store)
        assert len(list(tournament.run())) == 8
        rows = grid_rows(config, tournament.crosstable)
    assert {row.agent for row in rows} == {"minimax:depth=1", "minimax:depth=2"}
    write_grid_plot(config, rows, tmp_path / "grid.svg")
    assert "<svg" in (tmp_path / "grid.svg").read_text()


def test_infinite_elo_can_be_drawn(tmp_path: Path) -> None:
    config = GridConfig({"depth": [1, 2]}, "minimax", "pathfinder", {"preset": "tiny"})
    lost, won = Rating(-math.inf, -math.inf, 200.0), Rating(math.inf, -200.0, math.inf)
    rows = [GridRow("a", {"depth": 1}, lost, 0.0, 4), GridRow("b", {"depth": 2}, won, 1.0, 4)]
    write_grid_plot(config, rows, tmp_path / "grid.svg")
    assert "<svg" in (tmp_path / "grid.svg").read_text()


def test_a_reference_that_cannot_start_ends_it_without_a_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "grid.yaml", tmp_path / "run"
    path.write_text(
        "agent: minimax:depth=1\nreference: engine:/bin/false\ngrid: {wall_weight: [0, 1]}\n"
        "preset: tiny\nopenings: start\ngames: 4\n"
    )
    assert main(["tune", "grid", str(path), "--out", str(out)]) == 1
    text, told = capsys.readouterr()
    assert text == ""
    assert told.splitlines()[-1] == (
        "plyground: engine:/bin/false is out: it failed to start 3 times in a row; "
        "5 games not played"
    )
    assert not (out / "agent.txt").exists()


def test_configurations_that_play_alike_are_even() -> None:
    """Twice the weights are the same player: every pair is shared, and the interval knows."""
    config = GridConfig(
        {"path_weight": [24], "progress_weight": [3], "wall_weight": [4]},
        "minimax:depth=1",
        arena={"preset": "small", "games": 40, "workers": 0},
    )
    with Store(":memory:") as store:
        tournament = Tournament(config.tournament(), store)
        list(tournament.run())
        (row,) = grid_rows(config, tournament.crosstable)
    assert row.elo.elo == 0
    assert row.score == 0.5


def test_the_check_starts_from_other_openings() -> None:
    arena = {"preset": "small", "games": 20}
    config = GridConfig({"wall_weight": [1, 4]}, arena=arena)
    with Store(":memory:") as store:
        chosen_by = {task.start for task in Tournament(config.tournament(), store).tasks}
        match = check_match("minimax:depth=1", "pathfinder", arena, 20, store)
        assert match.config.agents == ("minimax:depth=1", "pathfinder")
        starts = {task.start for task in match.tasks}
        assert len(starts) == len(chosen_by) == 10
        assert len(starts & chosen_by) <= 1


def test_its_tournament_may_be_played_on_a_cluster() -> None:
    parser = argparse.ArgumentParser()
    add_workers_options(parser)
    found = workers_from(parser.parse_args(["--backend", "ray", "--address", "auto"]))
    words = [f"{name}={value}" for name, value in found.items()]
    config = GridConfig.load(CONFIGS / "grid-small.yaml", words)
    assert isinstance(backend_for(config.tournament()), RayBackend)
    assert config.tournament().address == "auto"


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("grid-*.yaml")), ids=lambda path: path.stem)
def test_the_ready_made_settings_are_read(path: Path) -> None:
    assert len(GridConfig.load(path, []).points()) >= 40


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("girds={}", "unknown setting 'girds'; did you mean 'grid'?"),
        ("grid={}", "expected grid to name at least one option"),
        ("grid=3", "expected grid to be names with values, got 3"),
        ("grid={depth: 2}", "expected a list of values for depth of grid, got 2"),
        ("grid={depth: [a]}", "expected numbers for depth of grid, got 'a'"),
        ("grid={depth: [1, 1]}", "expected different values for depth of grid, got [1, 1]"),
        ("grid={dept: [1]}", "unknown option 'dept' of the agent 'minimax'"),
        ("games=3", "expected an even number of games, got 3"),
        ("format=swiss", "expected the format round-robin or gauntlet, got 'swiss'"),
        ("reference=nobody", "unknown agent 'nobody'"),
        ("reference=3", "expected reference to be the string of an agent, got 3"),
        ("agent=[minimax]", "expected agent to be the string of an agent, got ['minimax']"),
    ],
)
def test_mistakes_are_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str, message: str
) -> None:
    path = tmp_path / "grid.yaml"
    path.write_text("agent: minimax\ngrid: {depth: [1, 2]}\npreset: tiny\n")
    assert main(["tune", "grid", str(path), "--out", str(tmp_path), "--set", word]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def test_a_grid_needs_a_grid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "grid.yaml"
    path.write_text("games: 10\n")
    assert main(["tune", "grid", str(path), "--out", str(tmp_path)]) == 2
    assert "expected the setting 'grid' in" in capsys.readouterr().err


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_screen, "SILENT_S", 0)
    path, out = tmp_path / "grid.yaml", tmp_path / "run"
    path.write_text(
        "agent: minimax:depth=1\ngrid: {wall_weight: [0, 1], progress_weight: [0, 1]}\n"
        "preset: tiny\ngames: 4\n"
    )
    arguments = ["tune", "grid", str(path), "--out", str(out), "--match", "4"]
    assert main(arguments) == 0
    text, told = capsys.readouterr()
    assert told.count("finding openings: ") == 2  # for the grid, and for the match
    assert text.startswith("4 configurations, Elo above the reference:")
    assert "the best configuration, from other openings:" in text
    with (out / "grid.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4
    assert {row["games"] for row in rows} == {"4"}
    assert (out / "grid.png").exists()
    assert (out / "agent.txt").read_text().strip() == rows[0]["agent"]
    best = make(f"minimax:weights={out / 'weights.yaml'}")
    assert best.weights.wall_weight == float(rows[0]["wall_weight"])  # type: ignore[attr-defined]
    assert main(arguments) == 0  # all there; nothing is played again
    assert capsys.readouterr() == (text, "")


def test_files_that_a_grid_names_lie_beside_it(tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("e2 e8\n")
    (tmp_path / "w.yaml").write_text("wall_weight: 3\n")
    path = tmp_path / "grid.yaml"
    path.write_text(
        "agent: minimax:weights=w.yaml\nreference: minimax\n"
        "grid: {path_weight: [8]}\nopenings: book.txt\n"
    )
    config = GridConfig.load(path, [])
    found = f"minimax:weights={tmp_path}/w.yaml"
    assert config.tournament().agents == ("minimax", f"{found},path_weight=8")
    assert config.tournament().openings == str(tmp_path / "book.txt")
    said = GridConfig.load(path, ["openings=book.txt"])
    assert said.arena == {"openings": "book.txt"}  # an option's is where we are
