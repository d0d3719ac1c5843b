"""cpp/README.md lists every file of the core, and no other."""

import re
from pathlib import Path

import pytest

CPP = Path(__file__).parents[2] / "cpp"
LINKS = re.findall(r"\]\(([^)#]+)[^)]*\)", (CPP / "README.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", ["base", "games", "search", "bind", "tests"])
def test_every_file_is_listed(folder: str) -> None:
    sources = {path.relative_to(CPP).as_posix() for path in (CPP / folder).glob("*.[hc]*")}
    assert sources
    assert sources - set(LINKS) == set()


def test_no_file_is_listed_twice() -> None:
    assert len(LINKS) == len(set(LINKS))


def test_comments_name_files_that_exist() -> None:
    """Comments of the core name C++ files by name, Python files by path."""
    names = {path.name for path in CPP.glob("*/*")}
    for path in CPP.glob("*/*.[hc]*"):
        for comment in re.findall(r"//(.*)", path.read_text(encoding="utf-8")):
            for name in re.findall(r"\b\w+\.(?:h|cpp)\b", comment):
                assert name in names, f"{path.relative_to(CPP)} names {name}"
            for name in re.findall(r"[\w/]+\.py\b", comment):
                found = any(
                    (CPP.parent / folder / name).exists() for folder in ("", "src/plyground")
                )
                assert found, f"{path.relative_to(CPP)} names {name}"
