"""The packed features against a plain reading of the position, on random games of all sizes."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

from plyground import _core
from plyground.quoridor import (
    GameConfig,
    State,
    mirror_action,
    shortest_path_length,
)

Cell = tuple[int, int]


class View:
    """The position as its mover sees it: rows flipped for player 2."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.size = state.board_size
        self.me = state.current_player
        self.other = state.get_opponent(self.me)
        self.flipped = self.me == 2

    def cell(self, cell: Cell) -> Cell:
        return (self.size - 1 - cell[0], cell[1]) if self.flipped else cell

    def slot(self, slot: Cell) -> Cell:
        return (self.size - 2 - slot[0], slot[1]) if self.flipped else slot

    def is_open(self, cell: Cell, step: Cell) -> bool:
        """Whether a pawn could walk that step, in the view; pawns do not matter."""
        row, col = cell
        to = (row + step[0], col + step[1])
        if not (0 <= to[0] < self.size and 0 <= to[1] < self.size):
            return False
        if step[0]:
            walls = {self.slot(slot) for slot in self.state.h_walls}
            low = min(row, to[0])
            return not walls & {(low, col), (low, col - 1)}
        walls = {self.slot(slot) for slot in self.state.v_walls}
        left = min(col, to[1])
        return not walls & {(row, left), (row - 1, left)}

    def distances(self, sources: list[Cell]) -> dict[Cell, int]:
        found = dict.fromkeys(sources, 0)
        queue = deque(sources)
        while queue:
            cell = queue.popleft()
            for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                to = (cell[0] + step[0], cell[1] + step[1])
                if to not in found and self.is_open(cell, step):
                    found[to] = found[cell] + 1
                    queue.append(to)
        return found


def plain_features(state: State) -> np.ndarray:
    view = View(state)
    size, config = view.size, state.config
    cells = [(row, col) for row in range(size) for col in range(size)]
    positions = {1: state.player1_pos, 2: state.player2_pos}
    mine, other = view.cell(positions[view.me]), view.cell(positions[view.other])
    goals = [[(size - 1, col) for col in range(size)], [(0, col) for col in range(size)]]
    to_goal = [view.distances(goal) for goal in goals]
    from_pawn = [view.distances([mine]), view.distances([other])]
    lengths = [to_goal[0][mine], to_goal[1][other]]
    on_path = [
        [c for c in cells if _sum(to_goal[i], from_pawn[i], c) == lengths[i]] for i in range(2)
    ]
    legal = state.get_legal_moves()
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    planes: list[list[Cell]] = [
        cells,
        [mine],
        [other],
        *([c for c in cells if not view.is_open(c, step)] for step in steps),
        [view.slot(slot) for slot in state.h_walls],
        [view.slot(slot) for slot in state.v_walls],
        [view.slot(where) for kind, where in legal if kind == "h_wall"],
        [view.slot(where) for kind, where in legal if kind == "v_wall"],
        [view.cell(where) for kind, where in legal if kind == "move"],
        *on_path,
    ]
    out: list[np.ndarray] = []
    for plane in planes:
        bits = np.zeros(88, np.uint8)
        bits[[9 * row + col for row, col in plane]] = 1
        out.append(np.packbits(bits, bitorder="little"))
    for field in (*to_goal, *from_pawn):
        distances = np.full(81, 255, np.uint8)
        for (row, col), steps_away in field.items():
            distances[9 * row + col] = steps_away
        out.append(distances)
    scalars = [
        state.walls_remaining[view.me],
        state.walls_remaining[view.other],
        *lengths,
        min(255, config.max_moves - state.move_count),
        min(255, config.no_progress_limit - state.moves_since_last_wall),
        size,
        config.walls_per_player,
        0,
        0,
    ]
    return np.concatenate([*out, np.array(scalars, np.uint8)])


def _sum(a: dict[Cell, int], b: dict[Cell, int], cell: Cell) -> int:
    return a[cell] + b[cell] if cell in a and cell in b else -1


