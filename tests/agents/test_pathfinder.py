"""The pathfinder's choices, one idea a test."""

import random
from pathlib import Path

import pytest

from plyground.agents import PathfinderAgent, RandomAgent
from plyground.play import parse_record
from plyground.quoridor import GameConfig, State, action_to_notation

GOLDEN = Path(__file__).parents[1] / "golden"


def choice(position: str, **options: int) -> str:
    state = State.parse(position)
    return action_to_notation(PathfinderAgent(**options).select_action(state), state.board_size)


def test_ranks_every_move_and_its_choice_first(rng: random.Random) -> None:
    agent, state = PathfinderAgent(), State(GameConfig.preset("small"))
    for _ in range(30):
        ranked = agent.rank(state)
        assert sorted(action for action, _ in ranked) == state.legal_actions()
        assert ranked[0][0] == agent.select_action(state)
        assert {score.player for _, score in ranked} == {state.current_player}
        state = state.play(rng.choice(state.legal_actions()))
        if state.game_over:
            state = State(GameConfig.preset("small"))


def test_ranks_a_win_first_and_steps_before_walls_that_gain_little() -> None:
    ranked = PathfinderAgent().rank(State.parse("9 e8/d2 - 10/10 1 8 8"))
    assert ranked[0][1].win_in == 1
    state = State.parse("9 e4/e6 - 10/10 1 8 8")
    names = [state.format_move(action) for action, _ in PathfinderAgent().rank(state)]
    assert names[0] == "e5"
    assert names[1].endswith("h")  # it blocks the way of player 2
    assert names.index("d4") < names.index("a1v")


def test_runs_while_it_is_not_behind() -> None:
    assert choice("9 e4/e6 - 10/10 1 8 8") == "e5"
    assert choice("9 e4/e6 - 10/10 2 8 8") == "e5"


def test_walks_round_a_wall_by_the_shorter_way() -> None:
    # c2h lies above c2 and d2: from d2 it is shorter round by e2, from c2 by b2.
    assert choice("5 d2/a5 c2h 0/5 1 2 0") == "e2"
    assert choice("5 c2/a5 c2h 0/5 1 2 0") == "b2"


def test_takes_the_jump_that_lies_on_its_way() -> None:
    assert choice("9 e4/e5 - 10/10 1 8 8") == "e6"


def test_steps_aside_when_the_jump_is_closed() -> None:
    # A wall lies behind player 2, who stands in the way: both diagonals are as good.
    assert choice("9 e4/e5 e5h 9/10 1 8 0") == "d5"


def test_wins_rather_than_blocks() -> None:
    assert choice("9 e8/d2 - 10/10 1 8 8") == "e9"


# Player 2 comes down a lane. A wall across its end costs three steps, by e4, f4 and the f column.
#   4   .   .   .   .   .   .
#   3   .   .   . | 2 | .   .
#                 |   |
#   2   .   .   . | . | .   .
#   1   .   .   .   .   .   .
#       b   c   d   e   f   g
LANE = "9 a5/e3 d2v,e2v 10/8 1 8 0"


def test_places_the_wall_that_gains_most_when_behind() -> None:
    assert choice(LANE) == "d1h"  # e1h is as good, but has a higher number


def test_min_gain_decides_whether_a_wall_is_worth_it() -> None:
    assert choice(LANE, min_gain=3) == "d1h"
    assert choice(LANE, min_gain=4) == "a6"


def test_keeps_its_walls_while_ahead() -> None:
    assert choice(LANE.replace("a5", "a7")) == "a8"


def test_any_delay_is_worth_a_wall_when_the_opponent_is_about_to_win() -> None:
    assert choice("9 e4/e2 - 10/10 1 8 8", min_gain=9).endswith("h")
    assert choice("9 e4/e2 - 0/10 1 8 8", min_gain=9) == "e5"


def test_equal_walls_go_by_the_lowest_number() -> None:
    assert choice("9 e4/e2 - 10/10 1 8 8") == "d1h"


@pytest.mark.parametrize("preset", ["small", "standard"])
def test_plays_the_golden_game(preset: str) -> None:
    record = parse_record((GOLDEN / f"pathfinder_{preset}.pgn").read_text(encoding="utf-8"))
    agent = PathfinderAgent()
    assert [agent.select_action(state) for state in record.states()[:-1]] == record.actions("board")


@pytest.mark.parametrize("preset", ["small", "standard"])
@pytest.mark.parametrize("seat", [1, 2])
def test_beats_random_play(preset: str, seat: int) -> None:
    agent, won = PathfinderAgent(), 0
    for seed in range(10):
        state, other = State(GameConfig.preset(preset)), RandomAgent(seed)
        while not state.game_over:
            player = agent if state.current_player == seat else other
            state = state.play(player.select_action(state))
        won += state.winner == seat
    assert won == 10
