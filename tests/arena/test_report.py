"""The report: its numbers against stores counted by hand, and pages of any store there may be."""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from plyground import reversi
from plyground.arena.config import ArenaConfig
from plyground.arena.report import digest_store, write_report
from plyground.arena.report.page import first_player_share, tournaments_html
from plyground.arena.store import Filter, Store
from plyground.arena.task import GameResult, Task
from plyground.arena.tournament import Tournament
from plyground.cli.main import main
from plyground.errors import NotationError
from plyground.json_types import JsonObject
from plyground.play import MoveRecord, Record
from plyground.quoridor import GameConfig, State
from plyground.ui.web.watcher import read_snapshot

# One process makes the page that several of these tests look at.
pytestmark = pytest.mark.xdist_group("report")

TINY = State(GameConfig.preset("tiny"))
PLOTS = (
    *("elo", "matrix", "first-player", "results", "lengths", "times", "walls", "speed"),
    "openings",
)
EVIL = "<script>alert('1')</script> & $x^2$"


def finished(
    player1: str,
    player2: str,
    result: str,
    moves: Sequence[str | MoveRecord],
    *,
    reason: str = "time",
    number: int = 1,
    start: State | reversi.State = TINY,
    nodes: tuple[int, int] = (0, 0),
    seconds: tuple[float, float] = (0.0, 0.0),
) -> GameResult:
    """A game as the arena would hand it to the store, with any result and reason."""
    task = Task.of(player1, player2, start, round=number)
    record = Record.from_moves(moves, start, task.tags, result=result, termination=reason)
    return GameResult(task, record, nodes, seconds)


def fill(store: Store) -> None:
    """Four games of a and b on 3x3, counted by hand in the tests below."""
    conditions: JsonObject = {
        "game": "quoridor",
        "settings": {"Board": "3"},
        "version": "0",
        "seed": 5,
    }
    number = store.tournament(conditions)
    timed = [
        MoveRecord("a1", 0.002),
        MoveRecord("a3", 0.010),
        MoveRecord("a1h", 0.004),
        MoveRecord("b3", 0.020),
    ]
    for game in (
        finished("a", "b", "1-0", timed, nodes=(600, 0), seconds=(0.006, 0.03)),
        finished(
            "b",
            "a",
            "1-0",
            ["a1h", "b2h"],
            reason="crash: oops",
            nodes=(0, 100),
            seconds=(0.5, 0.1),
        ),
        finished("a", "b", "1/2-1/2", ["a1", "a3"], reason="adjudication", number=2),
        finished("a", "b", "1-0", ["c1"], number=3),
    ):
        assert store.add(number, game)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        fill(store)
    return path


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same store's page; tests must not change it."""
    path = tmp_path_factory.mktemp("report") / "games.sqlite"
    with Store(path) as store:
        fill(store)
        return write_report(store, path.parent / "out")


@pytest.fixture
def page(written: Path) -> str:
    return written.read_text(encoding="utf-8")


def report(path: Path, which: Filter | None = None) -> str:
    with Store(path, read_only=True) as store:
        page = write_report(store, path.parent / "out", which)
    return page.read_text(encoding="utf-8")


