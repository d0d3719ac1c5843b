"""Reversi games in GGF, the text that Othello servers and programs exchange.

    (;GM[Othello]PC[here]PB[Ann]PW[Bob]RE[+2.00]TY[8]BO[8 --..-- *]B[d3//1.5]W[c5/0.4/2];)

A file may hold many games, each or each pair preceded by a count. A record keeps the players,
place, date, ratings and clocks as tags, and the evaluations and times of moves. GGF has no place
for other tags, depths and comments on moves, so they are not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from plyground.errors import IllegalMoveError, NotationError
from plyground.games.reversi import PASS, State, expect_state
from plyground.play.record import MoveRecord, Record

SIZE = 8

# The tags of GGF and their names in a record.
_TAGS = {
    "PC": "Place",
    "DT": "Date",
    "PB": "Player1",
    "PW": "Player2",
    "RB": "Rating1",
    "RW": "Rating2",
    "TI": "Clock",
    "TB": "Clock1",
    "TW": "Clock2",
}
_ENDS = {"r": "resignation", "t": "time", "l": "left", "s": "agreement"}
_GAME = re.compile(r"\s*(?:[0-9]+\s*)?\(;(?P<body>(?:[^;\[]|\[[^\]]*\]|;(?!\)))*);\)")
_TAG = re.compile(r"\s*(?P<name>[A-Za-z]{1,3})\s*\[(?P<value>[^\]]*)\]\s*")
_BOARD_TYPE = re.compile(r"s?8(r[0-9]{1,2})?")  # anti-games and komi are variants
_RESULT = re.compile(r"(?P<score>[+-]?[0-9]{1,3}(\.[0-9]*)?)(:(?P<end>[rtls]))?")
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}(\.[0-9]{0,9})?")
_START = State().text()


def parse_ggf(text: str) -> list[Record]:
    """Parse any number of games; errors name the game and the move.

    >>> [record] = parse_ggf("(;GM[Othello]PB[Ann]PW[Bob]RE[?]B[f5//2.5]W[D6/-1.5];)")
    >>> record.tags["Player1"], record.moves[1].score, record.result
    ('Ann', -1.5, '*')
    """
    records: list[Record] = []
    end = len(text.rstrip())
    place = 0
    while place < end:
        number = len(records) + 1
        match = _GAME.match(text, place)
        if not match:
            got = text[place : place + 200].strip()[:40]
            raise NotationError(f"game {number}: expected a game '(;...;)', got {got!r}")
        try:
            records.append(_record(match["body"]))
        except (IllegalMoveError, NotationError) as error:
            raise type(error)(f"game {number}: {error}") from None
        place = match.end()
    return records


def format_ggf(records: Iterable[Record]) -> str:
    """Format games as GGF, one per line; `parse_ggf` reads them."""
    return "".join(_format(record) + "\n" for record in records)


def _record(body: str) -> Record:
    tags: dict[str, str] = {}
    played: list[tuple[str, str]] = []
    place = 0
    while place < len(body):
        match = _TAG.match(body, place)
        if not match:
            raise NotationError(f"expected a tag like 'PB[Ann]', got {body[place : place + 40]!r}")
        name, value = match["name"].upper(), match["value"].strip()
        place = match.end()
        if name in ("B", "W"):
            played.append((name, value))
        elif name in tags:
            raise NotationError(f"the tag {name!r} is there twice")
        else:
            tags[name] = value
    if tags.get("GM", "Othello").lower() not in ("othello", "reversi"):
        raise NotationError(f"expected a game of Othello, got {tags['GM']!r}")
    if not _BOARD_TYPE.fullmatch(tags.get("TY", "8")):
        raise NotationError(f"expected the type of a plain 8x8 game, got {tags['TY']!r}")
    start = _board(tags["BO"]) if "BO" in tags else State()
    moves, state = _moves(played, start)
    result, termination = _result(tags.get("RE", "?"), state)
    return Record.from_moves(
        moves,
        start,
        tags={ours: tags[name] for name, ours in _TAGS.items() if tags.get(name)},
        comment=tags.get("CO", ""),
        result=result,
        termination=termination,
    )


def _board(value: str) -> State:
    size, squares = (*value.split(maxsplit=1), "", "")[:2]
    if size != "8":
        raise NotationError(f"expected a board of size 8 first in BO, got {size!r}")
    state = State.parse(squares)
    if state.board_size != SIZE:
        raise NotationError(f"expected 64 squares in BO, got {squares!r}")
    return state


def _moves(played: list[tuple[str, str]], state: State) -> tuple[list[MoveRecord], State]:
    """The moves with their evaluations and times, and the last position; adds omitted passes."""
    moves: list[MoveRecord] = []
    for number, (colour, value) in enumerate(played, 1):
        square, *numbers = value.split("/")
        if len(numbers) > 2:
            raise NotationError(f"move {number}: expected 'move/eval/time', got {value!r}")
        score, time_s = (_number(number, text) for text in (*numbers, "", "")[:2])
        try:
            if colour != "BW"[state.current_player - 1] and state.is_legal(PASS):
                moves.append(MoveRecord("pass"))
                state = state.play(PASS)
            if colour != "BW"[state.current_player - 1]:
                raise NotationError(f"expected the other side to move, got {colour}[{value}]")
            state = state.play(square.strip())
            moves.append(MoveRecord(square.strip(), time_s, score))
        except (IllegalMoveError, NotationError) as error:
            raise type(error)(f"move {number}: {error}") from None
    return moves, state


def _number(move: int, text: str) -> float | None:
    text = text.strip()
    if not text:
        return None
    if not _NUMBER.fullmatch(text):
        raise NotationError(f"move {move}: expected a number after the square, got {text!r}")
    return float(text)


def _result(value: str, state: State) -> tuple[str | None, str]:
    """Result and reason for a record; the result is None if it follows from the moves."""
    match = _RESULT.fullmatch(value)
    if not match:
        if value not in ("", "?", "aborted"):
            raise NotationError(f"expected a result like '+2.00', got {value!r}")
        return ("*", "") if state.outcome is None else (None, "")
    score = float(match["score"])
    result = "1-0" if score > 0 else "0-1" if score < 0 else "1/2-1/2"
    if state.outcome is not None and match["end"]:
        return None, ""  # the game had ended before
    return result, _ENDS.get(match["end"] or "", "")


def _format(record: Record) -> str:
    if record.game != "reversi":
        raise NotationError(f"expected a game of reversi to write as GGF, got {record.game}")
    states = record.states()
    if (size := expect_state(states[0]).board_size) != SIZE:
        raise NotationError(f"expected a game on 8x8 to write as GGF, got {size}x{size}")
    tags = {"GM": "Othello"}
    tags |= {name: record.tags[ours] for name, ours in _TAGS.items() if ours in record.tags}
    tags |= {"RE": _format_result(record, expect_state(states[-1])), "TY": "8"}
    tags["BO"] = "8 " + (record.start or _START).replace("X", "*")
    if record.comment:
        tags["CO"] = record.comment
    for name, value in tags.items():
        if "]" in value:
            raise NotationError(f"expected no ']' in what becomes the tag {name}, got {value!r}")
    text = "".join(f"{name}[{value}]" for name, value in tags.items())
    for state, move in zip(states, record.moves, strict=False):
        square = "PA" if move.text == "pass" else move.text
        numbers = [_format_number(move.score), _format_number(move.time_s)]
        value = "/".join((square, *numbers)).rstrip("/")
        text += f"{'BW'[state.current_player - 1]}[{value}]"
    return f"(;{text};)"


def _format_number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")


def _format_result(record: Record, end: State) -> str:
    if end.outcome is not None:
        return f"{end.score:+.2f}"
    if record.result == "*":
        return "?"
    # The discs of a game that ended early are not counted: the winner gets all of them.
    score = {"1-0": 64, "0-1": -64}.get(record.result, 0)
    letter = next((letter for letter, why in _ENDS.items() if why == record.termination), None)
    return f"{score:+.2f}" + (f":{letter}" if letter else "")
