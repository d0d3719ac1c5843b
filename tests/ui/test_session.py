"""The session's loop, with agents so quick that they move between any two of its steps."""

from __future__ import annotations

import io
import threading

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
