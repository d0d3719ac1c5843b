"""How fast the rules are, Quoridor's beside plain Python and OpenSpiel, all measured in one run.

The measurements take turns, several times over, so that a slow moment of the machine falls on all
of them alike; ratios within a run mean more than any figure by itself. Time is the processor's,
which other programs disturb less than the clock on the wall; only the import is timed by that one.
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
from typing import Any

from plyground import _core, reversi
from plyground.games.reference import quoridor as reference
from plyground.quoridor import GameConfig, State

# OpenSpiel ends a game after 4 * 9 * 9 moves and has no other draw. With the same limits the random
# games are of the same kind: about 25 moves with walls to choose from, then a long walk without.
OPENSPIEL_GAME = "quoridor(board_size=9,wall_count=10,players=2)"
CONFIG = GameConfig(max_moves=324, no_progress_limit=324)

PERFT_4 = 247_569_030  # leaves of the standard game
HASH_MB = 32
IMPORT = "import time; t = time.perf_counter(); import plyground; print(time.perf_counter() - t)"


@dataclass
class Measurement:
    """One thing measured, and a value for each time it was."""

    name: str
    unit: str
    take: Callable[[random.Random], float]
    lower_is_better: bool = False
    values: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The middle value."""
        return median(self.values)

    @property
    def best(self) -> float:
        """The best value: what the machine can do when nothing is in the way."""
        return min(self.values) if self.lower_is_better else max(self.values)


@dataclass
class Report:
    """All measurements of a run, and the ratios between them."""

    measurements: dict[str, Measurement]
    openspiel_version: str | None
    state_bytes: int = sys.getsizeof(State())
    """A State as a Python object: the core's value, its config and the object's header."""
    core_bytes: int = _core.QUORIDOR_STATE_BYTES
    """The core's value alone: the position and the moves behind it."""

    @property
    def ratios(self) -> dict[str, float]:
        """How many times faster we are, by the medians."""
        ours = self.measurements["playouts"].median
        others = {"reference": "reference_playouts", "openspiel": "openspiel_playouts"}
        return {
            name: ours / self.measurements[key].median
            for name, key in others.items()
            if key in self.measurements
        }

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON would have it."""
        return {
            "openspiel_version": self.openspiel_version,
            "state_bytes": self.state_bytes,
            "core_bytes": self.core_bytes,
            "ratios": self.ratios,
            "measurements": {
                key: {
                    "name": m.name,
                    "unit": m.unit,
                    "median": m.median,
                    "best": m.best,
                    "values": m.values,
                }
                for key, m in self.measurements.items()
            },
        }


def measure(
    seconds: float = 0.5,
    repeats: int = 5,
    openspiel: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Measure everything `repeats` times; `seconds` is for each set of playouts.

    OpenSpiel is left out where it is not installed.
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
    return Report(measurements, spiel_version)


def rules_measurements(seconds: float) -> dict[str, Measurement]:
    """What can be measured without OpenSpiel, by a short key."""
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
            "a shortest path, less an empty call",
            "ns",
            lambda rng: path_call_ns(rng, less_empty_call=True),
            lower_is_better=True,
        ),
        "import": Measurement(
            "import plyground, fresh process",
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
    """What is counted, for a second."""
    started = process_time()
    leaves = count()
    return leaves / (process_time() - started)


def playouts(start: Any, seconds: float, rng: random.Random) -> float:
    """Moves a second of whole random games, at least one; `play` returns the next state."""
    moves, pick = 0, rng.random
    started = process_time()
    while process_time() - started < seconds:
        state = start
        while actions := state.legal_actions():
            state = state.play(actions[int(pick() * len(actions))])
            moves += 1
    return moves / (process_time() - started)


def playouts_in_place(new_state: Callable[[], Any], seconds: float, rng: random.Random) -> float:
    """The same loop for a state that changes in place, as OpenSpiel's does."""
    moves, pick = 0, rng.random
    started = process_time()
    while process_time() - started < seconds:
        state = new_state()
        while actions := state.legal_actions():
            state.apply_action(actions[int(pick() * len(actions))])
            moves += 1
    return moves / (process_time() - started)


def path_call_ns(rng: random.Random, less_empty_call: bool = False) -> float:
    """Nanoseconds for one shortest path on 9x9 boards with 0 to 20 walls."""
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
    """How long a new process takes to import the package, Python's own start not counted."""
    command = [sys.executable, "-c", IMPORT]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def load_openspiel() -> tuple[Any, str | None]:
    """OpenSpiel's Quoridor and its version, or nothing where it is not installed."""
    try:
        return import_module("pyspiel").load_game(OPENSPIEL_GAME), version("open_spiel")
    except (ImportError, PackageNotFoundError):
        return None, None
