"""One table about Quoridor by board and depth: sizes, branching, game length, nodes and pruning.

Branching and game length come from games that minimax plays against itself from random openings.
Nodes are averages over the fixed positions of each board, with all walls; the nodes of minimax are
counted as move paths, without a search.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import mean, quantiles
from time import process_time
from typing import TypeAlias

from plyground import _core
from plyground.agents.minimax import MinimaxAgent
from plyground.bench.quoridor_positions import positions
from plyground.json_types import JsonObject
from plyground.quoridor import GameConfig, State, action_space_size
from plyground.search.textbook import alphabeta

PRESETS = ("tiny", "small", "standard")
DEPTHS = (2, 3, 4)
PLAYER_DEPTH = 2
OPENING_PLIES = 2
HASH_MB = 32
"""Table for counting many move paths."""
MANY_PATHS = 100_000_000

ReportStep: TypeAlias = Callable[[str], None]
"""Shows one line of progress."""


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """The nodes of an average position at one depth."""

    depth: int
    minimax: float
    alphabeta: float
    milliseconds: float
    """CPU time of alpha-beta."""

    @property
    def pruned(self) -> float:
        """The share of minimax's nodes that alpha-beta does not visit."""
        return 1 - self.alphabeta / self.minimax


@dataclass(frozen=True, slots=True)
class BoardSummary:
    """Everything about one board."""

    preset: str
    board_size: int
    state_bytes: int
    """Size of a position with its history in the core."""
    actions: int
    """Actions of the board, legal or not."""
    branching: float
    """Legal moves of an average position of a game."""
    game_length: tuple[int, int, int]
    """Moves of both players: the lowest tenth of the games, the median and the highest tenth."""
    games: int
    depths: tuple[SummaryRow, ...]

    def as_dict(self) -> JsonObject:
        """The summary as JSON."""
        depths = [{**asdict(row), "pruned": row.pruned} for row in self.depths]
        return {**asdict(self), "game_length": [*self.game_length], "depths": [*depths]}


def summarize(
    presets: Sequence[str] = PRESETS,
    games: int = 100,
    seed: int = 1,
    progress: ReportStep = lambda _: None,
) -> list[BoardSummary]:
    """Measure each board."""
    return [summarize_board(preset, games, seed, progress) for preset in presets]


def summarize_board(preset: str, games: int, seed: int, progress: ReportStep) -> BoardSummary:
    """Play the games of one board, and search its positions to each depth."""
    config = GameConfig.preset(preset)
    size = config.board_size
    lengths: list[int] = []
    choices: list[int] = []
    rng = random.Random(seed)
    for number in range(games):
        progress(f"{preset}: game {number + 1} of {games}")
        counts = play_counts(State(config), rng)
        lengths.append(len(counts))
        choices += counts
    deciles = quantiles(lengths, n=10, method="inclusive")
    return BoardSummary(
        preset,
        size,
        _core.QUORIDOR_STATE_BYTES,
        action_space_size(size),
        mean(choices),
        (round(deciles[0]), round(deciles[4]), round(deciles[8])),
        games,
        tuple(depth_nodes(preset, depth, progress) for depth in DEPTHS),
    )


def play_counts(state: State, rng: random.Random) -> list[int]:
    """Play a game and return the number of legal moves before each move."""
    agent = MinimaxAgent(depth=PLAYER_DEPTH)
    opening = state.game.random_opening(state, OPENING_PLIES, rng)
    counts: list[int] = []
    while not state.game_over:
        counts.append(len(state.legal_actions()))
        action = opening[len(counts) - 1] if len(counts) <= len(opening) else None
        state = state.play(agent.select_action(state) if action is None else action)
    return counts


def depth_nodes(preset: str, depth: int, progress: ReportStep) -> SummaryRow:
    """Search the positions of a board to one depth."""
    progress(f"{preset}: depth {depth}")
    states = positions(GameConfig.preset(preset).board_size)
    full = sum(count_paths(state, plies) for state in states for plies in range(depth + 1))
    started = process_time()
    nodes = sum(alphabeta(state, depth).nodes_searched for state in states)
    seconds = process_time() - started
    count = len(states)
    return SummaryRow(depth, full / count, nodes / count, 1000 * seconds / count)


def count_paths(state: State, plies: int) -> int:
    """The move paths of that length, with a table if there may be many."""
    most = action_space_size(state.board_size) ** plies
    return state.perft(plies, HASH_MB if most > MANY_PATHS else 0)
