"""The rules that players read: complete, and true of the game."""

from __future__ import annotations

import re

import pytest

from plyground import quoridor, reversi
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.games.quoridor_paths import get_reachable_neighbors
from plyground.ui.text import format_rules

from ..minimal_game import COUNTDOWN

BOARDS = [*({"Board": str(size)} for size in range(3, 10)), {"Board": "7", "Walls": "1"}]
QUORIDOR: AnyGame = registry.get("quoridor")


def section(state: State, heading: str) -> str:
    parts = state.game.rules_text(state).split("\n\n")
    return str(next(part for part in parts if part.startswith(heading + "\n")))


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\b\d+\b", text)]


def name(cell: tuple[int, int]) -> str:
    return f"{'abcdefghi'[cell[1]]}{cell[0] + 1}"


@pytest.mark.parametrize("settings", BOARDS)
def test_quoridors_numbers_are_those_of_the_board(settings: dict[str, str]) -> None:
    state: quoridor.State = QUORIDOR.start(settings)
    config, size = state.config, state.board_size
    aim = section(state, "The aim")
    assert f"Player 1 starts on {name(state.player1_pos)} and wins on row {size}." in aim
    assert f"Player 2 starts on {name(state.player2_pos)} and wins on row 1." in aim
    assert numbers(section(state, "Placing a wall")) == [config.walls_per_player]
    assert numbers(section(state, "The end")) == [config.max_moves, config.no_progress_limit]


@pytest.mark.parametrize("settings", BOARDS)
def test_quoridors_moves_are_written_as_the_rules_say(settings: dict[str, str]) -> None:
    state: quoridor.State = QUORIDOR.start(settings)
    writing = section(state, "Writing moves")
    pawn, flat, upright = re.findall(r"^(\w+): ", writing, re.MULTILINE)
    _, row, column = quoridor.decode_action(state.parse_move(pawn), state.board_size)
    assert f"{pawn}: the pawn moves to {name((row, column))}." in writing
    assert f"above {name((row, column))} and {name((row, column + 1))}." in writing
    assert f"right of {name((row, column))} and {name((row + 1, column))}." in writing
    for cell in ((row, column), (row, column + 1)):
        assert (row + 1, cell[1]) not in get_reachable_neighbors(state.play(flat), cell)
    for cell in ((row, column), (row + 1, column)):
        assert (cell[0], column + 1) not in get_reachable_neighbors(state.play(upright), cell)


def test_reversis_facts_are_those_of_the_game() -> None:
    state = reversi.State()
    start = section(state, "The start")
    squares = {"d4": 2, "e5": 2, "e4": 1, "d5": 1}
    pieces = state.game.board(state).pieces
    assert {(int(square[1]) - 1, "abcdefgh".index(square[0])): owner
            for square, owner in squares.items()} == pieces  # fmt: skip
    assert "White starts with discs on d4 and e5, black with discs on e4 and d5." in start
    after = state.play("f5")
    assert "f5: a disc is put on f5. At the start this turns over e5." in section(
        state, "Writing moves"
    )
    changed = after.game.board(after).pieces.items() - pieces.items()
    assert changed == {((4, 5), 1), ((4, 4), 1)}


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (
            "quoridor",
            "goal row|may not pass|straight over|Diagonal jump|edge|shut a player in|draw",
        ),
        ("reversi", "eight directions|at least one disc|must pass|Equal numbers are a draw"),
    ],
)
def test_the_rules_leave_nothing_out(game: str, words: str) -> None:
    state = registry.get(game).start()
    text = state.game.rules_text(state)
    assert [word for word in words.split("|") if word not in text] == []


@pytest.mark.parametrize("width", [30, 80])
@pytest.mark.parametrize(
    "game", [*registry.games().values(), COUNTDOWN], ids=lambda game: game.name
)
def test_every_game_has_rules_that_fit_the_screen(game: AnyGame, width: int) -> None:
    lines = format_rules(game.start(), width)
    assert lines[0].startswith(game.title)
    assert "The aim" in lines
    assert "Writing moves" in lines
    assert max(map(len, lines)) <= width
