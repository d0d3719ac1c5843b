"""Every setting of a training run, and how it is read from a file and the command line.

A run reads the defaults, then a YAML file (or the JSON that a run saves), then `--set key=value`.
What changes while a run goes on is a schedule: `0: 16, 60: 32` is 16 at first and 32 after 60
seconds of training; a plain number stays.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from pathlib import Path

from plyground.checks import check_range
from plyground.config import Settings, beside, check_known, read_yaml
from plyground.config_files import find_config
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.hints import renamed
from plyground.json_types import JsonObject
from plyground.nets.encoding import MOST_FRAMES, PATH_NET, Encoding, NetShape

Schedule = tuple[tuple[float, float], ...]
"""Values from given seconds of training on, in order of time."""


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """One training run; the defaults learn 3x3 on a laptop."""

    # The game
    game: str = registry.default().name
    """The game's name. The other settings of the game are Quoridor's; other games ignore them. In
    a file, `preset: small` or `rules: FILE` stands for all of them."""
    board_size: int = 3
    """Rows and columns, 3 to 9."""
    walls_per_player: int = 2
    """Walls each player starts with."""
    boards: Schedule = ()
    """Share of the games on each board size, as in 5:0.1,9:0.9; empty: all are on board_size.

    Other boards than board_size have the walls and draw rules of their presets.
    """
    random_walls: float = 0.0
    """Share of the games in which both players start with another number of walls, 0 to 20."""
    max_moves: int = 50
    """Moves after which a game is drawn."""
    no_progress_limit: int = 20
    """Moves without a wall after which a game is drawn."""
    draw_penalty: float = -0.05
    """What a draw is worth to both players."""

    # The network
    network: str = PATH_NET
    """The kind of network: path_net, or quoridor_net, which reads the history of the game."""
    history_length: int = 4
    """Positions that quoridor_net sees, the current one included, 1 to 8."""
    blocks: int = 2
    """Residual blocks."""
    channels: int = 32
    """Channels of every block."""
    pooled_blocks: int = 1
    """Blocks among them that pool over the whole board; path_net only."""
    piece_pooling: bool = False
    """Whether pooling also reads the cells of the pawns; path_net of Quoridor only."""

    # Self-play
    games: int = 128
    """Games played side by side, in two halves: one is evaluated while the other's trees grow."""
    threads: int = 0
    """Threads that grow trees; 0 takes all cores."""
    simulations: Schedule = ((0, 16),)
    """Simulations a move; each value holds until the next."""
    quick_moves: float = 0.0
    """Share of the moves that are played after a quick search and not learned from."""
    quick_simulations: int = 16
    """Simulations of a quick search."""
    quick_decided: float = 0.0
    """Share of quick moves while the last search's value was beyond 0.95: the game is decided."""
    max_considered: int = 16
    """Moves that sequential halving starts with at the root."""
    c_visit: float = 50.0
    """Added to the largest visit count in sigma(q) = (c_visit + max N) * c_scale * q."""
    c_scale: float = 0.25
    """Weight of the values against the priors, for q from -1 to 1."""
    random_openings: float = 0.3
    """Share of the games that start with 1 to 8 plies at random, in Quoridor mostly steps ahead."""
    close_openings: float = 0.0
    """Share of these openings that are drawn again while the network's value is beyond 0.5."""
    heuristic_weight: Schedule = ((0, 1), (20, 1), (40, 0))
    """Share of a plain guess in a leaf's value, so that the first games mean something.

    In Quoridor it is the path lengths', in Reversi the classic evaluation's. It falls linearly.
    """
    draw_by_path_s: float = 40.0
    """Seconds during which a drawn game is scored by that guess instead."""
    teacher: str = ""
    """Checkpoint or snapshot of another network that plays the games until teacher_s; path_net."""
    teacher_s: float = 0.0
    """Seconds of training after which the network plays its games itself."""

    # Replay
    replay_positions: int = 200_000
    """Positions kept, the oldest dropped first."""
    warmup_positions: int = 2_000
    """Positions to collect before learning starts, after a resume too."""
    window_share: float = 0.5
    """Share of all positions so far that samples are drawn from, until the replay is full."""
    save_replay: bool = True
    """Keep the replay on disk as well, so that a resumed run starts with it."""

    # Learning
    batch_size: int = 256
    """Positions in a training step, as many of them turned by each symmetry of the board."""
    uses_per_position: float = 4.0
    """How often each position is learned from on average: sets the steps per new position."""
    learning_rate: Schedule = ((0, 0), (3, 0.002))
    """AdamW's step size; runs linearly from value to value."""
    weight_decay: float = 0.03
    """AdamW's decay of weights, biases and norms excepted."""
    average_decay: float = 0.99
    """Per step, how much of the averaged weights stays; these play."""
    value_weight: float = 1.0
    """Weight of the value's squared error against the policy's cross-entropy."""
    root_value_share: float = 0.25
    """Share of the search's own value in the value target; the game's outcome is the rest."""
    value_lambda: float = 0.0
    """TD(lambda): the share of the next position's value in the search's own, and so on."""
    surprise_weight: float = 0.0
    """Share of the policy's loss that is weighted by how much the search changed the policy."""
    margin_weight: float = 0.2
    """Weight of the side task: the margin at the end of the game, in steps or discs."""

    # The run
    seconds: float = 180.0
    """Training ends after this long, over all resumes."""
    device: str = "auto"
    """cpu, cuda, or auto: cuda if there is a GPU."""
    compile: bool = True
    """Compile training steps on a GPU by torch.compile, where Triton is installed."""
    seed: int = 1
    """Of weights, sampling and self-play."""
    report_s: float = 5.0
    """Seconds between lines of progress, also rows of metrics.csv."""
    refresh_s: float = 2.0
    """Seconds between hand-overs of the averaged weights to self-play."""
    save_s: float = 60.0
    """Seconds between checkpoints."""
    snapshot_s: float = 300.0
    """Seconds between snapshots of the playing weights, kept for matches; 0 keeps none."""
    ladder_games: int = 0
    """Games a snapshot plays against each of a few before it, to see it rise; 0 plays none."""
    ladder_opponents: int = 3
    """How many earlier snapshots it meets."""
    ladder_simulations: int = 32
    """Simulations a move in these games."""
    tensorboard: bool = False
    """Write metrics for TensorBoard too (extra `tensorboard`)."""

    def __post_init__(self) -> None:
        registry.get(self.game).check_network(self.network)
        check_range("history_length", self.history_length, 1, MOST_FRAMES)
        _ = self.start
        for name, bounds in _BOUNDS.items():
            value = getattr(self, name)
            if isinstance(value, tuple):
                _check_schedule(name, value, *bounds)
            else:
                check_range(name, value, *bounds, int if name in _COUNTS else float)
        if self.device not in ("auto", "cpu", "cuda"):
            raise ConfigError(f"expected device to be auto, cpu or cuda, got {self.device!r}")
        for name in ("games", "batch_size", "ladder_games"):
            if (count := getattr(self, name)) % 2:
                raise ConfigError(f"expected {name} to be an even number, got {count}")
        self._check_boards()
        if self.replay_positions < max(self.warmup_positions, self.batch_size):
            raise ConfigError("expected replay_positions to hold warmup_positions and batch_size")

    def _check_boards(self) -> None:
        if not self.boards:
            return
        if "Board" not in registry.get(self.game).network_settings:
            raise ConfigError(
                f"networks of {self.game} have one board size, so boards cannot be set"
            )
        if any(
            size not in range(3, 10) or not 0 <= share <= HIGHEST_SHARE
            for size, share in self.boards
        ):
            raise ConfigError(f"expected boards to be shares of sizes 3 to 9, got {self.boards}")
        if not dict(self.boards).get(self.board_size):
            raise ConfigError(f"expected boards to have a share for board_size {self.board_size}")
        if self.network != PATH_NET and len(self.boards) > 1:
            raise ConfigError(f"{self.network} has one board size, so boards cannot be set")

    @property
    def start(self) -> State:
        """The start position of the games; with several boards, of those on board_size."""
        return self._start_from(
            {name: getattr(self, field) for name, field in SETTING_FIELDS.items()}
        )

    def start_on(self, size: int) -> State:
        """The start position of the games on a board of this size."""
        if size in (self.board_size, self.size):
            return self.start
        return self._start_from({"Board": size, "DrawPenalty": self.draw_penalty})

    def _start_from(self, settings: Mapping[str, float]) -> State:
        """The start position under those of the settings that the game has."""
        game: AnyGame = registry.get(self.game)
        known = {name: value for name, value in settings.items() if name in game.network_settings}
        try:
            state: State = game.start_from(settings=known)
        except ConfigError as error:
            raise ConfigError(renamed(error, SETTING_FIELDS)) from None
        return state

    def games_by_size(self, games: int) -> dict[int, int]:
        """Split a number of games among the board sizes.

        >>> TrainConfig(board_size=5, boards=((3, 1), (5, 2))).games_by_size(64)
        {3: 21, 5: 43}
        """
        boards = self.boards or ((self.size, 1),)
        total = sum(share for _, share in boards)
        ends = [
            round(games * sum(share for _, share in boards[: i + 1]) / total)
            for i in range(len(boards))
        ]
        counts = (end - first for first, end in pairwise([0, *ends]))
        return {int(size): count for (size, _), count in zip(boards, counts, strict=True) if count}

    @property
    def has_mixed_boards(self) -> bool:
        """Whether games are played on boards of several sizes."""
        return len(self.boards) > 1

    @property
    def encoding(self) -> Encoding:
        """The network's view of the game."""
        return registry.get(self.game).encoding(self.network, self.history_length)

    @property
    def net_shape(self) -> NetShape:
        """The size of the network."""
        return NetShape(
            self.size,
            self.blocks,
            self.channels,
            self.pooled_blocks,
            self.piece_pooling,
        )

    @property
    def size(self) -> int:
        """Rows and columns of the board that the network sees."""
        start = self.start
        return start.game.board_size(start)

    @classmethod
    def load(cls, path: str | Path, overrides: Iterable[str] = ()) -> TrainConfig:
        """Read a YAML or JSON file, then `key=value` strings over it; see `find_config`."""
        path = find_config("train", path)
        known = [field.name for field in fields(cls)] + list(RULES)
        if Path(path).suffix == ".json":
            settings = json.loads(Path(path).read_text(encoding="utf-8"))
        else:
            settings = read_yaml(path, known)
            if isinstance(rules := settings.get("rules"), str):
                settings["rules"] = beside(path, rules)
        return cls.of(settings, overrides, f" in {path}")

    @classmethod
    def of(
        cls, settings: Mapping[str, object], overrides: Iterable[str] = (), where: str = ""
    ) -> TrainConfig:
        """From settings by name, values as a file has them, then `key=value` strings over them.

        `preset` and `rules` stand for all settings of the game, as in `Game.start_from`; others at
        the same place override them. `where` is appended to messages about `settings` alone.
        """
        given: dict[str, object] = {}
        for override in overrides:
            key, equals, text = override.partition("=")
            if not equals:
                raise ConfigError(f"expected key=value, got {override!r}")
            given[key] = text
        game = str(given.get("game", settings.get("game", registry.default().name)))
        base = _with_rules(game, settings)
        own = _with_rules(game, given)
        base = {key: value for key, value in base.items() if key not in own}
        values = cls._read_all(base, where) | cls._read_all(own)
        try:
            return cls(**values)
        except ConfigError as error:
            if given and cls._accepts(settings):
                where = ""  # the overrides are at fault
            raise ConfigError(f"{error}{where}") from error

    @classmethod
    def _read_all(cls, settings: Mapping[str, object], where: str = "") -> Settings:
        """The values of settings by name."""
        kinds = {field.name: type(field.default) for field in fields(cls)}
        values: Settings = {}
        for key, value in settings.items():
            check_known("setting", key, kinds, where, "")
            try:
                values[key] = _read(key, value, kinds[key])
            except ConfigError as error:
                raise ConfigError(f"{error}{where}") from error
        return values

    @classmethod
    def _accepts(cls, settings: Mapping[str, object]) -> bool:
        """Whether these settings alone describe a run."""
        try:
            cls.of(settings)
        except ConfigError:
            return False
        return True

    def as_dict(self) -> JsonObject:
        """The settings as plain values, which `of` reads back."""
        return {
            key: {str(at): number for at, number in value} if isinstance(value, tuple) else value
            for key, value in asdict(self).items()
        }


