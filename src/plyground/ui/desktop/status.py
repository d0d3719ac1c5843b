"""The two lines at the bottom of the window, in words."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.ui.desktop.session import Session
from plyground.ui.view import GameView


@dataclass(frozen=True, slots=True)
class Status:
    """What is going on, and more about it; bad if it is why something cannot be."""

    first: str
    second: str = ""
    is_bad: bool = False


def status(session: Session, view: GameView, refusal: str | None, typed: str) -> Status:
    """What to say about a session; a refusal is why the wall under the pointer cannot stand."""
    second = session.news.thinking or "F1 shows what keys do"
    if session.replay is not None:
        second = session.replay.caption
    elif session.ply is not None:
        second = "an earlier position: End goes to the newest, 'Back here' takes back to it"
    if typed:
        return Status(f"move: {typed}|", "Enter plays it, Escape forgets it")
    if refusal is not None:
        return Status(refusal, second, is_bad=True)
    if session.news.note:
        return Status(session.news.note, second, session.news.is_complaint)
    return Status(_turn(session, view), second)


def _turn(session: Session, view: GameView) -> str:
    """Whose turn it is, or how it ended."""
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
    if session.table.people == [player]:
        return f"Your move. {live.rules.task(live.state, player)}"
    return f"player {player} to move. {live.rules.task(live.state, None)}"
