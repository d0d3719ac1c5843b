"""The files for hosted services: they parse, and what they call exists."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TARGETS = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_calls_targets_of_the_makefile(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert True in workflow or "on" in workflow  # YAML 1.1 reads the key `on` as true
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    for step in steps:
        assert ("uses" in step) != ("run" in step)
        for target in re.findall(r"\bmake ([a-z-]+)", step.get("run", "")):
            assert target in TARGETS


def test_the_workflows_test_and_build_wheels() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    assert "make test" in text
    assert "pypa/cibuildwheel@" in text


def test_wheels_are_built_for_every_system_that_the_guide_names() -> None:
    settings = PYPROJECT["tool"]["cibuildwheel"]
    assert settings["build"] == ["cp311-*", "cp312-*"]
    assert {"linux", "macos", "windows"} <= settings.keys()
    assert PYPROJECT["tool"]["scikit-build"]["wheel"]["py-api"] == "cp312"
    (workflow,) = [path for path in WORKFLOWS if path.name == "wheels.yml"]
    wheels = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]["wheels"]
    systems = " ".join(wheels["strategy"]["matrix"]["os"])
    for name in ("ubuntu", "arm", "macos", "windows"):
        assert name in systems
    guide = (ROOT / "docs/installing.md").read_text(encoding="utf-8")
    for name in ("Linux x86-64", "Linux arm64", "macOS arm64", "Windows x86-64"):
        assert f"| {name}" in guide


def test_the_guide_lists_every_extra_with_its_packages() -> None:
    guide = (ROOT / "docs/installing.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", guide, re.MULTILINE))
    extras = PYPROJECT["project"]["optional-dependencies"]
    own = {"test", "docs", "wheel"}
    assert rows.keys() == extras.keys() - own
    for name, packages in rows.items():
        wanted = {re.split(r"[^\w.-]", text)[0] for text in extras[name]}
        assert set(packages.split(", ")) == wanted


def test_hooks_have_the_versions_of_the_checks() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    versions = {repo["repo"].rsplit("/", 1)[1]: repo["rev"] for repo in hooks["repos"]}
    pinned = dict(
        text.split("==")
        for text in PYPROJECT["project"]["optional-dependencies"]["test"]
        if "==" in text
    )
    assert versions["ruff-pre-commit"] == f"v{pinned['ruff']}"
    assert versions["mirrors-clang-format"] == f"v{pinned['clang-format']}"