SETTING_FIELDS = {
    "Board": "board_size",
    "Walls": "walls_per_player",
    "MaxMoves": "max_moves",
    "NoProgress": "no_progress_limit",
    "DrawPenalty": "draw_penalty",
}
"""The game's settings, each with its field."""
RULES = ("preset", "rules")
"""Keys that stand for all settings of the game."""


def _with_rules(game: str, settings: Mapping[str, object]) -> dict[str, object]:
    """Settings with `preset` and `rules` replaced by the settings that these stand for."""
    preset, rules = (settings.get(key) for key in RULES)
    others = {key: value for key, value in settings.items() if key not in RULES}
    if preset is None and rules is None:
        return others
    known: AnyGame = registry.get(game)
    start: State = known.start_from(
        None if preset is None else str(preset), rules=None if rules is None else str(rules)
    )
    found = known.all_settings(start)
    return {SETTING_FIELDS[name]: value for name, value in found.items()} | others


HIGHEST_SHARE = 1e6
"""The largest share of a board: shares count relative to each other."""

_SHARES = (
    *("random_walls", "quick_moves", "quick_decided", "random_openings", "close_openings"),
    *("window_share", "heuristic_weight"),
    *("root_value_share", "value_lambda", "surprise_weight", "average_decay"),
)
_ANY_SECONDS = ("draw_by_path_s", "teacher_s", "seconds", "refresh_s", "snapshot_s")
_LONGEST_S = 1e9
_WEIGHTS = ("learning_rate", "weight_decay", "value_weight", "margin_weight")
_COUNTS = {
    "blocks": (1, 1000),
    "channels": (1, 10_000),
    "pooled_blocks": (0, 1000),
    "games": (2, 1_000_000),
    "threads": (0, 10_000),
    "simulations": (1, 1_000_000),
    "quick_simulations": (1, 1_000_000),
    "max_considered": (1, 1_000_000),
    "replay_positions": (1, 10**10),
    "warmup_positions": (1, 10**10),
    "batch_size": (2, 10_000_000),
    "seed": (0, 2**63 - 1),
    "ladder_games": (0, 1_000_000),
    "ladder_opponents": (1, 1_000_000),
    "ladder_simulations": (1, 1_000_000),
}
_BOUNDS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(_SHARES, (0, 1)),
    **dict.fromkeys(_ANY_SECONDS, (0, _LONGEST_S)),
    **dict.fromkeys(("report_s", "save_s"), (0.1, _LONGEST_S)),
    **dict.fromkeys(_WEIGHTS, (0, 1e9)),
    "c_visit": (0, 1_000_000),
    "c_scale": (0, 1000),
    "uses_per_position": (0.001, 1_000_000),
    **_COUNTS,
}
"""The lowest and highest value of each number that the game does not check itself.

Far above any use: they exclude NaN, infinity, and what the core or the memory of any
machine cannot hold.
"""


