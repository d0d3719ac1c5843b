"""Remarks about moves: classes, facts of each game as data, and their English sentences."""

from __future__ import annotations

import io
import json
import random
import string
from collections.abc import Mapping
from pathlib import Path

import pytest

from plyground import reversi
from plyground.agents.base import Agent, Progress
from plyground.analysis.adviser import adviser_for
from plyground.analysis.game_facts import facts_of
from plyground.analysis.game_report import GameReport, analyse_game, judge_move
from plyground.analysis.move_class import MoveClass, classify, lost_points
from plyground.analysis.remarks import NOUNS, TEXTS, Remark
from plyground.games import registry
from plyground.games.base import State as AnyState
from plyground.games.score import Score
from plyground.play import LiveGame, Record, Seat
from plyground.quoridor import State
from plyground.search import SearchLimits, SearchResult
from plyground.ui.desktop.review import review_page
from plyground.ui.game_host import GameHost
from plyground.ui.review_text import format_review
from plyground.ui.terminal.commands import COMMANDS
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Screen
from plyground.ui.terminal.session import TerminalSession
from plyground.ui.view import DisplayOptions
from tests.conformance.connect_four import CONNECT_FOUR

LIMITS = SearchLimits(depth=4)


@pytest.mark.parametrize(
    ("loss", "is_best", "expected"),
    [
        (0.0, True, "best"),
        (0.0, False, "equal"),
        (0.02, False, "equal"),
        (0.04, False, "good"),
        (0.07, False, "inaccuracy"),
        (0.1, False, "mistake"),
        (0.25, False, "blunder"),
    ],
)
def test_classes_go_from_best_to_blunder(loss: float, is_best: bool, expected: str) -> None:
    assert classify(loss, is_best) == expected


def explain(state: AnyState, move: str, best: str, answer: str | None = None) -> list[str]:
    """The sentences to the player who moved, as if a search had preferred these moves."""
    found = SearchResult(state.parse_move(best), None)
    action = state.parse_move(move)
    after = state.play(action)
    reply = None if answer is None else SearchResult(after.parse_move(answer), None)
    remarks = state.game.explain_move(state, action, found, reply)
    return [remark.sentence(state.game, you=True) for remark in remarks]


@pytest.mark.parametrize(
    ("position", "move", "best", "answer", "expected"),
    [
        # A wall in the player's own way, and one in the opponent's.
        (
            "5 c2/e4 - 3/3 1 4 0",
            "c2h",
            "c3",
            None,
            [
                "This wall costs you 1 step and them none.",
                "After c3 you would need 2 steps, they 3 steps.",
            ],
        ),
        (
            "5 c2/e4 - 3/3 1 4 0",
            "a4h",
            "d3h",
            None,
            [
                "This wall costs neither of you a step.",
                "d3h would cost them 2 steps and you none.",
            ],
        ),
        (
            "5 c2/e4 - 3/3 1 4 0",
            "c1",
            "c3",
            None,
            [
                "This step makes your way 1 step longer.",
                "After c3 you would need 2 steps, they 3 steps.",
            ],
        ),
        (
            "5 d2/a4 - 3/3 1 4 0",
            "e2",
            "d3",
            "d2h",
            ["This step brings you no closer.", "The answer d2h costs you 2 steps."],
        ),
        (
            "5 c2/e4 - 3/3 1 4 0",
            "c3",
            "c3",
            None,
            ["After this step you need 2 steps, they need 3 steps."],
        ),
    ],
)
def test_what_walls_and_steps_cost(
    position: str, move: str, best: str, answer: str | None, expected: list[str]
) -> None:
    assert explain(State.parse(position), move, best, answer) == expected


CORNERS = "----XO--O-X-OO---O-OXO--XXOXX---XXOOXXXXX-OXXXX---XXX--X-XXX---- X"


@pytest.mark.parametrize(
    ("position", "move", "best", "expected"),
    [
        (CORNERS, "g2", "g1", "It lets them take the corner h1."),
        (
            "-------------X---O-XXO--XXOXO---XXOOXXXXX-OXXXX----OX--X-XXX---- X",
            "b2",
            "c7",
            "It is next to the empty corner a1.",
        ),
        (
            "---XXXX-O-X-XXXO-OXXXO-XXXOXOO--XXXOOXOXX-OXOXXO-OXXXO-X-XXXXXO- O",
            "g4",
            "h1",
            "You could take the corner h1.",
        ),
        (
            "OXOOOO--OXXOOOO-OXXXXOOOOXXXOOO-OXXOXOO--XOXOXOXXOXXXOXXOXXXXXXX X",
            "h5",
            "a6",
            "After a6 they would have to pass.",
        ),
        (
            "-------------------XO------XO------XO--------------------------- X",
            "f5",
            "f6",
            "It turns 2 discs; f6 would turn 1 disc.",
        ),
    ],
)
def test_what_corners_moves_and_discs_are_worth(
    position: str, move: str, best: str, expected: str
) -> None:
    assert explain(reversi.State.parse(position), move, best) == [expected]


