"""Settings files by name: `plyground train tiny`."""

from pathlib import Path

import pytest

from plyground.arena.config import ArenaConfig
from plyground.cli.main import main
from plyground.config_files import config_names, find_config
from plyground.errors import ConfigError
from plyground.train.config import TrainConfig
from plyground.tune.grid import GridConfig

ROOT = Path(__file__).parents[2]


def test_every_file_has_a_name() -> None:
    for kind in ("arena", "train", "tune"):
        files = sorted((ROOT / "configs" / kind).glob("*.yaml"), key=lambda path: path.stem)
        assert config_names(kind) == [path.stem for path in files]
        assert [find_config(kind, path.stem) for path in files] == files


def test_loaders_take_a_name() -> None:
    assert TrainConfig.load("tiny") == TrainConfig.load(ROOT / "configs/train/tiny.yaml")
    assert ArenaConfig.load("ladder") == ArenaConfig.load(ROOT / "configs/arena/ladder.yaml")
    grid = ROOT / "configs/tune/grid-small.yaml"
    assert GridConfig.load("grid-small", ["games=2"]) == GridConfig.load(grid, ["games=2"])


def test_a_file_comes_before_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tiny").mkdir()
    assert find_config("train", "tiny") == ROOT / "configs/train/tiny.yaml"
    Path("tiny").rmdir()
    Path("tiny").touch()
    assert find_config("train", Path("tiny")) == Path("tiny")


@pytest.mark.parametrize("path", ["tiny.yaml", "./tiny", "configs/tiny", "runs/x/config.json"])
def test_other_text_is_a_path(path: str) -> None:
    assert find_config("train", path) == Path(path)


def test_an_unknown_name_is_one_line_with_the_known_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(ConfigError, match=r"named 'tinny': did you mean 'tiny'\?; the package has"):
        find_config("train", "tinny")
    assert main(["arena", "--config", "nothing"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("plyground: no file and no settings of the package named 'nothing': ")
    assert error.endswith("the package has gauntlet, ladder, sprt, swiss\n")
