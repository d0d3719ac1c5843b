"""Custom networks, losses and callbacks in a training run."""

from __future__ import annotations

import csv
import math
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from plyground.agents import make
from plyground.cli.main import main
from plyground.cluster import Cluster
from plyground.errors import ConfigError
from plyground.json_types import JsonObject
from plyground.nets import NetOutputs, PathNet, export_network, load, load_torch
from plyground.train import (
    Callback,
    Targets,
    TensorBoard,
    TrainConfig,
    Training,
    standard_loss,
    train,
)
from plyground.train.checkpoint import load_checkpoint

CONFIG = TrainConfig(
    games=32,
    threads=1,
    simulations=((0, 4),),
    batch_size=64,
    warmup_positions=64,
    replay_positions=2000,
    report_s=0.1,
    refresh_s=0.1,
    learning_rate=((0, 0.01),),
    snapshot_s=0,
    device="cpu",
    save_replay=False,
)
HISTORY = TrainConfig.of(CONFIG.as_dict() | {"network": "quoridor_net"})
REVERSI = TrainConfig.of(CONFIG.as_dict() | {"game": "reversi", "uses_per_position": 1})


class Perceptron(nn.Module):
    """One hidden layer; the logits of the board's own actions, or of the whole encoding."""

    def __init__(self, config: TrainConfig, own_actions: bool = False) -> None:
        super().__init__()
        start, encoding = config.start, config.encoding
        actions = start.game.action_count(start) if own_actions else encoding.actions
        width = encoding.planes * config.size**2 + encoding.scalars
        self.hidden = nn.Linear(width, 32)
        self.norm = nn.BatchNorm1d(32)
        self.policy = nn.Linear(32, actions)
        self.value = nn.Linear(32, 1)
        self.length = nn.Linear(32, 1)

    def forward(self, *inputs: Tensor) -> tuple[Tensor, Tensor, Mapping[str, Tensor]]:
        flat = torch.cat([part.flatten(1) for part in inputs], 1)
        x = torch.relu(self.norm(self.hidden(flat)))
        return self.policy(x), torch.tanh(self.value(x)), {"walls": self.length(x)[:, 0]}


class StopAfter(Callback):
    """Ends a run after this many steps, and notes what it was called with."""

    def __init__(self, steps: int = 3) -> None:
        self.most = steps
        self.calls: list[str] = []
        self.rows: list[Mapping[str, float]] = []
        self.paths: list[Path] = []

    def on_start(self, run: Training) -> None:
        self.calls.append(f"start at {run.steps}")

    def on_step(self, run: Training) -> None:
        self.calls.append("step")
        run.stop = self.calls.count("step") >= self.most

    def on_report(self, run: Training, metrics: Mapping[str, float]) -> None:
        assert metrics["steps"] == run.steps
        self.rows.append(metrics)

    def on_snapshot(self, run: Training, path: Path) -> None:
        assert path.parent == run.folder
        self.paths.append(path)

    def on_end(self, run: Training) -> None:
        assert (run.folder / "checkpoint.pt").exists()
        self.calls.append(f"end at {run.steps}")


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.files.os.fsync", lambda number: None)


@pytest.mark.parametrize(
    ("config", "own_actions"), [(CONFIG, False), (CONFIG, True), (HISTORY, True), (REVERSI, False)]
)
def test_a_custom_network_trains_exports_and_plays(
    config: TrainConfig, own_actions: bool, tmp_path: Path
) -> None:
    torch.manual_seed(1)
    net = Perceptron(config, own_actions)
    first = net.policy.weight.detach().clone()
    trained = train(config, tmp_path, network=net, callbacks=[StopAfter()])
    assert isinstance(trained, Perceptron)
    assert not trained.training
    assert not torch.equal(net.policy.weight, first)

    path = tmp_path / "own.onnx"
    export_network(trained, path, config.encoding, config.size)
    loaded = load(tmp_path / "checkpoint.pt", network=Perceptron(config, own_actions))
    state = config.start
    for _ in range(4):
        one, other = loaded(state), load(path)(state)
        assert one.policy == pytest.approx(other.policy, abs=5e-3)  # checkpoints round to float16
        assert one.value == pytest.approx(other.value, abs=5e-3)
        state = state.play(max(one.policy, key=lambda action: one.policy[action]))
    agent = make(f"zero:network={path},sims=4", state.game)
    assert state.is_legal(agent.select_action(state))


