"""The games there are, one object each. What is common to all goes through `get`, by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from plyground import _core
from plyground.errors import ConfigError, NotationError
from plyground.games import quoridor
from plyground.games.base import Game
from plyground.games.quoridor_config import GameConfig

# How each setting is written: its name as a record's tag, the field of GameConfig, its type.
_QUORIDOR_SETTINGS: dict[str, tuple[str, type[int] | type[float]]] = {
    "Board": ("board_size", int),
    "Walls": ("walls_per_player", int),
    "MaxMoves": ("max_moves", int),
    "NoProgress": ("no_progress_limit", int),
    "History": ("history_length", int),
    "DrawPenalty": ("draw_penalty", float),
}


class Quoridor:
    """Quoridor. Its settings: the board size always, the rest where the size's preset differs."""

    name = "quoridor"
    setting_names = tuple(_QUORIDOR_SETTINGS)

    def start(self, settings: Mapping[str, str], position: str | None = None) -> quoridor.State:
        """The start position, or the one that a text describes, under these settings."""
        values: dict[str, Any] = {
            field: _number(name, settings[name], kind)
            for name, (field, kind) in _QUORIDOR_SETTINGS.items()
            if name in settings
        }
        if position is not None and (size := re.match(r"\s*([3-9])\s", position, re.ASCII)):
            values.setdefault("board_size", int(size[1]))
        config = replace(GameConfig.for_size(values.get("board_size", 9)), **values)
        if position is None:
            return quoridor.State(config)
        if not position.isascii():  # it may not even be text that the core can be given
            raise NotationError(f"bad position {position!r}: expected plain letters and digits")
        return quoridor.State.parse(position, config)

    def settings(self, state: quoridor.State) -> dict[str, str]:
        """The settings a state is played under, without those that go without saying."""
        config, usual = state.config, GameConfig.for_size(state.board_size)
        return {
            name: str(kind(getattr(config, field)))
            for name, (field, kind) in _QUORIDOR_SETTINGS.items()
            if name == "Board" or getattr(config, field) != getattr(usual, field)
        }

    def parse_action(self, state: quoridor.State, text: str) -> int:
        """The action number of a legal move in notation, however it is spelt."""
        return _core.quoridor_parse_action(text, state.board_size)

    def format_action(self, state: quoridor.State, action: int) -> str:
        """A move in notation."""
        return quoridor.action_to_notation(action, state.board_size)


GAMES: dict[str, Game[Any]] = {game.name: game for game in (Quoridor(),)}


def get(name: str) -> Game[Any]:
    """The game of that name."""
    if name not in GAMES:
        close = get_close_matches(name, GAMES, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"expected {' or '.join(GAMES)}"
        raise ConfigError(f"unknown game {name!r}; {hint}")
    return GAMES[name]


def _number(name: str, text: str, kind: type[int] | type[float]) -> float:
    pattern = r"[0-9]{1,9}" if kind is int else r"-?[0-9]{1,9}(\.[0-9]{1,30})?(e-[0-9]{1,3})?"
    if not re.fullmatch(pattern, text):
        what = "whole number" if kind is int else "number"
        raise ConfigError(f"expected a {what} for the setting {name}, got {text!r}")
    return kind(text)
