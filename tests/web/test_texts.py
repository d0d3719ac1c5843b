"""The page's texts: every language says everything, and the page asks for nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plyground.ui import web
from plyground.ui.web.texts import DEFAULT, LANGUAGES, choose_language, render, texts

STATIC = Path(str(web.__file__)).parent / "static"
PLURAL = re.compile(r"\.(one|other|many)$")


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_placeholders(language: str) -> None:
    english, translated = texts(DEFAULT), texts(language)
    assert set(translated) == set(english)
    for key, text in translated.items():
        assert text.strip(), key
        if not key.endswith(".one"):
            assert placeholders(text) == placeholders(english[key]), key


def test_the_page_and_its_scripts_use_the_known_keys() -> None:
    known = {PLURAL.sub("", key) for key in texts(DEFAULT)} | set(texts(DEFAULT))
    page = (STATIC / "index.html").read_text()
    used = set(re.findall(r"\{\{([\w.-]+)\}\}", page)) - {"language", "texts"}
    for script in STATIC.glob("*.js"):
        used |= set(re.findall(r"\bt\(\s*\"([\w.-]+)\"", script.read_text()))
    assert used <= known, sorted(used - known)


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        (None, "", "en"),
        (None, "fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        (None, "de,en;q=0.5,fr;q=0.7", "fr"),
        (None, "de;q=high,fr;q=0", "en"),
        ("en", "fr", "en"),
        ("xx", "fr", "fr"),
    ],
)
def test_the_language_is_the_chosen_or_the_preferred_one(
    chosen: str | None, accepted: str, language: str
) -> None:
    assert choose_language(chosen, accepted) == language


def test_texts_cannot_end_their_script_element() -> None:
    page = render('<html lang="{{language}}"><script>{{texts}}</script>{{pages.puzzles}}', "fr")
    assert page.startswith('<html lang="fr">')
    assert page.count("<") == 3
    assert page.endswith("Problèmes")
