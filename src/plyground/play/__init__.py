"""A game as it is played and kept, with no display."""

from plyground.play.clock import Clock, TimeControl
from plyground.play.ggf import format_ggf, parse_ggf
from plyground.play.live_game import LiveGame
from plyground.play.record import Move, Record
from plyground.play.record_text import format_record, format_records, parse_record, parse_records
from plyground.play.seat import Seat
from plyground.play.wthor import WthorGame, parse_wthor, read_names, read_wthor

__all__ = [
    "Clock",
    "LiveGame",
    "Move",
    "Record",
    "Seat",
    "TimeControl",
    "WthorGame",
    "format_ggf",
    "format_record",
    "format_records",
    "parse_ggf",
    "parse_record",
    "parse_records",
    "parse_wthor",
    "read_names",
    "read_wthor",
]
