"""The training loop: play, store, sample, step, measure, save.

Gumbel AlphaZero (Danihelka et al. 2022): the core plays games against itself with a tree search
over the network; the search's improved policy and the game's outcome are what the network learns.
`players.py` has the playing, `learner.py` the learning, `config.py` every setting.
"""

from __future__ import annotations

import math
import shutil
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from plyground.lazy import missing_extra

try:
    import torch
    from torch import Tensor, nn
except ModuleNotFoundError as error:
    raise missing_extra(__name__, error) from error

from plyground.cluster import Cluster
from plyground.errors import ConfigError
from plyground.files import try_lock
from plyground.folders import make_folder
from plyground.hints import counted, reason_of
from plyground.nets.architecture import check_module
from plyground.nets.checkpoint import MODULE
from plyground.train.callbacks import Callback, TensorBoard
from plyground.train.checkpoint import (
    CHECKPOINT_FILE,
    load_checkpoint,
    playing_weights,
    read_config,
    save_checkpoint,
    save_json,
)
from plyground.train.cluster import RaySelfPlay
from plyground.train.config import TrainConfig, line_value, step_value
from plyground.train.gpu_load import GpuLoad, nvidia_smi
from plyground.train.ladder import Ladder
from plyground.train.learner import Learner
from plyground.train.losses import Loss
from plyground.train.metrics import Metrics, Rates
from plyground.train.players import LocalSelfPlay, SelfPlay
from plyground.train.replay import ReplayBuffer
from plyground.train.shards import Shards

STORE_S = 0.1
QUEUED_STEPS = 2
"""Training steps handed to the GPU ahead of time: enough to keep it fed."""
SNAPSHOT = ("config", "elapsed_s", "average")
"""What a snapshot has. A run can continue from one; its optimiser then starts anew."""
CHECKPOINT = (*SNAPSHOT, "positions", "games", "steps", "net", "moments")
"""What a checkpoint has."""
MOST_OWED_STEPS = 64
"""Steps that learning may fall behind before it takes no more positions and makes play wait."""


def train(
    config: TrainConfig,
    out: str | Path,
    seconds: float | None = None,
    resume: bool = False,
    cluster: Cluster | None = None,
    *,
    network: nn.Module | None = None,
    loss: Loss | None = None,
    callbacks: Iterable[Callback] = (),
) -> nn.Module:
    """Train until the config's time is over, or for that many seconds now; then save.

    Returns the network with the averaged weights, in evaluation mode, on the CPU. The folder `out`
    receives checkpoints, snapshots and metrics. Games are played in this process, or by workers on
    a Ray cluster. SIGINT and SIGTERM end the run after saving.

    `network` is a module of your own that follows `plyground.nets.Network`; it is trained in place
    of the one that the settings describe, on the same inputs. `loss` replaces `standard_loss`.
    The `callbacks` are called as the run goes on.
    """
    if seconds is not None and not 0 <= seconds < math.inf:
        raise ConfigError(f"expected seconds to train, 0 or more, got {seconds:g}")
    if network is not None:
        _check_own(config, network, cluster)
    if config.teacher and cluster is not None:
        raise ConfigError("a teacher plays without a cluster: workers do not have it")
    parts = RunParts(network, loss, (*callbacks, *([TensorBoard()] if config.tensorboard else [])))
    folder = Path(out)
    if resume and not folder.exists():
        raise _nothing_to_resume(folder)
    make_folder(folder)
    try:
        return _train(config, folder, seconds, resume, cluster, parts)
    except OSError as error:
        raise ConfigError(f"cannot write to {folder}: {reason_of(error)}") from error


def _nothing_to_resume(folder: Path) -> ConfigError:
    return ConfigError(
        f"no checkpoint to resume from in {folder}; a run that ended before its first one "
        "(save_s) starts again without --resume"
    )


class RunParts(NamedTuple):
    """What a caller may replace in a run, or add to it."""

    network: nn.Module | None = None
    loss: Loss | None = None
    callbacks: tuple[Callback, ...] = ()


def _check_own(config: TrainConfig, network: nn.Module, cluster: Cluster | None) -> None:
    """Raise a ConfigError unless a run can train this module."""
    if cluster is not None:
        raise ConfigError("a custom network trains without a cluster: workers do not have it")
    if config.has_mixed_boards:
        raise ConfigError("a custom network has one board size, so boards cannot be set")
    check_module(network, config.encoding, config.size)


