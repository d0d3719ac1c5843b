"""The measurements of `quoridor_search.py` as text of at most 92 columns."""

from __future__ import annotations

from collections.abc import Iterator

from plyground.bench.quoridor_search_report import BoardReport

NOTES = (
    "Times are CPU time, for threads wall-clock time, which other programs disturb.",
    "The engine's depth is nominal: reductions and pruning make a depth cheaper, and only",
    "matches show whether they pay.",
)


def format_report(boards: list[BoardReport]) -> str:
    """The speeds of all boards side by side, then each board on its own."""
    lines = list(speeds(boards))
    for board in boards:
        lines += ["", *board_lines(board)]
    return "\n".join([*lines, "", *NOTES])


def speeds(boards: list[BoardReport]) -> Iterator[str]:
    """Nodes per second and first-move cutoffs: a row for each search, a column for each board."""
    sizes = "".join(f"{f'{board.board_size}x{board.board_size}':>10}" for board in boards)
    yield f"{'million nodes per second, one thread':<40}{sizes}"
    rates = [board.nodes_per_second for board in boards]
    for key in rates[0]:
        yield f"{name(key):<40}" + "".join(f"{millions(rate[key]):>10}" for rate in rates)
    yield ""
    yield f"{'cutoffs by the first move':<40}{sizes}"
    shares = [board.first_move_cutoff_rate for board in boards]
    for key in shares[0]:
        yield f"{name(key):<40}" + "".join(f"{percent(share[key]):>10}" for share in shares)


def board_lines(board: BoardReport) -> Iterator[str]:
    """The tables of one board size."""
    title = f"{board.board_size}x{board.board_size}, {len(board.positions)} positions"
    yield from (title, "=" * len(title), "")
    yield from pruning_lines(board)
    yield ""
    yield from order_lines(board)
    yield ""
    yield from engine_lines(board)
    yield ""
    yield from switch_lines(board)
    yield ""
    yield from thread_lines(board)


def pruning_lines(board: BoardReport) -> Iterator[str]:
    """Minimax and alpha-beta, by depth."""
    yield f"{'nodes without and with pruning':<62}{'branching':>22}"
    yield (
        f"{'depth':>5}{'minimax':>19} {'alpha-beta':>13}{'pruned':>10}{'first move':>13}"
        f"{'minimax':>11}{'alpha-beta':>12}"
    )
    counted = False
    for i, cut in enumerate(board.alphabeta["nearest"]):
        full = board.minimax[i] if i < len(board.minimax) else None
        star = "*" if full and full.seconds is None else " "
        counted |= star == "*"
        yield (
            f"{cut.depth:>5}{whole(full.nodes if full else None):>19}{star}{whole(cut.nodes):>13}"
            f"{percent(board.pruned.get(cut.depth)):>10}{percent(cut.first_move_cutoff_rate):>13}"
            f"{number(full.branching if full else None):>11}{number(cut.branching):>12}"
        )
    if counted:
        yield "* counted as move paths, without a search"


def order_lines(board: BoardReport) -> Iterator[str]:
    """Alpha-beta with each wall order."""
    first = board.alphabeta["nearest"][-1]
    yield (
        f"{f'wall order, depth {first.depth}':<24}{'nodes':>14}{'ratio':>9}{'seconds':>12}"
        f"{'ratio':>9}{'first move':>13}"
    )
    for order, depths in board.alphabeta.items():
        last = depths[-1]
        time_ratio = last.seconds / first.seconds if last.seconds and first.seconds else None
        yield (
            f"{order:<24}{whole(last.nodes):>14}{number(last.nodes / first.nodes):>9}"
            f"{seconds(last.seconds):>12}{number(time_ratio):>9}"
            f"{percent(last.first_move_cutoff_rate):>13}"
        )


def engine_lines(board: BoardReport) -> Iterator[str]:
    """The engine's nodes and time to each depth."""
    yield f"{'engine, one thread':<24}{'from the start':>15}{'all positions':>24}"
    yield (
        f"{'to depth':>8}{'nodes':>14}{'seconds':>12}{'':4}{'nodes':>14}{'seconds':>12}"
        f"{'branching':>12}{'proven':>9}"
    )
    for row in board.engine:
        yield (
            f"{row.depth:>8}{whole(row.start_nodes):>14}{seconds(row.start_seconds):>12}{'':4}"
            f"{whole(row.nodes):>14}{seconds(row.seconds):>12}{number(row.branching):>12}"
            f"{row.proven or '-':>9}"
        )


def switch_lines(board: BoardReport) -> Iterator[str]:
    """The cost of changing each switch of the engine."""
    title = f"engine to depth {board.switch_depth}, one switch changed"
    yield f"{title:<40}{'nodes':>12}{'time':>12}"
    base = f"{whole(board.switch_nodes):>12}{seconds(board.switch_seconds) + ' s':>12}"
    yield f"{'nothing changed':<40}{base}"
    for cost in board.switches:
        more = "> " if cost.cut_short else ""
        yield (
            f"{f'{cost.name} ' + ('on' if cost.on else 'off'):<40}"
            f"{f'{more}x {cost.nodes_ratio:.2f}':>12}"
            + (f"{f'{more}x {cost.time_ratio:.2f}':>12}" if cost.time_ratio else f"{'-':>12}")
        )
    if any(cost.cut_short for cost in board.switches):
        yield "> at least: some positions did not reach the depth"


def thread_lines(board: BoardReport) -> Iterator[str]:
    """The speed with several threads."""
    if not board.threads:
        yield "threads: nothing to measure, all positions are proven at once"
        return
    yield (
        f"{'threads':>8}{'million nodes per second':>26}{'ratio':>9}{'speedup to same depth':>24}"
        f"{'cores used':>14}"
    )
    for speed in board.threads:
        yield (
            f"{speed.threads:>8}{millions(speed.nodes_per_second):>26}"
            f"{number(speed.nodes_ratio):>9}{f'x {speed.depth_speedup:.2f}':>24}"
            f"{number(speed.cores_used):>14}"
        )


def name(key: str) -> str:
    """The name of a search in tables.

    >>> name("alphabeta_corridor")
    'alpha-beta, walls: corridor'
    """
    return key.replace("alphabeta_", "alpha-beta, walls: ")


def whole(value: int | None) -> str:
    """A number with separators, or a dash."""
    return "-" if value is None else f"{value:,}"


def number(value: float | None) -> str:
    """A factor, with three significant digits or so."""
    return "-" if value is None else f"{value:.1f}" if value >= 100 else f"{value:.2f}"


def seconds(value: float | None) -> str:
    """Seconds, to tenths of a millisecond if below one."""
    return "-" if value is None else f"{value:.4f}" if value < 1 else f"{value:.2f}"


def millions(value: float | None) -> str:
    """Millions with two decimals, or a dash."""
    return "-" if value is None else f"{value / 1e6:.2f}"


def percent(share: float | None) -> str:
    """A percentage with one decimal, never rounded up to 100%."""
    if share is None:
        return "-"
    return f"{min(share, 0.999 if share < 1 else 1):.1%}"
