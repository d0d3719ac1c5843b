"""The page's texts: every language says everything, and the page asks for nothing else."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plyground.agents.base import ForfeitKind
from plyground.analysis.move_class import MoveClass
from plyground.analysis.remarks import NOUNS, TEXTS
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.base import State
from plyground.games.quoridor_game import QUORIDOR
from plyground.play import LiveGame
from plyground.play.seat import Seat
from plyground.ui import web
from plyground.ui.game_host import GameHost
from plyground.ui.text import format_reason, why_illegal
from plyground.ui.web.payloads import game_info
from plyground.ui.web.sharing import parse_game_text, parse_link
from plyground.ui.web.texts import DEFAULT, LANGUAGES, choose_language, render, sentences, texts

from .conftest import Site, new_game, type_move, wait_for, wait_for_moves, wait_for_text

if TYPE_CHECKING:
    from playwright.sync_api import Page

STATIC = Path(str(web.__file__)).parent / "static"
SPECIAL = {"language", "cookie", "languages", "texts", "sentences", "command"}
"""Names in index.html that are no keys."""
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
    used = set(re.findall(r"\{\{([\w.-]+)\}\}", page)) - SPECIAL
    for script in STATIC.glob("*.js"):
        used |= set(re.findall(r"\bt\(\s*\"([\w.-]+)\"", script.read_text()))
    assert used <= known, sorted(used - known)


def test_remarks_are_said_as_elsewhere() -> None:
    known = texts(DEFAULT)
    sentences = dict(TEXTS)
    for game in registry.games().values():
        sentences |= game.remark_texts
    said = {f"remark.{kind}.you": own for kind, (own, _) in sentences.items()}
    said |= {f"remark.{kind}.player": other for kind, (_, other) in sentences.items()}
    said |= {f"remark.{plural}.one": f"{{count}} {noun}" for plural, noun in NOUNS.items()}
    said |= {f"remark.{plural}.other": f"{{count}} {plural}" for plural in NOUNS}
    assert said == {key: text for key, text in known.items() if key.startswith("remark.")}
    for kind in MoveClass:
        assert known[f"review.class.{kind}"] == kind.capitalize()
        assert f"review.class.{kind}.how" in known
        assert f"review.tried.{kind}" in known


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


# No text is outside of the catalogue.

NO_TEXTS = {
    *("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", "Escape", "Home", "End"),
    *("input, textarea", "ground felt", "Plyground"),
}
"""Names of keys, elements, classes, and ours."""
LITERAL = re.compile(r"""\"((?:[^"\\\n]|\\.)*)\"|`((?:[^`\\]|\\.)*)`""")


def literals(script: str) -> Iterator[str]:
    """The strings of a script, without comments and the code in templates."""
    code = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", script, flags=re.DOTALL)
    for plain, template in LITERAL.findall(code):
        yield re.sub(r"\$\{[^{}]*(\{[^{}]*\}[^{}]*)*\}", "", plain or template)


def style_names() -> set[str]:
    css = "".join(path.read_text() for path in STATIC.glob("*.css"))
    return set(re.findall(r"[.#]([a-z][\w-]*)", css))


@pytest.mark.parametrize("script", sorted(path.name for path in STATIC.glob("*.js")))
def test_a_script_has_no_text_of_its_own(script: str) -> None:
    classes = style_names()
    for literal in literals((STATIC / script).read_text()):
        if literal.strip(" \u2013") in NO_TEXTS or re.search(
            r"[#=;<>(\[/]", literal
        ):  # selectors, cookies, paths
            continue
        words = [word for word in literal.split() if re.search(r"[A-Za-z]{2}", word)]
        assert len(words) < 2 or set(words) <= classes, literal
        assert not re.search(r"\b[A-Z][a-z]+", literal), literal


