"""Live games, records and files of games, without displays."""

from plyground.play.clock import Clock, TimeControl
from plyground.play.game_file import read_games, stream_games, write_games
from plyground.play.live_game import LiveGame
from plyground.play.record import MoveRecord, Record
from plyground.play.record_text import (
    BadGame,
    format_record,
    format_records,
    parse_record,
    parse_records,
    stream_records,
)
from plyground.play.reversi_ggf import format_ggf, parse_ggf
from plyground.play.reversi_wthor import WthorGame, parse_wthor, read_names, read_wthor
from plyground.play.seat import Seat

__all__ = [
    "BadGame",
    "Clock",
    "LiveGame",
    "MoveRecord",
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
    "read_games",
    "read_names",
    "read_wthor",
    "stream_games",
    "stream_records",
    "write_games",
]
