"""Replaying recorded games, by hand or automatically. It depends on the time, not on a display."""

from __future__ import annotations

from plyground.play.record import Record
from plyground.ui.desktop.game_list import GameList
from plyground.ui.view import GameView, view_record

REPLAY_PACE_S = 0.8
"""Seconds per move of a running replay, unless another pace is chosen."""
REFRESH_S = 1.0
"""Seconds between two searches for new games of a running tournament."""
LINGER = 3.0
"""How long the last position stays before the next game of a tournament, in moves."""


class GameReplay:
    """Shows a position of one game of a list; while it runs, the next one every `pace_s` seconds.

    A list that can grow is followed: after the end of a game the newest one is shown, and if that
    is this game, the replay waits for another. An empty list shows an empty game.
    """

    def __init__(self, games: GameList, now_s: float, pace_s: float = REPLAY_PACE_S) -> None:
        self.games = games
        self.pace_s = pace_s
        self.is_running = games.can_grow
        self.is_following = games.can_grow
        self._due_s = now_s + pace_s
        self._refresh_s = now_s + REFRESH_S
        self.show(len(games) - 1)

    def show(self, number: int) -> None:
        """Show a game from its start, counted from 0."""
        self.number = min(max(0, number), len(self.games) - 1)  # -1 if the list is empty
        self.record = self.games.record(self.number) if len(self.games) else Record()
        self.states = self.record.states()
        self._actions = self.record.actions("board")
        self.ply = 0

    def go_to(self, ply: int) -> None:
        """Show the position after a number of moves, or the nearest one."""
        self.ply = min(max(0, ply), len(self.record.moves))

    def toggle(self, now_s: float) -> None:
        """Run or stop; at the end, run again from the start."""
        self.is_running = not self.is_running
        self._due_s = now_s + self.pace_s
        if self.is_running and self.is_at_end and not self.games.can_grow:
            self.ply = 0

    @property
    def is_at_end(self) -> bool:
        """Whether the last position of the game is shown."""
        return self.ply == len(self.record.moves)

    @property
    def caption(self) -> str:
        """The number of the game, its players and its result."""
        if not len(self.games):
            return f"waiting for the first game of {self.games.name}"
        number, count = self.number + 1, len(self.games)
        return f"game {number} of {count}: {self.games.caption(self.number)}"

    def update(self, now_s: float) -> bool:
        """Do what is due; whether there is something new to show."""
        is_new = False
        if self.games.can_grow and now_s >= self._refresh_s:
            self._refresh_s = now_s + REFRESH_S
            is_new = self.games.refresh() > 0
            if is_new and self.number < 0:
                self.show(0)
        if self.is_running and now_s >= self._due_s:
            is_new = self._advance(now_s) or is_new
        return is_new

    def view(self, paths: bool = False) -> GameView:
        """The position as a screen shows it."""
        return view_record(self.record, self.states, self._actions, self.ply, paths)

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
