"""The learning half of training: losses, one step of AdamW, averaged weights."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from copy import deepcopy
from importlib.util import find_spec

import numpy as np
import torch
from torch import Tensor, nn

from plyground.errors import ConfigError
from plyground.nets.architecture import ARCHITECTURES
from plyground.nets.features import ON_BOARD, CanvasExpander, Expander, board_sizes
from plyground.nets.grow import grow, grow_moments
from plyground.nets.network import network_outputs
from plyground.train.checkpoint import Checkpoint
from plyground.train.config import TrainConfig
from plyground.train.losses import LOSSES, Loss, Targets, standard_loss
from plyground.train.replay import Batch, ReplayBuffer


class View:
    """Boards turned by one of their symmetries, and how to turn a policy back."""

    def __init__(self, config: TrainConfig, symmetry: int, device: torch.device) -> None:
        encoding = config.encoding
        expander: Expander | CanvasExpander = (
            CanvasExpander(encoding, symmetry)
            if config.has_mixed_boards
            else Expander(encoding, config.size, symmetry)
        )
        self.encoding = encoding
        self.expander = expander.to(device)
        self._orders: Tensor | None = None
        """By board size, where each entry of the policy is in the turned one; None: all stay."""
        if symmetry:
            sizes = [*range(encoding.canvas + 1)] if encoding.size_byte else [encoding.canvas]
            orders = [encoding.turn_policy(size, symmetry).argsort() for size in sizes]
            self._orders = torch.from_numpy(np.stack(orders)).to(device)

    def turn_back(self, logits: Tensor, packed: Tensor) -> Tensor:
        """Logits of the turned boards [batch, actions] as those of the boards themselves."""
        if self._orders is None:
            return logits
        if len(self._orders) == 1:
            return logits[:, self._orders[0]]
        return logits.gather(1, self._orders[board_sizes(packed, self.encoding)])


class Learner:
    """A network in training on one device, with its optimiser and its averaged weights.

    On a GPU the whole step (sampling, turning, forward, backward, AdamW, averaging) is recorded
    once as a CUDA graph and replayed. Everything it touches is therefore changed in place only.
    The network's part of it is compiled, which takes some 20 s and halves the time of a step.
    `network` is trained instead of the one that the settings describe, `loss` minimised instead of
    the standard one.
    """

    def __init__(
        self,
        config: TrainConfig,
        replay: ReplayBuffer,
        network: nn.Module | None = None,
        loss: Loss | None = None,
    ) -> None:
        self.config = config
        self.replay = replay
        self.loss = loss or standard_loss
        self.device = replay.device
        on_gpu = self.device.type == "cuda"
        encoding = config.encoding
        self._size = config.size
        self._outputs = network_outputs
        if on_gpu and config.compile and network is None and find_spec("triton"):
            self._outputs = torch.compile(network_outputs, dynamic=False)
        build = ARCHITECTURES[config.network].build
        net = build(config.net_shape, encoding) if network is None else network
        net = net.to(self.device)
        for parameter in net.parameters():
            if parameter.dim() == 4:
                parameter.data = parameter.data.contiguous(memory_format=torch.channels_last)
        self.net = net
        self.average = deepcopy(self.net).requires_grad_(False).eval()
        groups: list[dict[str, object]] = [
            {"params": [p for p in net.parameters() if p.dim() > 1]},
            {"params": [p for p in net.parameters() if p.dim() <= 1], "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(
            groups,
            lr=torch.zeros((), device=self.device) if on_gpu else 0.0,
            weight_decay=config.weight_decay,
            fused=on_gpu,
            capturable=on_gpu,
        )
        self.views = [
            View(config, symmetry, self.device) for symmetry in range(encoding.symmetries)
        ]
        self.legal = Expander(encoding, config.size).to(self.device).legal
        self.steps = 0
        self._names: tuple[str, ...] = LOSSES if loss is None else ("loss",)
        """The names of the losses; those of another loss are known after the first step."""
        self._sums = torch.zeros(len(self._names), device=self.device)
        self._steps_summed = 0
        self._graph = self._record() if on_gpu else None

    def step(self, learning_rate: float) -> None:
        """Learn from one batch; on a GPU it is queued on the current stream."""
        self._set_rate(learning_rate)
        if self._graph is None:
            self._step()
        else:
            self._graph.replay()
        self.steps += 1
        self._steps_summed += 1

    def mean_losses(self) -> dict[str, float]:
        """The losses by name, averaged over the steps since the last call."""
        sums, steps = self._sums.tolist(), max(1, self._steps_summed)
        self._sums.zero_()
        self._steps_summed = 0
        return {name: value / steps for name, value in zip(self._names, sums, strict=True)}

    @torch.no_grad()
    def weights_are_finite(self) -> bool:
        """Whether the weights are numbers, the averaged ones in float16 too; waits for the GPU."""
        averaged = _floats(self.average)
        norms = torch.stack(torch._foreach_norm(averaged + _floats(self.net)))
        largest = torch.stack(torch._foreach_norm(averaged, math.inf)).max()
        fits = largest <= torch.finfo(torch.float16).max
        return bool((norms.isfinite().all() & fits).item())

    def losses(self, batch: Batch, averaged: bool = False) -> Mapping[str, Tensor]:
        """The losses of a batch by name, "loss" is the total; or those of the averaged weights."""
        net, outputs_of = (self.average, network_outputs) if averaged else (self.net, self._outputs)
        dtype = torch.bfloat16 if self.device.type == "cuda" else torch.float32
        views = self._by_view(batch.features)
        parts = zip(*(view.expander.inputs(part, dtype) for view, part in views), strict=True)
        inputs = tuple(torch.cat(part) for part in parts)
        mixed = self.config.has_mixed_boards
        on_board = inputs[0][:, ON_BOARD : ON_BOARD + 1] if mixed else None
        with torch.autocast(
            "cuda", torch.bfloat16, enabled=dtype == torch.bfloat16, cache_enabled=False
        ):
            outputs = outputs_of(net, inputs, self.config.encoding, self._size, on_board)
        turned = zip(self._by_view(outputs.logits), self._by_view(batch.features), strict=True)
        logits = torch.cat([view.turn_back(part, packed) for (view, part), (_, packed) in turned])
        targets = Targets.of(batch, self.legal(batch.features))
        return _by_name(self.loss(self.config, outputs._replace(logits=logits), targets))

    def _by_view(self, rows: Tensor) -> Iterable[tuple[View, Tensor]]:
        """Rows in as many equal parts as there are views, each with its own."""
        return zip(self.views, rows.tensor_split(len(self.views)), strict=True)

    def _step(self) -> None:
        """One step: sample, forward, backward, AdamW, average."""
        parts = self.losses(self.replay.sample(self.config.batch_size))
        if self._names != tuple(parts):
            self._set_names(parts)
        self.optimizer.zero_grad(set_to_none=True)
        parts["loss"].backward()
        self.optimizer.step()
        with torch.no_grad():
            self._sums += torch.stack([*parts.values()])
            torch._foreach_lerp_(
                _floats(self.average), _floats(self.net), 1 - self.config.average_decay
            )

    def _set_names(self, parts: Mapping[str, Tensor]) -> None:
        """Begin to sum the losses that a custom loss returns."""
        if "loss" not in parts or any(part.dim() for part in parts.values()):
            shapes = {name: tuple(part.shape) for name, part in parts.items()}
            raise ConfigError(
                f"expected numbers by name from the loss, the total as 'loss', got {shapes}"
            )
        self._names = tuple(parts)
        self._sums = torch.zeros(len(parts), device=self.device)

    def _set_rate(self, learning_rate: float) -> None:
        for group in self.optimizer.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(learning_rate)
            else:
                group["lr"] = learning_rate

    def _record(self) -> torch.cuda.CUDAGraph:
        """Record a step, and undo what the warm-up steps that this takes have changed.

        The optimiser's state comes into being in the warm-up: it must not during the recording.
        """
        before = deepcopy(self.net.state_dict())
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self._step()
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._step()
        self.net.load_state_dict(before)
        self.average.load_state_dict(before)
        for state in self.optimizer.state.values():
            for tensor in state.values():
                tensor.zero_()
        self._sums.zero_()
        return graph

    def state(self) -> dict[str, object]:
        """Everything a resumed run needs, compact: bfloat16 for moments, float16 for averages."""
        moments = {}
        for name, parameter in self.net.named_parameters():
            if parameter in self.optimizer.state:
                state = self.optimizer.state[parameter]
                moments[name] = tuple(
                    state[key].to("cpu", torch.bfloat16) for key in ("exp_avg", "exp_avg_sq")
                )
        return {
            "steps": self.steps,
            "net": {name: value.cpu() for name, value in self.net.state_dict().items()},
            "average": self.playing_weights(),
            "moments": moments,
        }

    def playing_weights(self) -> dict[str, Tensor]:
        """The averaged weights in float16, with which a network plays."""
        state = self.average.state_dict()
        return {
            name: state[name].to("cpu", torch.float16) for name in state if _is_float(state[name])
        }

    @torch.no_grad()
    def load_state(self, saved: Checkpoint) -> None:
        """Continue from `state()` or from a snapshot, in place; a smaller network grows."""
        self.steps = saved.get("steps", 0)
        counts = {k: v for k, v in self.net.state_dict().items() if not _is_float(v)}
        weights = saved.get("net", counts | saved["average"])
        moments = grow_moments(saved.get("moments", {}), weights, self.net)
        # Fresh weights of a larger network come from `net`, which takes the grown ones over last.
        self.average.load_state_dict(grow(saved["average"], self.net), strict=False)
        self.net.load_state_dict(grow(weights, self.net))
        for name, parameter in self.net.named_parameters():
            if name not in moments:
                continue
            state = self.optimizer.state[parameter]
            if not state:
                state["step"] = torch.zeros(())
                state["exp_avg"] = torch.zeros_like(parameter)
                state["exp_avg_sq"] = torch.zeros_like(parameter)
            state["step"].fill_(self.steps)
            for key, moment in zip(("exp_avg", "exp_avg_sq"), moments[name], strict=True):
                state[key].copy_(moment)


def _by_name(losses: object) -> Mapping[str, Tensor]:
    """What a loss returned; a ConfigError unless it is a mapping."""
    if not isinstance(losses, Mapping):
        raise ConfigError(f"expected losses by name from the loss, got {type(losses).__name__}")
    return losses


def _is_float(tensor: Tensor) -> bool:
    return tensor.dtype.is_floating_point


def _floats(net: nn.Module) -> list[Tensor]:
    """Weights and the norms' statistics."""
    return [t for t in (*net.parameters(), *net.buffers()) if _is_float(t)]
