"""Positions as tables: every row agrees with the game, in both views, for the player to move."""

from __future__ import annotations

import gc
import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from plyground import quoridor, reversi
from plyground.data import (
    Filter,
    planes_of,
    position_batches,
    position_columns,
    positions,
    read_records,
    write_positions,
)
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.play import MoveRecord, Record, write_games
from tests.conformance.connect_four import ConnectFour

SMALL = quoridor.State(quoridor.GameConfig.preset("small"))
STARTS: list[State] = [SMALL, quoridor.State(), reversi.State()]


def random_record(start: State, rng: random.Random, plies: int = 30) -> Record:
    state, moves = start, list[MoveRecord]()
    while state.outcome is None and len(moves) < plies:
        action = rng.choice(state.legal_actions())
        moves.append(MoveRecord(state.format_move(action), score=rng.randint(-9, 9) / 4))
        state = state.play(action)
    result = None if state.outcome else rng.choice(["1-0", "0-1", "1/2-1/2"])
    return Record.from_moves(moves, start, {"Player1": "Ann", "Player2": "Bob"}, result=result)


@pytest.mark.parametrize("start", STARTS, ids=["5x5", "9x9", "reversi"])
def test_every_row_of_text_agrees_with_the_game(start: State, rng: random.Random) -> None:
    record = random_record(start, rng)
    rows = positions(record).to_pylist()
    for row, state, move in zip(rows, record.states(), record.moves, strict=False):
        read = start.game.start(record.settings, row["position"])
        assert read.text() == state.text()
        assert state.play(row["action"]) == state.play(row["move"]) == state.play(move.text)
        assert row["player"] == state.current_player
        assert row["name"] == record.player_name(state.current_player)
        assert row["outcome"] == 2 * record.points(state.current_player) - 1
        assert row["value"] == move.score
    assert len(rows) == len(record.moves)


@pytest.mark.parametrize("start", STARTS, ids=["5x5", "9x9", "reversi"])
def test_every_row_of_planes_agrees_with_the_game(start: State, rng: random.Random) -> None:
    record = random_record(start, rng)
    table = positions(record, view="planes")
    planes = planes_of(table)
    rows = zip(planes, table["action"].to_pylist(), record.states(), record.moves, strict=False)
    for seen, action, state, move in rows:
        assert np.array_equal(seen, state.game.planes(state))
        assert state.play(state.game.mover_action(state, action)) == state.play(move.text)
    assert len(planes) == len(record.moves)


def test_both_players_see_the_same_from_their_sides() -> None:
    """A game in which player 2 mirrors player 1 has every planes and label twice."""
    table = positions(Record.from_moves(["e2", "e8", "e3", "e7"]), view="planes")
    assert table["action"].to_pylist() == [13, 13, 22, 22]
    pawns = planes_of(table)[:, 1:3]
    assert np.array_equal(pawns[0, 0], pawns[1, 0])
    assert np.array_equal(pawns[2, 0], pawns[3, 0])


def test_labels_of_planes_are_legal_in_the_flipped_mask(rng: random.Random) -> None:
    record = random_record(SMALL, rng)
    for action, state in zip(record.actions("mover"), record.states(), strict=False):
        assert isinstance(state, quoridor.State)
        assert state.action_mask(flipped=True)[action]


def test_actions_of_a_record_need_a_view() -> None:
    record = Record.from_moves(["e2", "e8"])
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'view'"):
        record.actions()  # type: ignore[call-arg]
    with pytest.raises(ConfigError, match="expected the view 'board' or 'mover', got 'me'"):
        record.actions("me")  # type: ignore[arg-type]
    assert record.actions("board") == [13, 67]
    assert record.actions("mover") == [13, 13]


def test_planes_are_those_that_networks_read(rng: random.Random) -> None:
    torch = pytest.importorskip("torch")
    from plyground import _core
    from plyground.nets.features import Expander

    for state in random_record(SMALL, rng).states():
        assert isinstance(state, quoridor.State)
        packed = torch.from_numpy(_core.quoridor_net_features(state))[None]
        expected = Expander(state.game.encoding(), 5).planes(packed)[0].numpy()
        assert np.array_equal(state.game.planes(state), expected)


