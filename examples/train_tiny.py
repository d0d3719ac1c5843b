"""Train a network of your own on 3x3 Quoridor for some seconds, watch it, and play with it.

python train_tiny.py        writes tiny/ and tiny.onnx (extra `train`)
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from plyground.nets import export_network, load
from plyground.train import Callback, TrainConfig, Training, train

config = TrainConfig(board_size=3, seconds=3, report_s=1, save_replay=False, device="cpu")


class TinyNet(nn.Module):
    """Two layers over the planes: logits of all actions, and a value."""

    def __init__(self) -> None:
        super().__init__()
        planes = config.encoding.planes * config.size**2
        self.hidden = nn.Sequential(nn.Flatten(), nn.Linear(planes, 128), nn.ReLU())
        self.policy = nn.Linear(128, config.encoding.actions)
        self.value = nn.Linear(128, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values of a batch."""
        x = self.hidden(planes)
        return self.policy(x), torch.tanh(self.value(x))


class Watch(Callback):
    """Prints a line every second."""

    def on_report(self, run: Training, metrics: Mapping[str, float]) -> None:
        """Print the games, steps and loss so far."""
        print(f"{metrics['games']:.0f} games, {run.steps} steps, loss {metrics['loss']:.2f}")


net = train(config, "tiny", network=TinyNet(), callbacks=[Watch()])
export_network(net, "tiny.onnx", config.encoding, config.size)
policy, value = load("tiny.onnx")(config.start)
print(f"player 1 expects {value:+.2f}; plyground play --p2 zero:network=tiny.onnx --preset tiny")
