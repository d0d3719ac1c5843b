"""Nodes and speed of the searches of Quoridor, on fixed positions of each board.

Most limits are in nodes, so two runs count the same nodes on any machine. Times are CPU time, and
searches that are compared take turns, so that a slow moment of the machine affects all alike:
ratios within a run are more reliable than absolute figures. Only threads are timed by the wall
clock. The tables are in `quoridor_search_table.py`, the plot is in `quoridor_search_plot.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import truediv
from statistics import geometric_mean, median
from time import perf_counter, process_time
from typing import TypeAlias

from plyground.bench.quoridor_positions import BOARD_SIZES, positions
from plyground.bench.quoridor_search_report import (
    BoardReport,
    DepthTotals,
    EngineDepth,
    SwitchCost,
    ThreadSpeed,
)
from plyground.quoridor import State
from plyground.search.engine import Engine, default_switches
from plyground.search.limits import SearchLimits
from plyground.search.quoridor_textbook import WallOrder
from plyground.search.result import SearchResult
from plyground.search.textbook import alphabeta, minimax

MAX_DEPTH = 12
COMPARED_ORDERS: tuple[WallOrder, ...] = ("nearest", "corridor", "cutting")
"""Not "dijkstra", whose larger trees would end the comparison a ply earlier."""
SWITCH_CAP = 30
"""Most nodes of a search with one switch changed, as a multiple of the default's."""
THREADS_HASH_MB = 64
SHORTEST_S = 0.01
"""Shortest time that is measured; shorter searches are repeated, or not timed."""

ReportProgress: TypeAlias = Callable[[str], None]
"""Shows one line of progress."""


@dataclass(frozen=True, slots=True)
class BenchBudget:
    """Limits of each measurement on one board; nodes are totals over its positions."""

    repeats: int = 3
    """Measurements of each time."""
    repeat_limit_s: float = 6.0
    """Longest time of all repetitions of a measurement; longer ones are not repeated."""
    stride: int = 1
    """Use every n-th position."""
    hash_mb: int = 16
    """Transposition table of the engine with one thread."""
    minimax_nodes: int = 60_000_000
    perft_nodes: int = 4_000_000_000
    """Nodes of minimax that are counted by perft, which is a hundred times as fast as a search."""
    alphabeta_nodes: int = 60_000_000
    position_nodes: int = 1_000_000
    """Nodes of the engine for each position."""
    start_nodes: int = 20_000_000
    """Nodes of the engine for the start of the game."""
    switch_nodes: int = 1_000_000
    """Nodes of the engine with default switches, to the depth at which switches are compared."""
    thread_s: float = 0.5
    """Time of each search with several threads."""
    thread_positions: int = 6


