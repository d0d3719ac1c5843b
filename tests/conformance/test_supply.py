"""What comes from elsewhere: packages of the tests are pinned, data files have an origin."""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
NOTICE = (ROOT / "NOTICE").read_text()


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pairs = [line.split("==") for line in lines if not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pairs}


def test_every_package_of_the_tests_has_one_version() -> None:
    pinned = pins()
    for text in (
        *PROJECT["build-system"]["requires"],
        *PROJECT["project"]["dependencies"],
        *PROJECT["project"]["optional-dependencies"]["test"],
    ):
        requirement = Requirement(text)
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), text


def test_every_data_file_has_an_origin() -> None:
    for folder in ("src/plyground/data", "tests/data"):
        for path in (ROOT / folder).iterdir():
            if path.suffix != ".py" and path.name not in ("README.md", "__pycache__"):
                assert path.name in NOTICE or f"{path.name}/" in NOTICE, path
