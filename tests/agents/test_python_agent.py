"""Agents of other packages: import paths, installed names, objects in matches."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from plyground.agents import Agent, make
from plyground.agents.spec import is_safe_in_files
from plyground.arena import ArenaConfig, Store, Tournament, play_match
from plyground.arena.game import play_game
from plyground.arena.task import GameResult
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.play import Seat
from plyground.search import SearchLimits
from plyground.ui.web.config import WebConfig

MODULE = """
from plyground.agents import Agent

class Mine(Agent):
    def __init__(self, depth=1, fast=False, note="", game=None):
        self.settings = (depth, fast, note, game and game.name)

    def select_action(self, state, limits=None):
        return state.legal_actions()[0]

class Historian(Agent):
    def new_game(self):
        self.seen = []

    def select_action(self, state, limits=None):
        self.seen.append(state)
        return state.legal_actions()[0]

class Unwilling(Agent):
    def new_game(self):
        raise RuntimeError("not today")

    def select_action(self, state, limits=None):
        return state.legal_actions()[0]

class Clinging(Agent):
    def select_action(self, state, limits=None):
        return state.legal_actions()[0]

    def close(self):
        raise RuntimeError("not\\nnow")

class Broken(Agent):
    def __init__(self):
        raise RuntimeError("no model")

    def select_action(self, state, limits=None):
        return 0

number = 7
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module that can be imported, with a name of its own."""
    name = f"module_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def settings(agent: Agent) -> object:
    return vars(agent)["settings"]


def test_an_import_path_is_an_agent(module: str) -> None:
    agent = make(f"{module}:Mine", "reversi")
    assert (agent.name, settings(agent)) == (f"{module}:Mine", (1, False, "", "reversi"))
    agent = make(f"{module}:Mine:depth=3,fast=true,note=a b")
    assert settings(agent) == (3, True, "a b", "quoridor")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("no_such_module:Mine", "cannot import the agent 'no_such_module:Mine'"),
        ("{}:Missing", "cannot find 'Missing' in the module"),
        ("{}:number", "expected a subclass of plyground.agents.Agent"),
        ("{}:Broken", "cannot create the agent .*: RuntimeError: no model"),
        ("{}:Mine:depth", "expected 'option=value'"),
        ("{}:Mine:depth=1,depth=2", "given twice"),
        ("{}:Mine:width=1", "cannot create the agent .*: TypeError"),
        ("os:getcwd", "expected a subclass of plyground.agents.Agent"),
    ],
)
def test_mistakes_are_told(module: str, spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make(spec.format(module))


def install(folder: Path, name: str, path: str) -> None:
    """A package as pip leaves it, with an entry point."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[plyground.agents]\n{name} = {path}\n")


def test_an_installed_package_adds_agents_by_name(module: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="unknown agent 'my-runner'"):
        make("my-runner")
    install(tmp_path, "my-runner", f"{module}:Mine")
    assert settings(make("my-runner")) == (1, False, "", "quoridor")
    assert settings(make("my-runner:depth=4")) == (4, False, "", "quoridor")
    assert not Seat.of("my-runner").is_person
    with pytest.raises(ConfigError, match="did you mean 'my-runner'"):
        make("my-runer")


def test_our_own_names_are_not_replaced(module: str, tmp_path: Path) -> None:
    install(tmp_path, "random", f"{module}:Broken")
    make("random")


@pytest.mark.parametrize("name", ["{}:Mine", "{}:Broken", "my-runner"])
def test_a_record_starts_no_code_of_another_package(module: str, tmp_path: Path, name: str) -> None:
    install(tmp_path, "my-runner", f"{module}:Broken")
    spec = name.format(module)
    assert not is_safe_in_files(spec, registry.default())
    assert Seat.from_record(spec).is_person


def test_a_page_can_choose_only_what_the_command_line_allows(module: str, tmp_path: Path) -> None:
    game: AnyGame = registry.default()
    spec = f"{module}:Mine"
    assert spec not in WebConfig(tmp_path).agents_for(game)
    assert spec in WebConfig(tmp_path, agents=(spec,)).agents_for(game)


