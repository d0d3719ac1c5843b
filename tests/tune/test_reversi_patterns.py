"""Fitting Reversi's patterns: small collections of random games, from the file to the values."""

from __future__ import annotations

import random
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from plyground import reversi
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.search.reversi_patterns import read_patterns
from plyground.tune.reversi_patterns import FitSettings, fit_patterns
from plyground.tune.reversi_probcut import measure_deviation
from plyground.tune.reversi_wthor import WthorArrays, read_folder

GAMES = 40
QUICK = FitSettings(solve_from=6, steps=4, own_games=8, depth=2, own_solve_from=8)


def quietly(_what: str, _done: int, _count: int) -> None:
    pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two WTHOR files of random games, with true final scores."""
    rng = random.Random(7)
    folder = tmp_path_factory.mktemp("wthor")
    for year in (2001, 2002):
        records = b""
        for _ in range(GAMES // 2):
            state, squares = reversi.State(), []
            while not state.game_over:
                action = rng.choice(state.legal_actions())
                if action != reversi.PASS:
                    squares.append(10 * (action // 8 + 1) + action % 8 + 1)
                state = state.play(action)
            black = 32 + state.score // 2
            records += struct.pack("<3H 2B 60s", 0, 1, 2, black, black, bytes(squares))
        header = struct.pack("<4B I H H 4B", 20, 24, 1, 31, GAMES // 2, 0, year, 8, 0, 24, 0)
        (folder / f"WTH_{year}.wtb").write_bytes(header + records)
    return folder


@pytest.fixture(scope="module")
def games(folder: Path) -> WthorArrays:
    return read_folder(folder)


def test_a_folder_is_read_whole(folder: Path, games: WthorArrays) -> None:
    assert len(games) == GAMES
    assert games.squares.shape == (GAMES, 60)
    assert set(games.theory_empties.tolist()) == {24}
    assert len(read_folder(folder, limit=5)) == 5
    # The squares, played from the start, end with the score that is given.
    state = reversi.State()
    for square in games.squares[0].tolist():
        if square == 255:
            break
        if state.is_legal(reversi.PASS):
            state = state.play(reversi.PASS)
        state = state.play(square)
    assert state.game_over
    assert state.score == games.played[0]


def test_no_games_no_fit(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"expected \.wtb files"):
        read_folder(tmp_path)


def test_the_fit_does_not_depend_on_threads(games: WthorArrays) -> None:
    one = fit_patterns(games, QUICK, quietly)
    two = fit_patterns(games, replace(QUICK, threads=2), quietly)
    assert np.array_equal(one.values, two.values)
    assert one.values.any()
    assert len(one.errors) == 15


def test_own_games_change_the_values(games: WthorArrays) -> None:
    without = fit_patterns(games, replace(QUICK, rounds=0), quietly)
    assert not np.array_equal(without.values, fit_patterns(games, QUICK, quietly).values)


def test_progress_may_stop_it(games: WthorArrays) -> None:
    def interrupt(what: str, _done: int, _count: int) -> None:
        if what == "fitting":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_patterns(games, QUICK, interrupt)


def test_the_command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "patterns.bin"
    options = ["--solve-from", "4", "--steps", "3", "--own-games", "4", "--depth", "2"]
    assert main(["tune", "reversi-patterns", str(folder), "--out", str(out), *options]) == 0
    assert "61 to 64 discs" in capsys.readouterr().out
    assert -64 <= read_patterns(out).evaluate(reversi.State()) <= 64
    assert [path.name for path in tmp_path.iterdir()] == ["patterns.bin"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "expected --out FILE"),
        (["--out", "none/there/x.bin"], "expected a folder for --out, got 'none/there'"),
        (["--out", "x.bin", "--depth", "1"], "depth"),
        (["--out", "."], "expected a file for --out, got the folder '.'"),
        (["--out", "x.bin", "--ridge", "-1"], "expected ridge to be a number from 0"),
        (["--out", "x.bin", "--ridge", "nan"], "from 0 to 1000000, got nan"),
    ],
)
def test_the_command_says_what_is_wrong(
    folder: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tune", "reversi-patterns", str(folder), *options]) == 2
    assert message in capsys.readouterr().err


def test_deviations_of_shallow_searches_are_measured(games: WthorArrays) -> None:
    shown: list[int] = []
    found = measure_deviation(games, 2, random.Random(1), lambda _w, done, _c: shown.append(done))
    assert found.base > 0
    assert shown == sorted(shown)