def _train(
    config: TrainConfig,
    folder: Path,
    seconds: float | None,
    resume: bool,
    cluster: Cluster | None,
    parts: RunParts,
) -> nn.Module:
    lock = try_lock(folder / ".lock")
    if lock is None:
        raise ConfigError(f"another process is training in {folder}")
    torch.set_num_threads(1)  # torch's own threads and the pool's would get in each other's way
    with lock:
        exists = (folder / CHECKPOINT_FILE).exists()
        if exists and not resume:
            raise ConfigError(f"{folder} holds a run already; add --resume to continue it")
        if resume and not exists:
            raise _nothing_to_resume(folder)
        training = _allocate(config, folder, resume, cluster, parts)
        stream = torch.cuda.stream(training.stream) if training.stream else nullcontext()
        with stream, stopping(training):
            try:
                training.run(seconds)
            finally:
                training.gpu_load.close()
    return training.network.cpu()


def _allocate(
    config: TrainConfig, folder: Path, resume: bool, cluster: Cluster | None, parts: RunParts
) -> Training:
    """The parts of a run; a ConfigError if the memory is too small for them."""
    try:
        return Training(config, folder, resume, cluster, parts)
    except (MemoryError, RuntimeError) as error:
        too_much = isinstance(error, MemoryError | torch.OutOfMemoryError)
        if not too_much and "can't allocate memory" not in str(error):  # torch's on a CPU
            raise
        sizes = "games", "replay_positions", "batch_size", "blocks", "channels"
        settings = ", ".join(f"{name}={getattr(config, name)}" for name in sizes)
        raise ConfigError(f"not enough memory for a run with {settings}") from error


