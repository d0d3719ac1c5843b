"""The wheel: what is in it, and that it works in a clean environment away from the source tree."""

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

import plyground

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `make wheel` builds; build/ is its cache, so only a first build is slow."""
    folder = tmp_path_factory.mktemp("wheel")
    tools = Path(sys.executable).parent
    # Where there is no other compiler, the set-up has put one in the environment's zig folder.
    path = os.pathsep.join([str(tools), os.environ["PATH"], str(tools.parent / "zig")])
    pip_wheel = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps"]
    subprocess.run(
        [*pip_wheel, "--quiet", "--wheel-dir", str(folder), str(ROOT)],
        env={"CXX": "c++", **os.environ, "PATH": path, "PLYGROUND_PORTABLE": "1"},
        check=True,
    )
    (built,) = folder.glob("plyground-*.whl")
    return built


def test_wheel_holds_types_and_core_but_no_sources(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    assert {"plyground/py.typed", "plyground/_core.pyi", f"plyground/_core{suffix}"} <= set(names)
    outside = [name for name in names if not name.startswith(("plyground/", "plyground-"))]
    assert outside == []
    assert [name for name in names if name.endswith((".cpp", ".h", ".a", ".cmake", ".ts"))] == []


def test_the_puzzles_take_little_room_in_a_small_wheel(wheel: Path) -> None:
    puzzles = zipfile.ZipFile(wheel).getinfo("plyground/data/puzzles.txt.xz")
    assert puzzles.compress_size < 300_000
    assert wheel.stat().st_size < 4_000_000


def test_wheel_works_in_a_clean_environment(wheel: Path, tmp_path: Path) -> None:
    clean = tmp_path / "venv"
    venv.create(clean, symlinks=True)
    python = clean / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python)]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", wheel], check=True)
    # numpy and yaml come from the environment the tests run in: its folder goes last on the path,
    # and its own .pth files, which lead to the source tree, are not read from there.
    (site_packages,) = clean.glob("lib/python*/site-packages")
    (site_packages / "outer.pth").write_text(sysconfig.get_path("platlib"))

    def run(*command: str | Path) -> str:
        environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(
            command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
        ).stdout

    program = (
        "import plyground; from plyground import quoridor, _core; "
        "print(plyground.__file__, _core.__file__, quoridor.perft(quoridor.State(), 1))"
    )
    package, core, leaves = run(python, "-c", program).split()
    assert Path(package).is_relative_to(clean)
    assert Path(core).is_relative_to(clean)
    assert leaves == "131"  # 3 pawn moves and 128 walls
    assert "info" in run(clean / "bin" / "plyground", "--help")
    assert "info" in run(python, "-m", "plyground", "--help")


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == plyground.__version__ == version("plyground")
