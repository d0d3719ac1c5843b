"""What the settings of all tuning runs have in common: how they are read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import yaml

from plyground.arena.config import files_beside
from plyground.config import read_yaml
from plyground.errors import ConfigError

T = TypeVar("T")


def names_of(kind: Any) -> list[str]:
    """The fields of a dataclass of settings."""
    return [item.name for item in fields(kind)]


def load_settings(path: str | Path, known: list[str], overrides: list[str]) -> dict[str, Any]:
    """The settings of a file, and words like `games=100` over them; values are YAML, too."""
    settings = files_beside(path, read_yaml(path, known))
    for word in overrides:
        key, equals, text = word.partition("=")
        if not equals:
            raise ConfigError(f"expected 'setting=value', got {word!r}")
        if key not in known:
            close = get_close_matches(key, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ConfigError(f"unknown setting {key!r}{hint}")
        try:
            settings[key] = yaml.safe_load(text)
        except yaml.YAMLError:
            raise ConfigError(f"cannot read the value of {word!r}") from None
    return settings


def build(kind: type[T], settings: Mapping[str, Any], path: str | Path) -> T:
    """The dataclass of these settings; what is missing or wrong is told with the file's name."""
    for item in fields(kind):  # type: ignore[arg-type]
        required = item.default is MISSING and item.default_factory is MISSING
        if required and item.name not in settings:
            raise ConfigError(f"expected the setting {item.name!r} in {path}, found none")
    try:
        return kind(**settings)
    except ConfigError as error:
        raise ConfigError(f"{error} in {path}") from None


def check_whole(name: str, value: object, lowest: int, highest: int) -> None:
    """Raise unless it is a whole number in this range."""
    if type(value) is not int or not lowest <= value <= highest:
        what = f"a whole number from {lowest:,} to {highest:,}"
        raise ConfigError(f"expected {name} to be {what}, got {value!r}")


def check_number(name: str, value: object, lowest: float, highest: float) -> None:
    """Raise unless it is a number in this range."""
    if type(value) not in (int, float) or not lowest <= value <= highest:  # type: ignore[operator]
        what = f"a number from {lowest:g} to {highest:g}"
        raise ConfigError(f"expected {name} to be {what}, got {value!r}")


def check_agent(name: str, value: object) -> None:
    """Raise unless it is a string, as agents are named by."""
    if not isinstance(value, str):
        raise ConfigError(f"expected {name} to be the string of an agent, got {value!r}")


def check_mapping(name: str, value: object) -> Mapping[str, Any]:
    """Raise unless it is a mapping from names."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ConfigError(f"expected {name} to be names with values, got {value!r}")
    return value
