"""The page's texts: one file per language, with the same keys and the same placeholders."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import cast

FOLDER = Path(__file__).parent / "texts"
LANGUAGES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))
DEFAULT = "en"
COOKIE = "plyground-language"
"""Cookie with the language that a person chose on the page."""
_PLACEHOLDER = re.compile(r"\{\{([\w.-]+)\}\}")


@cache
def texts(language: str) -> Mapping[str, str]:
    """The texts of a language by key."""
    return cast("dict[str, str]", json.loads((FOLDER / f"{language}.json").read_text("utf-8")))


def choose_language(chosen: str | None, accepted: str) -> str:
    """The language that was chosen, else the best of the header `Accept-Language`, else English."""
    if chosen in LANGUAGES:
        return chosen
    preferences = []
    for part in accepted.split(",")[:20]:
        name, _, quality = part.strip().partition(";q=")
        try:
            preferences.append((float(quality or 1), name.split("-")[0].lower()))
        except ValueError:
            continue
    known = [(quality, name) for quality, name in preferences if name in LANGUAGES and quality > 0]
    return max(known, key=lambda preference: preference[0], default=(0, DEFAULT))[1]


def render(template: str, language: str) -> str:
    """Fill the `{{key}}` of a template with the texts of a language, escaped for HTML.

    `{{language}}` is the code of the language, `{{texts}}` all texts as JSON for a script element.
    """
    known = texts(language)
    special = {
        "language": language,
        "texts": json.dumps(known, ensure_ascii=False).replace("<", "\\u003c"),
    }
    return _PLACEHOLDER.sub(
        lambda found: special.get(found[1]) or html.escape(known[found[1]]), template
    )
