"""The registry of games by name.

`register` adds a game to this process. An installed package can add one by an entry point in the
group `plyground.games` that names its `Game` object; it is loaded when it is first needed.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from plyground.errors import ConfigError
from plyground.games.base import AnyGame, Game
from plyground.games.quoridor_game import QUORIDOR
from plyground.games.reversi_game import REVERSI
from plyground.hints import suggest

ENTRY_POINTS = "plyground.games"

_games: dict[str, AnyGame] = {game.name: game for game in (QUORIDOR, REVERSI)}


def register(game: AnyGame) -> None:
    """Add a game under its name, for every command and screen of this process."""
    if _games.setdefault(game.name, game) is not game:
        raise ConfigError(f"there is already a game named {game.name!r}")


def games() -> dict[str, AnyGame]:
    """Every game by its name, including those of installed packages; the default first."""
    _load_entry_points()
    return dict(_games)


def get(name: str) -> AnyGame:
    """The game of that name."""
    if name not in _games and name not in games():
        raise ConfigError(f"unknown game {name!r}; {suggest(name, _games)}")
    return _games[name]


def find(game: AnyGame | str | None) -> AnyGame:
    """A game given as an object or by its name; None means the default."""
    if game is None:
        return default()
    return get(game) if isinstance(game, str) else game


def load(module: str, name: str) -> AnyGame:
    """The game of that name, which a module defines; it is registered if necessary."""
    if name not in _games:
        found = vars(import_module(module)).values()  # importing may register the game
        for game in found:
            if isinstance(game, Game) and game.name == name:
                register(game)
    return get(name)


def default() -> AnyGame:
    """The game if none is named."""
    return QUORIDOR


@cache
def _load_entry_points() -> None:
    from importlib.metadata import entry_points  # imported late, since it is slow to import

    for entry in entry_points(group=ENTRY_POINTS):
        try:
            game = entry.load()
        except Exception as error:  # another package may raise anything
            raise ConfigError(f"cannot load the game {entry.value!r}: {error}") from error
        if not isinstance(game, Game):
            raise ConfigError(f"expected a Game in the entry point {entry.value!r}, got {game!r}")
        register(game)
