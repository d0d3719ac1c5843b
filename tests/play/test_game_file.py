"""Games in files: what becomes of links, and of files that are none."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from plyground.play import Record
from plyground.play.game_file import read_game, read_games, save_game

GAME = Record.from_moves(["e2", "e8"])


def test_a_link_still_leads_to_the_file(tmp_path: Path) -> None:
    file, link = tmp_path / "games.pgn", tmp_path / "link.pgn"
    link.symlink_to(file)
    assert (save_game(GAME, link), save_game(GAME, link)) == (1, 2)
    assert link.is_symlink()
    assert read_games(file) == read_games(link)
    assert len(list(tmp_path.iterdir())) == 2


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """As a device is: with the rights to it, '--output /dev/null' must not take its place."""
    pipe, copy = tmp_path / "pipe", tmp_path / "copy.pgn"
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: copy.write_bytes(pipe.read_bytes()), daemon=True)
    reader.start()
    save_game(GAME, pipe)
    reader.join(timeout=30)
    assert pipe.is_fifo()
    assert read_game(copy)[0].moves == GAME.moves
