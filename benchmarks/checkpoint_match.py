"""Play the networks of two checkpoints against each other, on a GPU if there is one.

    python benchmarks/checkpoint_match.py runs/boards checkpoints/quoridor-boards.pt --sims 800
    python benchmarks/checkpoint_match.py A.pt B.pt --sims 100 45 --board 7 --walls 10

Networks are evaluated in floating point and searched as in play, with a number of simulations for
each. Openings come from the book of the board, and both networks play each of them with both
colours. `--first c_scale=0.8` gives the first network another setting of the search, so a network
can also meet itself. Several processes share the GPU, since the trees need more time than it does.
"""

from __future__ import annotations

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import torch

from plyground import quoridor
from plyground.arena import elo_estimate
from plyground.search.gumbel import PLAY_OPTIONS
from plyground.train.checkpoint import playing_weights
from plyground.train.config import TrainConfig
from plyground.train.ladder import NetPlayer, play_pairs


def play_part(
    paths: tuple[Path, Path],
    texts: list[str],
    config: quoridor.GameConfig,
    simulations: tuple[int, int],
    options: tuple[dict[str, float], dict[str, float]],
) -> list[float]:
    """The points of the first network in the pairs of some openings."""
    torch.set_num_threads(1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    openings = [quoridor.State.parse(text, config) for text in texts]
    players = tuple(player(path, config, device) for path in paths)
    return play_pairs((players[0], players[1]), openings, simulations, options)


def player(path: Path, game: quoridor.GameConfig, device: torch.device) -> NetPlayer:
    """The network of a checkpoint on this board."""
    weights, config = playing_weights(path)
    settings = config.as_dict() | {"boards": "", "board_size": game.board_size}
    sized = TrainConfig.of(settings | {"walls_per_player": game.walls_per_player})
    return NetPlayer(sized, {name: w.float() for name, w in weights.items()}, device)


def setting(text: str) -> tuple[str, float]:
    """A setting of the search, as in c_scale=0.8."""
    name, _, value = text.partition("=")
    return name, float(value)


def main() -> None:
    """Play, and print the score of the first network."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("networks", type=Path, nargs=2, help="checkpoints, snapshots or runs")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--sims", type=int, nargs="+", default=[64], help="one number or two")
    parser.add_argument("--board", type=int, default=9)
    parser.add_argument("--walls", type=int, help="per player (default: those of the board)")
    parser.add_argument("--first", type=setting, nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="of the choice of openings")
    args = parser.parse_args()
    config = quoridor.GameConfig.for_size(args.board)
    if args.walls is not None:
        config = replace(config, walls_per_player=args.walls)
    start = quoridor.State(config)
    openings = start.game.openings(start, args.games // 2, random.Random(args.seed))
    texts = [state.text() for state in openings]
    simulations = (args.sims[0], args.sims[-1])
    options = (PLAY_OPTIONS | dict(args.first), dict(PLAY_OPTIONS))
    parts = [texts[index :: args.processes] for index in range(args.processes)]
    with ProcessPoolExecutor(args.processes, get_context("spawn")) as pool:
        done = [
            pool.submit(play_part, tuple(args.networks), part, config, simulations, options)
            for part in parts
            if part
        ]
        points = [pair for part in done for pair in part.result()]
    first, second = (path.stem for path in args.networks)
    extra = " ".join(f"{name}={value:g}" for name, value in args.first)
    print(f"{first} {extra}".strip(), f"against {second}, {simulations}: {elo_estimate(points)}")


if __name__ == "__main__":
    main()
