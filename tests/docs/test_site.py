"""The site is built without a warning, and its API pages hold every public name."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_guide_has_a_page(site: Path) -> None:
    guides = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert guides <= {path.stem for path in site.glob("*.html")}
    assert "Reach the far side" in (site / "index.html").read_text(encoding="utf-8")


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (site / "api").glob("*.html")}
    assert {"quoridor", "agents", "nets", "train", "play", "analysis", "arena"} <= set(pages)
    for page, text in pages.items():
        module = importlib.import_module(
            "plyground" if page == "plyground" else f"plyground.{page}"
        )
        headings = set(re.findall(r'id="([\w.]+)"', text))
        for name in getattr(module, "__all__", ()):
            is_page = name in pages  # `plyground` names modules too
            assert is_page or name == "__version__" or f"{module.__name__}.{name}" in headings


def test_links_to_files_outside_the_guides_lead_to_the_repository(site: Path) -> None:
    page = (site / "architecture.html").read_text(encoding="utf-8")
    assert "/blob/main/src/plyground/play/live_game.py" in page
    assert 'href="../' not in page
