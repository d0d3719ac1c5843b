"""What a network sees: `encode_state`, action masks, and the two ways to turn the board.

The arrays here are written as [row][col] with row 0 first, player 1's own row: that is upside down
to the drawings, in which row 1 is at the bottom.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from plyground import quoridor
from plyground.games.reference import quoridor as reference
from plyground.quoridor import GameConfig, State

TINY = GameConfig.preset("tiny")
PRESETS = ["standard", "small", "tiny"]


def random_states(
    config: GameConfig, rng: random.Random, games: int = 4
) -> Iterator[tuple[State, reference.State]]:
    """The states of some random games, the finished ones included, each with its reference twin."""
    for _ in range(games):
        state, plain = State(config), reference.State.start(config)
        yield state, plain
        while not plain.game_over:
            action = rng.choice(state.legal_actions())
            state, plain = state.play(action), plain.play(action)
            yield state, plain


def frame(state: State, t: int) -> list[list[list[int]]]:
    """The four planes of the frame t moves ago."""
    planes: list[list[list[int]]] = (
        quoridor.encode_state(state)[0][4 * t : 4 * t + 4].astype(int).tolist()
    )
    return planes


def test_the_start_as_player_1_sees_it() -> None:
    #     3   .   2   .
    #     2   .   .   .
    #     1   .   1   .
    #         a   b   c
    spatial, scalars = quoridor.encode_state(State(TINY))
    assert (spatial.shape, spatial.dtype.name) == ((16, 3, 3), "float32")
    assert (scalars.shape, scalars.dtype.name) == ((5,), "float32")
    assert frame(State(TINY), 0) == [
        [[0, 1, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 0, 0], [0, 1, 0]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ]
    assert not spatial[4:].any()
    assert scalars.tolist() == [1, 1, 0, 0, 0]


# A position without symmetry, to tell rows from columns and players from each other:
#
#     3   . | 2   .
#           |
#     2   . | .   1
#         -----
#     1   .   .   .
#         a   b   c
WALLED = "3 c2/b3 a1h,a2v 1/0 {} 8 4"


def test_walls_as_player_1_sees_them() -> None:
    state = State.parse(WALLED.format(1), TINY)
    assert frame(state, 0) == [
        [[0, 0, 0], [0, 0, 1], [0, 0, 0]],
        [[0, 0, 0], [0, 0, 0], [0, 1, 0]],
        [[1, 1, 0], [0, 0, 0], [0, 0, 0]],  # a1h over cells (0, 0) and (0, 1)
        [[0, 0, 0], [1, 0, 0], [1, 0, 0]],  # a2v right of cells (1, 0) and (2, 0)
    ]
    scalars = quoridor.encode_state(state)[1]
    np.testing.assert_array_equal(scalars, np.array([0.5, 0, 0, 8 / 50, 4 / 20], np.float32))


def test_walls_as_player_2_sees_them() -> None:
    # Turned over, with the rows of the array at the left. A wall is an edge: a1h, between rows 0
    # and 1, comes to lie between rows 1 and 2, so its row 0 becomes n-2-0 = 1; a2v's 1 becomes 0.
    #     (2)   .   .   .
    #           -----
    #     (1)   . | .   1
    #             |
    #     (0)   . | 2   .
    state = State.parse(WALLED.format(2), TINY)
    assert frame(state, 0) == [
        [[0, 1, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 0, 1], [0, 0, 0]],
        [[0, 0, 0], [1, 1, 0], [0, 0, 0]],
        [[1, 0, 0], [1, 0, 0], [0, 0, 0]],
    ]
    scalars = quoridor.encode_state(state)[1]
    np.testing.assert_array_equal(scalars, np.array([0, 0.5, 1, 8 / 50, 4 / 20], np.float32))


def test_the_frames_of_a_game_newest_first() -> None:
    # 1. b2 a1h: player 1 to move, two moves played, so three frames are filled.
    #     3   .   2   .
    #     2   .   1   .
    #         -----
    #     1   .   .   .
    #         a   b   c
    none = [[0, 0, 0]] * 3
    bottom, middle, top = (
        [[0, 1, 0] if r == row else [0, 0, 0] for r in range(3)] for row in range(3)
    )
    state = State(TINY).play("b2").play("a1h")
    assert frame(state, 0) == [middle, top, [[1, 1, 0], [0, 0, 0], [0, 0, 0]], none]
    assert frame(state, 1) == [middle, top, none, none]
    assert frame(state, 2) == [bottom, top, none, none]
    assert frame(state, 3) == [none, none, none, none]


def test_older_frames_are_seen_from_the_player_to_move_now() -> None:
    state = State(TINY).play("b2").play("a1h").play("a2")
    first = [[0, 1, 0], [0, 0, 0], [0, 0, 0]]  # player 2's pawn, at home at the bottom
    # The walls and the other pawn of frames 0 to 3, turned over for player 2.
    assert frame(state, 0)[:2] == [first, [[0, 0, 0], [1, 0, 0], [0, 0, 0]]]
    assert frame(state, 1)[:2] == [first, [[0, 0, 0], [0, 1, 0], [0, 0, 0]]]
    assert frame(state, 1)[2] == [[0, 0, 0], [1, 1, 0], [0, 0, 0]]
    assert frame(state, 2)[2] == [[0, 0, 0]] * 3
    assert frame(state, 3)[:2] == [first, [[0, 0, 0], [0, 0, 0], [0, 1, 0]]]


@pytest.mark.parametrize("preset", PRESETS)
def test_early_frames_are_zero(preset: str) -> None:
    state = State(GameConfig.preset(preset))
    for played in range(6):
        spatial, _ = quoridor.encode_state(state)
        filled = [bool(spatial[4 * t : 4 * t + 4].any()) for t in range(4)]
        assert filled == [t <= played for t in range(4)]
        row, col = state.player1_pos if state.current_player == 1 else state.player2_pos
        beside = col - 1 if col == state.board_size // 2 else col + 1  # to one side and back
        state = state.make_move("move", (row, beside))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_position_read_from_text_has_no_earlier_frames(preset: str, rng: random.Random) -> None:
    config = GameConfig.preset(preset)
    for state, _ in random_states(config, rng, games=1):
        spatial, scalars = quoridor.encode_state(State.parse(state.text(), config))
        np.testing.assert_array_equal(spatial[:4], quoridor.encode_state(state)[0][:4])
        np.testing.assert_array_equal(scalars, quoridor.encode_state(state)[1])
        assert not spatial[4:].any()


@pytest.mark.parametrize("preset", PRESETS)
def test_whole_games_agree_with_the_reference(preset: str, rng: random.Random) -> None:
    for state, plain in random_states(GameConfig.preset(preset), rng):
        for ours, theirs in zip(
            quoridor.encode_state(state), reference.encode_state(plain), strict=True
        ):
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("history_length", [1, 2, 7, 16])
def test_other_lengths_of_history(history_length: int, rng: random.Random) -> None:
    config = GameConfig(board_size=4, walls_per_player=4)
    for state, plain in random_states(config, rng):
        spatial, _ = quoridor.encode_state(state, history_length)
        assert spatial.shape == (4 * history_length, 4, 4)
        np.testing.assert_array_equal(spatial, reference.encode_state(plain, history_length)[0])


def test_a_game_without_walls_has_no_share_of_walls() -> None:
    state = State(GameConfig(board_size=5, walls_per_player=0))
    assert quoridor.encode_state(state)[1].tolist() == [0, 0, 0, 0, 0]


@pytest.mark.parametrize("size", range(3, 10))
def test_flipping_and_mirroring_by_hand(size: int) -> None:
    """Rows turn over in a flip, columns in a mirror; a wall turns by its edge: n-2, not n-1."""
    for index in range(quoridor.action_space_size(size)):
        kind, r, c = quoridor.decode_action(index, size)
        last = size - 1 if kind == "move" else size - 2
        flipped = quoridor.decode_action(quoridor.flip_action(index, size), size)
        mirrored = quoridor.decode_action(quoridor.mirror_action(index, size), size)
        assert flipped == (kind, last - r, c)
        assert mirrored == (kind, r, last - c)


@pytest.mark.parametrize("size", range(3, 10))
@pytest.mark.parametrize("turn", [quoridor.flip_action, quoridor.mirror_action])
def test_turning_twice_gives_the_action_back(size: int, turn: Callable[[int, int], int]) -> None:
    actions = range(quoridor.action_space_size(size))
    turned = [turn(action, size) for action in actions]
    assert sorted(turned) == list(actions)
    assert [turn(action, size) for action in turned] == list(actions)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_mask_marks_the_legal_actions(preset: str, rng: random.Random) -> None:
    config = GameConfig.preset(preset)
    number = quoridor.action_space_size(config.board_size)
    for state, plain in random_states(config, rng, games=2):
        mask = quoridor.get_action_mask(state)
        assert (mask.shape, mask.dtype.name) == ((number,), "bool")
        assert np.flatnonzero(mask).tolist() == plain.legal_actions()


@pytest.mark.parametrize("preset", PRESETS)
def test_the_flipped_mask_is_in_the_view_of_the_player_to_move(
    preset: str, rng: random.Random
) -> None:
    config = GameConfig.preset(preset)
    size = config.board_size
    for state, _ in random_states(config, rng, games=2):
        seen = np.flatnonzero(quoridor.get_action_mask(state, flipped=True)).tolist()
        legal = state.legal_actions()
        if state.current_player == 2:
            legal = sorted(quoridor.flip_action(action, size) for action in legal)
        assert seen == legal


def turned(state: State, flip: bool) -> State:
    """The position mirrored, or flipped with the players changing places, by its text."""
    size = state.board_size
    turn = quoridor.flip_action if flip else quoridor.mirror_action

    def renamed(name: str) -> str:
        action = quoridor.notation_to_action(name, size)
        return quoridor.action_to_notation(turn(action, size), size)

    _, places, walls, left, player, played, since = state.text().split()
    pawns = [renamed(pawn) for pawn in places.split("/")]
    walls = walls if walls == "-" else ",".join(renamed(wall) for wall in walls.split(","))
    if flip:
        pawns = pawns[::-1]
        left = "/".join(left.split("/")[::-1])
        player = str(3 - int(player))
    text = f"{size} {'/'.join(pawns)} {walls} {left} {player} {played} {since}"
    return State.parse(text, state.config)


@pytest.mark.parametrize("size", range(3, 10))
def test_the_mirrored_position_has_the_mirrored_moves(size: int, rng: random.Random) -> None:
    config = GameConfig(board_size=size, walls_per_player=size)
    for state, _ in random_states(config, rng, games=1):
        mirror = turned(state, flip=False)
        moves = sorted(quoridor.mirror_action(action, size) for action in state.legal_actions())
        assert mirror.legal_actions() == moves
        assert mirror.winner == state.winner
        assert turned(mirror, flip=False) == state


@pytest.mark.parametrize("size", range(3, 10))
def test_with_players_changed_the_flipped_position_has_the_flipped_moves(
    size: int, rng: random.Random
) -> None:
    config = GameConfig(board_size=size, walls_per_player=size)
    for state, _ in random_states(config, rng, games=1):
        other = turned(state, flip=True)
        moves = sorted(quoridor.flip_action(action, size) for action in state.legal_actions())
        assert other.legal_actions() == moves
        assert other.winner == (state.winner and 3 - state.winner)
        # Each player sees of the one what the opponent sees of the other.
        here = State.parse(state.text(), config)
        np.testing.assert_array_equal(
            quoridor.encode_state(here)[0], quoridor.encode_state(other)[0]
        )
