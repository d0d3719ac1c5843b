"""The opponent `minimax:order=dijkstra`: how it is built, its depth and its caches."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plyground.agents import DijkstraAgent, MinimaxAgent, make
from plyground.agents.spec import is_safe_in_files
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import Action
from plyground.quoridor import State
from plyground.search.limits import SearchLimits
from plyground.search.quoridor_minimax_cache import MinimaxCache, shared_cache

SPEC = "minimax:order=dijkstra"
NEAR = State.parse("9 e7/e9 - 1/1 1 12 12")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "plyground"


def test_the_string_builds_it() -> None:
    agent = make(SPEC)
    assert isinstance(agent, DijkstraAgent)
    assert agent.name == SPEC
    assert agent.max_wall_moves is None
    assert (agent.path_weight, agent.progress_weight, agent.wall_weight) == (1.0, 0.0, 0.0)
    assert type(make("minimax")) is MinimaxAgent
    assert is_safe_in_files(SPEC, registry.get("quoridor"))


@pytest.mark.parametrize(
    ("spec", "game", "message"),
    [
        ("minimax:order=nearest", "quoridor", "expected order=dijkstra, got order=nearest"),
        (f"{SPEC},wall_weight=1", "quoridor", "has no option 'wall_weight', only depth"),
        (f"{SPEC},depth=0", "quoridor", "expected depth to be a whole number from 1"),
        (SPEC, "reversi", "unknown option 'order'"),
    ],
)
def test_mistakes(spec: str, game: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make(spec, game)


def test_a_path_names_a_cache_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "own.sqlite"
    agent = DijkstraAgent(depth=1, cache=str(path))
    agent.search(State())
    agent.close()
    again = MinimaxCache(path)
    assert again.get(State(), 1) is not None


def test_the_depth_grows_unless_one_is_given() -> None:
    agent = DijkstraAgent(cache=False)
    assert [agent.search(state).depth for state in (State(), NEAR)] == [3, 5]
    assert agent.search(State(), SearchLimits(time_s=0.01)).depth == 3
    assert agent.search(State(), SearchLimits(depth=1)).depth == 1
    assert make(f"{SPEC},depth=2").search(NEAR).depth == 2


def test_it_takes_part_in_the_players_turn_only() -> None:
    with pytest.raises(ValueError, match="it is player 1's turn"):
        DijkstraAgent(2, cache=False).search(State())


def test_the_answer_unpacks() -> None:
    state = State()
    answer = make(SPEC).select_action(state)
    assert isinstance(answer, Action)
    assert state.make_move(*answer) == state.play(answer)


def test_agents_share_the_users_file(data: Path) -> None:
    agent = make(SPEC)
    agent.close()
    assert not data.exists()  # nothing is opened before the first search
    result = agent.search(State())
    agent.close()
    assert (data / "minimax.sqlite").exists()
    other = DijkstraAgent()
    assert other.search(State()).pv == result.pv
    assert other.cache is shared_cache()
    with MinimaxCache(data / "minimax.sqlite") as cache:
        assert cache.sizes().best_moves == 1


def test_an_agent_can_have_its_own_caches_or_none(data: Path) -> None:
    cache = MinimaxCache(None)
    DijkstraAgent(cache=cache).search(State())
    DijkstraAgent(cache=False).search(State())
    assert cache.sizes().best_moves == 1
    assert not data.exists()


def test_a_data_folder_that_cannot_be_made_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert make(SPEC).search(State()).depth == 3


def test_a_process_saves_when_it_exits(data: Path) -> None:
    program = (
        "from plyground.agents import make\n"
        "from plyground.quoridor import State\n"
        f"make({SPEC!r}).search(State())\n"
    )
    environment = os.environ | {"XDG_DATA_HOME": str(data.parent)}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
    with MinimaxCache(data / "minimax.sqlite") as cache:
        assert cache.sizes().best_moves == 1


def test_it_is_imported_on_first_use() -> None:
    program = "import sys, plyground.agents; sys.exit('sqlite3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_it_is_read_from_yaml(tmp_path: Path) -> None:
    path = tmp_path / "agent.yaml"
    path.write_text("depth: 2\n")
    agent = DijkstraAgent.from_yaml(path, 2)
    assert (agent.player_number, agent.depth_for(NEAR), agent.path_weight) == (2, 2, 1.0)
    path.write_text("{}\n")
    assert DijkstraAgent.from_yaml(path).grows
    path.write_text("path_weight: 3\n")
    with pytest.raises(ConfigError, match=r"'path_weight' in .*agent\.yaml"):
        DijkstraAgent.from_yaml(path)
    path.write_text("depth: none\n")
    with pytest.raises(ConfigError, match=r"depth.* in .*agent\.yaml"):
        DijkstraAgent.from_yaml(path)
