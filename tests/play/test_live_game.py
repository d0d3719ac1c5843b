"""The live game: seats, turns, taking back, endings, and agents that misbehave.

Agents here are scripted: they wait at gates that the test opens, so nothing depends on timing.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
import pytest

from plyground import quoridor, reversi
from plyground.agents import Agent, RandomAgent
from plyground.agents.base import Progress
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.base import Outcome, State
from plyground.games.score import Score
from plyground.play import Clock, LiveGame, MoveRecord, Record, Seat, TimeControl, parse_record
from plyground.play.events import (
    Event,
    GameEnded,
    HintFailed,
    HintFound,
    MovePlayed,
    PositionChanged,
    SearchProgress,
    SeatChanged,
    TurnBegan,
)
from plyground.play.record_text import format_record
from plyground.search import SearchLimits, SearchResult

TIMEOUT_S = 30
E = TypeVar("E", bound=Event)


class Scripted(Agent):
    """Plays the given moves in order; with `slow`, each only after `gate` was opened for it."""

    def __init__(self, *moves: object, slow: bool = False) -> None:
        self.moves = list(moves)
        self.gate = threading.Semaphore(0 if slow else 1000)
        self.asked = queue.SimpleQueue[str]()

    def select_action(self, state: State, limits: SearchLimits | None = None) -> Any:
        self.asked.put(f"{state.text()} {limits}")
        assert self.gate.acquire(timeout=TIMEOUT_S)
        move = self.moves.pop(0)
        if isinstance(move, BaseException):
            raise move
        return state.parse_move(move) if isinstance(move, str) else move


class Answering(Agent):
    """Returns the same from every search; with `progress`, reports it first."""

    def __init__(self, answer: Any, progress: bool = False) -> None:
        self.answer, self.progress = answer, progress

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> Any:
        if self.progress and on_progress is not None:
            on_progress(self.answer)
        return self.answer


class Endless(Agent):
    """Reports progress until its search is cancelled."""

    evaluates = True

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        assert on_progress is not None
        action = state.legal_actions()[0]
        score = Score(1.5, state.game.unit, state.current_player)
        try:
            while True:
                on_progress(SearchResult(action, score, 7, [action], 1000, 1.0))
        finally:
            self.stopped.set()


class Listener:
    """Keeps all events, and can wait for a kind of event."""

    def __init__(self, live: LiveGame) -> None:
        self.received: list[Event] = []
        self._queue: queue.SimpleQueue[Event] = queue.SimpleQueue()
        live.listen(self._queue.put)

    def wait_for(self, kind: type[E]) -> E:
        while True:
            event = self._queue.get(timeout=TIMEOUT_S)
            self.received.append(event)
            if isinstance(event, kind):
                return event

    def rest(self) -> list[Event]:
        while not self._queue.empty():
            self.received.append(self._queue.get())
        return self.received


@pytest.fixture
def lives() -> Iterator[list[LiveGame]]:
    games: list[LiveGame] = []
    yield games
    for live in games:
        live.close()


def against(agent: Agent, **options: Any) -> LiveGame:
    return LiveGame({1: Seat("Ann"), 2: Seat("robot", agent)}, **options)


def texts(live: LiveGame) -> str:
    return " ".join(move.text for move in live.moves)


def test_people_take_turns_and_the_rules_end_the_game() -> None:
    start = quoridor.State(quoridor.GameConfig.preset("tiny"))
    live = LiveGame({1: Seat("Ann"), 2: Seat("Bob")}, start)
    listener = Listener(live)
    live.start()
    assert live.person_to_move()
    assert live.play("B2")
    assert live.play("b1")
    assert str(live.outcome) == "player 2 won (goal)"
    assert not live.person_to_move()
    kinds = [type(event) for event in listener.rest()]
    assert kinds == [TurnBegan, MovePlayed, TurnBegan, MovePlayed, GameEnded]
    record = live.record()
    assert (record.result, record.tags) == ("0-1", {"Player1": "Ann", "Player2": "Bob"})
    with pytest.raises(IllegalMoveError, match="the game is over"):
        live.play("b2")


def test_an_illegal_move_changes_nothing() -> None:
    live = LiveGame({1: Seat(), 2: Seat()})
    turn = live.turn
    with pytest.raises(IllegalMoveError, match="illegal move 'e5' in '9 e1/e9 - 10/10 1 0 0'"):
        live.play("e5")
    with pytest.raises(NotationError):
        live.play("nonsense")
    assert (live.turn, live.moves) == (turn, [])


def test_an_agent_answers_and_its_time_is_kept(lives: list[LiveGame]) -> None:
    live = against(Scripted("e8"))
    lives.append(live)
    live.start()
    live.play("e2")
    assert live.wait(TIMEOUT_S)
    assert texts(live) == "e2 e8"
    assert live.moves[1].time_s is not None


def test_both_games_are_played() -> None:
    seats = {1: Seat("a", Scripted("f5", "c3")), 2: Seat("b", Scripted("d6", "pass"))}
    live = LiveGame(seats, reversi.State())
    assert live.game.name == "reversi"
    live.start()
    assert live.wait(TIMEOUT_S)
    assert texts(live) == "f5 d6 c3"
    assert live.outcome is not None
    assert (live.outcome.winner, live.outcome.reason) == (1, "illegal move 64")


def test_an_answer_for_a_game_that_has_moved_on_is_dropped(lives: list[LiveGame]) -> None:
    late = Scripted("e8", "d5h", slow=True)
    live = against(late)
    lives.append(live)
    live.start()
    live.play("e2")
    late.asked.get(timeout=TIMEOUT_S)
    assert live.undo() == 1
    live.play("d1")
    late.gate.release()  # the first answer, e8 to e2, comes only now
    assert late.asked.get(timeout=TIMEOUT_S).startswith("9 d1/e9")
    assert texts(live) == "d1"
    late.gate.release()
    assert live.wait(TIMEOUT_S)
    assert texts(live) == "d1 d5h"


def test_a_turn_given_with_a_move_must_be_this_one() -> None:
    live = LiveGame({1: Seat(), 2: Seat()})
    turn = live.turn
    assert live.play("e2", turn)
    assert not live.play("e8", turn)
    assert texts(live) == "e2"


def test_a_search_is_ended_when_nobody_wants_it_any_more(lives: list[LiveGame]) -> None:
    endless = Endless()
    live = against(endless)
    lives.append(live)
    listener = Listener(live)
    live.start()
    live.play("e2")
    thought = listener.wait_for(SearchProgress)
    assert (thought.player, thought.result.depth) == (2, 7)
    live.undo()
    assert endless.stopped.wait(TIMEOUT_S)
    assert live.moves == []


def test_closing_ends_a_search() -> None:
    endless = Endless()
    with against(endless) as live:
        live.start()
        live.play("e2")
    assert endless.stopped.wait(TIMEOUT_S)
    assert live.wait(0)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (RuntimeError("out of\n luck \x1b"), "crash: RuntimeError: out of luck "),
        (4711, "illegal move 4711"),
        (None, "illegal move None"),
        ("e5", "illegal move 40"),
    ],
)
def test_an_agent_that_fails_loses_the_game(answer: Any, reason: str) -> None:
    live = against(Scripted(answer))
    live.start()
    live.play("e2")
    assert live.wait(TIMEOUT_S)
    assert live.outcome is not None
    assert (live.outcome.winner, live.outcome.reason) == (1, reason)
    assert live.forfeit is not None
    assert reason.startswith(live.forfeit)
    record = live.record()
    assert (record.result, record.termination) == ("1-0", reason)
    assert parse_record(format_record(record)) == record
    live.undo()
    assert live.record().result == "*"


def test_undo_and_redo_go_by_full_turns(lives: list[LiveGame]) -> None:
    live = against(Scripted("e8", "e7", "d5h"))
    lives.append(live)
    listener = Listener(live)
    live.start()
    for move in ("e2", "e3"):
        live.play(move)
        live.wait(TIMEOUT_S)
    assert live.undo() == 2
    assert texts(live) == "e2 e8"
    assert live.undo() == 2
    assert (texts(live), live.undone) == ("", 4)
    with pytest.raises(IllegalMoveError, match="there is no move of yours to take back"):
        live.undo()
    assert live.redo() == 2
    assert texts(live) == "e2 e8"
    assert live.redo() == 2
    assert texts(live) == "e2 e8 e3 e7"
    with pytest.raises(IllegalMoveError, match="there is nothing to play again"):
        live.redo()
    moved = [event.plies for event in listener.rest() if isinstance(event, PositionChanged)]
    assert moved == [-2, -2, 2, 2]
    live.undo()
    live.play("d2")  # another move: what was taken back is a variation
    live.wait(TIMEOUT_S)
    assert (texts(live), live.undone) == ("e2 e8 d2 d5h", 0)


def test_two_people_take_back_a_ply_at_a_time() -> None:
    live = LiveGame({1: Seat(), 2: Seat()})
    for move in ("e2", "e8", "e3"):
        live.play(move)
    assert live.undo() == 1
    assert live.undo() == 1
    assert live.redo() == 1
    assert texts(live) == "e2 e8"
    live.play("e3")  # the same as was taken back
    live.go_to(0)
    assert live.undone == 3
    live.go_to(2)
    assert texts(live) == "e2 e8"
    with pytest.raises(ConfigError, match="expected a ply from 0 to 3, got 4"):
        live.go_to(4)


def test_resigning_can_be_taken_back() -> None:
    live = LiveGame({1: Seat(), 2: Seat()})
    live.play("e2")
    live.resign()
    assert str(live.outcome) == "player 1 won (resignation)"
    assert (live.record().result, live.record().termination) == ("1-0", "resignation")
    with pytest.raises(IllegalMoveError, match=r"player 1 won \(resignation\)"):
        live.play("e8")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        live.resign()
    assert live.undo() == 0
    assert (live.outcome, texts(live)) == (None, "e2")
    live.play("e8")


def test_an_agent_takes_over_a_seat_and_seats_are_swapped(lives: list[LiveGame]) -> None:
    live = against(Scripted("e8", "e3"))
    lives.append(live)
    listener = Listener(live)
    live.start()
    live.play("e2")
    live.wait(TIMEOUT_S)
    live.swap_seats()  # the robot is to move for player 1
    assert live.wait(TIMEOUT_S)
    assert texts(live) == "e2 e8 e3"
    assert live.seats[2].name == "Ann"
    live.take_seat(2, Seat("other", Scripted("e7")))
    listener.wait_for(SeatChanged)
    live.take_seat(1, Seat("Eve"))
    assert live.wait(TIMEOUT_S)
    assert texts(live) == "e2 e8 e3 e7"
    assert live.record().tags == {"Player1": "Eve", "Player2": "other"}


def test_hints_leave_the_game_alone(lives: list[LiveGame]) -> None:
    live = LiveGame({1: Seat(), 2: Seat()})
    lives.append(live)
    listener = Listener(live)
    live.start()
    live.hint(Seat("adviser", Scripted("e2")))
    found = listener.wait_for(HintFound)
    assert quoridor.action_to_notation(found.action) == "e2"
    live.hint(Seat("adviser", Scripted(ValueError("no idea"))))
    assert listener.wait_for(HintFailed).reason == "ValueError: no idea"
    assert (live.moves, live.outcome) == ([], None)


def test_a_hint_for_an_earlier_position_is_dropped(lives: list[LiveGame]) -> None:
    live = LiveGame({1: Seat(), 2: Seat()})
    lives.append(live)
    listener = Listener(live)
    adviser = Scripted("e2", "e8", slow=True)
    live.hint(Seat("adviser", adviser))
    adviser.asked.get(timeout=TIMEOUT_S)
    live.play("d1")
    adviser.gate.release()
    adviser.gate.release()
    live.hint(Seat("another", Scripted("e8")))
    assert quoridor.action_to_notation(listener.wait_for(HintFound).action) == "e8"
    assert sum(isinstance(event, HintFound) for event in listener.rest()) == 1


def test_it_starts_from_any_position() -> None:
    start = quoridor.State.parse("9 e4/e6 c3h,e3h,d7h 8/9 2 9 1")
    live = LiveGame({1: Seat(), 2: Seat()}, start)
    live.play("e5")
    assert live.record().start == start.text()
    assert live.undo() == 1
    assert live.state == start


class Hands:
    """The hands of a clock, moved by the test."""

    def __init__(self) -> None:
        self.time_s = 100.0

    def __call__(self) -> float:
        return self.time_s


def test_a_move_takes_the_time_of_all_who_thought_about_it(lives: list[LiveGame]) -> None:
    hands = Hands()
    live = LiveGame({1: Seat(), 2: Seat()}, clock=Clock(TimeControl(60), hands))
    lives.append(live)
    live.start()
    live.play("e2")
    hands.time_s += 20
    live.take_seat(2, Seat("Bob"))
    hands.time_s += 5
    live.play("e8")
    assert live.clocks() == {1: 60, 2: 35}
    assert [move.time_s for move in live.moves] == [None, 25]


def test_clocks_count_add_and_go_back_with_the_moves(lives: list[LiveGame]) -> None:
    hands = Hands()
    live = LiveGame({1: Seat(), 2: Seat()}, clock=Clock(TimeControl(60, 2), hands))
    lives.append(live)
    live.start()
    live.play("e2")
    hands.time_s += 5
    live.play("e8")
    assert live.clocks() == {1: 60, 2: 57}
    hands.time_s += 10
    assert live.clocks() == {1: 50, 2: 57}
    live.play("e3")
    assert live.clocks() == {1: 52, 2: 57}
    assert [move.time_s for move in live.moves] == [None, 5, 10]
    live.undo()
    assert live.clocks() == {1: 60, 2: 57}
    hands.time_s += 1
    assert live.clocks() == {1: 59, 2: 57}


def test_clocks_start_with_the_first_move_of_a_person(lives: list[LiveGame]) -> None:
    hands = Hands()
    live = LiveGame({1: Seat(), 2: Seat()}, clock=Clock(TimeControl(60, 2), hands))
    lives.append(live)
    live.start()
    assert (live.clock_waits, live.running) == (True, None)
    hands.time_s += 100
    live.play("e2")
    assert (live.clock_waits, live.running) == (False, 2)
    assert live.clocks() == {1: 60, 2: 60}
    again = LiveGame.resume(live.record(), live.seats)
    assert again.clocks() == {1: 60, 2: 60}
    live.undo()
    hands.time_s += 100
    assert (live.clock_waits, live.running) == (True, None)
    assert live.clocks() == {1: 60, 2: 60}
    assert live.outcome is None


def test_the_clock_of_an_agent_starts_with_the_game(lives: list[LiveGame]) -> None:
    agent = Scripted("e2", slow=True)
    live = LiveGame({1: Seat("robot", agent), 2: Seat()}, control=TimeControl(60))
    lives.append(live)
    live.start()
    assert (live.clock_waits, live.running) == (False, 1)
    agent.gate.release()


def test_a_move_after_the_flag_fell_is_too_late(lives: list[LiveGame]) -> None:
    hands = Hands()
    live = LiveGame({1: Seat(), 2: Seat()}, clock=Clock(TimeControl(60), hands))
    lives.append(live)
    live.start()
    live.play("e2")
    hands.time_s += 61
    live.play("e8")
    assert str(live.outcome) == "player 1 won (time)"
    assert [move.text for move in live.moves] == ["e2"]


def test_the_flag_falls_by_itself(lives: list[LiveGame]) -> None:
    live = LiveGame({1: Seat(), 2: Seat()}, control=TimeControl(0.05))
    lives.append(live)
    listener = Listener(live)
    live.start()
    live.play("e2")
    ended = listener.wait_for(GameEnded)
    assert str(ended.outcome) == "player 1 won (time)"
    assert live.record().termination == "time"


def test_agents_are_told_the_time_that_is_left(lives: list[LiveGame]) -> None:
    hands = Hands()
    agent = Scripted("e8")
    seats = {1: Seat(), 2: Seat("robot", agent)}
    live = LiveGame(seats, clock=Clock(TimeControl(60, 3.5), hands))
    lives.append(live)
    live.start()
    live.play("e2")
    asked = agent.asked.get(timeout=TIMEOUT_S)
    assert asked.startswith("9 e2/e9")
    assert "clock_s=60.0, increment_s=3.5" in asked


def test_a_record_is_gone_on_with_clocks_included(lives: list[LiveGame]) -> None:
    hands = Hands()
    live = LiveGame(
        {1: Seat("Ann"), 2: Seat("Bob")},
        clock=Clock(TimeControl(60, 2), hands),
        tags={"Event": "Tuesday"},
    )
    lives.append(live)
    live.start()
    live.play("e2")
    hands.time_s += 10
    live.play("e8")
    hands.time_s += 7.5
    text = format_record(live.record())
    assert '[TimeControl "60+2"]\n[Clock "52.5/52.0"]' in text
    again = LiveGame.resume(parse_record(text), live.seats)
    assert again.clocks() == {1: 52.5, 2: 52}
    assert again.record() == live.record()
    without = text.replace('[Clock "52.5/52.0"]\n', "")
    assert LiveGame.resume(parse_record(without), live.seats).clocks() == {1: 60, 2: 52}
    for wrong in ('[Clock "x"]', '[Clock "1/-2"]'):
        broken = parse_record(text.replace('[Clock "52.5/52.0"]', wrong))
        with pytest.raises(NotationError, match="bad tag Clock"):
            LiveGame.resume(broken, live.seats)
    broken = parse_record(text.replace('"60+2"', '"a minute"'))
    with pytest.raises(NotationError, match="bad tag TimeControl: expected a time such as"):
        LiveGame.resume(broken, live.seats)


def test_sessions_go_back_with_the_moves_and_go_on_from_a_record(lives: list[LiveGame]) -> None:
    hands = Hands()
    live = LiveGame({1: Seat(), 2: Seat()}, clock=Clock(TimeControl.parse("2/60"), hands))
    lives.append(live)
    live.start()
    for move in ("e2", "e8", "e3"):
        hands.time_s += 10
        live.play(move)
    assert live.clocks() == {1: 110, 2: 50}  # the first move started the clocks
    live.undo()
    assert live.clocks() == {1: 60, 2: 50}
    hands.time_s += 5
    live.play("e3")
    assert live.clocks() == {1: 115, 2: 50}
    again = LiveGame.resume(live.record(), live.seats)
    limits = again.clock.search_limits(2)
    assert limits is not None
    assert (again.clocks(), limits.moves_to_go) == ({1: 115, 2: 50}, 1)


def test_odds_in_time_are_kept_in_the_record(lives: list[LiveGame]) -> None:
    controls = {1: TimeControl(60), 2: TimeControl.parse("2/move")}
    live = LiveGame({1: Seat(), 2: Seat()}, control=controls)
    lives.append(live)
    text = format_record(live.record())
    assert '[TimeControl1 "60"]\n[TimeControl2 "2/move"]' in text
    again = LiveGame.resume(parse_record(text), live.seats)
    assert (again.controls, again.clocks()) == (controls, {1: 60, 2: 2})


def test_a_finished_record_is_shown_as_such() -> None:
    record = Record.from_moves(["e2"], result="0-1", termination="resignation")
    live = LiveGame.resume(record, {1: Seat("human"), 2: Seat("human")})
    assert str(live.outcome) == "player 2 won (resignation)"
    assert (live.record().result, live.record().moves) == ("0-1", (MoveRecord("e2"),))


def test_the_start_decides_the_game() -> None:
    seats = {1: Seat("Ann"), 2: Seat("Bob")}
    live = LiveGame(seats, reversi.State())
    live.play("f5")
    assert live.record().game == "reversi"
    assert live.actions == [37]
    assert LiveGame(seats).state == quoridor.State()


def test_an_agent_s_score_is_kept_in_its_unit(lives: list[LiveGame]) -> None:
    """An estimate becomes the move's score, and a proven result its comment."""

    class Thinker(Agent):
        def __init__(self, score: Score | None) -> None:
            self.score = score

        def search(
            self,
            state: State,
            limits: SearchLimits | None = None,
            on_progress: Progress | None = None,
        ) -> SearchResult:
            return SearchResult(state.parse_move("e2"), self.score, 9, nodes_searched=50)

    steps = quoridor.State().game.unit
    for score, expected in (
        (Score(1.25, steps, 1), (1.25, 9, "")),
        (Score.expected(-0.5, 1), (-0.5, 9, "")),
        (Score.proven(7, 1), (None, 9, "wins in 7")),
        (Score.proven(-4, 1), (None, 9, "loses in 4")),
        (None, (None, 9, "")),
    ):
        live = LiveGame({1: Seat("robot", Thinker(score)), 2: Seat("Ann")})
        lives.append(live)
        listener = Listener(live)
        live.start()
        played = listener.wait_for(MovePlayed)
        assert (played.move.score, played.move.depth, played.move.comment) == expected
        assert played.result is not None
        assert (played.result.score, played.result.nodes_searched) == (score, 50)
        assert (played.action, type(played.action)) == (13, int)


