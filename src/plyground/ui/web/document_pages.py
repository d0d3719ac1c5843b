"""Pages to read: the rules of each game with drawings, and the one for a missing page."""

from __future__ import annotations

from html import escape

from plyground.drawing import svg
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.games.lesson import RuleDrawing
from plyground.ui.web.texts import LANGUAGES, render, texts, translate

DRAWING_SIZE = 260
"""Width of a drawing in pixels."""


def rules_pages(template: str) -> dict[str, dict[str, str]]:
    """The pages by address, then by language; the default game is also at `/rules`."""
    pages = {
        f"/rules/{game.name}": {
            language: rules_page(template, game, language) for language in LANGUAGES
        }
        for game in registry.games().values()
    }
    return {"/rules": pages[f"/rules/{registry.default().name}"], **pages}


def missing_pages(template: str) -> dict[str, str]:
    """What is shown at an address of nothing, by language."""
    pages = {}
    for language in LANGUAGES:
        title, rules = (escape(texts(language)[key]) for key in ("pages.missing", "learn.rules"))
        link = f'<a href="/rules">{rules}</a>'
        pages[language] = render(template, language, title=title, sections="", links=link)
    return pages


def rules_page(template: str, game: AnyGame, language: str) -> str:
    """The rules of a game in a language, under its usual settings."""
    state: State = game.start(game.new_settings({}))
    sections = "\n".join(
        _section(game, section, language) for section in game.rules_text(state).split("\n\n")
    )
    others = " ".join(
        f'<a href="/rules/{other.name}">{_title(other, language)}</a>'
        for other in registry.games().values()
        if other is not game
    )
    return render(template, language, title=_title(game, language), sections=sections, links=others)


def _title(game: AnyGame, language: str) -> str:
    return escape(texts(language)["rules.title"].format(game=game.title))


def _section(game: AnyGame, section: str, language: str) -> str:
    heading, *paragraphs = section.split("\n")
    figures = "\n".join(
        _figure(game, drawing, language)
        for drawing in game.rule_drawings
        if drawing.section == heading
    )
    body = "\n".join(f"<p>{escape(translate(text, language))}</p>" for text in paragraphs)
    drawings = f'<div class="figures">{figures}</div>' if figures else ""
    return f"<section><h2>{escape(translate(heading, language))}</h2>\n{body}\n{drawings}</section>"


def _figure(game: AnyGame, drawing: RuleDrawing, language: str) -> str:
    key = f"rules.{game.name}.{drawing.name}"
    caption = texts(language).get(key, key)
    state: State = game.start(None, drawing.position)
    picture = svg(
        state,
        marks=drawing.marks,
        arrows=drawing.arrows,
        paths=drawing.paths,
        size=DRAWING_SIZE,
        title=caption,
    )
    return f"<figure>{picture}<figcaption>{escape(caption)}</figcaption></figure>"
