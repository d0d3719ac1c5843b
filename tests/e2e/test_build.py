"""The wheel and the source archive: their contents, and the wheel in a clean environment."""

import email.message
import email.parser
import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy
import pytest
import yaml

import plyground
from plyground.config_files import config_names

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MB = 1 << 20
TAG = "cp312-abi3" if sys.version_info >= (3, 12) else "cp311-cp311"
Run = Callable[..., str]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `make wheel` builds; build/ is its cache, so only a first build is slow."""
    folder = tmp_path_factory.mktemp("wheel")
    tools = Path(sys.executable).parent
    # Where there is no other compiler, the set-up has put one in the environment's zig folder.
    path = os.pathsep.join([str(tools), os.environ["PATH"], str(tools.parent / "zig")])
    subprocess.run(
        [sys.executable, str(ROOT / "tools/build_wheel.py"), str(folder)],
        env={"CXX": "c++", **os.environ, "PATH": path, "PLYGROUND_NATIVE": "1"},
        check=True,
    )
    (built,) = folder.glob("plyground-*.whl")
    return built


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> email.message.Message:
    """What a package registry shows."""
    content = zipfile.ZipFile(wheel)
    (name,) = [name for name in content.namelist() if name.endswith(".dist-info/METADATA")]
    return email.parser.Parser().parsestr(content.read(name).decode())


@pytest.fixture(scope="module")
def run(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a program of a clean environment with the wheel, away from the source tree."""
    folder = tmp_path_factory.mktemp("clean")
    clean = folder / "venv"
    venv.create(clean, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", str(clean / "bin/python")]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", wheel], check=True)
    # numpy and yaml come from the environment the tests run in: their folder goes last on the path,
    # and its own .pth files, which lead to the source tree, are not read from there.
    (site_packages,) = clean.glob("lib/python*/site-packages")
    outer = {Path(str(module.__file__)).parents[1] for module in (numpy, yaml)}
    (site_packages / "outer.pth").write_text("\n".join(map(str, outer)))

    def run(program: str, *arguments: str, status: int = 0) -> str:
        environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(
            [clean / "bin" / program, *arguments],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    return run


def test_wheel_holds_types_configs_and_core_but_no_sources(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    (core,) = [name for name in names if Path(name).name.startswith("_core.") and ".so" in name]
    suffix = ".abi3.so" if "abi3" in TAG else sysconfig.get_config_var("EXT_SUFFIX")
    assert core == f"plyground/_core{suffix}"
    assert {"plyground/py.typed", "plyground/_core.pyi"} <= set(names)
    configs = {str(path.relative_to(ROOT)) for path in ROOT.glob("configs/*/*.yaml")}
    assert {
        name.removeprefix("plyground/") for name in names if "/configs/" in name and name[-1] != "/"
    } == configs
    outside = [name for name in names if not name.startswith(("plyground/", "plyground-"))]
    assert outside == []
    assert [name for name in names if name.endswith((".cpp", ".h", ".a", ".cmake", ".ts"))] == []


def test_wheel_is_small_and_tagged_for_a_registry(wheel: Path) -> None:
    assert wheel.stat().st_size < 4 * MB
    puzzles = zipfile.ZipFile(wheel).getinfo("plyground/data/puzzles.txt.xz")
    assert puzzles.compress_size < 300_000
    assert f"-{TAG}-" in wheel.name
    if sys.platform == "linux":
        assert re.search(r"-manylinux_2_\d+_\w+\.whl$", wheel.name)


def test_a_build_without_the_switch_is_portable(wheel: Path) -> None:
    """The binding runs on the oldest processor, and AVX-512 is chosen while the program runs."""
    (commands,) = ROOT.glob(f"build/portable-wheel-{TAG}-*/compile_commands.json")
    options = {
        Path(entry["file"]): entry["command"].split() for entry in json.loads(commands.read_text())
    }
    for path, words in options.items():
        chosen = [word for word in words if word.startswith(("-march", "-mcpu", "-mtune", "-mavx"))]
        is_engine = path.is_relative_to(ROOT / "cpp") and path.parent.name != "bind"
        if path.name.endswith("_avx512.cpp"):
            chosen = [word for word in chosen if not word.startswith("-mavx512")]
        assert chosen in ([], ["-march=x86-64-v3"] if is_engine else []), path


def test_wheel_works_in_a_clean_environment(run: Run) -> None:
    program = (
        "import plyground, sys; from plyground import quoridor, _core; print(*(name.startswith("
        "sys.prefix) for name in (plyground.__file__, _core.__file__)), "
        "quoridor.perft(quoridor.State(), 1), _core.build_info()['processor'])"
    )
    in_package, core_in_package, leaves, processor = run("python", "-c", program).split()
    assert (in_package, core_in_package) == ("True", "True")
    assert leaves == "131"  # 3 pawn moves and 128 walls
    assert processor != "native"
    assert "info" in run("plyground", "--help")
    assert "info" in run("python", "-m", "plyground", "--help")


def test_wheel_finds_its_settings_by_name(run: Run) -> None:
    error = run("plyground", "arena", "--config", "ladderr", status=2)
    assert error.count("\n") == 1
    assert "did you mean 'ladder'?" in error
    assert "gauntlet, ladder, sprt, swiss" in error
    program = "from plyground.train.config import TrainConfig; print(TrainConfig.load('tiny').size)"
    assert run("python", "-c", program) == "3\n"


def test_metadata_is_fit_for_a_registry(metadata: email.message.Message) -> None:
    assert metadata["Version"] == plyground.__version__
    urls = dict(text.split(", ") for text in metadata.get_all("Project-URL", []))
    assert {"Repository", "Documentation", "Changelog", "Issues"} <= urls.keys()
    assert all(url.startswith("https://") for url in urls.values())
    text = str(metadata.get_payload())
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 20
    assert [link for link in links if not link.startswith("https://")] == []
    base = f"{urls['Repository']}/blob/main/"
    for link in links:
        if link.startswith(base):
            assert (ROOT / link.removeprefix(base).partition("#")[0]).exists(), link


def test_source_archive_is_small_and_complete(tmp_path: Path) -> None:
    program = (
        "from scikit_build_core.build import build_sdist; import sys; build_sdist(sys.argv[1])"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("plyground-*.tar.gz")
    assert archive.stat().st_size < 5 * MB
    with tarfile.open(archive) as content:
        names = {name.partition("/")[2] for name in content.getnames()}
    needed = ["pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE", "NOTICE", "SECURITY.md"]
    needed += [
        "cpp/bind/module.cpp",
        "configs/train/tiny.yaml",
        "src/plyground/data/quoridor.npz.xz",
    ]
    assert set(needed) <= names
    assert [name for name in names if name.startswith(("checkpoints", "build", ".venv"))] == []


def test_the_version_is_in_one_place() -> None:
    assert "version" not in PYPROJECT["project"]
    assert plyground.__version__ == version("plyground")
    assert re.fullmatch(r"\d+\.\d+\.\d+", plyground.__version__)


def test_settings_of_a_checkout_are_those_of_the_package() -> None:
    assert "tiny" in config_names("train")
    assert config_names("arena") == ["gauntlet", "ladder", "sprt", "swiss"]
