"""`plyground arena`, `games` and `match` as they are installed: stopped, killed and continued."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground.play import parse_records
from tests.waiting import wait_until

COMMAND = str(Path(sys.executable).parent / "plyground")
AGENTS = ("minimax:depth=1", "pathfinder", "random:seed=1")
SMALL = ("--preset", "small")


def plyground(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )


def output(folder: Path, *arguments: str) -> str:
    done = plyground(folder, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def endless(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A tournament of 60,000 games, in a process group of its own, with some games played."""
    arguments = ["arena", *AGENTS, *SMALL, "--games", "20000", "--workers", "2"]
    arguments += ["--openings", "start"]
    process = subprocess.Popen(
        [COMMAND, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        wait_until(lambda: games_in(folder) >= 20)
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def games_in(folder: Path) -> int:
    path = folder / "arena.sqlite"
    if not path.exists():
        return 0
    db = sqlite3.connect(path)
    try:
        return int(db.execute("SELECT count(*) FROM game").fetchone()[0])
    except sqlite3.OperationalError:  # the table is not there yet
        return 0
    finally:
        db.close()


def workers_of(process: subprocess.Popen[str]) -> set[int]:
    """The live processes that play its games."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = stat.read_text().rpartition(")")[2].split()[:4]
            command = (stat.parent / "cmdline").read_bytes()
        except OSError:  # it has ended meanwhile
            continue
        if int(session) == process.pid and state != "Z" and b"spawn_main" in command:
            found.add(int(stat.parent.name))
    return found


def continued(folder: Path, games: int) -> None:
    """The same tournament with fewer games: all that was stored counts, and the rest is played."""
    before = games_in(folder)
    most = str(before // 3 + 20 - before // 3 % 2)
    result = json.loads(
        output(folder, "arena", *AGENTS, *SMALL, "--games", most, "--openings", "start", "--json")
    )
    assert before >= games
    assert result["tournament"] == 1
    assert result["games"] == games_in(folder) > before
    db = sqlite3.connect(folder / "arena.sqlite")
    keys = db.execute("SELECT player1, player2, start, round FROM game").fetchall()
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()
    assert len(set(keys)) == len(keys)


def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(
    folder: Path, endless: subprocess.Popen[str]
) -> None:
    os.killpg(endless.pid, signal.SIGINT)  # as a terminal does: to the workers as well
    out, err = endless.communicate(timeout=60)
    assert endless.returncode == 130
    assert "games left; the same command continues" in err
    assert "Traceback" not in err
    assert "minimax:depth=1" in out
    wait_until(lambda: not workers_of(endless))
    continued(folder, 20)


def test_a_kill_loses_no_finished_game(folder: Path, endless: subprocess.Popen[str]) -> None:
    assert len(workers_of(endless)) >= 2
    stored = games_in(folder)
    endless.kill()
    endless.wait()
    assert games_in(folder) >= stored
    wait_until(lambda: not workers_of(endless))  # no worker outlives it
    continued(folder, stored)


def test_workers_that_are_killed_cost_their_games(
    folder: Path, endless: subprocess.Popen[str]
) -> None:
    for _ in range(3):
        for worker in workers_of(endless):
            os.kill(worker, signal.SIGKILL)
        enough = games_in(folder) + 20
        wait_until(lambda: games_in(folder) >= enough or endless.poll() is not None)  # noqa: B023
    os.killpg(endless.pid, signal.SIGINT)
    _, err = endless.communicate(timeout=60)
    assert endless.returncode == 130, err
    lost = output(folder, "games", "arena.sqlite", "--reason", "SIGKILL").splitlines()
    assert len(lost) <= 6  # none, where a worker was just between two games


def test_a_tournament_and_its_games(folder: Path) -> None:
    table = output(folder, "arena", *AGENTS, *SMALL, "--games", "4")
    lines = table.splitlines()
    assert {line.split()[1] for line in lines[1:4]} == set(AGENTS)
    assert [line.split()[5] for line in lines[1:4]] == ["8", "8", "8"]
    listed = output(folder, "games", "arena.sqlite").splitlines()
    assert len(listed) == 12
    assert output(folder, "games", "arena.sqlite", "--last", "2").splitlines() == listed[-2:]
    text = output(folder, "games", "arena.sqlite", "--player", "pathfinder", "--export", "-")
    records = parse_records(text)
    assert len(records) == 8
    for record in records:
        assert "pathfinder" in (record.tags["Player1"], record.tags["Player2"])
        assert all(move.time_s is not None for move in record.moves)
    done = plyground(folder, "games", "arena.sqlite", "--export", "all.pgn")
    assert (done.returncode, done.stderr) == (0, "wrote 12 games to all.pgn\n")
    assert len(parse_records((folder / "all.pgn").read_text())) == 12
    rows = [
        json.loads(line) for line in output(folder, "games", "arena.sqlite", "--json").splitlines()
    ]
    assert {row["termination"] for row in rows} == {"goal"}
    (line,) = output(folder, "games", "arena.sqlite", "--tournaments").splitlines()
    assert "12 games" in line


def test_reversi_from_a_file_with_a_gauntlet_limits_and_a_clock(folder: Path) -> None:
    (folder / "arena.yaml").write_text(
        "game: reversi\nformat: gauntlet\ngames: 2\nclock: 60+1\nlimits: {nodes: 200}\n"
        "agents: ['engine:hash_mb=1', 'random:seed=1', 'minimax:depth=1']\n"
    )
    result = json.loads(output(folder, "arena", "--config", "arena.yaml", "--json"))
    games = {row["agent"]: row["wins"] + row["draws"] + row["losses"] for row in result["agents"]}
    assert games == {"engine:hash_mb=1": 4, "random:seed=1": 2, "minimax:depth=1": 2}


def test_an_sprt_stops_by_itself(folder: Path) -> None:
    arguments = ["pathfinder", "random:seed=1", *SMALL, "--openings", "start"]
    text = output(folder, "arena", *arguments, "--sprt", "elo0=0", "elo1=100")
    assert text.splitlines()[-1].endswith("H1 accepted")
    assert "SPRT 0 against 100 Elo: LLR" in text


def test_a_match(folder: Path) -> None:
    arguments = ["match", "pathfinder", "random:seed=1", *SMALL, "--games", "6", "--workers", "2"]
    text = output(folder, *arguments, "--save", "games.pgn")
    assert text.startswith("pathfinder against random:seed=1, 6 games: +")
    assert len(parse_records((folder / "games.pgn").read_text())) == 6
    result = json.loads(output(folder, *arguments, "--json"))
    assert result["wins"] + result["draws"] + result["losses"] == 6
    assert sum(result["pentanomial"]) == 3
    assert [path.name for path in folder.iterdir()] == ["games.pgn"]  # no store


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["arena"], "expected at least two agents, got 0"),
        (["arena", "random", "rondom"], "unknown agent 'rondom'; did you mean 'random'?"),
        (
            ["arena", "random", "pathfinder", "--games", "3"],
            "expected an even number of games, got 3",
        ),
        (["arena", "random", "pathfinder", "--sprt", "elo0=5"], "for the SPRT, got no elo1"),
        (["arena", "random", "pathfinder", "--limit", "nodes=x"], "a number for nodes of --limit"),
        (["arena", "random", "pathfinder", "--adjudicate", "win"], "unknown key 'win'"),
        (
            ["arena", "random", "pathfinder", "--openings", "none.txt"],
            "cannot read the book none.txt",
        ),
        (["arena", "--config", "none.yaml"], "cannot read none.yaml: No such file or directory\n"),
        (["games", "none.sqlite"], "which is not a file"),
        (["match", "random", "pathfinder", "--save", "no/folder"], "cannot write no/folder"),
    ],
)
def test_mistakes_are_told_in_a_line(folder: Path, arguments: list[str], message: str) -> None:
    done = plyground(folder, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
