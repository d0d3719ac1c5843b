"""A batch norm for batches of boards of several sizes, which counts the cells on the boards alone.

Boards lie in the corner of a canvas, and the cells outside are set to 0. The sums over the canvas
are then sums over the boards, so one pass over the canvas gives their mean and variance. On a GPU
the passes are the kernels that torch uses to share a batch norm between GPUs, which take any mean,
variance and number of cells; elsewhere the same formulas are written out.
"""

from __future__ import annotations

from plyground.lazy import missing_extra

try:
    import torch
    from torch import Tensor, nn
    from torch.autograd.function import FunctionCtx
except ModuleNotFoundError as error:
    raise missing_extra(__name__, error) from error


class BoardNorm(nn.BatchNorm2d):
    """A batch norm whose statistics can be those of the cells on the board alone."""

    def forward(self, x: Tensor, on_board: Tensor | None = None) -> Tensor:
        """[batch, channels, n, n] in and out; `on_board` is 1 or 0, [batch, 1, n, n]."""
        if on_board is None or not self.training:
            return super().forward(x)
        found: tuple[Tensor, Tensor, Tensor, Tensor] = _Norm.apply(  # type: ignore[no-untyped-call]
            x, on_board, self.weight, self.bias, self.eps
        )
        out, mean, variance, cells = found
        with torch.no_grad():
            assert self.running_mean is not None
            assert self.running_var is not None
            momentum = self.momentum or 0.0
            self.running_mean.lerp_(mean, momentum)
            self.running_var.lerp_(variance * (cells / (cells - 1)), momentum)
        return out


class _Saved(FunctionCtx):
    """What the forward pass keeps for the backward pass."""

    saved_tensors: tuple[Tensor, ...]


class _Norm(torch.autograd.Function):
    """The norm and its gradients. Cells outside the boards get no gradient."""

    @staticmethod
    def forward(
        ctx: _Saved, x: Tensor, on_board: Tensor, weight: Tensor, bias: Tensor, eps: float
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The normed cells; mean and variance of each channel; the number of cells."""
        x = x * on_board
        cells = on_board.sum(dtype=torch.float32).clamp_min(2)
        mean, square = (moment * (x.numel() / x.shape[1] / cells) for moment in _moments(x))
        variance = (square - mean.square()).clamp_min(0)
        inverse = torch.rsqrt(variance + eps)
        ctx.save_for_backward(x, on_board, weight, mean, inverse, cells)
        ctx.mark_non_differentiable(mean, variance, cells)
        return _normed(x, weight, bias, mean, inverse, eps), mean, variance, cells

    @staticmethod
    def backward(ctx: _Saved, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """The gradients of cells, weight and bias."""
        x, on_board, weight, mean, inverse, cells = ctx.saved_tensors
        gradient = gradients[0] * on_board
        back = _back_cuda if x.is_cuda else _back
        of_x, of_weight, of_bias = back(gradient, x, weight, mean, inverse, cells)
        return of_x * on_board, None, of_weight, of_bias, None


def _moments(x: Tensor) -> tuple[Tensor, Tensor]:
    """Means over the canvas of each channel and of its square."""
    if not x.is_cuda:
        return x.mean((0, 2, 3), dtype=torch.float32), x.float().square().mean((0, 2, 3))
    eps = 1e-12
    mean, inverse = torch.batch_norm_stats(x, eps)
    return mean, inverse.pow(-2) - eps + mean.square()


def _normed(
    x: Tensor, weight: Tensor, bias: Tensor, mean: Tensor, inverse: Tensor, eps: float
) -> Tensor:
    if x.is_cuda:
        return torch.batch_norm_elemt(x, weight, bias, mean, inverse, eps)
    scale = weight * inverse
    return (x * _wide(scale) + _wide(bias - mean * scale)).to(x.dtype)


def _back_cuda(
    gradient: Tensor, x: Tensor, weight: Tensor, mean: Tensor, inverse: Tensor, cells: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    gradient = gradient.contiguous(memory_format=torch.channels_last)
    total, with_x, of_weight, of_bias = torch.batch_norm_backward_reduce(
        gradient, x, mean, inverse, weight, True, True, True
    )
    count = cells.to(torch.int32)[None]
    of_x = torch.batch_norm_backward_elemt(gradient, x, mean, inverse, weight, total, with_x, count)
    return of_x, of_weight, of_bias


def _back(
    gradient: Tensor, x: Tensor, weight: Tensor, mean: Tensor, inverse: Tensor, cells: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    normed = (x - _wide(mean)) * _wide(inverse)
    of_bias = gradient.sum((0, 2, 3))
    of_weight = (gradient * normed).sum((0, 2, 3))
    shared = _wide(of_bias / cells) + normed * _wide(of_weight / cells)
    return (gradient - shared) * _wide(weight * inverse), of_weight, of_bias


def _wide(channels: Tensor) -> Tensor:
    """A number for each channel, for all cells."""
    return channels[:, None, None]