class Training:
    """A run under way: the parts, and how they take turns."""

    def __init__(
        self,
        config: TrainConfig,
        folder: Path,
        resume: bool,
        cluster: Cluster | None = None,
        parts: RunParts | None = None,
    ) -> None:
        self.config = config
        self.folder = folder
        self.parts = parts or RunParts()
        on_gpu = config.device == "cuda" or (config.device == "auto" and torch.cuda.is_available())
        device = torch.device("cuda" if on_gpu else "cpu")
        if on_gpu and not torch.cuda.is_available():
            raise ConfigError("expected a CUDA device for device cuda, found none; try device=cpu")
        if on_gpu:
            torch.backends.cudnn.benchmark = True
        torch.manual_seed(config.seed)
        self.replay = ReplayBuffer(
            config.encoding, config.replay_positions, config.window_share, device
        )
        own = self.parts.network
        self.learner = Learner(config, self.replay, own, self.parts.loss)
        self.elapsed_before = 0.0
        self.totals = {"positions": 0, "games": 0}
        self.shards: Shards | None = None
        if not resume:  # what a run left that was killed before its first checkpoint
            shutil.rmtree(folder / "replay", ignore_errors=True)
        if config.save_replay:
            self.shards = Shards(config.encoding, folder / "replay", config.replay_positions)
        if resume:
            self._load()
        self.steps_before = self.learner.steps
        weights = self.learner.average.state_dict()
        played = self.totals["positions"]
        self.taught: LocalSelfPlay | None = None
        """Self-play with a teacher, until it is dismissed."""
        self.players: SelfPlay
        if cluster:
            self.players = RaySelfPlay(config, weights, cluster, played)
        elif teacher := self._teacher(device):
            self.players = self.taught = LocalSelfPlay(
                config, weights, on_gpu, played, own, teacher
            )
        else:
            self.players = LocalSelfPlay(config, weights, on_gpu, played, own)
        self.ladder = Ladder(folder, config, device, own)
        self.elo = self.ladder.newest_elo
        self.metrics = Metrics(folder, self.elapsed_before if resume else None)
        self.rates = Rates()
        self.gpu_load = GpuLoad(nvidia_smi() if on_gpu else None)
        save_json(folder / "config.json", config.as_dict())
        self.stream = torch.cuda.Stream() if on_gpu else None
        self.queued: deque[torch.cuda.Event] = deque()
        self.owed_steps = 0.0
        self.new_positions = 0
        self.play_settings: dict[str, float] = {}
        self.stop = False
        """Set it to end the run after saving."""
        if on_gpu:
            torch.cuda.synchronize()

    def run(self, seconds: float | None = None) -> None:
        """The loop."""
        config = self.config
        self.started = time.perf_counter()
        self.follow_schedules()
        for callback in self.parts.callbacks:
            callback.on_start(self)
        self.started = time.perf_counter()  # the callbacks' preparations are not training
        end = config.seconds if seconds is None else self.elapsed_before + seconds
        if seconds is None and self.elapsed_before >= end:
            print(f"the {end:g} s of the run are over; --seconds N continues it", file=sys.stderr)
        store, refresh = Every(STORE_S), Every(config.refresh_s)
        report, save = Every(config.report_s), Every(config.save_s)
        snapshot = Every(config.snapshot_s, _floor(self.elapsed_before, config.snapshot_s))
        while self.elapsed < end and not self.stop:
            self.players.step()
            self.learn()
            if store.due(time.perf_counter()):
                self.follow_schedules()
                if self.owed_steps <= MOST_OWED_STEPS:
                    self.store()
            if refresh.due(time.perf_counter()):
                self.check_weights()
                self.players.load(self.learner.average.state_dict())
            if report.due(time.perf_counter()):
                self.measure(report.took)
            if save.due(time.perf_counter()):
                self.save()
            if config.snapshot_s and snapshot.due(_floor(self.elapsed, config.snapshot_s)):
                self.save_snapshot()
        self.finish()

    @property
    def elapsed(self) -> float:
        """Seconds of training so far, earlier runs included."""
        return self.elapsed_before + time.perf_counter() - self.started

    @property
    def steps(self) -> int:
        """Training steps so far, earlier runs included."""
        return self.learner.steps

    @property
    def network(self) -> nn.Module:
        """The network with the averaged weights, which plays."""
        return self.learner.average

    def store(self) -> None:
        """Move the positions of finished games into the replay."""
        rows = self.players.drain()
        count = len(rows["outcome"])
        if not count:
            return
        self.replay.add(rows)
        if self.shards:
            self.shards.add(rows)
        self.new_positions += count
        if len(self.replay) >= self.config.warmup_positions:
            self.owed_steps += count * self.config.uses_per_position / self.config.batch_size

    def learn(self) -> None:
        """Do the training steps that the new positions have earned; on a GPU, queue them."""
        while self.queued and (self.queued[0].query() or self.owed_steps > MOST_OWED_STEPS):
            self.queued.popleft().synchronize()
        while self.owed_steps >= 1 and len(self.queued) < QUEUED_STEPS and not self.stop:
            self.owed_steps -= 1
            self.learner.step(line_value(self.config.learning_rate, self.elapsed))
            if self.stream:
                self.queued.append(self.stream.record_event())
            for callback in self.parts.callbacks:
                callback.on_step(self)

    def follow_schedules(self) -> None:
        """Tell the players what changes with time."""
        elapsed = self.elapsed
        settings = {
            "simulations": int(step_value(self.config.simulations, elapsed)),
            "heuristic_weight": round(line_value(self.config.heuristic_weight, elapsed), 2),
            "draw_by_path": elapsed < self.config.draw_by_path_s,
        }
        if self.taught and elapsed >= self.config.teacher_s:
            self.taught.dismiss_teacher()
            self.taught = None
        for name, value in settings.items():
            if self.play_settings.get(name) != value:
                self.players.set(name, value)
        self.play_settings = settings

    def measure(self, seconds: float) -> None:
        """Report what happened in the last seconds."""
        counts = self.players.stats() | {
            "positions": self.new_positions,
            "samples": (self.learner.steps - self.steps_before) * self.config.batch_size,
        }
        elapsed = self.elapsed
        losses = self.learner.mean_losses()
        if not math.isfinite(losses["loss"]):
            raise self._diverged(f"the loss is {losses['loss']:g}")
        row = (
            {"elapsed_s": elapsed}
            | self.rates.update(counts, seconds)
            | {"gpu_load": self.gpu_load.take()}
            | losses
            | {
                "steps": self.learner.steps,
                "positions": self.totals["positions"] + self.new_positions,
                "games": self.totals["games"] + counts["games"],
                "window": self.replay.window,
                "learning_rate": line_value(self.config.learning_rate, elapsed),
                "simulations": self.play_settings["simulations"],
                "heuristic_weight": self.play_settings["heuristic_weight"],
                "elo": self.elo,
            }
        )
        self.metrics.write(row)
        for callback in self.parts.callbacks:
            callback.on_report(self, row)

    def check_weights(self) -> None:
        """Raise a ConfigError if training has diverged, before the weights play or are saved."""
        if not self.learner.weights_are_finite():
            raise self._diverged("weights are NaN or beyond the range of float16")

    def _diverged(self, what: str) -> ConfigError:
        """The error that ends a run which cannot recover."""
        path = self.folder / CHECKPOINT_FILE
        kept = f"{path} is kept" if path.exists() else "no checkpoint was saved"
        return ConfigError(
            f"training diverged: {what} after {counted(self.steps, 'step')}; {kept}; "
            "try a lower learning_rate"
        )

    def save(self) -> None:
        """Write the checkpoint that a resumed run continues from."""
        self.check_weights()
        if self.shards:
            self.shards.flush()
        content = self._content() | {
            "positions": self.totals["positions"] + self.new_positions,
            "games": self.totals["games"] + int(self.players.stats()["games"]),
        }
        save_checkpoint(self.folder / CHECKPOINT_FILE, content | self.learner.state())

    def save_snapshot(self) -> None:
        """Write the playing weights of this moment, and see how they play against earlier ones."""
        self.check_weights()
        content = self._content() | {"average": self.learner.playing_weights()}
        path = self.folder / f"snapshot-{self.elapsed:06.0f}.pt"
        save_checkpoint(path, content)
        if self.config.ladder_games:
            self.save()  # the matches may fail
            self.elo = self.ladder.play(path)
            print(f"{path.name}: {self.elo:+.0f} Elo", file=sys.stderr, flush=True)
        for callback in self.parts.callbacks:
            callback.on_snapshot(self, path)

    def _content(self) -> dict[str, object]:
        """What checkpoints and snapshots have in common."""
        content: dict[str, object] = {
            "config": self.config.as_dict(),
            "elapsed_s": self.elapsed,
        }
        if self.parts.network is not None:
            content[MODULE] = type(self.parts.network).__name__
        return content

    def finish(self) -> None:
        """Save everything and close."""
        self.gpu_load.close()
        self.players.close()
        self.store()
        self.save()
        if self.shards:
            self.shards.close()
        for callback in self.parts.callbacks:
            callback.on_end(self)
        print(f"saved {self.folder} after {self.elapsed:.0f} s of training", file=sys.stderr)

    def _teacher(self, device: torch.device) -> dict[str, Tensor] | None:
        """The weights of the teacher, while it plays the games."""
        if not self.config.teacher or self.elapsed_before >= self.config.teacher_s:
            return None
        path = Path(self.config.teacher)
        weights, config = playing_weights(path)
        for name in ("game", "network"):
            here, there = getattr(self.config, name), getattr(config, name)
            if here != there:
                raise ConfigError(f"expected a teacher with {name} {here} in {path}, got {there}")
        return {name: weight.float().to(device) for name, weight in weights.items()}

    def _load(self) -> None:
        """Continue from the checkpoint, and from the replay where it was kept."""
        path = self.folder / CHECKPOINT_FILE
        saved = load_checkpoint(path, *SNAPSHOT)
        if saved.keys() & (set(CHECKPOINT) - set(SNAPSHOT)):
            saved = load_checkpoint(path, *CHECKPOINT)
        config = read_config(saved, path)
        fixed = ["game", "network"]
        if self.config.encoding.history_length:
            fixed += ["history_length", "board_size", "blocks", "channels"]
        for name in fixed:
            here, there = getattr(self.config, name), getattr(config, name)
            if here != there:
                raise ConfigError(f"expected a run with {name} {here} in {path}, got {there}")
        for name in ("blocks", "channels", "pooled_blocks", "piece_pooling"):
            here, there = getattr(self.config, name), getattr(config, name)
            if here < there:
                raise ConfigError(
                    f"expected a run with {name} {here} or less in {path}, got {there}"
                )
        try:
            self.learner.load_state(saved)
            self.elapsed_before = float(saved["elapsed_s"])
            self.totals = {name: int(saved.get(name, 0)) for name in self.totals}
        except (
            ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError
        ) as error:  # fmt: skip
            raise ConfigError(f"cannot continue from {path}: {reason_of(error)}") from error
        if not self.learner.weights_are_finite():
            raise ConfigError(
                f"cannot continue from {path}: weights are NaN or beyond the range of float16"
            )
        if self.shards:
            self.shards.load(self.replay)
        self.replay.earlier = max(0, self.totals["positions"] - self.replay.added)


def _floor(seconds: float, step: float) -> float:
    """The last multiple of a step; snapshots are taken at the same times whatever was resumed."""
    return seconds // step * step if step else seconds


class Every:
    """A timer that is due at regular intervals."""

    def __init__(self, seconds: float, now: float | None = None) -> None:
        self.seconds = seconds
        self.last = time.perf_counter() if now is None else now
        self.took = 0.0
        """Seconds from the time before to the last one."""

    def due(self, now: float) -> bool:
        """Whether the interval has passed since the last time."""
        if now - self.last < self.seconds:
            return False
        self.took, self.last = now - self.last, now
        return True


@contextmanager
def stopping(training: Training) -> Iterator[None]:
    """Let SIGINT or SIGTERM end the run after saving; a second one ends it at once."""

    def on_signal(number: int, _: object) -> None:
        training.stop = True
        signal.signal(number, previous[number])

    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread can handle signals
        return
    previous: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}
    for wanted in (signal.SIGINT, signal.SIGTERM):
        previous[wanted] = signal.signal(wanted, on_signal)
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
