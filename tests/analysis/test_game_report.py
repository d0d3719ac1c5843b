"""Going through games: chances, losses, turning points, accuracy, stopping and continuing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plyground.analysis.adviser import adviser_for
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.game_report import analyse_game
from plyground.analysis.graph import check_picture, draw, write_picture
from plyground.analysis.lines import best_lines
from plyground.analysis.remembering import Remembering
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.play import Record, Seat, parse_record
from plyground.play.game_file import read_games, save_game
from plyground.play.record_text import format_record
from plyground.quoridor import State
from plyground.search import SearchLimits, SearchResult

LIMITS = SearchLimits(depth=4)
# Player 1 could win at once by b3, and steps back instead.
THROWN_AWAY = "3 b2/a3 - 0/0 1 6 4"


def adviser(game: str = "quoridor", cache: AnalysisCache | None = None) -> Seat:
    spec = "engine:depth=4,hash_mb=1" if game == "quoridor" else None
    return adviser_for(game, cache, spec)


def test_a_blunder_is_found_with_what_was_better() -> None:
    record = Record.from_moves(["b1", "a2", "b2", "a1"], State.parse(THROWN_AWAY))
    report = analyse_game(record, adviser(), LIMITS)
    assert report.is_complete
    first = report.plies[0]
    assert (first.player, first.move, first.mark) == (1, "b1", "??")
    assert first.best_line.split()[0] == "b3"
    assert first.chance == 1.0
    assert first in report.turning_points()
    assert report.chances[-1] == 0.0  # player 2 has won
    worse, better = report.accuracy(1), report.accuracy(2)
    assert worse is not None
    assert better is not None
    assert worse < better <= 1.0


def test_the_best_moves_lose_nothing() -> None:
    record = Record.from_moves(["b3"], State.parse(THROWN_AWAY))
    report = analyse_game(record, adviser(), LIMITS)
    assert (report.accuracy(1), report.accuracy(2)) == (1.0, None)
    assert report.turning_points() == []
    assert report.annotated() == record


def test_the_annotated_record_reads_back() -> None:
    record = Record.from_moves(["b1", "a2"], State.parse(THROWN_AWAY), tags={"Player1": "Ann"})
    annotated = analyse_game(record, adviser(), LIMITS).annotated()
    assert annotated.moves[0].comment.startswith("?? 100% to ")
    assert "better b3" in annotated.moves[0].comment
    assert parse_record(format_record(annotated)) == annotated


class Interrupted:
    """An adviser at whom somebody presses Ctrl-C after some positions."""

    def __init__(self, seat: Seat, after: int) -> None:
        self.seat = seat
        self.left = after
        self.limits = LIMITS

    def points(self, state: Any) -> float:  # noqa: ARG002
        return 100.0

    def select_action(self, state: Any, limits: Any = None) -> int:
        return self.search(state, limits, None).best_move

    def search(self, state: Any, limits: Any, on_progress: Any) -> SearchResult:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        result = self.seat.think(state, limits, on_progress)[1]
        assert result is not None
        return result


def test_a_stopped_analysis_tells_what_it_has_and_goes_on_later(tmp_path: Path) -> None:
    record = Record.from_moves(["e2", "e8", "e3", "e7"])
    with AnalysisCache(tmp_path / "analysis.sqlite") as cache:
        interrupted = Seat("engine", Interrupted(adviser(cache=cache), after=3))
        part = analyse_game(record, interrupted, LIMITS)
        assert (part.is_complete, len(part.plies), len(part.chances)) == (False, 2, 3)
        assert len(cache) == 3
        whole = analyse_game(record, adviser(cache=cache), LIMITS)
        assert whole.is_complete
        assert whole.chances[:3] == part.chances
        assert len(cache) == 5


def test_a_stopped_command_adds_no_half_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    game, output = tmp_path / "game.pgn", tmp_path / "annotated.pgn"
    save_game(Record.from_moves(["e2", "e8", "e3", "e7"]), game)
    command = ["analyse", str(game), "--depth", "3", "--output", str(output)]

    def interrupted(*args: Any) -> Seat:
        return Seat("engine", Interrupted(adviser_for(*args), after=3))

    with monkeypatch.context() as patched:
        patched.setattr("plyground.cli.analyse.adviser_for", interrupted)
        assert main(command) == 130
    said = capsys.readouterr().err
    assert said == f"stopped after 2 of 4 moves, and nothing added to {output}; " + (
        "the same command goes on there\n"
    )
    assert not output.exists()
    assert main(command) == 0
    assert [len(record.moves) for record in read_games(output)] == [4]


def test_reversi_games_are_analysed() -> None:
    record = Record.from_moves(["f5", "d6", "c3"], game="reversi")
    seen: list[tuple[int, int]] = []

    def note(done: int, of: int) -> None:
        seen.append((done, of))

    report = analyse_game(record, adviser("reversi"), LIMITS, note)
    assert len(report.plies) == 3
    assert seen == [(0, 4), (1, 4), (2, 4), (3, 4)]


def test_the_best_lines_are_in_order_and_can_be_played() -> None:
    state = State.parse("5 c2/c4 b2h 4/5 1 4 0")
    lines = best_lines(adviser(), state, 4, time_s=0.2)
    assert len({line.best_move for line in lines}) == 4
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    for line in lines:
        after = state
        for action in line.pv:
            after = after.play(action)
    won = best_lines(adviser(), State.parse(THROWN_AWAY), 1)
    assert (won[0].win_in, len(won)) == (1, 1)


def test_a_network_ranks_the_moves_itself(tmp_path: Path) -> None:
    state = State.parse("9 e4/e6 c3h,e3h,d7h 8/9 2 9 1")
    with AnalysisCache(tmp_path / "cache.sqlite") as cache:
        seat = adviser_for("quoridor", cache)
        ranked = seat.ranking(state)
        assert sorted(action for action, _ in ranked) == state.legal_actions()
        steps: list[tuple[int, int]] = []
        lines = best_lines(seat, state, 3, 0.3, lambda done, of: steps.append((done, of)))
        assert steps == [(number, 5) for number in range(5)]  # no look at each move
        assert len({line.best_move for line in lines}) == 3
        assert [line.score for line in lines] == sorted((x.score for x in lines), reverse=True)
        assert seat.ranking(state)[:3] == [(line.best_move, line.score) for line in lines]
    with pytest.raises(ConfigError, match="knows no depth"):
        best_lines(seat, state, 3, depth=4)


def test_a_network_ranks_proven_moves_by_what_is_proven() -> None:
    seat = adviser_for("quoridor", spec="zero")
    state = State.parse("9 e8/e2 - 0/0 1 40 0")
    best, *others = [action for action, _ in seat.ranking(state)]
    assert state.play(best).winner == 1
    won = best_lines(seat, state, 2, 0.1)
    assert [line.win_in for line in won] == [1, -2]
    assert len(others) == 3


@pytest.mark.parametrize(
    ("game", "size", "options", "name"),
    [
        ("quoridor", 9, {}, "zero"),
        ("quoridor", 6, {}, "zero"),
        ("quoridor", 5, {}, "engine"),
        ("reversi", 8, {}, "engine"),
        ("quoridor", 9, {"spec": "minimax:depth=2"}, "minimax"),
    ],
)
def test_whoever_plays_best_on_a_board_advises(
    game: str, size: int, options: dict[str, str], name: str
) -> None:
    assert adviser_for(game, board_size=size, **options).name == name


def test_a_position_keeps_its_moves_as_they_were_ranked(tmp_path: Path) -> None:
    state = State.parse("5 c2/c4 b2h 4/5 1 4 0")
    steps: list[tuple[int, int]] = []

    def note(done: int, of: int) -> None:
        steps.append((done, of))

    with AnalysisCache(tmp_path / "cache.sqlite") as cache:
        seat = adviser(cache=cache)
        lines = best_lines(seat, state, 2, on_progress=note, depth=5)
        assert isinstance(seat.agent, Remembering)
        ranked = seat.agent.ranking(state)
        assert sorted(action for action, _ in ranked) == state.legal_actions()
        assert ranked[:2] == [(line.best_move, line.score) for line in lines]
        assert len(steps) == len(ranked) + 4  # a look at each, and two spare lines
        again = best_lines(seat, state, 2, on_progress=note, depth=5)
        assert [line.pv for line in again] == [line.pv for line in lines]
        assert len(steps) == len(ranked) + 8  # no more looks
        # What was said of the moves does not pass for a search of the position.
        assert seat.agent.search(state, SearchLimits(depth=5)).depth >= 5
        assert seat.agent.ranking(state) == ranked


def test_lines_to_a_depth() -> None:
    lines = best_lines(adviser(), State.parse("5 c2/c4 b2h 4/5 1 4 0"), 3, depth=6)
    assert {line.depth for line in lines} == {6}


def test_agents_that_tell_nothing_cannot_advise() -> None:
    with pytest.raises(ConfigError, match="expected an agent that tells what it thinks"):
        adviser_for("quoridor", spec="pathfinder")


def test_graphs_in_text() -> None:
    lines = draw([0.0, 0.25, 0.5, 0.75, 1.0], 40, height=4, plain=True)
    assert lines == [
        "100% |    #",
        "     |   ##",
        " 50% |  ###",
        "     | ####",
        "  0% +-----",
    ]
    long = draw([0.5] * 1000, 60)
    assert max(map(len, long)) <= 60


def test_pictures(tmp_path: Path) -> None:
    record = Record.from_moves(["b1", "a2"], State.parse(THROWN_AWAY))
    report = analyse_game(record, adviser(), LIMITS)
    for name in ("graph.svg", "graph.png"):
        write_picture(report, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    with pytest.raises(ConfigError, match=r"expected a picture to end in \.svg, \.png, \.pdf"):
        check_picture(tmp_path / "graph.jpg")
    with pytest.raises(ConfigError, match="there is no folder"):
        check_picture(tmp_path / "missing" / "graph.svg")
