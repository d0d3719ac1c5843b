"""State as a value: what it shows, that nothing changes it, and when two are the same."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from plyground import quoridor
from plyground.errors import ConfigError, NotationError
from plyground.quoridor import GameConfig, State

PROPERTIES = {
    "config": GameConfig(),
    "board_size": 9,
    "player1_pos": (0, 4),
    "player2_pos": (8, 4),
    "current_player": 1,
    "h_walls": frozenset(),
    "v_walls": frozenset(),
    "walls_remaining": {1: 10, 2: 10},
    "move_count": 0,
    "moves_since_last_wall": 0,
    "game_over": False,
    "winner": None,
    "outcome": None,
}


@pytest.fixture
def state() -> State:
    """A state with walls of both kinds and some history."""
    state = State(GameConfig.preset("small"))
    for move in ["c2", "a3h", "c3", "c4", "d2v", "b4"]:
        state = state.play(move)
    return state


def test_the_start_of_the_standard_game() -> None:
    state = State()
    assert {name: getattr(state, name) for name in PROPERTIES} == PROPERTIES
    assert state.text() == "9 e1/e9 - 10/10 1 0 0"
    assert len(state.legal_actions()) == 3 + 128


@pytest.mark.parametrize("size", range(3, 10))
def test_the_start_on_every_board(size: int) -> None:
    state = State(GameConfig(board_size=size, walls_per_player=2))
    assert state.player1_pos == (0, size // 2)
    assert state.player2_pos == (size - 1, size // 2)
    assert state.walls_remaining == {1: 2, 2: 2}
    assert state.current_player == 1


def test_the_properties_after_some_moves(state: State) -> None:
    #     5   .   .   .   .   .
    #     4   .   2   .   .   .
    #         -----
    #     3   .   .   1   . | .
    #                       |
    #     2   .   .   .   . | .
    #     1   .   .   .   .   .
    #         a   b   c   d   e
    assert state.text() == "5 c3/b4 a3h,d2v 4/4 1 6 1"
    assert (state.player1_pos, state.player2_pos) == ((2, 2), (3, 1))
    assert (set(state.h_walls), set(state.v_walls)) == ({(2, 0)}, {(1, 3)})
    assert state.walls_remaining == {1: 4, 2: 4}
    assert (state.current_player, state.move_count, state.moves_since_last_wall) == (1, 6, 1)


def test_the_opponent(state: State) -> None:
    assert [state.get_opponent(player) for player in (1, 2)] == [2, 1]
    for player in (0, 3, -1):
        with pytest.raises(ValueError, match="player 1 or 2"):
            state.get_opponent(player)


@pytest.mark.parametrize("name", PROPERTIES)
def test_no_property_can_be_set(state: State, name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(state, name, PROPERTIES[name])


def test_no_attribute_can_be_added(state: State) -> None:
    with pytest.raises(AttributeError):
        state.note = "mine"  # type: ignore[attr-defined]


def test_what_a_property_hands_out_is_not_the_state_itself(state: State) -> None:
    before = state.text()
    state.walls_remaining[1] = 99
    state.legal_actions().clear()
    state.get_legal_moves().clear()
    quoridor.encode_state(state)[0][:] = 7
    quoridor.get_action_mask(state)[:] = True
    assert isinstance(state.h_walls, frozenset)
    assert isinstance(state.v_walls, frozenset)
    assert state.text() == before
    assert state.walls_remaining[1] == 4
    assert quoridor.encode_state(state)[0].max() == 1
    assert quoridor.get_action_mask(state).sum() == len(state.legal_actions()) > 0


def test_playing_leaves_the_state_as_it_was(state: State) -> None:
    before, planes = state.text(), quoridor.encode_state(state)[0]
    for action in state.legal_actions():
        assert state.play(action) != state
    assert state.text() == before
    np.testing.assert_array_equal(quoridor.encode_state(state)[0], planes)


def test_a_move_in_any_form_leads_to_the_same_state(state: State) -> None:
    for action in state.legal_actions():
        kind, *cell = quoridor.decode_action(action, 5)
        name = quoridor.action_to_notation(action, 5)
        after = state.play(action)
        assert after == state.play(name) == state.play(name.upper())
        assert after == state.make_move(kind, (cell[0], cell[1]))
        assert after == state.play(np.int64(action))  # type: ignore[call-overload]


def test_states_reached_by_different_moves_are_equal_but_for_their_history() -> None:
    #     9   .   .   .   .   2   .   .   .   .
    #     8   .   .   .   .   .   .   .   .   .      2 goes to d8 by e8 or by d9,
    #     :                                          1 to d2 by e2 or by d1
    #     2   .   .   .   .   .   .   .   .   .
    #     1   .   .   .   .   1   .   .   .   .
    #         a   b   c   d   e   f   g   h   i
    one = State().play("e2").play("e8").play("d2").play("d8")
    two = State().play("d1").play("d9").play("d2").play("d8")
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two, State.parse(one.text())}) == 1
    assert (quoridor.encode_state(one)[0] != quoridor.encode_state(two)[0]).any()


@pytest.mark.parametrize(
    "other",
    [
        "5 d3/b4 a3h,d2v 4/4 1 6 1",
        "5 c3/c4 a3h,d2v 4/4 1 6 1",
        "5 c3/b4 d2v 4/4 1 6 1",
        "5 c3/b4 a3h 4/4 1 6 1",
        "5 c3/b4 a3v,d2v 4/4 1 6 1",
        "5 c3/b4 a3h,d2v 3/4 1 6 1",
        "5 c3/b4 a3h,d2v 4/3 1 6 1",
        "5 c3/b4 a3h,d2v 4/4 2 6 1",
        "5 c3/b4 a3h,d2v 4/4 1 7 1",
        "5 c3/b4 a3h,d2v 4/4 1 6 2",
    ],
)
def test_states_that_differ_in_any_word_are_different(state: State, other: str) -> None:
    different = State.parse(other)
    assert state == State.parse(state.text())
    assert state != different
    assert hash(state) != hash(different)


@pytest.mark.parametrize(
    "change",
    [
        {"walls_per_player": 6},
        {"max_moves": 99},
        {"no_progress_limit": 29},
        {"draw_penalty": 0.0},
    ],
)
def test_states_under_different_configs_are_different(
    state: State, change: dict[str, float]
) -> None:
    settings: dict[str, Any] = {
        "board_size": 5,
        "walls_per_player": 5,
        "max_moves": 100,
        "no_progress_limit": 30,
    }
    assert state == State.parse(state.text(), GameConfig(**settings))
    assert state != State.parse(state.text(), GameConfig(**(settings | change)))


def test_a_state_equals_nothing_but_states(state: State) -> None:
    for other in (None, 0, state.text(), (state,), object()):
        assert state != other
        assert not state == other  # noqa: SIM201


def test_hashes_spread() -> None:
    start = State(GameConfig.preset("tiny"))
    reached = {start}
    for _ in range(4):
        reached |= {state.play(action) for state in reached for action in state.legal_actions()}
    assert len(reached) > 900
    assert len({hash(state) for state in reached}) == len(reached)
    assert len({state.text() for state in reached}) == len(reached)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_state_comes_back_whole(state: State, protocol: int) -> None:
    again = pickle.loads(pickle.dumps(state, protocol))
    assert again == state
    assert hash(again) == hash(state)
    assert again.config == state.config
    for ours, theirs in zip(
        quoridor.encode_state(again), quoridor.encode_state(state), strict=True
    ):
        np.testing.assert_array_equal(ours, theirs)
    planes = [quoridor.encode_state(s.play("c4"))[0] for s in (again, state)]
    np.testing.assert_array_equal(planes[0], planes[1])


def test_a_pickle_with_a_history_length_in_its_config_still_reads() -> None:
    old = (
        b"\x80\x02cplyground._core\nQuoridorState\nq\x00)\x81q\x01cplyground.games.quoridor_config\n"
        b"GameConfig\nq\x02)\x81q\x03]q\x04(K\x05K\x04KZK\x19K\x02G\xbf\xd0\x00\x00\x00\x00\x00\x00"
        b"ebX\x15\x00\x00\x005 c3/c5 a3h 4/3 2 3 1q\x05c_codecs\nencode\nq\x06X\x03\x00\x00\x00"
        b"\x0ba\x02q\x07X\x06\x00\x00\x00latin1q\x08\x86q\tRq\n\x87q\x0bb."
    )
    state = pickle.loads(old)
    assert state.config == GameConfig(5, 4, 90, 25, draw_penalty=-0.25)
    played = State(state.config).play("c2").play("a3h").play("c3")
    assert state == played
    planes = [quoridor.encode_state(each)[0] for each in (state, played)]
    np.testing.assert_array_equal(planes[0], planes[1])


@pytest.mark.parametrize("frames", [1, 2, 4, 16])
def test_the_history_is_as_long_as_asked(state: State, frames: int) -> None:
    planes, _ = quoridor.encode_state(state, history_length=frames)
    assert planes.shape == (4 * frames, 5, 5)
    longest, _ = quoridor.encode_state(state, history_length=16)
    np.testing.assert_array_equal(planes, longest[: 4 * frames])
    assert longest[4 * 6 :: 4].sum() == 1  # six moves and the start, then nothing


@pytest.mark.parametrize("frames", [0, 17, -1, 10**6])
def test_a_history_that_is_not_kept(frames: int) -> None:
    with pytest.raises(ConfigError, match=f"expected history_length from 1 to 16, got {frames}"):
        quoridor.encode_state(State(), history_length=frames)


SAVED = State().__getstate__()


@pytest.mark.parametrize(
    "saved",
    [
        (),
        SAVED[:2],
        (*SAVED, b""),
        (SAVED[0], 9, SAVED[2]),
        (SAVED[0], SAVED[1], "text"),
        (SAVED[0], SAVED[1], None),
        (SAVED[0], SAVED[1], b"\x00" * 16),
        (SAVED[0], SAVED[1], b"\xff"),
        (SAVED[0], "9 e1", SAVED[2]),
    ],
)
def test_a_damaged_pickle_is_refused(saved: Any) -> None:
    with pytest.raises(NotationError):
        State.__new__(State).__setstate__(saved)


def test_a_pickle_with_another_config_is_refused() -> None:
    with pytest.raises(ConfigError):
        State.__new__(State).__setstate__((9, *SAVED[1:]))


@pytest.mark.parametrize("name", ["board_size", "walls_per_player", "max_moves"])
@pytest.mark.parametrize("value", [-1, 65536 + 9, 10**30, "9", None])
def test_a_config_changed_after_it_was_checked_is_noticed(name: str, value: Any) -> None:
    config = GameConfig()
    object.__setattr__(config, name, value)
    with pytest.raises(ConfigError, match="changed after it was checked"):
        quoridor.encode_state(State(config))


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_a_copied_state_comes_back_whole(
    state: State, duplicate: Callable[[list[State]], list[State]]
) -> None:
    again = duplicate([state])[0]
    assert again == state
    assert again.play("c4") == state.play("c4")
    np.testing.assert_array_equal(quoridor.encode_state(again)[0], quoridor.encode_state(state)[0])


def test_repr_shows_how_to_get_the_state_back(state: State) -> None:
    assert repr(state) == "State.parse('5 c3/b4 a3h,d2v 4/4 1 6 1')"
    other = State.parse(state.text(), replace(state.config, walls_per_player=9))
    assert repr(other) == f"State.parse('5 c3/b4 a3h,d2v 4/4 1 6 1', {other.config!r})"
    for each in (state, other, State(), State(GameConfig(board_size=7, walls_per_player=3))):
        assert eval(repr(each), {"State": State, "GameConfig": GameConfig}) == each  # noqa: S307


def test_str_draws_the_board(state: State) -> None:
    assert str(state).splitlines() == [
        "  +-------------------+",
        "5 | .   .   .   .   . |",
        "  |                   |",
        "4 | .   2   .   .   . |",
        "  |-------            |",
        "3 | .   .   1   . | . |",
        "  |               |   |",
        "2 | .   .   .   . | . |",
        "  |                   |",
        "1 | .   .   .   .   . |",
        "  +-------------------+",
        "    a   b   c   d   e",
        "player 1 to move, walls left 4/4, move 6",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("5 b5/c4 - 5/5 2 7 7", "player 1 won"),
        ("5 b4/c1 - 5/5 1 8 8", "player 2 won"),
        ("5 b4/c4 - 5/5 1 100 8", "draw by the move limit"),
        ("5 b4/c4 - 5/5 1 60 30", "draw by no progress"),
        ("5 b4/c4 - 5/5 2 7 7", "player 2 to move"),
    ],
)
def test_str_says_how_the_game_stands(text: str, words: str) -> None:
    assert words in str(State.parse(text)).splitlines()[-1]


def test_paths_and_progress() -> None:
    #     5   .   .   2   .   .
    #     4   .   .   .   .   .
    #             -----
    #     3   .   .   .   .   .
    #     2   .   .   1   .   .
    #     1   .   .   .   .   .
    #         a   b   c   d   e
    state = State.parse("5 c2/c5 b3h 5/4 1 2 0")
    assert quoridor.shortest_path_length(state, 1) == 4
    assert quoridor.shortest_path_length(state, 2) == 5
    for player, start, goal in ((1, (1, 2), 4), (2, (4, 2), 0)):
        path = quoridor.shortest_path(state, player)
        assert path[0] == start
        assert path[-1][0] == goal
        assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in itertools.pairwise(path))
        assert quoridor.astar_can_reach_goal(state, start, goal)
    assert [quoridor.progress_to_goal(state, player) for player in (1, 2)] == [1, 0]
    assert quoridor.progress_to_goal(state.play("a1h").play("c4"), 2) == 1


def test_a_pawn_at_home_has_no_way_to_go() -> None:
    won = State.parse("5 b5/c4 - 5/5 2 7 7")
    assert quoridor.shortest_path(won, 1) == [(4, 1)]
    assert quoridor.shortest_path_length(won, 1) == 0
    assert quoridor.progress_to_goal(won, 1) == 4


def test_wall_placement_is_legal_where_the_moves_say_so(state: State) -> None:
    legal = set(state.get_legal_moves())
    kinds: tuple[quoridor.Kind, ...] = ("h_wall", "v_wall")
    for kind in kinds:
        for cell in itertools.product(range(-1, 6), range(-1, 6)):
            is_legal = (kind, cell) in legal
            assert quoridor.is_wall_legal(state, *cell, kind) == is_legal
            assert quoridor.is_wall_placement_legal(state, *cell, kind) == is_legal