@pytest.mark.parametrize("size", range(3, 10))
def test_features_say_what_the_position_is(size: int) -> None:
    rng = np.random.default_rng(size)
    walls = (size * size) // 8
    for game in range(4):
        config = GameConfig(size, walls + game, max_moves=300 if game else 40)
        state = State(config)
        while not state.game_over:
            features = _core.quoridor_net_features(state)
            assert features.dtype == np.uint8
            assert features.shape == (_core.QUORIDOR_FEATURE_BYTES,)
            assert (features == plain_features(state)).all(), state.text()
            paths = [shortest_path_length(state, p) for p in (1, 2)]
            assert sorted(features[480:482]) == sorted(paths)
            moves = state.legal_actions()
            pawn = [m for m in moves if m < size * size]
            state = state.play(int(rng.choice(pawn if rng.random() < 0.5 else moves)))


def test_unreachable_cells_are_255() -> None:
    """A corner enclosed by walls, with no pawn inside."""
    state = State.parse("5 c3/c4 a1v,b1h,a2h 3/4 1 10 0")
    features = _core.quoridor_net_features(state)
    assert (features == plain_features(state)).all()
    to_goal = features[14 * 11 : 14 * 11 + 81].reshape(9, 9)
    assert (to_goal[5:] == 255).all()
    assert (to_goal[:, 5:] == 255).all()


def test_the_longest_path_fits() -> None:
    """A corridor that winds through the whole board."""
    walls = []
    for row in range(8):
        start = 0 if row % 2 == 0 else 1
        walls += [f"{'abcdefgh'[col]}{row + 1}h" for col in range(start, 8, 2)]
    state = State.parse(
        f"9 a1/i9 {','.join(walls)} 0/0 1 60 0", GameConfig(walls_per_player=16, max_moves=300)
    )
    features = _core.quoridor_net_features(state)
    assert (features == plain_features(state)).all()
    assert features[480] == shortest_path_length(state, 1) > 31


def test_players_see_the_same_from_their_sides() -> None:
    """Flipping the whole position and swapping the players changes nothing in the features."""
    one = State.parse("9 e4/d7 c3h,f6v 8/9 1 10 2")
    # Rows turned: cell r -> 8 - r, slot r -> 7 - r.
    two = State.parse("9 d3/e6 c6h,f3v 9/8 2 11 2")
    a, b = _core.quoridor_net_features(one), _core.quoridor_net_features(two)
    difference = np.flatnonzero(a != b)
    assert difference.tolist() == [482]  # one ply less to the move limit


def test_mirrored_positions_have_mirrored_planes() -> None:
    rng = np.random.default_rng(5)
    for size in (4, 9):
        config = GameConfig(size, 4)
        state, mirrored = State(config), State(config)
        if size % 2 == 0:  # even boards do not start in the middle
            where = f"{'abcdefghi'[size // 2 - 1]}"
            mirrored = State.parse(f"{size} {where}1/{where}{size} - 4/4 1 0 0", config)
        while not state.game_over:
            cells = [np.unpackbits(_bits(s), bitorder="little") for s in (state, mirrored)]
            for plane in (0, 1, 2, 3, 4, 11, 12, 13):
                grids = [c[88 * plane : 88 * plane + 81].reshape(9, 9) for c in cells]
                assert (grids[0][:size, :size] == grids[1][:size, :size][:, ::-1]).all()
            action = int(rng.choice(state.legal_actions()))
            state = state.play(action)
            mirrored = mirrored.play(mirror_action(action, size))


def _bits(state: State) -> np.ndarray:
    return _core.quoridor_net_features(state)[: 14 * 11]


def test_finished_games_have_no_moves() -> None:
    state = State.parse("9 e9/e3 - 10/10 2 20 20")
    features = _core.quoridor_net_features(state)
    assert not features[9 * 11 : 12 * 11].any()
