"""The analysis cache: what it keeps, and what becomes of it under other processes and kills."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plyground import quoridor, reversi
from plyground.agents import EngineAgent, ZeroAgent, make
from plyground.analysis import cache as cache_module
from plyground.analysis import remembering
from plyground.analysis.adviser import adviser_for
from plyground.analysis.cache import AnalysisCache, Known
from plyground.analysis.remembering import (
    Remembering,
    is_enough,
    position_key,
    remember,
    searcher_name,
)
from plyground.nets.evaluator import shipped_network
from plyground.play.seat import Seat
from plyground.search import SearchLimits, SearchResult
from plyground.search.engine import Engine
from plyground.search.reversi_patterns import shipped_patterns

RESULT = SearchResult(13, 25.0, 6, [13, 67], 1000, 20.0)

WRITER = """
import sys
from pathlib import Path
from plyground.analysis.cache import AnalysisCache, Known
from plyground.search import SearchResult
cache = AnalysisCache(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(int(sys.argv[3])):
    result = SearchResult(number % 200, 1.5, 5, [number % 200], 100, 1.0)
    cache.put(sys.argv[2], f"position {number}", Known(result, 0.5, ((1, 2.0), (3, 1.0))))
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
    known = Known(replace(RESULT, win_in=-4), static=12.5, children=((13, 25.0), (4, -1.5)))
    with AnalysisCache(path) as cache:
        cache.put("engine", "start", known)
        assert cache.get("engine", "start") == known
        assert cache.get("other", "start") is None
        assert cache.get("engine", "elsewhere") is None
    with AnalysisCache(path) as again:
        assert (again.get("engine", "start"), len(again)) == (known, 1)
        assert again.size_bytes() > 0


def test_only_more_replaces_what_is_known(path: Path) -> None:
    with AnalysisCache(path) as cache:
        cache.put("engine", "x", Known(RESULT, static=1.0, children=((13, 25.0),)))
        cache.put("engine", "x", Known(replace(RESULT, depth=5, score=99.0)))
        cache.put("engine", "x", Known(replace(RESULT, nodes_searched=10, score=99.0)))
        assert cache.get("engine", "x") == Known(RESULT, 1.0, ((13, 25.0),))
        deeper = replace(RESULT, depth=7, score=30.0)
        cache.put("engine", "x", Known(deeper))
        assert cache.get("engine", "x") == Known(deeper, 1.0, ((13, 25.0),))


def test_a_tree_search_is_measured_by_its_nodes_and_a_proof_is_more_than_either(path: Path) -> None:
    shorter = replace(RESULT, depth=3, nodes_searched=2000)
    with AnalysisCache(path) as cache:
        cache.put("zero", "x", Known(RESULT), by_depth=False)
        cache.put("zero", "x", Known(replace(shorter, nodes_searched=999)), by_depth=False)
        assert cache.get("zero", "x") == Known(RESULT)
        cache.put("zero", "x", Known(shorter), by_depth=False)
        assert cache.get("zero", "x") == Known(shorter)
        for by_depth in (True, False):
            position = f"proven {by_depth}"
            proof = replace(RESULT, depth=2, nodes_searched=1, win_in=5)
            cache.put("zero", position, Known(RESULT), by_depth=by_depth)
            cache.put("zero", position, Known(proof), by_depth=by_depth)
            cache.put("zero", position, Known(replace(RESULT, depth=50)), by_depth=by_depth)
            assert cache.get("zero", position) == Known(proof)


def test_another_network_remembers_for_itself(path: Path, tmp_path: Path) -> None:
    state, small = quoridor.State(), quoridor.State(quoridor.GameConfig.preset("small"))
    other = tmp_path / "other.onnx"
    other.write_bytes(shipped_network().read_bytes())
    with AnalysisCache(path) as cache:
        shipped = Remembering(ZeroAgent(sims=1), cache, "zero")
        same = Remembering(ZeroAgent(sims=1, network=other), cache, "zero")
        assert shipped.searcher(state) == same.searcher(state)
        assert shipped.searcher(small) != same.searcher(small)  # 5x5 has a network of its own
        other.write_bytes(shipped_network("quoridor", 5).read_bytes())
        trained = Remembering(ZeroAgent(sims=1, network=other), cache, "zero")
        assert trained.searcher(state) != same.searcher(state)
        assert trained.searcher(small) == shipped.searcher(small)


def test_what_was_not_used_for_longest_goes_first(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000_000]
    monkeypatch.setattr(cache_module, "CHECK_EVERY", 10)
    monkeypatch.setattr(cache_module.time, "time", lambda: now[0])
    with AnalysisCache(path, most_rows=100) as cache:
        for number in range(100):
            now[0] += 1
            cache.put("engine", str(number), Known(RESULT))
        now[0] += 1000
        assert cache.get("engine", "0") is not None  # so it is the one used last
        for number in range(100, 110):
            cache.put("engine", str(number), Known(RESULT))
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


def test_whoever_begins_the_file_is_waited_for(path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")  # SQLite's own timeout does not cover this
    threading.Timer(0.2, other.close).start()
    with AnalysisCache(path) as cache:
        cache.put("engine", "start", Known(RESULT))
        assert len(cache) == 1


def test_a_kill_at_any_moment_leaves_whole_rows(path: Path) -> None:
    for _ in range(3):
        process = writer(path, "killed", 1_000_000)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        with AnalysisCache(path) as cache:  # wait until it has written something
            before = len(cache)
            while len(cache) <= before and before < 50_000:
                pass
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
        process.stdout.close()
        with AnalysisCache(path) as cache:
            assert len(cache) > 0
            for number in range(0, len(cache), 97):
                known = cache.get("killed", f"position {number}")
                assert known is not None
                assert known.children == ((1, 2.0), (3, 1.0))
        path.unlink()


def test_a_damaged_file_is_set_aside(path: Path) -> None:
    path.write_bytes(b"this is no database, " * 100)
    with AnalysisCache(path) as cache:
        cache.put("engine", "x", Known(RESULT))
        assert len(cache) == 1
    assert path.with_name("analysis.sqlite.damaged").read_bytes().startswith(b"this is no")


def test_damage_met_later_is_set_aside_too(path: Path) -> None:
    with AnalysisCache(path) as cache:
        for number in range(500):
            cache.put("engine", f"position {number}", Known(RESULT))
    whole = path.read_bytes()
    page = 4096
    path.write_bytes(whole[:page] + b"\xff" * (len(whole) - page))  # what opening reads is whole
    with AnalysisCache(path) as cache:
        assert cache.get("engine", "position 7") is None
        cache.put("engine", "x", Known(RESULT))
        assert (cache.get("engine", "x"), len(cache)) == (Known(RESULT), 1)
    assert path.with_name("analysis.sqlite.damaged").exists()


def test_a_damaged_file_can_be_cleared(path: Path) -> None:
    with AnalysisCache(path) as cache:
        for number in range(500):
            cache.put("engine", f"position {number}", Known(RESULT))
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 40_960)
    with AnalysisCache(path) as cache:
        cache.clear()
        assert len(cache) == 0


def test_a_file_of_another_format_is_begun_anew(path: Path) -> None:
    database = sqlite3.connect(path)
    database.executescript("CREATE TABLE positions (x); PRAGMA user_version = 99;")
    database.close()
    with AnalysisCache(path) as cache:
        cache.put("engine", "x", Known(RESULT))
        assert cache.get("engine", "x") == Known(RESULT)


def test_without_a_place_to_write_nothing_is_kept_and_nothing_breaks(tmp_path: Path) -> None:
    with AnalysisCache(tmp_path / "missing" / "analysis.sqlite") as cache:
        cache.put("engine", "x", Known(RESULT))
        assert (cache.get("engine", "x"), len(cache)) == (None, 0)


def test_clear(path: Path) -> None:
    with AnalysisCache(path) as cache:
        cache.put("engine", "x", Known(RESULT))
        cache.clear()
        assert len(cache) == 0


class Counting:
    """The engine, with a count of how often it had to search."""

    def __init__(self) -> None:
        self.engine = Engine(hash_mb=1)
        self.searches = 0
        self.limits = SearchLimits(depth=4)

    def points(self, state: Any) -> float:  # noqa: ARG002
        return 100.0

    def select_action(self, state: Any, limits: Any = None) -> int:
        return self.search(state, limits).best_move

    def search(self, state: Any, limits: Any = None, on_progress: Any = None) -> SearchResult:
        self.searches += 1
        return self.engine.search(state, limits or self.limits, on_progress)


def test_a_position_is_searched_once_to_each_depth(path: Path) -> None:
    state = quoridor.State()
    with AnalysisCache(path) as cache:
        counting = Counting()
        thinker = Remembering(counting, cache)
        first = thinker.search(state)
        again = thinker.search(state)
        assert counting.searches == 1
        assert (again.best_move, again.score, again.depth) == (first.best_move, first.score, 4)
        assert thinker.search(state, SearchLimits(depth=3)).depth == 4
        deeper = thinker.search(state, SearchLimits(depth=6))
        assert (counting.searches, deeper.depth) == (2, 6)
        assert thinker.search(state, SearchLimits(depth=6)).score == deeper.score
        assert counting.searches == 2
        known = cache.get(thinker.searcher(state), position_key(state))
        assert known is not None
        assert known.static is not None


def test_a_deeper_search_starts_from_what_was_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembering, "WORTH_KEEPING", 1000)
    state, limits, deeper = quoridor.State(), SearchLimits(depth=12), SearchLimits(depth=13)
    with AnalysisCache(path) as cache:
        Remembering(EngineAgent(hash_mb=16), cache).search(state, limits)
        warm = Remembering(EngineAgent(hash_mb=16), cache).search(state, deeper)
    cold = EngineAgent(hash_mb=16).search(state, deeper)
    assert (warm.depth, warm.best_move) == (cold.depth, cold.best_move)
    assert warm.nodes_searched < cold.nodes_searched


