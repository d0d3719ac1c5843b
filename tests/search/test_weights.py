"""Weights in files, the tuned ones, and the agents that take them."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.agents import EngineAgent, MinimaxAgent, make
from plyground.errors import ConfigError
from plyground.quoridor import GameConfig, State
from plyground.search import SearchLimits, TextbookWeights, default_weights
from plyground.search.quoridor_weights import (
    TUNED_BOARDS,
    read_engine_weights,
    read_textbook_weights,
    tuned_engine_weights,
    tuned_textbook_weights,
    write_weights,
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "weights.yaml"
    write_weights(path, {"path_weight": 12.0, "wall_weight": 3.125}, "Found\nby hand.")
    assert path.read_text().startswith("# Found\n# by hand.\npath_weight: 12\n")
    assert read_textbook_weights(path) == TextbookWeights(12, 1.5, 3.125)
    write_weights(path, {"walls": 170, "cuts": -3}, "")
    assert read_engine_weights(path) == {"walls": 170, "cuts": -3}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wals: 3", "unknown key 'wals' in {path}; did you mean 'walls'?"),
        ("walls: 1.5", "expected walls to be a whole number, got 1.5 in {path}"),
        (
            "walls: 5000",
            "expected the weight 'walls' to be a whole number from -1000 to 1000, got 5000 in "
            "{path}",
        ),
    ],
)
def test_bad_files_are_explained(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "weights.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        make(f"engine:weights={path}")
    assert str(caught.value) == message.format(path=path)


def test_every_board_has_tuned_weights() -> None:
    for size in range(3, 10):
        assert tuned_textbook_weights(size).path_weight == 12
    assert tuned_textbook_weights(3) == tuned_textbook_weights(5)
    assert tuned_textbook_weights(8) == tuned_textbook_weights(9)


def test_minimax_takes_the_boards_weights() -> None:
    agent = make("minimax:weights=tuned,depth=3")
    assert isinstance(agent, MinimaxAgent)
    for size in TUNED_BOARDS:
        tuned = tuned_textbook_weights(size)
        assert agent.weights_for(size) == tuned
        state = State(GameConfig(board_size=size, walls_per_player=5)).play(size // 2 + size)
        same = MinimaxAgent(depth=3, weights=tuned)
        assert agent.search(state).score == same.search(state).score


def test_without_the_word_the_public_defaults_hold() -> None:
    assert MinimaxAgent().weights_for(9) == TextbookWeights(12.0, 1.5, 2.0)
    assert MinimaxAgent().weights_for(5) == TextbookWeights(12.0, 1.5, 2.0)


def test_the_engine_takes_single_weights(tmp_path: Path) -> None:
    state = State.parse("9 e4/e6 c3h,e3h,d7h 8/9 2 9 1")
    limits = SearchLimits(depth=4)
    path = tmp_path / "weights.yaml"
    write_weights(path, {"walls": 10}, "")
    plain, single, from_file = (
        make(spec).search(state, limits)
        for spec in ("engine", "engine:walls_weight=10", f"engine:weights={path}")
    )
    assert single.score == from_file.score != plain.score
    assert single.nodes_searched == from_file.nodes_searched
    same = EngineAgent(weights=default_weights()).search(state, limits)
    assert same.nodes_searched == plain.nodes_searched


def test_the_engine_has_tuned_weights() -> None:
    state = State.parse("9 e4/e6 c3h,e3h,d7h 8/9 2 9 1")
    limits = SearchLimits(depth=4)
    tuned = make("engine:weights=tuned").search(state, limits)
    by_name = EngineAgent(weights=tuned_engine_weights()).search(state, limits)
    assert tuned.score == by_name.score != EngineAgent().search(state, limits).score


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("minimax:weights=tuned,wall_weight=3", "got both"),
        ("minimax:weights=none.yaml", "cannot read none.yaml"),
        ("engine:weights=none.yaml", "cannot read none.yaml"),
        ("engine:walls_weight=1.5", "expected a whole number for 'walls_weight'"),
        ("engine:wall_weight=1", "did you mean 'walls_weight'?"),
    ],
)
def test_mistakes_are_explained(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("?", r"\?")):
        make(spec)


def test_reversi_has_no_such_weights() -> None:
    with pytest.raises(ConfigError, match="unknown option 'weights'"):
        make("engine:weights=tuned", game="reversi")


def test_an_unknown_argument_of_the_agent_is_refused_at_once() -> None:
    with pytest.raises(ConfigError, match=r"unknown option 'time_s' of the .*mean 'time'\?"):
        EngineAgent(time_s=1)
    with pytest.raises(ConfigError, match=r"'wals_weight'.*; did you mean 'walls_weight'\?"):
        EngineAgent(wals_weight=1)
    EngineAgent(walls_weight=170, lead=3).close()
