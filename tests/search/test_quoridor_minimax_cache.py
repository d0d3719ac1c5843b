"""The three caches of the minimax opponent: same answers, kept on disk, safe, limited."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from plyground.errors import ConfigError
from plyground.quoridor import GameConfig, State
from plyground.search import quoridor_dijkstra, quoridor_minimax_cache
from plyground.search.quoridor_dijkstra import DISTANCES_ONLY, cached_search, growing_depth
from plyground.search.quoridor_minimax_cache import MinimaxCache, cache_key
from plyground.search.result import SearchResult
from plyground.search.textbook import alphabeta

START = State()
SMALL = State(GameConfig.preset("small"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "minimax.sqlite"


def answer(result: SearchResult) -> tuple[object, ...]:
    return result.best_move, result.score, result.pv, result.depth, result.nodes_searched


def random_states(rng: random.Random, size: int, count: int) -> list[State]:
    found: list[State] = []
    while len(found) < count:
        state = State(GameConfig(board_size=size, max_moves=30, no_progress_limit=10))
        for _ in range(rng.randrange(29)):
            if not state.game_over:
                state = state.play(rng.choice(state.legal_actions()))
        if not state.game_over:
            found.append(state)
    return found


def fill(path: Path, states: list[State]) -> None:
    with MinimaxCache(path) as cache:
        for state in states:
            cached_search(state, 2, cache)


def rows(path: Path, table: str) -> int:
    database = sqlite3.connect(path)
    (count,) = database.execute(f"SELECT count(*) FROM {table}").fetchone()
    database.close()
    return int(count)


# ---- the same answers


@pytest.mark.parametrize("size", range(3, 10))
def test_answers_are_the_same_with_and_without_caches(
    size: int, rng: random.Random, path: Path
) -> None:
    states = random_states(rng, size, 8)
    plain = [alphabeta(state, 2, DISTANCES_ONLY, wall_order="dijkstra") for state in states]
    for _ in range(2):  # the second time from the file
        with MinimaxCache(path) as cache:
            for state, result in zip(states, plain, strict=True):
                assert answer(cached_search(state, 2, cache)) == answer(result)
                assert answer(cached_search(state, 2, cache)) == answer(result)


def test_all_three_caches_are_used_in_the_next_run(path: Path) -> None:
    with MinimaxCache(path) as cache:
        first = cached_search(START, 3, cache)
        assert cache.found["children"] < 10
    with MinimaxCache(path) as cache:
        sizes = cache.sizes()
        assert sizes.best_moves == 1
        assert sizes.evaluations > 1000
        assert sizes.children > 100
        assert sizes.bytes > 0
        assert cached_search(START, 3, cache).nodes_searched == first.nodes_searched
        assert cache.found == {"evaluations": 0, "children": 0}  # nothing was searched
    database = sqlite3.connect(path)
    database.execute("DELETE FROM best_moves")
    database.commit()
    database.close()
    with MinimaxCache(path) as cache:
        assert answer(cached_search(START, 3, cache)) == answer(first)
        assert cache.found["evaluations"] > 1000
        assert cache.found["children"] > 100


def test_depths_are_kept_apart(path: Path) -> None:
    with MinimaxCache(path) as cache:
        assert [cached_search(SMALL, depth, cache).depth for depth in (1, 2, 1)] == [1, 2, 1]
        assert cache.get(SMALL, 3) is None


def test_draw_limits_count_only_within_the_depth() -> None:
    later = State.parse("9 e1/e9 - 10/10 1 4 4")
    assert cache_key(later, 3) == cache_key(START, 3)
    near = State.parse("9 e1/e9 - 10/10 1 198 4")
    nearer = State.parse("9 e1/e9 - 10/10 1 199 4")
    assert len({cache_key(state, 3) for state in (START, near, nearer)}) == 3
    assert cache_key(near, 1) == cache_key(START, 1)
    other = State.parse("9 e1/e9 - 10/10 1 198 4", GameConfig(draw_penalty=-0.5))
    assert cache_key(other, 3) != cache_key(near, 3)


def test_the_depth_grows_as_pawns_near_their_goals() -> None:
    def depths(size: int) -> list[int]:
        column = "abcde"[size // 2]
        positions = [f"{size} {column}{row}/a{size} - 1/1 1 0 0" for row in range(1, size)]
        return [growing_depth(State.parse(text)) for text in positions]

    assert depths(9) == [3, 3, 3, 3, 4, 4, 5, 5]
    assert depths(5) == [3, 3, 4, 5]
    assert depths(3) == [3, 4]
    assert growing_depth(State.parse("9 e1/e3 - 10/10 1 0 0")) == 5  # either pawn
    # Steps count, not rows: a wall makes the way longer.
    assert growing_depth(State.parse("9 e7/a9 d7h 9/10 1 0 0")) == 4


# ---- the file


def test_results_are_saved_every_few_searches(path: Path) -> None:
    with MinimaxCache(path) as cache:
        states = random_states(random.Random(1), 5, quoridor_minimax_cache.SAVE_EVERY)
        for state in states[:-1]:
            cached_search(state, 1, cache)
        assert rows(path, "best_moves") == 0
        cached_search(states[-1], 1, cache)
        assert rows(path, "best_moves") > 10


def test_a_second_process_finds_what_the_first_has_saved(path: Path) -> None:
    with MinimaxCache(path) as one, MinimaxCache(path) as other:
        cached_search(SMALL, 3, one)
        assert other.get(SMALL, 3) is None
        one.save()
        assert other.get(SMALL, 3) is not None


def test_the_size_is_limited(path: Path) -> None:
    states = random_states(random.Random(2), 5, 60)
    with MinimaxCache(path, most_best_moves=20, most_bytes=20_000) as cache:
        for state in states:
            cached_search(state, 2, cache)
            cache.save()
    assert 0 < rows(path, "best_moves") <= 20
    database = sqlite3.connect(path)
    totals = database.execute("SELECT sum(length(content)) FROM blocks GROUP BY kind").fetchall()
    database.close()
    assert len(totals) == 2
    assert all(0 < total <= 20_000 for (total,) in totals)
    with MinimaxCache(path) as cache:  # the newest are left
        assert cache.get(states[-1], 2) is not None


def test_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quoridor_minimax_cache, "MOST_IN_MEMORY", 10)
    cache = MinimaxCache(None)
    states = random_states(random.Random(3), 5, 30)
    for state in states:
        cached_search(state, 1, cache)
    assert cache.sizes().best_moves <= 10
    assert cache.get(states[-1], 1) is not None


def test_a_kill_at_any_moment_leaves_a_whole_file(path: Path) -> None:
    program = (
        "import sys, random, pathlib\n"
        "from plyground.quoridor import GameConfig, State\n"
        "from plyground.search import quoridor_minimax_cache as caches\n"
        "from plyground.search.quoridor_dijkstra import cached_search\n"
        "caches.SAVE_EVERY = 1\n"
        "cache, rng = caches.MinimaxCache(pathlib.Path(sys.argv[1])), random.Random(1)\n"
        "while True:\n"
        "    state = State(GameConfig(board_size=5))\n"
        "    while not state.game_over:\n"
        "        cached_search(state, 1, cache)\n"
        "        state = state.play(rng.choice(state.legal_actions()))\n"
        "        print(flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for _ in range(20):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)
    process.stdout.close()
    with MinimaxCache(path) as cache:
        assert cache.sizes().best_moves >= 15
        assert cached_search(SMALL, 1, cache).pv == cached_search(SMALL, 1).pv
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_threads_share_the_caches(path: Path) -> None:
    states = random_states(random.Random(4), 5, 20)
    plain = [answer(cached_search(state, 2)) for state in states]
    wrong: list[State] = []
    with MinimaxCache(path) as cache:

        def work() -> None:
            for state, expected in zip(states, plain, strict=True):
                if answer(cached_search(state, 2, cache)) != expected:
                    wrong.append(state)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


# ---- damage


def test_a_damaged_file_is_set_aside(path: Path) -> None:
    path.write_bytes(b"this is not a database, " * 100)
    fill(path, [SMALL])
    assert rows(path, "best_moves") == 1
    assert path.with_name("minimax.sqlite.damaged").exists()


def test_damage_met_later_is_set_aside_too(path: Path) -> None:
    fill(path, random_states(random.Random(5), 5, 200))
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    fill(path, [SMALL])
    fill(path, [SMALL])
    assert rows(path, "best_moves") == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("line", ""),
        ("line", "7 7 7"),  # an illegal move
        ("line", "-1"),
        ("line", "9" * 30),
        ("line", "e2"),
        ("line", b"\xff\xfe"),
        ("score", "much"),
        ("score", float("inf")),
        ("nodes", "many"),
        ("win_in", 0),
        ("win_in", 99),
        ("win_in", "soon"),
    ],
)
def test_a_bad_row_is_not_used(column: str, value: object, path: Path) -> None:
    fill(path, [SMALL])
    database = sqlite3.connect(path)
    database.execute(f"UPDATE best_moves SET {column} = ?", (value,))
    database.commit()
    database.close()
    with MinimaxCache(path) as cache:
        assert cache.get(SMALL, 2) is None
        assert answer(cached_search(SMALL, 2, cache)) == answer(cached_search(SMALL, 2))


@pytest.mark.parametrize(
    "change",
    [
        "content = randomblob(1000)",
        "content = substr(content, 1, 33)",
        "content = 'text'",
        "content = zeroblob(0)",
        "checksum = 'none'",
        "kind = 'others'",
        "entries = 'some'",
    ],
)
def test_a_bad_block_is_not_loaded(change: str, path: Path) -> None:
    fill(path, [SMALL])
    database = sqlite3.connect(path)
    database.execute(f"UPDATE blocks SET {change}")
    database.execute("DELETE FROM best_moves")
    database.commit()
    database.close()
    with MinimaxCache(path) as cache:
        assert answer(cached_search(SMALL, 2, cache)) == answer(cached_search(SMALL, 2))
        if not change.startswith("entries"):
            assert cache.found["children"] == 0
        cache.save()
        assert cache.sizes().best_moves == 1


@pytest.mark.parametrize(
    "script",
    [
        "DROP TABLE blocks",
        "ALTER TABLE best_moves RENAME COLUMN line TO lines",
        "CREATE TRIGGER t AFTER INSERT ON best_moves BEGIN DELETE FROM best_moves; END",
        "DROP TABLE blocks; CREATE VIEW blocks AS SELECT * FROM best_moves",
    ],
)
def test_a_foreign_schema_is_set_aside(script: str, path: Path) -> None:
    fill(path, [SMALL])
    database = sqlite3.connect(path)
    database.executescript(script)
    database.close()
    fill(path, [SMALL, START])
    assert rows(path, "best_moves") == 2
    assert path.with_name("minimax.sqlite.damaged").exists()


def test_a_damaged_file_can_be_cleared(path: Path) -> None:
    fill(path, random_states(random.Random(6), 5, 200))
    with MinimaxCache(path) as cache:
        cache._file.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
        path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 40_960)
        cache.clear()
        assert cache.sizes().best_moves == 0


def test_a_file_of_another_format_is_begun_anew(path: Path) -> None:
    database = sqlite3.connect(path)
    database.executescript("CREATE TABLE blocks (x); PRAGMA user_version = 99;")
    database.close()
    fill(path, [SMALL])
    assert rows(path, "best_moves") == 1


@pytest.mark.parametrize("place", ["missing/minimax.sqlite", ""])
def test_without_a_file_the_caches_are_in_memory(place: str, tmp_path: Path) -> None:
    with MinimaxCache(tmp_path / place if place else None) as cache:
        cached_search(SMALL, 2, cache)
        cache.save()
        assert cache.get(SMALL, 2) is not None
        assert cache.sizes().best_moves == 1
        if place:
            with pytest.raises(ConfigError, match="cannot clear"):
                cache.clear()
        else:
            cache.clear()
            assert cache.get(SMALL, 2) is None


def test_clear(path: Path) -> None:
    with MinimaxCache(path) as cache:
        cached_search(SMALL, 2, cache)
        cache.save()
        cache.clear()
        assert cache.get(SMALL, 2) is None
        sizes = cache.sizes()
        assert (sizes.best_moves, sizes.evaluations, sizes.children) == (0, 0, 0)


def test_a_file_that_cannot_be_written_costs_nothing(path: Path) -> None:
    fill(path, [SMALL])
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with MinimaxCache(path) as cache:
        cache._file.database.execute("PRAGMA busy_timeout = 1")  # type: ignore[union-attr]
        assert cached_search(START, 2, cache).best_move in START.legal_actions()
        cache.save()
        assert cache.get(START, 2) is not None  # still in memory
    other.close()


def test_a_search_that_is_stopped_keeps_nothing() -> None:
    class StopError(Exception):
        pass

    def stop() -> None:
        raise StopError

    cache = MinimaxCache(None)
    with pytest.raises(StopError):
        cached_search(START, 20, cache, stop)
    assert cache.get(START, 20) is None


def test_other_games_are_rejected() -> None:
    from plyground import reversi

    with pytest.raises(ConfigError):
        quoridor_dijkstra.cached_search(reversi.State(), 2)  # type: ignore[arg-type]
