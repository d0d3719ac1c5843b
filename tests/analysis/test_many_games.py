"""Analysing many games: in order, in processes, continued where it was stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from plyground.analysis import many_games
from plyground.analysis.adviser import adviser_for
from plyground.analysis.game_facts import FactsFile, annotated, facts_of
from plyground.analysis.game_report import analyse_game
from plyground.analysis.many_games import AnalysedGame, AnalysisSettings, analyse_games
from plyground.arena import ArenaConfig, Store, Tournament
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.play import Record
from plyground.play.game_file import read_games, write_games
from plyground.quoridor import State
from plyground.search import SearchLimits

SETTINGS = AnalysisSettings(SearchLimits(depth=2), use_cache=False)
# Player 1 could win at once by b3, and steps back instead.
THROWN_AWAY = Record.from_moves(
    ["b1", "a2"], State.parse("3 b2/a3 - 0/0 1 6 4"), tags={"Player1": "Ann", "Player2": "Bob"}
)
GAMES = [
    THROWN_AWAY,
    Record.from_moves(["e2", "e8"]),
    Record("reversi"),
    Record.from_moves(["b2", "b2h"], State.parse("3 b1/b3 - 1/1 1 0 0")),
]


def numbered(games: Sequence[Record] = GAMES) -> list[tuple[int, Record]]:
    return [*enumerate(games, 1)]


def test_each_game_has_the_analysis_that_it_has_alone() -> None:
    found = [*analyse_games(numbered(), SETTINGS, workers=0)]
    assert [game.number for game in found] == [1, 2, 3, 4]
    for game, record in zip(found, GAMES, strict=True):
        adviser = adviser_for(record.start_state(), None, "engine")
        report = analyse_game(record, adviser, SETTINGS.limits)
        assert game.record == record
        assert game.facts == facts_of(report, "engine")
        assert annotated(record, game.facts) == report.annotated()
    assert found[0].facts["moves"][0]["mark"] == "??"


def test_processes_give_the_same_in_the_same_order() -> None:
    alone = [*analyse_games(numbered(), SETTINGS, workers=0)]
    assert [*analyse_games(numbered(), SETTINGS, workers=2)] == alone


def test_what_is_in_the_results_is_not_analysed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.jsonl"
    first = FactsFile(path)
    begun = analyse_games(numbered(), SETTINGS, workers=0, results=first)
    found = [next(begun), next(begun)]
    begun.close()  # type: ignore[attr-defined]  # a generator
    first.close()
    analysed: list[Record] = []

    def counted(record: Record, *rest: object) -> object:
        analysed.append(record)
        return analyse_game(record, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(many_games, "analyse_game", counted)
    again: list[AnalysedGame] = []
    for _ in range(2):
        results = FactsFile(path)
        again = [*analyse_games(numbered(), SETTINGS, workers=0, results=results)]
        results.close()
    assert again[:2] == found
    assert analysed == GAMES[2:]
    assert len(path.read_text().splitlines()) == 4
    deeper = AnalysisSettings(SearchLimits(depth=3), use_cache=False)
    assert deeper.key(GAMES[0]) != SETTINGS.key(GAMES[0])


def test_a_line_that_was_cut_off_is_removed_and_a_wrong_one_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    results = FactsFile(path)
    (game,) = analyse_games(numbered(GAMES[:1]), SETTINGS, workers=0, results=results)
    results.close()
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:50])
    results = FactsFile(path)
    assert results.get(SETTINGS.key(GAMES[0])) == game.facts
    results.close()
    assert path.read_bytes() == whole
    for wrong in ("[1]", "{}", '{"key": "x", "number": 1}', "b1 a2"):
        path.write_bytes(whole + wrong.encode() + b"\n")
        with pytest.raises(ConfigError, match="line 2: expected the analysis of a game"):
            FactsFile(path)
    with pytest.raises(ConfigError, match="cannot write"):
        FactsFile(tmp_path)


def module(folder: Path, action: str) -> str:
    """The string of an agent that does something in the second game."""
    (folder / "blocked.py").write_text(
        "import os, threading\nfrom pathlib import Path\n"
        "from plyground.agents import EngineAgent\n\n"
        "class Blocked(EngineAgent):\n"
        "    def search(self, state, limits=None, on_progress=None):\n"
        "        if state.board_size == 9 and not Path('open').exists():\n"
        f"            {action}\n"
        "        return super().search(state, limits, on_progress)\n"
    )
    return "blocked:Blocked"


def test_a_process_that_ends_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    agent = module(tmp_path, "os.kill(os.getpid(), 9)")
    settings = AnalysisSettings(SearchLimits(depth=1), agent, use_cache=False)
    with pytest.raises(ConfigError, match=r"game 2: the process .* ended with exit code -9"):
        list(analyse_games(numbered(GAMES[:2]), settings, workers=1))


def test_after_ctrl_c_the_same_command_continues(tmp_path: Path) -> None:
    agent = module(tmp_path, "threading.Event().wait()")
    write_games(GAMES[:2], tmp_path / "games.pgn")
    command = [sys.executable, "-m", "plyground", "analyse", "games.pgn", "--all", "--json"]
    command += ["--with", agent, "--time", "0.01", "--workers", "1", "--results", "r.jsonl"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == b"stopped after 1 of 2 games; the same command continues there\n"
    (tmp_path / "open").touch()
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True)
    lines = done.stdout.splitlines(keepends=True)
    assert lines[0] == first
    assert [json.loads(line)["number"] for line in lines] == [1, 2]
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 2


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "games.sqlite"
    config = ArenaConfig(("random", "pathfinder"), games=2, settings={"board": 3}, workers=0)
    with Store(path) as games:
        assert len([*Tournament(config, games).run()]) == 2
    return path


def analyse(*arguments: str | Path) -> int:
    return main(["analyse", *map(str, arguments), "--depth", "1", "--no-cache"])


def test_a_store_is_analysed_and_annotated(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "annotated.pgn"
    assert analyse(store, "--all", "--workers", "1", "--output", output) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("     1  random - pathfinder  ")
    assert sorted(line.split(": accuracy")[0] for line in lines[2:]) == ["pathfinder", "random"]
    assert len(read_games(output)) == 2
    assert analyse(store, "--number", "2", "--json") == 0
    assert json.loads(capsys.readouterr().out)["complete"]
    assert analyse(store, "--all", "--output", output) == 2
    assert "expected a new file for --output with --all" in capsys.readouterr().err
    assert analyse(store, "--number", "3") == 2
    assert capsys.readouterr().err.endswith("games.sqlite has no game 3\n")


def test_a_file_without_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.pgn"
    path.touch()
    assert analyse(path, "--all") == 2
    assert "empty.pgn has no game" in capsys.readouterr().err


def test_bad_games_stop_it_before_it_begins_or_are_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.pgn"
    write_games(GAMES[:1], path)
    good = path.read_text()
    path.write_text(f"{good}\n{good.replace('b1', 'c9')}\n{good}")
    assert analyse(path, "--all") == 2
    read = capsys.readouterr()
    assert (read.out, "games.pgn, game 2, line" in read.err) == ("", True)
    assert analyse(path, "--all", "--json", "--workers", "1", "--skip-bad") == 1
    read = capsys.readouterr()
    assert [json.loads(line)["number"] for line in read.out.splitlines()] == [1, 3]
    assert read.err.startswith("skipped game 2, line ")
    assert read.err.count("skipped") == 1


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--all", "--number", "2"], "--number is for one game; omit it with --all"),
        (["--all", "--picture", "x.svg"], "--picture is for one game; omit it with --all"),
        (["--workers", "2"], "--workers needs --all"),
        (["--skip-bad"], "--skip-bad needs --all"),
        (["--results", "r.jsonl"], "--results needs --all"),
        (["--all"], "cannot read missing.pgn: No such file or directory"),
        (["--all", "--output", "no/x.pgn"], "expected a folder for --output, got 'no'"),
    ],
)
def test_what_cannot_work(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert analyse("missing.pgn", *arguments) == 2
    assert why in capsys.readouterr().err
