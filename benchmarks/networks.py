"""Compare our network with a classic one: same training data, same time to play.

    python benchmarks/networks.py checkpoints/pool/snapshot-004785.pt --steps 2000
    python benchmarks/networks.py runs/9x9/checkpoint.pt --replay runs/9x9/replay

The training positions come from self-play of a trained network, either played now or loaded from a
run's replay. Two networks of the same depth and width train on them from scratch, for the same
number of steps: `PathNet`, and `QuoridorNet` over the same planes, without scalars or history
(`equal_minutes.py` compares it with its own inputs). Then they play a match. Each gets simulations
in proportion to its speed on one CPU thread.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from plyground.arena import elo_estimate
from plyground.games.quoridor import State
from plyground.nets.features import Expander
from plyground.nets.network import NetOutputs, PathNet
from plyground.nets.quoridor_net import QuoridorNet
from plyground.train.checkpoint import playing_weights
from plyground.train.config import TrainConfig
from plyground.train.ladder import ROWS, play_pairs
from plyground.train.losses import Targets, standard_loss
from plyground.train.players import LocalSelfPlay
from plyground.train.replay import ReplayBuffer
from plyground.train.shards import Shards

RATE = 2e-3
CPU_ROWS = 4
"""Positions per evaluation when playing on a CPU."""


class ClassicNet(nn.Module):
    """`QuoridorNet` on our input planes, without a margin head."""

    def __init__(self, config: TrainConfig) -> None:
        super().__init__()
        self.net = QuoridorNet(
            config.board_size,
            config.encoding.planes,
            0,
            config.blocks,
            channels=config.channels,
        )

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits, values and margins of 0."""
        logits, value = self.net(planes, planes.new_zeros(len(planes), 0))
        return logits, value[:, 0].float(), torch.zeros_like(value[:, 0])


def play_positions(config: TrainConfig, weights: dict[str, Tensor], replay: ReplayBuffer) -> None:
    """Fill the replay with games of a trained network."""
    players = LocalSelfPlay(config, weights, replay.device.type == "cuda")
    players.set("simulations", config.simulations[-1][1])
    while replay.added < replay.capacity:
        players.step()
        if len((rows := players.drain())["outcome"]):
            replay.add(rows)
    players.close()


def learn(net: nn.Module, config: TrainConfig, replay: ReplayBuffer, steps: int) -> list[float]:
    """Train from nothing; returns the mean losses of the last hundred steps."""
    device, on_gpu = replay.device, replay.device.type == "cuda"
    torch.manual_seed(1)
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=config.weight_decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, steps, pct_start=0.1)
    expander = Expander(config.encoding, config.size).to(device)
    losses: list[Tensor] = []
    for _ in range(steps):
        batch = replay.sample(config.batch_size)
        with torch.autocast(device.type, torch.bfloat16, enabled=on_gpu):
            logits, value, margin = net(expander.planes(batch.features))
        legal = expander.legal(batch.features)
        outputs = NetOutputs(logits, value, {"margin": margin})
        parts = standard_loss(config, outputs, Targets.of(batch, legal))
        optimizer.zero_grad(set_to_none=True)
        parts["loss"].backward()
        optimizer.step()
        schedule.step()
        losses.append(torch.stack([*parts.values()]).detach())
    return torch.stack(losses[-100:]).mean(0).tolist()


def player(net: nn.Module, config: TrainConfig, device: torch.device) -> Callable[..., object]:
    """The evaluation function that the network plays a match with."""
    expander = Expander(config.encoding, config.size).to(device)
    net.eval()

    @torch.inference_mode()
    def evaluate(features: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        parts = []
        for first in range(0, len(features), ROWS):
            packed = torch.from_numpy(features[first : first + ROWS]).to(device)
            logits, values, _ = net(expander.planes(packed))
            parts.append((logits.float().cpu().numpy(), values.cpu().numpy()))
        logits, values = zip(*parts, strict=True)
        return np.concatenate(logits), np.concatenate(values)

    return evaluate


def speed(net: nn.Module, config: TrainConfig, features: NDArray[np.uint8]) -> float:
    """Evaluations per CPU second on one thread."""
    evaluate = player(net.cpu(), config, torch.device("cpu"))
    evaluate(features[:CPU_ROWS])
    started, count = time.process_time(), 0
    while time.process_time() - started < 3:
        evaluate(features[:CPU_ROWS])
        count += CPU_ROWS
    return count / (time.process_time() - started)


def main() -> None:
    """Train both networks, measure their speed, and play the match."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("checkpoint", type=Path, help="9x9 network that plays the training games")
    parser.add_argument(
        "--replay", type=Path, help="replay folder of a run, used instead of new games"
    )
    parser.add_argument("--positions", type=int, default=2_000_000, help="to train on")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--sims", type=int, default=64, help="simulations of the faster network")
    parser.add_argument("--pool", type=int, default=8192, help="training games played in parallel")
    parser.add_argument(
        "--pool-sims", type=int, default=64, help="simulations per move in these games"
    )
    args = parser.parse_args()
    torch.set_num_threads(1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    weights, config = playing_weights(args.checkpoint)
    config = replace(
        config,
        games=args.pool,
        simulations=((0, args.pool_sims),),
        batch_size=args.batch,
        margin_weight=0.0,
    )
    replay = ReplayBuffer(config.encoding, args.positions, 1.0, device)
    if args.replay is not None:
        if not args.replay.is_dir():
            parser.error(f"expected the replay folder of a run, but {args.replay} is not a folder")
        Shards(config.encoding, args.replay, args.positions).load(replay)
        if replay.added < args.batch:
            parser.error(
                f"expected at least {args.batch} positions in {args.replay}, found {replay.added}"
            )
    else:
        play_positions(config, {name: w.float().to(device) for name, w in weights.items()}, replay)
    some = replay.ring.features[:64].cpu().numpy()
    nets: dict[str, nn.Module] = {
        "PathNet": PathNet(config.encoding, config.blocks, config.channels, config.pooled_blocks),
        "QuoridorNet": ClassicNet(config),
    }
    speeds = {}
    print("| network | parameters | policy loss | value loss | evaluations/s, one CPU thread |")
    print("| --- | --- | --- | --- | --- |")
    for name, net in nets.items():
        losses = learn(net.to(device), config, replay, args.steps)
        speeds[name] = speed(net.eval(), config, some)
        net.to(device)
        size = sum(parameter.numel() for parameter in net.parameters())
        print(
            f"| {name} | {size:,} | {losses[1]:.3f} | {losses[3]:.3f} | {speeds[name]:.0f} |",
            flush=True,
        )
    fastest = max(speeds.values())
    simulations = tuple(round(args.sims * speeds[name] / fastest) for name in nets)
    start = State()
    openings = start.game.openings(start, args.games // 2, random.Random(1))
    players = tuple(player(net, config, device) for net in nets.values())
    points = play_pairs(players, openings, simulations)  # type: ignore[arg-type]
    print(f"PathNet against QuoridorNet, {simulations} simulations: {elo_estimate(points)}")


if __name__ == "__main__":
    main()
