"""A game as it is played and kept, with no display."""

from plyground.play.ggf import format_ggf, parse_ggf
from plyground.play.record import Move, Record
from plyground.play.record_text import format_record, format_records, parse_record, parse_records
from plyground.play.wthor import WthorGame, parse_wthor, read_names, read_wthor

__all__ = [
    "Move",
    "Record",
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
