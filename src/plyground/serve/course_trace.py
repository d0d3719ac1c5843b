"""Games as traces of the course's `game.py`, which its viewer replays, and back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from plyground.course.quoridor import Board, NoPath
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.files import atomic_write
from plyground.games.quoridor import State, expect_state
from plyground.hints import reason_of
from plyground.play.record import MoveRecord, Record
from plyground.protocol.course import (
    Percepts,
    action_message,
    percepts_of,
    read_action,
    short_repr,
    state_of,
)
from plyground.protocol.course_trace import BOARD, TracedObject, read_trace, write_trace
from plyground.search.time_control import LONGEST_S

SUFFIXES = (".pkl", ".pickle", ".trace")
"""File names of traces; others are those of records."""
LOST_BY = "Opponent lost by "
"""How the reason of a trace that is written here begins."""
REASONS = {
    "Opponent's time credit has expired.": "time",
    "Opponent has played an invalid action.": "invalid action",
}
"""The reasons in traces of the course's program."""
COURSE_SIZE = 9
"""The only board that the course's program shows."""


def is_trace_name(path: Path) -> bool:
    """Whether a file is to hold a trace, by its name."""
    return path.suffix.lower() in SUFFIXES


def check_traceable(start: State) -> None:
    """Raise a ConfigError if the course's program cannot show games from this start."""
    if start.board_size != COURSE_SIZE:
        raise ConfigError(
            f"a trace is for boards of size {COURSE_SIZE}, got {start.board_size}; "
            "write a record instead: -w game.pgn"
        )


def save_trace(record: Record, path: Path) -> None:
    """Write a game to a file as a trace, replacing its contents."""
    try:
        with atomic_write(path) as file:
            file.write(format_trace(record))
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot write {path}: {reason_of(error)}") from None


def format_trace(record: Record) -> bytes:
    """A game as a trace."""
    states = [expect_state(state) for state in record.states()]
    check_traceable(states[0])
    credit_s = _credit(record.tags.get("TimeControl", ""))
    actions = [
        (before.current_player - 1, action_message(before, action), move.time_s or 0.0)
        for before, action, move in zip(states, record.actions("board"), record.moves, strict=False)
    ]
    is_plain = record.termination in ("", "goal")
    attributes = {
        "time_limits": [credit_s, credit_s],
        "actions": actions,
        "winner": _final_score(record, states[-1]),
        "reason": "" if is_plain else f"{LOST_BY}{record.termination}",
    }
    return write_trace(attributes, vars(Board(percepts_of(states[0]))))


def _credit(time_control: str) -> float | None:
    """The seconds of a time control without an increment; None for any other."""
    try:
        return float(time_control)
    except ValueError:
        return None


def _final_score(record: Record, last: State) -> int:
    """The course's score for the first player: above 0 if that player won."""
    if record.outcome is None or record.outcome.winner is None:
        return 0
    sign = 1 if record.outcome.winner == 1 else -1
    if last.outcome is None:
        return sign
    try:
        return Board(percepts_of(last)).get_score()
    except NoPath:  # the pawn that has arrived stands in the other's way
        return sign


def parse_trace(data: bytes) -> Record:
    """The record of the game in a trace.

    A wall of a player without walls, which the course accepts and ignores, has no place in our
    rules: the record ends before it, and says so.
    """
    trace = read_trace(data)
    actions = _sequence(trace, "actions")
    first = _triple(actions[0], 1)[0] if actions else 0
    start = state = state_of(_percepts(trace.get("initial_board")), first)
    moves: list[MoveRecord] = []
    cut = ""
    for step, entry in enumerate(actions, 1):
        player, answer, seconds = _triple(entry, step)
        if player != state.current_player - 1 or state.outcome is not None:
            raise NotationError(f"step {step}: it is not the turn of player {short_repr(player)}")
        if _is_ignored(answer, state):
            cut = f"step {step} cannot be replayed: player {player} has no wall left"
            break
        try:
            action = read_action(answer, state)
        except (IllegalMoveError, NotationError) as error:
            raise NotationError(f"step {step}: {error}") from None
        moves.append(MoveRecord(state.format_move(action), _seconds(seconds)))
        state = state.play(action)
    result, reason = (None, "") if state.outcome is not None else _result(trace)
    tags = {"Event": "course game", **_time_control(trace)}
    return Record.from_moves(moves, start, tags, result=result, termination=cut or reason)


def _percepts(board: object) -> dict[str, object]:
    if not isinstance(board, TracedObject) or board.class_name != BOARD:
        raise NotationError("expected a trace with an initial board")
    return {name: board[name] for name in Percepts.__annotations__ if name in board}


def _sequence(trace: TracedObject, name: str) -> Sequence[object]:
    found = trace.get(name)
    if not isinstance(found, list | tuple):
        raise NotationError(f"expected a trace with {name}, got {short_repr(found)}")
    return found


def _triple(entry: object, step: int) -> tuple[object, object, object]:
    if not isinstance(entry, list | tuple) or len(entry) != 3:
        raise NotationError(
            f"step {step}: expected a player, an action and seconds, got {short_repr(entry)}"
        )
    player, action, seconds = entry
    return player, action, seconds


def _is_ignored(answer: object, state: State) -> bool:
    """Whether an action is a wall of a player without walls."""
    is_wall = isinstance(answer, list | tuple) and bool(answer) and answer[0] in ("WH", "WV")
    return is_wall and state.walls_remaining[state.current_player] == 0


def _seconds(seconds: object) -> float | None:
    is_number = isinstance(seconds, int | float) and 0 <= seconds < LONGEST_S
    return float(seconds) if isinstance(seconds, int | float) and is_number else None


def _result(trace: TracedObject) -> tuple[str, str]:
    """The result of a game that the moves do not decide, with the course's reason."""
    winner, reason = trace.get("winner"), trace.get("reason")
    if not isinstance(winner, int | float) or math.isnan(winner) or winner == 0:
        return "*", ""
    words = reason if isinstance(reason, str) else ""
    line = "".join(char if char.isprintable() else " " for char in words[:200]).strip()
    reason = REASONS.get(line, line.removeprefix(LOST_BY))
    return ("1-0" if winner > 0 else "0-1"), reason


def _time_control(trace: TracedObject) -> dict[str, str]:
    limits = trace.get("time_limits")
    if not isinstance(limits, list | tuple) or len(limits) != 2 or limits[0] != limits[1]:
        return {}
    credit_s = limits[0]
    if not isinstance(credit_s, int | float) or not 0 < credit_s <= LONGEST_S:
        return {}
    return {"TimeControl": f"{float(credit_s):.3f}".rstrip("0").rstrip(".")}