def test_a_game_in_plain_python_has_planes(connect_four: ConnectFour) -> None:
    record = Record.from_moves([0, 1, 0], connect_four.start())
    table = positions(record, view="planes")
    planes = planes_of(table)
    assert planes.shape == (3, 2, 6, 7)
    assert planes.sum(axis=(1, 2, 3)).tolist() == [0, 1, 2]
    assert planes[1, 1].sum() == 1  # the disc of player 1, as player 2 sees it
    assert table["action"].to_pylist() == [0, 1, 0]


def test_unknown_outcomes_and_values_are_null() -> None:
    table = positions(Record.from_moves(["e2"]))
    assert table["outcome"].to_pylist() == [None]
    (columns,) = position_columns(Record.from_moves(["e2"]))
    assert math.isnan(float(columns["value"][0]))


def test_a_finished_game_without_moves_has_no_rows() -> None:
    assert positions([]).num_rows == 0
    assert positions([]).column_names == positions(Record.from_moves(["e2"])).column_names
    with pytest.raises(ConfigError, match="expected positions to make planes of, found none"):
        positions([], view="planes")


def test_batches_are_the_table_in_parts(rng: random.Random) -> None:
    records = [random_record(SMALL, rng) for _ in range(3)]
    parts = list(position_batches(records, rows=7))
    assert max(part.num_rows for part in parts) == 7
    assert pa.Table.from_batches(parts) == positions(records)


def test_planes_and_numbers_are_not_copied() -> None:
    table = positions(Record.from_moves(["e2", "e8"]), view="planes")
    values = table["planes"].chunk(0).flatten()
    assert planes_of(table).ctypes.data == values.buffers()[1].address
    frame = table.to_pandas(split_blocks=True)
    assert isinstance(frame, pd.DataFrame)
    actions = table["action"].chunk(0)
    assert frame["action"].to_numpy().ctypes.data == actions.buffers()[1].address


def test_planes_of_a_slice(rng: random.Random) -> None:
    table = positions([random_record(SMALL, rng, 5) for _ in range(2)], view="planes")
    assert np.array_equal(planes_of(table.slice(3, 4)), planes_of(table)[3:7])
    both = pa.concat_tables([table, table])
    assert np.array_equal(planes_of(both)[10:], planes_of(table))


@pytest.mark.parametrize("suffix", ["parquet", "npz"])
@pytest.mark.parametrize("view", ["text", "planes"])
def test_files(tmp_path: Path, suffix: str, view: str, rng: random.Random) -> None:
    records = [random_record(SMALL, rng) for _ in range(2)]
    path = tmp_path / f"positions.{suffix}"
    table = positions(records, view=view)  # type: ignore[arg-type]
    assert write_positions(records, path, view=view) == table.num_rows  # type: ignore[arg-type]
    if suffix == "parquet":
        from pyarrow import parquet

        read = parquet.read_table(path)
        assert read.equals(table)
        assert read.schema.metadata[b"plyground"] == table.schema.metadata[b"plyground"]
        return
    with np.load(path) as arrays:
        assert set(arrays) == set(table.column_names)
        assert arrays["action"].tolist() == table["action"].to_pylist()
        if view == "planes":
            assert np.array_equal(arrays["planes"], planes_of(table))
        else:
            assert arrays["position"].tolist() == table["position"].to_pylist()


def test_a_failed_write_leaves_no_file(tmp_path: Path) -> None:
    for name in ("x.parquet", "x.npz"):
        with pytest.raises(ConfigError, match="expected positions to write, found none"):
            write_positions([], tmp_path / name)
    with pytest.raises(ConfigError, match=r"ends in \.parquet or \.npz, got"):
        write_positions([], tmp_path / "x.csv")
    assert list(tmp_path.iterdir()) == []


