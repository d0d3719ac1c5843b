"""The status messages of a live game: moves, the progress of searches, hints, errors."""

from __future__ import annotations

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
from plyground.ui.game_host import GameHost
from plyground.ui.text import format_hint, format_played, format_progress


class StatusMessages:
    """The newest message about a game, and what an agent or the adviser reports."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Remove every message, because another position is on the board."""
        self.text = ""
        """The newest message."""
        self.is_error = False
        """Whether the message says why something cannot be done."""
        self.progress = ""
        """How far the search of an agent or of the adviser is."""
        self.hint: str | None = None
        """The move that the adviser suggests in the newest position, in notation."""
        self.hint_text = ""
        """The hint with its reason."""
        self.is_hint_pending = False
        """Whether the adviser is searching."""

    def show(self, text: str) -> None:
        """Show a message."""
        self.text, self.is_error = text, False

    def show_error(self, text: str) -> None:
        """Show why something cannot be done."""
        self.text, self.is_error = text, True

    def leave_position(self, is_newest: bool) -> None:
        """Remove the message about a position that is no longer shown.

        The hint is about the newest position, so that it is shown again there.
        """
        self.show(self.hint_text if is_newest else "")

    def handle_event(self, event: Event, host: GameHost) -> bool:
        """Show what happened in the game; whether the position, a seat or the result changed."""
        if isinstance(event, MovePlayed | PositionChanged | SeatChanged | GameEnded):
            self.clear()
            if isinstance(event, MovePlayed):
                self._show_move(event, host)
            elif isinstance(event, GameEnded):
                self.show(str(event.outcome))
            return True
        if isinstance(event, TurnBegan) and not event.is_person:
            self.progress = f"{host.live.seats[event.player].name} is thinking"
        elif isinstance(event, SearchProgress):
            seat = host.live.seats[event.player]
            name = host.adviser.name if seat.is_person else seat.name
            self.progress = format_progress(name, event.state, event.result)
        elif isinstance(event, HintFound | HintFailed):
            self._show_hint(event)
        return False

    def _show_move(self, event: MovePlayed, host: GameHost) -> None:
        seat, move = host.live.seats[event.player], event.move
        if not seat.is_person:
            self.show(format_played(seat.name, move.text, move.time_s, event.result, event.before))

    def _show_hint(self, event: HintFound | HintFailed) -> None:
        self.is_hint_pending, self.progress = False, ""
        if isinstance(event, HintFound):
            self.hint = event.state.format_move(event.action)
            self.hint_text = format_hint(event.state, event.action, event.result)
            self.show(self.hint_text)
        else:
            self.show_error(f"no hint: {event.reason}")