def test_a_solved_end_says_what_a_move_costs_in_discs() -> None:
    state = reversi.State.parse(CORNERS)
    best, move = state.parse_move("g1"), state.parse_move("g2")
    unit = state.game.unit
    found = SearchResult(best, Score(6.0, unit, 1, exact=True))
    answer = SearchResult(state.play(move).parse_move("h1"), Score(2.0, unit, 2, exact=True))
    remarks = state.game.explain_move(state, move, found, answer)
    assert remarks[-1] == Remark("reversi.win_to_loss", {"lost_discs": 8})


FFO = json.loads(
    (Path(__file__).parents[1] / "data" / "reversi_ffo.json").read_text(encoding="utf-8")
)["positions"]


@pytest.mark.parametrize(
    ("number", "move", "move_class", "chances", "remark"),
    [
        (3, "d1", "best", (1.0, 1.0), None),
        (3, "g3", "blunder", (1.0, 0.5), Remark("reversi.win_to_draw", {"lost_discs": 2})),
        (3, "b8", "blunder", (1.0, 0.0), Remark("reversi.win_to_loss", {"lost_discs": 4})),
        (4, "b6", "blunder", (0.5, 0.0), Remark("reversi.draw_to_loss", {"lost_discs": 4})),
        # The result stays the same, whatever the number of discs.
        (5, "g2", "good", (1.0, 1.0), Remark("reversi.costs_discs", {"lost_discs": 20})),
        (9, "h7", "good", (0.0, 0.0), Remark("reversi.costs_discs", {"lost_discs": 32})),
        (12, "a7", "good", (0.0, 0.0), Remark("reversi.costs_discs", {"lost_discs": 2})),
    ],
)
def test_solved_moves_are_judged_by_the_result(
    number: int, move: str, move_class: str, chances: tuple[float, float], remark: Remark | None
) -> None:
    (position,) = (each for each in FFO if each["id"] == number)
    state = reversi.State.parse(f"{position['board']} {position['side']}")
    judged = judge_move(adviser_for(state), state, state.parse_move(move), SearchLimits(time_s=0.1))
    assert judged.move_class == move_class
    assert (judged.chance, judged.chance - judged.loss) == chances
    assert judged.remarks[-1:] == (() if remark is None else (remark,))


def test_moves_with_the_same_final_score_are_equal() -> None:
    (position,) = (each for each in FFO if each["id"] == 4)
    state = reversi.State.parse(f"{position['board']} {position['side']}")
    for move in ("h8", "a5"):  # both draw
        action = state.parse_move(move)
        judged = judge_move(adviser_for(state), state, action, SearchLimits(time_s=0.1))
        assert judged.move_class.is_near_best
        assert (judged.chance, judged.loss, judged.remarks) == (0.5, 0.0, ())


def test_a_move_that_ends_the_game_is_judged_by_its_discs() -> None:
    state = reversi.State.parse("-O" + "X" * 62 + " X")
    (move,) = state.legal_actions()  # all 64 discs are then black
    found = SearchResult(move, Score(70.0, state.game.unit, 1, exact=True))
    assert lost_points(state, move, found, None) == 6
    estimate = SearchResult(move, Score(70.0, state.game.unit, 1))
    assert lost_points(state, move, estimate, None) == 0


