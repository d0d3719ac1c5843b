"""The puzzles of the package: enough, legal, won to the end, and proven."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from importlib.resources import files
from statistics import mean

import pytest

from plyground.agents.spec import make
from plyground.analysis.proof import winner_after
from plyground.analysis.puzzle import (
    EASY_PLIES,
    THEMES,
    Puzzle,
    PuzzleFilter,
    boards_of,
    daily_puzzle,
    find_puzzle,
    pack_puzzles,
    shipped_puzzles,
    themes_of,
)
from plyground.analysis.puzzle_finder import find_line
from plyground.analysis.puzzle_grading import grade
from plyground.errors import ConfigError
from plyground.games import base, registry
from plyground.games.lines import play_line
from plyground.quoridor import State
from plyground.reversi import State as ReversiState

PUZZLES = shipped_puzzles()
SAMPLE = PUZZLES[::60]
MOST_BYTES = 300_000
MOST_CHANGE = 400
"""Points by which a rating may change with the agents that measure it."""


def test_there_are_enough_and_no_two_are_the_same() -> None:
    counts = Counter(puzzle.game for puzzle in PUZZLES)
    assert counts["quoridor"] >= 1000
    assert counts["reversi"] >= 500
    boards = Counter(puzzle.board for puzzle in PUZZLES if puzzle.game == "quoridor")
    assert boards[9] > sum(boards.values()) / 2
    assert len({puzzle.position for puzzle in PUZZLES}) == len(PUZZLES)
    assert [puzzle.rating for puzzle in PUZZLES] == sorted(puzzle.rating for puzzle in PUZZLES)


def test_the_file_is_small_and_reads_back() -> None:
    packed = (files("plyground") / "data" / "puzzles.txt.xz").read_bytes()
    assert len(packed) < MOST_BYTES
    assert pack_puzzles(PUZZLES[:50]) == pack_puzzles(
        map(Puzzle.parse, map(Puzzle.text, PUZZLES[:50]))
    )


def test_every_line_is_legal_and_ends_with_a_win_of_the_solver() -> None:
    for puzzle in PUZZLES:
        end = play_line(puzzle.start, puzzle.line)[-1]
        assert end.outcome is not None, puzzle
        assert end.outcome.winner == puzzle.start.current_player, puzzle
        assert len(puzzle.start.legal_actions()) >= 3, puzzle


def test_an_easy_puzzle_wins_within_seven_plies() -> None:
    levels = Counter((puzzle.game, puzzle.level) for puzzle in PUZZLES)
    for game in registry.games():
        for level in ("easy", "medium", "hard"):
            assert levels[game, level] >= 20, levels
    easy = [puzzle for puzzle in PUZZLES if puzzle.level == "easy"]
    assert max(len(puzzle.line) for puzzle in easy) <= EASY_PLIES == 7


def test_every_theme_has_puzzles_and_filters_find_them() -> None:
    counts = Counter(theme for puzzle in PUZZLES for theme in puzzle.themes)
    assert set(counts) == set(THEMES)
    assert min(counts.values()) >= 10, counts
    for name, game in registry.games().items():
        for board in boards_of(game):
            for theme in (None, *themes_of(game)):
                wanted = PuzzleFilter(name, board, theme)
                for puzzle in filter(wanted.accepts, PUZZLES):
                    assert (puzzle.game, puzzle.board) == (name, board)
                    assert theme is None or theme in puzzle.themes


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"theme": "jmp"}, "unknown theme 'jmp'; did you mean 'jump'?"),
        ({"level": "hrad"}, "unknown level 'hrad'; did you mean 'hard'?"),
        ({"game": "chess"}, "unknown game 'chess'"),
    ],
)
def test_a_wrong_filter_is_explained(wanted: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        PuzzleFilter(**wanted)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def test_numbers_begin_with_one() -> None:
    assert find_puzzle(1) is PUZZLES[0]
    assert find_puzzle(len(PUZZLES)) is PUZZLES[-1]
    for number in (0, len(PUZZLES) + 1):
        with pytest.raises(ConfigError, match=f"from 1 to {len(PUZZLES)}"):
            find_puzzle(number)


def test_a_day_has_one_puzzle_and_days_differ() -> None:
    first = date(2026, 11, 16)
    year = [daily_puzzle(first + timedelta(days=day)) for day in range(365)]
    assert year == [daily_puzzle(first + timedelta(days=day)) for day in range(365)]
    assert len(set(year)) > 250
    assert all(find_puzzle(number) for number in year)


def check_proof(puzzle: Puzzle) -> None:
    """The answer wins, every other move is proven to lose or draw, each without help of a table."""
    state, prover = puzzle.start, puzzle.start.game.make_prover()
    for action in state.legal_actions():
        prover.clear()
        is_proven, winner = winner_after(state.play(action), prover)
        assert is_proven, (puzzle, state.format_move(action))
        is_answer = state.format_move(action) == puzzle.answer
        assert (winner == state.current_player) == is_answer, (puzzle, state.format_move(action))


@pytest.mark.parametrize("puzzle", SAMPLE, ids=lambda puzzle: puzzle.position[:30])
def test_a_sample_is_proven(puzzle: Puzzle) -> None:
    check_proof(puzzle)


def check_grade(puzzle: Puzzle) -> None:
    """The themes are exact. The rating was measured with agents, which may change."""
    line = puzzle.start.game.parse_line(puzzle.start, " ".join(puzzle.line))
    graded = grade(puzzle.start, line)
    assert graded.themes == puzzle.themes
    assert graded.board == puzzle.board
    assert abs(graded.rating - puzzle.rating) <= MOST_CHANGE


@pytest.mark.slow
def test_every_puzzle_is_proven_and_graded() -> None:
    for puzzle in PUZZLES:
        check_proof(puzzle)
        check_grade(puzzle)


def test_a_sample_is_graded_as_the_file_says() -> None:
    for puzzle in SAMPLE:
        check_grade(puzzle)


def test_what_a_simple_agent_misses_is_harder() -> None:
    """Among wins of five plies, all on one board."""
    pathfinder = make("pathfinder")
    ratings: dict[bool, list[int]] = {True: [], False: []}
    for puzzle in PUZZLES:
        if (puzzle.game, puzzle.board, len(puzzle.line)) == ("quoridor", 9, 5):
            action = pathfinder.select_action(puzzle.start)
            ratings[puzzle.start.format_move(action) == puzzle.answer].append(puzzle.rating)
    assert mean(ratings[False]) > mean(ratings[True]) + 100


@pytest.mark.parametrize(
    "state",
    [
        State(),  # nothing is proven
        State.parse("3 b2/a1 - 0/0 1 4 4"),  # two ways to win
        State.parse("3 a1/b2 - 0/0 1 4 4"),  # every move loses
        ReversiState.parse("-" + "O" * 5 + "XX" + "X" * 56 + " X"),  # one move, which wins
    ],
)
def test_other_positions_are_not_puzzles(state: base.State) -> None:
    assert find_line(state, state.game.make_prover(most_nodes=1000)) is None
