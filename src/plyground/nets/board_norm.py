"""A batch norm for batches of boards of several sizes, which counts the cells on the boards alone.

Boards lie in the corner of a canvas. The formulas are written out, which costs a pass over the
canvas each; on a GPU the learner compiles them into a few passes.
"""

from __future__ import annotations

from plyground.lazy import missing_extra

try:
    import torch
    from torch import Tensor, nn
except ModuleNotFoundError as error:
    raise missing_extra(__name__, error) from error


class BoardNorm(nn.BatchNorm2d):
    """A batch norm whose statistics can be those of the cells on the board alone."""

    def forward(self, x: Tensor, on_board: Tensor | None = None) -> Tensor:
        """[batch, channels, n, n] in and out; `on_board` is 1 or 0, [batch, 1, n, n].

        Cells outside the boards become 0, as the rim of a board is padded with.
        """
        if on_board is None or not self.training:
            return cut(super().forward(x), on_board)
        cells = on_board.sum(dtype=torch.float32).clamp_min(2)
        numbers = x.float() * on_board
        mean = numbers.sum((0, 2, 3)) / cells
        variance = (numbers.square().sum((0, 2, 3)) / cells - mean.square()).clamp_min(0)
        self._keep(mean.detach(), (variance * (cells / (cells - 1))).detach())
        scale = self.weight * torch.rsqrt(variance + self.eps)
        normed = numbers * _wide(scale) + _wide(self.bias - mean * scale)
        return (normed * on_board).to(x.dtype)

    def _keep(self, mean: Tensor, variance: Tensor) -> None:
        """Move the running statistics towards those of a batch."""
        assert self.running_mean is not None
        assert self.running_var is not None
        self.running_mean.lerp_(mean, self.momentum or 0.0)
        self.running_var.lerp_(variance, self.momentum or 0.0)


def cut(x: Tensor, on_board: Tensor | None) -> Tensor:
    """Zeros outside the board."""
    return x if on_board is None else x * on_board


def _wide(channels: Tensor) -> Tensor:
    """A number for each channel, for all cells."""
    return channels[:, None, None]
