"""Forfeits: counted by agent and kind, reported, kept, and never taken for strength."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Generator, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from plyground.agents import Agent, RandomAgent
from plyground.agents.base import Forfeit, ForfeitKind
from plyground.arena import ArenaConfig, Crosstable, Store, Tournament, format_standings, run_tasks
from plyground.arena.forfeits import (
    AgentFailedError,
    FailedStarts,
    ForfeitCounts,
    ForfeitNotices,
    kind_of_reason,
)
from plyground.arena.game import PlayerTotals, forfeited_game, play_task
from plyground.arena.report.digest import digest_store
from plyground.arena.report.page import standings_html
from plyground.arena.summary import format_pair, summarize, summarize_pair
from plyground.arena.task import GameResult, Task
from plyground.cli import tournament_screen
from plyground.cli.arena import play
from plyground.cli.main import main
from plyground.config import Settings
from plyground.errors import ConfigError
from plyground.games.base import AnyGame
from plyground.play import Record
from plyground.quoridor import GameConfig, State
from plyground.study.first_player import FirstPlayerStudy, first_player_table
from plyground.tune import spsa_run
from plyground.tune.spsa import Parameter
from plyground.tune.spsa_run import SpsaConfig, tune_spsa

TINY = State(GameConfig.preset("tiny"))
FAKE = Path(__file__).parents[1] / "serve" / "fake_engine.py"
NO_START, CRASH, TIME = ForfeitKind.NO_START, ForfeitKind.CRASH, ForfeitKind.TIME


def forfeited(
    player1: str, player2: str, kind: ForfeitKind, loser: int = 1, words: str = "", number: int = 1
) -> GameResult:
    task = Task.of(player1, player2, TINY, round=number)
    return forfeited_game(task, [], PlayerTotals(), loser, Forfeit("oops", kind), words)


def won(player1: str, player2: str, result: str = "1-0") -> GameResult:
    task = Task.of(player1, player2, TINY)
    return GameResult(task, Record.from_moves([], TINY, task.tags, result=result))


def test_a_record_says_the_kind() -> None:
    game = forfeited("a", "b", ForfeitKind.SILENCE, 2, "blah")
    assert (game.record.result, game.record.termination) == ("1-0", "silence: oops")
    assert (game.forfeit, game.forfeited_by, game.last_words) == (ForfeitKind.SILENCE, "b", "blah")
    assert won("a", "b").forfeited_by is None


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("crash: ValueError: no", CRASH),
        ("the program ended with status 1", CRASH),
        ("fault: <class 'E'>:no", CRASH),
        ("the program './x' does not start: Permission denied", NO_START),
        ("not ready after 30 s", NO_START),
        ("no connection: Connection refused", NO_START),
        ("illegal move 'e9'", ForfeitKind.ILLEGAL_MOVE),
        ("time", TIME),
        ("no move in 60 s", ForfeitKind.SILENCE),
        ("the program says: error", ForfeitKind.NONSENSE),
        ("malformed answer: x", ForfeitKind.NONSENSE),
        ("resignation", None),
        ("goal", None),
        ("adjudication: proven", None),
    ],
)
def test_reasons_of_earlier_versions_have_kinds(reason: str, kind: ForfeitKind | None) -> None:
    assert kind_of_reason(reason) is kind


def test_the_first_of_each_agent_and_kind_is_reported() -> None:
    notices = ForfeitNotices()
    assert notices.line(forfeited("a", "b", CRASH, words="boom")) == (
        "a lost a game by forfeit: crash: oops; its last words: boom"
    )
    assert notices.line(forfeited("a", "c", CRASH)) is None
    assert notices.line(forfeited("a", "b", CRASH, loser=2, words="oops")) == (
        "b lost a game by forfeit: crash: oops"
    )
    assert notices.line(forfeited("a", "b", TIME)) == "a lost a game by forfeit: time: oops"
    assert notices.line(won("a", "b")) is None


def test_three_failed_starts_in_a_row_put_an_agent_out() -> None:
    starts = FailedStarts()
    for _ in range(2):
        starts.add(forfeited("a", "b", NO_START))
    starts.add(forfeited("a", "b", CRASH))  # it started
    for _ in range(2):
        starts.add(forfeited("c", "a", NO_START, loser=2))
    starts.add(forfeited("b", "c", NO_START))
    assert starts.out == set()
    starts.add(forfeited("a", "b", NO_START))
    assert starts.out == {"a"}


# The table, the match and the JSON.


def crosstable() -> Crosstable:
    found = Crosstable(["a", "b", "c"])
    for game in (
        forfeited("a", "b", CRASH), forfeited("b", "a", CRASH, 2), forfeited("a", "b", TIME),
        won("b", "c"), won("c", "b"),
    ):  # fmt: skip
        found.add(game.task.key, game.record.result, game.forfeit)
    return found


def test_the_table_counts_them_and_marks_elo() -> None:
    lines = format_standings(crosstable()).splitlines()
    rows = {line.split()[1]: line for line in lines[1:4]}
    forfeits = lines[0].index("forfeits") + len("forfeits")
    assert {agent: int(row[forfeits - 8 : forfeits]) for agent, row in rows.items()} == {
        "a": 3,
        "b": 0,
        "c": 0,
    }
    assert {agent: "*" in row for agent, row in rows.items()} == {"a": True, "b": True, "c": False}
    note = "* includes games lost by forfeit, which do not measure strength: a (crash 2, time 1)"
    assert lines[-1] == note
    assert format_pair(crosstable()).splitlines()[-1] == note
    assert format_pair(crosstable()).startswith("a against b, 3 games: +0 =0 -3, forfeits 3 and 0")
    assert "*" in format_pair(crosstable(), note=False).splitlines()[0]


def test_without_forfeits_nothing_is_marked() -> None:
    found = Crosstable(["a", "b"])
    found.add(("a", "b", "", 1), "1-0")
    assert "*" not in format_standings(found) + format_pair(found)


def test_json_has_them_by_kind() -> None:
    rows = json.loads(json.dumps(summarize(crosstable())))["agents"]
    assert {row["agent"]: row["forfeits"] for row in rows} == {
        "a": {"crash": 2, "time": 1},
        "b": {},
        "c": {},
    }
    assert [row["agent"] for row in rows if row["has_forfeits"]] == ["b", "a"]
    found = Crosstable(["a", "b"])
    found.add(("a", "b", "", 1), "1-0", NO_START)
    pair = json.loads(json.dumps(summarize_pair(found)))
    assert pair["forfeits"] == {"first": {}, "second": {"no start": 1}}


# The store and the report.


def test_the_store_keeps_them_and_the_report_shows_them(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        number = store.tournament({"game": "quoridor"})
        store.add(number, forfeited("a<b", "b", CRASH))
        store.add(number, won("b", "a<b"))
    with Store(path, read_only=True) as store:
        assert [game.forfeit for game in store.games()] == [CRASH, None]
        (board,) = digest_store(store)
    page = standings_html(board)
    assert (
        "* includes games lost by forfeit, which do not measure strength: a&lt;b (crash 1)" in page
    )
    assert ">forfeits</th>" in page


def as_version_1(path: Path) -> None:
    """Turn a store into what version 1 has written."""
    with sqlite3.connect(path) as database:
        database.execute("ALTER TABLE game DROP COLUMN forfeit")
        database.execute("UPDATE game SET termination = 'not ready after 30 s' WHERE id = 1")
        database.execute("PRAGMA user_version = 1")
    database.close()


def test_a_store_of_version_1_is_read_and_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        number = store.tournament({})
        store.add(number, forfeited("a", "b", CRASH))
        store.add(number, won("b", "a"))
    as_version_1(path)
    with Store(path, read_only=True) as store:
        assert [game.forfeit for game in store.games()] == [NO_START, None]
        assert [game.forfeit for game in store.newest()] == [None, NO_START]
    with Store(path) as store, Store(path, read_only=True) as other:
        store.add(number, forfeited("a", "b", TIME, number=2))
        for one in (store, other):
            assert [game.forfeit for game in one.games()] == [NO_START, None, TIME]
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (2,)
    database.close()


def test_an_unknown_kind_in_a_store_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        store.add(store.tournament({}), forfeited("a", "b", CRASH))
    with sqlite3.connect(path) as database:
        database.execute("UPDATE game SET forfeit = 'boredom'")
    database.close()
    with Store(path) as store:
        assert [game.forfeit for game in store.games()] == [None]


# Tournaments.


def failing(tasks: Iterable[Task], kind: ForfeitKind) -> Generator[GameResult, None, None]:
    """A backend where the agent `random` always fails; all others win as player 1."""
    for task in tasks:
        loser = 1 if task.player1 == "random" else 2
        if "random" in (task.player1, task.player2):
            yield forfeited_game(task, [], PlayerTotals(), loser, Forfeit("oops", kind))
        else:
            record = Record.from_moves([], task.start_state(), task.tags, result="1-0")
            yield GameResult(task, record)


def tournament(store: Store, kind: ForfeitKind, **settings: object) -> Tournament:
    agents = ("random", "pathfinder", "minimax:depth=1")
    values: Settings = {"preset": "tiny", "games": 4, "openings": "start", **settings}
    return Tournament(ArenaConfig(agents, **values), store, backend=partial(failing, kind=kind))


def test_an_agent_that_cannot_start_is_out_and_the_others_play_on() -> None:
    with Store(":memory:") as store:
        found = tournament(store, NO_START)
        games = list(found.run())
    assert [game.forfeited_by for game in games].count("random") == 3
    assert len(games) == 3 + 4
    assert found.out == {"random"}
    assert found.failures() == [
        "random is out: it failed to start 3 times in a row; 5 games not played"
    ]


def test_an_agent_that_loses_every_game_so_is_a_failure() -> None:
    with Store(":memory:") as store:
        found = tournament(store, TIME, on_crash="stop")  # which a loss on time does not stop
        assert len(list(found.run())) == 12
        assert found.failures() == ["random lost all of its 8 games by forfeit (time 8)"]
        # The store knows it as well.
        assert tournament(store, TIME).failures() == found.failures()


@pytest.mark.parametrize("kind", [kind for kind in ForfeitKind if kind.is_failure])
def test_a_failure_can_stop_it(kind: ForfeitKind) -> None:
    with Store(":memory:") as store:
        found = tournament(store, kind, on_crash="stop")
        assert len(list(found.run())) == 1
        assert found.failures() == ["stopped by --on-crash stop, since random failed"]
        assert store.count() == 1


def test_on_crash_has_two_values() -> None:
    with pytest.raises(ConfigError, match="expected the on_crash continue or stop, got 'halt'"):
        ArenaConfig(("a", "b"), on_crash="halt")


def test_the_screen_tells_it_and_shows_standings_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tournament_screen, "PLAIN_S", 3600)
    with Store(":memory:") as store:
        assert play(tournament(store, NO_START), rating_interval=3) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "random lost a game by forfeit: no start: oops"
    out = "random is out: it failed to start 3 times in a row; its other games are not played"
    assert lines.count(out) == 1
    assert sum(line.startswith("  # agent") for line in lines) == 2  # of seven games


# Single agents: studies and SPSA.


def test_a_study_ends_with_its_agent() -> None:
    with Store(":memory:") as store:
        study = FirstPlayerStudy("tiny", TINY, "engine:/bin/false", 8, 2, seed=1, store=store)
        with pytest.raises(AgentFailedError, match="is out: it failed to start 3 times in a row"):
            list(study.run(partial(run_tasks, workers=0)))
        assert store.count() == 3
        assert study.row().forfeits == {NO_START: 3}
        with pytest.raises(AgentFailedError, match="stopped by --on-crash stop"):
            list(study.run(partial(run_tasks, workers=0), on_crash="stop"))
        assert store.count() == 4


def test_the_table_of_a_study_marks_them() -> None:
    with Store(":memory:") as store:
        study = FirstPlayerStudy("tiny", TINY, "random:seed=1", 4, 2, seed=1, store=store)
        for number, task in enumerate(study.tasks):
            record = Record.from_moves([], task.start_state(), task.tags, result="1-0")
            store.add(study.number, GameResult(task, record, forfeit=None if number else CRASH))
        row = study.row()
    assert row.forfeits == {CRASH: 1}
    assert "100.0% (51.0% to 100.0%)*" in first_player_table([row])
    assert "*" not in first_player_table([replace(row, forfeits=ForfeitCounts())])


def test_the_command_of_a_study_fails_with_its_agent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["study", "first-player", "--agent", "engine:/bin/false", "--presets", "tiny"]
    assert main([*arguments, "--games", "2", "--plies", "0", "--out", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "* includes games lost by forfeit" in (tmp_path / "first-player.md").read_text()
    assert "(no start 1)" in out
    assert err.splitlines()[-1].startswith("plyground: engine:/bin/false lost its only game")


def test_a_tuning_run_ends_with_its_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def make(spec: str, game: AnyGame | str | None = None) -> Agent:
        if games:
            raise OSError("no file")
        return RandomAgent(seed=1)

    games: list[GameResult] = []
    monkeypatch.setattr(spsa_run, "make", make)
    config = SpsaConfig(
        (Parameter("skill", 5.0, 0.0, 10.0, 1.5),), "skilled", iterations=9, opening_count=2,
        log_iterations=1, arena={"preset": "tiny", "openings": "start", "workers": 0},
    )  # fmt: skip
    with pytest.raises(AgentFailedError, match="skilled is out"):
        tune_spsa(config, tmp_path, make_agent=make, on_game=games.append)
    assert [game.forfeit for game in games] == [None, NO_START, NO_START, NO_START]
    state = json.loads((tmp_path / "state.json").read_text())["state"]
    assert (state["iterations"], state["forfeits"]) == (1, {"no start": 1})


# The commands.


def test_a_crash_stops_the_arena_if_it_is_asked_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = f"engine:{sys.executable} {FAKE} crash 1"
    store = str(tmp_path / "arena.sqlite")
    arguments = ["arena", engine, "pathfinder", "--preset", "small", "--store", store]
    assert main([*arguments, "--on-crash", "stop", "--json"]) == 1
    out, err = capsys.readouterr()
    assert "RuntimeError: out of ideas" in err
    assert err.splitlines()[-1].startswith("plyground: stopped by --on-crash stop")
    assert json.loads(out)["failures"] == [err.splitlines()[-1].removeprefix("plyground: ")]
    assert json.loads(out)["pair"]["forfeits"] == {"first": {"crash": 1}, "second": {}}
    assert main([*arguments, "--on-crash", "stop", "--recover"]) == 2
    assert "not allowed with" in capsys.readouterr().err
    with Store(store, read_only=True) as opened:
        assert [game.forfeit for game in opened.games()] == [CRASH]


def test_a_game_without_processes_is_told_the_same_way() -> None:
    task = Task.of("engine:/bin/false", "random:seed=1", TINY)
    game = play_task(task)
    assert (game.forfeit, game.record.termination) == (
        NO_START,
        "no start: the program ended with status 1",
    )
