"""One game in progress, with no display.

`LiveGame` owns the moves, the seats, the clocks and the result. Screens, servers and tournaments
call its methods and receive its events through `listen`. A game is saved as a `Record`, and
`resume` continues from one.

A game is a tree (`live_tree.py`, `history.py`): no move is ever lost. `moves` is the line on the
board, `tree` is everything, and the record holds all of it.

Agents search on worker threads. Every change of the position, the seats or the result begins a new
*turn*. An answer carries the number of the turn in which its search started, and is dropped if the
game has moved on. All methods are thread-safe: one lock guards the game. Events are sent in order,
on the thread that caused them. A listener must be quick and must not wait for another thread; a
screen should put events into a queue.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace

from plyground.agents.base import Agent, Forfeit, ForfeitKind
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.base import AnyGame, Move, Outcome, State
from plyground.play.clock import (
    Clock,
    Controls,
    TimeControl,
    control_tags,
    format_clocks,
    parse_clocks,
    parse_control_tags,
)
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
from plyground.play.history import History, Node, Ply, find_path, format_path
from plyground.play.live_tree import LiveTree
from plyground.play.record import MoveRecord, Record
from plyground.play.seat import Seat
from plyground.play.worker import (
    SearchCancelled,
    SearchRequest,
    one_line,
    safe_repr,
    start_search,
)
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

Listener = Callable[[Event], object]
STOP_S = 0.5
"""Seconds to wait for a cancelled search to end."""
_OUT_OF_TIME = Forfeit("time", ForfeitKind.TIME)


class LiveGame(LiveTree):
    """A game between two seats, from the usual start or any position.

    >>> game = LiveGame({1: Seat("Ann"), 2: Seat("Bob")})
    >>> game.play("e2"), game.play("e8"), game.undo()
    (True, True, 1)
    >>> [move.text for move in game.moves], game.redo()
    (['e2'], 1)

    Agents and clocks start with `start`; people may move before. If a person makes the first move,
    the clocks start with that move. `pace_s` is the minimum time of an agent's move, so that people
    can follow; `move_limits` limit each of its searches beside the clock. `new_game` of each
    agent is called before its first search, except for those in `told`, which the host has told
    already. `close`, or the end of a `with` block, stops agents and clocks.
    """

    def __init__(
        self,
        seats: Mapping[int, Seat],
        start: State | None = None,
        *,
        control: TimeControl | Controls | None = None,
        tags: Mapping[str, str] | None = None,
        pace_s: float = 0.0,
        clock: Clock | None = None,
        move_limits: SearchLimits | None = None,
        told: Iterable[Agent] = (),
    ) -> None:
        if set(seats) != {1, 2}:
            raise ConfigError(f"expected seats for the players 1 and 2, got {sorted(seats)}")
        first: State = registry.default().start() if start is None else start
        self.game: AnyGame = first.game
        self.pace_s = pace_s
        self.move_limits = move_limits
        self.tags = dict(tags or {})
        self.comment = ""
        self._seats = dict(seats)
        self._clock = clock or Clock(control)
        self._history = History(first, self._clock.snapshot())
        self._turn = 0
        self._started = self._closed = False
        self._listeners: list[Listener] = []
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._flag: threading.Timer | None = None
        self._workers: list[threading.Thread] = []
        self._told = list(told)  # agents whose `new_game` has been called in this game
        self._hint_turn: int | None = None  # the turn whose hint is being searched

    # Read-only state.

    @property
    def turn(self) -> int:
        """The number of the turn, which grows with every change."""
        return self._turn

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock, to read several values of the same turn."""
        with self._lock:
            yield

    @property
    def state(self) -> State:
        """The position on the board."""
        with self._lock:
            return self._history.state

    @property
    def states(self) -> list[State]:
        """Every position so far, the first before any move."""
        with self._lock:
            return self._history.states

    @property
    def moves(self) -> list[MoveRecord]:
        """The moves so far."""
        with self._lock:
            return self._history.moves

    @property
    def actions(self) -> list[int]:
        """The moves so far as action numbers."""
        with self._lock:
            return self._history.actions

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by the rules or otherwise; None while it goes on."""
        with self._lock:
            return self._history.node.ending or self.state.outcome

    @property
    def forfeit(self) -> ForfeitKind | None:
        """How the loser forfeited the game; None unless it ended so."""
        with self._lock:
            return self._history.node.forfeit

    @property
    def seats(self) -> dict[int, Seat]:
        """The players' seats."""
        with self._lock:
            return dict(self._seats)

    @property
    def controls(self) -> dict[int, TimeControl | None]:
        """The time control of each player; None for a player without a clock."""
        return dict(self._clock.controls)

    @property
    def is_timed(self) -> bool:
        """Whether any player has a clock."""
        return any(self._clock.controls.values())

    @property
    def clock(self) -> Clock:
        """The clock itself, for the host that created it; others read `clocks`."""
        return self._clock

    @property
    def undone(self) -> int:
        """Number of plies that can be redone."""
        return self._history.undone

    def clocks(self) -> dict[int, float | None]:
        """Seconds left to both players; None without a time control."""
        with self._lock:
            return self._clock.snapshot()

    @property
    def running(self) -> int | None:
        """The player whose clock runs; None if it waits or there is none."""
        with self._lock:
            return self._clock.running if self.is_timed else None

    @property
    def clock_waits(self) -> bool:
        """Whether the clocks wait for a person to make the first move of the game."""
        with self._lock:
            has_clock = self._clock.left(self.state.current_player) is not None
            return has_clock and not len(self._history) and self.person_to_move()

    def person_to_move(self) -> bool:
        """Whether the game waits for a person."""
        with self._lock:
            return self.outcome is None and self._seats[self.state.current_player].is_person

    def person_may_move(self, node: int) -> bool:
        """Whether a person may move at a position of the tree.

        People move for themselves. Once the game is over, they may also try moves of agents, except
        at the position on the board, where the agent moves.
        """
        with self._lock:
            if self.outcome_of(node) is not None:
                return False
            is_person = self._seats[self.state_of(node).current_player].is_person
            is_over = self.outcome_of(self.main_end) is not None
            return is_person or (is_over and node != self.node)

    def record(self) -> Record:
        """The record of the game so far."""
        with self._lock:
            tags = dict(self.tags)
            tags |= {f"Player{player}": self._seats[player].name for player in (1, 2)}
            tags.pop("Clock", None)
            if self._history.node is not (end := self._history.main_end):
                tags["Current"] = format_path(self._history.node)
            if self.is_timed:
                tags |= control_tags(self._clock.controls)
                left = self._clock.snapshot()
                if None not in left.values():  # a host may set no limit for people
                    tags["Clock"] = format_clocks(left)
            ending = end.ending
            return Record.of_played(
                self._history.start,
                self._history.root.moves(),
                tags=tags,
                comment=self.comment,
                outcome=self._history.state_of(end).outcome,
                result=ending.result if ending else None,
                termination=ending.reason if ending else "",
            )

    # Actions.

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call a listener with every event from now on; returns a function that stops it."""
        with self._lock:
            self._listeners.append(listener)

        def stop() -> None:
            with self._lock, suppress(ValueError):
                self._listeners.remove(listener)

        return stop

    def start(self) -> None:
        """Start the clocks and the agents."""
        with self._lock:
            if not self._started:
                self._started = True
                self._begin_turn()

    def tell_new_game(self, player: int) -> None:
        """Call `new_game` of a player's agent, unless it has been called in this game.

        An agent that fails raises a Forfeit.
        """
        try:
            self._seats[player].new_game(self._told)
        except Forfeit:
            raise
        except (Exception, SystemExit) as error:
            raise Forfeit.of(error) from error

    def play(
        self,
        move: Move,
        turn: int | None = None,
        result: SearchResult | None = None,
        node: int | None = None,
    ) -> bool:
        """Play a move for the player to move; False if `turn` is no longer the current turn.

        `node` is the position to play at, by default the one on the board. An illegal move raises
        an IllegalMoveError or NotationError and changes nothing.
        """
        with self._lock:
            if turn is not None and turn != self._turn:
                return False
            at = self._history.node if node is None else self._history.find(node)
            if at.ending is not None:
                raise IllegalMoveError(f"no move can be played: {at.ending}")
            before = self._history.state_of(at)
            action = before.parse_move(move) if isinstance(move, str) else move
            after = before.play(action)
            player = before.current_player
            if at.opens_variation(action):
                self._history.check_room()
            if at is not self._history.node:
                self._history.select(at)
                self._restore_clocks(at)
            timed = self._clock.running is not None
            is_late = timed and self._clock.is_late(player)
            spent = self._clock.press()
            if not timed:
                self._clock.count_move(player)
            played = _move_record(before, action, spent if timed else None, result)
            if is_late:
                # The time ran out before the timer fired.
                self._lose(player, _OUT_OF_TIME)
                return True
            self._history.append(Ply(action, played, after, self._clock.snapshot()))
            self._advance()
            now = self._turn
            self._emit(MovePlayed(now, player, action, played, before, after, result))
            if self._turn == now:  # a listener may have ended the game
                self._begin_turn()
            return True

    def undo(self) -> int:
        """Undo up to the last decision of a person; returns the number of plies undone.

        A resignation or a loss on time is undone first, and alone if a person is then to move. In
        a game between agents it undoes one ply.
        """
        with self._lock:
            last = len(self._history)
            node = self._history.node
            if node.ending is not None and self._seats[self.state.current_player].is_person:
                node.reopen()
                return self._go_to(last)
            for ply in range(last - 1, -1, -1):
                if self._is_choice(ply):
                    node.reopen()
                    return -self._go_to(ply)
            raise IllegalMoveError("there is no move of yours to take back")

    def redo(self) -> int:
        """Redo up to the next decision of a person; returns the number of plies redone."""
        with self._lock:
            first, last = len(self._history), len(self._history) + self._history.undone
            if first == last:
                raise IllegalMoveError("there is nothing to play again")
            stops = (ply for ply in range(first + 1, last) if self._is_choice(ply))
            return self._go_to(next(stops, last))

    def go_to(self, ply: int) -> None:
        """Undo or redo up to the position after a number of plies of the line on the board."""
        with self._lock:
            last = len(self._history) + self._history.undone
            if not 0 <= ply <= last:
                raise ConfigError(f"expected a ply from 0 to {last}, got {ply}")
            self._go_to(ply)

    def resign(self, player: int | None = None) -> None:
        """Resign, by default for the player to move."""
        with self._lock:
            self._check_going_on()
            loser = self.state.current_player if player is None else player
            self._finish(Outcome(3 - loser, "resignation"))

    def end(self, outcome: Outcome) -> None:
        """End the game by agreement or adjudication."""
        with self._lock:
            self._check_going_on()
            self._finish(outcome)

    def forfeit_game(self, player: int, forfeit: Forfeit) -> None:
        """End the game as lost by a player whose agent has failed."""
        with self._lock:
            self._check_going_on()
            self._lose(player, forfeit)

    def take_seat(self, player: int, seat: Seat) -> None:
        """Replace the player in a seat."""
        with self._lock:
            self._seats[player] = seat
            is_to_move = player == self.state.current_player
            if is_to_move:
                self._advance()
            self._emit(SeatChanged(self._turn, player, seat.name))
            if is_to_move:
                self._begin_turn()

    def swap_seats(self) -> None:
        """Swap the seats, so that each player continues with the other's pieces."""
        with self._lock:
            self._seats = {1: self._seats[2], 2: self._seats[1]}
            self._advance()
            for player in (1, 2):
                self._emit(SeatChanged(self._turn, player, self._seats[player].name))
            self._begin_turn()

    def hint(self, adviser: Seat) -> None:
        """Ask an adviser for a move; a HintFound or HintFailed follows in the same turn.

        While a hint for this turn is being searched, another call does nothing.
        """
        with self._lock:
            self._check_going_on()
            if self._hint_turn != self._turn:
                self._hint_turn = self._turn
                self._start_search(adviser, limits=None, is_hint=True)

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until a person is to move or the game is over; False after the timeout."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self._closed or self.outcome is not None or self.person_to_move(),
                timeout_s,
            )

    def close(self) -> int:
        """Stop the agents and the clocks; returns the last turn. The game can still be read.

        It waits up to STOP_S seconds for each agent to stop.
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
        """Continue a game from its record, with its clocks."""
        controls = parse_control_tags(record.tags)
        tags = {
            name: value for name, value in record.tags.items() if name not in ("Clock", "Current")
        }
        live = cls(
            seats,
            record.start_state(),
            control=controls,
            tags=tags,
            pace_s=pace_s,
            clock=clock,
        )
        live.comment = record.comment
        live._replay(record.moves)
        if record.result != "*" and live.state.outcome is None:
            live._history.node.ending = record.outcome
        if "Current" in record.tags:
            live._select_path(record.tags["Current"])
        live._restore_clocks(live._history.node)
        if "Clock" in record.tags and any(controls.values()):
            live._clock.restore(parse_clocks(record.tags["Clock"]))
        return live

    # Implementation.

    def _replay(self, moves: Sequence[MoveRecord]) -> None:
        """Play the moves and variations of a record, and deduct their times from the clocks."""
        history = self._history
        lines: list[tuple[Node, Sequence[MoveRecord]]] = [(history.root, moves)]
        for node, line in lines:  # which grows by the variations
            self._restore_clocks(node)
            for move in line:
                lines += ((node, variation) for variation in move.variations)
                node = history.add(node, self._replayed(node, move))
        history.select(history.main_end)

    def _replayed(self, node: Node, move: MoveRecord) -> Ply:
        """The ply of a move of a record.

        A first move without a time has started the clocks, so that it earned no increment.
        """
        before = self._history.state_of(node)
        if node.depth or move.time_s is not None:
            self._clock.charge_move(before.current_player, move.time_s or 0.0)
        else:
            self._clock.count_move(before.current_player)
        action = before.parse_move(move.text)
        bare = replace(move, variations=()) if move.variations else move
        return Ply(action, bare, before.play(action), self._clock.snapshot())

    def _restore_clocks(self, node: Node) -> None:
        """Set the clocks to the times left, and the moves played, when a position arose."""
        movers = [self._history.mover(each) for each in node.path()]
        played = {player: movers.count(player) for player in (1, 2)}
        self._clock.restore(self._history.clocks_of(node), played)

    def _select_path(self, text: str) -> None:
        try:
            self._history.select(find_path(self._history.root, text))
        except NotationError as error:
            raise NotationError(f"bad tag Current: {error}") from None

    def _is_choice(self, ply: int) -> bool:
        """Whether a person was to move at a ply; always True in a game between agents."""
        people = [player for player, seat in self._seats.items() if seat.is_person]
        return not people or self._history.state_at(ply).current_player in people

    def _go_to(self, ply: int) -> int:
        """Undo or redo up to a ply; returns the number of plies, negative if undone."""
        plies = self._history.go_to(ply)
        self._moved(plies)
        return plies

    def _moved(self, plies: int) -> None:
        """Begin the turn of another position of the tree."""
        self._restore_clocks(self._history.node)
        self._advance()
        self._emit(PositionChanged(self._turn, plies))
        self._begin_turn()

    def _check_going_on(self) -> None:
        if (outcome := self.outcome) is not None:
            raise IllegalMoveError(f"the game is over: {outcome}")

    def _lose(self, player: int, forfeit: Forfeit) -> None:
        """End the game as lost by a player, other than by its moves."""
        self._finish(Outcome(3 - player, one_line(forfeit.termination)), forfeit.kind)

    def _finish(self, outcome: Outcome, forfeit: ForfeitKind | None = None) -> None:
        """End the game for a reason other than its rules."""
        self._history.end(outcome, forfeit)
        self._advance()
        self._begin_turn()

    def _advance(self) -> None:
        """Begin a new turn, which cancels all running searches."""
        self._turn += 1
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        self._changed.notify_all()

    def _begin_turn(self) -> None:
        """Start the clock, and the search if an agent is to move."""
        if (outcome := self.outcome) is not None:
            self._clock.pause()
            self._emit(GameEnded(self._turn, outcome))
            self._changed.notify_all()
            return
        if not self._started or self._closed:
            return
        player = self.state.current_player
        seat = self._seats[player]
        if self._clock.is_out_of_time(player):
            self._lose(player, _OUT_OF_TIME)
            return
        if seat.agent is not None:
            self._clock.margins[player] = seat.agent.time_margin_s
        if not self.clock_waits:
            self._start_clock(player)
        limits = self._search_limits(player, seat)
        self._emit(TurnBegan(self._turn, player, seat.is_person))
        if not seat.is_person:
            self._start_search(seat, limits, is_hint=False)

    def _start_clock(self, player: int) -> None:
        self._clock.start(player)
        if (falls_in := self._clock.flag_falls_in(player)) is not None:
            self._flag = threading.Timer(falls_in, self._flag_fell, (self._turn, player))
            self._flag.daemon = True
            self._flag.start()

    def _search_limits(self, player: int, seat: Seat) -> SearchLimits | None:
        """The limits of a move: those of all moves, and the clock or the time per move."""
        limits, clock = self.move_limits, self._clock.search_limits(player)
        if clock is None:
            return limits
        if clock.time_s is not None and seat.agent is not None:
            return seat.agent.limits_per_move(limits, clock.time_s)
        return (limits or SearchLimits()).with_clock_of(clock)

    def _emit(self, event: Event) -> None:
        """Send an event. A listener that fails is removed, since the game must go on.

        Without that, a screen whose output was closed would leave a turn without its search, and
        the player to move would lose on time.
        """
        for listener in list(self._listeners):
            try:
                listener(event)
            except SearchCancelled:
                raise
            except Exception:  # noqa: BLE001  reported like an uncaught exception of a thread
                self._listeners.remove(listener)
                failure = (*sys.exc_info(), threading.current_thread())
                with suppress(OSError, ValueError):  # the error output may be closed, too
                    threading.excepthook(threading.ExceptHookArgs(failure))

    def _flag_fell(self, turn: int, player: int) -> None:
        with self._lock:
            if turn != self._turn:
                return
            falls_in = self._clock.flag_falls_in(player)
            if falls_in:  # a timer may be early
                self._flag = threading.Timer(falls_in, self._flag_fell, (turn, player))
                self._flag.daemon = True
                self._flag.start()
                return
            self._lose(player, _OUT_OF_TIME)

    def _start_search(self, seat: Seat, limits: SearchLimits | None, is_hint: bool) -> None:
        """Start an agent's search; its answer is valid for this turn only."""
        state, turn = self.state, self._turn

        def check() -> None:
            if turn != self._turn:
                raise SearchCancelled

        def progress(result: SearchResult) -> None:
            with self._lock:
                check()
                self._emit(SearchProgress(turn, state.current_player, state, result))

        def answer(result: SearchResult) -> None:
            with self._lock:
                if turn != self._turn:
                    return
                if is_hint:
                    self._hint_turn = None
                    self._emit(HintFound(turn, result.best_move, state, result))
                else:
                    self._answer(turn, state, result)

        def fail(forfeit: Forfeit) -> None:
            with self._lock:
                if turn != self._turn:
                    return
                if is_hint:
                    self._hint_turn = None
                    self._emit(HintFailed(turn, one_line(forfeit.reason)))
                else:
                    self._lose(state.current_player, forfeit)

        self._workers = [worker for worker in self._workers if worker.is_alive()]
        moves = (self._history.start, self._history.actions)

        def new_game() -> None:
            if not is_hint:
                seat.new_game(self._told)

        request = SearchRequest(state, limits, progress, answer, fail, new_game, moves, check)
        try:
            self._workers.append(start_search(seat, request))
        except RuntimeError as error:  # no more threads; else the player would lose on time
            fail(Forfeit(str(error)))

    def _answer(self, turn: int, state: State, result: SearchResult) -> None:
        """Play an agent's move, after a delay that keeps the pace."""
        while (left := self.pace_s - self._clock.spent()) > 0 and turn == self._turn:
            self._changed.wait(left)
        if turn != self._turn:
            return
        if result.best_move in state.legal_actions():
            self.play(self._playable(int(result.best_move)), turn, result)
        else:
            reason = f"illegal move {safe_repr(result.best_move)}"
            self._lose(state.current_player, Forfeit(reason, ForfeitKind.ILLEGAL_MOVE))

    def _playable(self, action: int) -> int:
        """An agent's move; the move that was played before if there is no room for a variation."""
        try:
            if self._history.node.opens_variation(action):
                self._history.check_room()
        except IllegalMoveError:
            return self._history.node.children[0].played.action
        return action


def _move_record(
    before: State, action: int, spent_s: float | None, result: SearchResult | None
) -> MoveRecord:
    """The record of a move: a proven result becomes a comment, an estimate a score.

    An agent that gives no score has a depth only if it searched.
    """
    text = before.format_move(action)
    if result is None:
        return MoveRecord(text, spent_s)
    if (score := result.score) is None:
        return MoveRecord(text, spent_s, depth=result.depth or None)
    if score.win_in is not None:
        return MoveRecord(text, spent_s, depth=result.depth, comment=score.brief())
    return MoveRecord(text, spent_s, score.value, result.depth)
