"""What all connections of a server share, and what each message does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from plyground import __version__
from plyground.agents.levels import LEVEL_NAMES
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.puzzle import shipped_puzzles
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.ui.view import why_not
from plyground.ui.web import messages as m
from plyground.ui.web.config import WebConfig
from plyground.ui.web.connection import Connection
from plyground.ui.web.library import Library
from plyground.ui.web.puzzles import puzzle_shape, solution_shape
from plyground.ui.web.seats import PERSON, Seats
from plyground.ui.web.session import Session
from plyground.ui.web.sessions import Sessions
from plyground.ui.web.shapes import Shape, position_shape
from plyground.ui.web.sharing import export_shape, parse_link, read_text


class House:
    """The server without its sockets."""

    def __init__(self, config: WebConfig, cache: AnalysisCache | None = None) -> None:
        self.config = config
        self.seats = Seats(config, cache)
        self.sessions = Sessions(config, self.seats)
        self.library = Library(config, self.sessions.files)
        self.connections = 0

    def welcome(self, session: Session) -> Shape:
        """The first thing a page hears."""
        return {
            "type": "welcome",
            "session": session.name,
            "version": __version__,
            "person": PERSON,
            "levels": list(LEVEL_NAMES),
            "agents": {game: self.config.agents_for(game) for game in registry.GAMES},
            "help": {name: game.move_help for name, game in registry.GAMES.items()},
            "puzzles": len(shipped_puzzles()),
            "stores": len(self.config.stores),
        }

    async def obey(self, connection: Connection, message: m.Message) -> None:
        """Do what a message says; what it cannot do raises one of our three errors."""
        connection.session.seen = time.monotonic()
        await _COMMANDS[type(message)](self, connection, message)

    def left(self, connection: Connection) -> None:
        """A page has gone."""
        connection.analyst.stop()
        connection.watcher.stop()
        self.sessions.leave(connection.session, connection)

    # A method for each message, under its name.

    async def hello(self, at: Connection, message: m.Hello) -> None:  # noqa: ARG002
        """Once is enough."""
        raise ConfigError("expected the message 'hello' only once")

    async def new_game(self, at: Connection, message: m.NewGame) -> None:
        """Begin another game."""
        at.session.new_game(message)

    async def play_move(self, at: Connection, message: m.PlayMove) -> None:
        """Play a move."""
        at.session.play(message.move, message.ply)

    async def undo(self, at: Connection, message: m.Undo) -> None:  # noqa: ARG002
        """Take back."""
        at.session.live.undo()

    async def redo(self, at: Connection, message: m.Redo) -> None:  # noqa: ARG002
        """Play again."""
        at.session.live.redo()

    async def go_to(self, at: Connection, message: m.GoTo) -> None:
        """Play on from a ply."""
        at.session.live.go_to(message.ply)

    async def resign(self, at: Connection, message: m.Resign) -> None:  # noqa: ARG002
        """Give up."""
        at.session.resign()

    async def take_seat(self, at: Connection, message: m.TakeSeat) -> None:
        """Change a seat."""
        at.session.take_seat(message.player, message.who)

    async def hint(self, at: Connection, message: m.Hint) -> None:  # noqa: ARG002
        """Ask for a hint."""
        at.session.live.hint(at.session.adviser())

    async def why(self, at: Connection, message: m.Why) -> None:
        """Tell why a move is not legal."""
        states = at.session.live.states
        reason = why_not(states[min(message.ply, len(states) - 1)], message.move)
        at.send({"type": "why", "move": message.move, "ply": message.ply, "reason": reason})

    async def show(self, at: Connection, message: m.Show) -> None:
        """Show an earlier position."""
        at.send(position_shape(at.session.live, message.ply))

    async def analyse(self, at: Connection, message: m.Analyse) -> None:
        """Let the adviser look at a position, or stop."""
        at.analyst.analyse(message.ply if message.on else None)

    async def report(self, at: Connection, message: m.Report) -> None:
        """Go through the game, or stop."""
        at.analyst.report(message.on)

    async def policy(self, at: Connection, message: m.Policy) -> None:
        """Tell what the network would play."""
        at.analyst.policy(message.ply)

    async def paste(self, at: Connection, message: m.Paste) -> None:
        """Open a game from its text."""
        at.session.open(await asyncio.to_thread(read_text, message.text))

    async def open_link(self, at: Connection, message: m.OpenLink) -> None:
        """Open a game from a link."""
        at.session.open(await asyncio.to_thread(parse_link, message.link))

    async def export(self, at: Connection, message: m.Export) -> None:  # noqa: ARG002
        """Tell the game's record."""
        live = at.session.live
        with live.held():
            record, position = live.record(), live.state.text()
        at.send(await asyncio.to_thread(export_shape, record, position))

    async def list_games(self, at: Connection, message: m.ListGames) -> None:
        """Tell which games are saved."""
        at.send(await self.library.listed(at.session.name, message.query, message.most))

    async def open_game(self, at: Connection, message: m.OpenGame) -> None:
        """Open a saved game."""
        at.session.open(await self.library.game(at.session.name, message.id))

    async def watch(self, at: Connection, message: m.Watch) -> None:
        """Follow a tournament, or tell which there are."""
        if message.store is None or message.tournament is None:
            at.send(await self.library.tournaments())
        else:
            at.watcher.watch(self.library.store(message.store), message.tournament)

    async def unwatch(self, at: Connection, message: m.Unwatch) -> None:  # noqa: ARG002
        """Follow nothing."""
        at.watcher.stop()

    async def get_puzzle(self, at: Connection, message: m.GetPuzzle) -> None:
        """Set a puzzle."""
        at.send(puzzle_shape(message.number))

    async def solve_puzzle(self, at: Connection, message: m.SolvePuzzle) -> None:
        """Judge an answer."""
        at.send(solution_shape(message.number, message.move))


Command = Callable[[House, Connection, Any], Awaitable[None]]
_COMMANDS: dict[type[Any], Command] = {kind: getattr(House, name) for name, kind in m.TYPES.items()}
