"""The table people sit at: one live game after the other, each kept while it is played.

What a screen shows is its own business; what happens to games is here, the same for every screen.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping
from pathlib import Path

from plyground.analysis.adviser import adviser_for
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.remembering import remember
from plyground.errors import ConfigError
from plyground.play.autosave import Autosave, ResumedGame
from plyground.play.events import Event
from plyground.play.game_file import read_game, save_game
from plyground.play.live_game import LiveGame
from plyground.play.record import Record
from plyground.play.seat import Seat

WATCHED_PACE_S = 0.5
"""Least time of a move where agents alone play and people watch: long enough to follow."""


def watched_pace_s(seats: Mapping[int, Seat]) -> float:
    """How long agents take at least in a game that is watched."""
    return 0.0 if any(seat.is_person for seat in seats.values()) else WATCHED_PACE_S


class Table:
    """A live game with its autosave, its file, and an adviser.

    `events` holds what happened in the game on the table and nobody has looked at yet. With a
    folder, games are kept there; with a cache, agents need not think twice.
    """

    def __init__(
        self,
        live: LiveGame,
        folder: Path | None = None,
        resumed: ResumedGame | None = None,
        cache: AnalysisCache | None = None,
        on_failure: Callable[[str], object] = lambda reason: None,  # noqa: ARG005
    ) -> None:
        self.live = live
        self.saved: tuple[Path, int] | None = None
        """The file the game was saved to or loaded from, and its number there."""
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._saved_turn: int | None = None
        self._folder = folder
        self._cache = cache
        self.on_failure = on_failure
        """Told once if the game cannot be kept."""
        self._autosave: Autosave | None = None
        self._advisers: dict[tuple[str, int], Seat] = {}
        if cache is not None:
            for player, seat in live.seats.items():
                live.take_seat(player, remember(seat, cache))
        self._attach(resumed)

    @property
    def adviser(self) -> Seat:
        """Who gives hints and analyses."""
        kind = (self.live.rules.name, self.live.state.board_size)
        if kind not in self._advisers:
            self._advisers[kind] = adviser_for(kind[0], self._cache, board_size=kind[1])
        return self._advisers[kind]

    @property
    def people(self) -> list[int]:
        """The players who are people."""
        return [player for player, seat in self.live.seats.items() if seat.is_person]

    @property
    def faces_player_2(self) -> bool:
        """Whether the board is best turned round: for the only person at it, who looks from there.

        Reversi's board is the same from everywhere, and its records have a1 at the top left.
        """
        return self.live.rules.name == "quoridor" and self.people == [2]

    def seat(self, spec: str, game: str | None = None) -> Seat:
        """Somebody new, by name; the engine shares what is known of positions."""
        seat = Seat.of(spec, game or self.live.rules.name)
        return seat if self._cache is None else remember(seat, self._cache)

    def again(self) -> LiveGame:
        """The same game from its start, between players who remember nothing of this one."""
        live = self.live
        return LiveGame(
            {
                player: seat if seat.is_person else self.seat(seat.name)
                for player, seat in live.seats.items()
            },
            live.states[0],
            live.rules.name,
            control=live.control,
            tags=live.tags,
            pace_s=live.pace_s,
        )

    def change_game(self, live: LiveGame) -> None:
        """Leave this game, which is kept, for another that has not started."""
        self._detach()
        self.live = live
        self.saved, self._saved_turn = None, None
        self.events = queue.SimpleQueue()
        self._attach(None)

    def save(self, path: Path | None = None) -> tuple[Path, int]:
        """Write the game to a file: beside the games in it, or over the one it was.

        Without a path it is the file of last time. Returns the file, and the game's number there.
        """
        number = None
        if self.saved is not None and path in (None, self.saved[0]):
            path, number = self.saved
        if path is None:
            raise ConfigError("expected a file to save to, such as 'save game.pgn'")
        with self.live.held():  # an agent may move while the file is written
            record, turn = self.live.record(), self.live.turn
        self.saved = path, save_game(record, path, number)
        self._saved_turn = turn
        return self.saved

    def load(self, path: Path, number: int | None = None) -> None:
        """Go on with a game from a file, the last in it or that of a number, with these players."""
        record, number = read_game(path, number)
        if record.game != self.live.rules.name:
            raise ConfigError(
                f"expected a game of {self.live.rules.name}, got one of {record.game}"
            )
        self.go_on(record, self.live.seats)
        self.saved, self._saved_turn = (path, number), self.live.turn

    def go_on(self, record: Record, seats: Mapping[int, Seat]) -> None:
        """Leave this game for one that was begun before."""
        self.change_game(LiveGame.resume(record, seats, pace_s=self.live.pace_s))

    def leave(self) -> bool:
        """Play no more; whether the game goes on when somebody resumes it."""
        return self._detach() and self.live.outcome is None

    def _attach(self, resumed: ResumedGame | None) -> None:
        self.live.listen(self.events.put)
        if self._folder is not None:
            self._autosave = Autosave(
                self.live, self._folder, resumed, lambda reason: self.on_failure(reason)
            )

    def _detach(self) -> bool:
        """Stop the game; whether it is kept, as one is that was not saved since the last move."""
        last_turn = self.live.close()
        keep = bool(self.live.moves) and self._saved_turn != last_turn
        if self._autosave is None:
            return False
        self._autosave.close(keep)
        self._autosave = None
        return keep
