"""Payloads of the lessons. The page finds their texts by key."""

from __future__ import annotations

from functools import cache

from plyground.agents.human import PERSON
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.games.lesson import GameLesson, all_lessons, find_lesson
from plyground.games.levels import LEVEL_NAMES
from plyground.json_types import Json, JsonObject
from plyground.play.live_game import LiveGame
from plyground.play.seat import Seat
from plyground.ui.text import format_reason, why_illegal
from plyground.ui.web.payloads import position_payload


def lesson_list() -> list[Json]:
    """All lessons in order, with the number of steps of each."""
    return [
        {"game": each.game.name, "key": each.key, "steps": len(each.lesson.steps)}
        for each in all_lessons()
    ]


@cache
def lesson_payload(number: int) -> JsonObject:
    """A lesson with the positions of its steps, but without the answers' reasons."""
    found = find_lesson(number)
    return {
        "type": "lesson",
        "number": number,
        "game": found.game.name,
        "steps": [_step_payload(found, step) for step in range(len(found.lesson.steps))],
        "first_game": _first_game(found),
        "position": _first_board(found),
    }


def lesson_answer_payload(number: int, step: int, move: str) -> JsonObject:
    """A learner's move, judged; with the position after it if it is legal."""
    found = find_lesson(number)
    if step >= len(found.lesson.steps):
        raise ConfigError(f"expected a step from 0 to {len(found.lesson.steps) - 1}, got {step}")
    answer = found.judge(step, move)
    live = _board(found.start(step))
    if answer.after is not None:
        live.play(answer.move)
    return {
        "type": "lesson_answer",
        "number": number,
        "step": step,
        "kind": answer.kind.value,
        "move": answer.move,
        "numbers": dict(answer.numbers),
        "reason": None if answer.error is None else format_reason(answer.error),
        "position": position_payload(live),
    }


def _step_payload(found: GameLesson, step: int) -> JsonObject:
    """A step; a forbidden move to try is among the legal ones, so that it can be tried."""
    state, wanted = found.start(step), found.lesson.steps[step]
    position = position_payload(_board(state))
    legal = [state.format_move(action) for action in state.legal_actions()]
    if wanted.forbidden is not None:
        legal.append(wanted.forbidden)
    return {
        "key": found.step_key(step),
        "position": {**position, "legal": list[Json](legal)},
        "answer": found.answers(step)[0],
        "shows_paths": wanted.shows_paths,
        "reasons": {**_reasons(state, frozenset(legal))},
    }


def _reasons(state: State, legal: frozenset[str]) -> dict[str, str]:
    """Why the other moves are illegal."""
    moves = map(state.format_move, range(state.game.action_count(state)))
    found = ((move, why_illegal(state, move)) for move in moves if move not in legal)
    return {move: reason for move, reason in found if reason is not None}


def _first_game(found: GameLesson) -> Json:
    """The fields of `new_game` for the game at the end of a lesson."""
    settings = found.lesson.first_game
    if settings is None:
        return None
    return {
        "game": found.game.name,
        "player1": PERSON,
        "player2": LEVEL_NAMES[0],
        "settings": dict(settings),
    }


def _first_board(found: GameLesson) -> Json:
    settings = found.lesson.first_game
    return None if settings is None else position_payload(_board(found.game.start(settings)))


def _board(state: State) -> LiveGame:
    return LiveGame({1: Seat(), 2: Seat()}, state)
