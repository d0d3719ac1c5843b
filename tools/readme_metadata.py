"""The README as a package registry shows it: links and pictures lead to the repository.

scikit-build-core asks for it when it writes a package's metadata (pyproject.toml names this file).
A build then needs no package beyond its own tools.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

_LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?!https?:|#)(?P<path>[^)]+)\)")


def dynamic_metadata(field: str, settings: Mapping[str, object]) -> dict[str, str]:
    """The value of `project.readme`."""
    if field != "readme" or settings:
        raise ValueError(f"expected the field readme without settings, got {field}: {settings}")
    repository = tomllib.loads(Path("pyproject.toml").read_text())["project"]["urls"]["Repository"]
    text = Path("README.md").read_text(encoding="utf-8")
    return {"content-type": "text/markdown", "text": absolute_links(text, repository)}


def absolute_links(text: str, repository: str) -> str:
    """The text with relative links made absolute; pictures lead to the files themselves."""

    def absolute(link: re.Match[str]) -> str:
        view = "raw" if link["picture"] else "blob"
        return f"{link['picture']}[{link['text']}]({repository}/{view}/main/{link['path']})"

    return _LINK.sub(absolute, text)
