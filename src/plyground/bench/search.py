"""How much the searches look at, and how fast, on one fixed set of positions a board.

Most limits are in nodes, so that two runs count the same nodes on any machine. Time is the
processor's, and what is compared takes turns, so that a slow moment of the machine falls on all
alike; ratios within a run mean more than any figure by itself. Only the threads are timed by the
clock on the wall. The tables are in `search_table.py`, the drawing in `search_plot.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import truediv
from statistics import geometric_mean, median
from time import perf_counter, process_time
from typing import get_args

from plyground.bench.positions import BOARD_SIZES, positions
from plyground.bench.search_report import (
    BoardReport,
    DepthTotals,
    EngineDepth,
    SwitchCost,
    ThreadSpeed,
)
from plyground.quoridor import State
from plyground.search.engine import Engine, default_switches
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.search.textbook import WallOrder, alphabeta, minimax

MAX_DEPTH = 12
SWITCH_CAP = 30
"""A search without one of its parts may take this many times the nodes, then it is cut short."""
THREADS_HASH_MB = 64
SHORTEST_S = 0.01
"""What takes less is repeated at once, or says nothing about speed."""

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much may be spent on each part, for one board; nodes are of all its positions."""

    repeats: int = 3
    """How often to time everything."""
    patience_s: float = 6.0
    """Nothing is repeated if that would take longer than this."""
    stride: int = 1
    """Use every n-th position."""
    hash_mb: int = 16
    """The table of the engine with one thread."""
    minimax_nodes: int = 60_000_000
    perft_nodes: int = 4_000_000_000
    """Nodes of minimax that are counted, not searched; that is a hundred times as fast."""
    alphabeta_nodes: int = 60_000_000
    position_nodes: int = 1_000_000
    """Of the engine, for each position."""
    start_nodes: int = 20_000_000
    """Of the engine, for the start of the game."""
    switch_nodes: int = 1_000_000
    """Of the engine as it is, before one of its parts is switched."""
    thread_s: float = 0.5
    """For each search with several threads."""
    thread_positions: int = 6


FULL = Effort()
QUICK = Effort(
    repeats=1,
    stride=4,
    hash_mb=4,
    minimax_nodes=6_000_000,
    perft_nodes=30_000_000,
    alphabeta_nodes=500_000,
    position_nodes=50_000,
    start_nodes=200_000,
    switch_nodes=20_000,
    thread_s=0.05,
    thread_positions=2,
)


@dataclass(frozen=True, slots=True)
class Iterations:
    """One search of the engine: nodes and time when each depth was finished."""

    result: SearchResult
    seconds_by_depth: list[float]
    seconds: float
    cpu_seconds: float
    """The processor's, of all threads, whatever clock the others are by."""

    def finished(self, depth: int) -> bool:
        """Whether the depth was finished, or nothing was left to find before."""
        return self.result.depth >= depth or self.proven

    @property
    def proven(self) -> bool:
        """Whether the search ended with a proof."""
        return self.result.win_in is not None and abs(self.result.win_in) <= self.result.depth

    def nodes_at(self, depth: int) -> int:
        """Nodes to finish the depth, or to the proof."""
        return self.result.nodes_by_depth[min(depth, self.result.depth) - 1]

    def seconds_at(self, depth: int) -> float:
        """Seconds to finish the depth, or to the proof; the whole search if it finished none."""
        if not self.seconds_by_depth:
            return self.seconds
        return self.seconds_by_depth[min(depth, self.result.depth) - 1]


def measure(
    board_sizes: Sequence[int] = BOARD_SIZES,
    effort: Effort = FULL,
    max_threads: int = 1,
    progress: Progress = lambda _: None,
) -> list[BoardReport]:
    """Measure everything on each board, with up to `max_threads` threads."""
    return [measure_board(size, effort, max_threads, progress) for size in board_sizes]


def measure_board(
    board_size: int, effort: Effort, max_threads: int, progress: Progress
) -> BoardReport:
    """Measure everything on one board."""

    def tell(text: str) -> None:
        progress(f"{board_size}x{board_size}: {text}")

    states = positions(board_size)[:: effort.stride]
    report = BoardReport(board_size, [state.text() for state in states])
    report.alphabeta = alphabeta_depths(states, effort, tell)
    deepest = len(report.alphabeta["nearest"])
    report.minimax = minimax_depths(states, deepest, effort, tell)
    searches = measure_engine(report, states, effort, tell)
    measure_switches(report, states, searches, effort, tell)
    unproven = [state for state, run in zip(states, searches, strict=True) if not run.proven]
    counts = thread_counts(max_threads)
    report.threads = thread_speeds(unproven[: effort.thread_positions], counts, effort, tell)
    return report


