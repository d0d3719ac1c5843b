"""Two people in one game: each acts for one player, and what concerns both needs consent."""

from __future__ import annotations

import pytest

from plyground.errors import IllegalMoveError
from plyground.games import registry
from plyground.play import Clock, LiveGame, Seat, TimeControl
from plyground.play.record_text import format_record, parse_record
from plyground.play.shared_game import (
    Offer,
    OfferKind,
    RefusedActionError,
    SharedGame,
    resume_shared,
)

DRAW, TAKE_BACK, REMATCH = OfferKind.DRAW, OfferKind.TAKE_BACK, OfferKind.REMATCH
SEATS = {1: Seat("Ann"), 2: Seat("Bob")}


class Time:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.s = 0.0

    def __call__(self) -> float:
        return self.s


def shared(*moves: str, live: LiveGame | None = None) -> SharedGame:
    game = SharedGame(live or LiveGame(SEATS), joined=(1, 2))
    for ply, move in enumerate(moves):
        game.play(ply % 2 + 1, move, ply)
    return game


def played(game: SharedGame) -> list[str]:
    return [move.text for move in game.live.moves]


def offered(game: SharedGame) -> Offer | None:
    return game.open_offer


def refusal(action: object, *arguments: object) -> str:
    """The key of the refusal of an action."""
    assert callable(action)
    with pytest.raises(RefusedActionError) as error:
        action(*arguments)
    return error.value.key


# Moves and the end.


def test_each_player_moves_for_one_side_only() -> None:
    game = shared("e2")
    assert refusal(game.play, 1, "e8") == "turn"
    assert refusal(game.play, 1, "e3") == "turn"
    assert played(game) == ["e2"]
    game.play(2, "e8")
    with pytest.raises(IllegalMoveError, match="illegal"):
        game.play(1, "e9")
    assert played(game) == ["e2", "e8"]


def test_a_move_for_an_earlier_position_is_refused() -> None:
    game = shared("e2", "e8")
    assert refusal(game.play, 1, "e3", 0) == "stale"
    assert refusal(game.play, 1, "e3", 9) == "stale"


def test_the_game_begins_when_both_have_joined() -> None:
    game = SharedGame(LiveGame(SEATS))
    game.arrive(1)
    assert refusal(game.play, 1, "e2") == "wait"
    assert not game.may_offer(1, DRAW)
    game.arrive(2)
    game.play(1, "e2")


def test_a_player_resigns_for_one_side_even_out_of_turn() -> None:
    game = shared("e2")
    game.resign(1)
    assert str(game.live.outcome) == "player 2 won (resignation)"
    assert refusal(game.resign, 2) == "over"
    assert refusal(game.play, 2, "e8") == "over"


# Offers.


def test_a_draw_needs_both() -> None:
    game = shared("e2")
    assert not game.offer(1, DRAW)
    assert refusal(game.accept, 1) == "no_offer"
    assert game.accept(2) is DRAW
    assert str(game.live.outcome) == "draw (agreement)"
    assert game.live.record().result == "1/2-1/2"


def test_both_who_offer_a_draw_agree() -> None:
    game = shared("e2")
    game.offer(1, DRAW)
    assert game.offer(2, DRAW)
    assert game.live.outcome is not None


def test_a_declined_offer_waits_for_another_move() -> None:
    game = shared("e2")
    game.offer(1, DRAW)
    assert refusal(game.offer, 2, TAKE_BACK) == "offer_open"
    game.decline()
    assert offered(game) is None
    assert refusal(game.decline) == "no_offer"
    assert refusal(game.offer, 1, DRAW) == "declined"
    assert game.may_offer(2, DRAW)
    game.play(2, "e8")
    assert game.may_offer(1, DRAW)


def test_a_move_declines_what_the_other_offers_and_keeps_an_own_draw_offer() -> None:
    game = shared()
    game.offer(1, DRAW)
    game.play(1, "e2")
    assert offered(game) == Offer(DRAW, 1)
    game.play(2, "e8")
    assert offered(game) is None
    game.offer(2, TAKE_BACK)
    game.play(1, "e3")
    assert offered(game) is None


