"""GameConfig: its checks, its presets, its files and its old pickles."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from plyground.config import read_yaml
from plyground.errors import ConfigError
from plyground.quoridor import GameConfig

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """A function that writes a file and returns its path."""

    def write(text: str) -> Path:
        path = tmp_path / "game.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("text", "config"),
    [
        ("", GameConfig()),
        ("# only a comment\n", GameConfig()),
        ("preset: small\nwalls_per_player: 3\n", GameConfig(5, 3, 100, 30)),
        ("board_size: 7\ndraw_penalty: 0\n", GameConfig(board_size=7, draw_penalty=0)),
        ("{preset: tiny, history_length: 16}", GameConfig(3, 2, 50, 20)),
    ],
)
def test_a_file_is_a_preset_with_changes(write: Write, text: str, config: GameConfig) -> None:
    assert GameConfig.from_yaml(write(text)) == config
    assert GameConfig.from_yaml(str(write(text))) == config


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bord_size: 5", "unknown key 'bord_size' in {path}; did you mean 'board_size'?"),
        ("zzz: 5", "unknown key 'zzz' in {path}"),
        ("5: 5", "unknown key 5 in {path}"),
        ("preset: huge", "expected a preset among standard, small, tiny, got 'huge' in {path}"),
        ("preset: [small]", "expected a preset among standard, small, tiny, got ['small'] in"),
        ("board_size: nine", "expected board_size to be a whole number from 3 to 9, got 'nine' in"),
        ("board_size: 2", "expected board_size to be a whole number from 3 to 9, got 2 in {path}"),
        ("max_moves: true", "expected max_moves to be a whole number from 1 to 65535, got True in"),
        ("draw_penalty: .nan", "expected draw_penalty to be a number from -1 to 1, got nan in"),
        ("- board_size", "expected settings like 'preset: ...' in {path}, got ['board_size']"),
        ("board_size: 5\nboard_size: 7", "cannot read {path}: duplicate key 'board_size'"),
        ("a: {b: 1, 'b': 2}", "cannot read {path}: duplicate key 'b'"),
        ("board_size: !!int 9e", "cannot read {path}: "),
        ("board_size: 2020-13-45", "cannot read {path}: "),
        ("board_size: " + "9" * 5000, "cannot read {path}: "),
        ("board_size: !!timestamp x", "cannot read {path}: "),
        ("board_size: !!bool x", "cannot read {path}: "),
        ("board_size: !!python/object:os.system x", "cannot read {path}: "),
        ("[" * 3000, "cannot read {path}: "),
        ("board_size: [", "cannot read {path}: "),
        ("? [board_size]\n: 5", "cannot read {path}: "),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_line(write: Write, text: str, words: str) -> None:
    path = write(text)
    with pytest.raises(ConfigError) as caught:
        GameConfig.from_yaml(path)
    assert str(caught.value).startswith(words.format(path=path))
    assert "\n" not in str(caught.value)


SECTIONS = """\
standard: {board_size: 9, walls_per_player: 10, history_length: 4}
small: {board_size: 5, walls_per_player: 4, max_moves: 80, no_progress_limit: 25}
mine: {preset: tiny, draw_penalty: 0}
"""


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("standard", GameConfig()),
        ("small", GameConfig(5, 4, 80, 25)),
        ("mine", GameConfig(3, 2, 50, 20, 0)),
    ],
)
def test_a_section_of_a_file(write: Write, name: str, config: GameConfig) -> None:
    assert GameConfig.from_yaml(write(SECTIONS), name) == config


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (SECTIONS, None, "expected the name of a section of {path}: standard, small, mine"),
        (SECTIONS, "smal", "unknown section 'smal' of {path}; did you mean 'small'?"),
        ("board_size: 5", "small", "expected sections such as 'small:' in {path}, got settings"),
        (SECTIONS + "board_size: 5", "small", "expected only sections in {path}, got the setting"),
        ("small: {bord_size: 5}", "small", "unknown key 'bord_size' in section small of {path}; "),
        ("small: {board_size: 2}", "small", "expected board_size to be a whole number from 3 to 9"),
    ],
)
def test_sections_that_cannot_be_read(
    write: Write, text: str, name: str | None, words: str
) -> None:
    path = write(text)
    with pytest.raises(ConfigError) as caught:
        GameConfig.from_yaml(path, name)
    assert str(caught.value).startswith(words.format(path=path))
    assert str(path) in str(caught.value)


def test_presets_are_read_from_the_file_in_the_package() -> None:
    path = str(files("plyground") / "data" / "quoridor-presets.yaml")
    assert list(GameConfig.presets()) == ["standard", "small", "tiny"]
    for name, config in GameConfig.presets().items():
        assert GameConfig.from_yaml(path, name) == config == GameConfig.preset(name)
    assert GameConfig.preset("standard") == GameConfig() == GameConfig(9, 10, 200, 50, -0.05)
    assert GameConfig.preset("small") == GameConfig(5, 5, 100, 30, -0.05)
    assert GameConfig.preset("tiny") == GameConfig(3, 2, 50, 20, -0.05)


@pytest.mark.parametrize("size", range(3, 10))
def test_a_board_has_its_usual_walls(size: int) -> None:
    walls = {3: 2, 4: 9, 5: 5}.get(size, 10)
    assert GameConfig(board_size=size).walls_per_player == walls
    assert GameConfig(board_size=size) == GameConfig(size, walls)
    assert GameConfig.for_size(size).walls_per_player == walls
    assert replace(GameConfig(board_size=size), max_moves=7) == GameConfig(size, walls, 7)


@pytest.mark.parametrize("walls", [-1, 17, True, 2.0, "3"])
def test_numbers_of_walls_there_cannot_be(walls: Any) -> None:
    with pytest.raises(ConfigError, match="walls_per_player to be a whole number from 0 to 16"):
        GameConfig(5, walls)


@pytest.mark.parametrize("path", ["missing.yaml", ".", "a\x00b"])
def test_a_file_that_cannot_be_read(path: str) -> None:
    with pytest.raises(ConfigError, match="cannot read"):
        GameConfig.from_yaml(path)


def test_a_pickle_with_a_history_length_still_reads() -> None:
    """The fields of older configs were [5, 4, 90, 25, history_length, draw_penalty]."""
    old = (
        b"\x80\x04\x95M\x00\x00\x00\x00\x00\x00\x00\x8c\x1fplyground.games.quoridor_config\x94"
        b"\x8c\nGameConfig\x94\x93\x94)\x81\x94]\x94(K\x05K\x04KZK\x19K\x02G\xbf\xd0\x00\x00\x00\x00"
        b"\x00\x00eb."
    )
    config = GameConfig(5, 4, 90, 25, draw_penalty=-0.25)
    assert pickle.loads(old) == config
    assert pickle.loads(pickle.dumps(config)) == config


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot read"):
        read_yaml(path, ["board_size"])


def test_an_unknown_preset() -> None:
    with pytest.raises(ConfigError, match="preset among standard, small, tiny, got 'large'"):
        GameConfig.preset("large")


@pytest.mark.parametrize("penalty", [-1, 1, 0.5, 0])
def test_draw_penalties_there_can_be(penalty: Any) -> None:
    assert GameConfig(draw_penalty=penalty).draw_penalty == penalty


@pytest.mark.parametrize("penalty", [-1.01, 2, float("nan"), float("inf"), "0", None, True])
def test_draw_penalties_there_cannot_be(penalty: Any) -> None:
    with pytest.raises(ConfigError, match="draw_penalty to be a number from -1 to 1"):
        GameConfig(draw_penalty=penalty)


def bomb(first: str, others: str) -> str:
    """Nine times the line before, eight times over."""
    lines = [f"a: &a {first}"]
    for name, before in zip("bcdefghi", "abcdefgh", strict=True):
        lines.append(f"{name}: &{name} " + others.replace("...", ", ".join([f"*{before}"] * 9)))
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (bomb("[x, y]", "[...]"), "expected at most 10,000 values"),
        (bomb("{x: 1}", "{<<: [...]}"), "expected at most 10,000 values"),
        ("".join(f"k{number}: 1\n" for number in range(60_000)), "at most 65,536 characters"),
        ("x: [" + "1," * 12_000 + "]", "expected at most 10,000 values"),
        ("x: " + "[" * 500, "expected at most 50 settings inside each other"),
        ("x: &x [*x]", "expected at most 10,000 values"),
    ],
)
def test_a_yaml_bomb_is_refused_before_it_is_read(write: Write, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read_yaml(write(text), ["board_size"])


def test_aliases_and_merge_keys_are_read(write: Write) -> None:
    path = write("small: &small {board_size: 5}\nother: {<<: *small, walls_per_player: 2}\n")
    assert GameConfig.from_yaml(path, "other") == GameConfig(board_size=5, walls_per_player=2)


def test_there_is_one_yaml_loader() -> None:
    for path in Path(str(files("plyground"))).rglob("*.py"):
        if path.name != "config.py":
            assert not re.search(r"yaml\.\w*(load|compose|parse)", path.read_text()), path
