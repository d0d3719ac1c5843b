"""Going through finished games, by hand or by themselves. It knows the time, and no display."""

from __future__ import annotations

from plyground.games import registry
from plyground.play.record import Record
from plyground.ui.desktop.games import Games
from plyground.ui.view import GameView, view_at

REPLAY_PACE_S = 0.8
"""Seconds a move of a replay that runs, unless somebody wants it faster or slower."""
REFRESH_S = 1.0
"""How often to look for new games of a tournament that goes on."""
LINGER = 3.0
"""How many moves' time the last position stays before the next game of a tournament comes."""


class Replay:
    """A position of one of some games; with `is_running`, the next comes every `pace_s` seconds.

    Games that still grow in number are followed: when one is over, the newest is shown, and when
    there is none to come, this one waits for it. Before the first of all, an empty game is shown.
    """

    def __init__(self, games: Games, now_s: float, pace_s: float = REPLAY_PACE_S) -> None:
        self.games = games
        self.pace_s = pace_s
        self.is_running = games.can_grow
        self.is_following = games.can_grow
        self._due_s = now_s + pace_s
        self._refresh_s = now_s + REFRESH_S
        self.show(len(games) - 1)

    def show(self, number: int) -> None:
        """Show a game from its start, counted from 0."""
        self.number = min(max(0, number), len(self.games) - 1)  # -1 if there is none
        self.record = self.games.record(self.number) if len(self.games) else Record()
        self.states = self.record.states()
        self.ply = 0

    def go_to(self, ply: int) -> None:
        """Show the position after so many moves, or the nearest there is."""
        self.ply = min(max(0, ply), len(self.record.moves))

    def toggle(self, now_s: float) -> None:
        """Run or stand still; at the end, run again from the start."""
        self.is_running = not self.is_running
        self._due_s = now_s + self.pace_s
        if self.is_running and self.is_at_end and not self.games.can_grow:
            self.ply = 0

    @property
    def is_at_end(self) -> bool:
        """Whether this is the last position of the game."""
        return self.ply == len(self.record.moves)

    @property
    def caption(self) -> str:
        """Which game this is."""
        if not len(self.games):
            return f"waiting for the first game of {self.games.name}"
        number, count = self.number + 1, len(self.games)
        return f"game {number} of {count}: {self.games.caption(self.number)}"

    def update(self, now_s: float) -> bool:
        """Do what is due; whether there is something new to see."""
        is_new = False
        if self.games.can_grow and now_s >= self._refresh_s:
            self._refresh_s = now_s + REFRESH_S
            is_new = self.games.refresh() > 0
            if is_new and self.number < 0:
                self.show(0)
        if self.is_running and now_s >= self._due_s:
            is_new = self._advance(now_s) or is_new
        return is_new

    def view(self, targets: bool, paths: bool) -> GameView:
        """The position as a screen shows it."""
        record = self.record
        names = {n: record.tags.get(f"Player{n}", f"player {n}") for n in (1, 2)}
        moves = [move.text for move in record.moves]
        rules = registry.get(record.game)
        over = self.is_at_end and record.outcome is not None
        return view_at(rules, self.states, moves, names, self.ply, targets, paths, over=over)

    def _advance(self, now_s: float) -> bool:
        self._due_s = now_s + self.pace_s
        last = len(self.record.moves)
        if self.ply < last:
            self.ply += 1
            if self.ply == last:
                self._due_s = now_s + LINGER * self.pace_s
            return True
        newest = len(self.games) - 1
        if self.is_following and self.number != newest:
            self.show(newest)
            return True
        if not self.games.can_grow:
            self.is_running = False
            return True
        return False
