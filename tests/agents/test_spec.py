"""Agents by name."""

from pathlib import Path
from typing import NoReturn

import pytest

from plyground.agents import PathfinderAgent, RandomAgent, make
from plyground.agents.external import ExternalAgent
from plyground.agents.spec import NAMES, with_files_beside
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.quoridor import State


def first_moves(spec: str) -> list[int]:
    agent = make(spec)
    return [agent.select_action(State()) for _ in range(20)]


def test_names_build_agents() -> None:
    assert isinstance(make("random"), RandomAgent)
    assert isinstance(make("pathfinder"), PathfinderAgent)
    assert isinstance(make("random", game="quoridor"), RandomAgent)


def test_options_reach_the_agent() -> None:
    agent = make("pathfinder:min_gain=1")
    assert isinstance(agent, PathfinderAgent)
    assert agent.min_gain == 1


def test_a_seed_fixes_the_moves() -> None:
    assert first_moves("random:seed=3") == first_moves("random:seed=3")
    assert first_moves("random:seed=3") != first_moves("random:seed=4")


def test_without_a_seed_every_agent_plays_differently() -> None:
    assert first_moves("random") != first_moves("random")


def test_every_first_move_is_played_sooner_or_later() -> None:
    agent, state = RandomAgent(seed=1), State.parse("3 b1/b3 - 2/2 1 0 0")
    assert {agent.select_action(state) for _ in range(500)} == set(state.legal_actions())


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("randm", "unknown agent 'randm'; did you mean 'random'?"),
        ("", f"unknown agent ''; known are {', '.join(sorted(NAMES))}"),
        ("random:sed=3", "unknown option 'sed' of the agent 'random'; did you mean 'seed'?"),
        ("random:depth=3", "unknown option 'depth' of the agent 'random'; known are seed"),
        ("random:seed", "expected 'option=value' in the agent 'random:seed', got 'seed'"),
        ("random:", "expected 'option=value' in the agent 'random:', got ''"),
        (
            "random:seed=x",
            "expected a whole number for 'seed' in the agent 'random:seed=x', got 'x'",
        ),
        ("random:seed=1\n", "expected a plain value in the agent 'random:seed=1\\n', got '1\\n'"),
        (
            "random:seed=1,seed=2",
            "the option 'seed' is given twice in the agent 'random:seed=1,seed=2'",
        ),
    ],
)
def test_mistakes_are_explained(spec: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make(spec)
    assert str(caught.value) == message


def test_an_agent_plays_its_own_games_only() -> None:
    make("random", game="reversi")
    make("random", game=registry.get("reversi"))
    with pytest.raises(ConfigError, match="the agent 'pathfinder' does not play reversi"):
        make("pathfinder", game="reversi")
    with pytest.raises(ConfigError, match="the agent 'http' does not play reversi"):
        make("http://localhost:8000", game="reversi")
    with pytest.raises(ConfigError, match="unknown game 'quorridor'; did you mean"):
        make("random", game="quorridor")


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ("engine:theirs.yaml", "engine:runs/theirs.yaml"),
        ("engine:not-there.yaml", "engine:not-there.yaml"),
        ("engine:theirs --fast", "engine:theirs --fast"),
        ("engine", "engine"),
        ("engine:time=1,weights=w.yaml", "engine:time=1,weights=runs/w.yaml"),
        ("minimax:weights=tuned,depth=3", "minimax:weights=tuned,depth=3"),
        ("zero:network=w.yaml", "zero:network=runs/w.yaml"),
        ("minimax:weights", "minimax:weights"),
        ("http://localhost:8000", "http://localhost:8000"),
    ],
)
def test_files_beside_the_settings_that_name_an_agent(
    spec: str, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    for name in ("theirs.yaml", "theirs", "w.yaml"):
        Path("runs", name).touch()
    assert with_files_beside(spec, Path("runs/arena.yaml")) == found


def test_an_engine_file_in_a_folder_with_a_space_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "their engine"
    folder.mkdir()
    (folder / "theirs.yaml").write_text("command: cat\n")
    agent = make(with_files_beside("engine:theirs.yaml", folder / "arena.yaml"))
    assert isinstance(agent, ExternalAgent)


@pytest.mark.parametrize(
    "spec",
    [
        "engine:hash_mb=99999999999",
        "engine:threads=99999999",
        "engine:walls_weight=" + "9" * 40,
        "engine:nodes=" + "9" * 400,
        "engine:depth=" + "9" * 5000,
        "zero:threads=100000",
        "zero:sims=" + "9" * 400,
        "zero:batch=99999999999",
        "minimax:depth=" + "9" * 400,
        "minimax:path_weight=1e308",
    ],
)
def test_an_absurd_option_is_a_plain_error(spec: str) -> None:
    with pytest.raises(ConfigError):
        make(spec)


def test_a_table_that_does_not_fit_is_a_plain_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise MemoryError("std::bad_alloc")

    monkeypatch.setattr(type(registry.default()), "make_engine", refuse)
    with pytest.raises(ConfigError, match="not enough memory for hash_mb 65536"):
        make("engine:hash_mb=65536")
