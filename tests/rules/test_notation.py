"""Actions, their numbers and names, and positions as text: all of it reads back, and nothing that
cannot be read does worse than raise one of our errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plyground import ConfigError, IllegalMoveError, NotationError, quoridor
from plyground.games import registry
from plyground.games.quoridor import Action, Kind
from plyground.games.reference import quoridor as reference
from plyground.quoridor import GameConfig, State

OUR_ERRORS = (NotationError, IllegalMoveError, ConfigError)

sizes = st.integers(3, 9)
# Anything that fits in a str, half of a surrogate pair included, and text that is nearly right.
garbage = st.text(st.characters(exclude_categories=())) | st.text(
    "abcij0123459hvHV/,- +x", max_size=8
)


@st.composite
def actions(draw: st.DrawFn) -> tuple[int, Action]:
    """A board size and an action on it, as (kind, cell)."""
    size = draw(sizes)
    kinds: list[Kind] = ["move", "h_wall", "v_wall"]
    kind = draw(st.sampled_from(kinds))
    last = size - 1 if kind == "move" else size - 2
    return size, (kind, (draw(st.integers(0, last)), draw(st.integers(0, last))))


@st.composite
def states(draw: st.DrawFn) -> State:
    """A state some random moves into a game."""
    size = draw(sizes)
    walls = draw(st.integers(0, min(10, (size - 1) ** 2)))
    state = State(GameConfig(board_size=size, walls_per_player=walls))
    for pick in draw(st.lists(st.integers(0, 10_000), max_size=30)):
        legal = state.legal_actions()
        if legal:
            state = state.play(legal[pick % len(legal)])
    return state


@given(actions())
def test_encode_action_and_decode_action_are_inverse(sized_action: tuple[int, Action]) -> None:
    size, action = sized_action
    kind, cell = action
    index = quoridor.encode_action(kind, *cell, size)
    assert quoridor.decode_action(index, size) == (kind, *cell)
    assert index == reference.encode_action(action, size)


@pytest.mark.parametrize("size", range(3, 10))
def test_the_numbers_of_the_actions_are_dense(size: int) -> None:
    number = quoridor.action_space_size(size)
    assert number == size**2 + 2 * (size - 1) ** 2
    decoded = [quoridor.decode_action(index, size) for index in range(number)]
    plain = [reference.decode_action(index, size) for index in range(number)]
    assert decoded == [(kind, *cell) for kind, cell in plain]
    assert [quoridor.encode_action(*action, size) for action in decoded] == list(range(number))


def test_action_space_sizes_people_know() -> None:
    assert [quoridor.action_space_size(size) for size in (3, 5, 7, 9)] == [17, 57, 121, 209]
    assert quoridor.action_space_size() == 209


@pytest.mark.parametrize(
    ("action", "index", "name"),
    [
        (("move", (0, 0)), 0, "a1"),
        (("move", (1, 4)), 13, "e2"),
        (("move", (8, 8)), 80, "i9"),
        (("h_wall", (0, 0)), 81, "a1h"),
        (("h_wall", (2, 4)), 101, "e3h"),
        (("h_wall", (7, 7)), 144, "h8h"),
        (("v_wall", (0, 0)), 145, "a1v"),
        (("v_wall", (3, 3)), 172, "d4v"),
        (("v_wall", (7, 7)), 208, "h8v"),
    ],
)
def test_numbers_and_names_on_the_standard_board(action: Action, index: int, name: str) -> None:
    kind, cell = action
    assert quoridor.encode_action(kind, *cell) == index
    assert quoridor.decode_action(index) == (kind, *cell)
    assert quoridor.action_to_notation(index) == name
    assert quoridor.notation_to_action(name) == index


@given(actions())
def test_notation_reads_back(sized_action: tuple[int, Action]) -> None:
    size, action = sized_action
    kind, cell = action
    index = quoridor.encode_action(kind, *cell, size)
    name = quoridor.action_to_notation(index, size)
    assert name == reference.action_to_notation(action)
    assert quoridor.notation_to_action(name, size) == index
    assert quoridor.notation_to_action(name.upper(), size) == index
    if kind == "move":
        assert quoridor.position_to_notation(*cell) == name
        assert quoridor.notation_to_position(name) == cell


@pytest.mark.parametrize("size", range(3, 10))
@pytest.mark.parametrize("index", [-1, 10**6, -(10**6)])
def test_numbers_of_no_action(size: int, index: int) -> None:
    for call in (
        lambda: quoridor.decode_action(index, size),
        lambda: quoridor.action_to_notation(index, size),
        lambda: quoridor.flip_action(index, size),
        lambda: quoridor.mirror_action(index, size),
        lambda: State(GameConfig(board_size=size, walls_per_player=1)).play(index),
    ):
        with pytest.raises(OUR_ERRORS, match=str(index)):
            call()
    assert not State(GameConfig(board_size=size, walls_per_player=1)).is_legal(index)


@pytest.mark.parametrize("index", [2**63, -(2**63) - 1, 10**30], ids=hex)
def test_numbers_beyond_64_bits_are_illegal_too(index: int) -> None:
    for call in (
        lambda: quoridor.action_to_notation(index),
        lambda: quoridor.flip_action(index),
        lambda: quoridor.mirror_action(index),
        lambda: State().play(index),
        lambda: State().make_move("move", (index, 0)),
        lambda: State().make_move("h_wall", (0, index)),
    ):
        with pytest.raises(IllegalMoveError, match="beyond 64 bits"):
            call()
    assert not State().is_legal(index)
    with pytest.raises(IllegalMoveError, match=r"move \(2147483648, 0\)"):
        State().make_move("move", (2**31, 0))


@pytest.mark.parametrize("integer", [np.int8, np.int64, np.uint64])
def test_integers_of_numpy_are_as_good_as_any(integer: Callable[[int], Any]) -> None:
    one, two = integer(1), integer(2)
    action = quoridor.encode_action("h_wall", two, one, 5)
    assert (action, type(action)) == (25 + 2 * 4 + 1, int)
    assert quoridor.action_to_notation(integer(action), 5) == "b3h"
    kind, *cell = quoridor.decode_action(integer(action), 5)
    assert (kind, cell, [type(i) for i in cell]) == ("h_wall", [2, 1], [int, int])
    flipped = quoridor.flip_action(integer(action), 5)
    assert (flipped, type(flipped)) == (25 + 1 * 4 + 1, int)
    state = State(GameConfig.preset("small"))
    assert state.is_legal(integer(action))
    assert state.play(integer(action)) == state.make_move("h_wall", (two, one))


@pytest.mark.parametrize("number", [1.0, 1.5, np.float64(1), None, (1,)])
def test_what_is_no_integer_is_a_type_error(number: Any) -> None:
    for call in (
        lambda: quoridor.encode_action("move", number, 2),
        lambda: quoridor.decode_action(number),
        lambda: quoridor.flip_action(number),
        lambda: State().is_legal(number),
        lambda: State().make_move("move", (number, 2)),
        lambda: State().format_move(number),
        lambda: State().play(number),
    ):
        with pytest.raises(TypeError):
            call()


def test_text_where_a_number_is_due_is_a_type_error() -> None:
    text: Any = "1"
    for call in (
        lambda: quoridor.encode_action("move", text, 2),
        lambda: quoridor.decode_action(text),
        lambda: quoridor.flip_action(text),
        lambda: State().format_move(text),
        lambda: State().make_move("move", (text, 2)),
    ):
        with pytest.raises(TypeError):
            call()


@given(states())
def test_whatever_takes_a_move_takes_an_action_or_its_text(state: State) -> None:
    for action in range(quoridor.action_space_size(state.board_size)):
        text = state.format_move(action)
        assert text == quoridor.action_to_notation(action, state.board_size)
        assert state.parse_move(text) == state.parse_move(text.upper()) == action
        assert state.is_legal(text) == state.is_legal(action) == (action in state.legal_actions())
    for action in state.legal_actions():
        assert state.play(state.format_move(action)) == state.play(action)


@pytest.mark.parametrize("text", ["", "e", "e0", "j1", "e2x", "e 2", "1"])
def test_text_that_is_no_move_is_neither_legal_nor_illegal(text: str) -> None:
    for call in (State().parse_move, State().is_legal):
        with pytest.raises(NotationError, match=r"expected a cell .*got '"):
            call(text)


def test_a_move_off_the_board_cannot_be_parsed() -> None:
    with pytest.raises(IllegalMoveError, match="illegal move 'f1' in '5 c1/c5"):
        State(GameConfig.preset("small")).parse_move("f1")


@pytest.mark.parametrize("kind", ["a\nb", "a\x00b", "é", "x" * 5000])
def test_a_kind_is_quoted_in_one_short_line(kind: Any) -> None:
    with pytest.raises(NotationError) as caught:
        State().make_move(kind, (0, 0))
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "action",
    [
        ("move", (9, 0)),
        ("move", (0, -1)),
        ("h_wall", (8, 0)),
        ("v_wall", (0, 8)),
        ("h_wall", (-1, 3)),
        ("wall", (0, 0)),
        ("", (0, 0)),
    ],
)
def test_tuples_of_no_action(action: Any) -> None:
    for call in (
        lambda: quoridor.encode_action(action[0], *action[1]),
        lambda: State().make_move(*action),
    ):
        with pytest.raises(OUR_ERRORS):
            call()


@pytest.mark.parametrize("size", [-1, 0, 2, 10, 100])
def test_boards_of_no_size(size: int) -> None:
    for call in (
        lambda: quoridor.action_space_size(size),
        lambda: quoridor.encode_action("move", 0, 0, size),
        lambda: quoridor.decode_action(0, size),
        lambda: quoridor.notation_to_action("a1", size),
        lambda: quoridor.action_to_notation(0, size),
        lambda: quoridor.flip_action(0, size),
        lambda: quoridor.mirror_action(0, size),
    ):
        with pytest.raises(ConfigError, match="3 to 9"):
            call()


@pytest.mark.parametrize(
    "text", ["", "e", "e0", "e10", "2e", "j1", "e2x", "e2hh", "é2", "e 2", "zz9"]
)
def test_text_that_is_no_move(text: str) -> None:
    for call in (
        lambda: quoridor.notation_to_action(text),
        lambda: quoridor.notation_to_position(text),
        lambda: State().play(text),
    ):
        with pytest.raises(NotationError, match=r"expected a cell .*got '"):
            call()


@pytest.mark.parametrize("text", ["f1", "a6", "e1h", "a5v"])
def test_moves_off_a_smaller_board(text: str) -> None:
    with pytest.raises(NotationError, match=f"got '{text}' on a board of size 5"):
        quoridor.notation_to_action(text, 5)
    with pytest.raises(IllegalMoveError, match=f"illegal move '{text}' in '5 c1/c5"):
        State(GameConfig.preset("small")).play(text)


def test_a_wall_is_no_position() -> None:
    with pytest.raises(NotationError, match="e3h"):
        quoridor.notation_to_position("e3h")


@given(garbage, sizes)
@example("\ud800", 9)
@example("e\x002", 9)
@example("e2\n", 9)
@example("٣", 9)
def test_garbage_moves_raise_our_errors(text: str, size: int) -> None:
    state = State(GameConfig(board_size=size, walls_per_player=1))
    readers: list[Callable[[], str]] = [
        lambda: quoridor.action_to_notation(quoridor.notation_to_action(text, size), size),
        lambda: quoridor.position_to_notation(*quoridor.notation_to_position(text, size)),
        lambda: reference.action_to_notation(last_move(state, state.play(text))),
        lambda: state.format_move(state.parse_move(text)),
    ]
    for read in readers:
        try:
            name = read()
        except OUR_ERRORS:
            continue
        assert name == text.lower()


def last_move(before: State, after: State) -> reference.Action:
    """The move between two states, found by what changed."""
    for kind, places in (("h_wall", "h_walls"), ("v_wall", "v_walls")):
        for cell in getattr(after, places) - getattr(before, places):
            return kind, cell
    return "move", after.player1_pos


@given(states())
def test_position_text_reads_back(state: State) -> None:
    again = State.parse(state.text(), state.config)
    assert again.text() == state.text()
    assert again == state
    assert hash(again) == hash(state)
    assert again.config == state.config
    assert again.legal_actions() == state.legal_actions()
    assert reference.State.parse(state.text(), state.config).text() == state.text()


def test_the_documented_position_text() -> None:
    #     9   .   .   .   .   .   .   .   .   .
    #     8   .   .   .   .   .   .   .   .   .
    #                     -----
    #     7   .   .   .   .   .   .   .   .   .
    #     6   .   .   .   .   2   .   .   .   .
    #     5   .   .   .   .   .   .   .   .   .
    #     4   .   .   .   .   1   .   .   .   .
    #                 -----   -----
    #     3   .   .   .   .   .   .   .   .   .
    #     2   .   .   .   .   .   .   .   .   .
    #     1   .   .   .   .   .   .   .   .   .
    #         a   b   c   d   e   f   g   h   i
    state = State.parse("9 e4/e6 c3h,e3h,d7h 8/9 2 9 1")
    assert (state.player1_pos, state.player2_pos) == ((3, 4), (5, 4))
    assert state.h_walls == {(2, 2), (2, 4), (6, 3)}
    assert state.v_walls == frozenset()
    assert state.walls_remaining == {1: 8, 2: 9}
    assert (state.current_player, state.move_count, state.moves_since_last_wall) == (2, 9, 1)
    assert state.text() == "9 e4/e6 c3h,e3h,d7h 8/9 2 9 1"


def test_walls_are_written_in_the_order_of_their_actions() -> None:
    state = State.parse("5 c1/c5 d4v,a1v,b3h,a2h,d1h 5/5 1 0 0")
    assert state.text() == "5 c1/c5 d1h,a2h,b3h,a1v,d4v 5/5 1 0 0"


@pytest.mark.parametrize(
    ("text", "config"),
    [
        ("9 e1/e9 - 10/10 1 0 0", GameConfig.preset("standard")),
        ("5 c1/c5 - 5/5 1 0 0", GameConfig.preset("small")),
        ("3 b1/b3 - 2/2 1 0 0", GameConfig.preset("tiny")),
        ("7 d1/d7 - 10/10 1 0 0", GameConfig(board_size=7)),
        ("4 c1/c4 - 9/9 1 0 0", GameConfig(board_size=4, walls_per_player=9)),
    ],
)
def test_without_a_config_the_size_chooses_one(text: str, config: GameConfig) -> None:
    state = State.parse(text)
    assert state.config == config
    assert state == State(config)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "board size"),
        ("2 a1/a2 - 0/0 1 0 0", "board size"),
        ("10 a1/a2 - 0/0 1 0 0", "board size"),
        ("x c1/c5 - 5/5 1 0 0", "board size"),
        ("5 c1/c5 - 5/5 1 0", "7 fields"),
        ("5 c1/c5 - 5/5 1 0 0 0", "7 fields"),
        ("5 c1 - 5/5 1 0 0", "pawns"),
        ("5 c1/c5/a1 - 5/5 1 0 0", "pawns"),
        ("5 f1/c5 - 5/5 1 0 0", "'f1'"),
        ("5 c1/c6 - 5/5 1 0 0", "'c6'"),
        ("5 c1h/c5 - 5/5 1 0 0", "'c1h'"),
        ("5 c3/c3 - 5/5 1 0 0", "both pawns stand on c3"),
        ("5 c5/c1 - 5/5 1 0 0", "both pawns stand on their goal rows"),
        ("5 c1/c5 a9h 5/5 1 0 0", "'a9h'"),
        ("5 c1/c5 e1h 5/5 1 0 0", "'e1h'"),
        ("5 c1/c5 b3 5/5 1 0 0", "wall"),
        ("5 c1/c5 a1h, 5/5 1 0 0", "wall"),
        ("5 c1/c5 a1h,a1h 5/5 1 0 0", "a1h overlaps a1h"),
        ("5 c1/c5 a1h,b1h 5/5 1 0 0", "b1h overlaps a1h"),
        ("5 c1/c5 a1v,a2v 5/5 1 0 0", "a2v overlaps a1v"),
        ("5 c1/c5 a1h,a1v 5/5 1 0 0", "a1v crosses a1h"),
        ("5 a1/c5 a1h,b1v 5/5 1 0 0", "player 1 is cut off"),
        ("5 c1/a5 a4h,b4v 5/5 1 0 0", "player 2 is cut off"),
        ("5 c1/c5 - 6/5 1 0 0", "walls left from 0 to 5, got '6'"),
        ("5 c1/c5 - 5/-1 1 0 0", "walls left from 0 to 5, got '-1'"),
        ("5 c1/c5 - 5 1 0 0", "walls left"),
        ("5 c1/c5 - 5/5 3 0 0", "player 1 or 2 to move, got '3'"),
        ("5 c1/c5 - 5/5 1 101 0", "move count from 0 to 100, got '101'"),
        ("5 c1/c5 - 5/5 1 99999999999999999999 0", "move count"),
        ("5 c1/c5 - 5/5 1 1e1 0", "move count"),
        ("5 c1/c5 - 5/5 1 40 31", "last wall from 0 to 30, got '31'"),
        ("5 c1/c5 - 5/5 1 4 5", "last wall from 0 to 4, got '5'"),
    ],
)
def test_what_is_wrong_with_a_position_is_said(text: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        State.parse(text)
    assert words in str(caught.value)
    assert f"'{text}'" in str(caught.value)


@pytest.mark.parametrize("space", [" ", "  ", "\t", "\n", "\r\n", " \v\f"])
def test_white_space_between_the_fields_does_not_matter(space: str) -> None:
    text = "5 c2/c5 b3h 5/4 1 2 0"
    spaced = space + text.replace(" ", space) + space
    assert State.parse(spaced) == State.parse(text)
    assert registry.get("quoridor").start({}, spaced) == State.parse(text)


def test_a_position_of_another_size_than_the_config() -> None:
    with pytest.raises(NotationError, match="size 9, got 5"):
        State.parse("5 c1/c5 - 5/5 1 0 0", GameConfig())


def test_a_config_that_is_none() -> None:
    with pytest.raises(ConfigError, match="GameConfig"):
        State.parse("9 e1/e9 - 10/10 1 0 0", {"board_size": 9})  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="GameConfig"):
        State(9)  # type: ignore[arg-type]


@given(garbage)
@example("\ud800")
@example("5 c1/c5 - 5/5 1 0 0\x00")
@example("5 c1/c5 - 5/5 1 0 0\n")
def test_garbage_positions_raise_our_errors(text: str) -> None:
    read_or_refuse(text)


@given(states(), st.data())
def test_damaged_positions_raise_our_errors_or_read_back(state: State, data: st.DataObject) -> None:
    text = state.text()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 3)))
    patch = data.draw(st.text("abcde012345689hv/,- ", max_size=3))
    read_or_refuse(text[:start] + patch + text[end:])


def read_or_refuse(text: str) -> None:
    refusal = ""
    try:
        state = State.parse(text)
    except OUR_ERRORS as error:
        refusal = str(error)
    else:
        assert State.parse(state.text(), state.config) == state
        assert reference.State.parse(state.text(), state.config).text() == state.text()
    assert "\n" not in refusal
