"""The strength of a run over time: each snapshot plays earlier ones, and all are rated together.

Losses say little about strength, and a match against the previous snapshot alone overrates the
newest one. So a snapshot plays several earlier ones, and one set of Elo ratings is fitted to all
games. Games are played in parallel, without noise, with few simulations per move, and every opening
twice with colours swapped. The results are in `ladder.json` beside the snapshots.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from plyground.arena.rating import Tally, fit_ratings
from plyground.errors import ConfigError
from plyground.games.base import Option, State
from plyground.nets.architecture import make_player
from plyground.nets.features import Expander
from plyground.search.gumbel import EvaluateBatch
from plyground.train.checkpoint import playing_weights, save_json
from plyground.train.config import TrainConfig

ROWS = 512
"""Positions per evaluation; on a GPU always this many, since each batch size is set up once."""
LEAVES = 4
"""Positions of one game evaluated together."""

TreeOptions: TypeAlias = tuple[Mapping[str, Option], Mapping[str, Option]]
"""The options of `Game.make_tree` for each network of a match."""


class NetPlayer:
    """A network that evaluates positions of a match."""

    def __init__(
        self,
        config: TrainConfig,
        state: Mapping[str, Tensor],
        device: torch.device,
        network: nn.Module | None = None,
    ) -> None:
        dtype = torch.float16 if device.type == "cuda" else torch.float32
        weights = {name: weight.to(device) for name, weight in state.items()}
        self.net = make_player(config.encoding, config.size, weights, device, dtype, network)
        self.expander = Expander(config.encoding, config.size).to(device)
        self.dtype = dtype
        self.device = device

    @torch.inference_mode()
    def __call__(
        self, features: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits and values of packed features [positions, bytes]."""
        parts = []
        for first in range(0, len(features), ROWS):
            part = features[first : first + ROWS]
            rows = ROWS if self.device.type == "cuda" else len(part)
            packed = np.zeros((rows, features.shape[1]), np.uint8)
            packed[: len(part)] = part
            inputs = self.expander.inputs(torch.from_numpy(packed).to(self.device), self.dtype)
            parts.append(tuple(x[: len(part)].float().cpu().numpy() for x in self.net(*inputs)))
        logits, values = zip(*parts, strict=True)
        return np.concatenate(logits), np.concatenate(values)


class LadderGame:
    """One game in progress between the networks 0 and 1."""

    def __init__(
        self,
        start: State,
        first_network: int,
        simulations: tuple[int, int],
        tree_options: TreeOptions = ({}, {}),
    ) -> None:
        self.state = start
        self.first_network = first_network
        self.simulations = simulations
        self.tree_options = tree_options
        self.winner: int | None = None
        """The network that won; None while the game goes on, and for a draw."""
        self.is_over = False
        self._begin()

    @property
    def mover(self) -> int:
        """The network whose move it is."""
        return self.first_network ^ (self.state.current_player - 1)

    def _begin(self) -> None:
        self.tree = self.state.game.make_tree(self.state, **self.tree_options[self.mover])
        self.tree.begin(self.simulations[self.mover])

    def leaves(self) -> NDArray[np.uint8] | None:
        """Positions that the mover's network should evaluate; None when it has moved, or won."""
        tree = self.tree
        while not tree.is_evaluated or (tree.win_in is None and tree.simulations_left > 0):
            features = tree.select(LEAVES)
            if len(features):
                return features
        if tree.win_in is not None:
            self.is_over, self.winner = True, self.mover if tree.win_in > 0 else 1 - self.mover
            return None
        self.state = self.state.play(tree.best_action())
        if (outcome := self.state.outcome) is not None:
            self.is_over = True
            if outcome.winner is not None:
                self.winner = self.first_network ^ (outcome.winner - 1)
        else:
            self._begin()
        return None


