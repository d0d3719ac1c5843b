"""The encodings there are, by the game's name."""

from __future__ import annotations

from plyground.nets.encoding import Encoding
from plyground.nets.quoridor_encoding import QUORIDOR
from plyground.nets.reversi_encoding import REVERSI

ENCODINGS: dict[str, Encoding] = {encoding.game: encoding for encoding in (QUORIDOR, REVERSI)}
