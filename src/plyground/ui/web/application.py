"""The server behind the sockets: what all connections share, and a handler for each message."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from plyground import __version__
from plyground.agents.human import PERSON
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.puzzle import shipped_puzzles
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.json_types import JsonObject
from plyground.ui.game_host import NewGame
from plyground.ui.text import why_illegal
from plyground.ui.web import messages as m
from plyground.ui.web.config import WebConfig
from plyground.ui.web.connection import Connection
from plyground.ui.web.library import Library
from plyground.ui.web.payloads import game_info, position_payload
from plyground.ui.web.players import SharedPlayers
from plyground.ui.web.puzzles import puzzle_payload, solution_payload
from plyground.ui.web.review import line_positions
from plyground.ui.web.session import WebSession
from plyground.ui.web.session_manager import ServerBusy, SessionManager
from plyground.ui.web.sharing import export_payload, parse_game_text, parse_link


class Application:
    """Dispatches messages to handlers; the handler of a message has the message's name."""

    def __init__(self, config: WebConfig, cache: AnalysisCache | None = None) -> None:
        self.config = config
        self.players = SharedPlayers(config, cache)
        self.sessions = SessionManager(config, self.players)
        self.library = Library(config, self.sessions.store)
        self.connections = 0

    def welcome(self, session: WebSession) -> JsonObject:
        """The first payload of a connection."""
        return {
            "type": "welcome",
            "session": session.name,
            "version": __version__,
            "person": PERSON,
            "games": {
                name: game_info(game, self.config.agents_for(game), self.config.settings.get(name))
                for name, game in registry.games().items()
            },
            "puzzles": len(shipped_puzzles()),
            "stores": len(self.config.stores),
        }

    async def dispatch(self, connection: Connection, message: m.Message) -> None:
        """Handle a message; what cannot be done raises one of our three errors."""
        connection.session.last_used = time.monotonic()
        await _HANDLERS[type(message)](self, connection, message)

    def disconnect(self, connection: Connection) -> None:
        """Forget a connection that has ended."""
        connection.analyst.stop()
        connection.watcher.stop()
        self.sessions.leave(connection.session, connection)

    # The handlers.

    async def hello(self, connection: Connection, message: m.Hello) -> None:  # noqa: ARG002
        """Reject a second greeting."""
        raise ConfigError("expected the message 'hello' only once")

    async def new_game(self, connection: Connection, message: m.NewGameMessage) -> None:
        """Begin another game; a position brings its own settings."""
        usual = self.config.settings.get(message.game, {})
        settings = {} if message.position else {**usual, **(message.settings or {})}
        players = (message.player1, message.player2)
        new = NewGame(message.game, players, settings, message.position, message.time)
        connection.session.host.make_game(new)  # an error comes before another session does
        (await self._own_session(connection)).new_game(new)

    async def rematch(self, connection: Connection, message: m.Rematch) -> None:  # noqa: ARG002
        """Begin the same game with the sides swapped."""
        new = connection.session.host.rematch()
        (await self._own_session(connection)).new_game(new)

    async def play_move(self, connection: Connection, message: m.PlayMove) -> None:
        """Play a move."""
        connection.session.host.play(message.move, message.ply, message.node)

    async def undo(self, connection: Connection, message: m.Undo) -> None:  # noqa: ARG002
        """Take moves back."""
        connection.session.live.undo()

    async def redo(self, connection: Connection, message: m.Redo) -> None:  # noqa: ARG002
        """Play moves again."""
        connection.session.live.redo()

    async def go_to(self, connection: Connection, message: m.GoTo) -> None:
        """Go on from another position."""
        live = connection.session.live
        live.select(connection.session.node(message.ply, message.node))

    async def promote(self, connection: Connection, message: m.Promote) -> None:
        """Promote a variation."""
        connection.session.host.promote(message.node)

    async def delete_variation(self, connection: Connection, message: m.DeleteVariation) -> None:
        """Delete a variation."""
        connection.session.host.delete_variation(message.node)

    async def restore_variation(
        self,
        connection: Connection,
        message: m.RestoreVariation,  # noqa: ARG002
    ) -> None:
        """Restore a variation."""
        connection.session.host.restore_variation()

    async def annotate(self, connection: Connection, message: m.Annotate) -> None:
        """Comment on a move, or mark it."""
        connection.session.host.annotate(message.node, message.comment, message.mark)

    async def resign(self, connection: Connection, message: m.Resign) -> None:  # noqa: ARG002
        """Give up."""
        connection.session.host.resign()

    async def take_seat(self, connection: Connection, message: m.TakeSeat) -> None:
        """Give a seat to another player."""
        connection.session.host.take_seat(message.player, message.who)

    async def hint(self, connection: Connection, message: m.Hint) -> None:  # noqa: ARG002
        """Ask for a hint."""
        connection.session.host.hint()

    async def why(self, connection: Connection, message: m.Why) -> None:
        """Explain why a move is not legal."""
        session = connection.session
        node = session.node(message.ply, message.node)
        reason = why_illegal(session.live.state_of(node), message.move)
        connection.send(
            {
                "type": "why",
                "move": message.move,
                "ply": message.ply,
                "node": node,
                "reason": reason,
            }
        )

    async def show(self, connection: Connection, message: m.Show) -> None:
        """Show another position."""
        session = connection.session
        node = session.node(message.ply, message.node)
        connection.send(position_payload(session.live, node))

    async def analyse(self, connection: Connection, message: m.Analyse) -> None:
        """Start or stop the analysis of a position."""
        session = connection.session
        connection.analyst.analyse(session.node(message.ply, message.node) if message.on else None)

    async def report(self, connection: Connection, message: m.Report) -> None:
        """Start or stop the report on the game."""
        connection.analyst.report(message.on)

    async def try_move(self, connection: Connection, message: m.TryMove) -> None:
        """Judge a move at a position."""
        node = connection.session.node(message.ply, message.node)
        connection.analyst.judge(node, message.move)

    async def show_line(self, connection: Connection, message: m.ShowLine) -> None:
        """Send the positions of a line."""
        session = connection.session
        node = session.node(message.ply, message.node)
        connection.send(line_positions(session.live, node, message.line))

    async def policy(self, connection: Connection, message: m.Policy) -> None:
        """Send the network's policy."""
        connection.analyst.policy(connection.session.node(message.ply, message.node))

    async def paste(self, connection: Connection, message: m.Paste) -> None:
        """Open a game from its text."""
        record = await asyncio.to_thread(parse_game_text, message.text)
        (await self._own_session(connection)).open(record)

    async def open_link(self, connection: Connection, message: m.OpenLink) -> None:
        """Open a game from a link."""
        record = await asyncio.to_thread(parse_link, message.link)
        (await self._own_session(connection)).open(record)

    async def export(self, connection: Connection, message: m.Export) -> None:  # noqa: ARG002
        """Send the game's record."""
        live = connection.session.live
        with live.locked():
            record, position = live.record(), live.state.text()
        connection.send(await asyncio.to_thread(export_payload, record, position))

    async def list_games(self, connection: Connection, message: m.ListGames) -> None:
        """List the saved games."""
        connection.send(await self.library.search(connection.known_sessions, message))

    async def open_game(self, connection: Connection, message: m.OpenGame) -> None:
        """Open a saved game."""
        record = await self.library.game(connection.known_sessions, message.id)
        (await self._own_session(connection)).open(record)

    async def delete_game(self, connection: Connection, message: m.DeleteGame) -> None:
        """Delete an earlier game."""
        await self.library.delete(connection.known_sessions, message.id)

    async def watch(self, connection: Connection, message: m.Watch) -> None:
        """Follow a tournament, or list them."""
        if message.store is None or message.tournament is None:
            connection.send(await self.library.tournaments())
        else:
            connection.watcher.watch(self.library.store(message.store), message.tournament)

    async def unwatch(self, connection: Connection, message: m.Unwatch) -> None:  # noqa: ARG002
        """Stop following."""
        connection.watcher.stop()

    async def get_puzzle(self, connection: Connection, message: m.GetPuzzle) -> None:
        """Send a puzzle."""
        connection.send(puzzle_payload(message.number))

    async def solve_puzzle(self, connection: Connection, message: m.SolvePuzzle) -> None:
        """Judge an answer."""
        connection.send(solution_payload(message.number, message.move))

    async def _own_session(self, connection: Connection) -> WebSession:
        """The session for another game: a new one if other pages show the present game."""
        if len(connection.session.listeners) > 1:
            connection.analyst.stop()
            try:
                connection.session = await self.sessions.separate(connection.session, connection)
            except ServerBusy as error:
                raise ConfigError(str(error)) from None
            connection.send(self.welcome(connection.session))
        return connection.session


Message = Any  # each handler takes its own class of message
Handler = Callable[[Application, Connection, Message], Awaitable[None]]
_HANDLERS: dict[type[m.Message], Handler] = {
    kind: vars(Application)[name] for name, kind in m.TYPES.items()
}