class HalfSolved(Agent):
    """An adviser that solves only positions with `solved` empty squares."""

    evaluates = True

    def __init__(self, solved: int, discs: Mapping[int, float]) -> None:
        self.solved = solved
        self.discs = discs

    def search(
        self,
        state: AnyState,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        empties = state.text().count("-")
        unit, player = state.game.unit, state.current_player
        score = Score(self.discs[empties], unit, 1, exact=empties == self.solved).pov(player)
        return SearchResult(state.legal_actions()[0], score)


@pytest.mark.parametrize("solved", [57, 58])
def test_a_search_is_compared_with_a_solution_by_the_discs(solved: int) -> None:
    # Only one of the positions before and after the move is solved: 4 discs, then 2.
    state = reversi.State().play("f5").play("f4")
    adviser = Seat("half", HalfSolved(solved, {58: 4.0, 57: 2.0}))
    move = state.legal_actions()[-1]
    judged = judge_move(adviser, state, move, SearchLimits(depth=1))
    unit = state.game.unit
    assert judged.chance == unit.chance(4.0)
    assert judged.loss == pytest.approx(unit.chance(4.0) - unit.chance(2.0))
    report = analyse_game(Record.from_moves([state.format_move(move)], state), adviser, LIMITS)
    assert [chance == 1.0 for chance in report.chances] == [solved == 58, solved == 57]


def solved_game() -> GameReport:
    """The analysis of a random game of Reversi, in which only the last positions are solved."""
    rng, state = random.Random(1), reversi.State()
    moves: list[str] = []
    while state.outcome is None:
        action = rng.choice(state.legal_actions())
        moves.append(state.format_move(action))
        state = state.play(action)
    return analyse_game(Record.from_moves(moves, reversi.State()), adviser_for("reversi"), LIMITS)


def test_reviews_say_where_exact_results_begin() -> None:
    report = solved_game()
    first = report.exact_from
    assert first is not None
    numbers = [ply.number for ply in report.plies if ply.best.exact]
    assert numbers == [*range(first.number, len(report.plies) + 1)]
    assert {report.chances[number - 1] for number in numbers} <= {0.0, 0.5, 1.0}
    where = f"{first.turn} {first.move} on"
    assert f"from {where}: exact results" in format_review(report)
    assert f"from {where}: exact results" in review_page(report, you=None)
    assert f"; exact results from {where}" in report.html()
    facts = facts_of(report, "engine")
    assert [move["number"] for move in facts["moves"] if move["exact"]] == numbers
    assert report.to_frame()["exact"].sum() == len(numbers)


def test_moves_are_numbered_as_in_records() -> None:
    start = State.parse("3 b2/a3 - 0/0 2 6 4")
    report = analyse_game(Record.from_moves(["a2", "b3"], start), engine(), LIMITS)
    assert [ply.turn for ply in report.plies] == ["1...", "2."]


def test_estimates_and_proven_wins_are_not_called_exact() -> None:
    report = analyse_game(Record.from_moves(["b1", "a2"], THROWN_AWAY), engine(), LIMITS)
    assert report.exact_from is None
    assert not [line for line in format_review(report) if "exact" in line]


def test_the_games_remarks_have_sentences_and_values() -> None:
    for game in registry.games().values():
        for kind, forms in {**TEXTS, **game.remark_texts}.items():
            names = {
                name for form in forms for _, name, _, _ in string.Formatter().parse(form) if name
            }
            values: dict[str, int | str] = {
                name: 2 if name.rpartition("_")[2] in NOUNS else "e2" for name in names
            }
            for you in (True, False):
                assert "{" not in Remark(kind, values).sentence(game, you)
        assert all(kind.startswith(f"{game.name}.") for kind in game.remark_texts)


THROWN_AWAY = State.parse("3 b2/a3 - 0/0 1 6 4")  # b3 wins at once


def engine() -> Seat:
    return adviser_for("quoridor", spec="engine:depth=4,hash_mb=1")


def test_a_missed_win_is_the_first_remark_and_good_moves_have_none() -> None:
    record = Record.from_moves(["b1", "a2", "b2", "a1"], THROWN_AWAY)
    report = analyse_game(record, engine(), LIMITS)
    first, last = report.plies[0], report.plies[-1]
    assert first.move_class is MoveClass.BLUNDER
    assert first.remarks[0] == Remark("missed_win", {"move": "b3", "win_moves": 1})
    assert first.explanation(report.game) == (
        "b3 would have won in 1 move. This step makes the player's way 1 step longer."
    )
    assert (last.move_class, last.remarks) == (MoveClass.BEST, ())
    assert report.class_counts(1)[MoveClass.BLUNDER] == 1
    assert sum(report.class_counts(2).values()) == 2
    comment = report.annotated().moves[0].comment
    assert comment.endswith("This step makes the player's way 1 step longer.")
    assert "This step makes the player&#x27;s way 1 step longer." in report.html()


def test_a_move_that_is_tried_is_judged_as_in_the_report() -> None:
    state = THROWN_AWAY
    tried = judge_move(engine(), state, state.parse_move("b1"), LIMITS)
    assert (tried.move_class, tried.best_line.split()[0]) == (MoveClass.BLUNDER, "b3")
    assert judge_move(engine(), state, state.parse_move("b3"), LIMITS).move_class.is_near_best


def test_a_game_in_plain_python_has_only_proven_remarks() -> None:
    start = CONNECT_FOUR.start()
    found = SearchResult(start.legal_actions()[0], None)
    assert CONNECT_FOUR.explain_move(start, start.legal_actions()[1], found, None) == []
    remark = Remark("allows_win", {"reply": "d", "win_moves": 2})
    assert remark.sentence(CONNECT_FOUR, you=True) == "d now wins for them in 2 moves."


def test_the_review_at_the_terminal_speaks_to_the_person() -> None:
    output = io.StringIO()
    live = LiveGame({1: Seat("Ann"), 2: Seat.of("random:seed=1")}, THROWN_AWAY)
    host = GameHost(live)
    session = TerminalSession(host, Screen(Paint(), output), DisplayOptions(), is_interactive=False)
    live.play("b1")
    COMMANDS["review"].run(session, [])
    shown = output.getvalue()
    assert "This step makes your way 1 step longer." in shown
    assert "player 1 (Ann): accuracy " in shown
    assert "blunder 1" in shown
    live.close()


def test_a_review_lists_every_mistake() -> None:
    record = Record.from_moves(["b1", "a2"], THROWN_AWAY)
    report = analyse_game(record, engine(), LIMITS)
    lines = format_review(report, you=1)
    assert lines[0] == "1 mistake in 2 moves"
    assert lines[1].split()[:2] == ["1.", "b1??"]
