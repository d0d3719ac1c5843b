"""Analyse every game of a folder and say where each was lost.

python analyse_folder.py FOLDER     writes a page NAME.html beside each NAME.pgn
"""

import sys
from pathlib import Path

from plyground.analysis.game_report import analyse_game
from plyground.play import Seat, stream_games
from plyground.search import SearchLimits

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
for path in sorted(folder.glob("*.pgn")):
    for number, record in enumerate(stream_games(path, on_bad=print), 1):
        report = analyse_game(record, Seat.of("engine", record.game), SearchLimits(depth=3))
        page = path.with_name(f"{path.stem}-{number}.html")
        page.write_text(report.html(), encoding="utf-8")
        for ply in report.turning_points():
            print(f"{path.name}, game {number}, move {ply.number} {ply.move}: {ply.verdict}")
