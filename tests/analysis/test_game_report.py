"""Going through games: chances, losses, turning points, accuracy, stopping and continuing."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground import reversi
from plyground.agents.base import Agent, Progress
from plyground.analysis.adviser import adviser_for
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.cached_agent import CachedAgent
from plyground.analysis.game_report import analyse_game
from plyground.analysis.graph import check_picture, draw, write_picture
from plyground.analysis.lines import best_lines
from plyground.analysis.move_class import MoveClass
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.games import base
from plyground.games.score import Score
from plyground.play import Record, Seat, parse_record
from plyground.play.game_file import read_games, save_game
from plyground.play.record_text import format_record
from plyground.quoridor import GameConfig, State
from plyground.search import SearchLimits, SearchResult

LIMITS = SearchLimits(depth=4)
# Player 1 could win at once by b3, and steps back instead.
THROWN_AWAY = "3 b2/a3 - 0/0 1 6 4"


def adviser(cache: AnalysisCache | None = None) -> Seat:
    return adviser_for("quoridor", cache, "engine:depth=4,hash_mb=1")


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


@pytest.mark.parametrize("move", ["d3", "c4", "f5", "e6"])
def test_mirror_images_of_the_best_move_lose_nothing(move: str) -> None:
    class Doubtful(Agent):
        """Thinks that the side to move is winning, so that every move seems a mistake."""

        name = "doubtful"
        evaluates = True

        def search(
            self,
            state: base.State,
            limits: SearchLimits | None = None,
            on_progress: Progress | None = None,
        ) -> SearchResult:
            score = Score.expected(0.9, state.current_player)
            return SearchResult(state.legal_actions()[0], score)

    record = Record.from_moves([move], reversi.State())
    (only,) = analyse_game(record, Seat("doubtful", Doubtful()), LIMITS).plies
    assert (only.loss, only.move_class) == (0.0, MoveClass.BEST)


def test_the_annotated_record_reads_back() -> None:
    record = Record.from_moves(["b1", "a2"], State.parse(THROWN_AWAY), tags={"Player1": "Ann"})
    annotated = analyse_game(record, adviser(), LIMITS).annotated()
    assert annotated.moves[0].comment.startswith("?? 100% to ")
    assert "better b3" in annotated.moves[0].comment
    assert parse_record(format_record(annotated)) == annotated


class Interrupted(Agent):
    """An adviser that is interrupted by Ctrl-C after some positions."""

    evaluates = True

    def __init__(self, seat: Seat, after: int) -> None:
        self.seat = seat
        self.left = after

    def search(
        self,
        state: base.State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return self.seat.search(state, limits, on_progress)


def test_a_stopped_analysis_reports_what_it_has_and_continues_later(tmp_path: Path) -> None:
    record = Record.from_moves(["e2", "e8", "e3", "e7"])
    with AnalysisCache(tmp_path / "analysis.sqlite") as cache:
        interrupted = Seat("engine", Interrupted(adviser(cache), after=3))
        part = analyse_game(record, interrupted, LIMITS)
        assert (part.is_complete, len(part.plies), len(part.chances)) == (False, 2, 3)
        assert len(cache) == 3
        whole = analyse_game(record, adviser(cache), LIMITS)
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

    def interrupted(state: State, cache: AnalysisCache, spec: str) -> Seat:
        return Seat("engine", Interrupted(adviser_for(state, cache, spec), after=3))

    with monkeypatch.context() as patched:
        patched.setattr("plyground.cli.analyse.adviser_for", interrupted)
        assert main(command) == 130
    said = capsys.readouterr().err
    assert said == (
        f"stopped after 2 of 4 moves, nothing added to {output}; the same command continues there\n"
    )
    assert not output.exists()
    assert main(command) == 0
    assert [len(record.moves) for record in read_games(output)] == [4]


def test_reversi_games_are_analysed() -> None:
    record = Record.from_moves(["f5", "d6", "c3"], reversi.State())
    seen: list[tuple[int, int]] = []

    def note(done: int, of: int) -> None:
        seen.append((done, of))

    report = analyse_game(record, adviser_for("reversi"), LIMITS, note)
    assert len(report.plies) == 3
    assert seen == [(0, 4), (1, 4), (2, 4), (3, 4)]


def scores(lines: list[SearchResult]) -> list[Score]:
    return [line.score for line in lines if line.score is not None]


def test_the_best_lines_are_in_order_and_can_be_played() -> None:
    state = State.parse("5 c2/c4 b2h 4/5 1 4 0")
    lines = best_lines(adviser(), state, 4, time_s=0.2)
    assert len({line.best_move for line in lines}) == 4
    assert scores(lines) == sorted(scores(lines), reverse=True)
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
        ranked = seat.rank(state)
        assert sorted(action for action, _ in ranked) == state.legal_actions()
        steps: list[tuple[int, int]] = []
        lines = best_lines(seat, state, 3, 0.3, lambda done, of: steps.append((done, of)))
        assert steps == [(number, 5) for number in range(5)]  # no look at each move
        assert len({line.best_move for line in lines}) == 3
        assert scores(lines) == sorted(scores(lines), reverse=True)
        assert seat.rank(state)[:3] == [(line.best_move, line.score) for line in lines]
    with pytest.raises(ConfigError, match="has no depth limit"):
        best_lines(seat, state, 3, depth=4)


def test_a_network_ranks_proven_moves_by_what_is_proven() -> None:
    seat = adviser_for("quoridor", spec="zero")
    state = State.parse("9 e8/e2 - 0/0 1 40 0")
    best, *others = [action for action, _ in seat.rank(state)]
    assert state.play(best).winner == 1
    won = best_lines(seat, state, 2, 0.1)
    assert [line.win_in for line in won] == [1, -2]
    assert len(others) == 3


@pytest.mark.parametrize(
    ("state", "spec", "name"),
    [
        (State(), None, "zero"),
        (State(GameConfig.for_size(6)), None, "zero"),
        (State(GameConfig.preset("small")), None, "engine"),
        (reversi.State(), None, "engine"),
        (State(), "minimax:depth=2", "minimax"),
    ],
)
def test_the_strongest_agent_of_a_board_advises(
    state: base.State, spec: str | None, name: str
) -> None:
    assert adviser_for(state, spec=spec).name == name


def test_a_game_stands_for_its_usual_board() -> None:
    assert adviser_for().name == adviser_for("quoridor").name == "zero"
    assert adviser_for(State().game).name == "zero"


def test_records_of_small_boards_are_analysed_to_a_depth() -> None:
    record = Record.from_moves(["c2", "c4"], State(GameConfig.preset("small")))
    report = analyse_game(record, adviser_for(record.start_state()), SearchLimits(depth=4))
    assert [ply.best.depth for ply in report.plies] == [4, 4]


def test_a_position_keeps_its_moves_as_they_were_ranked(tmp_path: Path) -> None:
    state = State.parse("5 c2/c4 b2h 4/5 1 4 0")
    steps: list[tuple[int, int]] = []

    def note(done: int, of: int) -> None:
        steps.append((done, of))

    with AnalysisCache(tmp_path / "cache.sqlite") as cache:
        seat = adviser(cache)
        lines = best_lines(seat, state, 2, on_progress=note, depth=5)
        assert isinstance(seat.agent, CachedAgent)
        ranked = seat.agent.rank(state)
        assert sorted(action for action, _ in ranked) == state.legal_actions()
        assert ranked[:2] == [(line.best_move, line.score) for line in lines]
        assert len(steps) == len(ranked) + 4  # a look at each, and two spare lines
        again = best_lines(seat, state, 2, on_progress=note, depth=5)
        assert [line.pv for line in again] == [line.pv for line in lines]
        assert len(steps) == len(ranked) + 8  # no more looks
        # The ranking does not pass for a search of the position.
        assert seat.agent.search(state, SearchLimits(depth=5)).depth >= 5
        assert seat.agent.rank(state) == ranked


def test_lines_to_a_depth() -> None:
    lines = best_lines(adviser(), State.parse("5 c2/c4 b2h 4/5 1 4 0"), 3, depth=6)
    assert {line.depth for line in lines} == {6}


def test_agents_without_scores_cannot_advise() -> None:
    with pytest.raises(ConfigError, match="expected an agent that evaluates positions"):
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
    with pytest.raises(ConfigError, match=r"the folder '.*missing' is missing"):
        check_picture(tmp_path / "missing" / "graph.svg")
