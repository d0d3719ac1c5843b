"""A game's settings on every command: a file of rules, and options for the draw rules."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from plyground.arena.config import ArenaConfig
from plyground.arena.store import Filter, Store
from plyground.cli import train, web, window
from plyground.cli.main import main
from plyground.cli.options import start_from
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.play import parse_record
from plyground.quoridor import GameConfig, State
from plyground.train.config import TrainConfig

RULES = """\
quick: {board_size: 5, walls_per_player: 2, max_moves: 6, no_progress_limit: 5, draw_penalty: 0}
mine: {preset: tiny, walls_per_player: 1, history_length: 4}
"""
QUICK = GameConfig(5, 2, 6, 5, 0)
LIMITS = ("--max-moves", "6", "--no-progress", "5", "--draw-penalty", "-0.5")


@pytest.fixture
def rules(tmp_path: Path) -> str:
    path = tmp_path / "rules.yaml"
    path.write_text(RULES)
    return str(path)


def config_of(state: object) -> GameConfig:
    assert isinstance(state, State)
    return state.config


# ---- the library


def test_a_file_of_rules_gives_what_game_config_reads(rules: str) -> None:
    game = registry.get("quoridor")
    for name in ("quick", "mine"):
        start = game.start_from(name, rules=rules)
        assert config_of(start) == GameConfig.from_yaml(rules, name)
    assert config_of(game.start_from("quick", {"max_moves": 9}, rules=rules)).max_moves == 9


@pytest.mark.parametrize("size", range(3, 10))
def test_a_flat_file_of_rules(tmp_path: Path, size: int) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(f"board_size: {size}\nmax_moves: 33\nno_progress: 7\n")
    config = config_of(registry.get("quoridor").start_from(rules=path))
    assert (config.board_size, config.max_moves, config.no_progress_limit) == (size, 33, 7)
    assert config.walls_per_player == GameConfig(size).walls_per_player


@pytest.mark.parametrize(
    ("text", "section", "message"),
    [
        (RULES, None, "expected the name of a section of {path}: quick, mine"),
        (RULES, "quik", "unknown section 'quik' of {path}; did you mean 'quick'?"),
        ("bord: 5", None, "unknown key 'bord' in {path}; did you mean 'board'?"),
        ("max_moves: many", None, "expected a whole number for the setting MaxMoves, got 'many'"),
        ("walls: 99", None, "expected Walls to be a whole number from 0 to 64, got 99"),
        ("walls: -3", None, "expected Walls to be a whole number from 0 to 64, got -3"),
        ("preset: smal", None, "quoridor has no preset 'smal'; did you mean 'small'? in {path}"),
    ],
)
def test_files_of_rules_that_cannot_be_read(
    tmp_path: Path, text: str, section: str | None, message: str
) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        registry.get("quoridor").start_from(section, rules=path)
    assert str(caught.value).startswith(message.format(path=path))
    assert str(path) in str(caught.value)


# ---- the commands


def test_perft(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "1", "--rules", rules, "--preset", "quick", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["position"] == "5 c1/c5 - 2/2 1 0 0"
    # With one move left, all games have ended after it.
    assert main(["perft", "2", "--board", "3", "--max-moves", "1", "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["depths"]
    assert first["leaves"] > 0
    assert second["leaves"] == 0


def test_solve(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--rules", rules, "--preset", "mine", *LIMITS, "--json"]) == 0
    solved = json.loads(capsys.readouterr().out)
    assert solved["position"].startswith("3 b1/b3 - 1/1 ")
    assert (solved["plies"], solved["drawn_after"]) == (8, 6)
    assert main(["solve", "--preset", "tiny", "--max-moves", "1"]) == 0
    assert "end it after 1 ply\n" in capsys.readouterr().out
    assert main(["solve", "--preset", "tiny", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["drawn_after"] is None


def test_play(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--rules", rules, "--preset", "quick", "--p1", "random", "--p2", "random"]
    assert main(["play", *options, "--seed", "1"]) == 0
    printed = capsys.readouterr().out
    record = parse_record(printed[printed.index("[Game ") :])
    assert config_of(record.start_state()) == QUICK
    assert len(record.moves) <= 6
    assert main(["play", "--rules", rules, "--load", "x.pgn"]) == 2
    assert "leave out 'rules'" in capsys.readouterr().err


def test_match(rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "games.pgn"
    options = ["--rules", rules, "--preset", "quick", "--draw-penalty", "-0.5", "--games", "2"]
    options += ["--openings", "start", "--save", str(games)]
    assert main(["match", "random:seed=1", "random:seed=2", *options]) == 0
    capsys.readouterr()
    text = games.read_text()
    assert text.count('[MaxMoves "6"]') == text.count('[DrawPenalty "-0.5"]') == 2


def test_arena_and_its_file(rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arena.yaml"
    shared = "agents: ['random:seed=1', 'random:seed=2']\ngames: 2\nopenings: start\n"
    path.write_text(shared + "rules: rules.yaml\npreset: quick\nwalls: 1\n")
    assert config_of(ArenaConfig.load(path).start_state()) == GameConfig(5, 1, 6, 5, 0)
    store = tmp_path / "arena.sqlite"
    assert main(["arena", "--config", str(path), "--store", str(store), *LIMITS]) == 0
    capsys.readouterr()
    with Store(store, read_only=True) as opened:
        starts = [config_of(game.record().start_state()) for game in opened.games(Filter())]
    assert starts == [GameConfig(5, 1, 6, 5, -0.5)] * 2
    path.write_text(shared + "board_size: 4\nwalls_per_player: 3\nno_progress_limit: 8\n")
    assert config_of(ArenaConfig.load(path).start_state()) == GameConfig(4, 3, 200, 8)


def test_study(rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--games", "2", "--out", str(tmp_path / "depth")]
    options = ["--rules", rules, "--preset", "mine", "--max-moves", "20"]
    assert main(["study", "depth", "--depths", "1", "2", *options, *out]) == 0
    assert "Quoridor 3x3, Walls 1, MaxMoves 20, 2 games" in capsys.readouterr().out
    out = ["--games", "2", "--plies", "2", "--out", str(tmp_path / "first")]
    options = ["--rules", rules, "--presets", "mine", "quick", "--agent", "random"]
    assert main(["study", "first-player", *options, *out]) == 0
    printed = capsys.readouterr().out
    assert "mine" in printed
    assert "quick" in printed


def parse(module: object, *words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)  # type: ignore[attr-defined]
    return parser.parse_args(words)


def test_window(rules: str) -> None:
    args = parse(window, "quoridor", "--rules", rules, "--preset", "quick", "--no-progress", "4")
    args.game = args.what
    assert config_of(start_from(args)) == GameConfig(5, 2, 6, 4, 0)


def test_web(rules: str) -> None:
    args = parse(web, "--rules", rules, "--preset", "quick", "--max-moves", "8")
    usual = web._usual_settings(args)
    assert config_of(registry.get("quoridor").start(usual["quoridor"])) == GameConfig(5, 2, 8, 5, 0)
    assert web._usual_settings(parse(web)) == {}


def test_train(rules: str, tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("preset: small\nmax_moves: 80\n")
    assert config_of(TrainConfig.load(path).start) == GameConfig(5, 5, 80, 30)
    path.write_text("rules: rules.yaml\npreset: quick\n")
    assert config_of(TrainConfig.load(path).start) == QUICK
    options = train._rules(parse(train, "--rules", rules, "--preset", "quick", *LIMITS))
    path.write_text("preset: standard\nmax_moves: 150\n")
    assert config_of(TrainConfig.load(path, options).start) == GameConfig(5, 2, 6, 5, -0.5)
    assert config_of(TrainConfig.load(path, ["preset=tiny"]).start) == GameConfig(3, 2, 50, 20)
    with pytest.raises(ConfigError, match="reversi has no presets"):
        TrainConfig.of({"game": "reversi", "preset": "small"})
