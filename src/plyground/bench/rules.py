"""Speed of the rules of both games, with plain Python and OpenSpiel for comparison.

The measurements take turns, several times over, so that a slow moment of the machine affects all
alike: ratios within a run are more reliable than absolute figures. Times are CPU time, which other
programs disturb less than wall-clock time; only the import is timed by the wall clock.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from time import process_time
from typing import Protocol, Self

from plyground import _core, reversi
from plyground.games.reference import quoridor as reference
from plyground.json_types import JsonObject
from plyground.quoridor import GameConfig, State

# OpenSpiel ends a game after 4 * 9 * 9 moves and has no other draw. With the same limits the random
# games are comparable: about 25 moves with walls to choose from, then a long walk without.
OPENSPIEL_GAME = "quoridor(board_size=9,wall_count=10,players=2)"
CONFIG = GameConfig(max_moves=324, no_progress_limit=324)

PERFT_4 = 247_569_030  # leaves of the standard game
HASH_MB = 32
IMPORT = "import time; t = time.perf_counter(); import plyground; print(time.perf_counter() - t)"


class _Playable(Protocol):
    """What a random playout needs of a state, whether it follows our `State` or is simpler."""

    def legal_actions(self) -> list[int]: ...

    def play(self, action: int, /) -> Self: ...


class _OpenSpielState(Protocol):
    """A state of OpenSpiel, which changes in place."""

    def legal_actions(self) -> list[int]: ...

    def apply_action(self, action: int) -> None: ...


class _OpenSpielGame(Protocol):
    """A game of OpenSpiel."""

    def new_initial_state(self) -> _OpenSpielState: ...


@dataclass
class Measurement:
    """A measurement, with a value for each repetition."""

    name: str
    unit: str
    take: Callable[[random.Random], float]
    lower_is_better: bool = False
    values: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The median value."""
        return median(self.values)

    @property
    def best(self) -> float:
        """The best value, with the least disturbance from other programs."""
        return min(self.values) if self.lower_is_better else max(self.values)


@dataclass
class RulesReport:
    """All measurements of a run, and the ratios between them."""

    measurements: dict[str, Measurement]
    openspiel_version: str | None
    state_bytes: int = sys.getsizeof(State())
    """Size of a State as a Python object: the core's value, its config and the header."""
    core_bytes: int = _core.QUORIDOR_STATE_BYTES
    """Size of the core's value alone."""

    @property
    def ratios(self) -> dict[str, float]:
        """Our speed as a multiple of the others', by the medians."""
        ours = self.measurements["playouts"].median
        others = {"reference": "reference_playouts", "openspiel": "openspiel_playouts"}
        return {
            name: ours / self.measurements[key].median
            for name, key in others.items()
            if key in self.measurements
        }

    def as_dict(self) -> JsonObject:
        """The report as JSON."""
        return {
            "openspiel_version": self.openspiel_version,
            "state_bytes": self.state_bytes,
            "core_bytes": self.core_bytes,
            "ratios": {**self.ratios},
            "measurements": {
                key: {
                    "name": m.name,
                    "unit": m.unit,
                    "median": m.median,
                    "best": m.best,
                    "values": [*m.values],
                }
                for key, m in self.measurements.items()
            },
        }


