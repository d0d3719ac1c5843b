"""Tournaments on a Ray cluster: a real one, of two nodes, one of which is killed midway."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Protocol, cast

import pytest

from plyground import __version__
from plyground.agents import make
from plyground.arena import cluster as arena_cluster
from plyground.arena.cluster import ATTEMPTS, GamePool, GameWorker, RayBackend
from plyground.arena.config import ArenaConfig
from plyground.arena.store import Filter, Store
from plyground.arena.task import GameResult, Task
from plyground.arena.tournament import Tournament
from plyground.cli.main import main
from plyground.cluster import Cluster, WorkerAnswer, WorkerPool, WorkerResources
from plyground.config import Settings
from plyground.errors import ConfigError
from plyground.games.quoridor_game import QUORIDOR
from plyground.play import Record
from plyground.quoridor import GameConfig, State
from tests.arena import fake_players

# Ray's own warnings are not ours to mend.
pytestmark = pytest.mark.filterwarnings("default")

SMALL = State(GameConfig.preset("small"))


class RayNodes(Protocol):
    """The fixture: a cluster of two nodes, one of which can be killed."""

    @property
    def address(self) -> str: ...

    def kill(self) -> None: ...


def test_a_tournament_ends_complete_when_a_node_is_killed(
    nodes: RayNodes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = ("pathfinder", "crash@3", "vanish@4")
    here: Settings = {"backend": "ray", "address": nodes.address, "workers": 2}
    config = ArenaConfig(agents, preset="small", games=10, openings="start", **here)
    with Store(tmp_path / "games.sqlite") as store:
        tournament = Tournament(config, store, make_agent=fake_players.make)
        games = tournament.run()
        played = [next(games).task.key for _ in range(6)]
        nodes.kill()
        played += [game.task.key for game in games]
        assert sorted(played) == sorted(task.key for task in tournament.tasks)
        assert tournament.done == tournament.crosstable.games == store.count() == 30
        # Faulty agents lose their games; a lost worker costs neither agent a game.
        assert tournament.crosstable.counts("pathfinder") == (20, 0, 0)
        assert store.count(Filter(reason="crash: RuntimeError: out of ideas")) == 20
        assert store.count(Filter(reason="crash: the process ended with status 7")) == 10
        # Continued elsewhere, there is nothing left to play.
        again = Tournament(config, store, make_agent=fake_players.make, backend=nobody)
        assert list(again.run()) == []
    errors = capsys.readouterr().err
    assert "ray: 2 workers of 1 CPUs and 0 GPUs, room for 2 now" in errors
    assert errors.count("lost worker") == 1


def nobody(tasks: Iterable[Task]) -> Generator[GameResult, None, None]:
    assert list(tasks) == []
    yield from ()


def task(player1: str = "pathfinder", player2: str = "random:seed=1", number: int = 1) -> Task:
    return Task.of(player1, player2, SMALL, round=number)


def test_a_worker_plays_games_and_survives_its_agents(tmp_path: Path) -> None:
    worker = GameWorker(__version__, str(tmp_path / "gone"), fake_players.make)
    worker.begin()
    dead = worker.play(task("pathfinder", "die@2"), QUORIDOR)
    assert dead.record.termination == "crash: the process was ended by SIGSEGV"
    assert worker.play(task(), QUORIDOR).record.termination == "goal"
    assert worker.process is not None
    worker.process.kill()


def test_a_network_that_one_machine_lacks_costs_nobody_a_game(tmp_path: Path) -> None:
    worker = GameWorker(__version__, str(tmp_path), make)
    with pytest.raises(ConfigError, match=r"missing\.onnx.*, on "):
        worker.play(task("pathfinder", "zero:network=missing.onnx"), QUORIDOR)
    assert worker.process is None


def test_another_version_elsewhere_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"expected plyground 0\.0\.0 on every machine"):
        GameWorker("0.0.0", str(tmp_path), make).begin()


class FakePool:
    """Workers that answer at once, the last order first, except those that are to be lost."""

    def __init__(self, size: int, lost: set[int], lost_with: str = "") -> None:
        self.size, self.lost, self.lost_with = size, lost, lost_with
        self.workers: set[int] = set()
        self.started = 0
        self.orders: list[tuple[int, Task | None]] = []

    def fill(self) -> list[int]:
        new = list(range(self.started, self.started + self.size - len(self.workers)))
        self.workers |= set(new)
        self.started += len(new)
        return new

    def submit(self, worker: int, order: Task | None, *_: object) -> None:
        assert worker in self.workers
        self.orders.append((worker, order))

    def answers(self, wait_s: float | None) -> list[WorkerAnswer[Task | None, GameResult | None]]:
        assert wait_s is None
        assert self.orders, "no order is pending"
        worker, order = self.orders.pop()
        is_poison = order is not None and order.player1 == self.lost_with
        if worker in self.lost or is_poison:
            self.workers.remove(worker)
            return [WorkerAnswer(worker, order, lost="its machine is gone")]
        result = None if order is None else GameResult(order, Record())
        return [WorkerAnswer(worker, order, result)]


def play(pool: FakePool, tasks: list[Task]) -> list[GameResult]:
    waiting = iter(tasks)
    return list(arena_cluster._play(cast(GamePool, pool), next(waiting), waiting))


@pytest.mark.parametrize("lost", [set(), {0}, {0, 1, 2}, {2, 3, 5, 6}])
@pytest.mark.parametrize("size", [1, 3])
def test_games_of_lost_workers_are_played_again(size: int, lost: set[int]) -> None:
    tasks = [task(number=number) for number in range(7)]
    played = play(FakePool(size, lost), tasks)
    assert sorted(game.task.round for game in played) == list(range(7))


def test_what_loses_every_worker_ends_it() -> None:
    tasks = [task("random", number=1), task("poison"), task("random", number=2)]
    message = f"cannot play poison - random:seed=1 on the cluster: {ATTEMPTS} workers were lost"
    with pytest.raises(ConfigError, match=message):
        play(FakePool(1, set(), "poison"), tasks)
    with pytest.raises(ConfigError, match=r"cannot begin on the cluster.*machine is gone"):
        play(FakePool(2, set(range(99))), tasks)


def test_nothing_to_play_starts_no_cluster() -> None:
    assert list(RayBackend(Cluster())([])) == []


ARENA = ["arena", "random", "pathfinder", "--store"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--address", "auto"], "the address of a Ray cluster needs the backend ray"),
        (["--backend", "cloud"], "invalid choice: 'cloud'"),
        (["--backend", "ray", "--address", "here"], "expected the address of a Ray cluster"),
        (["--backend", "ray", "--address", "127.0.0.1:1"], "cannot reach a Ray cluster at 127"),
    ],
)
def test_mistakes_at_the_command_line(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ARENA, str(tmp_path / "games.sqlite"), *options]) == 2
    errors = capsys.readouterr().err
    assert message in errors
    assert errors.count("\n") == 1


def test_without_ray_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main([*ARENA, str(tmp_path / "games.sqlite"), "--backend", "ray"]) == 2
    assert "--backend ray needs Ray: pip install 'plyground[ray]'" in capsys.readouterr().err


def test_workers_that_ray_will_not_end_are_let_go() -> None:
    class Sulky:
        exceptions = SimpleNamespace(RayError=RuntimeError)
        asked = 0

        def remote(self, **_: object) -> Callable[[type], SimpleNamespace]:
            return lambda _: SimpleNamespace(remote=object)

        def kill(self, _: object) -> None:
            self.asked += 1
            raise RuntimeError("Actor creation cancelled")

    ray = Sulky()
    module = cast(ModuleType, ray)
    pool: GamePool = WorkerPool(module, 2, WorkerResources(1), GameWorker, lambda _: ())
    assert pool.fill() == [0, 1]
    pool.close()
    assert ray.asked == 2
    assert not pool.workers
