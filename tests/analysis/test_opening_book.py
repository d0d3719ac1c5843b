"""Opening books: positions joined by transposition and symmetry, files, and the command."""

from __future__ import annotations

import io
import json
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground import reversi
from plyground.analysis.adviser import adviser_for
from plyground.analysis.book_file import BookFile, default_book
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.cached_agent import CachedAgent
from plyground.analysis.opening_book import MemoryBook, MoveCounts, explore, shipped_book
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import State as AnyState
from plyground.games.book_position import BookPosition
from plyground.play import LiveGame, Record, Seat
from plyground.play.game_file import save_game
from plyground.quoridor import GameConfig, State
from plyground.search import SearchLimits
from plyground.ui.game_host import GameHost
from plyground.ui.terminal.commands import COMMANDS
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Screen
from plyground.ui.terminal.session import TerminalSession
from plyground.ui.view import DisplayOptions
from tests.conformance.connect_four import CONNECT_FOUR


def moves_of(state: AnyState, *books: MemoryBook | BookFile) -> list[tuple[str, MoveCounts]]:
    return [(each.move, each.counts) for each in explore(state, books)]


def game(moves: str, result: str = "1-0", **tags: str) -> Record:
    return Record.from_moves(moves.split(), tags=tags, result=result, termination="time")


def test_transpositions_and_mirror_images_are_one_position() -> None:
    book = MemoryBook()
    book.add_game(game("e2 e8 d3h"))
    book.add_game(game("d3h e8 e2", "0-1"))
    book.add_game(game("e2 e8 e3h", "1/2-1/2"))  # e3h is the mirror image of d3h
    after = Record.from_moves(["e2", "e8"]).states()[-1]
    assert moves_of(after, book) == [("d3h", MoveCounts(2, 1, 1, 0))]
    mirrored = Record.from_moves(["e3h", "e8"]).states()[-1]
    assert moves_of(mirrored, book) == [("e2", MoveCounts(1, 0, 0, 1))]
    assert MoveCounts(2, 1, 1, 0).score(1) == 0.75
    assert MoveCounts(2).score(1) is None


@pytest.mark.parametrize("name", registry.games())
def test_every_symmetry_gives_the_same_position_and_move(name: str) -> None:
    played = registry.get(name)
    rng = random.Random(7)
    start = played.start()
    ways = played.orientations(start)
    turns = [turn for text, turn in ways if text == ways[0][0]]  # those that keep the start
    assert len(turns) == {"quoridor": 2, "reversi": 4}[name]
    for turn in turns:
        state, turned = start, start
        for _ in range(12):
            action = rng.choice(state.legal_actions())
            here, there = BookPosition(state), BookPosition(turned)
            assert here.number == there.number
            assert here.move(action) == there.move(turn(action))
            state, turned = state.play(action), turned.play(turn(action))


def test_a_game_in_plain_python_has_books_too() -> None:
    start = CONNECT_FOUR.start()
    book = MemoryBook()
    book.add_line(start, start.legal_actions()[:1])
    assert len(explore(start, [book])) == 1
    assert explore(start, [shipped_book(CONNECT_FOUR)]) == []


def test_the_openings_of_the_package_are_in_its_books() -> None:
    (first,) = explore(reversi.State(), [shipped_book(registry.get("reversi"))])
    assert first.counts.games > 10_000  # all four first moves are mirror images
    assert explore(State(), [shipped_book(registry.get("quoridor"))])[0].move == "e2"
    small = State(GameConfig.preset("small"))
    assert explore(small, [shipped_book(small.game)])
    other_walls = State(GameConfig(board_size=5, walls_per_player=4))
    assert explore(other_walls, [shipped_book(small.game)]) == []