def alphabeta_depths(
    states: list[State], effort: Effort, progress: Progress
) -> dict[str, list[DepthTotals]]:
    """Search with each order of walls, deeper and deeper, until the next depth would be too much.

    Odd and even depths grow differently, so the next one is foreseen from the last but one.
    """
    orders: tuple[WallOrder, ...] = get_args(WallOrder)
    depths: dict[str, list[DepthTotals]] = {order: [] for order in orders}
    for depth in range(1, MAX_DEPTH + 1):
        results: dict[str, list[SearchResult]] = {}
        seconds: dict[str, list[float]] = {order: [] for order in orders}
        for turn in turns(effort):
            for order in orders:
                progress(f"alpha-beta, {order}, depth {depth}, turn {turn}")
                search = partial(alphabeta, depth=depth, wall_order=order)
                results[order], time = search_all(search, states)
                seconds[order].append(time)
        for order in orders:
            depths[order].append(totals(depth, results[order], median(seconds[order])))
        if max(next_nodes(done) for done in depths.values()) > effort.alphabeta_nodes:
            break
    return depths


def minimax_depths(
    states: list[State], deepest: int, effort: Effort, progress: Progress
) -> list[DepthTotals]:
    """Search without pruning where that is quick, and count what it would look at one step further.

    Minimax looks at every line, so its nodes are the move paths of all lengths up to the depth.
    """
    depths: list[DepthTotals] = []
    nodes = len(states)
    for depth in range(1, deepest + 1):
        progress(f"minimax, depth {depth}")
        hash_mb = 32 if nodes > 1_000_000 else 0
        nodes += sum(state.perft(depth, hash_mb) for state in states)
        seconds = None
        if nodes <= effort.minimax_nodes:
            times: list[float] = []
            for turn in turns(effort):
                progress(f"minimax, depth {depth}, turn {turn}")
                times.append(search_all(partial(minimax, depth=depth), states)[1])
            seconds = median(times)
        depths.append(DepthTotals(depth, nodes, seconds, 0, 0, branching(nodes, states, depth)))
        if next_nodes(depths) > effort.perft_nodes:
            break
    return depths


def measure_engine(
    report: BoardReport, states: list[State], effort: Effort, progress: Progress
) -> list[Iterations]:
    """Search every position with one thread, the start for longer; returns the searches."""
    searches: list[Iterations] = []
    for number, state in enumerate(states):
        nodes = effort.start_nodes if number == 0 else effort.position_nodes
        runs: list[Iterations] = []
        for turn in turns(effort):
            progress(f"engine, position {number + 1} of {len(states)}, turn {turn}")
            limits = SearchLimits(depth=MAX_DEPTH, nodes=nodes)
            runs.append(iterate(Engine(hash_mb=effort.hash_mb), state, limits, process_time))
        searches.append(middle(runs))
    report.engine = [
        row
        for depth in range(1, max(search.result.depth for search in searches) + 1)
        if (row := engine_depth(depth, searches)).start_nodes is not None or row.nodes is not None
    ]
    results = [search.result for search in searches]
    seconds = sum(search.seconds for search in searches)
    if seconds >= SHORTEST_S:
        report.engine_nodes_per_second = sum(r.nodes_searched for r in results) / seconds
    if cutoffs := sum(r.cutoffs for r in results):
        report.engine_first_move_rate = sum(r.first_move_cutoffs for r in results) / cutoffs
    return searches


def search_all(
    search: Callable[[State], SearchResult], states: list[State]
) -> tuple[list[SearchResult], float]:
    """Search every position; small trees again and again, for as long as it takes to time them."""
    times = 0
    started = process_time()
    while times == 0 or process_time() - started < SHORTEST_S:
        results = [search(state) for state in states]
        times += 1
    return results, (process_time() - started) / times


def engine_depth(depth: int, searches: list[Iterations]) -> EngineDepth:
    """One row of the engine's table."""
    start = searches[0]
    from_start = start.result.depth >= depth
    everywhere = all(search.finished(depth) for search in searches)
    growing = [search for search in searches if search.result.depth >= depth]
    return EngineDepth(
        depth,
        start_nodes=start.nodes_at(depth) if from_start else None,
        start_seconds=start.seconds_at(depth) if from_start else None,
        nodes=sum(search.nodes_at(depth) for search in searches) if everywhere else None,
        seconds=sum(search.seconds_at(depth) for search in searches) if everywhere else None,
        branching=sum(search.nodes_at(depth) for search in growing)
        / sum(search.nodes_at(depth - 1) for search in growing)
        if everywhere and depth > 1
        else None,
        proven=sum(search.proven and search.result.depth <= depth for search in searches),
    )


