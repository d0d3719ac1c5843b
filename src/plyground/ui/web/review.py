"""The payloads of a review: the report on a game, a move that is tried, and better lines."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.analysis.game_report import GameReport, PlyReport
from plyground.analysis.remarks import Remark
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.games.lines import play_line
from plyground.json_types import Json, JsonObject
from plyground.play.live_game import LiveGame
from plyground.play.record import Record
from plyground.ui.view import view_record
from plyground.ui.web.payloads import line_payload, view_payload

SHOWN_PLIES = 8
"""Plies of a better line."""
LONGEST_LINE = 20
"""Most moves of a line that a page may step through."""


def report_payload(report: GameReport) -> JsonObject:
    """A game's chances, classes and mistakes."""
    states = report.record.states()
    mistakes: list[Json] = [
        _judgement(states[ply.number - 1], ply) | {"ply": ply.number, "mark": ply.mark}
        for ply in report.plies
        if ply.mark
    ]
    counts: list[Json] = [
        {str(kind): number for kind, number in report.class_counts(player).items()}
        for player in (1, 2)
    ]
    return {
        "type": "report",
        "chances": [round(chance, 3) for chance in report.chances],
        "moves": [ply.move for ply in report.plies],
        "exact_from": None if report.exact_from is None else report.exact_from.number,
        "mistakes": mistakes,
        "counts": counts,
        "turning": [ply.number for ply in report.turning_points()],
        "accuracy": [report.accuracy(player) for player in (1, 2)],
    }


def tried_payload(state: State, node: int, tried: PlyReport) -> JsonObject:
    """The judgement of a move that is tried at a position of the game's tree."""
    return _judgement(state, tried) | {"type": "tried", "node": node}


def line_positions(live: LiveGame, node: int, line: str) -> JsonObject:
    """The positions of a line of moves from a position of the game's tree."""
    moves = line.split()
    if len(moves) > LONGEST_LINE:
        raise ConfigError(f"expected at most {LONGEST_LINE} moves of a line, got {len(moves)}")
    start = live.state_of(node)
    tags = {f"Player{player}": seat.name for player, seat in live.seats.items()}
    record = Record.from_moves(moves, start, tags=tags)
    states, actions = play_line(start, moves), record.actions("board")
    positions: list[Json] = [
        view_payload(view_record(record, states, actions, ply, paths=True))
        | {"game": start.game.name}
        for ply in range(len(states))
    ]
    return {"type": "line", "node": node, "line": line, "positions": positions}


def remarks_payload(remarks: Sequence[Remark]) -> list[Json]:
    """Remarks as a kind and values."""
    return [{"kind": remark.kind, "values": dict(remark.values)} for remark in remarks]


def _judgement(state: State, ply: PlyReport) -> JsonObject:
    (played,) = line_payload(state, [state.parse_move(ply.move)])
    return {
        "player": ply.player,
        "move": ply.move,
        "class": str(ply.move_class),
        "before": round(ply.chance, 3),
        "after": round(ply.chance - ply.loss, 3),
        "played": played,
        "line": list[Json](line_payload(state, ply.best.pv[:SHOWN_PLIES])),
        "score": "" if ply.best.score is None else ply.best.score.with_unit(),
        "is_exact": ply.best.exact,
        "remarks": remarks_payload(ply.remarks),
    }
