"""What there is to say about a live game: moves, what an agent thinks, hints, mistakes."""

from __future__ import annotations

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
from plyground.ui.table import Table
from plyground.ui.words import line_of, played, thinking, verdict


class News:
    """The newest words about a game, until others take their place."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Something else is on the board: nothing that was said holds any longer."""
        self.note = ""
        """What was last said."""
        self.is_complaint = False
        """Whether that is why something cannot be done."""
        self.thinking = ""
        """What an agent thinks of."""
        self.hint: str | None = None
        """What an adviser would play."""
        self.is_advised = False
        """Whether an adviser is at work."""

    def say(self, words: str) -> None:
        """Tell a person something."""
        self.note, self.is_complaint = words, False

    def complain(self, words: str) -> None:
        """Tell a person why something cannot be done."""
        self.note, self.is_complaint = words, True

    def hear(self, event: Event, table: Table) -> bool:
        """Take in what happened at the table; whether another position is on the board."""
        live = table.live
        if isinstance(event, MovePlayed | PositionChanged | SeatChanged | GameEnded):
            self.clear()
            if isinstance(event, MovePlayed):
                self._hear_move(event, table)
            elif isinstance(event, GameEnded):
                self.say(str(event.outcome))
            return True
        if isinstance(event, TurnBegan) and not event.is_person:
            self.thinking = f"{live.seats[event.player].name} is thinking"
        elif isinstance(event, Thinking):
            seat = live.seats[event.player]
            seat = table.adviser if seat.is_person else seat
            self.thinking = thinking(live.rules, seat, event.state, event.result)
        elif isinstance(event, HintFound | HintFailed):
            self.is_advised, self.thinking = False, ""
            if isinstance(event, HintFound):
                self._hear_hint(event, table)
            else:
                self.complain(f"no hint: {event.reason}")
        return False

    def _hear_move(self, event: MovePlayed, table: Table) -> None:
        seat, move = table.live.seats[event.player], event.move
        if not seat.is_person:
            self.say(played(seat.name, move.text, move.time_s, seat, event.before, event.result))

    def _hear_hint(self, event: HintFound, table: Table) -> None:
        rules, found = table.live.rules, event.result
        self.hint = rules.format_action(event.state, event.action)
        words = f"hint: {self.hint}"
        if found is not None:
            score = verdict(table.adviser, event.state, found)
            words += f" ({score}, depth {found.depth}: {line_of(rules, event.state, found.pv[:6])})"
        self.say(words)