def test_what_a_callback_prepares_is_not_training_time(tmp_path: Path) -> None:
    class Slow(StopAfter):
        def on_start(self, run: Training) -> None:
            super().on_start(run)
            run.started -= 1000  # as if it had taken that long

    slow = Slow()
    train(CONFIG, tmp_path, seconds=500, callbacks=[slow])
    assert slow.calls == ["start at 0", "step", "step", "step", "end at 3"]
    assert load_checkpoint(tmp_path / "checkpoint.pt")["elapsed_s"] < 500


def test_a_run_with_a_module_resumes_with_it_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train(CONFIG, tmp_path, network=Perceptron(CONFIG), callbacks=[StopAfter()])
    resumed = StopAfter()
    train(CONFIG, tmp_path, resume=True, network=Perceptron(CONFIG), callbacks=[resumed])
    assert resumed.calls == ["start at 3", "step", "step", "step", "end at 6"]
    path = tmp_path / "checkpoint.pt"
    for other in (None, Perceptron(CONFIG, own_actions=True)):
        with pytest.raises(ConfigError, match=r"checkpoint\.pt"):
            train(CONFIG, tmp_path, resume=True, network=other)
    with pytest.raises(ConfigError, match=r"a custom network, Perceptron: pass such a module"):
        load_torch(path)
    assert main(["export", str(path), "--out", str(tmp_path / "x.onnx")]) == 2
    assert "a custom network, Perceptron" in capsys.readouterr().err


def test_a_checkpoint_of_a_network_of_the_package_names_no_module(tmp_path: Path) -> None:
    trained = train(CONFIG, tmp_path, callbacks=[StopAfter()])
    assert isinstance(trained, PathNet)
    assert "module" not in load_checkpoint(tmp_path / "checkpoint.pt")
    value = load(tmp_path / "checkpoint.pt")(CONFIG.start).value
    export_network(trained, tmp_path / "net.onnx", CONFIG.encoding, CONFIG.size)
    assert load(tmp_path / "net.onnx")(CONFIG.start).value == pytest.approx(value, abs=5e-3)


def test_matches_of_snapshots_are_played_by_the_module(tmp_path: Path) -> None:
    often: JsonObject = {"snapshot_s": 0.2, "ladder_games": 2, "ladder_simulations": 2}

    class StopAfterMatch(Callback):
        def on_snapshot(self, run: Training, path: Path) -> None:
            run.stop = len(run.ladder.matches) > 0

    config = TrainConfig.of(CONFIG.as_dict() | often)
    callback = StopAfter(10**9)
    train(config, tmp_path, network=Perceptron(config), callbacks=[callback, StopAfterMatch()])
    assert {*callback.paths} == {*tmp_path.glob("snapshot-*.pt")}
    assert len({*callback.paths}) >= 2
    with pytest.raises(ConfigError, match="a custom network, Perceptron"):
        load(callback.paths[0])


def own_loss(config: TrainConfig, outputs: NetOutputs, targets: Targets) -> dict[str, Tensor]:
    """The standard loss, and a side task that should be 5 everywhere."""
    losses = standard_loss(config, outputs, targets)
    side = (outputs.side["walls"] - 5).square().mean()
    return losses | {"loss": losses["loss"] + side, "walls_loss": side}


