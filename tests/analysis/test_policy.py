"""The network's policy without a search."""

from __future__ import annotations

import pytest

from plyground import reversi
from plyground.agents import ZeroAgent
from plyground.analysis.policy import network_policy
from plyground.errors import ConfigError
from plyground.quoridor import GameConfig, State


@pytest.mark.parametrize("size", range(3, 10))
def test_the_network_is_asked_where_it_plays_well(size: int) -> None:
    state = State(GameConfig(board_size=size, walls_per_player=3))
    agent = ZeroAgent(sims=1)
    assert state.game.trusts_network(state) == (size >= 5)
    if size < 5:
        with pytest.raises(ConfigError, match="no network for this board of quoridor"):
            network_policy(agent, state)
        return
    shares = network_policy(agent, state)
    assert sorted(shares) == state.legal_actions()
    assert sum(shares.values()) == pytest.approx(1)
    ahead = state.shortest_path(1)[1]
    assert shares[ahead[0] * size + ahead[1]] > 1 / len(shares)  # it likes to go forward


def test_games_without_a_network_and_finished_games_are_rejected() -> None:
    agent = ZeroAgent(sims=1)
    assert not reversi.State().game.trusts_network(reversi.State())
    with pytest.raises(ConfigError, match="no network for this board of reversi"):
        network_policy(agent, reversi.State())
    with pytest.raises(ConfigError, match="the game is over"):
        network_policy(agent, State.parse("9 e9/e2 - 0/0 2 41 0"))
