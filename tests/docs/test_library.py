"""docs/library.md lists every public name, and every public name is documented."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
PACKAGES = ("nets", "train", "analysis", "play", "arena")


def exported(package: str) -> list[str]:
    names: list[str] = import_module(f"plyground.{package}").__all__
    return names


@pytest.mark.parametrize("package", PACKAGES)
def test_the_page_lists_the_names_of_a_package(package: str) -> None:
    section = TEXT.split(f"## plyground.{package}\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", section, re.MULTILINE)
    assert [name for name, _ in rows] == exported(package)
    assert all(len(text) > 10 for _, text in rows)


def has_text_below(package: str, name: str) -> bool:
    """Whether a string follows the assignment of a name, in the module that defines it."""
    for path in (ROOT / "src" / "plyground" / package).glob("*.py"):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for node, after in pairwise(body):
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name:
                return isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    return False


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_has_a_docstring(package: str) -> None:
    module = import_module(f"plyground.{package}")
    for name in exported(package):
        found = getattr(module, name)
        if inspect.isclass(found) or inspect.isfunction(inspect.unwrap(found)):
            assert found.__doc__, name
            assert not found.__doc__.startswith(f"{name}("), name  # not what dataclasses write
        else:
            assert has_text_below(package, name), name


@pytest.mark.parametrize("package", PACKAGES)
def test_names_are_found_by_completion(package: str) -> None:
    module = import_module(f"plyground.{package}")
    assert set(module.__all__) <= set(dir(module))
    assert len(set(module.__all__)) == len(module.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = module.nonsense


def test_packages_import_without_heavy_libraries() -> None:
    modules = ", ".join(f"plyground.{package}" for package in PACKAGES)
    code = f"import sys, {modules}; print({{'torch', 'onnxruntime', 'onnx'}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
