"""A game as it is played and kept, with no display."""

from plyground.play.record import Move, Record
from plyground.play.record_text import format_record, format_records, parse_record, parse_records

__all__ = ["Move", "Record", "format_record", "format_records", "parse_record", "parse_records"]
