"""The analysis cache: what it keeps, what agents read from it, other processes and kills."""

from __future__ import annotations

import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from plyground import quoridor, reversi
from plyground.agents import EngineAgent, ZeroAgent, make
from plyground.agents.base import Agent, Progress, searcher_name
from plyground.analysis import cache as cache_module
from plyground.analysis import cached_agent
from plyground.analysis.adviser import adviser_for
from plyground.analysis.cache import AnalysisCache, CacheEntry
from plyground.analysis.cached_agent import CachedAgent, cached_seat, is_enough, position_key
from plyground.games.base import State
from plyground.games.score import EXPECTED_RESULT, Score, ScoreScale
from plyground.nets.evaluator import network_for, read_network
from plyground.nets.weights_file import read_weights, write_weights
from plyground.play.seat import Seat
from plyground.search import SearchLimits, SearchResult
from plyground.search.engine import Engine
from tests.waiting import wait_until

ENTRY = CacheEntry((13, 67), 25.0, 6, 1000, 20.0)
RESULT = SearchResult(13, Score(0.25, quoridor.State().game.unit, 1), 6, [13, 67], 1000, 20.0)
OLD_FILE = Path(__file__).parents[1] / "data" / "analysis_cache.sqlite"

WRITER = """
import sys
from pathlib import Path
from plyground.analysis.cache import AnalysisCache, CacheEntry
cache = AnalysisCache(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(int(sys.argv[3])):
    entry = CacheEntry((number % 200,), 1.5, 5, 100, 1.0, children=((1, 2.0), (3, 1.0)))
    cache.put(sys.argv[2], f"position {number}", entry)
print("done", flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "analysis.sqlite"


def writer(path: Path, name: str, rows: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(rows)],
        stdout=subprocess.PIPE,
        text=True,
    )


def test_what_is_kept_comes_back(path: Path) -> None:
    entry = replace(ENTRY, win_in=-4, children=((13, 25.0), (4, -1.5)))
    with AnalysisCache(path) as cache:
        cache.put("engine", "start", entry)
        assert cache.get("engine", "start") == entry
        assert cache.get("other", "start") is None
        assert cache.get("engine", "elsewhere") is None
    with AnalysisCache(path) as again:
        assert (again.get("engine", "start"), len(again)) == (entry, 1)
        assert again.size_bytes() > 0


def test_only_a_deeper_result_replaces_an_entry(path: Path) -> None:
    ranked = replace(ENTRY, children=((13, 25.0),))
    with AnalysisCache(path) as cache:
        cache.put("engine", "x", ranked)
        cache.put("engine", "x", replace(ENTRY, depth=5, score=99.0))
        cache.put("engine", "x", replace(ENTRY, nodes=10, score=99.0))
        assert cache.get("engine", "x") == ranked
        cache.put("engine", "x", replace(ENTRY, depth=7, score=30.0))
        assert cache.get("engine", "x") == replace(ranked, depth=7, score=30.0)


def test_a_tree_search_is_measured_by_its_nodes_and_a_proof_is_more_than_either(path: Path) -> None:
    shorter = replace(ENTRY, depth=3, nodes=2000)
    with AnalysisCache(path) as cache:
        cache.put("zero", "x", ENTRY, by_depth=False)
        cache.put("zero", "x", replace(shorter, nodes=999), by_depth=False)
        assert cache.get("zero", "x") == ENTRY
        cache.put("zero", "x", shorter, by_depth=False)
        assert cache.get("zero", "x") == shorter
        for by_depth in (True, False):
            position = f"proven {by_depth}"
            proof = replace(ENTRY, depth=2, nodes=1, win_in=5)
            cache.put("zero", position, ENTRY, by_depth=by_depth)
            cache.put("zero", position, proof, by_depth=by_depth)
            cache.put("zero", position, replace(ENTRY, depth=50), by_depth=by_depth)
            assert cache.get("zero", position) == proof


def test_another_network_has_entries_of_its_own(tmp_path: Path) -> None:
    state, other = quoridor.State(), tmp_path / "other.npz"
    other.write_bytes(network_for(state).read_bytes())
    shipped, same = ZeroAgent(sims=1), ZeroAgent(sims=1, network=other)
    assert shipped.cache_identity(state) == same.cache_identity(state)
    weights, metadata = read_weights(read_network(other))
    write_weights(other, weights | {"outcome.bias": weights["outcome.bias"] + 1}, metadata)
    trained = ZeroAgent(sims=1, network=other)
    assert trained.cache_identity(state) != same.cache_identity(state)


def test_what_was_not_used_for_longest_goes_first(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000_000]
    monkeypatch.setattr(cache_module, "CHECK_EVERY", 10)
    monkeypatch.setattr("plyground.analysis.cache.time.time", lambda: now[0])
    with AnalysisCache(path, most_rows=100) as cache:
        for number in range(100):
            now[0] += 1
            cache.put("engine", str(number), ENTRY)
        now[0] += 1000
        assert cache.get("engine", "0") is not None  # so it is the one used last
        for number in range(100, 110):
            cache.put("engine", str(number), ENTRY)
        assert len(cache) == 90
        assert cache.get("engine", "0") is not None
        assert cache.get("engine", "1") is None


def test_two_processes_share_it(path: Path) -> None:
    writers = [writer(path, name, 300) for name in ("a", "b")]
    for each in writers:
        out, _ = each.communicate(timeout=120)
        assert out == "ready\ndone\n"
    with AnalysisCache(path) as cache:
        assert len(cache) == 600
        assert cache.get("a", "position 7") == cache.get("b", "position 7") is not None


def test_a_process_that_creates_the_file_is_waited_for(path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")  # SQLite's own timeout does not cover this
    threading.Timer(0.2, other.close).start()
    with AnalysisCache(path) as cache:
        cache.put("engine", "start", ENTRY)
        assert len(cache) == 1


def wait_for_rows(cache: AnalysisCache) -> None:
    """Return once another process has written some more."""
    before = len(cache)
    wait_until(lambda: len(cache) > before or before >= 50_000)


def test_a_kill_at_any_moment_leaves_whole_rows(path: Path) -> None:
    for _ in range(3):
        process = writer(path, "killed", 1_000_000)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        with AnalysisCache(path) as cache:
            wait_for_rows(cache)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
        process.stdout.close()
        with AnalysisCache(path) as cache:
            assert len(cache) > 0
            for number in range(0, len(cache), 97):
                entry = cache.get("killed", f"position {number}")
                assert entry is not None
                assert entry.children == ((1, 2.0), (3, 1.0))
        path.unlink()


def test_a_damaged_file_is_set_aside(path: Path) -> None:
    path.write_bytes(b"this is not a database, " * 100)
    with AnalysisCache(path) as cache:
        cache.put("engine", "x", ENTRY)
        assert len(cache) == 1
    assert path.with_name("analysis.sqlite.damaged").read_bytes().startswith(b"this is no")


def test_damage_met_later_is_set_aside_too(path: Path) -> None:
    with AnalysisCache(path) as cache:
        for number in range(500):
            cache.put("engine", f"position {number}", ENTRY)
    whole = path.read_bytes()
    page = 4096
    path.write_bytes(whole[:page] + b"\xff" * (len(whole) - page))  # what opening reads is whole
    with AnalysisCache(path) as cache:
        assert cache.get("engine", "position 7") is None
        cache.put("engine", "x", ENTRY)
        assert (cache.get("engine", "x"), len(cache)) == (ENTRY, 1)
    assert path.with_name("analysis.sqlite.damaged").exists()


def filled(path: Path) -> bytes:
    """The bytes of a whole cache."""
    with AnalysisCache(path) as cache:
        for number in range(40):
            cache.put("engine", f"position {number}", replace(ENTRY, children=((13, 1.0),)))
            cache.put_table("engine", f"position {number}", bytes(64))
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = DELETE")
    database.close()
    return path.read_bytes()


def use(path: Path) -> None:
    """Do everything that commands do with a cache."""
    with AnalysisCache(path) as cache:
        for number in range(0, 40, 3):
            cache.get("engine", f"position {number}")
            cache.get_table("engine", f"position {number}")
            cache.put("engine", f"position {number}", replace(ENTRY, depth=7))
        cache.put_children("engine", "position 1", [(13, 2.0)])
        assert len(cache) >= 0
        cache.clear()
        cache.put("engine", "x", ENTRY)
        assert cache.get("engine", "x") == ENTRY


@pytest.mark.parametrize("seed", range(4))
def test_damage_anywhere_in_the_file_ends_no_command(path: Path, seed: int) -> None:
    whole, rng = filled(path), random.Random(seed)
    for _ in range(12):
        damaged = bytearray(whole)
        if rng.random() < 0.2:
            del damaged[rng.randrange(len(damaged)) :]
        for _ in range(rng.choice((1, 20, 400))):
            if damaged:
                at = rng.randrange(min(len(damaged), rng.choice((200, 4096, len(damaged)))))
                damaged[at] = rng.randrange(256)
        path.write_bytes(damaged)
        for end in ("-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
        use(path)


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE TABLE other (x)",
        "CREATE TABLE positions (searcher, position)",
        "CREATE VIEW positions AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x FROM n)"
        " SELECT x AS searcher FROM n",
    ],
)
def test_a_file_with_another_schema_is_set_aside(path: Path, schema: str) -> None:
    database = sqlite3.connect(path)
    database.execute(schema)
    database.execute("PRAGMA user_version = 1")
    database.close()
    use(path)
    assert path.with_name(path.name + ".damaged").exists()


@pytest.mark.parametrize(
    "change",
    [
        "line = '[]'", "line = 'x'", "line = x'ff00'", "line = '[1e999]'", "line = '[null]'",
        "line = '{\"a\": 1}'", "line = '[99999999999999999999]'", "score = 'x'", "score = 9e999",
        "depth = 'deep'", "depth = -1", "depth = 9000000000000000000", "win_in = 'soon'",
        "nodes = x'00'", "time_ms = 'x'", "exact = 'no'", "children = '[[1]]'",
        "children = '[[1, 2, 3]]'", "children = 'x'", "children = 7", "used = 'x'",
        "line = replace(hex(zeroblob(9000)), '0', '[')", "line = cast(x'5bff5d' AS TEXT)",
    ],
)  # fmt: skip
def test_a_damaged_row_is_deleted(path: Path, change: str) -> None:
    filled(path)
    database = sqlite3.connect(path)
    database.execute(f"UPDATE positions SET {change}")
    database.commit()
    database.close()
    with AnalysisCache(path) as cache:
        assert cache.get("engine", "position 3") is None
        assert len(cache) == 39
        assert cache.get("engine", "position 3") is None


@pytest.mark.parametrize("value", ["7", "10000000000000", "'text'", "x'00'", "zeroblob(9000000)"])
def test_a_damaged_table_is_deleted(path: Path, value: str) -> None:
    filled(path)
    database = sqlite3.connect(path)
    database.execute(f"UPDATE tables SET kept = {value}")
    database.commit()
    database.close()
    with AnalysisCache(path) as cache:
        assert cache.get_table("engine", "position 3") is None


def test_illegal_moves_of_a_cached_line_are_cut_off(path: Path) -> None:
    state, agent = quoridor.State(), EngineAgent(hash_mb=1)
    with AnalysisCache(path) as cache:
        key = (agent.cache_identity(state), position_key(state))
        cache.put(*key, replace(ENTRY, line=(13, 13, 5), depth=90))
        found = CachedAgent(agent, cache).search(state, SearchLimits(depth=9))
    assert (found.depth, found.pv) == (90, [13])


def test_a_damaged_file_can_be_cleared(path: Path) -> None:
    with AnalysisCache(path) as cache:
        for number in range(500):
            cache.put("engine", f"position {number}", ENTRY)
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 40_960)
    with AnalysisCache(path) as cache:
        cache.clear()
        assert len(cache) == 0


def test_a_file_of_another_format_is_begun_anew(path: Path) -> None:
    database = sqlite3.connect(path)
    database.executescript("CREATE TABLE positions (x); PRAGMA user_version = 99;")
    database.close()
    with AnalysisCache(path) as cache:
        cache.put("engine", "x", ENTRY)
        assert cache.get("engine", "x") == ENTRY


def test_without_a_place_to_write_nothing_is_kept_and_nothing_breaks(tmp_path: Path) -> None:
    with AnalysisCache(tmp_path / "missing" / "analysis.sqlite") as cache:
        cache.put("engine", "x", ENTRY)
        assert (cache.get("engine", "x"), len(cache)) == (None, 0)


def test_clear(path: Path) -> None:
    with AnalysisCache(path) as cache:
        cache.put("engine", "x", ENTRY)
        cache.clear()
        assert len(cache) == 0


class CountingAgent(Agent):
    """The engine, with a count of its searches."""

    name = "engine"
    evaluates = True
    limits = SearchLimits(depth=4)

    def __init__(self) -> None:
        self.engine = Engine(hash_mb=1)
        self.searches = 0

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        self.searches += 1
        return self.engine.search(state, self.limits_for(limits), on_progress)

    def cache_scale(self, state: State) -> ScoreScale:
        return ScoreScale(state.game.unit, 100)


@pytest.mark.parametrize("spec", ["minimax:depth=1", "random", "engine:hash_mb=1", "zero:sims=1"])
def test_a_cached_agent_describes_itself_as_its_agent_does(spec: str, path: Path) -> None:
    inner = make(spec)
    with AnalysisCache(path) as cache:
        agent = CachedAgent(inner, cache)
    described = {name: getattr(agent, name) for name in Agent.__annotations__}
    assert described == {name: getattr(inner, name) for name in Agent.__annotations__}


def test_a_position_is_searched_once_to_each_depth(path: Path) -> None:
    state = quoridor.State()
    with AnalysisCache(path) as cache:
        counting = CountingAgent()
        agent = CachedAgent(counting, cache)
        first = agent.search(state)
        again = agent.search(state)
        assert counting.searches == 1
        assert (again.best_move, again.score, again.depth) == (first.best_move, first.score, 4)
        assert agent.search(state, SearchLimits(depth=3)).depth == 4
        deeper = agent.search(state, SearchLimits(depth=6))
        assert (counting.searches, deeper.depth) == (2, 6)
        assert agent.search(state, SearchLimits(depth=6)).score == deeper.score
        assert counting.searches == 2
        assert str(agent.select_action(state)) == state.format_move(deeper.best_move)


@pytest.mark.parametrize("spec", ["engine", "minimax:depth=2", "zero:sims=8", "hard"])
def test_every_agents_scores_come_back_as_they_were(path: Path, spec: str) -> None:
    state = quoridor.State.parse("5 c2/c4 b2h 4/5 1 4 0")
    limits = {"engine": SearchLimits(depth=4), "hard": None}.get(spec, make(spec).limits)
    with AnalysisCache(path) as cache:
        agent = CachedAgent(make(spec), cache)
        found = agent.search(state, limits)
        entry = cache.get(agent.cache_identity(state), position_key(state))
        assert entry is not None
        assert found.score is not None
        again = CachedAgent(make(spec), cache).search(state, SearchLimits(depth=1, simulations=1))
        assert again.score is not None
        assert again.score.value == pytest.approx(found.score.value)
        assert (again.score.unit, again.score.player) == (found.score.unit, found.score.player)


def test_agents_in_front_of_a_cache_pass_on_what_hosts_call(path: Path) -> None:
    class Calls(CountingAgent):
        def __init__(self) -> None:
            super().__init__()
            self.calls: list[str] = []

        def prepare(self) -> None:
            self.calls.append("prepare")

        def new_game(self) -> None:
            self.calls.append("new_game")

        def stop(self) -> None:
            self.calls.append("stop")

        def close(self) -> None:
            self.calls.append("close")

    inner = Calls()
    with AnalysisCache(path) as cache:
        agent = CachedAgent(inner, cache)
        for call in (agent.prepare, agent.new_game, agent.stop, agent.close):
            call()
    assert inner.calls == ["prepare", "new_game", "stop", "close"]
    assert (agent.name, agent.limits, agent.evaluates) == ("engine", SearchLimits(depth=4), True)
    assert agent.rank(quoridor.State()) == []


def test_a_deeper_search_starts_from_what_was_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_agent, "WORTH_KEEPING", 1000)
    state, limits, deeper = quoridor.State(), SearchLimits(depth=12), SearchLimits(depth=13)
    with AnalysisCache(path) as cache:
        CachedAgent(EngineAgent(hash_mb=16), cache).search(state, limits)
        warm = CachedAgent(EngineAgent(hash_mb=16), cache).search(state, deeper)
    cold = EngineAgent(hash_mb=16).search(state, deeper)
    assert (warm.depth, warm.best_move) == (cold.depth, cold.best_move)
    assert warm.nodes_searched < cold.nodes_searched


def test_tables_are_kept_up_to_a_number(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "MOST_TABLES", 3)
    now = [1_000_000]
    monkeypatch.setattr("plyground.analysis.cache.time.time", lambda: now[0])
    with AnalysisCache(path) as cache:
        for number in range(5):
            now[0] += 1
            cache.put_table("engine", str(number), bytes(16))
        kept = [cache.get_table("engine", str(number)) for number in range(5)]
        assert kept == [None, None, bytes(16), bytes(16), bytes(16)]
        cache.clear()
        assert cache.get_table("engine", "4") is None


def test_games_and_settings_are_kept_apart() -> None:
    config = quoridor.GameConfig(max_moves=60)
    states: list[State] = [quoridor.State(), quoridor.State(config), reversi.State()]
    assert [position_key(state) for state in states] == [
        "quoridor 200 50 10 9 e1/e9 - 10/10 1 0 0",
        "quoridor 60 50 10 9 e1/e9 - 10/10 1 0 0",
        "reversi ---------------------------OX------XO--------------------------- X",
    ]


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("engine:time=1", "engine"),
        ("engine:hash_mb=4,depth=9,threads=2", "engine"),
        ("engine:time=1,evaluator=classic", "engine:evaluator=classic"),
        ("engine:./theirs --fast", "engine:./theirs --fast"),
        ("zero:sims=50,network=net.onnx", "zero:network=net.onnx"),
        ("expert", "expert"),
    ],
)
def test_what_limits_an_agent_is_not_its_name(spec: str, name: str) -> None:
    assert searcher_name(spec) == name


def test_an_agent_with_another_evaluation_has_entries_of_its_own(path: Path) -> None:
    state, limits = reversi.State().play("f5"), SearchLimits(depth=4)
    specs = ("engine:time=1", "engine:time=1,evaluator=classic")
    alone = [make(spec, "reversi").search(state, limits).score for spec in specs]
    with AnalysisCache(path) as cache:
        seats = [cached_seat(Seat.of(spec, "reversi"), cache) for spec in specs]
        seats += [adviser_for("reversi", cache, spec) for spec in specs]
        assert [seat.search(state, limits).score for seat in seats] == [*alone, *alone]
        assert len(cache) == 2


@pytest.mark.parametrize("spec", ["engine:depth=3", "engine:nodes=100", "pathfinder", "human"])
def test_agents_of_limited_strength_do_not_use_the_cache(path: Path, spec: str) -> None:
    seat = Seat.of(spec)
    with AnalysisCache(path) as cache:
        assert cached_seat(seat, cache) is seat


def test_an_illegal_move_in_the_file_is_not_played(path: Path) -> None:
    state = quoridor.State()
    with AnalysisCache(path) as cache:
        agent = CachedAgent(CountingAgent(), cache)
        wrong = CacheEntry((80,), 0.0, 50, 1, 1.0)
        cache.put(agent.cache_identity(state), position_key(state), wrong)
        assert agent.search(state).best_move in state.legal_actions()


@pytest.mark.parametrize(
    ("limits", "enough"),
    [
        (SearchLimits(depth=6), True),
        (SearchLimits(depth=7), False),
        (SearchLimits(nodes=1000), True),
        (SearchLimits(nodes=2000), False),
        (SearchLimits(time_s=0.02), True),
        (SearchLimits(time_s=1.0), False),
        (SearchLimits(clock_s=10.0), False),
        (None, False),
    ],
)
def test_enough_is_as_far_as_the_limits_go(limits: SearchLimits | None, enough: bool) -> None:
    assert is_enough(RESULT, limits) is enough
    assert is_enough(replace(RESULT, score=Score.proven(3, 1)), limits)


def test_results_of_reversi_are_cached_too(path: Path) -> None:
    with AnalysisCache(path) as cache:
        agent = CachedAgent(make("minimax:depth=3", "reversi"), cache)
        first = agent.search(reversi.State(), SearchLimits(depth=3))
        assert agent.search(reversi.State(), SearchLimits(depth=3)).pv == first.pv
        assert len(cache) == 1


def test_an_agent_that_gives_no_score_is_not_cached(path: Path) -> None:
    with AnalysisCache(path) as cache:
        agent = CachedAgent(make("pathfinder"), cache)
        assert agent.select_action(quoridor.State()) == 13
        assert len(cache) == 0


# A file that version 0.1.0 wrote when scores still were plain numbers in a unit of each searcher.
# For each row: the agent, the position, its limits, and what the score must be.

MIDDLE = "5 c2/c4 b2h 4/5 1 4 0"
F5 = "---------------------------OX------XXX-------------------------- O"
ENDGAME = "X" * 49 + "O" * 6 + "-X" + "O" * 5 + "-- O"


class UnexpectedSearchError(AssertionError):
    """Raised by an agent that should have found its answer in the cache."""


def without_search(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> Agent:
    def search(*_: object) -> SearchResult:
        raise UnexpectedSearchError

    monkeypatch.setattr(agent, "search", search)
    return agent


@pytest.mark.parametrize(
    ("spec", "game", "position", "limits", "value", "unit"),
    [
        ("engine:time=1", "quoridor", MIDDLE, SearchLimits(depth=6), -1.58, "steps"),
        ("minimax:depth=2", "quoridor", MIDDLE, SearchLimits(depth=2), -0.4583, "steps"),
        ("zero:sims=16", "quoridor", MIDDLE, SearchLimits(simulations=16), 0.7547, "value"),
        ("engine", "reversi", F5, SearchLimits(depth=6), -2.94, "discs"),
        ("engine:evaluator=classic", "reversi", F5, SearchLimits(depth=6), -1.75, "discs"),
        ("engine", "reversi", ENDGAME, SearchLimits(depth=9), -64.0, "discs"),
    ],
)
def test_scores_of_an_older_file_are_read_in_their_units(
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    spec: str,
    game: str,
    position: str,
    limits: SearchLimits,
    value: float,
    unit: str,
) -> None:
    monkeypatch.setattr("plyground.agents.base.__version__", "0.1.0")
    shutil.copy(OLD_FILE, path)
    agent = make(spec, game)
    if isinstance(agent, ZeroAgent):  # the network that wrote the file may be another one
        monkeypatch.setattr(agent, "cache_identity", lambda _: "zero 0.1.0 4669ed196f20")
    state = agent_state(game, position)
    with AnalysisCache(path) as cache:
        cached = CachedAgent(without_search(agent, monkeypatch), cache)
        score = cached.search(state, limits).score
    assert score is not None
    assert score.value == pytest.approx(value, abs=1e-4)
    assert (score.unit.name, score.player) == (unit, state.current_player)
    assert score.exact == (position == ENDGAME)


def agent_state(game: str, position: str) -> State:
    return quoridor.State.parse(position) if game == "quoridor" else reversi.State.parse(position)


def test_proofs_rankings_and_tables_of_an_older_file_are_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.agents.base.__version__", "0.1.0")
    shutil.copy(OLD_FILE, path)
    won, lost = (
        quoridor.State.parse(text) for text in ("3 b2/a3 - 0/0 1 6 4", "3 b1/b3 - 1/1 2 5 1")
    )
    with AnalysisCache(path) as cache:
        agent = CachedAgent(without_search(make("engine"), monkeypatch), cache)
        assert agent.search(won).win_in == 1
        ranked = agent.rank(lost)
        assert sorted(action for action, _ in ranked) == lost.legal_actions()
        assert [score.win_in for _, score in ranked] == [-8] * 4 + [-6] * 4 + [-4] * 2 + [-2]
        middle = quoridor.State.parse(MIDDLE)
        table = cache.get_table(agent.cache_identity(middle), position_key(middle))
        assert table
        make("engine").import_table(middle, table)


@pytest.mark.parametrize(
    ("spec", "limits", "scale"),
    [("engine", SearchLimits(depth=6), 100), ("zero", SearchLimits(simulations=16), 1)],
)
def test_what_is_written_now_means_the_same_to_older_versions(
    path: Path, spec: str, limits: SearchLimits, scale: float
) -> None:
    state = quoridor.State.parse(MIDDLE)
    with AnalysisCache(path) as cache:
        found = CachedAgent(make(spec), cache).search(state, limits)
    assert found.score is not None
    with sqlite3.connect(path) as database:
        rows = database.execute("SELECT score, static FROM positions").fetchall()
    assert rows == [(pytest.approx(scale * found.score.value), None)]


def test_scores_are_stored_as_numbers_and_back() -> None:
    steps = quoridor.State().game.unit
    scale = ScoreScale(steps, 100)
    for score in (
        Score(-1.58, steps, 2),
        Score.proven(1, 2),
        Score.proven(-40, 2),
    ):
        for played in (0, 1):
            assert scale.to_score(scale.to_number(score, played), 2, played) == score
    # A draw at the end of a line is an expected result among steps.
    assert scale.to_number(Score.expected(0.0, 1)) == 0.0
    assert Score(1.5, steps, 1).in_unit(EXPECTED_RESULT).chance() == pytest.approx(0.731, abs=1e-3)