def test_tables_are_kept_up_to_a_number(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "MOST_TABLES", 3)
    now = [1_000_000]
    monkeypatch.setattr(cache_module.time, "time", lambda: now[0])
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
    states = [quoridor.State(), quoridor.State(config), reversi.State()]
    assert len({position_key(state) for state in states}) == 3


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


def test_an_agent_with_another_evaluation_remembers_for_itself(path: Path) -> None:
    state, limits = reversi.State().play("f5"), SearchLimits(depth=4)
    specs = ("engine:time=1", "engine:time=1,evaluator=classic")
    alone = [make(spec, "reversi").search(state, limits).score for spec in specs]  # type: ignore[attr-defined]
    with AnalysisCache(path) as cache:
        seats = [remember(Seat.of(spec, "reversi"), cache) for spec in specs]
        seats += [adviser_for("reversi", cache, spec) for spec in specs]
        scores = [seat.agent.search(state, limits).score for seat in seats]  # type: ignore[union-attr]
        assert scores == [*alone, *alone]
        assert len(cache) == 2


def test_nonsense_in_the_file_is_not_played(path: Path) -> None:
    state = quoridor.State()
    with AnalysisCache(path) as cache:
        thinker = Remembering(Counting(), cache)
        wrong = SearchResult(80, 0.0, 50, [80], 1, 1.0)
        cache.put(thinker.searcher(state), position_key(state), Known(wrong))
        assert thinker.search(state).best_move in state.legal_actions()


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
    assert is_enough(replace(RESULT, win_in=3), limits)


def test_reversi_is_remembered_too(path: Path) -> None:
    with AnalysisCache(path) as cache:
        thinker = Remembering(make("minimax:depth=3", "reversi"), cache, "minimax")
        first = thinker.search(reversi.State(), SearchLimits(depth=3))
        assert thinker.search(reversi.State(), SearchLimits(depth=3)).pv == first.pv
        assert len(cache) == 1


def test_the_evaluation_at_a_glance_of_reversi_is_in_discs(path: Path) -> None:
    state = reversi.State().play("f5")
    with AnalysisCache(path) as cache:
        thinker = Remembering(make("engine:depth=2,hash_mb=1", "reversi"), cache)
        thinker.search(state)
        known = cache.get(thinker.searcher(state), position_key(state))
    assert known is not None
    assert known.static == shipped_patterns().evaluate(state)
