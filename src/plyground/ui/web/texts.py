"""The page's texts: one file per language, with the same keys and the same placeholders.

Games, records and errors speak English, also to the page. Their sentences are under `said.`: the
page finds a sentence by its English text and shows the text of its own language. A placeholder
stands for any words there, which are translated as well.
"""

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
SENTENCE = "said."
"""Beginning of the keys of sentences that the server says."""
_NAME = re.compile(r"\{(\w+)\}")
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


def sentences(language: str) -> Mapping[str, str]:
    """What the server says, by its English text; nothing in English itself."""
    if language == DEFAULT:
        return {}
    translated = texts(language)
    return {
        english: translated[key]
        for key, english in texts(DEFAULT).items()
        if key.startswith(SENTENCE)
    }


def translate(sentence: str, language: str) -> str:
    """A sentence of the server in a language, as the page translates it; unknown ones stay.

    >>> translate("Each player has 10 walls. A wall is", "en")
    'Each player has 10 walls. A wall is'
    >>> translate("10 walls", "fr")
    '10 murs'
    """
    for pattern, text in _patterns(language):
        if found := pattern.fullmatch(sentence):
            parts = {name: translate(part, language) for name, part in found.groupdict().items()}
            return text.format(**parts)
    return sentence


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """The sentences as patterns, those with the most words first."""
    known = sorted(sentences(language).items(), key=lambda pair: -len(_NAME.sub("", pair[0])))
    patterns = []
    for english, text in known:
        parts = _NAME.split(english)
        parts[::2] = map(re.escape, parts[::2])
        parts[1::2] = (f"(?P<{name}>.+?)" for name in parts[1::2])
        patterns.append((re.compile("".join(parts)), text))
    return patterns


def render(template: str, language: str, **more: str) -> str:
    """Fill the `{{key}}` of a template with the texts of a language, escaped for HTML.

    Some names are no keys: `{{language}}` is the code of the language, `{{cookie}}` the name of the
    cookie, `{{languages}}` the options of a select, and `{{texts}}` and `{{sentences}}` are JSON
    for script elements. `more` are further ones, which are HTML already.
    """
    known = texts(language)
    own = {key: text for key, text in known.items() if not key.startswith(SENTENCE)}
    special = {
        "language": language,
        "cookie": COOKIE,
        "languages": _options(language),
        "texts": _script(own),
        "sentences": _script(sentences(language)),
        **more,
    }
    return _PLACEHOLDER.sub(
        lambda found: special[found[1]] if found[1] in special else html.escape(known[found[1]]),
        template,
    )


def _options(chosen: str) -> str:
    return "".join(
        f'<option value="{language}" lang="{language}"{" selected" * (language == chosen)}>'
        f"{html.escape(texts(language)['language.name'])}</option>"
        for language in LANGUAGES
    )


def _script(values: Mapping[str, str]) -> str:
    """JSON that cannot end its script element."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