def test_boards_of_different_sizes_are_refused(rng: random.Random) -> None:
    records = [random_record(SMALL, rng, 2), random_record(quoridor.State(), rng, 2)]
    with pytest.raises(
        ConfigError, match=r"one board for planes, got planes \(32, 5, 5\) in game 1"
    ):
        positions(records, view="planes")
    assert positions(records).num_rows == 4


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ConfigError, match="expected the view 'text' or 'planes', got 'image'"):
        positions([], view="image")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="expected a Record, got 'e2'"):
        positions(["e2"])  # type: ignore[list-item]
    with pytest.raises(ConfigError, match="positions with planes"):
        planes_of(positions([]))
    with pytest.raises(ConfigError, match=r"cannot read nothing\.pgn: No such file"):
        positions("nothing.pgn")


def test_missing_pyarrow_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ConfigError, match=r"need pyarrow: pip install 'plyground\[data\]'"):
        positions([])
    record = Record.from_moves(["e2"])
    assert write_positions(record, tmp_path / "x.npz") == 1  # needs numpy only


GAMES: list[AnyGame] = list(registry.games().values())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_replay_files(tmp_path: Path, game: AnyGame, rng: random.Random) -> None:
    """A replay written by training's own code has the same planes as its positions."""
    pytest.importorskip("torch")
    from plyground.train.shards import row_type

    start: State = SMALL if game is SMALL.game else game.start()
    states = random_record(start, rng, 6).states()[:-1]
    encoding, size = game.encoding(), game.board_size(start)
    rows = np.zeros(len(states), row_type(encoding))
    entries = encoding.board_actions(size)
    chosen = [game.mover_action(state, rng.choice(state.legal_actions())) for state in states]
    for row, state, action in zip(rows, states, chosen, strict=True):
        row["features"] = packed(state)
        row["policy"][entries[action]] = 1
        row["outcome"], row["root_value"] = 1, -0.5
    np.save(tmp_path / "00000000.npy", rows)
    table = positions(tmp_path, view="planes")
    assert np.array_equal(planes_of(table), np.stack([game.planes(state) for state in states]))
    assert table["action"].to_pylist() == chosen
    assert set(table["outcome"].to_pylist()) == {1}
    assert set(table["value"].to_pylist()) == {-0.5}
    assert table["policy"].type.list_size == game.action_count(start)
    with pytest.raises(ConfigError, match="is a replay, which has planes without games"):
        positions(tmp_path)


def packed(state: State) -> NDArray[np.uint8]:
    from plyground import _core

    if isinstance(state, quoridor.State):
        return _core.quoridor_net_features(state)
    assert isinstance(state, reversi.State)
    return _core.reversi_net_features(state)


def test_other_arrays_are_no_replay(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(3))
    with pytest.raises(ConfigError, match="expected a replay file of training"):
        positions(tmp_path / "x.npy", view="planes")
    (tmp_path / "y.npy").write_bytes(b"nothing")
    with pytest.raises(ConfigError, match="cannot read the replay"):
        positions(tmp_path / "y.npy", view="planes")


def test_the_newest_records(rng: random.Random, tmp_path: Path) -> None:
    records = [random_record(SMALL, rng, plies) for plies in (2, 4, 6)]
    write_games(records, tmp_path / "games.pgn")
    found = list(read_records(tmp_path / "games.pgn", Filter(last=2, max_plies=4)))
    assert [len(record.moves) for record in found] == [2, 4]


def test_a_parquet_file_that_ends_early_is_closed_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with planes of two board sizes, when the first rows have been written already."""

    def two_sizes(*_: object) -> Iterator[object]:
        yield from position_columns(Record.from_moves(["e2"]))
        raise ConfigError("expected games on one board")

    unraisable: list[object] = []
    monkeypatch.setattr("plyground.data.files.position_columns", two_sizes)
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    with pytest.raises(ConfigError, match="one board"):
        write_positions([], tmp_path / "x.parquet")
    gc.collect()
    assert not unraisable
    assert not any(tmp_path.iterdir())
