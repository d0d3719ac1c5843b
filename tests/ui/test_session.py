"""The session's loop, with agents so quick that they move between any two of its steps."""

from __future__ import annotations

import io
import queue
import threading
import time
from typing import Any

from plyground.play import LiveGame, Seat
from plyground.quoridor import GameConfig, State
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Options, Screen
from plyground.ui.terminal.session import Session


def test_no_move_of_a_quick_agent_is_missed() -> None:
    done: list[tuple[int, int]] = []

    def play_games() -> None:
        for seed in range(40):
            output = io.StringIO()
            live = LiveGame(
                {1: Seat.of(f"random:seed={seed}"), 2: Seat.of("pathfinder")},
                State(GameConfig.preset("tiny")),
            )
            Session(live, Screen(Paint(), output), Options(), is_interactive=False).run()
            done.append((len(live.moves), output.getvalue().count(" played ")))

    games = threading.Thread(target=play_games, daemon=True)
    games.start()
    games.join(timeout=120)
    assert len(done) == 40
    assert all(moves == told for moves, told in done)


class Slow(queue.SimpleQueue[Any]):
    """A queue that is filled again as soon as somebody has seen it empty."""

    def empty(self) -> bool:
        found = super().empty()
        if found:
            time.sleep(0.05)
        return found


class Unhurried:
    """Takes a moment, and goes ahead."""

    def select_action(self, state: State, limits: Any = None) -> int:  # noqa: ARG002
        time.sleep(0.02)
        player = state.current_player
        return min(state.legal_actions(), key=lambda a: state.play(a).shortest_path_length(player))


def test_what_happens_while_nobody_looks_is_not_waited_for() -> None:
    live = LiveGame(
        {1: Seat("one", Unhurried()), 2: Seat("two", Unhurried())},
        State(GameConfig(board_size=5, walls_per_player=0)),
    )
    session = Session(live, Screen(Paint(), io.StringIO()), Options(), is_interactive=False)
    session.table.events = Slow()
    live.listen(session.table.events.put)
    game = threading.Thread(target=session.run, daemon=True)
    game.start()
    game.join(timeout=60)
    assert not game.is_alive()
    assert live.outcome is not None
