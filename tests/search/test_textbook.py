"""Minimax and alpha-beta: against each other, and against a plain Python minimax that is here."""

from __future__ import annotations

import _thread
import itertools
import math
import random
import threading
from collections.abc import Callable
from typing import Any

import pytest

from plyground.agents import MinimaxAgent
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.quoridor import Action, Kind
from plyground.games.score import Score
from plyground.quoridor import (
    GameConfig,
    State,
    decode_action,
    encode_action,
    perft,
    progress_to_goal,
    shortest_path_length,
)
from plyground.search import quoridor_textbook
from plyground.search.quoridor_textbook import (
    TextbookWeights,
    WallOrder,
    default_textbook_weights,
)
from plyground.search.result import SearchResult
from plyground.search.textbook import WIN, alphabeta, minimax, textbook_score

PRESETS = ["tiny", "small", "standard"]
WALLS: tuple[Kind, ...] = ("h_wall", "v_wall")
ORDERS: list[WallOrder] = ["nearest", "corridor", "cutting", "dijkstra"]
Search = Callable[..., SearchResult]

# Middle games, made up: from three walls on the board to ten, and more in both hands.
MIDGAMES = [
    "9 e4/e6 c3h,e3h,d7h 8/9 2 9 1",
    "9 e4/d6 d3h,e6h,c4v 9/8 1 11 2",
    "9 f5/d5 b2h,f4h,c5h,e5v,g6v 8/7 2 17 3",
    "9 c3/g7 c3h,e4h,g6h,b5v,d6v,f2v 7/7 1 18 0",
    "9 d6/f4 a6h,d6h,f3h,c4v,e4v,g5v,b2v 6/7 2 23 1",
    "9 e6/e5 d6h,f6h,c4h,e3h,b7v,g2v,d2v,f8v 6/6 1 26 2",
    "9 b5/h4 a5h,c6h,e7h,g3h,h5v,b3v,d4v,f4v,c8v 5/6 2 31 4",
    "9 f7/c3 e7h,g7h,b2h,d3h,f5v,h6v,a4v,c4v,e2v,g3v 5/5 1 34 0",
]


# ---- the same search in plain Python


def evaluate(state: State, player: int, weights: TextbookWeights) -> float:
    opponent = 3 - player
    path = shortest_path_length(state, opponent) - shortest_path_length(state, player)
    progress = progress_to_goal(state, player) - progress_to_goal(state, opponent)
    walls = state.walls_remaining[player] - state.walls_remaining[opponent]
    return (
        weights.path_weight * path
        + weights.progress_weight * progress
        + weights.wall_weight * walls
    )


@pytest.mark.parametrize("size", range(3, 10))
def test_the_public_evaluation(size: int) -> None:
    rng = random.Random(size)
    for _ in range(10):
        state, weights = random_state(rng, GameConfig(board_size=size)), random_weights(rng)
        for player in (1, 2):
            value = quoridor_textbook.evaluate(state, player, weights)
            assert value == pytest.approx(evaluate(state, player, weights))
        assert quoridor_textbook.evaluate(state, 1) == evaluate(state, 1, TextbookWeights())
        # A search of one ply takes the best value among the positions after each move.
        best = max(
            quoridor_textbook.evaluate(state.play(action), state.current_player, weights)
            for action in state.legal_actions()
        )
        found = minimax(state, 1, weights).score
        assert found is not None
        if abs(best) < WIN:
            assert found == in_steps(best, state, 1, weights)
        else:
            assert found.win_in == 1


def test_the_evaluation_of_finished_games() -> None:
    won = State.parse("5 b5/c4 - 5/5 2 7 7")
    assert [quoridor_textbook.evaluate(won, player) for player in (1, 2)] == [WIN, -WIN]
    config = GameConfig(5, 5, 100, 30, draw_penalty=-0.2)
    drawn = State.parse("5 b2/c4 - 5/5 1 100 7", config)
    assert [quoridor_textbook.evaluate(drawn, player) for player in (1, 2)] == [-0.2, -0.2]