def test_a_custom_loss_is_minimised_and_reported(tmp_path: Path) -> None:
    torch.manual_seed(1)
    net = Perceptron(CONFIG).eval()
    planes = torch.from_numpy(CONFIG.start.game.planes(CONFIG.start))[None]
    before = net(planes)[2]["walls"].item()

    class StopAtReport(StopAfter):
        def on_step(self, run: Training) -> None:
            pass

        def on_report(self, run: Training, metrics: Mapping[str, float]) -> None:
            super().on_report(run, metrics)
            run.stop = run.steps >= self.most

    callback = StopAtReport(20)
    train(CONFIG, tmp_path, network=net.train(), loss=own_loss, callbacks=[callback])
    assert before + 0.1 < net.eval()(planes)[2]["walls"].item() < 6
    reported = [row["walls_loss"] for row in callback.rows if row.get("walls_loss")]
    with (tmp_path / "metrics.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if float(row.get("walls_loss", 0)) > 0]
    assert rows
    assert [float(row["walls_loss"]) for row in rows] == pytest.approx(reported, rel=1e-4)
    assert all(float(row["policy_loss"]) > 0 for row in rows)


def test_a_loss_without_parts_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def only_value(config: TrainConfig, outputs: NetOutputs, targets: Targets) -> dict[str, Tensor]:
        return {"loss": (outputs.value - targets.outcome).square().mean()}

    train(CONFIG, tmp_path, loss=only_value, callbacks=[StopAfter(5)])
    assert "policy" not in capsys.readouterr().err


class Fixed(nn.Module):
    """A module whose outputs are fixed."""

    def __init__(self, *outputs: object) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.outputs = outputs

    def forward(self, *inputs: Tensor) -> object:
        return self.outputs if len(self.outputs) > 1 else self.outputs[0]


GOOD = torch.zeros(2, 209), torch.zeros(2)


@pytest.mark.parametrize(
    ("net", "message"),
    [
        (Fixed(torch.zeros(2, 209)), "expected logits, value and .* from the network, got Tensor"),
        (Fixed(torch.zeros(2, 9), GOOD[1]), r"logits of shape \(2, 209\) .*, got \(2, 9\)"),
        (Fixed(GOOD[0], torch.zeros(2, 3)), r"values of shape \(2,\) .*, got \(2, 3\)"),
        (Fixed(*GOOD, {"margin": 1}), "third output, got dict"),
        (Fixed(*GOOD, torch.zeros(2)), r"side tasks, as the network's third output, got \(2,\)"),
        (nn.Linear(5, 5), r"cannot read inputs of shape \(2, 32, 3, 3\): mat1 and mat2 shapes"),
    ],
)
def test_a_module_that_does_not_fit_is_refused_before_anything_is_written(
    net: nn.Module, message: str, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    with pytest.raises(ConfigError, match=message):
        train(CONFIG, folder, network=net)
    with pytest.raises(ConfigError, match=message):
        export_network(net, tmp_path / "net.onnx", CONFIG.encoding, CONFIG.size)
    assert not any(tmp_path.iterdir())


def test_what_a_custom_network_cannot_do(tmp_path: Path) -> None:
    boards = TrainConfig.of(CONFIG.as_dict() | {"boards": {"3": 1, "5": 1}})
    with pytest.raises(ConfigError, match="one board size, so boards cannot be set"):
        train(boards, tmp_path, network=Perceptron(CONFIG))
    with pytest.raises(ConfigError, match="without a cluster"):
        train(CONFIG, tmp_path, cluster=Cluster(), network=Perceptron(CONFIG))
    with pytest.raises(ConfigError, match=r"the total as 'loss', got \{'total': \(\)\}"):
        train(CONFIG, tmp_path, loss=lambda *_: {"total": torch.zeros(())})
    with pytest.raises(ConfigError, match="expected losses by name from the loss, got Tensor"):
        train(CONFIG, tmp_path, loss=lambda *_: torch.zeros(()))  # type: ignore[arg-type]
    message = "expected a torch module as the network, got the class Perceptron"
    for call in (
        lambda: train(CONFIG, tmp_path, network=Perceptron),  # type: ignore[arg-type]
        lambda: load(tmp_path / "run.pt", network=Perceptron),  # type: ignore[arg-type]
        lambda: export_network(Perceptron, tmp_path / "x", CONFIG.encoding, 3),  # type: ignore[arg-type]
    ):
        with pytest.raises(ConfigError, match=message):
            call()


class Fickle(Perceptron):
    """A module whose code depends on the number of positions."""

    def forward(self, *inputs: Tensor) -> tuple[Tensor, Tensor, Mapping[str, Tensor]]:
        logits, value, side = super().forward(*inputs)
        return (logits, value, side) if len(logits) == 2 else (logits + 1, value, side)


def test_an_export_that_says_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="says something else after its export"):
        export_network(Fickle(CONFIG), tmp_path / "x.onnx", CONFIG.encoding, CONFIG.size)
    assert not any(tmp_path.iterdir())


def test_a_run_works_outside_the_main_thread(tmp_path: Path) -> None:
    callback = StopAfter()
    run = threading.Thread(target=train, args=(CONFIG, tmp_path), kwargs={"callbacks": [callback]})
    run.start()
    run.join()
    assert callback.calls == ["start at 0", "step", "step", "step", "end at 3"]


# TensorBoard's reader is for tests alone; what it warns of does not concern a run.
@pytest.mark.filterwarnings("default")
def test_tensorboard_is_a_callback_that_hides_what_a_kill_left_behind(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import (  # type: ignore[import-untyped]
        EventAccumulator,
    )

    train(CONFIG, tmp_path, callbacks=[StopAfter()])
    run = Training(CONFIG, tmp_path, resume=True)
    for resumed_at, losses in ((0.0, {10: 3, 20: 2, 30: 9}), (25.0, {30: 1, 40: 0.5})):
        board, run.elapsed_before = TensorBoard(), resumed_at
        board.on_start(run)
        for second, loss in losses.items():
            board.on_report(run, {"elapsed_s": second + 0.2, "loss": loss})
        board.on_end(run)
    found = EventAccumulator(str(tmp_path / "tensorboard"))
    found.Reload()
    events = [(event.step, event.value) for event in found.Scalars("loss")]
    assert events == [(10, 3), (20, 2), (30, 1), (40, 0.5)]


@pytest.mark.filterwarnings("default")
def test_the_setting_tensorboard_adds_the_callback(tmp_path: Path) -> None:
    config = TrainConfig.of(CONFIG.as_dict() | {"tensorboard": True})
    train(config, tmp_path, seconds=0.3)
    assert list((tmp_path / "tensorboard").glob("events.out.*"))


def test_without_tensorboard_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = "elapsed_s,loss\n1,2\n"
    (tmp_path / "metrics.csv").write_text(earlier)
    monkeypatch.delitem(sys.modules, "torch.utils.tensorboard", raising=False)
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    config = TrainConfig.of(CONFIG.as_dict() | {"tensorboard": True})
    with pytest.raises(ConfigError, match=r"needs TensorBoard: pip install 'plyground\[tensorb"):
        train(config, tmp_path)
    assert (tmp_path / "metrics.csv").read_text() == earlier


def test_a_module_is_evaluated_in_one_batch_as_alone() -> None:
    torch.manual_seed(1)
    from plyground.nets.torch_evaluator import TorchEvaluator

    net = Perceptron(HISTORY, own_actions=True).eval()
    evaluator = TorchEvaluator(net, HISTORY.encoding, 3)
    state = HISTORY.start
    packed = np.stack([state.game.net_features(s, 4) for s in (state, state.play("b2"))])
    logits, values = evaluator(packed)
    assert logits.shape == (2, 209)
    assert np.allclose(evaluator(packed[1:])[0], logits[1:], atol=1e-6)
    assert np.allclose(evaluator(packed[1:])[1], values[1:], atol=1e-6)


class Reckless(Callback):
    """Starts a run with weights as too large steps would leave them."""

    def __init__(self, weight: float) -> None:
        self.weight = weight

    def on_start(self, run: Training) -> None:
        for weights in (*run.learner.net.parameters(), *run.learner.average.parameters()):
            weights.data.fill_(self.weight)


@pytest.mark.parametrize(
    ("often", "weight"),
    [
        *((name, math.nan) for name in ("report_s", "refresh_s", "save_s", "snapshot_s", "")),
        ("", math.inf),
        ("", 1e6),
    ],
)
def test_a_run_that_diverges_ends_and_saves_nothing(
    often: str, weight: float, tmp_path: Path
) -> None:
    seldom: JsonObject = {"report_s": 1e6, "refresh_s": 1e6, "save_s": 1e6, "snapshot_s": 1e6}
    config = TrainConfig.of(CONFIG.as_dict() | seldom | ({often: 0.1} if often else {}))
    message = r"training diverged: .* after \d+ steps?; no checkpoint was saved; try a lower"
    callbacks = [Reckless(weight), *([] if often else [StopAfter(1)])]
    with pytest.raises(ConfigError, match=message):
        train(config, tmp_path, network=Perceptron(CONFIG), callbacks=callbacks)
    assert not list(tmp_path.glob("*.pt"))


def test_a_run_that_diverges_keeps_its_last_checkpoint(tmp_path: Path) -> None:
    def no_loss(config: TrainConfig, outputs: NetOutputs, targets: Targets) -> dict[str, Tensor]:
        return {"loss": outputs.value.mean() * math.nan}

    train(CONFIG, tmp_path, callbacks=[StopAfter()])
    path = tmp_path / "checkpoint.pt"
    before = path.read_bytes()
    fast = TrainConfig.of(CONFIG.as_dict() | {"learning_rate": 1e6})
    for config, loss in ((CONFIG, no_loss), (fast, None)):
        with pytest.raises(ConfigError, match=r"diverged: .* steps; .*checkpoint\.pt is kept"):
            train(config, tmp_path, resume=True, loss=loss)
        assert path.read_bytes() == before
    saved = load_checkpoint(path)
    saved["average"]["stem.weight"][0] = math.nan
    torch.save(saved, path)
    with pytest.raises(ConfigError, match=r"cannot continue from .*NaN"):
        train(CONFIG, tmp_path, resume=True)
