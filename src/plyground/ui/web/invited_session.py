"""The session of an invited game: two people play, others watch.

A connection plays for a player if it has shown that player's key. Keys are random and secret; only
their digests are kept. What each person may do is in `play/shared_game.py`.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256

from plyground.agents.human import PERSON
from plyground.errors import ConfigError, NotationError
from plyground.json_types import JsonObject
from plyground.play.live_game import LiveGame
from plyground.play.seat import Seat
from plyground.play.shared_game import (
    PLAYERS,
    Offer,
    OfferKind,
    RefusedActionError,
    SharedGame,
    resume_shared,
)
from plyground.ui.web import messages as m
from plyground.ui.web.config import WebConfig
from plyground.ui.web.players import SharedPlayers
from plyground.ui.web.session import SessionListener, WebSession
from plyground.ui.web.session_store import SessionStore, StoredSession

LONGEST_NAME = 30
"""Characters of a person's name."""
WITHOUT_SEAT = (m.Why, m.Show, m.Export)
WITH_SEAT = (m.PlayMove, m.Resign, m.MakeOffer, m.AnswerOffer, m.ClaimGame, m.SetName)
OF_OTHER_PAGES = (
    m.NewGameMessage,
    m.Invite,
    m.Paste,
    m.OpenLink,
    m.OpenGame,
    m.ListGames,
    m.DeleteGame,
    m.Watch,
    m.Unwatch,
    m.GetPuzzle,
    m.SolvePuzzle,
)
"""Messages that concern other games; those that open one leave this session."""


def digest_of(key: str) -> str:
    """What is kept of a key. Keys are random, so that one round of a hash is enough."""
    return sha256(key.encode()).hexdigest()