class VisibleTexts(HTMLParser):
    """Collects what a person sees or hears of a page, without the placeholders of texts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "input", "br"):
            self.tags.append(tag)
        named = dict(attributes)
        for name in ("aria-label", "title", "placeholder", "alt"):
            self.found.append(named.get(name) or "")
        if tag == "meta" and named.get("name") == "description":
            self.found.append(named["content"] or "")

    def handle_endtag(self, tag: str) -> None:
        while self.tags and self.tags.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"kbd", "code", "script"} & set(self.tags):
            self.found.append(data)


def test_the_page_has_no_text_of_its_own() -> None:
    parser = VisibleTexts()
    parser.feed((STATIC / "index.html").read_text())
    plain = [re.sub(r"\{\{[\w.-]+\}\}", "", text).strip() for text in parser.found]
    words = {text for text in plain if re.search(r"[A-Za-z]{2}", text)}
    assert words == {"Plyground"}


# What the server says is known to the catalogue.


def is_translated(sentence: str) -> bool:
    templates = (re.split(r"\{\w+\}", english) for english in sentences("fr"))
    patterns = ("(.+?)".join(map(re.escape, template)) for template in templates)
    return any(re.fullmatch(pattern, sentence) for pattern in patterns)


def played_games() -> Iterator[State]:
    """Positions of a random game of each kind and board."""
    rng = random.Random(1)
    starts = [QUORIDOR.start({"Board": str(size)}) for size in range(3, 10)]
    for start in (*starts, registry.get("reversi").start()):
        state: State = start
        while state.outcome is None:
            yield state
            state = state.play(rng.choice(state.legal_actions()))
        yield state


def test_facts_tasks_ends_and_reasons_are_translated() -> None:
    said: set[str] = set()
    for number, state in enumerate(played_games()):
        game = state.game
        said.update(*(game.facts(state, player) for player in (1, 2)))
        said.update(game.task(state, player) for player in (None, 1, 2))
        if state.outcome is not None:
            said |= {state.outcome.reason, str(state.outcome)}
        if number % 20 == 0 or state.outcome is not None:
            texts_of_moves = (state.format_move(each) for each in range(game.action_count(state)))
            found = (why_illegal(state, move) for move in texts_of_moves)
            said.update(reason for reason in found if reason)
    reasons = {text.split(": ")[1].split(" at ")[0] for text in said if "not possible" in text}
    assert reasons >= {
        "it overlaps the wall", "it crosses the wall", "a wall is in the way", "the game is over",
        "it cuts player 1 off from the goal", "it turns no disc over", "the square is taken",
    }  # fmt: skip
    assert [sentence for sentence in said if not is_translated(sentence)] == []


def test_settings_rules_and_help_are_translated() -> None:
    said: set[str] = set()
    for game in registry.games().values():
        info = game_info(game, [])
        for setting in info["settings"]:  # type: ignore[union-attr]
            assert isinstance(setting, dict)
            said |= {str(setting["label"]), str(setting["help"])}
        said.update(re.sub(r"^\S+ +", "", line) for line in game.move_help.split("\n"))
        sizes = game.setting_choices.get("Board", [None])
        for settings in ({"Board": size} if size else {} for size in sizes):
            said.update(filter(None, game.rules_text(game.start(settings)).split("\n")))
    said.add(QUORIDOR.examples(QUORIDOR.start()))
    said.update(kind.value for kind in ForfeitKind)
    assert [sentence for sentence in said if not is_translated(sentence)] == []


@pytest.mark.parametrize(
    "make",
    [
        lambda: QUORIDOR.start().play("z9"),
        lambda: registry.get("reversi").start().play("z9"),
        lambda: QUORIDOR.start({"Walls": "many"}),
        lambda: QUORIDOR.start({"Walls": "500"}),
        lambda: QUORIDOR.start({"DrawPenalty": "7"}),
        lambda: QUORIDOR.start(None, "nonsense"),
        lambda: QUORIDOR.start(None, "9 e1/e1 - 10/10 1 0 0"),
        lambda: QUORIDOR.start(None, "9 é"),
        lambda: registry.get("reversi").start(None, "X"),
        lambda: parse_game_text(""),
        lambda: parse_game_text("hello there"),
        lambda: parse_game_text("1. e2 e2"),
        lambda: parse_game_text("{ unfinished"),
        lambda: parse_link("AAAA"),
        lambda: LiveGame({1: Seat(), 2: Seat()}).undo(),
        lambda: LiveGame({1: Seat(), 2: Seat()}).redo(),
        lambda: GameHost(LiveGame({1: Seat(), 2: Seat()})).promote(0),
    ],
)
def test_errors_of_common_input_are_translated(make: Callable[[], object]) -> None:
    with pytest.raises((ConfigError, IllegalMoveError, NotationError)) as caught:
        make()
    sentence = " ".join(format_reason(caught.value).split())
    assert is_translated(sentence), sentence


# The French page.


def words_of(language: str) -> set[str]:
    return {word for text in texts(language).values() for word in re.findall(r"[^\W\d_]{3,}", text)}


ENGLISH = words_of("en") - words_of("fr") - {"English"}
"""Words that only the English texts have."""
SEEN = """() => {
    const parts = [...document.querySelectorAll("*")].flatMap((each) => [
        each.getAttribute("aria-label"), each.getAttribute("title"),
        each.getAttribute("placeholder"),
        each.children.length || each.closest("script, code, kbd") ? "" : each.textContent,
    ]);
    return [document.title, ...parts].filter(Boolean).join("\\n");
}"""


def english_words(page: Page) -> set[str]:
    seen = re.sub(r"(?i:minimax|engine|zero):\S+|plyground \w+", "", page.evaluate(SEEN))
    return set(re.findall(r"[^\W\d_]{3,}", seen)) & ENGLISH


def test_a_game_in_french(site: Site, open_page: Callable[..., Page]) -> None:
    page = open_page(site.address, locale="fr-CA")
    page.set_viewport_size({"width": 1024, "height": 768})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.get_attribute("html", "lang") == "fr"
    new_game(page, "Nouvelle partie.", player1="human", player2="random", Board=5)
    assert page.inner_text("#status") == "À vous de jouer."
    assert english_words(page) == set()
    type_move(page, "a3")
    wait_for_text(page, "#reason", "est pas possible\u00a0: aucun coup de pion")
    page.click("#engine")
    wait_for(page, "document.querySelector('#engine-state').textContent.startsWith('Prof')")
    assert english_words(page) == set()
    type_move(page, "c2")
    wait_for_moves(page, 2)
    page.click("#resign")
    page.click("#ask-yes")
    wait_for_text(page, "#status", "Hasard gagne\u00a0: abandon.")
    assert english_words(page) == set()
    new_game(page, "Nouvelle partie.", player1="human", player2="human", Board=3)
    for number, move in enumerate(["b2", "b1"], 1):  # a jump to the goal
        type_move(page, move)
        wait_for_moves(page, number)
    wait_for_text(page, "#status", "Joueur 2 gagne\u00a0: but atteint.")
    assert english_words(page) == set()
    for name in ("#help-dialog", "#new-dialog"):
        page.evaluate("name => document.querySelector(name).showModal()", name)
        assert english_words(page) == set()
        page.keyboard.press("Escape")
    for mode in ("learn", "puzzles", "watch"):
        page.click(f"[data-mode={mode}]")
        wait_for(page, "!document.querySelector('#puzzle-level').textContent.includes('?')")
        assert english_words(page) == set()
    # Saved games are found by the names that the page shows.
    page.click("#games-button")
    page.fill("#games-query", "hasard")
    wait_for(page, "document.querySelectorAll('#games-list li').length === 1")
    assert "Hasard" in page.inner_text("#games-list")
    page.click("#games-dialog [data-closes]")
    # The switch changes the language, and the choice outlasts a reload; the game goes on.
    page.click("[data-mode=play]")
    with page.expect_navigation():
        page.select_option("#language", "en")
    wait_for_text(page, "#status", "goal.")
    page.reload()
    wait_for_text(page, "#status", "goal.")
    assert page.get_attribute("html", "lang") == "en"
