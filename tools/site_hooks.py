"""MkDocs hooks: the home page, the pages of the API, and links that leave the documents.

The documents are written for a reader of the repository, where a link may lead to any file of it.
On the site such a link leads to the repository's address, which pyproject.toml names.
"""

from __future__ import annotations

import posixpath
import re
import tomllib
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Repository"]
PUBLIC = (
    "plyground",
    "plyground.quoridor",
    "plyground.reversi",
    "plyground.agents",
    "plyground.search",
    "plyground.play",
    "plyground.analysis",
    "plyground.arena",
    "plyground.nets",
    "plyground.train",
    "plyground.data",
    "plyground.drawing",
    "plyground.envs",
    "plyground.course",
    "plyground.games.base",
    "plyground.games.registry",
)
"""Modules whose public names are the API."""
_LINK = re.compile(r"(\]\()([^)\s:]+)(\))")
_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the API to the navigation, and the repository's address."""
    config.repo_url, config.repo_name = REPOSITORY, "plyground"
    config.nav = [*(config.nav or []), {"API": [{name: api_page(name)} for name in PUBLIC]}]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that no file in docs/ holds."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "index.md", content=readme))
    for name in PUBLIC:
        page = f"# {name}\n\n::: {name}\n"
        files.append(File.generated(config, api_page(name), content=page))
    icon = ROOT / "src/plyground/ui/web/static/icon.svg"
    files.append(File.generated(config, "images/icon.svg", abs_src_path=str(icon)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Lead links out of docs/ to the repository; the README's own lead into docs/."""
    folder = "." if page.file.src_uri == "index.md" else "docs"
    parts = _FENCE.split(markdown)
    parts[::2] = [_LINK.sub(lambda found: site_link(found, folder), part) for part in parts[::2]]
    return "".join(parts)


def api_page(name: str) -> str:
    """The page of a module."""
    return f"api/{name.removeprefix('plyground.')}.md"


def site_link(link: re.Match[str], folder: str) -> str:
    """A link of a document in a folder of the repository, as it is on the site."""
    path, mark, anchor = link[2].partition("#")
    if not path:
        return link[0]
    target = posixpath.normpath(posixpath.join(folder, path))
    if target.startswith("docs/"):
        address = target.removeprefix("docs/")
    else:
        kind = "tree" if (ROOT / target).is_dir() else "blob"
        address = f"{REPOSITORY}/{kind}/main/{target}"
    return f"{link[1]}{address}{mark}{anchor}{link[3]}"
