"""Games in processes: whatever a player does, it loses that game, and the others go on."""

from __future__ import annotations

import subprocess
import sys

import pytest

from plyground.agents import make
from plyground.agents.base import ForfeitKind
from plyground.agents.spec import split_clock
from plyground.agents.zero import ZeroAgent
from plyground.arena.adjudicate import Adjudication
from plyground.arena.game import Deadline, GameMessage, play_game, play_task
from plyground.arena.runner import run_tasks
from plyground.arena.task import Conditions, GameResult, Task
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import State as AnyState
from plyground.play import Seat
from plyground.play.clock import TimeControl
from plyground.quoridor import GameConfig, State
from plyground.reversi import State as ReversiState
from plyground.search import SearchLimits, SearchResult
from tests.arena import fake_players
from tests.conformance.connect_four import CONNECT_FOUR

SMALL = State(GameConfig.preset("small"))
PATIENT = Conditions(move_timeout_s=30)


def play(*tasks: Task, workers: int = 1) -> dict[str, GameResult]:
    return {done.task.label: done for done in run_tasks(tasks, workers, fake_players.make)}


def task(player1: str, player2: str, label: str = "", conditions: Conditions = PATIENT) -> Task:
    return Task.of(player1, player2, SMALL, label=label, conditions=conditions)


MISDEEDS = {
    "crash@2": "crash: RuntimeError: out of ideas",
    "leave@2": "crash: SystemExit: 3",
    "die@2": "crash: the process was ended by SIGSEGV",
    "vanish@2": "crash: the process ended with status 7",
    "nothing@2": "illegal move None",
    "words@2": r"illegal move 'e2\n[Result'",
    "far@2": "illegal move 1" + 30 * "0",
    "negative@2": "illegal move -1",
    "unspeakable@2": "illegal move <Unspeakable>",
    "unmade": "no start: OSError: no such network",
}


def test_every_misdeed_loses_with_its_reason_and_the_tournament_goes_on() -> None:
    tasks = []
    for deed in MISDEEDS:
        tasks += [task(deed, "random:seed=1", f"{deed} first")]
        tasks += [task("random:seed=1", deed, f"{deed} second")]
        tasks += [task("pathfinder", "random:seed=2", f"{deed} after")]
    done = play(*tasks, workers=2)
    assert len(done) == len(tasks)
    for deed, reason in MISDEEDS.items():
        first, second = done[f"{deed} first"].record, done[f"{deed} second"].record
        assert (first.result, first.termination) == ("0-1", reason)
        assert (second.result, second.termination) == ("1-0", reason)
        kind = next(kind for kind in ForfeitKind if reason.startswith(kind))
        for game in (done[f"{deed} first"], done[f"{deed} second"]):
            assert (game.forfeit, game.forfeited_by) == (kind, deed)
        plies = 0 if deed == "unmade" else 2
        assert len(first.moves) == plies
        assert len(second.moves) == (plies + 1 if plies else 0)
        assert done[f"{deed} after"].record.termination == "goal"
        assert done[f"{deed} after"].forfeited_by is None


def test_a_half_move_is_no_move() -> None:
    reason = play(task("half", "random"))[""].record.termination
    assert reason.startswith("illegal move ")
    assert reason.endswith(".5")


def test_silence_loses() -> None:
    done = play(
        task("pathfinder", "freeze", "no clock", Conditions(move_timeout_s=2)),
        task("pathfinder", "hang", "clock", Conditions(control=TimeControl(2))),
        workers=2,
    )
    for label, reason in {"no clock": "silence: no move in 2 s", "clock": "time"}.items():
        record = done[label].record
        assert (record.result, record.termination) == ("1-0", reason)
        assert len(record.moves) == 1


def test_the_flag_falls_for_an_answer_that_comes_too_late() -> None:
    conditions = Conditions(control=TimeControl(0.2))
    record = play(task("dawdle", "random:seed=4", conditions=conditions))[""].record
    assert (record.result, record.termination) == ("0-1", "time")
    assert record.moves == ()


