"""Pairings and openings of a tournament, and their settings."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from plyground.arena.adjudicate import Adjudication
from plyground.arena.book import read_book
from plyground.arena.config import SPRT_GAMES, ArenaConfig
from plyground.arena.schedule import openings_for, pairings, tasks_for
from plyground.arena.sprt import Sprt
from plyground.cli.main import main
from plyground.config import Settings
from plyground.errors import ConfigError
from plyground.games.book_position import BookPosition
from plyground.play.clock import TimeControl
from plyground.quoridor import State
from plyground.reversi import State as ReversiState
from plyground.search import SearchLimits

CONFIGS = Path(__file__).parents[2] / "configs" / "arena"
AGENTS = ("random:seed=1", "random:seed=2", "pathfinder", "minimax")


@pytest.mark.parametrize("form", ["round-robin", "gauntlet"])
@pytest.mark.parametrize("preset", ["tiny", "small", "standard"])
def test_each_pairing_plays_each_opening_with_each_colour(form: str, preset: str) -> None:
    config = ArenaConfig(AGENTS, form, games=6, preset=preset)
    openings = openings_for(config)
    tasks = tasks_for(config, openings)
    assert len({opening.text() for opening in openings}) == 3
    met = Counter((task.player1, task.player2) for task in tasks)
    expected = {
        players for one, other in pairings(AGENTS, form) for players in [(one, other), (other, one)]
    }
    assert len(expected) == {"round-robin": 12, "gauntlet": 6}[form]
    assert met == dict.fromkeys(expected, 3)
    for players in expected:
        starts = [task.start for task in tasks if (task.player1, task.player2) == players]
        assert starts == [opening.text() for opening in openings]
    assert len({task.key for task in tasks}) == len(tasks)


def test_reversi_starts_from_the_xot_list() -> None:
    tasks = tasks_for(config := ArenaConfig(AGENTS[:2], game="reversi"), openings_for(config))
    assert len(tasks) == 20
    assert {task.start_state().text().count("-") for task in tasks} == {52}


def test_openings_are_played_again_when_there_are_no_more() -> None:
    config = ArenaConfig(AGENTS[:2], games=6, openings="start")
    tasks = tasks_for(config, openings_for(config))
    assert {task.start for task in tasks} == {"9 e1/e9 - 10/10 1 0 0"}
    assert [task.round for task in tasks] == [1, 1, 2, 2, 3, 3]


def test_more_games_begin_with_the_same_openings() -> None:
    few, many = (openings_for(ArenaConfig(AGENTS[:2], games=games, seed=5)) for games in (10, 40))
    assert many[:5] == few


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_ready_made_tournaments_can_be_read(path: Path) -> None:
    config = ArenaConfig.load(path)
    assert config.has_rounds or tasks_for(config, [config.start_state()])


def test_a_file_and_what_is_said_over_it(tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("e2 e8\n")
    path = tmp_path / "arena.yaml"
    path.write_text(
        "agents: [random, pathfinder]\nopenings: book.txt\nclock: 5\nsprt: {elo0: 0, elo1: 5}\n"
        "limits: {nodes: 100, time: 0.5}\nadjudication: {proven: true}\n"
    )
    config = ArenaConfig.load(path, {"seed": 4})
    assert config.seed == 4
    assert config.games == SPRT_GAMES
    assert config.sprt == Sprt(0, 5)
    conditions = config.conditions()
    assert conditions.limits == SearchLimits(time_s=0.5, nodes=100)
    assert conditions.control == TimeControl(5)
    assert conditions.adjudication == Adjudication(proven=True)
    assert [opening.text() for opening in openings_for(config)] == ["9 e2/e8 - 10/10 1 2 2"]


def test_settings_of_the_game_stand_beside_the_others(tmp_path: Path) -> None:
    path = tmp_path / "arena.yaml"
    path.write_text("agents: [random, pathfinder]\nboard: 5\nwalls: 3\nmax_moves: 90\n")
    config = ArenaConfig.load(path, {"walls": "2"})
    assert config.settings == {"board": 5, "walls": "2", "max_moves": 90}
    assert config.start_state().text() == "5 c1/c5 - 2/2 1 0 0"
    settings = {"Board": "5", "Walls": "2", "MaxMoves": "90"}
    assert config.identity()["settings"] == settings
    assert ArenaConfig(config.agents, settings=settings).identity() == config.identity()
    small, five = ({"preset": "small"}, {"board": 5})
    one, other = (ArenaConfig.of({"agents": AGENTS, **given}) for given in (small, five))
    assert one.identity() == other.identity()


def test_files_that_a_file_names_lie_beside_it(tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("e2 e8\n")
    (tmp_path / "w.yaml").write_text("wall_weight: 3\n")
    path = tmp_path / "arena.yaml"
    path.write_text("agents: [random, 'minimax:weights=w.yaml']\nopenings: book.txt\n")
    config = ArenaConfig.load(path)
    assert config.agents == ("random", f"minimax:weights={tmp_path}/w.yaml")
    assert config.openings == str(tmp_path / "book.txt")
    said = ArenaConfig.load(path, {"agents": ["random", "minimax:weights=w.yaml"]})
    assert said.agents[1] == "minimax:weights=w.yaml"  # an option's is where we are


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"agents": ["random"]}, "expected at least two agents, got 1"),
        ({"agents": "random"}, "expected a list of agents, got 'random'"),
        (
            {"agents": ["a", "b", "a"]},
            "expected different agents, got 'a' twice",
        ),
        (
            {"format": "ladder"},
            "expected the format round-robin or gauntlet or swiss or knockout, got 'ladder'",
        ),
        ({"games": 5}, "expected an even number of games, got 5"),
        ({"games": "5"}, "expected games to be a whole number from 2 to 1000000, got '5'"),
        ({"workers": True}, "expected workers to be a whole number from 0 to 1024, got True"),
        ({"gmae": "reversi"}, "unknown setting 'gmae'; did you mean 'game'?"),
        ({"game": "chess"}, "unknown game 'chess'; known are quoridor, reversi"),
        ({"game": "reversi", "board": 5}, "expected Board 8, 6 or 4 for reversi, got '5'"),
        ({"game": "reversi", "preset": "tiny"}, "reversi has no presets"),
        ({"preset": "tinny"}, "quoridor has no preset 'tinny'; did you mean 'tiny'?"),
        (
            {"preset": "tiny", "board": 5},
            "expected a preset or a board, got both; a preset has its own board",
        ),
        ({"settings": 5}, "expected settings like 'board: ...' for settings, got 5"),
        (
            {"settings": {"bord": 5}},
            "quoridor has no setting 'bord'; did you mean 'board'?",
        ),
        (
            {"clock": "1m"},
            "expected a time such as '300', '300+5', '40/300+5' or '2/move' in seconds, got '1m'",
        ),
        ({"limits": {"node": 1}}, "unknown key 'node' of limits; did you mean 'nodes'?"),
        ({"limits": 5}, "expected settings like 'time: ...' for limits, got 5"),
        (
            {"limits": {"nodes": 0}},
            "expected nodes to be a whole number from 1 to 9223372036854775807, got 0",
        ),
        (
            {"move_timeout": 0},
            "expected the timeout of a move to be from 0.001 to 86400 seconds, got 0",
        ),
        (
            {"adjudication": {"prove": 1}},
            "unknown key 'prove' of adjudication; did you mean 'proven'?",
        ),
        ({"adjudication": True}, "expected settings like 'proven: ...' for adjudication, got True"),
        ({"adjudication": {"proven": 3}}, "expected proven to be true or false, got 3"),
        (
            {"adjudication": {"max_plies": True}},
            "expected max_plies to be a whole number from 1, got True",
        ),
        (
            {"adjudication": {"win_score": True}},
            "expected win_score to be a number from 0, got True",
        ),
        (
            {"limits": {"time": math.inf}},
            "expected time to be a number from 0 to 1000000000, got inf",
        ),
        ({"limits": {"sims": 0}}, "expected sims to be a whole number from 1 to 2147483647, got 0"),
        ({"sprt": 3}, "expected settings like 'elo0: ...' for sprt, got 3"),
        ({"backend": "cloud"}, "expected the backend local or ray, got 'cloud'"),
        ({"address": "auto"}, "the address of a Ray cluster needs the backend ray"),
        (
            {"agents": ["a", "b", "c"], "sprt": {"elo0": 0, "elo1": 5}},
            "expected two agents for an SPRT, got 3",
        ),
    ],
)
def test_mistakes_are_told_in_a_line(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        ArenaConfig.of({"agents": ["random", "pathfinder"]} | settings)
    assert str(caught.value) == message


def book(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "book.txt"
    path.write_text(text)
    return path


def test_a_book_of_moves_positions_or_records(tmp_path: Path) -> None:
    start = State()
    lines = book(tmp_path, "# two that are one\ne2 e8\n\n9 e2/e8 - 10/10 1 2 2\nd5h # a wall\n")
    assert [opening.text() for opening in read_book(lines, start)] == [
        "9 e2/e8 - 10/10 1 2 2",
        "9 e1/e9 d5h 9/10 2 1 0",
    ]
    records = book(tmp_path, '[Event "x"]\n1. e2 e8 *\n\n1. d1 *\n')
    assert [opening.text() for opening in read_book(records, start)] == [
        "9 e2/e8 - 10/10 1 2 2",
        "9 d1/e9 - 10/10 2 1 1",
    ]


def test_openings_of_the_scored_book_are_even_and_different() -> None:
    config = ArenaConfig(AGENTS[:2], game="reversi", games=20, openings="book")
    found = openings_for(config)
    assert len({BookPosition(state).number for state in found}) == len(found) == 10
    for state in found:
        assert isinstance(state, ReversiState)
        assert sum(state.counts.values()) == 4 + 8
        assert abs(state.game.book_moves(state)[0].score.value) <= 3.0
    assert openings_for(replace(config, seed=2)) != found
    assert openings_for(replace(config, openings_plies=1)) == [ReversiState().play("d3")]
    with pytest.raises(ConfigError, match="quoridor has no book of scored openings of 8 plies"):
        openings_for(replace(config, game="quoridor"))


def test_a_book_of_reversi(tmp_path: Path) -> None:
    start = ReversiState()
    once = start.play("f5").play("d6")
    path = book(tmp_path, f"f5d6\nF5 D6\n{once.text()}\n")
    assert read_book(path, start) == [once]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing\n", "expected openings in the book {path}, got none"),
        ("e2\ne5\n", "line 2 of the book {path}: illegal move 'e5' in '9 e1/e9 - 10/10 1 0 0': "),
        ("e2 x9z\n", "line 1 of the book {path}: "),
        ("5 c1/c5 - 5/5 1 0 0\n", "line 1 of the book {path}"),
        ("9 e9/e8 - 10/10 2 16 16\n", "line 1 of the book {path}"),
        ('[Board "5"]\n1. c2 *\n', "game 1 of the book {path} is of another game or board"),
        ('[Board "5"]\n1. c2\n', "cannot read the book {path}: line 2: expected a result"),
    ],
)
def test_mistakes_in_a_book_are_told_by_line(tmp_path: Path, text: str, message: str) -> None:
    path = book(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        read_book(path, State())
    assert str(caught.value).startswith(message.format(path=path))


def test_a_book_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read the book .*: No such file"):
        read_book(tmp_path / "none", State())


def test_a_tournament_knows_its_book_by_what_is_in_it(tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text("e2 e8\n")
    other.write_text("e2 e8\n")
    config = ArenaConfig(AGENTS[:2], openings=str(one))
    before = config.identity()
    assert ArenaConfig(AGENTS[:2], openings=str(other)).identity() == before
    one.write_text("e2 d9\n")
    assert config.identity() != before


def starts(config: ArenaConfig) -> list[str]:
    """The moves of each opening from the usual start, as pawn cells of the position."""
    return [opening.text().split()[1] for opening in openings_for(config)]


def test_the_order_and_the_first_opening_of_a_book(tmp_path: Path) -> None:
    path = str(book(tmp_path, "e2\nd1\nf1\n"))
    settings: Settings = {"agents": AGENTS[:2], "openings": path, "games": 20}
    in_order = ArenaConfig.of(settings | {"openings_order": "sequential"})
    assert starts(in_order) == ["e2/e9", "d1/e9", "f1/e9"]
    assert starts(replace(in_order, openings_start=3)) == ["f1/e9", "e2/e9", "d1/e9"]
    assert starts(replace(in_order, openings_start=2, games=4)) == ["d1/e9", "f1/e9"]
    shuffled = [ArenaConfig.of(settings | {"seed": seed}) for seed in range(8)]
    assert {starts(config)[0] for config in shuffled} == {"e2/e9", "d1/e9", "f1/e9"}
    first, *rest = starts(shuffled[0])
    assert starts(replace(shuffled[0], openings_start=2)) == [*rest, first]
    with pytest.raises(ConfigError, match="expected an opening from 1 to 3 of the book, got 4"):
        starts(replace(in_order, openings_start=4))


def test_a_book_is_read_up_to_a_ply(tmp_path: Path) -> None:
    moves = book(tmp_path, "e2 e8 e3\ne2 d9\ne2 e8 d2\n9 d1/e9 - 10/10 2 1 1 ; a position\n")
    found = [opening.text().split()[1] for opening in read_book(moves, State(), 2)]
    assert found == ["e2/e8", "e2/d9", "d1/e9"]
    games = book(tmp_path, '[Event "x"]\n1. e2 e8 2. e3 e7 *\n\n1. d1 1-0\n')
    found = [opening.text().split()[1] for opening in read_book(games, State(), 3)]
    assert found == ["e3/e8", "d1/e9"]


def test_how_a_book_is_read_is_a_condition_of_the_games(tmp_path: Path) -> None:
    config = ArenaConfig(AGENTS[:2], openings=str(book(tmp_path, "e2\nd1\n")))
    plain = config.identity()
    assert not [name for name in plain if name.startswith("openings_")]
    others = {"openings_order": "sequential", "openings_start": 2, "openings_plies": 1}
    for name, value in others.items():
        change: Settings = {name: value}
        assert replace(config, **change).identity() == plain | change


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"openings_order": "sequential"}, "openings_order needs a book as openings"),
        ({"openings": "start", "openings_plies": 2}, "openings_plies needs a book"),
        (
            {"openings_order": "best"},
            "expected the openings_order random or sequential, got 'best'",
        ),
        ({"openings_start": 0}, "expected openings_start to be a whole number from 1, got 0"),
        ({"openings_plies": 1.5}, "expected openings_plies to be a whole number from 1, got 1.5"),
    ],
)
def test_mistakes_in_the_settings_of_a_book(settings: Settings, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        ArenaConfig.of({"agents": AGENTS[:2]} | settings)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("rule", "score"),
    [("win_moves", "win_score"), ("draw_moves", "draw_score"), ("draw_after", "draw_score")],
)
def test_moves_of_an_adjudication_need_their_score(rule: str, score: str) -> None:
    settings: Settings = {"agents": AGENTS[:2], "adjudication": {rule: 3}}
    with pytest.raises(ConfigError) as caught:
        ArenaConfig.of(settings)
    assert str(caught.value) == f"{rule} of adjudication needs {score}"
    settings["adjudication"][score] = 1
    assert getattr(ArenaConfig.of(settings).adjudication, rule) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--limit", "time"], "expected name=value for --limit, got 'time'"),
        (["--limit", "time=1", "time=2"], "one value for time of --limit, got 'time=1 time=2'"),
        (["--limit", "time=inf"], "expected time to be a number from 0 to 1000000000, got inf"),
        (["--adjudicate", "max_plies=1", "max_plies"], "one value for max_plies of --adjudicate"),
    ],
)
def test_limits_of_the_command_line_are_checked(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "engine", "random", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_limit_of_years_is_no_limit(capsys: pytest.CaptureFixture[str]) -> None:
    limits = ["--limit", "time=1e9", "depth=1"]
    assert main(["match", "engine", "random", *limits, "--games", "2", "--board", "3"]) == 0
    assert "2 games" in capsys.readouterr().out
