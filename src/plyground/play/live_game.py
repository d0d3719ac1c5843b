"""One game in progress, with no display.

`LiveGame` owns the moves, the seats, the clocks and the result. Screens, servers and tournaments
drive it through its methods and hear what happens through `listen`. What is kept of a game is its
`Record`; `resume` goes on from one.

Agents think on worker threads. Every change of the position, the seats or the result begins a new
*turn*; an answer carries the number of the turn it was asked in, and one for a game that has moved
on is dropped. Any thread may call any method: one lock guards the whole, and events are told in the
order they happened, on the thread that caused them. A listener must be quick and may not wait for
another thread; a screen best puts events into a queue of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.base import Outcome
from plyground.play.clock import Clock, TimeControl, format_clocks, parse_clocks
from plyground.play.events import (
    Event,
    GameEnded,
    HintFailed,
    HintFound,
    MovePlayed,
    PositionChanged,
    SeatChanged,
    Thinking,
    TurnBegan,
)
from plyground.play.history import History, Ply
from plyground.play.record import Move, Record
from plyground.play.seat import Seat
from plyground.play.worker import MovedOn, Question, ask, shown
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

Listener = Callable[[Event], object]
STOP_S = 0.5
"""Longer than any search takes to notice that it is no longer wanted."""


class LiveGame:
    """A game between two seats, from the usual start or any position.

    >>> game = LiveGame({1: Seat("Ann"), 2: Seat("Bob")})
    >>> game.play("e2"), game.play("e8"), game.undo()
    (True, True, 1)
    >>> [move.text for move in game.record().moves]
    ['e2']

    Nothing happens before `start`, but people may move. `pace_s` is the least time an agent takes,
    for those who watch. A game is closed by `close` or `with`: agents stop, clocks stand still.
    """

    def __init__(
        self,
        seats: Mapping[int, Seat],
        start: Any = None,
        game: str = "quoridor",
        *,
        control: TimeControl | None = None,
        tags: Mapping[str, str] | None = None,
        pace_s: float = 0.0,
        clock: Clock | None = None,
    ) -> None:
        if set(seats) != {1, 2}:
            raise ConfigError(f"expected seats for the players 1 and 2, got {sorted(seats)}")
        self.rules = registry.get(game)
        self.pace_s = pace_s
        self.tags = dict(tags or {})
        self.comment = ""
        self._seats = dict(seats)
        self._clock = clock or Clock(control)
        usual = self.rules.start({})
        first = usual if start is None else start
        if type(first) is not type(usual):
            raise ConfigError(f"expected a position of {game}, got {first!r}")
        self._history = History(first, self._clock.snapshot())
        self._ending: Outcome | None = None  # other than by the rules
        self._turn = 0
        self._started = self._closed = False
        self._listeners: list[Listener] = []
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._flag: threading.Timer | None = None
        self._workers: list[threading.Thread] = []

    # What there is to see.

    @property
    def turn(self) -> int:
        """Grows with every change; an answer to an earlier turn is dropped."""
        return self._turn

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nothing changes meanwhile: for a look at several things that belong together."""
        with self._lock:
            yield

    @property
    def state(self) -> Any:
        """The position on the board."""
        with self._lock:
            return self._history.state

    @property
    def states(self) -> list[Any]:
        """Every position so far, the first before any move."""
        with self._lock:
            return self._history.states

    @property
    def moves(self) -> list[Move]:
        """The moves so far."""
        with self._lock:
            return self._history.moves

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, by the rules or otherwise; None while it goes on."""
        with self._lock:
            return self._ending or self.state.outcome

    @property
    def seats(self) -> dict[int, Seat]:
        """Who plays."""
        with self._lock:
            return dict(self._seats)

    @property
    def control(self) -> TimeControl | None:
        """The time both were given."""
        return self._clock.control

    @property
    def clock(self) -> Clock:
        """Their time, for whoever set it up; others ask `clocks`."""
        return self._clock

    @property
    def undone(self) -> int:
        """How many plies could be played again."""
        return self._history.undone

    def clocks(self) -> dict[int, float | None]:
        """Seconds left to both players; None without a time control."""
        with self._lock:
            return self._clock.snapshot()

    def person_to_move(self) -> bool:
        """Whether the game waits for a person."""
        with self._lock:
            return self.outcome is None and self._seats[self.state.current_player].is_person

    def record(self) -> Record:
        """The game so far: the only thing that is saved of it."""
        with self._lock:
            tags = dict(self.tags)
            tags |= {f"Player{player}": self._seats[player].name for player in (1, 2)}
            tags.pop("Clock", None)
            if self.control is not None:
                tags["TimeControl"] = str(self.control)
                left = self._clock.snapshot()
                if None not in left.values():  # a host may leave people untimed
                    tags["Clock"] = format_clocks(left)
            ending = self._ending
            return Record.from_moves(
                self.moves,
                self._history.start,
                self.rules.name,
                tags,
                self.comment,
                result=ending.result if ending else None,
                termination=ending.reason if ending else "",
            )

    # What can be done.

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell a listener of everything from now on; call what comes back to stop that."""
        with self._lock:
            self._listeners.append(listener)

        def stop() -> None:
            with self._lock, suppress(ValueError):
                self._listeners.remove(listener)

        return stop

    def start(self) -> None:
        """Let clocks run and agents think."""
        with self._lock:
            if not self._started:
                self._started = True
                self._begin_turn()

    def play(
        self, move: str | int, turn: int | None = None, result: SearchResult | None = None
    ) -> bool:
        """Play a move for whoever is to move; False if it was meant for an earlier turn.

        A move the rules forbid raises an IllegalMoveError or NotationError, and nothing changes.
        """
        with self._lock:
            if turn is not None and turn != self._turn:
                return False
            if self._ending is not None:
                raise IllegalMoveError(f"no move can be played: {self._ending}")
            before = self.state
            after = before.play(move)
            action = self.rules.parse_action(before, move) if isinstance(move, str) else move
            player = before.current_player
            timed = self._clock.running is not None
            spent = self._clock.press()
            played = self._describe(before, action, spent if timed else None, result)
            if timed and self.control is not None and self._clock.is_late(player):
                # The flag fell while the move was on its way.
                self._finish(Outcome(3 - player, "time"))
                return True
            self._history.append(Ply(played, after, self._clock.snapshot()))
            self._advance()
            now = self._turn
            self._tell(MovePlayed(now, player, played, before, after, result))
            if self._turn == now:  # unless a listener has ended the game
                self._begin_turn()
            return True

    def undo(self) -> int:
        """Go back to where a person last had the choice; how many plies that was.

        A resignation or a flag is taken back first, by itself where the person is then to move.
        With agents alone it is one ply.
        """
        with self._lock:
            last = len(self._history)
            if self._ending is not None and self._seats[self.state.current_player].is_person:
                return self._go_to(last)
            for ply in range(last - 1, -1, -1):
                if self._is_choice(ply):
                    return -self._go_to(ply)
            raise IllegalMoveError("there is no move of yours to take back")

    def redo(self) -> int:
        """Play again what was taken back, up to a person's choice; how many plies that was."""
        with self._lock:
            first, last = len(self._history), len(self._history) + self._history.undone
            if first == last:
                raise IllegalMoveError("there is nothing to play again")
            stops = (ply for ply in range(first + 1, last) if self._is_choice(ply))
            return self._go_to(next(stops, last))

    def go_to(self, ply: int) -> None:
        """Show and go on from any position met, 0 for the first; later moves can be redone."""
        with self._lock:
            last = len(self._history) + self._history.undone
            if not 0 <= ply <= last:
                raise ConfigError(f"expected a ply from 0 to {last}, got {ply}")
            self._go_to(ply)

    def branch(self, ply: int, seats: Mapping[int, Seat] | None = None) -> LiveGame:
        """A game of its own from an earlier position, which leaves this one as it is."""
        with self._lock:
            record = self.record()
            if not 0 <= ply <= len(record.moves):
                raise ConfigError(f"expected a ply from 0 to {len(record.moves)}, got {ply}")
            tags = {name: value for name, value in record.tags.items() if name != "Clock"}
            cut = Record.from_moves(
                record.moves[:ply], self._history.start, self.rules.name, tags, record.comment
            )
            return LiveGame.resume(cut, seats or self._seats, pace_s=self.pace_s)

    def resign(self, player: int | None = None) -> None:
        """Give up, by default for whoever is to move."""
        with self._lock:
            self._check_going_on()
            loser = self.state.current_player if player is None else player
            self._finish(Outcome(3 - loser, "resignation"))

    def end(self, outcome: Outcome) -> None:
        """End the game other than by its rules: by an agreement, say, or an arbiter."""
        with self._lock:
            self._check_going_on()
            self._finish(outcome)

    def take_seat(self, player: int, seat: Seat) -> None:
        """Let somebody else play from now on."""
        with self._lock:
            self._seats[player] = seat
            is_to_move = player == self.state.current_player
            if is_to_move:
                self._advance()
            self._tell(SeatChanged(self._turn, player, seat.name))
            if is_to_move:
                self._begin_turn()

    def swap_seats(self) -> None:
        """Turn the board round: each plays on with the other's pieces."""
        with self._lock:
            self._seats = {1: self._seats[2], 2: self._seats[1]}
            self._advance()
            for player in (1, 2):
                self._tell(SeatChanged(self._turn, player, self._seats[player].name))
            self._begin_turn()

    def hint(self, adviser: Seat) -> None:
        """Ask an adviser what it would play: a HintFound follows, unless the game moves on."""
        with self._lock:
            self._check_going_on()
            self._ask(adviser, limits=None, is_hint=True)

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until a person is to move or the game is over; False if that took too long."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self._closed or self.outcome is not None or self.person_to_move(),
                timeout_s,
            )

    def close(self) -> int:
        """Stop thinking and counting; the game can still be looked at. Returns its last turn.

        It waits a moment for agents to stop, but not for one that cannot be interrupted.
        """
        with self._lock:
            last = self._turn
            self._closed = True
            self._advance()
            self._clock.pause()
            self._changed.notify_all()
            workers = list(self._workers)
        for worker in workers:
            if worker is not threading.current_thread():
                worker.join(STOP_S)
        return last

    def __enter__(self) -> LiveGame:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @classmethod
    def resume(
        cls,
        record: Record,
        seats: Mapping[int, Seat],
        *,
        pace_s: float = 0.0,
        clock: Clock | None = None,
    ) -> LiveGame:
        """Go on with a game from its record, clocks included."""
        try:
            text = record.tags.get("TimeControl")
            control = None if text is None else TimeControl.parse(text)
        except ConfigError as error:
            raise NotationError(f"bad tag TimeControl: {error}") from None
        tags = {name: value for name, value in record.tags.items() if name != "Clock"}
        live = cls(
            seats,
            record.start_state(),
            record.game,
            control=control,
            tags=tags,
            pace_s=pace_s,
            clock=clock,
        )
        live.comment = record.comment
        live._replay(record.moves)
        if "Clock" in record.tags and control is not None:
            live._clock.restore(parse_clocks(record.tags["Clock"]))
        if record.result != "*" and live.state.outcome is None:
            live._ending = record.outcome
        return live

    # How it works.

    def _replay(self, moves: Iterable[Move]) -> None:
        """Put moves on the board that were played before, and take their time off the clocks."""
        for move in moves:
            before = self.state
            left = self._clock.snapshot()
            own = left[before.current_player]
            if own is not None and self.control is not None:
                spent = move.time_s or 0.0
                left[before.current_player] = max(0.0, own - spent) + self.control.increment_s
                self._clock.restore(left)
            self._history.append(Ply(move, before.play(move.text), left))

    def _describe(
        self, before: Any, action: int, spent_s: float | None, result: SearchResult | None
    ) -> Move:
        text = self.rules.format_action(before, action)
        if result is None:
            return Move(text, spent_s)
        if result.win_in is not None:
            verdict = f"{'wins' if result.win_in > 0 else 'loses'} in {abs(result.win_in)}"
            return Move(text, spent_s, depth=result.depth, comment=verdict)
        score = self._seats[before.current_player].score(before, result)
        return Move(text, spent_s, score, result.depth)

    def _is_choice(self, ply: int) -> bool:
        """Whether a person had the choice after so many plies; with agents alone, always."""
        people = [player for player, seat in self._seats.items() if seat.is_person]
        return not people or self._history.state_at(ply).current_player in people

    def _go_to(self, ply: int) -> int:
        """Take back or play again, up to a ply; by how many plies, negative for back."""
        plies = self._history.go_to(ply)
        self._ending = None
        self._clock.restore(self._history.clocks)
        self._advance()
        self._tell(PositionChanged(self._turn, plies))
        self._begin_turn()
        return plies

    def _check_going_on(self) -> None:
        if (outcome := self.outcome) is not None:
            raise IllegalMoveError(f"the game is over: {outcome}")

    def _finish(self, outcome: Outcome) -> None:
        """End the game other than by its rules."""
        self._ending = outcome
        self._advance()
        self._begin_turn()

    def _advance(self) -> None:
        """Begin a new turn: whatever is still being thought about is no longer wanted."""
        self._turn += 1
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        self._changed.notify_all()

    def _begin_turn(self) -> None:
        """Start the clock, and the agent if it is one's turn."""
        if (outcome := self.outcome) is not None:
            self._clock.pause()
            self._tell(GameEnded(self._turn, outcome))
            self._changed.notify_all()
            return
        if not self._started or self._closed:
            return
        player = self.state.current_player
        seat = self._seats[player]
        if self._clock.is_spent(player):
            self._finish(Outcome(3 - player, "time"))
            return
        self._clock.start(player)
        left = self._clock.left(player)
        if (falls_in := self._clock.falls_in(player)) is not None:
            self._flag = threading.Timer(falls_in, self._flag_fell, (self._turn, player))
            self._flag.daemon = True
            self._flag.start()
        self._tell(TurnBegan(self._turn, player, seat.is_person))
        if not seat.is_person:
            increment = self.control.increment_s if self.control else 0.0
            self._ask(seat, seat.limits(left, increment), is_hint=False)

    def _tell(self, event: Event) -> None:
        for listener in list(self._listeners):
            listener(event)

    def _flag_fell(self, turn: int, player: int) -> None:
        with self._lock:
            if turn != self._turn:
                return
            falls_in = self._clock.falls_in(player)
            if falls_in:  # a timer may be early
                self._flag = threading.Timer(falls_in, self._flag_fell, (turn, player))
                self._flag.daemon = True
                self._flag.start()
                return
            self._finish(Outcome(3 - player, "time"))

    def _ask(self, seat: Seat, limits: SearchLimits | None, is_hint: bool) -> None:
        """Let an agent think; its answer counts for this turn alone."""
        state, turn = self.state, self._turn

        def progress(result: SearchResult) -> None:
            with self._lock:
                if turn != self._turn:
                    raise MovedOn
                self._tell(Thinking(turn, state.current_player, state, result))

        def answer(action: int, result: SearchResult | None) -> None:
            with self._lock:
                if turn != self._turn:
                    return
                if is_hint:
                    self._tell(HintFound(turn, action, state, result))
                else:
                    self._answer(turn, state, action, result)

        def fail(reason: str) -> None:
            with self._lock:
                if turn != self._turn:
                    return
                if is_hint:
                    self._tell(HintFailed(turn, reason.removeprefix("crash: ")))
                else:
                    self._finish(Outcome(3 - state.current_player, reason))

        self._workers = [worker for worker in self._workers if worker.is_alive()]
        self._workers.append(ask(seat, Question(state, limits, progress, answer, fail)))

    def _answer(self, turn: int, state: Any, action: int, result: SearchResult | None) -> None:
        """An agent's move, played once it has taken as long as it should."""
        while (left := self.pace_s - self._clock.spent()) > 0 and turn == self._turn:
            self._changed.wait(left)
        if turn != self._turn:
            return
        if action in state.legal_actions():
            self.play(int(action), turn, result)
        else:
            reason = f"illegal move {shown(action)}"
            self._finish(Outcome(3 - state.current_player, reason))