def measure(
    seconds: float = 0.5,
    repeats: int = 5,
    openspiel: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> RulesReport:
    """Measure everything `repeats` times; `seconds` is the time of each set of playouts.

    OpenSpiel is left out if it is not installed.
    """
    spiel, spiel_version = load_openspiel() if openspiel else (None, None)
    measurements = rules_measurements(seconds)
    if spiel is not None:
        measurements["openspiel_playouts"] = Measurement(
            f"random playouts, OpenSpiel {spiel_version}",
            "moves/s",
            lambda rng: playouts_in_place(spiel.new_initial_state, seconds, rng),
        )
    for repeat in range(repeats):
        for measurement in measurements.values():
            progress(f"{repeat + 1}/{repeats} {measurement.name}")
            measurement.values.append(measurement.take(random.Random(repeat)))
    return RulesReport(measurements, spiel_version)


def rules_measurements(seconds: float) -> dict[str, Measurement]:
    """All measurements except OpenSpiel's, by key."""
    start = State(CONFIG)
    slow_start = reference.State.start(CONFIG)
    standard = State()
    return {
        "perft": Measurement(
            "perft(4), 9x9", "leaves/s", lambda _: rate(lambda: standard.perft(4))
        ),
        "perft_table": Measurement(
            f"perft(4), 9x9, table of {HASH_MB} MB",
            "leaves/s",
            lambda _: rate(lambda: standard.perft(4, HASH_MB)),
        ),
        "play_and_paths": Measurement(
            "play and both shortest paths, depth 3",
            "leaves/s",
            lambda _: rate(lambda: standard.path_perft(3)[0]),
        ),
        "shortest_path_call": Measurement(
            "a shortest path, called from Python", "ns", path_call_ns, lower_is_better=True
        ),
        "shortest_path": Measurement(
            "a shortest path, without call overhead",
            "ns",
            lambda rng: path_call_ns(rng, less_empty_call=True),
            lower_is_better=True,
        ),
        "import": Measurement(
            "import plyground in a new process",
            "ms",
            lambda _: import_seconds() * 1000,
            lower_is_better=True,
        ),
        "playouts": Measurement(
            "random playouts from Python",
            "moves/s",
            lambda rng: playouts(start, seconds, rng),
        ),
        "reference_playouts": Measurement(
            "random playouts, plain Python rules",
            "moves/s",
            lambda rng: playouts(slow_start, seconds, rng),
        ),
        "reversi_perft": Measurement(
            "Reversi perft(10)", "leaves/s", lambda _: rate(lambda: reversi.State().perft(10))
        ),
        "reversi_playouts": Measurement(
            "random playouts of Reversi from Python",
            "moves/s",
            lambda rng: playouts(reversi.State(), seconds, rng),
        ),
    }


def rate(count: Callable[[], int]) -> float:
    """The count per CPU second."""
    started = process_time()
    leaves = count()
    return leaves / (process_time() - started)


def playouts(start: _Playable, seconds: float, rng: random.Random) -> float:
    """Moves per second of complete random games, at least one."""
    moves, pick = 0, rng.random
    started = process_time()
    while process_time() - started < seconds:
        state = start
        while actions := state.legal_actions():
            state = state.play(actions[int(pick() * len(actions))])
            moves += 1
    return moves / (process_time() - started)


def playouts_in_place(
    new_state: Callable[[], _OpenSpielState], seconds: float, rng: random.Random
) -> float:
    """The same loop for a state that changes in place."""
    moves, pick = 0, rng.random
    started = process_time()
    while process_time() - started < seconds:
        state = new_state()
        while actions := state.legal_actions():
            state.apply_action(actions[int(pick() * len(actions))])
            moves += 1
    return moves / (process_time() - started)


def path_call_ns(rng: random.Random, less_empty_call: bool = False) -> float:
    """Nanoseconds per shortest path on 9x9 boards with 0 to 20 walls."""
    states = random_states(rng, 256)
    rounds = range(500)

    def seconds(calls: list[Callable[[int], int]]) -> float:
        started = process_time()
        for _ in rounds:
            for call in calls:
                call(1)
        return process_time() - started

    total = seconds([state.shortest_path_length for state in states])
    if less_empty_call:
        total -= seconds([state.get_opponent for state in states])
    return total / (len(states) * len(rounds)) * 1e9


def random_states(rng: random.Random, count: int) -> list[State]:
    """Positions from random games, each after 0 to 39 moves."""
    states: list[State] = []
    while len(states) < count:
        state = State()
        for _ in range(rng.randrange(40)):
            if not state.game_over:
                state = state.play(rng.choice(state.legal_actions()))
        states.append(state)
    return states


def import_seconds() -> float:
    """Seconds that a new process takes to import the package, without the start of Python."""
    command = [sys.executable, "-c", IMPORT]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def load_openspiel() -> tuple[_OpenSpielGame | None, str | None]:
    """OpenSpiel's Quoridor and its version, or None if it is not installed."""
    try:
        return import_module("pyspiel").load_game(OPENSPIEL_GAME), version("open_spiel")
    except (ImportError, PackageNotFoundError):
        return None, None
