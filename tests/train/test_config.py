"""Settings: from files, from the command line, and how they are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plyground.errors import ConfigError
from plyground.train.config import TrainConfig, line_value, step_value

CONFIGS = sorted(Path("configs/train").glob("*.yaml"))


def test_there_are_configs() -> None:
    assert {path.stem for path in CONFIGS} >= {
        *("tiny", "small", "standard"),
        *("reversi", "reversi-tiny"),
        *("quoridor-net-tiny", "quoridor-net-small", "quoridor-net-standard"),
    }


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_each_config_loads_and_survives_being_saved(path: Path, tmp_path: Path) -> None:
    config = TrainConfig.load(path)
    saved = tmp_path / "config.json"
    saved.write_text(json.dumps(config.as_dict()))
    assert TrainConfig.load(saved) == config
    assert config != TrainConfig()


def test_the_command_line_comes_before_the_file(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("games: 64\nsimulations: {0: 8, 60: 16}\nsave_replay: false\n")
    config = TrainConfig.load(path, ["games=32", "learning_rate=0:0.1,10:0.2", "c_scale=1"])
    assert (config.games, config.c_scale) == (32, 1.0)
    assert not config.save_replay
    assert list(config.simulations) == [(0, 8), (60, 16)]
    assert list(config.learning_rate) == [(0, 0.1), (10, 0.2)]
    assert TrainConfig.of({}, ["simulations=12", "save_replay=true"]).simulations == ((0, 12),)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("batchsize=4", "unknown setting 'batchsize'; did you mean 'batch_size'?"),
        ("games", "expected key=value, got 'games'"),
        ("games=many", "expected games to be a whole number, got 'many'"),
        ("games=3", "expected games to be an even number, got 3"),
        ("games=0", "expected games to be a whole number from 2 to 1000000, got 0"),
        ("games=1000000000", "games to be a whole number from 2 to 1000000, got 1000000000"),
        ("replay_positions=1000000000000", "replay_positions to be a whole number from 1 to 1"),
        ("learning_rate=-1", "expected learning_rate to be a number from 0 to 1000000000, got -1"),
        ("learning_rate=0:0.1,9:nan", "learning_rate to be a number from 0 .*, got nan"),
        ("learning_rate=inf", "learning_rate to be a number from 0 .*, got inf"),
        ("learning_rate=0:0.1,inf:0.2", "the times of learning_rate to be a number .*, got inf"),
        ("learning_rate=nan:0.2", "the times of learning_rate to be a number .*, got nan"),
        ("learning_rate=-1:0.2", "the times of learning_rate to be a number from 0 .*, got -1"),
        ("margin_weight=-3", "margin_weight to be a number from 0 to 1000000000, got -3"),
        ("value_weight=nan", "value_weight to be a number from 0 to 1000000000, got nan"),
        ("weight_decay=-1", "weight_decay to be a number from 0 to 1000000000, got -1"),
        ("uses_per_position=0", "uses_per_position to be a number from 0.001 to 1000000, got 0"),
        ("uses_per_position=nan", "uses_per_position to be a number from 0.001 .*, got nan"),
        ("report_s=nan", "report_s to be a number from 0.1 to 1000000000, got nan"),
        ("seconds=inf", "seconds to be a number from 0 to 1000000000, got inf"),
        ("average_decay=nan", "average_decay to be a number from 0 to 1, got nan"),
        ("c_visit=nan", "c_visit to be a number from 0 to 1000000, got nan"),
        ("c_scale=-1", "c_scale to be a number from 0 to 1000, got -1"),
        ("seed=-1", "seed to be a whole number from 0 to 9223372036854775807, got -1"),
        ("seed=99999999999999999999", "seed to be a whole number from 0 to 9"),
        ("simulations=0", "expected simulations to be a number from 1 to 1000000, got 0"),
        ("heuristic_weight=5", "heuristic_weight to be a number from 0 to 1, got 5"),
        ("boards=3:inf", "expected boards to be shares of sizes 3 to 9"),
        ("boards=3:nan", "expected boards to be shares of sizes 3 to 9"),
        ("c_visit=x", "expected c_visit to be a number, got 'x'"),
        ("save_replay=maybe", "expected save_replay to be true or false"),
        ("learning_rate=0:0.1,0:0.2", "learning_rate to be a number or a schedule .*, got '0:0.1,"),
        ("learning_rate=0:0.1,0.2", "learning_rate to be a number or a schedule"),
        ("simulations=60:8,0:16", "expected simulations to be a number or a schedule"),
        ("random_openings=2", "random_openings to be a number from 0 to 1, got 2"),
        ("device=tpu", "expected device to be auto, cpu or cuda, got 'tpu'"),
        ("board_size=2", "expected board_size to be a whole number from 3 to 9, got 2"),
        ("boards=2:1,3:1", "expected boards to be shares of sizes 3 to 9"),
        ("boards=4:1,5:1", "expected boards to have a share for board_size 3"),
        ("network=pathnet", "unknown network 'pathnet' for quoridor .did you mean 'path_net'?"),
        ("history_length=9", "history_length to be a whole number from 1 to 8, got 9"),
        ("replay_positions=10", "expected replay_positions to hold warmup_positions"),
    ],
)
def test_mistakes_are_told(override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("?", r"\?")):
        TrainConfig.of({}, [override])


def test_unknown_keys_in_a_file_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("batchsize: 4\n")
    with pytest.raises(ConfigError, match=r"unknown key 'batchsize' in .*batch_size"):
        TrainConfig.load(path)


@pytest.mark.parametrize("override", ["foo=1", "games=0", "games=many", "device=tpu"])
def test_a_mistake_on_the_command_line_does_not_blame_the_file(
    override: str, tmp_path: Path
) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("games: 64\n")
    with pytest.raises(ConfigError) as error:
        TrainConfig.load(path, [override])
    assert "run.yaml" not in str(error.value)


@pytest.mark.parametrize("setting", ["games: 0", "games: many", "device: tpu"])
def test_a_mistake_in_a_file_names_the_file(setting: str, tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text(setting)
    with pytest.raises(ConfigError, match=r"got .* in .*run\.yaml"):
        TrainConfig.load(path, ["seed=2"])
    assert TrainConfig.load(path, ["games=32", "device=cpu"]).games in (32, TrainConfig().games)


def test_a_network_of_one_board_size_has_no_other_boards() -> None:
    settings = {"network": "quoridor_net", "boards": {"3": 1, "5": 1}}
    with pytest.raises(ConfigError, match="quoridor_net has one board size, so boards cannot"):
        TrainConfig.of(settings)
    with pytest.raises(ConfigError, match="unknown network 'quoridor_net' for reversi"):
        TrainConfig.of({"game": "reversi", "network": "quoridor_net"})


def test_games_are_shared_out_among_the_boards() -> None:
    config = TrainConfig.of({"board_size": 9, "walls_per_player": 7}, ["boards=4:1,6:1,9:6"])
    assert config.games_by_size(4096) == {4: 512, 6: 512, 9: 3072}
    assert config.games_by_size(3) == {6: 1, 9: 2}
    assert TrainConfig.of(config.as_dict()) == config
    walls = [config.start_on(size).text().split()[3] for size in (4, 6, 9)]
    assert walls == ["9/9", "10/10", "7/7"]
    assert TrainConfig().games_by_size(10) == {3: 10}
    assert TrainConfig(game="reversi").games_by_size(10) == {8: 10}
    with pytest.raises(ConfigError, match="networks of reversi have one board size, so boards"):
        TrainConfig.of({"game": "reversi"}, ["boards=3:1,9:1"])


def test_schedules() -> None:
    steps = ((0, 16), (60, 32), (300, 64))
    assert [step_value(steps, at) for at in (0, 59.9, 60, 1000)] == [16, 16, 32, 64]
    line = ((0, 1), (80, 1), (100, 0))
    assert [line_value(line, at) for at in (0, 80, 95, 100, 1000)] == [1, 1, 0.25, 0, 0]
    assert line_value(((0, 3),), 7) == 3
    assert step_value(((5, 2), (9, 3)), 0) == line_value(((5, 2), (9, 3)), 0) == 2