def _check_schedule(name: str, schedule: Schedule, lowest: float, highest: float) -> None:
    """Raise a ConfigError unless a schedule has points, at finite times, in these bounds."""
    if not schedule:
        raise ConfigError(f"expected {name} to have a value, got none")
    for at, value in schedule:
        check_range(f"the times of {name}", at, 0, _LONGEST_S, float)
        check_range(name, value, lowest, highest, float)


def step_value(schedule: Schedule, seconds: float) -> float:
    """The value that holds at this time.

    >>> step_value(((0, 16), (60, 32)), 59)
    16
    """
    return [value for at, value in schedule if at <= max(seconds, schedule[0][0])][-1]


def line_value(schedule: Schedule, seconds: float) -> float:
    """The value on the line between the points before and after this time.

    >>> line_value(((0, 1), (80, 1), (100, 0)), 90)
    0.5
    """
    for (start, low), (end, high) in pairwise(schedule):
        if seconds < end:
            return low + (high - low) * max(0.0, seconds - start) / (end - start)
    return schedule[-1][1]


def _read(key: str, value: object, kind: type) -> object:
    """The value of a setting, from a file or the command line."""
    try:
        if kind is tuple:
            return () if key == "boards" and not value else _read_schedule(value)
        if kind is bool:
            return {"true": True, "false": False}[str(value).lower()]
        if kind is str:
            return str(value)
        if isinstance(value, bool):
            raise ValueError
        return int(str(value)) if kind is int else _float(value)
    except (KeyError, TypeError, ValueError):
        what: dict[object, str] = {
            tuple: "a number or a schedule like 0:16,60:32",
            bool: "true or false",
        }
        wanted = what.get(kind, "a whole number" if kind is int else "a number")
        raise ConfigError(f"expected {key} to be {wanted}, got {value!r}") from None


def _read_schedule(value: object) -> Schedule:
    pairs: Sequence[Sequence[object]]
    if isinstance(value, str) and ":" in value:
        pairs = [part.split(":", 1) for part in value.split(",")]
    elif isinstance(value, Mapping):
        pairs = [[*pair] for pair in value.items()]
    else:
        pairs = [[0, value]]
    points = tuple((_number(at), _number(number)) for at, number in pairs)
    if not points or [at for at, _ in points] != sorted({at for at, _ in points}):
        raise ValueError
    return points


def _number(value: object) -> float:
    """A number as it was written: whole numbers stay whole."""
    number = _float(value)
    return int(number) if number.is_integer() else number


def _float(value: object) -> float:
    if not isinstance(value, int | float | str):
        raise TypeError
    return float(value)