def test_a_take_back_goes_before_the_own_last_move() -> None:
    game = shared("e2", "e8", "e3")
    game.offer(1, TAKE_BACK)
    game.accept(2)
    assert played(game) == ["e2", "e8"]
    game.play(1, "d2")
    game.offer(2, TAKE_BACK)  # the answer to it has been played already
    game.accept(1)
    assert played(game) == ["e2"]
    game.play(2, "d9")
    record = game.live.record()
    assert [move.text for move in record.moves] == ["e2", "d9"]
    assert "e8" in format_record(record)  # as a variation: nothing is lost


def test_there_may_be_no_move_to_take_back() -> None:
    game = shared("e2")
    assert refusal(game.offer, 2, TAKE_BACK) == "no_move"
    assert not game.may_offer(2, TAKE_BACK)
    assert game.may_offer(1, TAKE_BACK)


def test_a_disc_of_reversi_is_taken_back() -> None:
    game = shared("f5", "d6", live=LiveGame(SEATS, registry.get("reversi").start()))
    game.offer(2, TAKE_BACK)
    game.accept(1)
    assert played(game) == ["f5"]


def test_a_restart_after_a_take_back_keeps_the_line_and_the_clocks() -> None:
    time = Time()
    live = LiveGame(SEATS, control=TimeControl(60, 2), clock=Clock(TimeControl(60, 2), time))
    live.start()
    game = shared("e2", "e8", live=live)
    time.s = 7
    game.play(1, "e3")
    game.offer(1, TAKE_BACK)
    game.accept(2)
    record = parse_record(format_record(live.record()))
    again = resume_shared(record, SEATS)
    assert [move.text for move in again.moves] == ["e2", "e8"]
    assert again.clocks() == live.clocks()
    SharedGame(again, joined=(1, 2)).play(1, "d2")
    assert [move.text for move in again.record().moves] == ["e2", "e8", "d2"]
    live.close()


def test_an_end_cancels_an_offer() -> None:
    game = shared("e2")
    game.offer(1, DRAW)
    game.resign(2)
    assert offered(game) is None
    assert refusal(game.accept, 2) == "no_offer"


def test_a_rematch_swaps_the_colours() -> None:
    live = LiveGame(SEATS, control=TimeControl(60))
    game = shared("e2", live=live)
    assert refusal(game.offer, 1, REMATCH) == "not_over"
    game.resign(1)
    assert refusal(game.offer, 1, DRAW) == "over"
    game.offer(1, REMATCH)
    assert game.accept(2) is REMATCH
    again = game.rematch()
    names = {player: seat.name for player, seat in again.live.seats.items()}
    assert names == {1: "Bob", 2: "Ann"}
    assert again.live.moves == []
    assert again.live.controls == live.controls
    again.play(1, "e2")


def test_who_is_there_stays_there_in_a_rematch() -> None:
    game = shared("e2")
    game.arrive(1)
    game.resign(1)
    again = game.rematch()
    assert (again.is_present(1), again.is_present(2)) == (False, True)


# Presence.


def test_a_player_who_stays_away_can_be_declared_to_have_left() -> None:
    time = Time()
    game = SharedGame(LiveGame(SEATS), joined=(1, 2), away_s=10, now=time)
    game.arrive(1)
    game.arrive(2)
    game.play(1, "e2")
    assert game.claim_in_s(1) is None
    assert refusal(game.claim, 1) == "present"
    game.depart(2)
    time.s = 4
    assert game.claim_in_s(1) == 6
    assert refusal(game.claim, 1) == "present"
    game.arrive(2)
    assert game.claim_in_s(1) is None
    game.depart(2)
    time.s = 14
    game.claim(1)
    assert str(game.live.outcome) == "player 1 won (abandoned)"
    assert game.claim_in_s(1) is None


def test_nothing_can_be_claimed_before_the_game_begins() -> None:
    time = Time()
    game = SharedGame(LiveGame(SEATS), away_s=1, now=time)
    game.arrive(1)
    time.s = 5
    assert game.claim_in_s(1) is None
    assert refusal(game.claim, 1) == "present"


def test_the_clocks_start_with_the_first_move() -> None:
    time = Time()
    live = LiveGame(SEATS, clock=Clock(TimeControl(60), time))
    live.start()
    time.s = 500
    assert (live.running, live.clocks()) == (None, {1: 60, 2: 60})
    shared("e2", live=live)
    assert (live.running, live.clocks()) == (2, {1: 60, 2: 60})
    live.close()