def test_agents_are_shown_their_own_clock_and_the_limits() -> None:
    conditions = Conditions(SearchLimits(depth=3), TimeControl(60, 1))
    players = {1: fake_players.Boaster(5), 2: fake_players.Boaster(-4)}
    record = play_game(ReversiState(), players, conditions=conditions)
    for player in players.values():
        for move, limits in enumerate(player.limits_seen):
            assert (limits.depth, limits.increment_s) == (3, 1)
            assert limits.clock_s is not None
            assert 0 < limits.clock_s <= 60 + move
    assert sum(len(player.limits_seen) for player in players.values()) == len(record.moves) > 30
    assert [(move.score, move.depth) for move in record.moves[:2]] == [(5, 3), (-4, 3)]
    assert record.tags["TimeControl"] == "60+1"


def test_a_clock_per_move_leaves_the_agents_own_limits() -> None:
    players = {1: fake_players.Boaster(0), 2: fake_players.Boaster(0)}
    players[1].limits = SearchLimits(nodes=9)
    conditions = Conditions(control=TimeControl.parse("5/move"))
    record = play_game(ReversiState(), players, conditions=conditions)
    assert set(players[1].limits_seen) == {SearchLimits(time_s=4.95, nodes=9)}
    assert set(players[2].limits_seen) == {SearchLimits(time_s=0.01)}
    assert record.tags["TimeControl"] == "5/move"


def test_a_clock_in_the_string_of_an_agent_is_for_it_alone() -> None:
    odds = task(
        "random:seed=4,tc=40/9+0.5", "pathfinder", conditions=Conditions(None, TimeControl(60))
    )
    done = play(odds, task("dawdle", "random:tc=9", "late", Conditions(control=TimeControl(0.2))))
    tags = done[""].record.tags
    assert (tags["TimeControl1"], tags["TimeControl2"]) == ("40/9+0.5", "60")
    assert "TimeControl" not in tags
    late = done["late"].record
    assert (late.result, late.termination) == ("0-1", "time")
    lost = play(task("vanish", "random:tc=9"))[""].record
    assert (lost.termination[:5], lost.tags["TimeControl2"]) == ("crash", "9")


def test_limits_without_a_clock_replace_the_agents_own() -> None:
    players = {1: fake_players.Boaster(0), 2: fake_players.Boaster(0)}
    play_game(ReversiState(), players, conditions=Conditions(SearchLimits(nodes=9)))
    assert set(players[1].limits_seen) == {SearchLimits(nodes=9)}


def test_nodes_and_seconds_are_kept_for_both() -> None:
    done = play(task("engine:nodes=500,hash_mb=1", "random:seed=1"))[""]
    assert done.nodes[0] >= 500
    assert done.nodes[1] == 0
    assert min(done.seconds) > 0  # finer than the milliseconds of the record
    assert done.points("random:seed=1") == 0


def test_workers_play_the_same_games() -> None:
    tasks = [
        task(*players, label) for label, players in
        {"a": ("pathfinder", "minimax:depth=1"), "b": ("minimax:depth=1", "pathfinder")}.items()
    ]  # fmt: skip

    def moves(workers: int) -> dict[str, list[str]]:
        found = play(*tasks, workers=workers)
        return {label: [move.text for move in found[label].record.moves] for label in "ab"}

    assert moves(0) == moves(1) == moves(2)


def test_a_game_of_this_process_alone_is_played_in_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._games, CONNECT_FOUR.name, CONNECT_FOUR)
    one = Task.of("minimax:depth=2", "random:seed=1", CONNECT_FOUR.start())
    (played,) = run_tasks([one], workers=1)
    assert played.record.game == CONNECT_FOUR.name
    assert played.record.termination == "four in a row"
    assert played.points("minimax:depth=2") == 1


def test_tasks_may_end_early_and_games_in_flight_are_ended() -> None:
    games = run_tasks(
        (
            task("pathfinder", "hang", str(i)) if i else task("pathfinder", "random")
            for i in range(9)
        ),
        workers=2,
        make_agent=fake_players.make,
    )
    assert next(games).record.termination == "goal"
    games.close()