class Counter(Agent):
    """Plays the first move and counts its games."""

    def __init__(self) -> None:
        self.games = self.closed = 0

    def select_action(self, state: State, limits: SearchLimits | None = None) -> int:
        return state.legal_actions()[0]

    def new_game(self) -> None:
        self.games += 1

    def close(self) -> None:
        self.closed += 1


class Locked(Counter):
    """Cannot be copied to another process."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


def test_objects_play_a_match() -> None:
    mine = Counter()
    result = play_match(mine, "random:seed=1", games=4, preset="tiny")
    assert sum(result.counts("Counter")) == 4
    assert mine.games == 4
    assert mine.closed >= 4


def test_one_object_on_both_sides_begins_each_game_once() -> None:
    mine = Counter()
    play_match(mine, mine, games=2, preset="tiny")
    assert mine.games == 2


@pytest.mark.parametrize("workers", [0, 1])
def test_agents_by_import_path_are_told_of_new_games(module: str, workers: int) -> None:
    names = (f"{module}:Historian", "random:seed=1")
    config = ArenaConfig(names, games=2, preset="tiny", workers=workers)
    with Store(":memory:") as store:
        games = list(Tournament(config, store).run())
    assert [game.forfeit for game in games] == [None, None]


def test_an_agent_that_cannot_begin_a_game_forfeits_it_as_a_crash(module: str) -> None:
    config = ArenaConfig((f"{module}:Unwilling", "random"), games=2, preset="tiny", workers=0)
    with Store(":memory:") as store:
        games = list(Tournament(config, store).run())
    reasons = {game.record.termination for game in games}
    assert reasons == {"crash: RuntimeError: not today"}


def test_an_agent_that_cannot_be_closed_ends_no_tournament(
    module: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"{module}:Clinging"
    config = ArenaConfig((name, "random:seed=1"), games=2, preset="tiny", workers=0)
    with Store(":memory:") as store:
        games = list(Tournament(config, store).run())
    assert [game.forfeit for game in games] == [None, None]
    told = f"plyground: the agent {name!r} failed to close: RuntimeError: not now\n"
    assert capsys.readouterr().err == 3 * told  # when it was checked, and after each game


def test_play_game_tells_agents_of_a_new_game() -> None:
    mine, other = Counter(), Counter()
    state = ArenaConfig(("a", "b"), preset="tiny").start_state()
    for number in (1, 2):
        play_game(state, {1: mine, 2: other})
        assert (mine.games, other.games) == (number, number)


def test_two_objects_of_a_class_have_different_names() -> None:
    result = play_match(Counter(), Counter(), games=2, preset="tiny")
    assert list(result.agents) == ["Counter (1)", "Counter (2)"]


@pytest.mark.parametrize("workers", [0, 1])
def test_two_equal_strings_play_a_match(workers: int) -> None:
    result = play_match("random", "random", games=2, preset="tiny", workers=workers)
    assert list(result.agents) == ["random (1)", "random (2)"]
    assert sum(result.counts("random (1)")) == 2
    assert result.forfeits("random (1)").total() == result.forfeits("random (2)").total() == 0


def test_equal_strings_keep_their_options_and_clocks() -> None:
    spec = "random:seed=1,tc=60+1"
    games: list[GameResult] = []
    play_match(spec, spec, games=2, preset="tiny", on_game=games.append)
    assert games[0].task.player1 == "random (1):seed=1,tc=60+1"
    assert str(games[0].task.controls[2]) == "60+1"
    assert [game.forfeit for game in games] == [None, None]


def test_objects_play_in_worker_processes() -> None:
    config = ArenaConfig(("mine", "random:seed=1"), games=2, preset="tiny", workers=1)
    with Store(":memory:") as store:
        games = list(Tournament(config, store, agents={"mine": Counter()}).run())
    assert [game.record.termination for game in games if "crash" in game.record.termination] == []
    assert len(games) == 2


def test_an_object_that_cannot_be_copied_is_told_at_once() -> None:
    config = ArenaConfig(("mine", "random:seed=1"), games=2, preset="tiny", workers=1)
    with (
        Store(":memory:") as store,
        pytest.raises(ConfigError, match="'mine' cannot be sent to a worker process"),
    ):
        Tournament(config, store, agents={"mine": Locked()})
