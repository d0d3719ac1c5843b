"""Files, links and pickles that earlier versions wrote still read, with the same content."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from plyground.arena.store import Filter, Store
from plyground.cli.main import main
from plyground.play import parse_record
from plyground.play.game_file import read_games
from plyground.quoridor import GameConfig, State
from plyground.ui.web.session_store import SessionStore
from plyground.ui.web.sharing import parse_link

FILES = Path(__file__).parents[1] / "data" / "earlier_files"
QUORIDOR_LINK = (
    "eNpFy70KAjEQBOD-nmLY3pAN-Fd6HNiK2B0WkSwauEtwL1f49iZY2M03w4xnPwvovWaNISvdu7HPXgPo2PJl8h9RBp1S-"
    "tuB-vxoHnypb2fdzjAby627yrJOBcQb23gTnWPyJeYEUlni84e6dWwgDnKAMwjbF2SP-uq-KoQrGw"
)
REVERSI_LINK = (
    "eNqLdk_MTVVQKkotSy0qzlSK5YoOyEmsTC0yVFByzMsD8YNSi0tzShSUtIAcLkM9hTRThRQzBSM9hWRjBS0uAIcOEbk"
)
OLD_RECORD = """\
[Game "quoridor"]
[Board "5"]
[Walls "3"]
[MaxMoves "200"]
[NoProgress "50"]
[History "2"]
[Result "*"]

1. c2 c4 *
"""


def test_share_links() -> None:
    record = parse_link(QUORIDOR_LINK)
    assert [move.text for move in record.moves] == ["e2", "e8", "d5h", "e7"]
    assert (record.result, record.termination) == ("1-0", "resignation")
    assert record.tags == {"Player1": "Ann", "Player2": "Bob", "Date": "2026.11.01"}
    reversi = parse_link(REVERSI_LINK)
    assert (reversi.game, [move.text for move in reversi.moves]) == ("reversi", ["f5", "d6", "c3"])


def test_records() -> None:
    games = read_games(FILES / "games.pgn")
    assert len(games) == 2
    assert {game.settings["Board"] for game in games} == {"3"}
    record = parse_record(OLD_RECORD)
    assert record.start_state() == State(GameConfig(board_size=5, walls_per_player=3))
    assert record.settings == {"Board": "5", "Walls": "3", "MaxMoves": "200", "NoProgress": "50"}


def test_stores(tmp_path: Path) -> None:
    path = shutil.copy(FILES / "arena.sqlite", tmp_path)
    before = Path(path).read_bytes()
    with Store(Path(path), read_only=True) as store:
        assert [game.forfeit for game in store.games()] == [None] * 6
    assert Path(path).read_bytes() == before
    with Store(Path(path)) as store:  # which brings it up to date
        assert [game.forfeit for game in store.games()] == [None] * 6
    with Store(Path(path)) as store:
        assert store.count() == 6
        games = [game.record() for game in store.games(Filter())]
    assert [game.game for game in games] == ["quoridor"] * 4 + ["reversi"] * 2
    assert all(game.outcome is not None for game in games)


def test_a_tournament_of_an_earlier_store_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players of another version may be of another strength, so the version must be the same."""
    monkeypatch.setattr("plyground.arena.config.__version__", "0.1.0")
    path = shutil.copy(FILES / "arena.sqlite", tmp_path)
    command = "arena random:seed=1 pathfinder --preset tiny --games 4 --json --store"
    assert main([*command.split(), str(path)]) == 0
    with Store(Path(path)) as store:
        assert store.count() == 6  # all four games were there already


def test_sessions_of_the_page(tmp_path: Path) -> None:
    name = "a" * 22
    shutil.copy(FILES / "session.json", tmp_path / f"{name}.json")
    shutil.copy(FILES / "session.pgn", tmp_path / f"{name}.pgn")
    store = SessionStore(tmp_path, 9)
    try:
        stored = store.load(name)
        assert stored is not None
        assert stored.agents == (None, "hard")
        assert len(stored.record.moves) == 3
        assert [game.result for _, game in store.past(name)] == ["1-0"]
    finally:
        store.close()


def test_pickled_states() -> None:
    state = pickle.loads((FILES / "state.pickle").read_bytes())
    assert state == State(GameConfig.preset("small")).play("c2")


def test_training_runs(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from plyground.games import registry
    from plyground.train.checkpoint import load_checkpoint
    from plyground.train.replay import ReplayBuffer
    from plyground.train.shards import Shards, row_type

    assert load_checkpoint(FILES / "run" / "checkpoint.pt", "config")["config"]
    (shard,) = (FILES / "run" / "replay").glob("*.npy")
    encoding = registry.get("quoridor").encoding()
    assert set(np.load(shard).dtype.names) <= set(row_type(encoding).names or ())
    replay = ReplayBuffer(encoding, 1000, 1.0, torch.device("cpu"))
    Shards(encoding, shard.parent, 1000).load(replay)
    assert replay.added == len(np.load(shard))
    run = shutil.copytree(FILES / "run", tmp_path / "run")
    command = [sys.executable, "-m", "plyground", "train", "--out", str(run)]
    subprocess.run(
        [*command, "--resume", "--seconds", "1"], check=True, capture_output=True, timeout=300
    )
    export = [sys.executable, "-m", "plyground", "export", str(run / "checkpoint.pt")]
    subprocess.run(
        [*export, "--out", str(tmp_path / "tiny.onnx"), "--float32"],
        check=True,
        capture_output=True,
        timeout=300,
    )