FULL = BenchBudget()
QUICK = BenchBudget(
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
    """One search of the engine, with the nodes and time of each finished depth."""

    result: SearchResult
    seconds_by_depth: list[float]
    seconds: float
    cpu_seconds: float
    """CPU time of all threads."""

    def finished(self, depth: int) -> bool:
        """Whether the depth was finished, or the result proven before."""
        return self.result.depth >= depth or self.proven

    @property
    def proven(self) -> bool:
        """Whether the search ended with a proven result."""
        return self.result.win_in is not None and abs(self.result.win_in) <= self.result.depth

    def nodes_at(self, depth: int) -> int:
        """Nodes until the depth was finished, or the result proven."""
        return self.result.nodes_by_depth[min(depth, self.result.depth) - 1]

    def seconds_at(self, depth: int) -> float:
        """Seconds until the depth was finished, or the result proven; all if no depth was."""
        if not self.seconds_by_depth:
            return self.seconds
        return self.seconds_by_depth[min(depth, self.result.depth) - 1]


def measure(
    board_sizes: Sequence[int] = BOARD_SIZES,
    budget: BenchBudget = FULL,
    max_threads: int = 1,
    progress: ReportProgress = lambda _: None,
) -> list[BoardReport]:
    """Measure everything on each board, with up to `max_threads` threads."""
    return [measure_board(size, budget, max_threads, progress) for size in board_sizes]


def measure_board(
    board_size: int, budget: BenchBudget, max_threads: int, progress: ReportProgress
) -> BoardReport:
    """Measure everything on one board."""

    def report_progress(text: str) -> None:
        progress(f"{board_size}x{board_size}: {text}")

    states = positions(board_size)[:: budget.stride]
    report = BoardReport(board_size, [state.text() for state in states])
    report.alphabeta = alphabeta_depths(states, budget, report_progress)
    deepest = len(report.alphabeta["nearest"])
    report.minimax = minimax_depths(states, deepest, budget, report_progress)
    searches = measure_engine(report, states, budget, report_progress)
    measure_switches(report, states, searches, budget, report_progress)
    unproven = [state for state, run in zip(states, searches, strict=True) if not run.proven]
    counts = thread_counts(max_threads)
    report.threads = thread_speeds(
        unproven[: budget.thread_positions], counts, budget, report_progress
    )
    return report


def alphabeta_depths(
    states: list[State], budget: BenchBudget, progress: ReportProgress
) -> dict[str, list[DepthTotals]]:
    """Search with each wall order, deeper and deeper, until the next depth exceeds the budget."""
    orders = COMPARED_ORDERS
    depths: dict[str, list[DepthTotals]] = {order: [] for order in orders}
    for depth in range(1, MAX_DEPTH + 1):
        results: dict[str, list[SearchResult]] = {}
        seconds: dict[str, list[float]] = {order: [] for order in orders}
        for turn in turns(budget):
            for order in orders:
                progress(f"alpha-beta, {order}, depth {depth}, turn {turn}")
                search = partial(alphabeta, depth=depth, wall_order=order)
                results[order], time = search_all(search, states)
                seconds[order].append(time)
        for order in orders:
            depths[order].append(totals(depth, results[order], median(seconds[order])))
        if max(next_nodes(done) for done in depths.values()) > budget.alphabeta_nodes:
            break
    return depths


def minimax_depths(
    states: list[State], deepest: int, budget: BenchBudget, progress: ReportProgress
) -> list[DepthTotals]:
    """Search without pruning while that is quick, and count the nodes of greater depths.

    Minimax visits every line, so its nodes are the move paths of all lengths up to the depth.
    """
    depths: list[DepthTotals] = []
    nodes = len(states)
    for depth in range(1, deepest + 1):
        progress(f"minimax, depth {depth}")
        hash_mb = 32 if nodes > 1_000_000 else 0
        nodes += sum(state.perft(depth, hash_mb) for state in states)
        seconds = None
        if nodes <= budget.minimax_nodes:
            times: list[float] = []
            for turn in turns(budget):
                progress(f"minimax, depth {depth}, turn {turn}")
                times.append(search_all(partial(minimax, depth=depth), states)[1])
            seconds = median(times)
        depths.append(DepthTotals(depth, nodes, seconds, 0, 0, branching(nodes, states, depth)))
        if next_nodes(depths) > budget.perft_nodes:
            break
    return depths


def measure_engine(
    report: BoardReport, states: list[State], budget: BenchBudget, progress: ReportProgress
) -> list[Iterations]:
    """Search every position with one thread, the start with more nodes; returns the searches."""
    searches: list[Iterations] = []
    for number, state in enumerate(states):
        nodes = budget.start_nodes if number == 0 else budget.position_nodes
        runs: list[Iterations] = []
        for turn in turns(budget):
            progress(f"engine, position {number + 1} of {len(states)}, turn {turn}")
            limits = SearchLimits(depth=MAX_DEPTH, nodes=nodes)
            runs.append(iterate(Engine(hash_mb=budget.hash_mb), state, limits, process_time))
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
    """Search every position, small trees repeatedly until the time can be measured."""
    times = 0
    started = process_time()
    while times == 0 or process_time() - started < SHORTEST_S:
        results = [search(state) for state in states]
        times += 1
    return results, (process_time() - started) / times


def engine_depth(depth: int, searches: list[Iterations]) -> EngineDepth:
    """One depth of the engine."""
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
    budget: BenchBudget,
    progress: ReportProgress,
) -> None:
    """Search to one depth with each switch of the engine changed, one at a time."""
    depth = max(
        row.depth
        for row in report.engine
        if row.depth == 1 or (row.nodes is not None and row.nodes <= budget.switch_nodes)
    )
    caps = [SWITCH_CAP * max(search.nodes_at(depth), 1000) for search in searches]
    variants: list[dict[str, bool]] = [{}]
    variants += [{name: not on} for name, on in default_switches().items()]
    found: list[list[Iterations]] = [[] for _ in variants]
    for state, cap in zip(states, caps, strict=True):
        limits = SearchLimits(depth=depth, nodes=cap)
        runs: list[list[Iterations]] = [[] for _ in variants]
        for turn in turns(budget):
            number = len(found[0]) + 1
            progress(f"engine, switches, position {number} of {len(states)}, turn {turn}")
            for switches, done in zip(variants, runs, strict=True):
                engine = Engine(hash_mb=budget.hash_mb, switches=switches)
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
    states: list[State], counts: list[int], budget: BenchBudget, progress: ReportProgress
) -> list[ThreadSpeed]:
    """Search for a fixed time with each number of threads."""
    if not states:
        return []
    limits = SearchLimits(time_s=budget.thread_s)
    runs: dict[int, list[list[Iterations]]] = {count: [] for count in counts}
    for turn in range(1, budget.repeats + 1):
        for count in counts:
            progress(f"engine, threads: {count}, turn {turn} of {budget.repeats}")
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
        # The greatest depth that every search finished.
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
    """Search with a new engine, whose table is empty, and record the time of each depth."""
    seconds: list[float] = []

    def note(known: SearchResult) -> None:
        seconds.extend([clock() - started] * (known.depth - len(seconds)))

    cpu_started, started = process_time(), clock()
    result = engine.search(state, limits, note)
    return Iterations(result, seconds, clock() - started, process_time() - cpu_started)


def turns(budget: BenchBudget) -> Iterator[int]:
    """1, 2, ... to the number of repeats, while the next turn would stay within the time limit."""
    started = perf_counter()
    yield 1
    for turn in range(2, budget.repeats + 1):
        if (perf_counter() - started) * turn / (turn - 1) > budget.repeat_limit_s:
            return
        yield turn


def thread_counts(most: int) -> list[int]:
    """1, 2, 3, 4, then powers of two, and the maximum.

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
    """The b for which the tree of an average position has b ** depth nodes."""
    return float((nodes / len(searched)) ** (1 / depth))


def next_nodes(depths: list[DepthTotals]) -> float:
    """Estimate the nodes of the next depth; odd and even depths grow by different factors."""
    if len(depths) < 3:
        return depths[-1].nodes * 10.0
    return depths[-1].nodes * depths[-2].nodes / depths[-3].nodes


def middle(runs: list[Iterations]) -> Iterations:
    """The run with the median time; all have the same nodes."""
    return sorted(runs, key=lambda run: run.seconds)[len(runs) // 2]
