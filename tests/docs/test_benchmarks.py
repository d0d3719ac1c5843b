"""benchmarks/README.md lists every program, and its commands exist."""

import re
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
TEXT = (BENCHMARKS / "README.md").read_text(encoding="utf-8")


def test_every_program_is_listed() -> None:
    linked = re.findall(r"\]\((\w+\.py)\)", TEXT)
    assert sorted(linked) == sorted(path.name for path in BENCHMARKS.glob("*.py"))


def test_every_command_names_an_existing_program() -> None:
    for name in re.findall(r"`python benchmarks/(\S+?)[ `]", TEXT):
        assert (BENCHMARKS / name).is_file(), name
