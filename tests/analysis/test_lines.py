"""The best lines of positions that can be solved: the first is the proven best move."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from plyground import reversi
from plyground.analysis.adviser import adviser_for
from plyground.analysis.game_report import analyse_game
from plyground.analysis.lines import all_settled, best_lines, line_chance
from plyground.cli.main import main
from plyground.games.score import Score
from plyground.play import LiveGame, Record, Seat
from plyground.search import SearchLimits, SearchResult
from plyground.ui.game_host import GameHost
from plyground.ui.terminal.commands import COMMANDS
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Screen
from plyground.ui.terminal.session import TerminalSession
from plyground.ui.view import DisplayOptions

FFO = json.loads(
    (Path(__file__).parents[1] / "data" / "reversi_ffo.json").read_text(encoding="utf-8")
)["positions"]
SOLVED = [position for position in FFO if position["id"] <= 44 and position["empties"] <= 24]


def state_of(position: dict[str, Any]) -> reversi.State:
    return reversi.State.parse(f"{position['board']} {position['side']}")


def check_lines(position: dict[str, Any], time_s: float) -> None:
    state = state_of(position)
    found = best_lines(adviser_for(state), state, 3, time_s)
    assert found[0].exact
    assert found[0].score is not None
    assert found[0].score.value == position["score"]
    exact = position["move_scores"]
    assert exact[state.format_move(found[0].best_move)] == position["score"]
    for line in found:
        assert line.score is not None
        assert line.score <= found[0].score
        if line.exact:
            assert line.score.value == exact[state.format_move(line.best_move)]


@pytest.mark.parametrize("position", SOLVED, ids=lambda position: f"ffo{position['id']}")
def test_the_first_line_is_the_best_move_however_short_the_time(position: dict[str, Any]) -> None:
    check_lines(position, time_s=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("position", SOLVED, ids=lambda position: f"ffo{position['id']}")
def test_more_time_changes_nothing(position: dict[str, Any]) -> None:
    check_lines(position, time_s=3.0)


def test_a_wipe_out_too_early_to_be_solved_first_is_seen() -> None:
    (position,) = (position for position in FFO if position["id"] == 39)
    assert position["empties"] == 26
    state = state_of(position)
    line, *_ = best_lines(adviser_for(state), state, 3, 0.01)
    assert position["move_scores"][state.format_move(line.best_move)] == 64


def test_no_line_has_a_better_chance_than_an_exact_best_line() -> None:
    unit = reversi.State().game.unit
    lost = SearchResult(19, Score(-2.0, unit, 1, exact=True))
    other = SearchResult(26, Score(-3.0, unit, 1))  # as an estimate, this is 38% to win
    assert [line_chance(lost, lost, player) for player in (1, 2)] == [0.0, 1.0]
    assert [line_chance(other, lost, player) for player in (1, 2)] == [0.0, 1.0]
    won = SearchResult(19, Score(2.0, unit, 2, exact=True))
    assert [line_chance(won, won, player) for player in (1, 2)] == [0.0, 1.0]
    assert line_chance(SearchResult(19, None), won, 1) == 0.5


def test_exact_and_proven_lines_are_settled() -> None:
    unit = reversi.State().game.unit
    exact = SearchResult(19, Score(2.0, unit, 1, exact=True))
    proven = SearchResult(19, Score.proven(3, 1))
    estimate = SearchResult(19, Score(2.0, unit, 1))
    assert all_settled([exact, proven])
    assert not all_settled([exact, estimate])


def test_the_terminal_says_that_scores_are_exact() -> None:
    (position,) = (position for position in FFO if position["id"] == 1)
    live = LiveGame({1: Seat("Ann"), 2: Seat.of("random:seed=1", "reversi")}, state_of(position))
    output = io.StringIO()
    screen = Screen(Paint(), output)
    session = TerminalSession(GameHost(live), screen, DisplayOptions(), is_interactive=False)
    for command in ("hint", "eval", "analyse"):
        output.truncate(0)
        COMMANDS[command].run(session, ["1"] if command == "analyse" else [])
        assert f"{position['score']:+d}" in output.getvalue()
        assert "exact" in output.getvalue(), command
        assert "depth" not in output.getvalue(), command
    live.close()


def test_the_command_says_that_a_score_is_exact(capsys: pytest.CaptureFixture[str]) -> None:
    (position,) = (position for position in FFO if position["id"] == 1)
    text = state_of(position).text()
    command = ["analyse", "--no-cache", "--game", "reversi", "--position", text, "--lines", "1"]
    assert main([*command, "--time", "0.01"]) == 0
    (line,) = (row for row in capsys.readouterr().out.splitlines() if row.startswith("1. "))
    assert line.split()[:3] == ["1.", f"{position['score']:+d}", "exact"]
    assert line.split()[3] in position["best_moves"]


def test_the_end_of_a_game_is_judged_exactly() -> None:
    (position,) = (position for position in FFO if position["id"] == 1)
    state = state_of(position)
    best, *_ = position["best_moves"]
    worst = min(position["move_scores"], key=position["move_scores"].get)
    for move, is_best in ((best, True), (worst, False)):
        record = Record.from_moves([move], state)
        report = analyse_game(record, adviser_for(state), SearchLimits(time_s=0.01))
        (ply,) = report.plies
        assert (ply.loss == 0) == is_best


def test_a_forced_reply_counts_as_a_ply_of_the_depth() -> None:
    (position,) = (position for position in FFO if position["id"] == 40)
    state = state_of(position)
    assert len(state.play("c1").legal_actions()) == 1
    lines = best_lines(adviser_for(state), state, len(state.legal_actions()), depth=5)
    assert state.parse_move("c1") in {line.best_move for line in lines}
    assert {line.depth for line in lines} == {5}