def measure_switches(
    report: BoardReport,
    states: list[State],
    searches: list[Iterations],
    effort: Effort,
    progress: Progress,
) -> None:
    """Search to one depth with each part of the engine switched, one at a time."""
    depth = max(
        row.depth
        for row in report.engine
        if row.depth == 1 or (row.nodes is not None and row.nodes <= effort.switch_nodes)
    )
    caps = [SWITCH_CAP * max(search.nodes_at(depth), 1000) for search in searches]
    variants: list[dict[str, bool]] = [{}]
    variants += [{name: not on} for name, on in default_switches().items()]
    found: list[list[Iterations]] = [[] for _ in variants]
    for state, cap in zip(states, caps, strict=True):
        limits = SearchLimits(depth=depth, nodes=cap)
        runs: list[list[Iterations]] = [[] for _ in variants]
        for turn in turns(effort):
            number = len(found[0]) + 1
            progress(f"engine, switches, position {number} of {len(states)}, turn {turn}")
            for switches, done in zip(variants, runs, strict=True):
                engine = Engine(hash_mb=effort.hash_mb, switches=switches)
                done.append(iterate(engine, state, limits, process_time))
        for all_found, done in zip(found, runs, strict=True):
            all_found.append(middle(done))
    nodes = [sum(search.result.nodes_searched for search in each) for each in found]
    seconds = [sum(search.seconds for search in each) for each in found]
    report.switch_depth, report.switch_nodes, report.switch_seconds = depth, nodes[0], seconds[0]
    for number, switches in enumerate(variants[1:], start=1):
        [(name, on)] = switches.items()
        ends = zip(found[number], caps, strict=True)
        cut_short = sum(search.result.nodes_searched >= cap for search, cap in ends)
        time_ratio = seconds[number] / seconds[0] if seconds[0] >= SHORTEST_S else None
        report.switches.append(
            SwitchCost(name, on, nodes[number] / nodes[0], time_ratio, cut_short)
        )


def thread_speeds(
    states: list[State], counts: list[int], effort: Effort, progress: Progress
) -> list[ThreadSpeed]:
    """Search for a fixed time with each number of threads, one at a time."""
    if not states:
        return []
    limits = SearchLimits(time_s=effort.thread_s)
    runs: dict[int, list[list[Iterations]]] = {count: [] for count in counts}
    for turn in range(1, effort.repeats + 1):
        for count in counts:
            progress(f"engine, threads: {count}, turn {turn} of {effort.repeats}")
            runs[count].append(
                [
                    iterate(Engine(THREADS_HASH_MB, count), state, limits, perf_counter)
                    for state in states
                ]
            )
    rates: dict[int, float] = {}
    cores: dict[int, float] = {}
    times: dict[int, list[float]] = {count: [] for count in counts}
    for count in counts:
        rates[count] = median(
            sum(run.result.nodes_searched for run in turn) / sum(run.seconds for run in turn)
            for turn in runs[count]
        )
        cores[count] = median(
            sum(run.cpu_seconds for run in turn) / sum(run.seconds for run in turn)
            for turn in runs[count]
        )
    for number in range(len(states)):
        # The deepest depth that was finished every time.
        depth = min(turn[number].result.depth for count in counts for turn in runs[count])
        for count in counts:
            times[count].append(median(turn[number].seconds_at(depth) for turn in runs[count]))
    one = counts[0]
    return [
        ThreadSpeed(
            count,
            rates[count],
            rates[count] / rates[one],
            geometric_mean(map(truediv, times[one], times[count])),
            cores[count],
        )
        for count in counts
    ]


def iterate(
    engine: Engine, state: State, limits: SearchLimits, clock: Callable[[], float]
) -> Iterations:
    """Search with an engine that is new, since what it remembers would make the next one shorter.

    Its table is filled with zeros when it is made, so that does not count.
    """
    seconds: list[float] = []

    def note(known: SearchResult) -> None:
        seconds.extend([clock() - started] * (known.depth - len(seconds)))

    cpu_started, started = process_time(), clock()
    result = engine.search(state, limits, note)
    return Iterations(result, seconds, clock() - started, process_time() - cpu_started)


def turns(effort: Effort) -> Iterator[int]:
    """1, 2, ... to the number of repeats, as long as the next turn would not try the patience."""
    started = perf_counter()
    yield 1
    for turn in range(2, effort.repeats + 1):
        if (perf_counter() - started) * turn / (turn - 1) > effort.patience_s:
            return
        yield turn


def thread_counts(most: int) -> list[int]:
    """1, 2, 3, 4, then doubling, and the most there are.

    >>> thread_counts(12)
    [1, 2, 3, 4, 8, 12]
    """
    return sorted({*range(1, min(most, 4) + 1), *(2**i for i in range(most.bit_length())), most})


def totals(depth: int, results: list[SearchResult], seconds: float) -> DepthTotals:
    """Add up the searches of all positions to one depth."""
    nodes = sum(result.nodes_searched for result in results)
    return DepthTotals(
        depth,
        nodes,
        seconds,
        sum(result.cutoffs for result in results),
        sum(result.first_move_cutoffs for result in results),
        branching(nodes, results, depth),
    )


def branching(nodes: int, searched: Sequence[object], depth: int) -> float:
    """The b for which an average position's tree has b to the power of the depth nodes."""
    return float((nodes / len(searched)) ** (1 / depth))


def next_nodes(depths: list[DepthTotals]) -> float:
    """Foresee the nodes of the next depth from the growth two depths before."""
    if len(depths) < 3:
        return depths[-1].nodes * 10.0
    return depths[-1].nodes * depths[-2].nodes / depths[-3].nodes


def middle(runs: list[Iterations]) -> Iterations:
    """The run that took neither longest nor shortest; all have the same nodes."""
    return sorted(runs, key=lambda run: run.seconds)[len(runs) // 2]
