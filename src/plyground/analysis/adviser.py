"""Who is asked about positions: a strong player of the game, who remembers."""

from __future__ import annotations

from plyground.agents import make
from plyground.agents.base import Thinker
from plyground.agents.levels import ADVISERS
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.remembering import Remembering, searcher_name
from plyground.errors import ConfigError
from plyground.games.quoridor_config import GameConfig
from plyground.play.seat import Seat


def adviser_for(
    game: str,
    cache: AnalysisCache | None = None,
    spec: str | None = None,
    board_size: int = GameConfig().board_size,
) -> Seat:
    """The adviser of a game on a board, or the agent that a string names.

    With a cache, it remembers.
    """
    spec = spec or ADVISERS[game].agent_on(board_size)
    agent = make(spec, game)
    if not isinstance(agent, Thinker):
        raise ConfigError(f"expected an agent that tells what it thinks, got {spec!r}")
    if cache is not None:
        agent = Remembering(agent, cache, searcher_name(spec))
    return Seat(spec.partition(":")[0], agent)