def test_without_workers_games_are_played_here() -> None:
    tasks = [task("pathfinder", "crash@2", str(i)) for i in range(3)]
    done = list(run_tasks(tasks, 0, fake_players.make))
    assert [game.task.label for game in done] == ["0", "1", "2"]
    assert {game.record.termination for game in done} == {"crash: RuntimeError: out of ideas"}


def test_an_agent_is_waited_for_as_long_as_it_may_think() -> None:
    def waits(conditions: Conditions) -> set[tuple[int, str]]:
        told: list[GameMessage] = []
        play_task(
            task("engine:time=0.5,depth=1,hash_mb=1", "random:seed=1", "", conditions),
            notify=told.append,
        )
        return {(event.player, event.reason) for event in told if isinstance(event, Deadline)}

    made = {(1, "not ready after 120 s"), (2, "not ready after 120 s")}
    own = waits(Conditions(move_timeout_s=5))
    assert own - made == {(1, "no move in 5.5 s"), (2, "no move in 5 s")}
    given = waits(Conditions(SearchLimits(time_s=9, depth=1), move_timeout_s=5))
    assert given - made == {(1, "no move in 14 s"), (2, "no move in 14 s")}


MEMORY = """
import gc, resource
from plyground.arena import Task, run_tasks
from plyground.quoridor import GameConfig, State
gc.disable()
start = State(GameConfig.preset("tiny"))
tasks = [Task.of("engine:nodes=50,hash_mb=64", "pathfinder", start)] * 8
used = []
for game in run_tasks(tasks, workers=0):
    used.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
print(used[-1] - used[0])
"""


def test_an_engine_is_freed_at_the_end_of_its_game() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 128  # megabytes; eight tables are 512


@pytest.mark.parametrize(
    ("spec", "plain", "clock"),
    [
        ("random:tc=5", "random", "5"),
        ("random:tc=40/5+1,seed=2", "random:seed=2", "40/5+1"),
        ("engine:hash_mb=4,tc=0.5/move,time=1", "engine:hash_mb=4,time=1", "0.5/move"),
        ("engine:./theirs,tc=5", "engine:./theirs,tc=5", "None"),
        ("engine:cmd=./theirs -x 1,tc=5,name=a", "engine:cmd=./theirs -x 1,name=a", "5"),
        ("http://host:80,tc=5", "http://host:80,tc=5", "None"),
    ],
)
def test_the_clock_is_taken_out_of_the_string(spec: str, plain: str, clock: str) -> None:
    found = split_clock(spec)
    assert (found[0], str(found[1])) == (plain, clock)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("random:tc=5,tc=6", "the option 'tc' is given twice in the agent 'random:tc=5,tc=6'"),
        ("random:tc=", "expected a time such as .*, got '' for 'tc' in the agent 'random:tc='"),
    ],
)
def test_a_wrong_clock_in_a_string(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make(spec)


def test_only_tournaments_have_clocks_in_strings() -> None:
    with pytest.raises(ConfigError, match="is for matches and tournaments only"):
        Seat.of("random:tc=5")
    assert Seat.from_record("random:tc=5").name == "random"
    assert make("random:tc=5").name == "random:tc=5"


def test_networks_are_loaded_before_the_clocks_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first move would take the time of loading, which loses at a few tenths per move."""
    began: list[str] = []
    warm_up, search = ZeroAgent.warm_up, ZeroAgent.search

    def note_warm_up(self: ZeroAgent, state: AnyState) -> None:
        warm_up(self, state)
        began.append(f"warm-up of {self._network.stem}")

    def note_search(self: ZeroAgent, state: AnyState, *limits: object) -> SearchResult:
        began.append(f"search with {self._network.stem}")
        return search(self, state, *limits)  # type: ignore[arg-type]

    monkeypatch.setattr(ZeroAgent, "warm_up", note_warm_up)
    monkeypatch.setattr(ZeroAgent, "search", note_search)
    conditions = Conditions(SearchLimits(simulations=1), adjudication=Adjudication(max_plies=2))
    play_task(task("zero", "pathfinder", conditions=conditions))
    loaded = began[0].removeprefix("warm-up of ")
    assert began == [f"warm-up of {loaded}", f"search with {loaded}"]
