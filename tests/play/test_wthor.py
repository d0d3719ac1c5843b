"""WTHOR files, made here by a writer of a few lines."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.play import parse_wthor, read_names, read_wthor
from plyground.reversi import PASS, State


def header(games: int, names: int = 0, size: int = 8, kind: int = 0) -> bytes:
    return struct.pack("<4B I H H 4B", 20, 24, 1, 31, games, names, 1999, size, kind, 24, 0)


def game_bytes(actions: list[int], discs: int, ids: tuple[int, int, int] = (2, 0, 1)) -> bytes:
    squares = [10 * (a // 8 + 1) + a % 8 + 1 for a in actions if a != PASS]
    return struct.pack("<3H 2B 60s", *ids, discs, 40, bytes(squares))


def random_game(rng: random.Random) -> tuple[list[int], State]:
    state, actions = State(), []
    while not state.game_over:
        actions.append(rng.choice(state.legal_actions()))
        state = state.play(actions[-1])
    return actions, state


def test_games_come_back_with_their_passes(rng: random.Random) -> None:
    games = [random_game(rng) for _ in range(100)]
    discs = [32 + end.score // 2 for _, end in games]
    data = b"".join(game_bytes(actions, n) for (actions, _), n in zip(games, discs, strict=True))
    read = parse_wthor(header(len(games)) + data)
    assert any(PASS in actions for actions, _ in games)
    for game, (actions, end), black in zip(read, games, discs, strict=True):
        assert game.actions() == actions
        assert (game.year, game.black_discs, game.best_black_discs, game.best_from) == (
            1999,
            black,
            40,
            24,
        )
        record = game.record()
        assert record.actions("board") == actions
        assert end.outcome is not None
        assert record.result == end.outcome.result


def test_a_record_has_names_where_they_are_known() -> None:
    [game] = parse_wthor(header(1) + game_bytes([37, 43], discs=20))
    assert game.record().tags == {
        "Event": "tournament 2",
        "Date": "1999",
        "Player1": "player 0",
        "Player2": "player 1",
    }
    record = game.record(["Tamenori", "Logistello"], ["-", "-", "Princeton"])
    assert list(record.tags.values()) == ["Princeton", "1999", "Tamenori", "Logistello"]


@pytest.mark.parametrize(("discs", "result"), [(20, "0-1"), (32, "1/2-1/2"), (33, "1-0")])
def test_a_game_that_was_broken_off_has_the_result_of_the_file(discs: int, result: str) -> None:
    [game] = parse_wthor(header(1) + game_bytes([37, 43], discs))
    assert game.record().result == result


def test_files_and_names(tmp_path: Path) -> None:
    (tmp_path / "games.wtb").write_bytes(header(1, size=0) + game_bytes([37], 40))
    assert [game.squares for game in read_wthor(tmp_path / "games.wtb")] == [(37,)]
    for suffix, width in ((".jou", 20), (".TRN", 26)):
        names = ["Tastet Marc", "Müller"]
        data = b"".join(name.encode("latin-1").ljust(width, b"\0") for name in names)
        (tmp_path / f"names{suffix}").write_bytes(header(0, names=2) + data)
        assert read_names(tmp_path / f"names{suffix}") == names


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "expected a header of 16 bytes, got 0"),
        (header(2) + bytes(68), "expected 152 bytes for 2 games, got 84"),
        (header(0) + b"x", "expected 16 bytes for 0 games, got 17"),
        (header(0, size=10), "expected games on 8x8, got board size 10 and type 0"),
        (header(0, kind=1), "expected games on 8x8, got board size 8 and type 1"),
        (
            header(1) + bytes(8) + bytes([56, 64, 19]) + bytes(57),
            "game 1, move 3: expected a square from 11 to 88, got 19",
        ),
    ],
)
def test_bad_files_are_explained(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_wthor(data)
    assert str(caught.value) == message
    path = tmp_path / "bad.wtb"
    path.write_bytes(data)
    with pytest.raises(NotationError) as caught:
        read_wthor(path)
    assert str(caught.value) == f"{path}: {message}"


def test_an_illegal_move_is_named_by_its_number() -> None:
    [game] = parse_wthor(header(1) + game_bytes([37, 43, 0], discs=20))
    with pytest.raises(IllegalMoveError, match="move 3: illegal move 'a1' in '"):
        game.actions()


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*none\.wtb: No such file"):
        read_wthor(tmp_path / "none.wtb")
    with pytest.raises(ConfigError, match=r"expected a \.jou or \.trn file, got"):
        read_names(tmp_path / "names.txt")
    (tmp_path / "short.jou").write_bytes(header(0, names=3))
    with pytest.raises(NotationError, match=r"short\.jou: expected 76 bytes for 3 names, got 16"):
        read_names(tmp_path / "short.jou")