def clean_name(name: str) -> str:
    """A person's name without needless spaces; `human` if it is empty.

    >>> clean_name("  Ann   B. "), clean_name("")
    ('Ann B.', 'human')
    """
    name = " ".join(name.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise RefusedActionError("name", f"expected a name of at most {LONGEST_NAME} characters")
    return name or PERSON


@dataclass(frozen=True, slots=True)
class Invitation:
    """What is stored of an invited game beside its record."""

    digests: tuple[str, str]
    """Digests of the keys of players 1 and 2."""
    is_private: bool = False
    """Whether only the two players may see the game."""
    joined: tuple[int, ...] = ()
    offer: Offer | None = None

    @classmethod
    def parse(cls, stored: JsonObject | None) -> Invitation:
        """Parse what `payload` returns; a NotationError for anything else."""
        try:
            assert stored is not None
            digests, joined, offer = stored["digests"], stored["joined"], stored["offer"]
            assert isinstance(digests, list)
            assert isinstance(joined, list)
            first, second = (str(digest) for digest in digests)
            players = tuple(player for player in PLAYERS if player in joined)
            opened = None
            if isinstance(offer, dict):
                player = 1 if offer["player"] == 1 else 2
                opened = Offer(OfferKind(str(offer["kind"])), player)
            return cls((first, second), stored["private"] is True, players, opened)
        except (AssertionError, KeyError, ValueError):
            raise NotationError("expected an invitation") from None

    def payload(self) -> JsonObject:
        """Plain values for JSON."""
        return {
            "digests": [*self.digests],
            "private": self.is_private,
            "joined": [*self.joined],
            "offer": offer_payload(self.offer),
        }

    def player_of(self, key: str) -> int | None:
        """The player whose key this is; the time it takes does not depend on the key."""
        found = [hmac.compare_digest(digest_of(key), digest) for digest in self.digests]
        return 1 + found.index(True) if any(found) else None


def offer_payload(offer: Offer | None) -> JsonObject | None:
    """An open offer for JSON."""
    return None if offer is None else {"kind": str(offer.kind), "player": offer.player}


class InvitedSession(WebSession):
    """An invited game and its connections. For the event loop's thread only."""

    def __init__(
        self,
        name: str,
        config: WebConfig,
        shared: SharedPlayers,
        store: SessionStore,
        stored: StoredSession,
    ) -> None:
        self._invitation = Invitation.parse(stored.invitation)
        self._players: dict[SessionListener, int] = {}
        super().__init__(name, config, shared, store, stored)
        self.shared = SharedGame(
            self.live,
            open_offer=self._invitation.offer,
            joined=self._invitation.joined,
            away_s=config.away_s,
        )

    @property
    def has_running_clock(self) -> bool:
        """Whether a player's time runs, so that the game must stay in memory."""
        return self.live.running is not None

    @property
    def watchers(self) -> int:
        """The number of connections that do not play."""
        return len(self.listeners) - len(self._players)

    def count_connections(self, player: int) -> int:
        """The number of connections of a player."""
        return list(self._players.values()).count(player)

    def find_player(self, key: str | None) -> int | None:
        """The player of a key, None for a watcher; a KeyError if neither may see the game."""
        if key is None:
            if self._invitation.is_private:
                raise KeyError
            return None
        player = self._invitation.player_of(key)
        if player is None:
            raise KeyError
        return player

    def add(self, listener: SessionListener, player: int | None) -> None:
        """Add a connection of a player or a watcher."""
        self.listeners.add(listener)
        if player is not None:
            self._players[listener] = player
            self.shared.arrive(player)
            self._refresh_soon()

    def remove(self, listener: SessionListener) -> None:
        """Forget the player of a connection that has ended."""
        player = self._players.pop(listener, None)
        if player is not None and not self.count_connections(player):
            self.shared.depart(player)
            self._refresh_soon()

    # Actions.

    def check(self, message: m.Message) -> None:
        """Reject what would change the game behind the other player's back, and advice."""
        if not isinstance(message, WITHOUT_SEAT + WITH_SEAT + OF_OTHER_PAGES):
            raise RefusedActionError("alone", "this is not possible in a game with another person")

    def play(self, listener: SessionListener, message: m.PlayMove) -> None:
        """Play a move for the listener's player."""
        player = self._player(listener)
        if message.node not in (None, self.live.node):
            raise RefusedActionError("stale", "the position has changed meanwhile")
        self.shared.play(player, message.move, message.ply)

    def resign(self, listener: SessionListener) -> None:
        """Resign for the listener's player."""
        self.shared.resign(self._player(listener))

    def offer(self, listener: SessionListener, kind: str) -> None:
        """Make an offer; if both have made it, it is agreed."""
        player = self._player(listener)
        if kind not in list(OfferKind):
            raise ConfigError(f"expected an offer such as 'draw', got {kind[:40]!r}")
        wanted = OfferKind(kind)
        self._agreed(wanted if self.shared.offer(player, wanted) else None)

    def answer(self, listener: SessionListener, accept: bool) -> None:
        """Accept or decline the open offer."""
        player = self._player(listener)
        if accept:
            self._agreed(self.shared.accept(player))
        else:
            self.shared.decline()
            self._refresh_soon()

    def claim(self, listener: SessionListener) -> None:
        """Win, because the opponent has left."""
        self.shared.claim(self._player(listener))

    def rename(self, listener: SessionListener, name: str) -> None:
        """Set the name of the listener's player."""
        self.live.take_seat(self._player(listener), Seat(clean_name(name)))

    # Implementation.

    def personal(self, payload: JsonObject, listener: SessionListener) -> JsonObject:
        """A payload with what the listener may do."""
        player, shared = self._players.get(listener), self.shared
        may_play = (
            player is not None
            and shared.has_begun
            and payload["to_move"] == player
            and payload["node"] == self.live.node
        )
        personal: JsonObject = {"can_play": bool(payload["can_play"]) and may_play}
        if payload["type"] == "game":
            personal["shared"] = {
                "you": player,
                "private": self._invitation.is_private,
                "joined": [each in shared.joined for each in PLAYERS],
                "present": [shared.is_present(each) for each in PLAYERS],
                "offer": offer_payload(shared.open_offer),
                "offers": []
                if player is None
                else [str(kind) for kind in OfferKind if shared.may_offer(player, kind)],
                "claim_in_s": None if player is None else shared.claim_in_s(player),
            }
        return payload | personal

    def _player(self, listener: SessionListener) -> int:
        player = self._players.get(listener)
        if player is None:
            raise RefusedActionError("watching", "you are watching this game")
        return player

    def _agreed(self, kind: OfferKind | None) -> None:
        """Start the rematch if that was agreed, and show what has changed."""
        if kind is OfferKind.REMATCH:
            self.shared = self.shared.rematch()
            self._players = {each: 3 - player for each, player in self._players.items()}
            first, second = self._invitation.digests
            self._invitation = replace(self._invitation, digests=(second, first))
            self.host.replace(self.shared.live)
            self._begin()
        else:
            self._refresh_soon()

    def _resumed(self, stored: StoredSession) -> LiveGame:
        record = stored.record
        seats = {player: Seat(record.player_name(player, PERSON)) for player in PLAYERS}
        return resume_shared(record, seats)

    def _snapshot(self, live: LiveGame) -> Callable[[], StoredSession]:
        invitation = replace(
            self._invitation,
            joined=tuple(sorted(self.shared.joined)),
            offer=self.shared.open_offer,
        )
        return lambda: replace(StoredSession.of(live), invitation=invitation.payload())