def test_seats_must_be_two() -> None:
    with pytest.raises(ConfigError, match=r"expected seats for the players 1 and 2, got \[1\]"):
        LiveGame({1: Seat()})


def test_a_listener_may_end_the_game_and_it_ends_once() -> None:
    """As an arbiter does who hears of a move."""
    heard: list[object] = []
    agents = {player: Seat(f"random {player}", RandomAgent(player)) for player in (1, 2)}
    with LiveGame(agents) as game:

        def arbiter(event: object) -> None:
            heard.append(event)
            if isinstance(event, MovePlayed) and len(game.moves) == 3:
                game.end(Outcome(None, "agreement"))

        game.listen(arbiter)
        game.start()
        assert game.wait(30)
        record = game.record()
    assert (record.result, record.termination, len(record.moves)) == ("1/2-1/2", "agreement", 3)
    assert [type(event) for event in heard].count(GameEnded) == 1
    with pytest.raises(IllegalMoveError, match=r"the game is over: draw \(agreement\)"):
        game.end(Outcome(1, "agreement"))


def test_an_agent_that_leaves_or_cannot_be_shown_loses() -> None:
    class Leaver(Agent):
        def select_action(self, state: State, limits: SearchLimits | None = None) -> int:
            raise SystemExit(3)

    class Unspeakable(Agent):
        def __repr__(self) -> str:
            raise RuntimeError("not even this")

        def select_action(self, state: State, limits: SearchLimits | None = None) -> Any:
            return self

    class Empty(Agent):
        def search(
            self,
            state: State,
            limits: SearchLimits | None = None,
            on_progress: Progress | None = None,
        ) -> Any:
            return None

    agents: list[tuple[Agent, str]] = [
        (Leaver(), "crash: SystemExit: 3"),
        (Unspeakable(), "<Unspeakable>"),
        (Empty(), "nonsense: expected a SearchResult from search, got None"),
        (Answering(0), "nonsense: expected a SearchResult from search, got 0"),
        (Answering("a1"), "nonsense: expected a SearchResult from search, got 'a1'"),
        (Scripted(KeyboardInterrupt()), "crash: KeyboardInterrupt"),
    ]
    for agent, reason in agents:
        with LiveGame({1: Seat("x", agent), 2: Seat("y", RandomAgent(1))}) as game:
            game.start()
            assert game.wait(30)
            assert game.outcome is not None
            assert game.outcome.winner == 2
            assert game.outcome.reason.endswith(reason)


