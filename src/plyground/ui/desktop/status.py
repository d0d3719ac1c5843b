"""The two status lines at the bottom of the window, as text."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.ui.desktop.session import WindowSession
from plyground.ui.view import GameView


@dataclass(frozen=True, slots=True)
class StatusLines:
    """What is going on, and details."""

    first: str
    second: str = ""
    is_error: bool = False
    """Whether the first line says why something cannot be done."""


def status_lines(
    session: WindowSession, view: GameView, illegal: str | None, typed: str
) -> StatusLines:
    """The status of a session; `illegal` says why the wall under the pointer cannot be placed."""
    messages = session.messages
    usual = (
        "the clocks start with the first move" if session.live.clock_waits else "F1 shows the keys"
    )
    second = messages.progress or usual
    if session.puzzles is not None:
        second = session.puzzles.caption
    elif session.replay is not None:
        second = session.replay.caption
    elif session.ply is not None:
        second = "an earlier position: End goes to the newest, 'Back here' takes back to it"
    if typed:
        return StatusLines(f"move: {typed}|", "Enter plays it, Escape clears it")
    if illegal is not None:
        return StatusLines(illegal, second, is_error=True)
    if messages.text:
        return StatusLines(messages.text, second, messages.is_error)
    return StatusLines(_turn(session, view), second)


def _turn(session: WindowSession, view: GameView) -> str:
    """The player to move and the task, or how the game ended."""
    if session.puzzles is not None:
        return session.puzzles.host.task()
    if session.replay is not None or session.ply is not None:
        outcome = session.replay.record.outcome if session.replay else None
        place = f"move {view.ply} of {len(view.moves)}"
        at_end = view.ply == len(view.moves)
        return f"{place}: {outcome}" if at_end and outcome is not None else place
    live = session.live
    if live.outcome is not None:
        return str(live.outcome)
    player = live.state.current_player
    if not session.can_move:
        return f"player {player}, {live.seats[player].name}, is to move"
    if session.must_pass:
        return f"player {player} has no move: Space passes"
    if session.host.people == [player]:
        return f"Your move. {live.game.task(live.state, player)}"
    return f"player {player} to move. {live.game.task(live.state, None)}"