class Tables(HTMLParser):
    """All tables of a page, as rows of texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.is_cell = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.is_cell = True

    def handle_endtag(self, tag: str) -> None:
        self.is_cell &= tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.is_cell:
            self.tables[-1][-1][-1] += data


def test_counts_of_a_small_store(store: Path) -> None:
    with Store(store, read_only=True) as opened:
        (board,) = digest_store(opened)
    assert (str(board.variant), board.games, board.plies) == ("Quoridor 3x3", 4, 9)
    assert board.results == {"1-0": 3, "1/2-1/2": 1}
    assert board.lengths == {"1-0": {4: 1, 2: 1, 1: 1}, "1/2-1/2": {2: 1}}
    assert board.endings["time"] == {"1-0": 2}
    assert board.tournaments == {1: 4}
    a, b = board.agents["a"], board.agents["b"]
    assert (a.points, b.points) == ({1: [1, 0.5, 1], 2: [0]}, {1: [1], 2: [0, 0.5, 0]})
    assert (a.moves, b.moves) == (5, 4)
    assert a.times.means() == {1: 0.002, 3: 0.004}
    assert b.times.means() == {2: 0.010, 4: 0.020}
    # a: a1, the wall a1h, then b2h as player 2, a1, c1; b: a3, b3, the wall a1h, a3.
    assert board.move_kinds == ["walls"]
    assert a.kinds["walls"].means() == {1: 0, 2: 1, 3: 1}
    assert b.kinds["walls"].means() == {1: 1, 2: 0, 4: 0}
    assert a.kinds["walls"].means(least=3) == {1: 0}
    assert (a.moves_per_game("walls"), b.moves_per_game("walls")) == (0.5, 0.25)
    assert a.nodes_per_second == pytest.approx(700 / 0.106)
    assert b.nodes_per_second is None
    assert a.seconds_per_move == pytest.approx(0.106 / 5)
    share, error = first_player_share(board)
    assert share == 3.5 / 4
    assert error == pytest.approx(1.96 * ((3 * 0.125**2 + 0.375**2) / 16) ** 0.5, rel=1e-4)
    start = board.openings.children["the usual start"]
    assert (start.games, start.score) == (4, 3.5 / 4)
    counts = {move: (node.games, node.points) for move, node in start.children.items()}
    assert counts == {"a1": (2, 1.5), "a1h": (1, 1), "c1": (1, 1)}
    assert [name for name, _ in start.most_played(2)] == ["a1", "a1h"]
    assert list(start.children["a1"].children) == ["a3"]


def test_numbers_on_the_page(page: str) -> None:
    standings, pairs, endings, tournaments = Tables(page).tables
    assert standings[0][3:9] == ["score", "games", "won", "drawn", "lost", "forfeits"]
    # b is the stronger one: a scored more only where it had the first move, which won everything.
    b, a = standings[1:]
    assert (b[:2], a[:2]) == (["1", "b"], ["2", "a"])
    assert a[3:8] == ["62.5%", "4", "2", "1", "1"]
    assert a[8:] == ["0", "-", "83.3%", "0.0%", "21.20", "6,604", "0.5"]
    assert b[10:] == ["100.0%", "16.7%", "132.50", "-", "0.2"]
    assert pairs[1] == ["b", "a", "1", "1", "2", "37.5%"]
    assert endings[1:] == [
        ["time", "2", "50.0%", "2", "0", "0"],
        ["adjudication", "1", "25.0%", "0", "1", "0"],
        ["crash: oops", "1", "25.0%", "1", "0", "0"],
    ]
    assert tournaments[1] == ["1", "4", "seed: 5, plyground 0"]
    for fact in ("87.5%", "2.2 <small>9 in all", "25.0% <small>1 game<"):
        assert fact in page


def test_it_needs_nothing_from_anywhere(page: str) -> None:
    assert not re.findall(r"https?:|src=|<link|@import|url\((?!#)", page)
    assert page.count("<script>") == 1
    assert "prefers-color-scheme: dark" in page
    assert 'name="viewport"' in page


def test_every_plot_is_a_file_and_on_the_page(written: Path, page: str) -> None:
    drawn = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(drawn) == len(PLOTS)
    for text in drawn:
        root = ElementTree.fromstring(text)
        assert root.attrib.keys() == {"viewBox", "version"}
    ids = re.findall(r'id="([^"]*)"', "".join(drawn))
    used = set(re.findall(r'(?:href="#|url\(#)([^")]*)', "".join(drawn)))
    assert used <= set(ids)
    folder = written.parent / "plots"
    names = {f"quoridor-3x3-{plot}.{kind}" for plot in PLOTS for kind in ("svg", "png")}
    assert {path.name for path in folder.iterdir()} == names
    assert (folder / "quoridor-3x3-elo.png").read_bytes().startswith(b"\x89PNG")
    assert "Elo, Quoridor 3x3" in (folder / "quoridor-3x3-elo.svg").read_text(encoding="utf-8")


def test_names_are_text_whatever_they_are(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        number = store.tournament({"openings": EVIL})
        store.add(number, finished(EVIL, "b", "1-0", ["a1"], reason=EVIL))
        store.add(number, finished("b", EVIL, "0-1", ["a1"], reason="a" * 300, number=2))
    page = report(path)
    assert "<script>alert" not in page
    standings, *_ = Tables(page).tables
    assert EVIL in [row[1] for row in standings]
    assert page.count("&lt;script&gt;") >= 5
    for text in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(text)


def test_boards_games_and_conditions_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        fill(store)
        same: JsonObject = {"game": "quoridor", "settings": {"Board": "3"}, "version": "0"}
        quick = store.tournament(same | {"limits": {"nodes": 9}})
        store.add(quick, finished("b", "a", "1-0", ["a1"]))
        small = store.tournament(same | {"settings": {"Board": "5"}})
        board = State(GameConfig.preset("small"))
        store.add(small, finished("a", "b", "0-1", ["c2"], start=board))
        discs = store.tournament({"game": "reversi", "settings": {}})
        store.add(discs, finished("a", "b", "1/2-1/2", ["f5"], start=reversi.State()))
    with Store(path, read_only=True) as store:
        tiny, small_board, discs_board = digest_store(store)
        (alone,) = digest_store(store, Filter(tournament=2))
    assert set(tiny.agents) == {"a [no limits]", "b [no limits]", "a [nodes=9]", "b [nodes=9]"}
    assert tiny.crosstable.counts("b [nodes=9]") == (1, 0, 0)
    assert len(tiny.standings[1].groups) == 2
    assert list(alone.agents) == ["b", "a"]
    assert (str(small_board.variant), str(discs_board.variant)) == ("Quoridor 5x5", "Reversi")
    page = report(path)
    overview = Tables(page).tables[0]
    assert [row[:3] for row in overview[1:]] == [
        ["Quoridor 3x3", "5", "4"],
        ["Quoridor 5x5", "1", "2"],
        ["Reversi", "1", "2"],
    ]
    assert [row[4] for row in overview[1:]] == ["20.0%", "0.0%", "100.0%"]
    assert "their Elo ratings do not compare" in page
    section = page[page.index('<section id="reversi">') :]
    assert "walls" not in section[: section.index("<script>")].lower()
    files = {file.name for file in (tmp_path / "out" / "plots").iterdir()}
    assert {"boards.svg", "quoridor-5x5-walls.png", "reversi-openings.svg"} <= files
    assert "reversi-walls.svg" not in files


def test_an_empty_store_and_one_in_use(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as writer:
        assert "There are no games yet." in report(path)
        number = writer.tournament({})
        assert "There are no games yet." in report(path)
        writer.add(number, finished("a", "b", "1-0", []))  # lost before the first move
        assert "1 game, read on" in report(path)
        writer.add(number, finished("a", "b", "1-0", [], number=2))
        with Store(path, read_only=True) as reader:
            games = reader.games()
            next(games)
            writer.add(number, finished("a", "b", "1-0", [], number=3))
            assert len(list(games)) == 1  # as it was when it was asked
            assert digest_store(reader)[0].games == 3


def test_a_game_that_cannot_be_read_is_named(store: Path) -> None:
    with sqlite3.connect(store) as db:
        db.execute("UPDATE game SET record = '1. a9 *' WHERE id = 3")
    db.close()
    with pytest.raises(NotationError, match="game 3 of the store cannot be read: line 1: "):
        report(store)


def test_the_command(
    store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(store.parent)
    assert main(["report", "games.sqlite", "--tournament", "1"]) == 0
    assert capsys.readouterr().out == "games-report/index.html\n"
    assert (store.parent / "games-report/index.html").read_text().startswith("<!doctype html>")
    Path("text").write_text("not a database, but long enough to be looked at")
    Path("empty").write_text("")
    for arguments, message in (
        (["none.sqlite"], "which is not a file"),
        (["text"], "expected a store of games in 'text'"),
        (["empty"], "got another database"),
        (["."], "which is not a file"),
        (["games.sqlite", "--out", "text"], "cannot create the folder text/plots: "),
        (["games.sqlite", "--tournament", "x"], "expected a whole number"),
        (["games.sqlite", "--tournament", "9"], "no tournament 9 in 'games.sqlite', which has 1"),
    ):
        assert main(["report", *arguments]) == 2
        told = capsys.readouterr()
        assert message in told.err
        assert (told.out, told.err.count("\n")) == ("", 1)


def test_without_matplotlib_it_says_what_to_install(
    store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(["report", str(store), "--out", str(store.parent / "out")]) == 2
    assert "plots need matplotlib: pip install 'plyground[plot]'" in capsys.readouterr().err
    assert not (store.parent / "out").exists()


def test_the_format_of_a_tournament_in_rounds_is_told(tmp_path: Path) -> None:
    agents = ("random:seed=1", "random:seed=2", "pathfinder")
    config = ArenaConfig(agents, "swiss", preset="tiny", games=2, workers=0, openings="start")
    with Store(tmp_path / "games.sqlite") as store:
        list(Tournament(config, store).run())
        (board,) = digest_store(store)
        html = tournaments_html(board, store.tournaments())
        snapshot = read_snapshot(tmp_path / "games.sqlite", 1)
    assert "format: swiss" in html
    assert html.count("Rounds of tournament 1") == 1
    assert len(re.findall(r"random:seed=\d [\d.]+ - [\d.]+ ", html)) == 2
    rounds = snapshot.table["rounds"]
    assert isinstance(rounds, list)
    assert [str(line).partition(":")[0] for line in rounds] == ["Round 1", "Round 2"]


def test_programs_have_the_names_that_they_give_themselves(tmp_path: Path) -> None:
    path = tmp_path / "arena.sqlite"
    with Store(path) as store:
        number = store.tournament({"game": "quoridor", "settings": {"Board": "3"}})
        task = Task.of("engine:./theirs", "random", TINY)
        tags = task.tags | {"Program1": "Theirs 2"}
        record = Record.from_moves(["a1"], TINY, tags, result="1-0", termination="time")
        store.add(number, GameResult(task, record))
    with Store(path, read_only=True) as store:
        page = write_report(store, tmp_path / "out").read_text(encoding="utf-8")
    assert "Theirs 2" in page
    assert "engine:./theirs" not in page