def test_a_listener_that_fails_costs_no_player_time(
    lives: list[LiveGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[object] = []

    def report(args: threading.ExceptHookArgs) -> None:
        reported.append(args.exc_value)
        raise BrokenPipeError  # the error output is closed, too

    monkeypatch.setattr(threading, "excepthook", report)
    control = TimeControl(60)
    live = LiveGame({1: Seat.of("pathfinder"), 2: Seat.of("pathfinder")}, control=control)
    lives.append(live)
    closed = BrokenPipeError(32, "Broken pipe")

    def fail(event: Event) -> None:
        raise closed

    for listener in (fail, fail):
        live.listen(listener)
    kept: list[Event] = []
    live.listen(kept.append)
    live.start()
    assert live.wait(30)
    assert live.outcome is not None
    assert live.outcome.reason == "goal"
    assert reported == [closed, closed]
    assert isinstance(kept[0], TurnBegan)


def test_a_search_that_cannot_start_is_no_loss_on_time(
    lives: list[LiveGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_thread(*_: object) -> threading.Thread:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("plyground.play.live_game.start_search", no_thread)
    live = LiveGame({1: Seat.of("pathfinder"), 2: Seat()}, control=TimeControl(60))
    lives.append(live)
    live.start()
    assert live.outcome == Outcome(2, "crash: can't start new thread")


class Beginner(Agent):
    """Plays the first move and counts its games; one that is `unable` fails to begin."""

    def __init__(self, unable: bool = False) -> None:
        self.unable = unable
        self.games = 0

    def new_game(self) -> None:
        self.games += 1
        if self.unable:
            raise ValueError("no luck")

    def select_action(self, state: State, limits: SearchLimits | None = None) -> int:
        assert self.games
        return state.legal_actions()[0]


def test_every_agent_is_told_once_that_a_game_begins(lives: list[LiveGame]) -> None:
    first, second, adviser = Beginner(), Beginner(), Beginner()
    for number in (1, 2):  # the same agents play a rematch
        live = LiveGame({1: Seat("one", first), 2: Seat("two", second)})
        lives.append(live)
        listener = Listener(live)
        live.start()
        for _ in range(4):
            listener.wait_for(MovePlayed)
        live.swap_seats()
        listener.wait_for(MovePlayed)
        live.close()
        assert (first.games, second.games) == (number, number)
    live = LiveGame({1: Seat("Ann"), 2: Seat("Bob")})
    lives.append(live)
    adviser.games = 7
    listener = Listener(live)
    live.hint(Seat("adviser", adviser))
    listener.wait_for(HintFound)
    assert adviser.games == 7  # it plays no game


def test_an_agent_that_cannot_begin_a_game_loses() -> None:
    with LiveGame({1: Seat("x", Beginner(unable=True)), 2: Seat("y", RandomAgent(1))}) as game:
        game.start()
        assert game.wait(TIMEOUT_S)
        assert str(game.outcome) == "player 2 won (crash: ValueError: no luck)"


def test_agents_that_the_host_has_told_are_not_told_again() -> None:
    told, other = Beginner(), Beginner()
    told.games = 5
    with LiveGame({1: Seat("x", told), 2: Seat("y", other)}, told=[told]) as game:
        game.tell_new_game(2)
        game.start()
        assert game.wait(TIMEOUT_S)
    assert (told.games, other.games) == (5, 1)


STEPS = quoridor.State().game.unit
FIRST: int = quoridor.State().legal_actions()[0]


@pytest.mark.parametrize("progress", [False, True])
@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (SearchResult(FIRST, 0.3), "a Score or None as score, got 0.3"),  # type: ignore[arg-type]
        (
            SearchResult(FIRST, Score(float("nan"), STEPS, 1)),
            "a number from -1000000000 to 1000000000 in the score, got nan",
        ),
        (
            SearchResult(FIRST, Score("much", STEPS, 1)),  # type: ignore[arg-type]
            "a number from -1000000000 to 1000000000 in the score, got 'much'",
        ),
        (
            SearchResult(FIRST, Score(0.3, "steps", 1)),  # type: ignore[arg-type]
            "a Unit as unit of the score, got 'steps'",
        ),
        (SearchResult(FIRST, Score(0.3, STEPS, 0)), "1 or 2 as player of the score, got 0"),
        (
            SearchResult(FIRST, Score(1.0, STEPS, 1, win_in=0)),
            "a number of plies or None as win_in of the score, got 0",
        ),
        (
            SearchResult(FIRST, None, depth=1.5),  # type: ignore[arg-type]
            "a whole number from 0 to 1000000000 as depth, got 1.5",
        ),
        (
            SearchResult(FIRST, None, nodes_searched=-1),
            "a whole number from 0 to 1000000000000000000 as nodes_searched, got -1",
        ),
        (
            SearchResult(FIRST, None, pv=["e2"]),  # type: ignore[list-item]
            "a list of actions as pv, got ['e2']",
        ),
        (
            SearchResult(FIRST, None, pv=None),  # type: ignore[arg-type]
            "a list of actions as pv, got None",
        ),
    ],
)
def test_an_invalid_result_forfeits_with_what_was_expected(
    result: SearchResult, expected: str, progress: bool
) -> None:
    agent = Answering(result, progress)
    with LiveGame({1: Seat("x", agent), 2: Seat("y", RandomAgent(1))}) as game:
        game.start()
        assert game.wait(TIMEOUT_S)
        assert str(game.outcome) == f"player 2 won (nonsense: expected {expected})"


def test_numbers_of_other_libraries_are_taken(lives: list[LiveGame]) -> None:
    first = np.int64(FIRST)
    result = SearchResult(
        first,  # type: ignore[arg-type]
        Score(np.float32(0.5), STEPS, 1),  # type: ignore[arg-type]
        np.int32(3),  # type: ignore[arg-type]
        [first],  # type: ignore[list-item]
        np.int64(9),  # type: ignore[arg-type]
    )
    live = LiveGame({1: Seat("robot", Answering(result)), 2: Seat("Ann")})
    lives.append(live)
    listener = Listener(live)
    live.start()
    played = listener.wait_for(MovePlayed)
    assert (played.action, played.move.score, played.move.depth) == (FIRST, 0.5, 3)
    assert played.result is not None
    assert [type(n) for n in (*played.result.pv, played.result.nodes_searched)] == [int, int]
