"""Make a trained `PathNet` larger without changing what it computes.

New channels are read by nothing that was there before, new blocks add nothing, and new pooling
layers give 0. Training changes all of them from the first step on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations

import torch
from torch import Tensor, nn

from plyground.errors import ConfigError
from plyground.nets.network import PathNet, count_blocks, count_pooled_parts

_BLOCK = re.compile(r"blocks\.(\d+)\.(.*)")


def grow(state: Mapping[str, Tensor], net: nn.Module) -> dict[str, Tensor]:
    """The weights of a smaller network, in the shape of `net`, with the same outputs.

    Only a PathNet grows; the weights of other networks must have the shape of `net`.
    """
    if not isinstance(net, PathNet):
        _check_shapes(state, net)
        return dict(state)
    sources = _block_sources(state, net)
    parts = count_pooled_parts(state), count_pooled_parts(net.state_dict())
    grown = {}
    for name, fresh in net.state_dict().items():
        source = _source_name(name, sources)
        if source is None:
            adds = name.endswith(("bn2.weight", "bn2.bias"))
            grown[name] = torch.zeros_like(fresh) if adds else fresh.clone()
        elif source in state:
            grown[name] = _embed(state[source], fresh, _parts_of(name, parts))
        elif ".pool." in name:
            grown[name] = torch.zeros_like(fresh)
    return grown


def grow_moments(
    moments: Mapping[str, tuple[Tensor, ...]], state: Mapping[str, Tensor], net: nn.Module
) -> dict[str, tuple[Tensor, ...]]:
    """The optimiser's moments of the smaller network; those of new weights are 0."""
    if not isinstance(net, PathNet):
        return dict(moments)
    sources = _block_sources(state, net)
    parts = count_pooled_parts(state), count_pooled_parts(net.state_dict())
    grown = {}
    for name, parameter in net.named_parameters():
        source = _source_name(name, sources)
        if source is not None and source in moments:
            empty = torch.zeros_like(parameter, device="cpu")
            grown[name] = tuple(
                _embed(moment, empty, _parts_of(name, parts)) for moment in moments[source]
            )
    return grown


def _check_shapes(state: Mapping[str, Tensor], net: nn.Module) -> None:
    """Raise a ConfigError unless weights have the names and shapes of a network."""
    known = net.state_dict()
    if state.keys() - known.keys():
        raise ConfigError(f"expected the weights of a {type(net).__name__}, got other ones")
    for name, weight in state.items():
        if weight.shape != known[name].shape:
            raise ConfigError(
                f"a {type(net).__name__} cannot grow: expected {name} of shape "
                f"{tuple(known[name].shape)}, got {tuple(weight.shape)}"
            )


def _block_sources(state: Mapping[str, Tensor], net: PathNet) -> dict[int, int]:
    """The old block behind each new one; blocks that are new are left out."""
    old = count_blocks(state)
    new = len(net.blocks)
    was_pooled = {i for i in range(old) if f"blocks.{i}.pool.weight" in state}
    is_pooled = {i for i in range(new) if f"blocks.{i}.pool.weight" in net.state_dict()}
    fitting = [
        places
        for places in combinations(range(new), old)
        if all(places[i] in is_pooled for i in was_pooled)
    ]
    if not fitting or state["stem.weight"].shape[0] > net.stem.weight.shape[0]:
        raise ConfigError(
            f"cannot grow a network of {old} blocks, {len(was_pooled)} of them pooled, and "
            f"{state['stem.weight'].shape[0]} channels into one of {new} blocks, "
            f"{len(is_pooled)} of them pooled, and {net.stem.weight.shape[0]} channels"
        )

    unevenness = [
        sum(abs(place - i * new / old) for i, place in enumerate(places)) for places in fitting
    ]
    best = fitting[unevenness.index(min(unevenness))]
    return {place: i for i, place in enumerate(best)}


def _source_name(name: str, sources: Mapping[int, int]) -> str | None:
    """What a weight is called in the smaller network; None for one of a new block."""
    if not (match := _BLOCK.fullmatch(name)):
        return name
    source = sources.get(int(match[1]))
    return None if source is None else f"blocks.{source}.{match[2]}"


def _parts_of(name: str, parts: tuple[int, int]) -> tuple[int, int]:
    """The parts that the inputs of a layer have before and after; 1 unless it reads a pool."""
    return parts if name.endswith(("pool.weight", "hidden.weight")) else (1, 1)


def _embed(old: Tensor, fresh: Tensor, parts: tuple[int, int]) -> Tensor:
    """The old weight in the corner of a fresh one; old outputs ignore new inputs."""
    new = fresh.clone()
    if old.dim() < 2:
        new.view(-1)[: old.numel()] = old.view(-1)
        return new
    outputs, inputs = old.shape[0], old.shape[1] // parts[0]
    new_parts = new.unflatten(1, (parts[1], -1))
    new_parts[:outputs] = 0
    new_parts[:outputs, : parts[0], :inputs] = old.unflatten(1, (parts[0], -1)).to(new)
    return new
