"""docs/add-a-game.md names everything that a game needs, and nothing that is not there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from plyground.games import registry
from plyground.games.base import Game, State

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/add-a-game.md").read_text()
IN_PYTHON = PAGE.partition("## In Python")[2].partition("## In the core")[0]


def step(number: int) -> str:
    return re.split(r"(?m)^\d\. \*\*", IN_PYTHON)[number]


def names_in(text: str) -> set[str]:
    return set(re.findall(r"`([a-z_]+)[`(]", text))


def test_the_steps_name_every_method_that_a_game_must_have() -> None:
    required = {"game", "current_player", "outcome", "legal_actions", "play", "text"}
    required |= {"parse_move", "format_move", "__str__"}
    assert required <= names_in(step(1))
    assert set(Game.__abstractmethods__) <= names_in(step(2))


def test_every_name_in_the_steps_is_there() -> None:
    assert all(hasattr(State, name) for name in names_in(step(1)))
    attributes = {*dir(Game), *Game.__annotations__}
    assert names_in(step(2)) <= attributes


def test_the_entry_point_is_the_one_that_is_read() -> None:
    (toml,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    points = tomllib.loads(re.sub(r"(?m)^   ", "", toml))["project"]["entry-points"]
    assert list(points) == [registry.ENTRY_POINTS]
    test = (ROOT / "tests/conformance/test_third_game.py").read_text()
    for name, value in points[registry.ENTRY_POINTS].items():
        assert f"{name} = {value}" in test


def test_the_game_it_tells_of_is_about_as_long_as_it_says() -> None:
    lines = (ROOT / "tests/conformance/connect_four.py").read_text().splitlines()
    assert 180 <= len(lines) <= 230
