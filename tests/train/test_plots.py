"""The picture of a run."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.figures import save_figure
from plyground.json_types import JsonObject
from plyground.train import plots
from plyground.train.plots import learning, read_metrics, thinned, write_plots

HEADER = (
    "elapsed_s,games_per_s,evals_per_s,positions_per_s,samples_per_s,draw_share,"
    "first_player_share,mean_plies,policy_loss,policy_kl,value_loss,margin_loss,steps,positions,games"
)
ROWS = (
    "1,5,100,40,0,0.5,0.4,8,0,0,0,0,0,40,5\n2,6,110,50,200,0.25,0.5,9,2,1,0.9,0.3,50,90,11\n"
    "3,6,120,50,200,0.1,0.6,9,1.5,0.5,0.7,0.2,100,140,17\n"
)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "metrics.csv").write_text(f"{HEADER}\n{ROWS}")
    return tmp_path


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> dict[str, Axes]:
    """The axes of the figure last drawn, by title, as matplotlib has them."""
    axes: dict[str, Axes] = {}

    def keep(figure: Figure, path: Path) -> None:
        axes.update({axis.get_title(): axis for axis in figure.axes})
        save_figure(figure, path)

    monkeypatch.setattr(plots, "save_figure", keep)
    return axes


def points(axis: Axes, number: int = 0) -> list[list[float]]:
    pairs: list[list[float]] = np.array(axis.lines[number].get_data()).T.tolist()
    return pairs


def test_a_run_is_drawn(
    run: Path, drawn: dict[str, Axes], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--out", str(run), "--plot"]) == 0
    assert capsys.readouterr().out == f"{run / 'plots.png'}\n"
    assert (run / "plots.png").read_bytes().startswith(b"\x89PNG")
    assert len(drawn) == 6
    # Losses begin with learning; results with the run.
    assert points(drawn["Losses"]) == [[2, 2], [3, 1.5]]
    assert points(drawn["Results of the games"]) == [[1, 0.5], [2, 0.25], [3, 0.1]]
    assert len(drawn["Speed, per second"].lines) == 4
    assert drawn["Elo of the snapshots"].texts[0].get_text() == "no matches were played"


def test_elo_is_drawn_where_there_is_some(run: Path, drawn: dict[str, Axes]) -> None:
    match: JsonObject = {"first": "snapshot-000002.pt", "second": "snapshot-000001.pt"}
    match |= {"games": 100, "points": 75}
    (run / "ladder.json").write_text(json.dumps({"matches": [match]}))
    write_plots(run)
    (first, zero), (second, elo) = points(drawn["Elo of the snapshots"])
    assert (first, zero, second) == (1, 0, 2)
    assert elo == pytest.approx(190, abs=3)


def test_a_long_run_is_drawn_in_few_points_and_hours() -> None:
    values = np.arange(1000.0)
    assert len(thinned(values)) <= plots.MOST_POINTS
    assert thinned(values)[0] == 3
    assert thinned(np.arange(3.0)).tolist() == [0, 1, 2]
    assert [plots.time_unit({"elapsed_s": np.array([1, end])}) for end in (60, 3600, 1e5)] == [
        ("seconds", 1),
        ("minutes", 60),
        ("hours", 3600),
    ]


def test_a_row_cut_short_is_left_out(run: Path) -> None:
    with (run / "metrics.csv").open("a") as file:
        file.write("4,6,1")
    columns = read_metrics(run / "metrics.csv")
    assert columns["elapsed_s"].tolist() == [1, 2, 3]
    assert learning(columns)["elapsed_s"].tolist() == [2, 3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot read .*metrics.csv: No such file"),
        ("", "no rows to draw in .*metrics.csv yet"),
        (f"{HEADER}\n", "no rows to draw in .*metrics.csv yet"),
        ("a,b\n1,x\n", "expected numbers below the header of .*metrics.csv: .*'x'"),
        ("a,b\n1,2\n", "expected the columns of a run in .*metrics.csv, found no elapsed_s"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(tmp_path: Path, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / "metrics.csv").write_text(text)
    with pytest.raises(ConfigError, match=message):
        write_plots(tmp_path)


def test_a_run_without_matplotlib_is_no_worse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    quick = ["--set", "report_s=0.1", "--set", "games=16", "--set", "channels=4"]
    assert main(["train", "--out", str(tmp_path), "--seconds", "0.5", *quick]) == 0
    assert "no plots: plots need matplotlib: pip install" in capsys.readouterr().err
    assert main(["train", "--out", str(tmp_path), "--plot"]) == 2
    monkeypatch.undo()
    again = ["--resume", "--seconds", "0.2"]
    assert main(["train", "--out", str(tmp_path), *again]) == 0
    assert (tmp_path / "plots.png").exists()
