"""A live game between two people who act for one player each.

Neither of them can move, resign or answer for the other. A draw, a take-back and a rematch need the
consent of both: one offers, the other accepts or declines. A player who stays away for too long can
be declared to have left. Screens and servers decide who a person is and show what is offered.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from plyground.errors import IllegalMoveError
from plyground.games.base import Move, Outcome
from plyground.play.live_game import LiveGame
from plyground.play.record import Record
from plyground.play.seat import Seat

PLAYERS = (1, 2)
AWAY_S = 120.0
"""Seconds without a player after which the opponent may claim the game."""
AGREEMENT = "agreement"
ABANDONED = "abandoned"
"""Reasons for the end of a game."""


class OfferKind(StrEnum):
    """What needs the consent of both players."""

    DRAW = "draw"
    TAKE_BACK = "take_back"
    REMATCH = "rematch"


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer of one player that the other has not answered."""

    kind: OfferKind
    player: int


class RefusedActionError(IllegalMoveError):
    """An action that a player may not take now; `key` is short and fixed, for translations."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text)
        self.key = key


class SharedGame:
    """The actions of two people in one live game.

    >>> game = SharedGame(LiveGame({1: Seat("Ann"), 2: Seat("Bob")}), joined=(1, 2))
    >>> game.play(1, "e2")
    >>> game.offer(2, OfferKind.DRAW)
    False
    >>> game.decline()
    >>> game.play(1, "e3")
    Traceback (most recent call last):
    plyground.play.shared_game.RefusedActionError: it is the turn of the other player

    The game begins when both players have joined. All methods lock the live game.
    """

    def __init__(
        self,
        live: LiveGame,
        *,
        open_offer: Offer | None = None,
        joined: Iterable[int] = (),
        away_s: float = AWAY_S,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.live = live
        self.joined = set(joined)
        """The players who have been there at least once."""
        self._open_offer = open_offer
        self._declined: set[Offer] = set()
        self._away_s = away_s
        self._now = now
        self._left_at: dict[int, float | None] = dict.fromkeys(PLAYERS, now())

    # Read-only state.

    @property
    def has_begun(self) -> bool:
        """Whether both players have joined."""
        return self.joined >= set(PLAYERS)

    @property
    def open_offer(self) -> Offer | None:
        """The offer that waits for an answer. The end of the game cancels a draw or take-back."""
        with self.live.locked():
            offer = self._open_offer
            if offer is not None and (offer.kind is OfferKind.REMATCH) != self._is_over:
                self._open_offer = None
            return self._open_offer

    def is_present(self, player: int) -> bool:
        """Whether a player is there."""
        return self._left_at[player] is None

    def may_offer(self, player: int, kind: OfferKind) -> bool:
        """Whether a player may make an offer now."""
        with self.live.locked():
            return self._why_no_offer(player, kind) is None

    def claim_in_s(self, player: int) -> float | None:
        """Seconds until a player may claim the game; None unless the opponent is away."""
        left_at = self._left_at[3 - player]
        if left_at is None or not self.has_begun or self._is_over:
            return None
        return max(0.0, left_at + self._away_s - self._now())

    # Actions.

    def arrive(self, player: int) -> None:
        """Note that a player is there."""
        self.joined.add(player)
        self._left_at[player] = None

    def depart(self, player: int) -> None:
        """Note that a player is away from now on."""
        self._left_at[player] = self._now()

    def play(self, player: int, move: Move, ply: int | None = None) -> None:
        """Play a move for a player, at a ply that must be the current one.

        It declines what the opponent has offered, and cancels a take-back.
        """
        live = self.live
        with live.locked():
            self._check_going_on()
            if not self.has_begun:
                raise RefusedActionError("wait", "the game begins when both players are here")
            if live.state.current_player != player:
                raise RefusedActionError("turn", "it is the turn of the other player")
            if ply not in (None, len(live.moves)):
                raise RefusedActionError("stale", "the position has changed meanwhile")
            live.play(move)
            self._declined.clear()
            offer = self._open_offer
            if offer is not None and (offer.player != player or offer.kind is OfferKind.TAKE_BACK):
                self._open_offer = None

    def resign(self, player: int) -> None:
        """Resign for a player, who need not be to move."""
        with self.live.locked():
            self._check_going_on()
            self.live.resign(player)

    def offer(self, player: int, kind: OfferKind) -> bool:
        """Offer something; returns whether it is agreed, since the opponent offers the same.

        A declined offer can be repeated after another move.
        """
        with self.live.locked():
            if self.open_offer == Offer(kind, 3 - player):
                self.accept(player)
                return True
            refusal = self._why_no_offer(player, kind)
            if refusal is not None:
                raise refusal
            self._open_offer = Offer(kind, player)
            return False

    def accept(self, player: int) -> OfferKind:
        """Accept the opponent's offer; the caller starts the rematch that was agreed."""
        with self.live.locked():
            offer = self.open_offer
            if offer is None or offer.player == player:
                raise RefusedActionError("no_offer", "there is no offer to answer")
            self._open_offer = None
            if offer.kind is OfferKind.DRAW:
                self.live.end(Outcome(None, AGREEMENT))
            elif offer.kind is OfferKind.TAKE_BACK:
                ply = self._last_own_ply(offer.player)
                assert ply is not None
                self.live.go_to(ply)
            return offer.kind

    def decline(self) -> None:
        """Decline the open offer; the player who made it withdraws it so."""
        with self.live.locked():
            offer = self.open_offer
            if offer is None:
                raise RefusedActionError("no_offer", "there is no offer to answer")
            self._declined.add(offer)
            self._open_offer = None

    def claim(self, player: int) -> None:
        """Win the game, because the opponent has stayed away for too long."""
        with self.live.locked():
            self._check_going_on()
            if self.claim_in_s(player) != 0.0:
                raise RefusedActionError(
                    "present", "the opponent has not been away for long enough"
                )
            self.live.end(Outcome(player, ABANDONED))

    def rematch(self) -> SharedGame:
        """The same people and settings with swapped colours; the game has not started."""
        live = self.live
        with live.locked():
            seats, controls = live.seats, live.controls
            swapped = LiveGame(
                {player: seats[3 - player] for player in PLAYERS},
                live.states[0],
                control={player: controls[3 - player] for player in PLAYERS},
                tags=live.tags | {"Date": f"{date.today():%Y.%m.%d}"},
            )
            joined = [3 - player for player in self.joined]
            again = SharedGame(swapped, joined=joined, away_s=self._away_s, now=self._now)
            again._left_at = {player: self._left_at[3 - player] for player in PLAYERS}
            return again

    # Implementation.

    @property
    def _is_over(self) -> bool:
        return self.live.outcome is not None

    def _check_going_on(self) -> None:
        if self._is_over:
            raise RefusedActionError("over", f"the game is over: {self.live.outcome}")

    def _why_no_offer(self, player: int, kind: OfferKind) -> RefusedActionError | None:
        if (kind is OfferKind.REMATCH) != self._is_over:
            if self._is_over:
                return RefusedActionError("over", f"the game is over: {self.live.outcome}")
            return RefusedActionError("not_over", "the game is not over yet")
        if not self.has_begun:
            return RefusedActionError("wait", "the game begins when both players are here")
        if self.open_offer is not None:
            return RefusedActionError("offer_open", "another offer waits for an answer")
        if Offer(kind, player) in self._declined:
            return RefusedActionError(
                "declined", "this offer was declined; it may be made again later"
            )
        if kind is OfferKind.TAKE_BACK and self._last_own_ply(player) is None:
            return RefusedActionError("no_move", "there is no move of yours to take back")
        return None

    def _last_own_ply(self, player: int) -> int | None:
        """The ply before the last move of a player; None before the first."""
        states = self.live.states[:-1]
        plies = (
            ply for ply in range(len(states) - 1, -1, -1) if states[ply].current_player == player
        )
        return next(plies, None)


def resume_shared(record: Record, seats: Mapping[int, Seat]) -> LiveGame:
    """Continue a recorded game, in which moves may have been taken back since the last one."""
    live = LiveGame.resume(record, seats)
    if live.undone:
        ply, clocks = len(live.moves), live.clocks()
        live.go_to(ply + live.undone)
        live.go_to(ply)  # from the end: so that the next move replaces those taken back
        live.clock.restore(clocks)
    return live
