"""The loop of a terminal session, with agents that move between any two of its steps."""

from __future__ import annotations

import io
import queue
import threading
import time

import pytest

from plyground.agents import Agent
from plyground.games.base import State as AnyState
from plyground.play import LiveGame, Seat
from plyground.play.events import Event
from plyground.quoridor import GameConfig, State
from plyground.search.limits import SearchLimits
from plyground.ui.game_host import GameHost
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Screen
from plyground.ui.terminal.session import TerminalSession
from plyground.ui.view import DisplayOptions
from tests.conformance.connect_four import CONNECT_FOUR


def session_of(host: GameHost, output: io.StringIO) -> TerminalSession:
    screen = Screen(Paint(), output)
    return TerminalSession(host, screen, DisplayOptions(), is_interactive=False)


def test_no_move_of_a_quick_agent_is_missed() -> None:
    done: list[tuple[int, int]] = []

    def play_games() -> None:
        for seed in range(40):
            output = io.StringIO()
            live = LiveGame(
                {1: Seat.of(f"random:seed={seed}"), 2: Seat.of("pathfinder")},
                State(GameConfig.preset("tiny")),
            )
            session_of(GameHost(live), output).run()
            done.append((len(live.moves), output.getvalue().count(" played ")))

    games = threading.Thread(target=play_games, daemon=True)
    games.start()
    games.join(timeout=120)
    assert len(done) == 40
    assert all(moves == shown for moves, shown in done)


class SlowQueue(queue.SimpleQueue[Event]):
    """A queue to which events are added just after it was found empty."""

    def empty(self) -> bool:
        found = super().empty()
        if found:
            time.sleep(0.05)
        return found


class Unhurried(Agent):
    """Waits a moment, then takes the shortest path."""

    def select_action(self, state: AnyState, limits: SearchLimits | None = None) -> int:
        time.sleep(0.02)
        assert isinstance(state, State)

        def path_length(action: int) -> int:
            return state.play(action).shortest_path_length(state.current_player)

        return min(state.legal_actions(), key=path_length)


def test_a_move_between_two_looks_at_the_queue_is_not_missed() -> None:
    live = LiveGame(
        {1: Seat("one", Unhurried()), 2: Seat("two", Unhurried())},
        State(GameConfig(board_size=5, walls_per_player=0)),
    )
    host = GameHost(live)
    host.events = SlowQueue()
    live.listen(host.events.put)
    session = session_of(host, io.StringIO())
    game = threading.Thread(target=session.run, daemon=True)
    game.start()
    game.join(timeout=60)
    assert not game.is_alive()
    assert live.outcome is not None


def test_a_game_in_plain_python_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("help\nmoves\nhint\neval\nd\nz\nundo\nE\n"))
    live = LiveGame({1: Seat(), 2: Seat.of("random:seed=1", CONNECT_FOUR)}, CONNECT_FOUR.start())
    output = io.StringIO()
    assert session_of(GameHost(live), output).run() == 0
    assert live.moves[0].text == "e"
    for expected in (
        "You have X: four in a row win.\nType 'help', 'rules' or a move such as a.\n",
        "d      drop a disc into that column\n",
        "a b c d e f g\n",
        "hint: ",
        "player 1, to move: ",
        "expected a column from a to g, got 'z'; 'help' lists what can be typed\n",
        "1  .  .  .  .  .  .  .    > 1 human\n",
    ):
        assert expected in output.getvalue(), expected
