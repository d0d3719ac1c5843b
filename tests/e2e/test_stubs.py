"""The committed type stubs say what the native module really has."""

import subprocess
import sys
from pathlib import Path

STUBS = Path(__file__).parents[2] / "src" / "plyground" / "_core.pyi"


def test_stubs_are_what_the_core_generates(tmp_path: Path) -> None:
    fresh = tmp_path / "_core.pyi"
    tools = [sys.executable, "-m"]
    subprocess.run(
        [*tools, "nanobind.stubgen", "-q", "-P", "-m", "plyground._core", "-o", fresh], check=True
    )
    ruff = [*tools, "ruff"]
    settings = ["--config", str(Path(__file__).parents[2] / "pyproject.toml")]
    subprocess.run(
        [*ruff, "check", *settings, "--fix", "--quiet", "--exit-zero", fresh], check=True
    )
    subprocess.run([*ruff, "format", *settings, "--quiet", fresh], check=True)
    assert fresh.read_text() == STUBS.read_text(), "run `make stubs`"
