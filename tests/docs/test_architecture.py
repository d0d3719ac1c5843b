"""docs/architecture.md names every package, and its walk is short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text()
PACKAGES = sorted(
    str(path.parent.relative_to(ROOT / "src/plyground"))
    for path in (ROOT / "src/plyground").rglob("__init__.py")
    if path.parent.name != "plyground"
)
LONGEST_WALK = 15


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_is_named_and_linked(package: str) -> None:
    assert f"](../src/plyground/{package})" in PAGE


def test_the_walk_of_a_click_names_functions_that_exist() -> None:
    walk = PAGE.partition("## One click on the page")[2].partition("\n## ")[0]
    steps = re.split(r"(?m)^\d+\. ", walk)[1:]
    assert len(steps) <= LONGEST_WALK
    for step in steps:
        links = re.findall(r"\]\(\.\./([^)]+)\)\)? `([A-Za-z_.]+)`", step.replace("\n", " "))
        for path, name in links:
            source = (ROOT / path).read_text()
            assert re.search(rf"\b{name.rpartition('.')[2]}\b", source), (path, name)


def test_it_is_one_page() -> None:
    assert len(PAGE.splitlines()) < 160