def play_pairs(
    networks: tuple[EvaluateBatch, EvaluateBatch],
    openings: Sequence[State],
    simulations: tuple[int, int],
    tree_options: TreeOptions = ({}, {}),
) -> list[float]:
    """The first network's points, 0 to 2, of each opening's two games.

    Each network has its own number of simulations a move, and its own options of the tree search.
    """
    games = [
        LadderGame(start, first, simulations, tree_options)
        for start in openings
        for first in (0, 1)
    ]
    while going := [game for game in games if not game.is_over]:
        for number, network in enumerate(networks):
            asking: list[tuple[LadderGame, NDArray[np.uint8]]] = []
            for game in going:
                if not game.is_over and game.mover == number:
                    features = game.leaves()
                    if features is not None:
                        asking.append((game, features))
            if not asking:
                continue
            logits, values = network(np.concatenate([features for _, features in asking]))
            first = 0
            for game, features in asking:
                last = first + len(features)
                game.tree.expand(logits[first:last], values[first:last])
                first = last
    points = [0.5 if game.winner is None else float(game.winner == 0) for game in games]
    return [a + b for a, b in zip(points[::2], points[1::2], strict=True)]


@dataclass(frozen=True, slots=True)
class SnapshotMatch:
    """A match between two snapshots, named by their files."""

    first: str
    second: str
    games: int
    points: float
    """Points of the first snapshot over all games."""


def read_matches(path: Path) -> list[SnapshotMatch]:
    """The matches of a run; [] before the file exists."""
    if not path.exists():
        return []
    try:
        return [
            SnapshotMatch(**match)
            for match in json.loads(path.read_text(encoding="utf-8"))["matches"]
        ]
    except (ValueError, KeyError, TypeError) as error:
        message = f"expected the matches of snapshots in {path}; delete the file to start again"
        raise ConfigError(message) from error


def rate(matches: Sequence[SnapshotMatch]) -> dict[str, float]:
    """Elo by snapshot; the oldest has 0."""
    if not matches:
        return {}
    fitted = fit_ratings(
        # Only points and games are stored, so a draw counts as half a win.
        [
            Tally(match.first, match.second, match.points, 0, match.games - match.points)
            for match in matches
        ],
        zero=min(match.second for match in matches),
        first_player=False,
    )
    return {name: rating.elo for name, rating in fitted.players.items()}


class Ladder:
    """The matches of a run's snapshots, and their ratings."""

    def __init__(
        self,
        folder: Path,
        config: TrainConfig,
        device: torch.device,
        network: nn.Module | None = None,
    ) -> None:
        self.folder = folder
        self.network = network
        self.config = config
        self.device = device
        self.path = folder / "ladder.json"
        self.matches = read_matches(self.path)

    @property
    def newest_elo(self) -> float:
        """The Elo of the newest snapshot that has played; 0 before the first match."""
        return rate(self.matches)[self.matches[-1].first] if self.matches else 0.0

    def play(self, newest: Path) -> float:
        """Play a snapshot against the last few before it; returns its Elo above the oldest."""
        earlier = sorted(path for path in self.folder.glob("snapshot-*.pt") if path < newest)
        for opponent in earlier[-self.config.ladder_opponents :]:
            self._play(newest, opponent)
        ratings = rate(self.matches)
        matches = [asdict(match) for match in self.matches]
        save_json(self.path, {"matches": [*matches], "elo": {**ratings}})
        return ratings.get(newest.name, 0.0)

    def _play(self, first: Path, second: Path) -> None:
        config = self.config
        openings = openings_for(config, random.Random(len(self.matches)))
        players = tuple(
            NetPlayer(config, playing_weights(path, self.network)[0], self.device, self.network)
            for path in (first, second)
        )
        simulations = (config.ladder_simulations, config.ladder_simulations)
        options = (config.encoding.search_options,) * 2
        points = sum(play_pairs((players[0], players[1]), openings, simulations, options))
        self.matches.append(SnapshotMatch(first.name, second.name, 2 * len(openings), points))


def openings_for(config: TrainConfig, rng: random.Random) -> list[State]:
    """The start positions of one match."""
    start = config.start
    openings: list[State] = start.game.openings(start, config.ladder_games // 2, rng)
    return openings
