"""Games in files: what becomes of links, and of files that are none."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from plyground.errors import ConfigError
from plyground.play import Record
from plyground.play.game_file import read_game, read_games, save_game, stream_games, write_games

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


def test_paths_may_be_texts(tmp_path: Path) -> None:
    path = str(tmp_path / "games.pgn")
    write_games([GAME], path)
    assert save_game(GAME, path) == 2
    assert read_games(path) == [*stream_games(path)] == [GAME, GAME]
    assert read_game(path, 1) == (GAME, 1)
    with pytest.raises(ConfigError, match=r"cannot read .*none\.pgn: No such file"):
        read_games(str(tmp_path / "none.pgn"))
    with pytest.raises(ConfigError, match=r"cannot write .*none"):
        write_games([GAME], str(tmp_path / "none" / "x.pgn"))