def edges_closed(kind: str, row: int, col: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    if kind == "h_wall":
        return [((row, c), (row + 1, c)) for c in (col, col + 1)]
    return [((r, col), (r, col + 1)) for r in (row, row + 1)]


def steps_from(state: State, cells: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    size = range(state.board_size)
    closed = {
        edge
        for kind, walls in (("h_wall", state.h_walls), ("v_wall", state.v_walls))
        for wall in walls
        for edge in edges_closed(kind, *wall)
    }
    steps = dict.fromkeys(cells, 0)
    queue = list(cells)
    for here in queue:
        row, col = here
        for there in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
            inside = there[0] in size and there[1] in size
            if inside and there not in steps and tuple(sorted((here, there))) not in closed:
                steps[there] = steps[here] + 1
                queue.append(there)
    return steps


def candidates(state: State, max_wall_moves: int | None, order: str) -> list[int]:
    """The moves in the order tried; Python's sort keeps ties in order of their numbers."""
    player, size = state.current_player, state.board_size
    opponent = 3 - player
    row, col = state.player2_pos if player == 1 else state.player1_pos
    actions = state.legal_actions()

    def path_after(action: int, whose: int) -> int:
        return shortest_path_length(state.play(action), whose)

    pawn_moves = [action for action in actions if action < size**2]
    pawn_moves.sort(key=lambda action: path_after(action, player))
    walls = actions[len(pawn_moves) :]

    def nearness(wall: int) -> float:
        _, r, c = decode_action(wall, size)
        return abs(r + 0.5 - row) + abs(c + 0.5 - col)

    walls_first = 0
    if order == "nearest":
        walls.sort(key=nearness)
    elif order == "corridor":
        goal_row = 0 if opponent == 2 else size - 1
        from_pawn = steps_from(state, [(row, col)])
        to_goal = steps_from(state, [(goal_row, c) for c in range(size)])

        def route_over(wall: int) -> tuple[float, float]:
            kind, r, c = decode_action(wall, size)
            both_ways = [pair for a, b in edges_closed(kind, r, c) for pair in ((a, b), (b, a))]
            return min(
                (from_pawn.get(a, math.inf) + to_goal.get(b, math.inf), from_pawn.get(a, math.inf))
                for a, b in both_ways
            )

        walls.sort(key=route_over)
        walls_first = 16
    elif order == "dijkstra":
        goal_row = 0 if opponent == 2 else size - 1
        far = steps_from(state, [(goal_row, c) for c in range(size)])
        squares = [(r, c) for r in range(size - 1) for c in range(size - 1)]
        squares.sort(key=lambda square: far.get(square, math.inf))
        ranks = {square: rank for rank, square in enumerate(squares)}

        def rank_of(wall: int) -> int:
            return ranks[decode_action(wall, size)[1:]]

        walls.sort(key=rank_of)
        walls = walls[:max_wall_moves]
        walls_first = sum(rank_of(wall) < (size - 1) ** 2 // 4 for wall in walls)
    else:
        now = {whose: shortest_path_length(state, whose) for whose in (player, opponent)}
        gain = {
            wall: path_after(wall, opponent)
            - now[opponent]
            - path_after(wall, player)
            + now[player]
            for wall in walls
        }
        walls.sort(key=lambda wall: (-gain[wall], 0) if gain[wall] > 0 else (0, nearness(wall)))
        walls_first = sum(value > 1 for value in gain.values())
    walls = walls[:max_wall_moves]
    return walls[:walls_first] + pawn_moves + walls[walls_first:]


def plain_minimax(
    state: State,
    player: int,
    depth: int,
    weights: TextbookWeights,
    max_wall_moves: int | None,
    order: str,
) -> tuple[float, list[int], int]:
    """Score for the player, best line, and positions visited."""
    if state.outcome is not None:
        if state.winner is None:
            return state.config.draw_penalty, [], 1
        return (1 if state.winner == player else -1) * (WIN + depth), [], 1
    if depth == 0:
        return evaluate(state, player, weights), [], 1
    better = max if state.current_player == player else min
    nodes, found = 1, []
    for action in candidates(state, max_wall_moves, order):
        score, line, below = plain_minimax(
            state.play(action), player, depth - 1, weights, max_wall_moves, order
        )
        nodes += below
        found.append((score, [action, *line]))
    score, line = better(found, key=lambda pair: pair[0])  # the first of equals
    return score, line, nodes


def random_state(rng: random.Random, config: GameConfig) -> State:
    """A position from a random game, sometimes close to a goal or to a draw."""
    while True:
        state = State(config)
        for _ in range(rng.randrange(40)):
            if state.game_over:
                break
            actions = state.legal_actions()
            pawn_moves = [action for action in actions if action < config.board_size**2]
            state = state.play(rng.choice(pawn_moves if rng.random() < 0.5 else actions))
        if not state.game_over:
            return state


def in_steps(raw: float, state: State, depth: int, weights: TextbookWeights) -> Score:
    """The score for a raw value; a step counts as much as `path_weight`, if that is positive."""
    step = weights.path_weight if weights.path_weight > 0 else 1.0
    return textbook_score(raw, depth, state.current_player, state.game.unit, step)


def random_weights(rng: random.Random) -> TextbookWeights:
    """Multiples of 1/64: their sums are exact, so the order of additions decides no tie."""
    choices = [0, 1, 0.125, 2.5, -1, 12, rng.randrange(64) / 64]
    return TextbookWeights(*(rng.choice(choices) for _ in range(3)))


# ---- what both find


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_both_equal_plain_python(rng: random.Random, preset: str, order: WallOrder) -> None:
    config = GameConfig.preset(preset)
    for depth, max_wall_moves in [(1, None), (1, 5), (2, 3), (2, 6 if preset != "tiny" else None)]:
        for _ in range(12):
            state, weights = random_state(rng, config), random_weights(rng)
            score, line, nodes = plain_minimax(
                state, state.current_player, depth, weights, max_wall_moves, order
            )
            expected = in_steps(score, state, depth, weights)
            for search in (minimax, alphabeta):
                result = search(
                    state, depth, weights, max_wall_moves=max_wall_moves, wall_order=order
                )
                assert (result.score, result.pv) == (expected, line), (state, depth, weights)
                assert result.best_move == line[0]
                if search is minimax:
                    assert result.nodes_searched == nodes


@pytest.mark.parametrize("preset", PRESETS)
def test_alphabeta_equals_minimax(rng: random.Random, preset: str) -> None:
    config = GameConfig.preset(preset)
    widths = {"tiny": [(6, None), (5, 2)], "small": [(3, None), (4, 6)]}
    for depth, max_wall_moves in widths.get(preset, [(2, None), (3, 8), (4, 4)]):
        for order in ORDERS:
            for _ in range(25):
                state, weights = random_state(rng, config), random_weights(rng)
                settings: dict[str, Any] = {"max_wall_moves": max_wall_moves, "wall_order": order}
                full = minimax(state, depth, weights, **settings)
                pruned = alphabeta(state, depth, weights, **settings)
                assert (pruned.score, pruned.pv) == (full.score, full.pv), (state, depth, weights)
                assert pruned.nodes_searched <= full.nodes_searched


def test_at_full_width_the_order_does_not_change_the_score(rng: random.Random) -> None:
    for _ in range(20):
        state = random_state(rng, GameConfig.preset("small"))
        assert len({alphabeta(state, 3, wall_order=order).score for order in ORDERS}) == 1


def test_equal_moves_go_by_their_order() -> None:
    # With nothing to weigh, all moves are equal. The pawn stands at e1, the opponent's at e9.
    nothing = TextbookWeights(0, 0, 0)
    state = State()
    assert state.play(alphabeta(state, 2, nothing).best_move).player1_pos == (1, 4)
    # No step forward: the sides are equally far, and d1 has the lower number.
    state = State.parse("9 e1/e9 e1h 9/10 1 2 0")
    assert alphabeta(state, 1, nothing, max_wall_moves=0).best_move == 3


def test_pawn_moves_come_first_and_then_the_nearest_walls() -> None:
    state = State()
    order = candidates(state, 6, "nearest")
    # Four walls lie half a row and half a column from e9, two more of each kind a column further.
    walls: list[Action] = [
        ("h_wall", (7, 3)), ("h_wall", (7, 4)), ("v_wall", (7, 3)), ("v_wall", (7, 4))
    ]  # fmt: skip
    further: list[Action] = [("h_wall", (6, 3)), ("h_wall", (6, 4))]
    assert order == [13, 3, 5, *(encode_action(kind, *cell) for kind, cell in walls + further)]
    assert minimax(state, 1, max_wall_moves=6).nodes_searched == 1 + len(order)


def test_the_dijkstra_order_on_the_first_move() -> None:
    # The opponent must be kept from row 1: walls on the 16 squares of rows 1 and 2, pawn moves,
    # and the walls on rows 3 to 8. A square has its horizontal wall before the vertical one.
    walls = [
        encode_action(kind, row, col) for row in range(8) for col in range(8) for kind in WALLS
    ]
    expected = [*walls[:32], 13, 3, 5, *walls[32:]]
    assert candidates(State(), None, "dijkstra") == expected
    # With nothing to weigh, the first move is the best.
    assert alphabeta(State(), 1, TextbookWeights(0, 0, 0), wall_order="dijkstra").best_move == 81


# ---- values


@pytest.mark.parametrize("search", [minimax, alphabeta])
@pytest.mark.parametrize(
    ("position", "depth", "plies"),
    [
        ("9 e8/a5 - 0/0 1 20 5", 1, 1),
        ("9 e8/a5 - 0/0 1 20 5", 4, 1),
        ("9 e6/a5 - 0/0 1 20 5", 5, 5),
        ("9 e6/a5 - 0/0 1 20 5", 7, 5),
        ("9 a5/e4 - 0/0 2 20 5", 5, 5),
        ("9 e6/a3 - 0/0 1 20 5", 4, -4),
        ("9 e6/a3 - 0/0 1 20 5", 6, -4),
        ("9 a7/e4 - 0/0 2 20 5", 6, -4),
        ("9 e6/a3 - 0/0 1 20 5", 3, None),
        ("9 e6/a5 - 0/0 1 20 5", 4, None),
        # The jump over the opponent saves a step.
        ("5 c3/c4 - 0/0 1 6 6", 3, 1),
    ],
)
def test_forced_ends_are_found_at_the_right_distance(
    search: Search, position: str, depth: int, plies: int | None
) -> None:
    result = search(State.parse(position), depth)
    assert result.win_in == plies
    assert result.score is not None
    assert result.score.win_in == plies
    if plies is not None:
        assert result.score.chance() == (plies > 0)
        assert len(result.pv) == abs(plies)


@pytest.mark.parametrize("search", [minimax, alphabeta])
@pytest.mark.parametrize("to_move", [1, 2])
@pytest.mark.parametrize("penalty", [-0.05, 0.75])
def test_a_draw_is_worth_the_penalty_to_either_side(
    search: Search, to_move: int, penalty: float
) -> None:
    config = GameConfig(board_size=5, walls_per_player=0, max_moves=20, draw_penalty=penalty)
    for left in (1, 2, 3):
        state = State.parse(f"5 a2/e4 - 0/0 {to_move} {20 - left} 9", config)
        score = search(state, 3).score
        assert score is not None
        assert score.value == penalty / TextbookWeights().path_weight


def test_a_win_comes_before_a_draw_on_the_same_move() -> None:
    config = GameConfig(board_size=5, walls_per_player=0, max_moves=20)
    assert alphabeta(State.parse("5 a4/e4 - 0/0 1 19 9", config), 2).win_in == 1


def test_the_default_weights() -> None:
    assert (
        default_textbook_weights(9)
        == default_textbook_weights(5)
        == TextbookWeights(12.0, 1.5, 2.0)
    )
    # One step ahead, one row ahead, after a pawn move.
    score = minimax(State(), 1).score
    assert score is not None
    assert score.value == (12.0 + 1.5) / 12.0
    assert (score.unit.name, str(score)) == ("steps", "+1.1")
    score = minimax(State(), 1, TextbookWeights(path_weight=0, progress_weight=4)).score
    assert score is not None
    assert score.value == 4


def test_limits_close_by_are_seen(rng: random.Random) -> None:
    for limits in itertools.product((2, 3, 5, 9), (1, 2, 4)):
        config = GameConfig(5, 2, max_moves=limits[0], no_progress_limit=limits[1])
        state = random_state(rng, config)
        weights = TextbookWeights()
        score, line, nodes = plain_minimax(state, state.current_player, 3, weights, 1, "nearest")
        full = minimax(state, 3, weights, max_wall_moves=1)
        expected = in_steps(score, state, 3, weights)
        assert (full.score, full.pv, full.nodes_searched) == (expected, line, nodes)


# ---- statistics


def test_nodes_are_the_positions_visited() -> None:
    for state in (State(), State(GameConfig.preset("small"))):
        assert minimax(state, 1).nodes_searched == 1 + perft(state, 1)
        assert minimax(state, 3).nodes_searched == sum(perft(state, depth) for depth in range(4))


def test_pruning_removes_most_of_depth_3() -> None:
    for state in [State(), *map(State.parse, MIDGAMES)]:
        result = alphabeta(state, 3)
        assert result.nodes_searched < 0.05 * minimax(state, 3).nodes_searched
        assert 0 < result.first_move_cutoffs <= result.cutoffs


def test_minimax_never_cuts() -> None:
    result = minimax(State(), 3, max_wall_moves=8)
    assert result.cutoffs == result.first_move_cutoffs == 0


def test_results_are_the_same_every_time() -> None:
    for position in MIDGAMES:
        state = State.parse(position)
        first, second = (alphabeta(state, 4, max_wall_moves=8) for _ in range(2))
        assert (first.score, first.pv, first.nodes_searched, first.cutoffs) == (
            second.score,
            second.pv,
            second.nodes_searched,
            second.cutoffs,
        )


@pytest.mark.parametrize(
    ("order", "nodes"), [("nearest", 11416), ("corridor", 12116), ("cutting", 7944)]
)
def test_node_signature(order: WallOrder, nodes: int) -> None:
    # A change here is a change of the tree that is searched: say why in the commit.
    results = [
        alphabeta(State.parse(position), 4, max_wall_moves=8, wall_order=order)
        for position in MIDGAMES
    ]
    assert sum(result.nodes_searched for result in results) == nodes


# ---- refusals and interruption


@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_mistakes_are_refused(search: Search) -> None:
    state = State()
    for depth in (0, -1, 101, True, 2.5, None):
        with pytest.raises(ConfigError, match="expected depth to be a whole number from 1 to 100"):
            search(state, depth)
    for max_wall_moves in (-1, True, 2.5, "8"):
        with pytest.raises(
            ConfigError, match="expected max_wall_moves to be a whole number from 0"
        ):
            search(state, 1, max_wall_moves=max_wall_moves)
    with pytest.raises(ConfigError, match="'cutting' or 'dijkstra', got 'farthest'"):
        search(state, 1, wall_order="farthest")
    for position in ("3 b3/b2 - 2/2 2 3 3", "3 b2/b1 - 2/2 1 2 2", "3 a1/c3 - 2/2 1 20 20"):
        with pytest.raises(IllegalMoveError, match=f"{position}': the game is over"):
            search(State.parse(position), 1)


@pytest.mark.parametrize("name", ["path_weight", "progress_weight", "wall_weight"])
@pytest.mark.parametrize("value", [math.nan, math.inf, 5001, -5001, True, "12", None])
def test_weights_that_cannot_work_are_refused(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=f"expected {name} to be "):
        TextbookWeights(**{name: value})


def test_no_estimate_looks_like_a_win() -> None:
    # The largest weights, the longest detours, and all walls in one hand.
    weights = TextbookWeights(5000, 5000, 5000)
    config = GameConfig(walls_per_player=64)
    assert alphabeta(State.parse("9 e8/e9 - 64/0 2 0 0", config), 1, weights).win_in is None


def test_any_number_of_wall_moves_may_be_asked_for() -> None:
    assert minimax(State(), 1, max_wall_moves=10**12).nodes_searched == 132


@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_ctrl_c_ends_a_search(search: Search) -> None:
    # The timer's thread can only run because the search lets go of the interpreter lock.
    timer = threading.Timer(0.2, _thread.interrupt_main)

    def search_deeply() -> None:
        timer.start()
        search(State(), 50)

    with pytest.raises(KeyboardInterrupt):
        search_deeply()
    timer.join()


def test_an_evaluation_of_ones_own(rng: random.Random) -> None:
    def own(state: State) -> float:
        return quoridor_textbook.evaluate(state, state.current_player)

    config = GameConfig(3, 1, max_moves=5, draw_penalty=-0.5)
    for _ in range(10):
        state = State(config)
        for _ in range(rng.randrange(3)):
            state = state.play(rng.choice(state.legal_actions()))
        if state.game_over:
            continue
        for depth in (1, 2, 3):
            expected = alphabeta(state, depth).score
            for search in (alphabeta, minimax):
                score = search(state, depth, evaluator=own).score
                assert score is not None
                assert expected is not None
                assert score.win_in == expected.win_in
                if score.win_in is None:  # the core divides by the weight of a step
                    assert score.value == pytest.approx(12 * expected.value)
    with pytest.raises(ConfigError, match="an evaluator or the options of our evaluation"):
        alphabeta(State(), 1, evaluator=own, max_wall_moves=3)


def test_the_agent_plays_by_an_evaluation_of_ones_own() -> None:
    agent = MinimaxAgent(depth=1, evaluator=lambda state: state.player1_pos[1])
    assert agent.select_action(State()) == State().parse_move("d1")  # the opponent's value falls
