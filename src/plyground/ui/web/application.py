"""The server behind the sockets: what all connections share, and a handler for each message."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec

from plyground import __version__
from plyground.agents.human import PERSON
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.puzzle import PuzzleFilter, daily_puzzle
from plyground.analysis.puzzle_progress import PuzzleProgress, next_puzzle
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.json_types import JsonObject
from plyground.play.seat import Seat
from plyground.play.shared_game import RefusedActionError
from plyground.ui.game_host import NewGame
from plyground.ui.text import why_illegal
from plyground.ui.web import messages as m
from plyground.ui.web.config import WebConfig
from plyground.ui.web.connection import Connection
from plyground.ui.web.explorer import Explorer
from plyground.ui.web.invited_games import InvitedGames
from plyground.ui.web.invited_session import InvitedSession, clean_name
from plyground.ui.web.lessons import lesson_answer_payload, lesson_list, lesson_payload
from plyground.ui.web.library import Library
from plyground.ui.web.payloads import game_info
from plyground.ui.web.players import SharedPlayers
from plyground.ui.web.puzzles import (
    progress_payload,
    puzzle_hint_payload,
    puzzle_payload,
    puzzles_info,
    solution_payload,
)
from plyground.ui.web.rate_limiter import AddressLimiter
from plyground.ui.web.review import line_positions
from plyground.ui.web.session import WebSession
from plyground.ui.web.session_manager import ServerBusy, SessionManager
from plyground.ui.web.sharing import export_payload, parse_game_text, parse_link
from plyground.ui.web.show_match import ShowMatches

Arguments = ParamSpec("Arguments")


class Application:
    """Dispatches messages to handlers; the handler of a message has the message's name."""

    def __init__(self, config: WebConfig, cache: AnalysisCache | None = None) -> None:
        self.config = config
        self.players = SharedPlayers(config, cache)
        self.sessions = SessionManager(config, self.players)
        self.invited = InvitedGames(config, self.players)
        self.greetings = AddressLimiter(config.greetings_per_s, config.greetings_at_once)
        self.invitations = AddressLimiter(config.invitations_per_s, config.invitations_at_once)
        self.library = Library(config, self.sessions.store, self.invited.store)
        self.explorer = Explorer(config, self.library, self.players)
        self.shows = ShowMatches(config, self.players)
        self.connections: Counter[str | None] = Counter()
        """Open connections by address; None is this machine."""

    async def sweep(self) -> None:
        """Suspend idle sessions periodically."""
        await asyncio.gather(self.sessions.sweep(), self.invited.sweep())

    async def close(self) -> None:
        """Suspend every session and wait until all are on disk."""
        await asyncio.gather(self.sessions.close(), self.invited.close())

    def welcome(self, session: WebSession) -> JsonObject:
        """The first payload of a connection."""
        is_invited = isinstance(session, InvitedSession)
        return {
            "type": "welcome",
            "session": None if is_invited else session.name,
            "invited": session.name if is_invited else None,
            "addresses": [*self.config.addresses],
            "version": __version__,
            "person": PERSON,
            "games": {
                name: game_info(game, self.config.agents_for(game), self.config.settings.get(name))
                for name, game in registry.games().items()
            },
            "puzzles": puzzles_info(),
            "lessons": lesson_list(),
            "stores": len(self.config.stores),
        }

    async def dispatch(self, connection: Connection, message: m.Message) -> None:
        """Handle a message; what cannot be done raises one of our three errors."""
        connection.session.last_used = time.monotonic()
        connection.session.check(message)
        await _HANDLERS[type(message)](self, connection, message)

    def disconnect(self, connection: Connection) -> None:
        """Forget a connection that has ended."""
        connection.analyst.stop()
        connection.watcher.stop()
        self.leave(connection)

    def leave(self, connection: Connection) -> None:
        """Remove a connection from its session."""
        session = connection.session
        games = self.invited if isinstance(session, InvitedSession) else self.sessions
        games.leave(session, connection)

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

    async def invite(self, connection: Connection, message: m.Invite) -> None:
        """Create a game with another person, and send its keys."""
        if message.seat not in (0, 1, 2):
            raise ConfigError(f"expected the seat 0, 1 or 2, got {message.seat}")
        usual = self.config.settings.get(message.game, {})
        settings = {} if message.position else {**usual, **(message.settings or {})}
        new = NewGame(message.game, (PERSON, PERSON), settings, message.position, message.time)
        live = connection.session.host.make_game(new)
        seat = message.seat or secrets.choice((1, 2))
        live.take_seat(seat, Seat(clean_name(message.name)))
        if not self.invitations.take(connection.address):
            raise RefusedActionError("many", "too many invitations; please wait a minute")
        game, keys = self.invited.create(live, message.private)
        own, other = keys if seat == 1 else keys[::-1]
        connection.send({"type": "invited", "game": game, "key": own, "other_key": other})

    async def set_name(self, connection: Connection, message: m.SetName) -> None:
        """Change the name of a player."""
        _invited(connection).rename(connection, message.name)

    async def make_offer(self, connection: Connection, message: m.MakeOffer) -> None:
        """Offer the opponent something."""
        _invited(connection).offer(connection, message.kind)

    async def answer_offer(self, connection: Connection, message: m.AnswerOffer) -> None:
        """Answer the opponent's offer."""
        _invited(connection).answer(connection, message.accept)

    async def claim_game(self, connection: Connection, message: m.ClaimGame) -> None:  # noqa: ARG002
        """Win a game that the opponent has left."""
        _invited(connection).claim(connection)

    async def play_move(self, connection: Connection, message: m.PlayMove) -> None:
        """Play a move."""
        connection.session.play(connection, message)

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
        connection.session.resign(connection)

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
        connection.send(session.position(connection, node))

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

    async def explore(self, connection: Connection, message: m.Explore) -> None:
        """Send what was played at a position."""
        session = connection.session
        node = session.node(message.ply, message.node)
        state = session.live.state_of(node)
        sessions = connection.known_sessions
        connection.send(await self.explorer.find(state, node, sessions, session.players))

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
        sessions, invited = connection.known_sessions, connection.invited
        connection.send(await self.library.search(sessions, message, invited))

    async def open_game(self, connection: Connection, message: m.OpenGame) -> None:
        """Open a saved game."""
        sessions, invited = connection.known_sessions, connection.invited
        record = await self.library.game(sessions, message.id, invited)
        (await self._own_session(connection)).open(record)

    async def delete_game(self, connection: Connection, message: m.DeleteGame) -> None:
        """Delete an earlier game."""
        await self.library.delete(connection.known_sessions, message.id)

    async def watch(self, connection: Connection, message: m.Watch) -> None:
        """Follow a tournament or a show match, or list the tournaments."""
        if message.show is not None:
            connection.watcher.watch_match(self.shows.of(message.show))
        elif message.store is None or message.tournament is None:
            connection.send(await self.library.tournaments())
        else:
            connection.watcher.watch(self.library.store(message.store), message.tournament)

    async def unwatch(self, connection: Connection, message: m.Unwatch) -> None:  # noqa: ARG002
        """Stop following."""
        connection.watcher.stop()

    async def get_puzzle(self, connection: Connection, message: m.GetPuzzle) -> None:
        """Send a puzzle."""
        progress = PuzzleProgress.parse(message.progress)
        connection.send(puzzle_payload(message.number or daily_puzzle(), progress))

    async def next_puzzle(self, connection: Connection, message: m.NextPuzzle) -> None:
        """Choose a puzzle and send it."""
        progress = PuzzleProgress.parse(message.progress)
        wanted = PuzzleFilter(message.game, message.board, message.theme, message.level)
        number = next_puzzle(progress, wanted, without=message.without)
        connection.send(puzzle_payload(number, progress))

    async def solve_puzzle(self, connection: Connection, message: m.SolvePuzzle) -> None:
        """Judge a move, or show the solution."""
        moves = message.moves.split()
        connection.send(
            await self._prove(connection, solution_payload, message.number, moves, message.move)
        )

    async def hint_puzzle(self, connection: Connection, message: m.HintPuzzle) -> None:
        """Give a hint."""
        moves = message.moves.split()
        connection.send(await self._prove(connection, puzzle_hint_payload, message.number, moves))

    async def record_puzzle(self, connection: Connection, message: m.RecordPuzzle) -> None:
        """Send the solver's progress after a puzzle."""
        connection.send(
            progress_payload(
                message.number,
                PuzzleProgress.parse(message.progress),
                is_solved=message.is_solved,
                used_hint=message.used_hint,
            )
        )

    async def _prove(
        self,
        connection: Connection,
        build: Callable[Arguments, JsonObject],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> JsonObject:
        """Build a payload that may take a search, on a core of its own turn."""

        def work() -> JsonObject:
            with self.players.scheduler.turn(connection.session.name):
                return build(*args, **kwargs)

        return await asyncio.to_thread(work)

    async def get_lesson(self, connection: Connection, message: m.GetLesson) -> None:
        """Send a lesson."""
        connection.send(lesson_payload(message.number))

    async def answer_lesson(self, connection: Connection, message: m.AnswerLesson) -> None:
        """Judge an answer."""
        connection.send(lesson_answer_payload(message.number, message.step, message.move))

    async def _own_session(self, connection: Connection) -> WebSession:
        """The session for another game: another one if others show the present game.

        An invited game is left for the page's own session.
        """
        present = connection.session
        is_invited = isinstance(present, InvitedSession)
        if is_invited or len(present.listeners) > 1:
            connection.analyst.stop()
            own = connection.own_session if is_invited else None
            try:
                if own is None or self.sessions.is_shown(own):
                    session = await self.sessions.join(None, connection)
                else:
                    session = await self.sessions.join(own, connection)
            except ServerBusy as error:
                raise ConfigError(str(error)) from None
            self.leave(connection)
            connection.session = session
            connection.send(self.welcome(session))
        return connection.session


def _invited(connection: Connection) -> InvitedSession:
    """The invited game of a connection."""
    if not isinstance(connection.session, InvitedSession):
        raise ConfigError("expected this message in an invited game")
    return connection.session


Message = Any  # each handler takes its own class of message
Handler = Callable[[Application, Connection, Message], Awaitable[None]]
_HANDLERS: dict[type[m.Message], Handler] = {
    kind: vars(Application)[name] for name, kind in m.TYPES.items()
}
