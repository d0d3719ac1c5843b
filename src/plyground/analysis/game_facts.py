"""The analysis of a game as JSON, and files of such analyses, one line per game."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, TypedDict, cast

from plyground.analysis.game_report import GameReport, mistake_comment, verdict, with_remark
from plyground.analysis.remarks import Remark
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.hints import reason_of
from plyground.play.record import Record


class RemarkFacts(TypedDict):
    """Why a move is worse than the best one."""

    kind: str
    values: dict[str, int | str]


MoveFacts = TypedDict(
    "MoveFacts",
    {
        "number": int,
        "player": int,
        "move": str,
        "mark": str,
        "class": str,
        "remarks": list[RemarkFacts],
        "chance": float,
        "loss": float,
        "best": list[str],
        "depth": int,
        "exact": bool,
    },
)
"""The adviser's judgement of one move."""

GameFacts = TypedDict(
    "GameFacts",
    {
        "with": str,
        "result": str,
        "complete": bool,
        "accuracy": dict[str, float | None],
        "chances": list[float],
        "moves": list[MoveFacts],
    },
)
"""A game report: the adviser, the accuracy of each player, and every move."""


def facts_of(report: GameReport, adviser: str) -> GameFacts:
    """A report by an adviser, with chances rounded to four digits."""
    return {
        "with": adviser,
        "result": report.record.result,
        "complete": report.is_complete,
        "accuracy": {str(player): report.accuracy(player) for player in (1, 2)},
        "chances": [round(value, 4) for value in report.chances],
        "moves": [
            {
                "number": ply.number,
                "player": ply.player,
                "move": ply.move,
                "mark": ply.mark,
                "class": ply.move_class,
                "remarks": [
                    {"kind": remark.kind, "values": dict(remark.values)} for remark in ply.remarks
                ],
                "chance": round(ply.chance, 4),
                "loss": round(ply.loss, 4),
                "best": [*ply.best_line.split()],
                "depth": ply.best.depth,
                "exact": ply.best.exact,
            }
            for ply in report.plies
        ],
    }


def annotated(record: Record, facts: GameFacts) -> Record:
    """The record with a comment on every mistake."""
    game = registry.get(record.game)
    moves = list(record.moves)
    for move in facts["moves"]:
        if move["mark"]:
            judgement = verdict(move["mark"], move["chance"], move["loss"], " ".join(move["best"]))
            why = (Remark(found["kind"], found["values"]) for found in move["remarks"])
            remark = mistake_comment(judgement, " ".join(each.sentence(game) for each in why))
            moves[move["number"] - 1] = with_remark(moves[move["number"] - 1], remark)
    return replace(record, moves=tuple(moves))


class FactsFile:
    """A file of analyses by key, to which each new one is added as a line of JSON.

    A last line that is not whole, because the process was killed, is removed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file: BinaryIO = path.open("a+b")
        except OSError as error:
            raise ConfigError(f"cannot write {path}: {reason_of(error)}") from error
        try:
            self._facts = self._read()
        except ConfigError:
            self.close()
            raise

    def get(self, key: str) -> GameFacts | None:
        """The analysis of that key, if the file has it."""
        return self._facts.get(key)

    def add(self, key: str, number: int, facts: GameFacts) -> None:
        """Add an analysis to the file."""
        line = json.dumps({"key": key, "number": number, **facts}) + "\n"
        try:
            self._file.write(line.encode())
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise ConfigError(f"cannot write {self.path}: {reason_of(error)}") from error
        self._facts[key] = facts

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read(self) -> dict[str, GameFacts]:
        self._file.seek(0)
        found: dict[str, GameFacts] = {}
        whole = 0
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):
                break
            key, facts = self._parse(line, number)
            found[key] = facts
            whole += len(line)
        self._file.truncate(whole)
        return found

    def _parse(self, line: bytes, number: int) -> tuple[str, GameFacts]:
        try:
            values = json.loads(line)
            key = values.pop("key")
            del values["number"]
        except (ValueError, KeyError, TypeError, AttributeError):
            key, values = None, {}
        if not isinstance(key, str) or values.keys() != GameFacts.__required_keys__:
            raise ConfigError(f"{self.path}, line {number}: expected the analysis of a game")
        return key, cast(GameFacts, values)
