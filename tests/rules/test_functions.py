"""The functions of `plyground.quoridor` on every board size: actions, legal moves, paths, masks."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import numpy as np
import pytest

from plyground import IllegalMoveError, NotationError, quoridor
from plyground.agents import MinimaxAgent
from plyground.quoridor import GameConfig, State, WallLayout

SIZES = range(3, 10)
WALL_TYPES = ("h_wall", "v_wall")


def positions(size: int, games: int = 3) -> Iterator[State]:
    """Positions of games in which walls are as likely as pawn moves."""
    rng = random.Random(size)
    for _ in range(games):
        state = State(GameConfig(board_size=size))
        while not state.game_over:
            yield state
            moves = state.get_legal_moves()
            walls = [move for move in moves if move[0] != "move"]
            pawn_moves = [move for move in moves if move[0] == "move"]
            state = state.make_move(
                *rng.choice(walls if walls and rng.random() < 0.5 else pawn_moves)
            )


@pytest.mark.parametrize("size", SIZES)
def test_actions_by_type_row_and_column(size: int) -> None:
    expected = [
        (kind, row, col)
        for kind, width in (("move", size), ("h_wall", size - 1), ("v_wall", size - 1))
        for row, col in itertools.product(range(width), range(width))
    ]
    assert len(expected) == quoridor.action_space_size(size)
    for index, (action_type, row, col) in enumerate(expected):
        assert quoridor.encode_action(action_type, row, col, size) == index
        assert quoridor.decode_action(index, size) == (action_type, row, col)
        suffix = {"move": "", "h_wall": "h", "v_wall": "v"}[action_type]
        text = f"{chr(ord('a') + col)}{row + 1}{suffix}"
        assert quoridor.action_to_notation(index, size) == text
        assert quoridor.notation_to_action(text, size) == index
        if action_type == "move":
            assert quoridor.position_to_notation(row, col) == text
            assert quoridor.notation_to_position(text) == (row, col)


@pytest.mark.parametrize("size", SIZES)
def test_errors_name_the_board(size: int) -> None:
    board = f"on a board of size {size}"
    count = quoridor.action_space_size(size)
    beyond = "abcdefghij"[size] + "1"
    state = State(GameConfig(board_size=size))
    for call in (
        lambda: quoridor.decode_action(count, size),
        lambda: quoridor.decode_action(-1, size),
        lambda: quoridor.action_to_notation(count, size),
        lambda: quoridor.encode_action("move", size, 0, size),
        lambda: quoridor.encode_action("v_wall", 0, size - 1, size),
        lambda: quoridor.notation_to_action(beyond, size),
        lambda: quoridor.notation_to_action(f"a{size}h", size),
        lambda: quoridor.position_to_notation(0, size, size),
        lambda: quoridor.notation_to_position(beyond, size),
        lambda: quoridor.get_reachable_neighbors(state, (size, 0)),
        lambda: quoridor.astar_can_reach_goal(state, (0, -1), 0),
        lambda: quoridor.astar_can_reach_goal(state, (0, 0), size),
        lambda: WallLayout(size).add_wall(size - 1, 0, "h_wall"),
    ):
        with pytest.raises((IllegalMoveError, NotationError), match=board):
            call()


@pytest.mark.parametrize("size", SIZES)
def test_legal_moves_masks_and_walls_agree(size: int) -> None:
    for state in positions(size):
        moves = quoridor.get_legal_moves(state)
        pawn_moves = [("move", cell) for cell in quoridor.get_legal_pawn_moves(state)]
        walls = [
            (wall_type, cell)
            for wall_type in WALL_TYPES
            for cell in quoridor.get_legal_wall_positions(state, wall_type)
        ]
        assert moves == state.get_legal_moves() == pawn_moves + walls
        mask = quoridor.get_action_mask(state)
        assert mask.shape == (quoridor.action_space_size(size),)
        indices = [quoridor.encode_action(kind, *cell, size) for kind, cell in moves]
        assert np.flatnonzero(mask).tolist() == indices == state.legal_actions()
        left = state.walls_remaining[state.current_player]
        assert state.current_player_walls == left
        if left == 0:
            assert not walls


def is_free(state: State, row: int, col: int, wall_type: str) -> bool:
    """Whether a wall neither overlaps nor crosses another."""
    if wall_type == "h_wall":
        along, across = state.h_walls, state.v_walls
        taken = {(row, col - 1), (row, col), (row, col + 1)}
    else:
        along, across = state.v_walls, state.h_walls
        taken = {(row - 1, col), (row, col), (row + 1, col)}
    return not taken & along and (row, col) not in across


@pytest.mark.parametrize("size", SIZES)
def test_a_wall_is_legal_if_it_is_free_and_leaves_both_players_a_path(size: int) -> None:
    blocked = 0
    for state in itertools.islice(positions(size, games=20), 400 // size):
        if not state.current_player_walls:
            continue
        for (row, col), wall_type in itertools.product(
            itertools.product(range(-1, size), repeat=2), WALL_TYPES
        ):
            legal = quoridor.is_wall_legal(state, row, col, wall_type)
            assert quoridor.is_wall_placement_legal(state, row, col, wall_type[0]) == legal
            if min(row, col) < 0 or max(row, col) > size - 2:
                assert not legal
                continue
            layout = WallLayout.of(state).add_wall(row, col, wall_type)
            reaches = [
                quoridor.astar_can_reach_goal(layout, state.player1_pos, size - 1),
                quoridor.astar_can_reach_goal(layout, state.player2_pos, 0),
            ]
            assert legal == (is_free(state, row, col, wall_type) and all(reaches))
            blocked += is_free(state, row, col, wall_type) and not all(reaches)
    assert blocked > 0


def flood(layout: WallLayout | State, start: tuple[int, int]) -> set[tuple[int, int]]:
    """Every cell that steps lead to, with walls as lists of the edges that they close."""
    closed = {((r, c + i), (r + 1, c + i)) for r, c in layout.h_walls for i in (0, 1)}
    closed |= {((r + i, c), (r + i, c + 1)) for r, c in layout.v_walls for i in (0, 1)}
    found, waiting = {start}, [start]
    while waiting:
        r, c = waiting.pop()
        for cell in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            first, second = sorted([(r, c), cell])
            inside = all(0 <= i < layout.board_size for i in cell)
            if inside and (first, second) not in closed and cell not in found:
                found.add(cell)
                waiting.append(cell)
    return found


@pytest.mark.parametrize("size", SIZES)
def test_astar_from_any_cell_to_any_row_among_any_walls(size: int) -> None:
    rng = random.Random(size)
    answers = []
    for _ in range(20):
        layout = WallLayout(size)
        for _ in range(rng.randint(0, size * size)):
            slot = rng.randrange(size - 1), rng.randrange(size - 1)
            layout = layout.add_wall(*slot, rng.choice(WALL_TYPES))
        start = rng.randrange(size), rng.randrange(size)
        reached = flood(layout, start)
        for goal_row in range(size):
            answer = quoridor.astar_can_reach_goal(layout, start, goal_row)
            assert answer == any(row == goal_row for row, _ in reached)
            answers.append(answer)
    assert {True, False} <= set(answers)


@pytest.mark.parametrize("size", SIZES)
def test_open_steps_lead_both_ways_and_reach_what_a_flood_reaches(size: int) -> None:
    rng = random.Random(100 + size)
    cells = list(itertools.product(range(size), range(size)))
    for _ in range(10):
        layout = WallLayout(size)
        for _ in range(rng.randint(0, size * size)):
            slot = rng.randrange(size - 1), rng.randrange(size - 1)
            layout = layout.add_wall(*slot, rng.choice(WALL_TYPES))
        steps = {cell: quoridor.get_reachable_neighbors(layout, cell) for cell in cells}
        for cell, neighbors in steps.items():
            assert len(set(neighbors)) == len(neighbors) <= 4
            assert all(cell in steps[neighbor] for neighbor in neighbors)
        start = rng.choice(cells)
        found, waiting = {start}, [start]
        while waiting:
            for neighbor in steps[waiting.pop()]:
                if neighbor not in found:
                    found.add(neighbor)
                    waiting.append(neighbor)
        assert found == flood(layout, start)


def test_a_pawn_behind_a_closed_row() -> None:
    #     4   .   .   .   .
    #     3   .   .   .   .
    #         -------------
    #     2   .   .   .   .
    #     1   .   .   1   .
    #         a   b   c   d
    closed = WallLayout(4, h_walls=frozenset({(1, 0), (1, 2)}))
    assert not quoridor.astar_can_reach_goal(closed, (0, 2), 3)
    assert quoridor.astar_can_reach_goal(closed, (0, 2), 1)
    assert not quoridor.astar_can_reach_goal(closed, (3, 0), 0)
    assert quoridor.get_reachable_neighbors(closed, (1, 1)) == [(0, 1), (1, 0), (1, 2)]


def test_the_other_pawn_blocks_no_step() -> None:
    state = State.parse("5 c3/c4 - 5/5 1 4 4")
    assert quoridor.get_reachable_neighbors(state, (2, 2)) == [(1, 2), (2, 1), (2, 3), (3, 2)]


@pytest.mark.parametrize("wall_type", ["move", "", "horizontal", "H"])
def test_types_that_are_not_walls(wall_type: str) -> None:
    for call in (
        lambda: quoridor.get_legal_wall_positions(State(), wall_type),
        lambda: quoridor.is_wall_legal(State(), 0, 0, wall_type),
        lambda: quoridor.is_wall_placement_legal(State(), 0, 0, wall_type),
        lambda: WallLayout().add_wall(0, 0, wall_type),
    ):
        with pytest.raises(NotationError, match="'h_wall' or 'v_wall'"):
            call()


@pytest.mark.parametrize("size", SIZES)
def test_the_encoded_state_has_four_positions_and_five_scalars(size: int) -> None:
    for state in positions(size, games=1):
        spatial, scalars = quoridor.encode_state(state)
        assert spatial.shape == (16, size, size)
        assert scalars.shape == (5,)
        assert spatial.dtype == scalars.dtype == np.float32
        config = state.config
        opponent = state.get_opponent(state.current_player)
        assert scalars == pytest.approx(
            [
                state.current_player_walls / config.walls_per_player,
                state.walls_remaining[opponent] / config.walls_per_player,
                state.current_player - 1,
                state.move_count / config.max_moves,
                state.moves_since_last_wall / config.no_progress_limit,
            ]
        )


def test_an_answer_from_another_board_is_not_misread() -> None:
    state = State(GameConfig.preset("small"))
    answer = MinimaxAgent(1, depth=1).select_action(state)
    assert quoridor.action_to_notation(answer, 5) == str(answer)
    with pytest.raises(IllegalMoveError, match="on a board of size 9, got <Action 7 c2>"):
        quoridor.action_to_notation(answer)


def test_game_state_is_state() -> None:
    assert quoridor.GameState is State
