"""The agent `zero` with the networks in the package."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from plyground import reversi
from plyground.agents import ZeroAgent, make
from plyground.errors import ConfigError
from plyground.games.score import Score
from plyground.quoridor import GameConfig, State, action_to_notation
from plyground.search import SearchLimits


def test_the_name_builds_it_with_its_limits() -> None:
    assert make("zero:sims=40").limits == SearchLimits(simulations=40)
    assert make("zero:time=0.2").limits == SearchLimits(time_s=0.2)
    assert make("zero").limits == SearchLimits()
    assert make("zero").limits_for(None) == SearchLimits(time_s=1.0)


def test_simulations_are_counted_and_the_moves_repeat() -> None:
    results = [ZeroAgent(sims=30).search(State()) for _ in range(2)]
    assert [result.nodes_searched for result in results] == [30, 30]
    assert results[0].best_move == results[1].best_move
    assert results[0].pv[0] == results[0].best_move
    assert results[0].score is not None
    assert -1 <= results[0].score.value <= 1


def test_limits_of_a_move_come_first() -> None:
    agent = ZeroAgent(time=60)
    assert agent.search(State(), SearchLimits(simulations=5)).nodes_searched == 5


def test_time_is_kept() -> None:
    agent = ZeroAgent(time=0.3)
    agent.search(State())
    began = time.perf_counter()
    result = agent.search(State().play("e2").play("e8"))
    assert result.nodes_searched > 10
    assert 0.1 < time.perf_counter() - began < 30


def test_a_win_is_taken_and_proven() -> None:
    # Two steps for each; the one to move is there first.
    result = ZeroAgent(sims=64).search(State.parse("9 e8/a3 - 0/0 1 40 2"))
    assert action_to_notation(result.best_move) == "e9"
    assert result.win_in == 1
    assert result.score == Score.proven(1, player=1)


def test_the_first_move_goes_forward() -> None:
    assert action_to_notation(ZeroAgent(sims=100).select_action(State())) == "e2"


def test_5x5_has_a_network_of_its_own() -> None:
    """It beats a textbook search with either colour, which the other network does not."""
    agent, opponent = ZeroAgent(sims=200), make("minimax:depth=4")
    for player in (1, 2):
        agent.new_game()
        state = State(GameConfig.preset("small"))
        while not state.game_over:
            mover = agent if state.current_player == player else opponent
            state = state.play(mover.select_action(state))
        assert state.winner == player
    assert action_to_notation(agent.select_action(State())) == "e2"  # and the other is back


def test_mistakes_are_told() -> None:
    with pytest.raises(ConfigError, match=r"cannot read the network 'none.onnx'"):
        make("zero:network=none.onnx")
    with pytest.raises(ConfigError, match="expected threads to be a whole number from 1 to 256"):
        make("zero:threads=0")


def test_reversi_is_played_with_a_network_of_ones_own(reversi_network: Path) -> None:
    agent = make(f"zero:sims=20,network={reversi_network}", "reversi")
    result = agent.search(reversi.State())
    assert result.nodes_searched == 20
    assert result.best_move in reversi.State().legal_actions()
    with pytest.raises(ConfigError, match="expected a state of reversi, got State"):
        agent.search(State())
    with pytest.raises(ConfigError, match="no network for reversi comes with this package; name"):
        make("zero", "reversi")
