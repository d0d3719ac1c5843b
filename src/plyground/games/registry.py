"""The games there are, one object each. What is common to all goes through `get`, by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from plyground import _core
from plyground.errors import ConfigError, NotationError
from plyground.games import quoridor, reversi
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
    move_help = """\
e2     move the pawn there
e3h    place a horizontal wall, above e3 and f3
e3v    place a vertical wall, right of e3 and e4"""

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

    def task(self, state: quoridor.State, player: int | None) -> str:
        """Which row to reach."""
        if player is None:
            return f"Player 1 wins on row {state.board_size}, player 2 on row 1."
        row = {1: state.board_size, 2: 1}[player]
        return f"You are player {player}: reach row {row} to win."

    def examples(self, state: quoridor.State) -> str:
        """A pawn move and a wall in the middle of the board."""
        column = "abcdefghi"[state.player1_pos[1]]
        return f"{column}2 or {column}2h"


class Reversi:
    """Reversi on 8x8. It has no settings."""

    name = "reversi"
    setting_names: tuple[str, ...] = ()
    move_help = """\
f5     put a disc there
pass   give the turn away, where there is no other move"""

    def start(
        self,
        settings: Mapping[str, str],  # noqa: ARG002
        position: str | None = None,
    ) -> reversi.State:
        """The start position, or the one that a text describes."""
        if position is None:
            return reversi.State()
        if not position.isascii():  # it may not even be text that the core can be given
            raise NotationError(f"bad position {position!r}: expected plain letters")
        return reversi.State.parse(position)

    def settings(self, state: reversi.State) -> dict[str, str]:  # noqa: ARG002
        """Nothing."""
        return {}

    def parse_action(self, state: reversi.State, text: str) -> int:  # noqa: ARG002
        """The action number of a legal move in notation, however it is spelt."""
        return reversi.notation_to_action(text)

    def format_action(self, state: reversi.State, action: int) -> str:  # noqa: ARG002
        """A move in notation."""
        return reversi.action_to_notation(action)

    def task(self, state: reversi.State, player: int | None) -> str:  # noqa: ARG002
        """Whose discs are whose."""
        if player is None:
            return "Player 1 is black (X), player 2 white (O); more discs in the end win."
        colour = {1: "black (X)", 2: "white (O)"}[player]
        return f"You are player {player}, {colour}: have more discs in the end to win."

    def examples(self, state: reversi.State) -> str:
        """The first legal move."""
        return self.format_action(state, next(iter(state.legal_actions()), reversi.PASS))


GAMES: dict[str, Game[Any]] = {game.name: game for game in (Quoridor(), Reversi())}


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