def test_a_file_counts_each_game_once_and_survives_a_stop(tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    games = [game("e2 e8", Round=str(number)) for number in range(3)]

    def stopped() -> Iterator[Record]:
        yield games[0]
        raise KeyboardInterrupt

    with BookFile(path) as book:
        with pytest.raises(KeyboardInterrupt):
            book.add_games(stopped())
        assert book.sizes()["games"] == 0  # nothing is half done
        assert book.add_games(games[:2]) == 2
    with BookFile(path) as book:
        assert book.add_games([*games, *games]) == 1
        assert book.sizes()["games"] == 3
    with BookFile(path, read_only=True) as book:
        assert moves_of(State(), book) == [("e2", MoveCounts(3, 3))]
        with pytest.raises(ConfigError, match=r"cannot write the book .*readonly"):
            book.add_games([game("e2 d9")])


def test_only_the_first_plies_are_counted(tmp_path: Path) -> None:
    with BookFile(tmp_path / "book.sqlite") as book:
        book.add_games([game("e2 e8 e3 e7")], plies=2)
        assert book.sizes()["moves"] == 2


def test_files_that_are_no_books_are_one_line(tmp_path: Path) -> None:
    text, other = tmp_path / "text", tmp_path / "other.sqlite"
    text.write_text("not a database, but long enough to be read as one" * 20)
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE moves (position)")
    strange = tmp_path / "strange.sqlite"
    BookFile(strange).close()
    with sqlite3.connect(strange) as database:
        database.execute(
            "INSERT INTO moves VALUES (?, 1, 'x', 0, 0, 0)", [BookPosition(State()).number]
        )
    for path, words in ((text, "not a database"), (other, "not an opening book")):
        with pytest.raises(ConfigError, match=words):
            BookFile(path)
    with BookFile(strange, read_only=True) as book, pytest.raises(ConfigError, match="numbers"):
        explore(State(), [book])
    with pytest.raises(ConfigError, match="there is no book"):
        BookFile(tmp_path / "missing", read_only=True)


def test_the_adviser_says_what_is_cached_and_searches_nothing(tmp_path: Path) -> None:
    state = State(GameConfig.preset("small"))
    with AnalysisCache(tmp_path / "cache.sqlite") as cache:
        agent = adviser_for(state, cache, "engine:depth=3,hash_mb=1").agent
        assert isinstance(agent, CachedAgent)
        actions = state.legal_actions()[:2]
        assert agent.known_scores(state, actions) == {}
        after = state.play(actions[0])
        found = agent.search(after, SearchLimits(depth=3)).score
        assert found is not None
        assert agent.known_scores(state, actions) == {actions[0]: found.one_ply_earlier()}
        rows = len(cache)
        agent.known_scores(state, state.legal_actions())
        assert len(cache) == rows


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def test_the_command_builds_and_shows_a_book(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = home / "games.pgn"
    save_game(game("e2 e8"), games)
    save_game(game("e2 d9", "0-1"), games)
    games.write_text(games.read_text() + '\n[Board "9"]\n\n1. e9 *\n')
    assert main(["book", "add", str(games)]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [f"{games}: 2 new games", f"{default_book()}: 2 games, 2 positions"]
    assert err.startswith("skipped: ")
    assert main(["book", "add", str(games)]) == 0
    assert f"{games}: 0 new games" in capsys.readouterr().out
    assert main(["book", "show", "e2", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    moves = {each["move"]: each for each in shown["moves"]}
    assert moves["d9"] | {"games": 1, "wins2": 1, "chance": None} == moves["d9"]
    assert main(["book", "show", "--position", "3 b2/a3 - 0/0 1 6 4"]) == 0
    assert capsys.readouterr().out == "no game or opening of the books went on from here\n"
    assert main(["book", "info"]) == 0
    assert "games: 2\n" in capsys.readouterr().out
    for wrong in (["add", "missing.pgn"], ["info", "--book", "missing"], ["show", "e9"], []):
        assert main(["book", *wrong]) == 2
        assert capsys.readouterr().err.startswith("plyground: ")


def test_ctrl_c_stops_the_command(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    games = home / "games.pgn"
    save_game(game("e2 e8"), games)

    def interrupt(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(BookFile, "add_games", interrupt)
    assert main(["book", "add", str(games)]) == 130
    assert capsys.readouterr().err == "stopped; the same command continues there\n"


def test_the_terminal_shows_the_books_and_saved_games(home: Path) -> None:
    small = State(GameConfig(board_size=5, walls_per_player=4))
    (home / "plyground" / "autosave").mkdir(parents=True)
    saved = Record.from_moves(["a1h"], small, result="0-1", termination="time")
    save_game(saved, home / "plyground" / "autosave" / "1.pgn")
    with BookFile(default_book()) as book:
        book.add_games([Record.from_moves([move], small) for move in ("b1", "c2")])
    output = io.StringIO()
    host = GameHost(LiveGame({1: Seat(), 2: Seat()}, small))
    session = TerminalSession(host, Screen(Paint(), output), DisplayOptions(), is_interactive=False)
    COMMANDS["book"].run(session, [])
    assert [line.split() for line in output.getvalue().splitlines()[1:]] == [
        ["a1h", "1", "0", "0", "1", "-"],
        ["b1", "1", "0", "0", "0", "-"],
        ["c2", "1", "0", "0", "0", "-"],
    ]
