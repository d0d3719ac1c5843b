"""Which buttons are shown and enabled. What they do is in `commands.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from plyground.ui.desktop.puzzles import WindowPuzzles
from plyground.ui.desktop.replay import GameReplay
from plyground.ui.desktop.session import WindowSession


@dataclass(frozen=True, slots=True)
class Button:
    """A button, with the name of its command."""

    command: str
    label: str
    is_on: bool = False
    is_enabled: bool = True


ButtonRow: TypeAlias = list[Button]


def button_rows(session: WindowSession) -> list[ButtonRow]:
    """The buttons, row by row."""
    if session.puzzles is not None:
        rows = _puzzle_rows(session.puzzles)
    elif session.replay is not None:
        rows = _replay_rows(session, session.replay)
    else:
        rows = _play_rows(session)
    options, can_change = session.options, not session.is_locked
    rows[1].append(Button("paths", "Paths", options.paths, session.game.has_paths))
    rows[1].append(Button("flip", "Flip", options.flipped))
    rows[1].append(Button("review", "Review", is_enabled=bool(session.view().moves)))
    rows[2].insert(0, Button("open", "Open", is_enabled=can_change))
    rows[2].insert(0, Button("new", "New", is_enabled=can_change))
    rows[3].insert(0, Button("theme", "Theme"))
    rows[3] += [Button("rules", "Rules"), Button("help", "Help")]
    return [_arrows(session), *rows]


def _arrows(session: WindowSession) -> ButtonRow:
    """Buttons to earlier and later positions; between them, Run for a replay or Pass."""
    view, replay = session.view(), session.replay
    at_start, at_end = view.ply == 0, view.ply == len(view.moves)
    middle = []
    if replay is not None:
        middle = [Button("run", "Stop" if replay.is_running else "Run", replay.is_running)]
    elif session.must_pass:
        middle = [Button("run", "Pass", is_on=True)]
    return [
        Button("first", "|<", is_enabled=not at_start),
        Button("back", "<", is_enabled=not at_start),
        *middle,
        Button("forward", ">", is_enabled=not at_end),
        Button("last", ">|", is_enabled=not at_end),
    ]


def _play_rows(session: WindowSession) -> list[ButtonRow]:
    """The buttons of a live game."""
    live, can_change = session.live, not session.is_locked
    is_over, has_moves = live.outcome is not None, bool(live.moves)
    can_resign = can_change and not is_over and bool(session.host.people)
    undo = "Undo" if session.ply is None else "Back here"
    return [
        [
            Button("undo", undo, is_enabled=can_change and (has_moves or is_over)),
            Button("redo", "Redo", is_enabled=can_change and live.undone > 0),
            Button("hint", "Hint", session.messages.is_hint_pending, session.can_move),
        ],
        [
            Button("resign", "Resign", is_enabled=can_resign),
            Button("puzzles", "Puzzles", is_enabled=can_change),
        ],
        [
            Button("save", "Save", is_enabled=live.main_end > 0),
            Button("lines", "Lines", is_enabled=can_change and live.has_variations),
        ],
        [Button("targets", "Moves", session.options.targets)],
    ]


def _puzzle_rows(puzzles: WindowPuzzles) -> list[ButtonRow]:
    """The buttons of a puzzle."""
    goes_on = not puzzles.host.is_done
    return [
        [
            Button("undo", "Try again", is_enabled=puzzles.can_retry),
            Button("hint", "Hint", is_enabled=goes_on),
            Button("answer", "Answer", is_enabled=goes_on),
        ],
        [Button("next", "Next", is_on=not goes_on), Button("daily", "Today")],
        [Button("puzzles", "Close", is_on=True)],
        [],
    ]


def _replay_rows(session: WindowSession, replay: GameReplay) -> list[ButtonRow]:
    """The buttons of a replay."""
    number, count, can_change = replay.number, len(replay.games), not session.is_locked
    return [
        [
            Button("previous", "Previous", is_enabled=number > 0),
            Button("next", "Next", is_enabled=number + 1 < count),
            Button("games", "Games", is_enabled=count > 0),
        ],
        [Button("play on", "Play on", is_enabled=can_change and count > 0)],
        [Button("save", "Save", is_enabled=count > 0)],
        [Button("scores", "Scores", is_enabled=replay.games.can_grow)],
    ]
